#!/usr/bin/env python3
"""Fill the <!-- limits --> blocks of the chapters' pages: how busy each part of a GPU is while a kernel runs, as its
profiler counts.

The records are results/ncu/DEVICE.json; tests/backend/cuda/limits.py makes them.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any, Callable

from generated import Evidence, Files, fill_chapter, program
from repository import Chapter, Mistake, kernel_hash

Json = dict[str, Any]

NAMES = {
    "math_pipe_throttle": "unit busy",
    "wait": "fixed latency",
    "short_scoreboard": "shared memory",
    "long_scoreboard": "global memory",
    "mio_throttle": "queue to shared memory",
    "lg_throttle": "queue to global memory",
    "dispatch_stall": "dispatch",
    "not_selected": "another warp's turn",
    "no_instruction": "no instruction",
}


TYPES = {"bfloat16_t": "bf16", "half_t": "f16"}


def problem(run: Json) -> str:
    """`--dtype f16 --layout nt --m 4096 ..` in words; a type that is not named is in the kernel's name"""
    words = shlex.split(run["problem"])
    given = dict(zip(words[0::2], words[1::2]))
    out = given.get("--out-dtype")
    also = [name for name in ("bias", "residual") if f"--{name}" in given] + [
        given[key] for key in ("--activation",) if key in given
    ]
    dtype = given.get("--dtype") or next(short for name, short in TYPES.items() if name in run["kernel"])
    also += [given["--kernel"]] if "--kernel" in given else []
    also += ["its copies"] if "Repack" in run.get("kernel", "") else []
    text = (
        f"{given['--m']} x {given['--n']} x {given['--k']}, {dtype}"
        + (f" to {out}" if out else "")
        + f", {given['--layout']}"
    )
    return text + "".join(f", {word}" for word in also)


def stalls(run: Json) -> str:
    """The three that a warp waits for longest, in clocks for each instruction."""
    waits = {
        key.removeprefix("stalled_"): value
        for key, value in run.items()
        if key.startswith("stalled_") and key != "stalled_selected"
    }
    longest = sorted(waits.items(), key=lambda item: -item[1])[:3]
    return ", ".join(f"{NAMES.get(reason, reason.replace('_', ' '))} {value:.1f}" for reason, value in longest)


def records(chapter: Chapter) -> list[Json]:
    found = [json.loads(path.read_text()) for path in sorted((chapter.folder / "results/ncu").glob("*.json"))]
    if not found:
        raise Mistake(
            f"{chapter.folder}/results/ncu: there is no record: tests/backend/cuda/limits.py --measure makes one"
        )
    return found


def age(chapter: Chapter) -> str:
    """A sentence for each record that is not of the chapter's kernel.hpp as it is."""
    now = kernel_hash(chapter.folder / "kernel.hpp")
    return "".join(
        f" {record['device']}: an earlier kernel, of "
        + (f"commit `{record['commit']}`." if "commit" in record else "a commit that the record does not name.")
        for record in records(chapter)
        if record.get("kernel_sha256") != now
    )


def tile(run: Json) -> str:
    """Of a plan: `32 x 16 tiles of 128x256x32, K in 4 slices, ..`; of one in two parts, the first's."""
    plan = str(run["plan"]).split(", and ")[0]
    slices = f", {plan.split('K in ')[1].split(' slices')[0]} slices" if "slices" in plan else ""
    return plan.split(" tiles of ")[1].split(",")[0] + slices


def busiest(run: Json) -> str:
    return f"{max(run.get(key, 0) for key in ('tensor_f', 'tensor_i', 'fma')):.0f} %"


def conflicts(run: Json) -> str:
    return f"{run['bank_conflicts'] / max(run['shared_wavefronts'], 1):.1%}"


# Heading, rule, and what a run has in the column. A chapter without a plan has no tile to name.
COLUMNS: list[tuple[str, str, Callable[[Json], str]]] = [
    ("tile", "---", tile),
    ("time", "--:", lambda run: f"{run['nanoseconds'] / 1000:,.0f} us"),
    ("matrix or FMA unit", "--:", busiest),
    ("issue", "--:", lambda run: f"{run['issue']:.0f} %"),
    ("L1, shared memory", "--:", lambda run: f"{run['shared']:.0f} %"),
    ("bank conflicts", "--:", conflicts),
    ("L2, hits", "--:", lambda run: f"{run['l2']:.0f} %, {run['l2_hits']:.0f} %"),
    ("DRAM", "--:", lambda run: f"{run['dram']:.0f} %"),
    ("a warp waits for, clocks an instruction", "---", stalls),
]


def table(chapter: Chapter) -> str:
    lines = []
    for record in records(chapter):
        runs = record["runs"]
        missing = {"tile"} if not all(run["plan"] for run in runs) else set()
        columns = [column for column in COLUMNS if column[0] not in missing]
        cells = [[f"{record['device']}: problem", *(name for name, _, _ in columns)]]
        cells += [["---", *(rule for _, rule, _ in columns)]]
        cells += [[problem(run), *(of(run) for _, _, of in columns)] for run in runs]
        rows = ["| " + " | ".join(row) + " |" for row in cells]
        rows[1] = "|" + "|".join(cells[1]) + "|"
        lines += rows
    return "\n".join(lines)


def generate(chapter: Chapter, _: Path) -> Files:
    again = f"Profiled by `tests/backend/cuda/limits.py --chapter {chapter.name} --bin build/cuda/bin --measure FILE`."
    return fill_chapter(
        chapter,
        limits=Evidence(lambda _: table(chapter), lambda _: again + age(chapter), "Busy units", names=1),
    )


if __name__ == "__main__":
    sys.exit(program(__doc__ or "", generate))
