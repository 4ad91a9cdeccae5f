"""The Debian and Ubuntu packages that each verb needs, and how they get onto the machine."""

from __future__ import annotations

import dataclasses
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Optional

import lock
import machine
from console import Stop, must, run_step
from repository import build_folder

BACKPORTS = Path("/etc/apt/sources.list.d/tilestep-backports.sources")


@dataclasses.dataclass(frozen=True)
class Need:
    package: str  # the Debian package
    verb: str  # the first verb that wants it
    purpose: str
    program: str = ""  # it is there when this program is,
    files: tuple[str, ...] = ()  # or when each of these is, under any prefix (globs; a|b is either)
    at_least: str = ""  # the package's version, where an older one would not do

    def present(self) -> bool:
        if self.program:
            return shutil.which(self.program) is not None
        return all(
            any(glob.glob(os.path.join(prefix, name)) for prefix in prefixes() for name in names.split("|"))
            for names in self.files
        )


NEEDS = [
    Need("g++", "run", "C++20 library, and a compiler that works too", program="c++"),
    Need("clang-19", "run", "C++20 compiler, also of AMD device code", program="clang++-19"),
    Need("lld-19", "run", "its linker, for kernels in a page, too", program="ld.lld-19"),
    Need("cmake", "run", "build files, 3.24 or newer", program="cmake"),
    Need("ninja-build", "run", "runs the build", program="ninja"),
    Need(
        "libboost-context-dev",
        "run",
        "fibers of the virtual GPU",
        files=("include/boost/context/fiber.hpp", "lib*/libboost_context.*|lib/*/libboost_context.*"),
    ),
    Need("libcli11-dev", "run", "command lines", files=("include/CLI/CLI.hpp",)),
    Need("nlohmann-json3-dev", "run", "JSON records", files=("include/nlohmann/json.hpp",)),
    Need("libfmt-dev", "run", "text formatting", files=("include/fmt/format.h",)),
    Need("openmpi-bin", "run", "starts the processes of chapter 21", program="mpirun"),
    Need("libopenmpi-dev", "run", "lets them talk", files=("include/mpi.h|lib/*/openmpi/include/mpi.h",)),
    Need(
        "libcatch2-dev",
        "test",
        "test framework, version 3",
        files=("include/catch2/catch_test_macros.hpp",),
        at_least="3",
    ),
    Need("librapidcheck-dev", "test", "property tests", files=("include/rapidcheck.h",)),
    Need(
        "python3-numpy",
        "test",
        "another judge of products and of .npy files",
        files=("lib/python3*/dist-packages/numpy/__init__.py",),
    ),
    Need("pylint", "test", "whether what our Python names exists", program="pylint"),
    Need(
        "python3-markdown-it",
        "docs",
        "pages from Markdown",
        files=("lib/python3/dist-packages/markdown_it/__init__.py",),
    ),
    Need(
        "python3-mdit-py-plugins",
        "docs",
        "their headings' anchors",
        files=("lib/python3/dist-packages/mdit_py_plugins/__init__.py",),
    ),
    Need(
        "python3-pygments",
        "docs",
        "colours of their code",
        files=("lib/python3/dist-packages/pygments/__init__.py",),
    ),
    Need("doxygen", "docs", "the library's reference", program="doxygen"),
    Need("doxygen-awesome-css", "docs", "its style", files=("share/doxygen-awesome-css/doxygen-awesome.css",)),
    Need("wasi-libc", "page", "WebAssembly, for kernels in a page: C library", files=("include/wasm32-wasi/stdio.h",)),
    Need(
        "libc++-19-dev-wasm32",
        "page",
        "its C++ library",
        files=("lib/llvm-19/include/wasm32-wasi/c++/v1/vector",),
    ),
    Need("libc++abi-19-dev-wasm32", "page", "its C++ runtime", files=("lib/llvm-19/lib/wasm32-wasi/libc++abi.a",)),
    Need(
        "libclang-rt-19-dev-wasm32",
        "page",
        "its compiler's runtime",
        files=("lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a",),
    ),
    Need("llvm-19", "page", "reads its line tables", program="llvm-symbolizer-19"),
    Need("binaryen", "page", "its fibers", program="wasm-opt"),
    Need("chromium", "check", "opens every page", program="chromium"),
    Need("chromium-driver", "check", "commands the browser", program="chromedriver"),
    Need(
        "python3-selenium",
        "check",
        "writes the commands",
        files=("lib/python3/dist-packages/selenium/__init__.py",),
    ),
]

