#!/usr/bin/env python3
"""Fill the <!-- profile: ... --> blocks of docs/reading_a_profile.md from committed records, no program is run.

  counts | PROBLEM | PROBLEM   what ncu counted in tests/backend/cuda/results/*-counters.json, beside the name of the
                               virtual GPU's counter; a problem is named by the beginning of its command
  budget | CHAPTER | TARGET    the clocks of each part in the first cycle budget of the chapter's lab.md, as a share of
                               the measured time beside it
  busy | CHAPTER               how busy ncu saw each unit in the first run of results/ncu/*.json, and where warps waited
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from excerpt import cells
from console import Arguments
from generated import Files, fill, guarded, settle
from limits import NAMES, age, problem
from repository import ROOT, Mistake, find_chapters

sys.path.insert(0, str(ROOT / "tests/backend/cuda"))
from profile import COUNTERS  # noqa: E402

Json = dict[str, Any]

PARTS = {
    "tensor_f": "tensor cores",
    "fma": "FMA units",
    "issue": "issue of instructions",
    "shared": "shared memory",
    "l2": "L2",
    "dram": "DRAM",
}
SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


def one_record(folder: Path, pattern: str) -> Json:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise Mistake(f"{folder}/{pattern}: wants one record, has {len(found)}")
    return json.loads(found[0].read_text())  # type: ignore[no-any-return]


def counts(root: Path, wanted: list[str]) -> str:
    record = one_record(root / "tests/backend/cuda/results", "*-counters.json")
    runs = []
    for name in wanted:
        found = [run for run in record["runs"] if run["problem"].startswith(name)]
        if len(found) != 1:
            raise Mistake(f"profile: counts: '{name}' begins {len(found)} problems of the record: name one")
        runs += found
    shown = {name: [f"{run['metrics'][metric]:,.0f}" for run in runs] for name, metric in COUNTERS.items()}
    heads = [f"({letter})" for letter in "abcdefgh"[: len(runs)]]
    lines = [f"| the virtual GPU's counter | ncu's metric | {' | '.join(heads)} |", "|---|---|" + "--:|" * len(runs)]
    lines += [f"| `{name}` | `{COUNTERS[name]}` | {' | '.join(values)} |" for name, values in shown.items()]
    named = "; ".join(f"{head} `{run['problem']}`" for head, run in zip(heads, runs))
    return "\n".join([*lines, "", f"{named}. Counted by ncu on {record['device'].split(',')[0]}."])


def budget(root: Path, chapter_name: str, target: str) -> str:
    (chapter,) = find_chapters([chapter_name], root)
    text = chapter.lab.read_text()
    block = re.search(r"^<!-- budget:.*?^<!-- /budget -->", text, re.S | re.M)
    rows = [cells(line) for line in (block.group(0) if block else "").splitlines() if line.startswith("|")]
    at = next((n for n, row in enumerate(rows) if row[0] == target), None)
    if at is None:
        raise Mistake(f"{chapter.lab}: its first budget has no row of {target}")
    named = dict(zip(rows[0], next(row for row in rows[at:] if row[1].startswith("the kernel"))))
    clock = re.search(rf"{target} is one ([^,]+?) with \d+ compute units at ([\d,]+) MHz", text)
    amount, _, unit = named["measured"].partition(" ")
    if not clock or unit not in SECONDS:
        raise Mistake(f"{chapter.lab}: {target} has no clock or no measured time")
    hertz = float(clock.group(2).replace(",", "")) * 1e6
    total = float(amount.replace(",", "")) * SECONDS[unit] * hertz / 1e3
    no_parts = ("target", "clocks of", "limit", "predicted", "measured")
    parts = {name: value.strip("*") for name, value in named.items() if name not in no_parts}
    thousands = {name: float(value.replace(",", "")) for name, value in parts.items() if value != "-"}
    lines = ["| part | clocks it needs, in thousands | share of the measured time |", "|---|--:|--:|"]
    lines += [
        f"| {name} | {clocks:,.0f} | {clocks / total:.0%} |"
        for name, clocks in sorted(thousands.items(), key=lambda item: -item[1])
        if clocks
    ]
    said = (
        f"`{chapter.name}` on {clock.group(1)}: measured {named['measured']}, or {total:,.0f} thousand clocks at "
        f"{clock.group(2)} MHz. The clocks are those of [the budget](../chapters/{chapter.name}/lab.md#cycle-budget)."
    )
    return "\n".join([*lines, "", said])


def busy(root: Path, chapter_name: str) -> str:
    (chapter,) = find_chapters([chapter_name], root)
    record = one_record(chapter.folder / "results/ncu", "*.json")
    run, metrics = record["runs"][0], record["metrics"]
    lines = ["| unit | ncu's metric | busy |", "|---|---|--:|"]
    lines += [
        f"| {PARTS[key]} | `{metrics[key]}` | {run[key]:.0f} % |"
        for key in sorted(PARTS, key=lambda key: -run[key])
        if run[key]
    ]
    waits = {key: run[key] for key in run if key.startswith("stalled_") and key != "stalled_selected"}
    lines += ["", "| a warp waits for | ncu's metric | clocks for each instruction |", "|---|---|--:|"]
    for key in sorted(waits, key=lambda key: -waits[key])[:4]:
        reason = key.removeprefix("stalled_")
        lines.append(f"| {NAMES.get(reason, reason)} | `{metrics[key]}` | {waits[key]:.1f} |")
    clock = run["clocks"] / run["nanoseconds"] * 1e3
    said = (
        f"`{chapter.name}`, {problem(run)}, on {record['device']}: {run['nanoseconds'] / 1e3:,.0f} us, "
        f"{run['clocks'] / 1e3:,.0f} thousand clocks: {clock:,.0f} MHz, "
        f"{run['registers']:.0f} registers for each thread.{age(chapter)}"
    )
    return "\n".join([*lines, "", said])


def block(root: Path, argument: str) -> str:
    kind, *words = [part.strip() for part in argument.split("|")]
    if kind == "counts" and words:
        return counts(root, words)
    if kind == "budget" and len(words) == 2:
        return budget(root, *words)
    if kind == "busy" and len(words) == 1:
        return busy(root, words[0])
    raise Mistake(f"profile: '{argument}' is none of: counts | PROBLEM ..., budget | CHAPTER | TARGET, busy | CHAPTER")


def generate(page: Path) -> Files:
    return fill(page, profile=lambda argument: block(page.parents[1], argument))


def main() -> int:
    parser = Arguments(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the page is stale")
    options = parser.parse_args()
    return settle(generate(ROOT / "docs/reading_a_profile.md"), options.check)


if __name__ == "__main__":
    sys.exit(guarded(main))
