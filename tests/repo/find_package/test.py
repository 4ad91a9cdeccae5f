#!/usr/bin/env python3
"""Install a build tree into an empty prefix, build the project beside this file against it, run its programs; then the
project that common/README.md shows, as it stands there. Ask for a backend that is not installed, and for an old
compiler, and expect a sentence."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "docs/tools"))
from console import Arguments, ended  # noqa: E402

HERE = Path(__file__).resolve().parent


def step(command: list[str], fails_with: str = "") -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    good = fails_with in " ".join(done.stdout.split()) and done.returncode != 0 if fails_with else done.returncode == 0
    if not good:
        wanted = f" instead of failing with '{fails_with}'" if fails_with else ""
        sys.exit(f"{done.stdout}\n{' '.join(command)}: exit code {done.returncode}{wanted}")


def shown_project(folder: Path) -> Path:
    """The CMakeLists.txt of common/README.md with a program beside it."""
    folder.mkdir()
    page = (HERE.parents[2] / "common/README.md").read_text()
    (folder / "CMakeLists.txt").write_text(re.search(r"^```cmake\n(.*?)^```", page, re.S | re.M).group(1))
    shutil.copy(HERE / "saxpy.cpp", folder / "mine.cpp")
    return folder


def transposed(program: Path, folder: Path) -> None:
    """The program on the harness reads a file and writes one."""
    header = "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }".ljust(117) + "\n"
    magic = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
    (folder / "from.npy").write_bytes(magic + bytes([0, 1, 2, 3, 4, 5]))
    step([str(program), "--from", str(folder / "from.npy"), "--to", str(folder / "to.npy")])
    if not (folder / "to.npy").read_bytes().endswith(bytes([0, 3, 1, 4, 2, 5])):
        sys.exit("the program on the harness transposes wrongly")
    step([str(program), "--form", "x"], fails_with="--form")


def main() -> int:
    parser = Arguments(description=__doc__)
    parser.add_argument("tree", type=Path, help="a build tree of the host backend")
    parser.add_argument("--cxx", default="c++", help="the compiler of the project outside")
    parser.add_argument("--flags", default="", help="compiler flags that change the ABI, such as a sanitizer's")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tilestep-") as name:
        prefix, build = Path(name) / "prefix", Path(name) / "build"
        step(["cmake", "--install", str(options.tree), "--prefix", str(prefix)])
        settings = [
            "-G",
            "Ninja",
            "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCMAKE_CXX_FLAGS={options.flags}",
        ]
        configure = ["cmake", "-S", str(HERE), *settings, f"-DCMAKE_CXX_COMPILER={options.cxx}"]
        step([*configure, "-B", str(build)])
        step(["cmake", "--build", str(build)])
        step([str(build / "saxpy")])
        transposed(build / "transpose", Path(name))
        for target in ["sm80", "gfx942", "gfx1100"]:
            step([str(build / "softmax"), target])
        step(
            [*configure, "-B", str(Path(name) / "cuda"), "-DTILESTEP_BACKEND=cuda"],
            fails_with="'cuda', which is not installed",
        )
        mine = shown_project(Path(name) / "mine")
        step(["cmake", "-S", str(mine), "-B", str(mine / "build"), *settings, f"-DCMAKE_CXX_COMPILER={options.cxx}"])
        step(["cmake", "--build", str(mine / "build")])
        step([str(mine / "build/mine")])
        old = [
            "-DCMAKE_CXX_COMPILER_ID=Clang",
            "-DCMAKE_CXX_COMPILER_VERSION=14.0.6",
            "-P",
            str(prefix / "compilers.cmake"),
        ]
        (prefix / "compilers.cmake").write_text(f"include({next(prefix.rglob('TilestepCompilers.cmake'))})\n")
        step(["cmake", *old], fails_with="tilestep needs g++ 12 or clang++ 15, or newer")
        step(["cmake", "-DCMAKE_CXX_COMPILER_ID=GNU", "-DCMAKE_CXX_COMPILER_VERSION=12.2", *old[2:]])
    print("the package is found, builds and runs")
    return 0


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