# What each verb wants beside its own packages.
INCLUDES = {"run": ("run",), "test": ("run", "test"), "docs": ("docs",), "check": ("docs", "page", "check")}
# What compiles the kernels in a page, beside its own packages.
COMPILES_PAGES = ("clang-19", "lld-19", "cmake", "ninja-build")


def needs_of(verb: str) -> list[Need]:
    """With $CXX set `run` wants no other compiler; `test` does, for AMD device code."""
    return [
        need
        for need in NEEDS
        if need.verb in INCLUDES[verb]
        and not (verb == "run" and need.package in ("clang-19", "lld-19") and os.environ.get("CXX"))
    ]


def missing_for_pages() -> list[Need]:
    """What `./tutorial docs` lacks for kernels that run in a page. It makes the site without them, too."""
    return [
        need
        for need in NEEDS
        if (need.verb == "page" or need.package in COMPILES_PAGES) and not need.present()
    ]


def prefixes() -> list[str]:
    return ["/usr", "/usr/local", *filter(None, os.environ.get("CMAKE_PREFIX_PATH", "").split(os.pathsep))]


def ensure(verb: str) -> None:
    """Install what the verb needs and is missing, or stop with the command to type."""
    missing = [need for need in needs_of(verb) if not need.present()]
    if not missing:
        return
    names = [need.package for need in missing]
    if not shutil.which("apt-get"):
        raise Stop(
            f"missing: {', '.join(names)} (Debian's names), and there is no apt-get here: install them, "
            "then start this again",
            3,
        )
    as_root = root_command()
    if as_root is None:
        raise Stop("missing packages; type this, then start again:", 3, indent(typed_commands(missing)))

    lock.require_usable(build_folder())  # the logs are there
    print(f"installing {' '.join(names)}", file=sys.stderr)
    update(as_root)
    too_old = [need for need in missing if need.at_least and not offered(need)]
    if too_old:
        add_backports(too_old, as_root)
    must("installing packages", install_command(names, as_root), build_folder() / "logs/install.log")
    still = [need.package for need in missing if not need.present()]
    if still:
        raise Stop(f"installed, yet not found: {', '.join(still)}; is CMAKE_PREFIX_PATH or PATH unusual here?", 3)


