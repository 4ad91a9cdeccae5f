#!/usr/bin/env python3
"""Fill the <!-- public: .. --> blocks of docs/public_bugs.md: how the virtual GPU judges kernels of public sets.

The record is tests/backend/any/results/public_sets.csv, which a test compares; --measure PROGRAM lets test_public_sets
write it.
Beside it may lie what compute-sanitizer said, public_sets-sanitizer.csv (tests/backend/cuda/public_sanitizer.py).
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

from generated import Files, fill, program
from repository import ROOT, Mistake

Row = dict[str, str]

PAGE = ROOT / "docs/public_bugs.md"
RECORD = ROOT / "tests/backend/any/results/public_sets.csv"
SANITIZER = ROOT / "tests/backend/any/results/public_sets-sanitizer.csv"


def rows_of(path: Path) -> list[Row]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def is_twin(row: Row) -> bool:
    return row["source"].startswith("twin of ")


def is_out(row: Row) -> bool:
    """Whether a set calls it correct by a rule that is not CUDA's and HIP's."""
    return row["verdict"].startswith("out of scope: ")


def sets(rows: list[Row]) -> list[str]:
    return list(dict.fromkeys(row["set"] for row in rows))


def share(rows: list[Row], verdict: str) -> str:
    """"17 of 18": how many of them have this verdict."""
    return f"{sum(row['verdict'] == verdict for row in rows)} of {len(rows)}" if rows else "none"


def seen_by_sanitizer(rows: list[Row], said: dict[tuple[str, str], str]) -> str:
    """What compute-sanitizer found of the buggy ones, and blamed of the correct ones."""
    mine = [(row, said[row["set"], row["case"]]) for row in rows if (row["set"], row["case"]) in said]
    if not mine:
        return "not run"
    buggy = [found for row, found in mine if row["label"] == "buggy"]
    blamed = sum(bool(found) for row, found in mine if row["label"] == "correct")
    return f"{sum(map(bool, buggy))} of {len(buggy)}, blames {blamed}"


def summary(rows: list[Row], said: dict[tuple[str, str], str]) -> str:
    lines = [
        "| set | buggy: found | correct: not blamed | out of scope | compute-sanitizer |",
        "|---|--:|--:|--:|---|",
    ]
    kinds = [(name, [row for row in rows if row["set"] == name and not is_twin(row)]) for name in sets(rows)]
    kinds += [("all sets", [row for row in rows if not is_twin(row)])]
    kinds += [("twins of theirs, made here", [row for row in rows if is_twin(row)])]
    for name, mine in kinds:
        judged = [row for row in mine if not is_out(row)]
        buggy = [row for row in judged if row["label"] == "buggy"]
        correct = [row for row in judged if row["label"] == "correct"]
        cells = [name, share(buggy, "found"), share(correct, "correct"), str(len(mine) - len(judged))]
        cells += [seen_by_sanitizer(judged, said)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def by_kind(rows: list[Row]) -> str:
    """Which kinds of reports the buggy ones got, each with one case."""
    buggy = [row for row in rows if row["label"] == "buggy"]
    count = Counter(kind for row in buggy for kind in row["seen"].split("|") if kind)
    lines = ["| report | kernels | for example | its source |", "|---|--:|---|---|"]
    for kind, number in count.most_common():
        example = next((row for row in buggy if row["seen"] == kind), None)
        example = example or next(row for row in buggy if kind in row["seen"].split("|"))
        lines.append(f"| {kind} | {number} | {example['set']}: {example['case']} | `{example['source']}` |")
    return "\n".join(lines)


def out_of_scope(rows: list[Row]) -> str:
    """The kernels that are correct by a rule of their set alone."""
    lines = ["| kernel | its source | the rule | report |", "|---|---|---|---|"]
    for row in filter(is_out, rows):
        rule = row["verdict"].removeprefix("out of scope: ")
        lines.append(f"| {row['set']}: {row['case']} | `{row['source']}` | {rule} | {row['seen']} |")
    return "\n".join(lines)


def exceptions(rows: list[Row]) -> str:
    """The cases that are not judged as their label says."""
    rows = [row for row in rows if not is_out(row)]
    wrong = [row for row in rows if row["verdict"] != ("found" if row["label"] == "buggy" else "correct")]
    if not wrong:
        return f"Of {len(rows)} kernels in scope none is judged otherwise than its label says."
    lines = [f"Of {len(rows)} kernels in scope {len(wrong)} are judged otherwise than their label says:", ""]
    lines += ["| kernel | label | verdict | report |", "|---|---|---|---|"]
    for row in wrong:
        cells = [f"{row['set']}: {row['case']}", row["expected"] or "correct", row["verdict"], row["seen"]]
        cells = [cell.replace("|", "\\|") for cell in cells]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def generate(page: Path, record: Path, sanitizer: Path) -> Files:
    if not record.exists():
        raise Mistake(f'{record}: there is no record: test_public_sets "[record]" writes one')
    rows = rows_of(record)
    said = {(row["set"], row["case"]): row["found"] for row in rows_of(sanitizer)} if sanitizer.exists() else {}
    tables = {"summary": summary(rows, said), "kinds": by_kind(rows), "exceptions": exceptions(rows)}
    tables["out of scope"] = out_of_scope(rows)

    def block(name: str) -> str:
        if name not in tables:
            raise Mistake(f"{page}: there is no block 'public: {name}': choose {', '.join(tables)}")
        return tables[name]

    return fill(page, public=block)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--measure":
        where = os.environ | {"TILESTEP_RECORD": str(RECORD)}
        sys.exit(subprocess.run([sys.argv[2], "[record]"], env=where).returncode)
    sys.exit(program(__doc__ or "", lambda chapter, binaries: {}, lambda: generate(PAGE, RECORD, SANITIZER)))
