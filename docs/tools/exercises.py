#!/usr/bin/env python3
"""Grade one exercise program: the stub must give a wrong result, the solution the right one, and each wrong answer of
wrong.hpp must fail with the message that its comment promises.

The program's exit code is that of every tilestep program: 0 right, 1 wrong result, 4 hazard. Anything else (a crash,
bad arguments) is a broken exercise. A stub that the reader has edited since the last commit may be right: it is solved.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from console import Arguments, Stop, ended

SECONDS = 30  # that a check may take: the slowest needs half a second
VERDICTS = {0: "right", 1: "wrong result", 4: "hazard found"}


def grade(program: Path, wrong_answer: int = 0) -> tuple[int, str]:
    """The program's exit code and what it printed. Of wrong.hpp's answers it takes this one; 0 is the right one."""
    try:
        done = subprocess.run(
            [program],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=SECONDS,
            env={**os.environ, "TILESTEP_WRONG_ANSWER": str(wrong_answer)},
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
    if header == "wrong":
        return check_wrong_answers(folder, program)
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


def wrong_answers(header: Path) -> list[tuple[str, str]]:
    """What each wrong answer does and what the check says of it: lines `// 1. One buffer for all. Says: race` of the
    comment that wrong.hpp begins with; an answer may take several lines."""
    comment = re.match(r"#pragma once\n((?://.*\n)+)", header.read_text())
    lines = [line[2:].strip() for line in comment[1].splitlines()] if comment else []
    text = "\n".join(lines)
    return [
        (" ".join(answer.split()), " ".join(says.split()))
        for answer, says in re.findall(r"^\d+\. (.+?) Says: (.+?)$(?=\n\d+\. |\s*\Z)", text, re.S | re.M)
    ]


def check_wrong_answers(folder: Path, program: Path) -> int:
    """Each of at least three wrong answers fails with its message, and without one the answer is right."""
    answers = wrong_answers(folder / "wrong.hpp")
    if len(answers) < 3:
        print(f"{folder}/wrong.hpp: {len(answers)} wrong answers in its first comment, at least 3 are wanted: "
              "// 1. What is wrong. Says: what the check prints")
        return 1
    code, output = grade(program)
    failed = code != 0
    print(f"no wrong answer chosen: {VERDICTS.get(code, f'exit code {code}')}{': ' + output if failed else ''}")
    for number, (answer, says) in enumerate(answers, 1):
        code, output = grade(program, number)
        good = code in (1, 4) and says in " ".join(output.split())
        print(f"{number}. {answer} {VERDICTS.get(code, f'exit code {code}')}: {output.strip()}")
        if not good:
            print(f"   wanted: exit code 1 or 4 and '{says}'")
        failed |= not good
    return int(failed)


if __name__ == "__main__":
    parser = Arguments(description=__doc__)
    parser.add_argument("--check", choices=["exercise", "solution", "wrong"], required=True)
    parser.add_argument("folder", type=Path)
    parser.add_argument("program", type=Path)

    def body() -> int:
        options = parser.parse_args()
        return check(options.check, options.folder, options.program)

    sys.exit(ended("exercises.py", body))
