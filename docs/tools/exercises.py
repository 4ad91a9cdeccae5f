#!/usr/bin/env python3
"""Grade one exercise program: the stub must give a wrong result, the solution the right one.

The program's exit code is that of every tilestep program: 0 right, 1 wrong result, 4 hazard. Anything else (a crash,
bad arguments) is a broken exercise. A stub that the reader has edited since the last commit may be right: it is solved.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from console import Arguments, Stop, ended

SECONDS = 120  # that a check may take
VERDICTS = {0: "right", 1: "wrong result", 4: "hazard found"}


def grade(program: Path) -> tuple[int, str]:
    """The program's exit code and what it printed."""
    try:
        done = subprocess.run(
            [program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise Stop(f"{program.name} has no end: it was stopped after {SECONDS} seconds", 1) from error
    return done.returncode, done.stdout


def edited(path: Path) -> bool:
    """Whether the file differs from the last commit; False where there is no git."""
    try:
        status = subprocess.run(
            ["git", "status", "--porcelain", "--", path.name],
            cwd=path.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ).stdout
    except OSError:
        return False
    return "M" in status[:2]


def check(header: str, folder: Path, program: Path) -> int:
    missing = [name for name in ("exercise.hpp", "solution.hpp", "hint.md") if not (folder / name).exists()]
    if missing:
        print(f"{folder}: {', '.join(missing)} missing")
        return 1
    code, output = grade(program)
    print(output)
    print(f"{header}.hpp: {VERDICTS.get(code, f'broken: exit code {code}')}")
    if code not in VERDICTS:
        return 1
    if header == "solution":
        return 0 if code == 0 else 1
    if code == 0 and not edited(folder / "exercise.hpp"):
        print("the stub passes its own check: the check must tell it from the solution")
        return 1
    return 0


if __name__ == "__main__":
    parser = Arguments(description=__doc__)
    parser.add_argument("--check", choices=["exercise", "solution"], required=True)
    parser.add_argument("folder", type=Path)
    parser.add_argument("program", type=Path)

    def body() -> int:
        options = parser.parse_args()
        return check(options.check, options.folder, options.program)

    sys.exit(ended("exercises.py", body))
