#!/usr/bin/env python3
"""Fill the <!-- output: run --> and <!-- output: test --> blocks of README.md with what the two commands print.

The table of `run` is computed, run by run; a long one is shown with its first and its last chapter. Of `test` the last
line is shown; how many tests there are depends on what the machine has, so --check accepts a number within a tenth of
the present one.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import run_chapters
from console import Arguments, table
from generated import Files, fill, guarded, settle
from repository import ROOT, Mistake, build_folder, chapters

MOST_ROWS = 12  # a longer table is shown with its middle left out: the page has two screens


def run_output(tree: Path) -> str:
    outcomes = run_chapters.run_all(run_chapters.runs_of(chapters(), "host", "", whole=True), "host", tree / "bin")
    if any(outcome.verdict() != "right" for outcome in outcomes):
        raise Mistake("not every chapter is right: the README shows nothing else")
    shown = table([run_chapters.HEADING, *(o.row() for o in outcomes)]).splitlines()
    if len(outcomes) > MOST_ROWS:
        ends = (outcomes[0].chapter, outcomes[-1].chapter)
        rows = [line for line, outcome in zip(shown[2:], outcomes) if outcome.chapter in ends]
        first = sum(outcome.chapter == ends[0] for outcome in outcomes)
        shown = [*shown[:2], *rows[:first], "...", *rows[first:]]
    return "\n".join(
        ["```console", "$ ./tutorial run", *shown, "", f"{len(outcomes)} runs: {len(outcomes)} right", "```"]
    )


def test_output(current: str, tree: Path) -> str:
    listing = subprocess.run(["ctest", "--test-dir", str(tree), "-N"], stdout=subprocess.PIPE, text=True).stdout
    match = re.search(r"Total Tests: (\d+)", listing)
    if not match or match.group(1) == "0":
        raise Mistake(f"{tree}: knows no tests; build it with ./tutorial test")
    count = int(match.group(1))
    shown = re.search(r"out of (\d+)", current)
    if shown and abs(int(shown.group(1)) - count) <= count / 10:
        count = int(shown.group(1))
    return f"```console\n$ ./tutorial test\n100% tests passed, 0 tests failed out of {count}\n```"


def generate(page: Path, tree: Path) -> Files:
    text = page.read_text()
    makers = {"run": lambda _argument: run_output(tree), "test": lambda _argument: test_output(text, tree)}

    def output(argument: str) -> str:
        if argument not in makers:
            raise Mistake(f"{page}: block 'output: {argument}': choose run or test")
        return makers[argument](argument)

    return fill(page, output=output)


if __name__ == "__main__":
    parser = Arguments(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the page is stale")
    parser.add_argument(
        "--tree", type=Path, default=build_folder() / "host", help="the build tree to ask for its tests"
    )

    def body() -> int:
        options = parser.parse_args()
        return settle(generate(ROOT / "README.md", options.tree.resolve()), options.check)

    sys.exit(guarded(body))
