#!/usr/bin/env python3
"""Fill <!-- counters: sm80 gfx942 | --options | --other options --> blocks of the chapters' READMEs.

What the virtual GPU counts becomes a table: one row for each of the chapter's problems and targets, one column for each
kind of traffic that any of them has.

The options of a row may be given a name to stand in the table: `packed = --kernel packed --tile 8x128`.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from generated import Files, fill, program
from repository import Chapter, Mistake

Counters = dict[str, int]

# (heading, counter, the counter that holds the fewest possible): shown when one row has something of it.
COLUMNS = [
    ("load requests", "global_load_requests", ""),
    ("bytes loaded", "global_load_bytes", ""),
    ("sectors loaded (fewest)", "global_load_sectors", "global_load_sectors_ideal"),
    ("store requests", "global_store_requests", ""),
    ("bytes stored", "global_store_bytes", ""),
    ("sectors stored (fewest)", "global_store_sectors", "global_store_sectors_ideal"),
    ("shared loads", "shared_load_requests", ""),
    ("wavefronts (fewest)", "shared_load_wavefronts", "shared_load_wavefronts_ideal"),
    ("shared stores", "shared_store_requests", ""),
    ("wavefronts (fewest)", "shared_store_wavefronts", "shared_store_wavefronts_ideal"),
    ("barriers", "barriers", ""),
    ("warp syncs", "warp_syncs", ""),
    ("shuffles", "shuffles", ""),
    ("FMAs", "fma", ""),
    ("matrix instructions", "matrix_instructions", ""),
]


def counters_of(record: dict[str, Any]) -> Counters:
    """The counters of all launches of a run, added up."""
    total: Counters = {}
    for kernel in record["kernels"]:
        for name, value in kernel["counters"].items():
            total[name] = total.get(name, 0) + value
        matrix = sum(kernel.get("matrix_instructions", {}).values())
        total["matrix_instructions"] = total.get("matrix_instructions", 0) + matrix
    return total


def assumed(record: dict[str, Any]) -> str:
    """What to say beside wavefronts that were counted by rules without a source."""
    return " (bank rules assumed)" if any(kernel.get("assumed_rules") for kernel in record["kernels"]) else ""


def measure(program_path: Path, target: str, options: str) -> tuple[Counters, str]:
    """The counters, and a remark for the name of the target."""
    command = [str(program_path), "--target", target, *shlex.split(options), "--json", "-"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
    if done.returncode:
        raise Mistake(f"{shlex.join(command)}: exit code {done.returncode}\n{done.stderr}")
    record = json.loads(done.stdout)
    return counters_of(record), assumed(record)


def table_of(rows: list[tuple[str, str, Counters]]) -> str:
    """Markdown: (problem, target, counters) of each row under the columns that are not 0 everywhere."""
    shown = [column for column in COLUMNS if any(counters.get(column[1], 0) for _, _, counters in rows)]
    headings = " | ".join(heading for heading, _, _ in shown)
    lines = [f"| problem | target | {headings} |", "|---|---|" + "--:|" * len(shown)]
    for problem, target, counters in rows:
        cells = [
            f"{counters.get(name, 0):,}" + (f" ({counters.get(fewest, 0):,})" if fewest else "")
            for _, name, fewest in shown
        ]
        lines.append(f"| {problem} | {target} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def block(chapter: Chapter, binaries: Path, argument: str) -> str:
    targets, *problems = [part.strip() for part in argument.split("|")]
    if not targets or not problems:
        raise Mistake(f"{chapter.readme}: block 'counters: {argument}' wants TARGETS | OPTIONS | OPTIONS ...")
    rows = []
    for problem in problems:
        name, _, options = problem.rpartition(" = ")
        for target in targets.split():
            counters, remark = measure(binaries / chapter.name, target, options)
            rows.append((name or f"`{options}`", target + remark, counters))
    return table_of(rows)


def generate(chapter: Chapter, binaries: Path) -> Files:
    return fill(chapter.readme, counters=lambda argument: block(chapter, binaries, argument))


if __name__ == "__main__":
    sys.exit(program(__doc__, generate))
