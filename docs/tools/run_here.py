#!/usr/bin/env python3
"""The box "Run it here" of the site: the module that runs chapter 07's kernel in a page, with bugs to switch on.

docs/run_here has the program, docs/site the box. This file builds the one and fills the other in. The build asks it:

    run_here.py bugs FOLDER       writes kernel.hpp and families.hpp with the bugs, and bugs.hpp, their names
    run_here.py lines MODULE OUT  writes the table of wasm/source_line.cpp from the line tables of a linked module
"""

from __future__ import annotations

import base64
import dataclasses
import html
import re
import subprocess
import sys
from pathlib import Path
from string import Template
from typing import Optional

import machine
import packages
import trees
from console import must
from repository import ROOT, Mistake, build_folder, cmake_calls

CHAPTER = ROOT / "chapters/07_k_loop"
MUTANTS = ROOT / "tests/chapters/07_k_loop/CMakeLists.txt"


@dataclasses.dataclass(frozen=True)
class Bug:
    name: str  # what the program calls it
    mutant: str  # of tests/chapters: the text that is replaced, and by what
    words: str  # what a reader chooses


BUGS = [
    Bug("one-barrier", "07_one_barrier", "no barrier after the product"),
    Bug("reads-too-early", "07_reads_too_early", "no barrier before the product"),
    Bug("predicate-off-by-one", "07_predicate_off_by_one", "the copy's predicate lets one row too many through"),
    Bug("epilogue-off-by-one", "07_epilogue_off_by_one", "the epilogue's predicate lets one column too many through"),
    Bug("last-tile-dropped", "07_last_tile_dropped", "the last tile along K is left out"),
    Bug("wrong-tile-of-b", "07_wrong_tile_of_b", "the tile of B is the one of A's rows"),
]


def module() -> Optional[Path]:
    """Build the module; None, and a sentence, where something for it is missing."""
    missing = packages.missing_for_pages()
    if missing:
        names = " ".join(need.package for need in missing)
        print(
            f"the box 'Run it here' is left out of chapter 07's page: ./tutorial docs --check installs what it wants, "
            f"or install it by hand: {names}",
            file=sys.stderr,
        )
        return None
    tree = build_folder() / "run_here"
    command = ["cmake", "-S", str(ROOT / "docs/run_here"), "-B", str(tree), "-G", "Ninja"]
    must("configuring the module for a page", command, trees.log("configure", "run_here"))
    build = ["cmake", "--build", str(tree), "-j", str(machine.cores())]
    must("building the module for a page", build, trees.log("build", "run_here"))
    return tree / "module.wasm"


def box(root: str) -> str:
    """The box as a part of a page. @param root  the way from the page to the root of the site"""
    options = "".join(f'<option value="{bug.name}">{html.escape(bug.words)}</option>\n' for bug in BUGS)
    return Template((ROOT / "docs/site/run_here.html").read_text()).substitute(root=root, bugs=options)


def script(path: Path) -> str:
    """The module as a script, which a page from a disk may load."""
    return f'globalThis.RUN_HERE_MODULE = "{base64.b64encode(path.read_bytes()).decode()}";\n'


def bugs(folder: Path) -> None:
    """Write the copy of the chapter's kernel in which a number switches a bug on."""
    calls = {words[0]: words for words in cmake_calls(MUTANTS, "tilestep_mutant")}
    kernel = (CHAPTER / "kernel.hpp").read_text()
    for number, bug in enumerate(BUGS, 1):
        words = calls.get(bug.mutant)
        if not words:
            raise Mistake(f"{MUTANTS}: has no mutant {bug.mutant}, which 'Run it here' shows")
        before, after = words[words.index("REPLACE") + 1], words[words.index("WITH") + 1]
        if kernel.count(before) != 1:
            raise Mistake(f"{CHAPTER / 'kernel.hpp'}: '{before}' must be there exactly once")
        kernel = kernel.replace(before, re.sub(r"\bBUG\b", f"::tilestep_has_bug({number})", after))
    kernel = kernel.replace("#pragma once", "#pragma once\n#include <planted.hpp>\n#line 2", 1)
    names = ", ".join(f'"{bug.name}"' for bug in BUGS)
    header = "#pragma once\n// Made by run_here.py: the bugs, from number 1 on.\n\n"
    header += f"inline constexpr char const* bug_names[] = {{{names}}};\n"
    header += f"inline constexpr int bug_count = {len(BUGS)};\n"
    write(folder / "kernel.hpp", kernel)
    write(folder / "families.hpp", (CHAPTER / "families.hpp").read_text())
    write(folder / "bugs.hpp", header)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


