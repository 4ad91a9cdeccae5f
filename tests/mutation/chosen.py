#!/usr/bin/env python3
"""Run the problems of problems.csv that are a chapter's, on each of its targets, and want every one right.

    chosen.py 17_optimized_gemm --bin build/host/bin

These problems were chosen because one of them stops a mutant that no other problem stops; mutate.py runs them beside
those of `./tutorial run`. A problem is right where the program ends with 0 and its verdict says so. One of `*`, which
all chapters share, may ask for what a chapter refuses (exit code 2). One of a chapter's own may be of a type that a
target has no instruction for (3), or name a tile that a target does not have (2), if it is right on another target.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import mutate
from console import Arguments, Stop
from generated import guarded
from programs import environment
from repository import Chapter, find_chapters

SECONDS = 600  # the problems of one process, also where a sanitizer watches them
RIGHT = re.compile(r"^(verdict: right$|right on \d+ ranks)", re.M)  # the second: of check_communicator


def by_each(chapter: Chapter) -> bool:
    """Whether one process runs many problems (--each): of a chapter that multiplies matrices on one device."""
    return chapter.processes == 1 and any("--m " in options for options in chapter.runs)


def run_all(chapter: Chapter, listed: list[str], folder: Path) -> dict[str, tuple[int, str]]:
    """The exit code and the output of each problem."""
    program = mutate.Program(chapter, folder, [])
    if not by_each(chapter):
        return {each: mutate.run(program, mutate.command(program, shlex.split(each), SECONDS), 0, SECONDS)
                for each in listed}  # fmt: skip
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(f"{each}\n" for each in listed))
        file.flush()
        done = subprocess.run([program.path, "--each", file.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=SECONDS, env=environment())  # fmt: skip
    ran = {}
    for each in re.split(rf"^\$ {chapter.name} ", done.stdout, flags=re.M)[1:]:
        options, _, said = each.partition("\n")
        code = re.search(r"^\[exit code (\d+)\]$", said, re.M)
        ran[options] = (int(code[1]) if code else 0, said)
    # Where the process crashes, the problem that it crashed in has no exit code of its own.
    if done.returncode not in {code for code, _ in ran.values()} | {0}:
        last = list(ran)[-1] if ran else "the first problem"
        ran[last] = (done.returncode, ran.get(last, (0, done.stdout))[1])
    return ran


def violations(own: dict[str, list[str]], shared: dict[str, list[str]], ran: dict[str, tuple[int, str]]) -> list[str]:
    """What is wrong, one sentence and the output each. own, shared: a row's options, and the problems that it is on
    the chapter's targets."""
    found, right = [], 0
    for options, listed in {**shared, **own}.items():
        codes = []
        for problem in listed:
            code, said = ran.get(problem, (-1, "it was not run"))
            refused = code == 3 or (code == 2 and (options in shared or "--tile " in options))
            codes.append(code)
            if not refused and not (code == 0 and RIGHT.search(said)):
                found.append(f"{problem}: ends with {code}, wants 0 and 'verdict: right'\n{said.rstrip()}")
        right += codes.count(0)
        if options in own and not set(codes) - {2, 3}:
            found.append(f"{options}: every target refuses it")
    if not right and not found:
        found.append("not one problem is right")
    return found


def main() -> int:
    parser = Arguments(description=__doc__.split("\n")[0])
    parser.add_argument("chapter", help="such as 17_optimized_gemm")
    parser.add_argument("--bin", type=Path, required=True, help="where the chapters' programs are")
    options = parser.parse_args()
    chapter = find_chapters([options.chapter])[0]
    if not (options.bin / chapter.name).exists():
        raise Stop(f"{options.bin / chapter.name} is not there: build it", 3)
    rows = mutate.chosen_rows(chapter)
    own = {row["options"]: mutate.on_targets(chapter, row["options"]) for row in rows if row["chapter"] != "*"}
    shared = {row["options"]: mutate.on_targets(chapter, row["options"]) for row in rows if row["chapter"] == "*"}
    listed = [problem for problems in [*own.values(), *shared.values()] for problem in problems]
    if not listed:
        raise Stop(f"problems.csv has none of {chapter.name}", 2)
    ran = run_all(chapter, listed, options.bin.resolve().parent)
    found = violations(own, shared, ran)
    for each in found:
        print(f"{chapter.name} {each}")
    print(f"{chapter.name}: {sum(code == 0 for code, _ in ran.values())} of {len(listed)} problems right, "
          f"{sum(code in (2, 3) for code, _ in ran.values())} refused")  # fmt: skip
    return bool(found)


if __name__ == "__main__":
    sys.exit(guarded(main))
