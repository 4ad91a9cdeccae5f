#!/usr/bin/env python3
"""Fill <!-- counters: sm80 gfx942 | --options | --other options --> blocks of the chapters' pages.

What the virtual GPU counts becomes a table: one row for each of the chapter's problems and targets, one column for each
kind of traffic that any of them has.

The options of a row may be given a name to stand in the table: `packed = --kernel packed --tile 8x128`.
`columns = barriers; load requests` chooses columns: excerpt.py.
"""

from __future__ import annotations

import functools
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from generated import Evidence, Files, fill_chapter, program
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
    ("wavefronts of shared loads (fewest)", "shared_load_wavefronts", "shared_load_wavefronts_ideal"),
    ("shared stores", "shared_store_requests", ""),
    ("wavefronts of shared stores (fewest)", "shared_store_wavefronts", "shared_store_wavefronts_ideal"),
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


@functools.cache  # README.md and lab.md show the same runs
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


def parse(chapter: Chapter, argument: str) -> tuple[list[str], list[tuple[str, str]]]:
    """The targets, and the name and the options of each problem."""
    targets, *problems = [part.strip() for part in argument.split("|")]
    if not targets or not problems:
        raise Mistake(f"{chapter.readme}: block 'counters: {argument}' wants TARGETS | OPTIONS | OPTIONS ...")
    named = [problem.rpartition(" = ") for problem in problems]
    return targets.split(), [(name or f"`{options}`", options) for name, _, options in named]


def block(chapter: Chapter, binaries: Path, argument: str) -> str:
    targets, problems = parse(chapter, argument)
    rows = []
    for name, options in problems:
        for target in targets:
            counters, remark = measure(binaries / chapter.name, target, options)
            rows.append((name, target + remark, counters))
    return table_of(rows)


def again(chapter: Chapter, argument: str) -> str:
    """The commands of a block's rows in a sentence: what they share once, then what each has of its own."""
    targets, problems = parse(chapter, argument)
    options = [re.findall(r"--\S+(?: (?!--)\S+)*", own) for _, own in problems]
    shared = [option for option in options[0] if all(option in own for own in options)]
    command = f"./tutorial run {chapter.number} --target {targets[0]} -- {' '.join(shared)}".removesuffix(" -- ")
    sentence = f"Counted by `{command}`"
    if len(problems) > 1:
        rests = [" ".join(option for option in each if option not in shared) for each in options]
        named = [
            (f"with `{rest}`" if rest else "alone") + ("" if name.startswith("`") else f" ({name})")
            for (name, _), rest in zip(problems, rests)
        ]
        sentence += f" {', '.join(named)}"
    if len(targets) > 1:
        sentence += f"; other rows by `--target {'`, `'.join(targets[1:])}`"
    main = chapter.folder / "main.cpp"
    if main.exists() and "gemm_main(" in main.read_text():
        sentence += ". The program multiplies twice: its report shows one product, the table the sum of both"
    return sentence + "."


def generate(chapter: Chapter, binaries: Path) -> Files:
    return fill_chapter(
        chapter,
        counters=Evidence(
            lambda argument: block(chapter, binaries, argument), lambda argument: again(chapter, argument), "Counters"
        ),
    )


if __name__ == "__main__":
    sys.exit(program(__doc__, generate))
