#!/usr/bin/env python3
"""Fill the <!-- split: DEVICE --> blocks of the chapters' pages: what an even split of the work could gain at most.

The plans are those of results/random/*.json. A plan's tiles, times its slices of K, run in rounds: as many at once as
the device has multiprocessors, or clusters. A round that is not full loses the rest of itself; an even split, such as
stream-K's, loses nothing. Nothing here was measured but the time of each problem and, by the chapter's calibration, the
time of a byte: these are bounds.
"""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from pathlib import Path
from typing import Any

import calibrate
from generated import Evidence, Files, fill_chapter, program
from random_problems import CLASSES, class_of
from random_shapes import mean, runs_of
from repository import Chapter, Mistake

Json = dict[str, Any]

PLAN = re.compile(r"(\d+) x (\d+) tiles of (\d+)x(\d+)x\d+(?:-[mn](\d+))?(?:\+[AB]+)?(?:, K in (\d+) slices)?")
UNITS = 132  # multiprocessors of an H100 or H200
# Clusters that run at once, by their blocks: chapters/20_hopper/families.hpp.
AT_ONCE = {1: UNITS, 2: UNITS // 2, 4: UNITS * 10 // 44}
MUCH = 0.1


@dataclasses.dataclass(frozen=True)
class Rounds:
    tiles: int  # times the slices of K; of clusters, where blocks share some
    at_once: int
    elements: int  # of C that one of them computes

    @property
    def number(self) -> int:
        return -(-self.tiles // self.at_once)

    @property
    def loss(self) -> float:
        """The part of all rounds in which a multiprocessor has no tile."""
        return 1 - self.tiles / (self.number * self.at_once)


def rounds_of(plan: str) -> Rounds:
    found = PLAN.search(plan)
    if not found:
        raise Mistake(f"'{plan}' is no plan with tiles")
    tiles_m, tiles_n, m, n, blocks, slices = (int(number or 1) for number in found.groups())
    if blocks not in AT_ONCE:
        raise Mistake(f"'{plan}': nothing says how many clusters of {blocks} blocks run at once")
    return Rounds(tiles_m * tiles_n * slices, AT_ONCE[blocks], m * n * blocks)


def seconds_of_a_byte(chapter: Chapter, device: str) -> float:
    """To write it and to read it again, by the chapter's calibration of the device."""
    for path in sorted((chapter.folder / "results/calibration").glob("*.json")):
        record = json.loads(path.read_text())
        if device in record["device"]:
            times = calibrate.machine_times(record, record["tiles"])
            return float(times["write_byte"] + times["read_byte"])
    raise Mistake(f"{chapter.folder}/results/calibration: no record of {device}")


def with_sums(rounds: Rounds, microseconds: float, byte: float) -> float:
    """How much faster an even split is, if each border between two blocks' shares lies within a tile, whose sums of 32
    bits one block writes and another reads; 1 where it is not faster."""
    sums = 4 * rounds.elements * (rounds.at_once - 1) * byte * 1e6
    return max(1.0, microseconds / (microseconds * (1 - rounds.loss) + sums))


def table(chapter: Chapter, device: str) -> str:
    problems = [problem for run in runs_of(chapter, device) for problem in run["problems"]]
    byte = seconds_of_a_byte(chapter, device)
    lines = [
        "| class | problems | in one round | which loses over 10 % | in several | which lose over 10 % | "
        "gained at most | after the sums |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for kind in [*CLASSES, "all"]:
        some = [
            (rounds_of(each["plan"]), each["ours"])
            for each in problems
            if kind in (class_of(each["m"], each["n"], each["k"]), "all")
        ]
        one = [rounds for rounds, _ in some if rounds.number == 1]
        several = [(rounds, time) for rounds, time in some if rounds.number > 1]
        cells = [kind, f"{len(some)}", f"{len(one)}", f"{sum(rounds.loss > MUCH for rounds in one)}"]
        cells += [f"{len(several)}", f"{sum(rounds.loss > MUCH for rounds, _ in several)}"]
        if several:
            cells.append(f"{mean([1 / (1 - rounds.loss) for rounds, _ in several]):.3f}")
            cells.append(f"{mean([with_sums(rounds, time, byte) for rounds, time in several]):.3f}")
        else:
            cells += ["none"] * 2
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def generate(chapter: Chapter, _: Path = Path()) -> Files:
    section = "What an even split could gain"
    again = (
        f"Computed by `docs/tools/even_split.py {chapter.number}` from the plans and times of the random problems; the "
        "last two columns are geometric means of the problems in several rounds."
    )
    return fill_chapter(
        chapter,
        split=Evidence(lambda device: table(chapter, device), lambda _: again, section, names=1),
    )


if __name__ == "__main__":
    sys.exit(program(__doc__ or "", generate))
