#!/usr/bin/env python3
"""Compare the committed list of mutants with the sources.

    check.py                     every mutant of results.csv still occurs, and is stopped or explained; so does every
                                 bug of planted.csv; what stops one is a problem or a test case that there is; every
                                 row of features.md about the library has a break in rows.csv, whose text still
                                 occurs, and which one of the row's tests stops

A list that nobody compares goes stale: a line is edited, and the list speaks of code that is gone. mutate.py NN --out
tests/mutation/results.csv runs what is new, rows.py --new what is new in rows.csv; --prune leaves out what is gone.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
from pathlib import Path

import mutate
import rows as breaks
from console import Arguments, ended
from repository import chapters

LEAST = 2600  # fewer mutants than this are not the list
LEAST_PLANTED = 100  # bugs of planted.csv
LEAST_BREAKS = 60  # of rows.csv
UNMADE_BREAKS = 0  # of these, what rows.py --new has not made yet: as many as the list has, so that none comes unseen
OPEN = 0  # survivors that nobody has explained: as many as the list has, so that none comes unseen


def violations(rows: list[dict[str, str]], least: int, unexplained: int) -> list[str]:
    """What is wrong with a list, one sentence each."""
    found = [f"has {len(rows)} mutants, wants {least}"] if len(rows) < least else []
    present: dict[str, set[mutate.Key]] = {}
    seen: set[mutate.Key] = set()
    for row in rows:
        key = mutate.key_of(row)
        where = f"{row['file']}: '{row['line']}': {row['change']}"
        if row["file"] not in present:
            present[row["file"]] = keys_in(row["file"])
        if key not in present[row["file"]]:
            found.append(f"{where}: is no longer in the sources")
        if key in seen:
            found.append(f"{where}: stands there twice")
        seen.add(key)
        if row["stopped by"] and row["equivalent because"]:
            found.append(f"{where}: is stopped, and said to be equivalent")
    unknown = [row for row in rows if not row["stopped by"] and not row["equivalent because"]]
    if len(unknown) != unexplained:
        found.append(f"{len(unknown)} mutants survive unexplained, {unexplained} are known to (OPEN in check.py)")
        found += [f"  {row['file']}: '{row['line']}': {row['change']}" for row in unknown]
    return found


def planted_violations(rows: list[dict[str, str]], least: int, root: Path = mutate.ROOT) -> list[str]:
    """What is wrong with the list of bugs that people wrote down, one sentence each."""
    found = [f"has {len(rows)} bugs, wants {least}"] if len(rows) < least else []
    seen: set[tuple[str, str, str]] = set()
    for row in rows:
        where = f"{row['file']}: {row['breaks']}"
        try:
            mutate.planted(row, root)
        except (OSError, ValueError) as error:
            found.append(str(error))
        if row["old"] == row["new"]:
            found.append(f"{where}: changes nothing")
        if (row["file"], row["old"], row["new"]) in seen:
            found.append(f"{where}: stands there twice")
        seen.add((row["file"], row["old"], row["new"]))
        if bool(row["stopped by"]) == bool(row["equivalent because"]):
            found.append(f"{where}: is neither stopped nor explained, or both")
    return found


# The name of a test case, which may be several strings.
CASE = re.compile(r'TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')


@dataclasses.dataclass
class Stops:
    """What can stop a mutant: the problems of each chapter on its targets, and the test cases."""

    problems: dict[str, set[str]]
    cases: set[str]

    @staticmethod
    def of(root: Path) -> Stops:
        names = [name for path in (root / "tests").rglob("*.cpp") for name in CASE.findall(path.read_text())]
        return Stops(
            {chapter.name: set(mutate.problems(chapter, root)) for chapter in chapters(root)},
            {" ".join("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', name)).split()) for name in names},
        )

    def violations(self, rows: list[dict[str, str]]) -> list[str]:
        """The rows whose bug is stopped by what does not exist, one sentence each."""
        found = []
        for row in rows:
            by = row["stopped by"]
            if by.startswith("test: "):
                name = by.removeprefix("test: ")  # of a template's case with its types
                exists = name in self.cases or name.rpartition(" - ")[0] in self.cases
            else:
                exists = not by or by.rpartition(": ")[0] in self.problems.get(row["chapter"], set())
            if not exists:
                found.append(f"{row['file']}: is stopped by what is no problem of {row['chapter']} and no test: '{by}'")
        return found


def keys_in(file: str) -> set[mutate.Key]:
    path = mutate.ROOT / file
    if not path.exists():
        return set()
    return set(mutate.keys_of(mutate.without_overlaps(mutate.changes_of(Path(file)))))


def main() -> int:
    parser = Arguments(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", type=Path, default=mutate.HERE / "results.csv")
    parser.add_argument("--least", type=int, default=LEAST)
    parser.add_argument("--prune", action="store_true", help="write the list without what is no longer in the sources")
    options = parser.parse_args()
    rows = mutate.rows_of(options.list)
    if options.prune:
        present = {file: keys_in(file) for file in {row["file"] for row in rows}}
        kept = [row for row in rows if mutate.key_of(row) in present[row["file"]]]
        mutate.write_rows(options.list, kept)
        print(f"{options.list}: {len(rows) - len(kept)} of {len(rows)} left out")
        return 0
    stops = Stops.of(mutate.ROOT)
    found = violations(rows, options.least, OPEN) + stops.violations(rows)
    for each in found:
        print(f"{options.list.name}: {each}")
    planted = mutate.rows_of(mutate.PLANTED)
    of_people = planted_violations(planted, LEAST_PLANTED) + stops.violations(planted)
    for each in of_people:
        print(f"{mutate.PLANTED.name}: {each}")
    of_features = breaks.violations(mutate.rows_of(breaks.ROWS), LEAST_BREAKS, UNMADE_BREAKS)
    for each in of_features:
        print(f"{breaks.ROWS.name}: {each}")
    stopped = [row["stopped by"] for row in rows if row["stopped by"]]
    by_tests = sum(each.startswith("test: ") for each in stopped)
    explained = sum(bool(row["equivalent because"]) for row in rows)
    print(
        f"{options.list.name}: {len(rows)} mutants, {len(stopped) - by_tests} stopped by a problem, "
        f"{by_tests} by a test, {explained} equivalent, {len(rows) - len(stopped) - explained} unexplained"
    )
    return bool(found or of_people or of_features)


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