# ---- lines
# -----------------------------------------------------------------------------------------------------------------

MARK = 0x7CA11000  # call_site_mark of call_site.hpp
LIBRARY = (
    "/include/tilestep/",
    "/common/harness/",
    "/include/c++/",
    "/common/backend/host/",
    "/usr/include/",
    "/usr/lib/",
)


def lines(module: Path, out: Path) -> None:
    """Write number and line of each call site, as the module's line tables know them."""
    code = code_section(module.read_bytes())
    sites = call_sites(code)
    if not sites:
        raise Mistake(f"{module}: has no call sites")
    asked = "".join(f"{hex(address)}\n" for address in sites.values())
    command = ["llvm-symbolizer-19", f"--obj={module}", "--inlines", "--functions=none"]
    answer = subprocess.run(command, input=asked, stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = []
    for number, frames in zip(sites, answer.strip().split("\n\n")):
        line = kernel_line(frames.splitlines())
        if line:
            rows.append(f'    {{{number}, "{line}"}},\n')
    text = "// Made by run_here.py.\n#include <tilestep/backend/virtual_gpu/call_site_lines.hpp>\n\n"
    text += "namespace tilestep::virtual_gpu {\n\nextern CallSiteLine const call_site_lines[] = {\n"
    text += "".join(rows) + f"    {{0xffffffff, \"\"}}}};\nextern int const call_site_line_count = {len(rows)};\n\n"
    write(out, text + "}  // namespace tilestep::virtual_gpu\n")


def kernel_line(frames: list[str]) -> str:
    """The innermost line that is not the library's, such as kernel.hpp:76."""
    for frame in frames:
        path, line, _column = frame.rsplit(":", 2)
        if line != "0" and not path.startswith("??") and not any(part in path for part in LIBRARY):
            return f"{Path(path).name}:{line}"
    return ""


def call_sites(code: bytes) -> dict[int, int]:
    """The number of each call site, in order, and where in the code it stands."""
    found = {}
    for match in re.finditer(rb"\x41([\x80-\xff]{4}[\x00-\x7f])\x1a\x41([\x80-\xff]{0,4}[\x00-\x7f])", code):
        file = leb(match[1]) - MARK
        if 0 <= file < 16:
            found[2 * ((file << 16) + leb(match[2]) + 1)] = match.start()
    return dict(sorted(found.items()))


def leb(data: bytes) -> int:
    """A number as WebAssembly writes it: seven bits a byte, the lowest first."""
    return sum((byte & 0x7F) << 7 * at for at, byte in enumerate(data))


def code_section(module: bytes) -> bytes:
    at = 8  # after the magic number and the version
    while at < len(module):
        kind, end = module[at], at + 1
        while module[end] & 0x80:
            end += 1
        size = leb(module[at + 1 : end + 1])
        if kind == 10:
            return module[end + 1 : end + 1 + size]
        at = end + 1 + size
    raise Mistake("a module without code")


if __name__ == "__main__":
    try:
        if sys.argv[1] == "bugs":
            bugs(Path(sys.argv[2]))
        else:
            lines(Path(sys.argv[2]), Path(sys.argv[3]))
    except Mistake as mistake:
        sys.exit(str(mistake))