def root_command() -> Optional[list[str]]:
    """What to put before a command to run it as root without a question; None where that is impossible."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], stderr=subprocess.DEVNULL).returncode == 0:
        return ["sudo", "-n"]
    return None


def update(as_root: list[str]) -> None:
    """Fetch the package lists; one source of many may fail without harm, so the installation is left to tell."""
    log = build_folder() / "logs/update.log"
    code, lines = run_step("updating package lists", [*as_root, "apt-get", "update"], log)
    if code:
        print("\n".join(line for line in lines if line.startswith(("E:", "W:"))), file=sys.stderr)


def install_command(names: list[str], as_root: list[str]) -> list[str]:
    return [
        *as_root,
        "env",
        "DEBIAN_FRONTEND=noninteractive",
        "apt-get",
        "-o",
        "DPkg::Lock::Timeout=600",  # seconds to wait for another installation
        "install",
        "-y",
        "--no-install-recommends",
        *names,
    ]


def typed_commands(missing: list[Need]) -> str:
    """The commands for someone who has to type a password, one per line."""
    sudo = "" if os.geteuid() == 0 else "sudo "
    lines = []
    if [need for need in missing if need.at_least and not offered(need)]:
        stanza = backports_source(apt_sources(), codename()).splitlines()
        lines.append(f"printf '%s\\n' {' '.join(map(shlex.quote, stanza))} | {sudo}tee {BACKPORTS}")
    lines.append(f"{sudo}apt-get update")
    lines.append(f"{sudo}apt-get install -y --no-install-recommends " + " ".join(need.package for need in missing))
    return "\n".join(lines)


def indent(text: str) -> str:
    return "\n".join("  " + line for line in text.splitlines())


# ---- a newer package than the release has: Debian's backports
# -------------------------------------------------------------


def offered(need: Need) -> bool:
    """Whether apt would install a version that is new enough, as far as its lists tell."""
    policy = machine.first_line("apt-cache", "policy", need.package, pattern=r"Candidate: (?:\d+:)?(\d+)")
    return bool(policy) and int(re.findall(r"\d+", policy)[-1]) >= int(need.at_least)


def codename() -> str:
    return machine.system().get("VERSION_CODENAME", "")


def add_backports(needs: list[Need], as_root: list[str]) -> None:
    """Add the backports suite of this Debian, from wherever its own packages come."""
    names = ", ".join(need.package for need in needs)
    if machine.system().get("ID") != "debian":
        raise Stop(
            f"{machine.system().get('PRETTY_NAME', 'this system')} has no {names} of version {needs[0].at_least} or "
            "newer: install it by hand (a CMAKE_PREFIX_PATH is respected), then start this again",
            3,
        )
    source = backports_source(apt_sources(), codename())
    print(f"adding {BACKPORTS}: {names} comes from {codename()}-backports", file=sys.stderr)
    subprocess.run([*as_root, "tee", str(BACKPORTS)], input=source, text=True, stdout=subprocess.DEVNULL, check=True)
    update(as_root)


def apt_sources(root: Path = Path("/etc/apt")) -> list[dict[str, str]]:
    """Every apt source as deb822 fields, whichever of the two formats it is written in."""
    found = []
    for path in [root / "sources.list", *sorted(root.glob("sources.list.d/*.list"))]:
        if path.exists():
            found += [fields for line in path.read_text().splitlines() if (fields := one_line_source(line))]
    for path in sorted(root.glob("sources.list.d/*.sources")):
        found += deb822_sources(path.read_text())
    return found


ONE_LINE_KEYS = {
    "arch": "Architectures",
    "signed-by": "Signed-By",
    "trusted": "Trusted",
    "check-valid-until": "Check-Valid-Until",
    "check-date": "Check-Date",
}


def one_line_source(line: str) -> dict[str, str]:
    """`deb [signed-by=KEY] URI SUITE COMPONENT...` as deb822 fields; {} for anything else."""
    match = re.match(r"\s*(deb|deb-src)\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+([^#]+)", line)
    if not match:
        return {}
    types, options, uri, suite, components = match.groups()
    fields = {"Types": types, "URIs": uri, "Suites": suite, "Components": components.strip()}
    for option in (options or "").split():
        key, _, value = option.partition("=")
        if key.lower() in ONE_LINE_KEYS:
            fields[ONE_LINE_KEYS[key.lower()]] = value.replace(",", " ")
    return fields


def deb822_sources(text: str) -> list[dict[str, str]]:
    """The stanzas of a .sources file; continued lines keep their line breaks (a key may stand in the file)."""
    stanzas: list[dict[str, str]] = []
    for paragraph in re.split(r"\n\s*\n", text):
        fields: dict[str, str] = {}
        key = ""
        for line in paragraph.splitlines():
            if line.startswith("#"):
                continue
            if line[:1].isspace() and key:
                fields[key] += "\n" + line
            elif ":" in line:
                name, _, value = line.partition(":")
                key = name.strip()
                fields[key] = value.strip()
        if fields and fields.get("Enabled", "yes").lower() not in ("no", "false", "0"):
            stanzas.append(fields)
    return stanzas


def backports_source(sources: list[dict[str, str]], release: str) -> str:
    """A deb822 stanza for `release`-backports, taken from where the machine gets `release` itself."""
    for fields in sources:
        if (
            release
            and "deb" in fields.get("Types", "").split()
            and release in fields.get("Suites", "").split()
            and "main" in fields.get("Components", "").split()
            and not fields.get("URIs", "").startswith("cdrom:")
        ):
            wanted = {**fields, "Types": "deb", "Suites": f"{release}-backports", "Components": "main"}
            return "".join(f"{key}: {value}\n" for key, value in wanted.items() if key != "Enabled")
    raise Stop(
        f"no apt source of this machine offers '{release}' main, so its backports are not known: "
        "install Catch2 3 by hand, then start this again",
        3,
    )
