#!/usr/bin/env python3
"""Show how near a chapter is to its ceilings on problems that nobody chose, type by type.

--draw N SEED FILE  writes N random problems of each of TYPES, for `./tutorial bench 17 --records T.json -- --problems
                    FILE`.
--draw-long N SEED FILE  writes the first N of the seed's whose extents are LONG and more, for the same.
--keep T.json SEED  puts what that collected into chapters/NN/results/random/DEVICE.json; the same seed's are replaced.
Without these the <!-- ceiling: DEVICE --> blocks of the chapters' pages are filled from these records.

The ceiling is a loop on registers of the instruction for the type, in turns with the kernel. It says little of small
problems, which begin and end: only those of LARGE operations and more are compared with it, and beside them those whose
extents are all LONG and more. The library's time is in
turns, too; where rows are no multiples of 16 bytes, that of its product on copies counts if it is shorter.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import bench
from generated import Evidence, Files, fill_chapter, guarded, program, settle
from random_problems import problems, table as csv_of
from random_shapes import at_percent, is_random, mean, text_of, turns
from records import chapter_of, load, refuse
from repository import Chapter, Mistake, find_chapters, kernel_hash

Json = dict[str, Any]

TYPES = "bf16,f16,tf32,i8,f32"
LONG = 2048
LARGE = 2 * LONG**3


def summary(run: Json) -> Json:
    """What the table needs of a run of --bench, and its turns, in microseconds."""
    given, ceiling = run["parameters"], bench.ceiling(run)
    kept = {key: given[key] for key in ("dtype", "out_dtype", "layout", "m", "n", "k")}
    kept |= {"plan": "; ".join(run.get("notes", [])), "operations": run["operations"]}
    kept["ceiling"] = {key: ceiling[key] for key in ("name", "per_second")} if ceiling else None
    ratios = [run[key]["median"] for key in ("ratio", "ratio_repacked") if key in run]
    kept["ratio"] = min(ratios, default=None)  # the faster of the library's ways is the least of its times
    kept["turns"] = {side: turns(seconds) for side, seconds in run["seconds"].items()}
    return kept


def keep(collected: Path, seed: int) -> Files:
    what = "./tutorial bench"
    runs = load(collected, what, {"runs": [bench.RUN]})["runs"]
    if not runs:
        refuse(collected, what, "it holds no run")
    if len({(run["chapter"], run["device"], run["commit"]) for run in runs}) > 1:
        refuse(collected, what, "it holds runs of several chapters, devices or commits")
    first = runs[0]
    chapter = chapter_of(collected, what, first["chapter"], find_chapters)
    path = chapter.folder / "results/random" / (re.sub(r"[^a-z0-9]+", "-", first["device"].lower()) + ".json")
    before = json.loads(path.read_text())["runs"] if path.exists() else []
    head = {key: first.get(key) for key in ("device", "driver", "commit", "before")}
    head |= {"after": runs[-1].get("after"), "seed": seed, "library": first["vendor"].get("name")}
    head["kernel_sha256"] = kernel_hash(chapter.folder / "kernel.hpp")
    head["problems"] = [summary(run) for run in runs]
    others = [run for run in before if is_random(run) or run["seed"] != seed]
    return {path: text_of([*others, head])}


def runs_of(chapter: Chapter, device: str) -> list[Json]:
    paths = sorted((chapter.folder / "results/random").glob("*.json"))
    every = [run for path in paths for run in json.loads(path.read_text())["runs"] if not is_random(run)]
    runs = [run for run in every if device in run["device"]]
    if not runs:
        raise Mistake(f"{chapter.folder}: no record of random problems beside a ceiling on {device}")
    return runs


def of_ceiling(problem: Json) -> float:
    seconds = statistics.median(problem["turns"]["kernel"]) * 1e-6
    return float(problem["operations"] / seconds / problem["ceiling"]["per_second"])


def is_long(*extents: int) -> bool:
    return min(extents) >= LONG


def cells(values: list[float]) -> list[str]:
    return [f"{mean(values):.3f}", f"{at_percent(values, 5):.2f}"] if values else ["not measured"] * 2


def whole_table(chapter: Chapter, device: str) -> str:
    every = [problem for run in runs_of(chapter, device) for problem in run["problems"]]
    lines = [
        "| types | instruction | problems | large | of the ceiling | 5 of 100 below it | long | of the ceiling | "
        "5 of 100 below | its time / ours | 5 of 100 below |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for dtype in dict.fromkeys(problem["dtype"] for problem in every):
        some = [problem for problem in every if problem["dtype"] == dtype]
        beside = [problem for problem in some if problem["ceiling"]]
        large = [problem for problem in beside if problem["operations"] >= LARGE]
        long = [problem for problem in beside if is_long(problem["m"], problem["n"], problem["k"])]
        names = dict.fromkeys(problem["ceiling"]["name"] for problem in some if problem["ceiling"])
        out = some[0]["out_dtype"]
        lines.append(
            "| "
            + " | ".join(
                [
                    f"{dtype} -> {out}" if out != dtype else dtype,
                    ", ".join(names) or "not measured",
                    f"{len(some)}",
                    f"{len(large)}",
                    *cells([of_ceiling(problem) for problem in large]),
                    f"{len(long)}",
                    *cells([of_ceiling(problem) for problem in long]),
                    *cells([problem["ratio"] for problem in some if problem["ratio"]]),
                ]
            )
            + " |"
        )
    return "\n".join(lines)


def again(chapter: Chapter, device: str) -> str:
    runs = runs_of(chapter, device)
    now = kernel_hash(chapter.folder / "kernel.hpp")
    seeds = ", ".join(
        f"{run['seed']} at commit `{run['commit']}`" + ("" if run["kernel_sha256"] == now else ", an earlier kernel")
        for run in runs
    )
    return (
        f"{runs[-1]['device']}, {runs[-1]['library']}; geometric means, of the ceiling for problems of 2 x 2048^3 "
        f"operations and more (large) and with extents of 2048 and more (long), of the library for all. Measured by "
        f"`./tutorial bench {chapter.number} -- --problems FILE` on what `docs/tools/random_ceiling.py` draws, seed "
        f"{seeds}."
    )


def generate(chapter: Chapter, _: Path = Path()) -> Files:
    evidence = Evidence(
        lambda device: whole_table(chapter, device), lambda device: again(chapter, device), "Random problems", names=1
    )
    return fill_chapter(chapter, ceiling=evidence)


def seed_of(word: str) -> int:
    if not re.fullmatch(r"\d{1,18}", word):
        raise Mistake(f"'{word}' is no whole number")
    return int(word)


def draw(number: str, seed: str, path: Path) -> Files:
    return {path: csv_of(problems(seed_of(number), seed_of(seed)), TYPES).encode()}


def draw_long(number: str, seed: str, path: Path) -> Files:
    every = problems(sys.maxsize, seed_of(seed))
    return {path: csv_of(islice((each for each in every if is_long(*each[2:])), seed_of(number)), TYPES).encode()}


if __name__ == "__main__":
    if len(sys.argv) == 5 and sys.argv[1] == "--draw":
        sys.exit(guarded(lambda: settle(draw(sys.argv[2], sys.argv[3], Path(sys.argv[4])), False)))
    if len(sys.argv) == 5 and sys.argv[1] == "--draw-long":
        sys.exit(guarded(lambda: settle(draw_long(sys.argv[2], sys.argv[3], Path(sys.argv[4])), False)))
    if len(sys.argv) == 4 and sys.argv[1] == "--keep":
        sys.exit(guarded(lambda: settle(keep(Path(sys.argv[2]), seed_of(sys.argv[3])), False)))
    sys.exit(program(__doc__ or "", generate))
