"""The verb test: build everything, run the tests, print what failed and how many ran."""

from __future__ import annotations

import re
import subprocess
import sys

import machine
import packages
import run_chapters
import trees
from console import Progress, Stop, run_step
from exercises import VERDICTS, grade
from repository import chapters

PROGRESS_LINE = re.compile(r"^\s*(Start\s+\d+: |\d+/\d+ Test\s+#\d+: .*(Passed|Skipped)|Test project )")
SUMMARY_LINE = re.compile(r"^\d+% tests passed, ")


def test(backend: str, build: bool, all_tests: bool, options: list[str]) -> int:
    if not build:
        return test_what_is_built(backend)
    trees.require_compiler(backend)
    packages.ensure("test")
    trees.build(backend, tests=True, targets=[], all_tests=all_tests)
    code, lines = run_step(
        "running the tests",
        [
            "ctest",
            "--test-dir",
            str(trees.tree(backend)),
            "-j",
            str(machine.cores() + 1),  # some tests only wait, for ranks that have stopped
            "--output-on-failure",
            "--no-tests=error",
            *options,
        ],
        trees.log("test", backend),
        keep=worth_seeing,
    )
    if backend == "host":
        for line in exercise_lines():
            print(line)
    print(next((line for line in lines if SUMMARY_LINE.match(line)), "no tests ran"))
    return 1 if code else 0


def worth_seeing(line: str) -> bool:
    return bool(line.strip()) and not PROGRESS_LINE.match(line) and not SUMMARY_LINE.match(line)


def exercise_lines() -> list[str]:
    """Where the reader stands: each exercise's file and what its check says."""
    lines = []
    for chapter in chapters():
        for check in sorted(chapter.folder.glob("exercises/*/check.cpp")):
            program = trees.binaries("host") / "exercises" / f"{chapter.name}-{check.parent.name}-exercise"
            code, _ = grade(program)
            state = "solved" if code == 0 else f"not solved yet ({VERDICTS.get(code, f'exit code {code}')})"
            lines.append(f"exercise {chapter.name}/{check.parent.name}: {state}")
    return lines


def test_what_is_built(backend: str) -> int:
    """Run the test programs of a tree that came from elsewhere, without CMake, then each chapter's own problems."""
    programs = sorted(path for path in (trees.binaries(backend) / "tests").glob("*") if path.is_file())
    if not programs:
        raise Stop(
            f"no test programs in {trees.binaries(backend) / 'tests'}: build them with ./tutorial test "
            f"--backend {backend} where the compiler is",
            3,
        )
    failed, cases = [], 0
    progress = Progress(f"running {len(programs)} test programs")
    for program in programs:
        progress.show(program.name)
        done = subprocess.run(
            [program, "--order", "decl"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
        cases += count_cases(done.stdout)
        if done.returncode:
            failed.append(program.name)
            progress.clear()
            print(f"{program.name}: exit code {done.returncode}\n{done.stdout}", file=sys.stderr)
    progress.done()
    present = [chapter for chapter in chapters() if (trees.binaries(backend) / chapter.name).exists()]
    code = (
        run_chapters.report(run_chapters.run_all(run_chapters.runs_of(present, backend, "", whole=True), backend), [])
        if present
        else 0
    )
    print(
        f"{len(programs) - len(failed)} of {len(programs)} test programs passed, {cases} test cases in all"
        + (f"; failed: {', '.join(failed)}" if failed else "")
    )
    return code or (1 if failed else 0)


def count_cases(output: str) -> int:
    """Catch2's last lines: `All tests passed (12 assertions in 3 test cases)` or `test cases: 3 | 2 passed | 1
    failed`."""
    match = re.search(r"in (\d+) test cases?\)", output) or re.search(r"test cases:\s*(\d+)", output)
    return int(match.group(1)) if match else 0
