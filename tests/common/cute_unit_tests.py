#!/usr/bin/env python3
"""Compile CuTe's own unit tests against this library, and run those that compile.

    tests/common/cute_unit_tests.py CUTLASS     CUTLASS is a checkout of github.com/NVIDIA/cutlass

The files of test/unit/cute/core are compiled as they are. Only what they include is another: each header of theirs
that begins with cute or cutlass is <tilestep/cute.hpp>, with `cute` as a name of the library's namespace and the three
macros that the tests take from CUTLASS. A row for each file says whether it compiles, and how many of its tests pass;
`--errors` prints the first errors of the compiler. GoogleTest is needed (Debian: libgtest-dev), and a tree of the
virtual GPU: `cmake --build build/host --target tilestep_show tilestep_backend`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/tools"))
from console import Arguments, ended  # noqa: E402
from repository import Mistake, build_folder  # noqa: E402

NO_TESTS = "core_unit.cpp"  # its main() asks which GPU is there; GoogleTest's own takes its place

# CUTLASS without traces defines CUTLASS_TRACE_HOST as nothing, too.
HERE = """#pragma once
#include <gtest/gtest.h>
#include <cstdlib>
#include <iostream>
#include <string>
#include <tilestep/cute.hpp>
namespace cute = tilestep;
#define CUTE_STATIC_ASSERT_V(x, ...) static_assert(decltype(x)::value, ##__VA_ARGS__)
#define CUTE_STL_NAMESPACE std
#define CUTLASS_TRACE_HOST(...)
"""

INCLUDED = re.compile(r'^\s*#\s*include\s+[<"]((?:cute/|cutlass|cuda_runtime)[^>"]*)[>"]', re.M)
PASSED = re.compile(r"^\[  PASSED  \] (\d+) test", re.M)
RAN = re.compile(r"^\[==========\] (\d+) tests? from .* ran\.", re.M)


def headers(sources: list[Path], folder: Path) -> None:
    """Writes what the sources include into the folder: each file is `here.hpp`."""
    (folder / "here.hpp").write_text(HERE)
    for name in {each for source in sources for each in INCLUDED.findall(source.read_text())}:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('#include "here.hpp"\n')


class Unit:
    """One file: what the compiler said, and how many of its tests passed."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.errors: list[str] = []
        self.ran = self.passed = 0

    def make(self, compiler: str, folder: Path, libraries: list[Path]) -> None:
        program = folder / self.source.stem
        include = [folder, *(ROOT / f"common/{part}include" for part in ("", "backend/host/", "backend/any/"))]
        command = [compiler, "-std=c++20", "-O0", "-w", *(f"-I{each}" for each in include), str(self.source)]
        command += ["-o", str(program), *map(str, libraries), "-lboost_context", "-lbacktrace"]
        made = subprocess.run([*command, "-lgtest", "-lgtest_main"], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            self.errors = [line for line in made.stderr.splitlines() if "error" in line] or ["it does not compile"]
            return
        said = subprocess.run([str(program)], capture_output=True, text=True, check=False).stdout
        self.ran, self.passed = (int(each[-1]) if (each := found.findall(said)) else 0 for found in (RAN, PASSED))

    def compiles(self) -> bool:
        return not self.errors

    def row(self) -> str:
        if not self.compiles():
            return f"{self.source.name:24}  does not compile"
        return f"{self.source.name:24}  {self.passed} of {self.ran} tests pass"


def units_of(checkout: Path) -> list[Unit]:
    folder = checkout / "test/unit/cute/core"
    sources = [each for each in sorted(folder.glob("*.cpp")) if each.name != NO_TESTS]
    if not sources:
        raise Mistake(f"{folder}: has no tests: name a checkout of CUTLASS")
    return [Unit(source) for source in sources]


def check(checkout: Path, compiler: str, tree: Path, jobs: int) -> list[Unit]:
    """Compiles all of them and runs what compiled."""
    units = units_of(checkout)
    libraries = [tree / "common/src/libtilestep_show_host.a", tree / "common/backend/host/libtilestep_backend_host.a"]
    missing = [each for each in libraries if not each.exists()]
    if missing:
        raise Mistake(f"{missing[0]}: is not there: cmake --build {tree} --target tilestep_show tilestep_backend")
    with tempfile.TemporaryDirectory(prefix="tilestep-") as folder, ThreadPoolExecutor(jobs) as pool:
        headers([unit.source for unit in units], Path(folder))
        for unit in pool.map(lambda unit: (unit.make(compiler, Path(folder), libraries), unit)[1], units):
            print(unit.row(), flush=True)
    return units


def main(words: Optional[list[str]] = None) -> int:
    parser = Arguments(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("checkout", type=Path, metavar="CUTLASS", help="a checkout of CUTLASS")
    parser.add_argument("--build", type=Path, default=build_folder() / "host", help="a tree of the virtual GPU")
    parser.add_argument("--compiler", default=os.environ.get("CXX", shutil.which("clang++-19") or "c++"))
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="print N errors of each file")
    parser.add_argument("--at-least", type=int, default=0, metavar="N", help="fail if fewer files compile and pass")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(words)
    try:
        units = check(options.checkout, options.compiler, options.build, options.jobs)
    except Mistake as mistake:
        print(mistake, file=sys.stderr)
        return 2
    for unit in units:
        for line in unit.errors[: options.errors]:
            print(f"{unit.source.name}: {line}")
    right = [unit for unit in units if unit.compiles() and unit.ran and unit.passed == unit.ran]
    print(f"{len(right)} of {len(units)} files compile, and all of their {sum(unit.ran for unit in right)} tests pass")
    return 0 if len(right) >= options.at_least else 1


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
