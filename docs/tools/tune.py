#!/usr/bin/env python3
"""Keep what `./tutorial bench --tune` measured, and write a chapter's table of choices from it.

--keep FILE  takes a record of --tune and puts it into chapters/NN/results/tune/DEVICE.json; a problem that was tuned
             before on that
             device is replaced. Of each candidate the median is kept, and of how many turns it is one; of the fastest,
             all turns.
Without it chapters/NN/tables/TARGET.hpp is written from these records: one row for each problem, with the fastest of
its candidates.

A candidate is called TILE, or TILE split_k=S group=G: the tile's name of one word or more, slices of K (1), rows of
tiles walked together (0: as suggested).
"""

from __future__ import annotations

import json
import re
import shlex
import statistics
import sys
from pathlib import Path
from typing import Any

from bench import portable
from generated import Files, guarded, program, settle
from records import chapter_of, differs, load, name, number, numbers, refuse, scalar, whole
from repository import Chapter, Mistake, find_chapters

Json = dict[str, Any]

MARK = "// Written by docs/tools/tune.py from "
COLUMNS = ("dtype", "layout", "m", "n", "k")

# What the tables take of a record, and of a problem in it that was measured.
RECORD = {
    "kind": str,
    "chapter": name,
    "backend": name,
    "target": name,
    "device": name,
    "driver": str,
    "commit": str,
    "command": str,
    "problems": [dict],
}
PROBLEM = {
    "problem": str,
    "parameters": {"dtype": name, "layout": name, "m": whole, "n": whole, "k": whole, "*": scalar},
    "operations": number,
    "operand_sets": whole,
    "best": str,
    "candidates": [{"name": str, "seconds?": numbers, "refused?": str}],
}


def identity(problem: Json) -> tuple[Any, ...]:
    return tuple(sorted((key, value) for key, value in problem["parameters"].items()))


def summary(problem: Json) -> Json:
    """The problem with the median of each candidate in microseconds, and the number of its turns; of the fastest, the
    turns."""
    times = {
        each["name"]: [float(f"{statistics.median(each['seconds']) * 1e6:.5g}"), len(each["seconds"])]
        for each in problem["candidates"]
        if "seconds" in each
    }
    fastest = next((each.get("seconds", []) for each in problem["candidates"] if each["name"] == problem["best"]), [])
    turns = [float(f"{seconds * 1e6:.5g}") for seconds in fastest]
    refused = {each["name"]: each["refused"] for each in problem["candidates"] if "refused" in each}
    kept = {key: problem[key] for key in ("problem", "parameters", "operations", "operand_sets", "best")}
    return {**kept, "microseconds_and_turns": times, "turns": turns, **({"refused": refused} if refused else {})}


def from_the_root(record: Json) -> Json:
    """The record with its list of problems named from the repository's root."""
    words = shlex.split(record["command"])
    at = words.index("--tune") + 1
    words[at] = f"chapters/{record['chapter']}/{Path(words[at]).name}"
    return {**record, "command": shlex.join(words)}


def kept(path: Path, record: Json) -> bytes:
    """The file with the record in it, one line for each problem."""
    tunings = json.loads(path.read_text())["tunings"] if path.exists() else []
    problems = [summary(problem) for problem in record["problems"] if "candidates" in problem]
    known = {identity(problem) for problem in problems}
    for tuning in tunings:
        tuning["problems"] = [problem for problem in tuning["problems"] if identity(problem) not in known]
    tunings = [tuning for tuning in tunings if tuning["problems"]] + [
        {**portable(from_the_root(record)), "problems": problems}
    ]
    return ('{"tunings": [\n' + ",\n".join(text_of(tuning) for tuning in tunings) + "\n]}\n").encode()


def text_of(tuning: Json) -> str:
    head = json.dumps({key: value for key, value in tuning.items() if key != "problems"})
    return head[:-1] + ', "problems": [\n' + ",\n".join(json.dumps(problem) for problem in tuning["problems"]) + "\n]}"


def keep(collected: Path) -> Files:
    """The chapter's record with this one in it."""
    what = "./tutorial bench --tune"
    record = load(collected, what, RECORD)
    tuned = [problem for problem in record["problems"] if "candidates" in problem]
    for problem in tuned:
        difference = differs(problem, PROBLEM, "a problem")
        if difference:
            refuse(collected, what, difference)
    words = record["command"].split()
    if record["kind"] != "tune" or not tuned or "--tune" not in words[1:-1]:
        refuse(collected, what, "no problem was tuned")
    chapter = chapter_of(collected, what, record["chapter"], find_chapters)
    path = chapter.folder / "results/tune" / (re.sub(r"[^a-z0-9]+", "-", record["device"].lower()) + ".json")
    return {path: kept(path, record)}


def choice(problem: Json, where: Path) -> tuple[str, int, int]:
    """(tile, slices of K, rows in a group) of the fastest candidate."""
    words = problem["best"].split()
    values = dict(word.split("=", 1) for word in words if "=" in word)
    tile = words[: len(words) - len(values)]
    if (
        not tile
        or "=" in " ".join(tile)
        or set(values) - {"split_k", "group"}
        or not all(value.isdigit() for value in values.values())
    ):
        raise Mistake(f"{where}: the candidate '{problem['best']}' is not called TILE split_k=S group=G")
    return " ".join(tile), int(values.get("split_k", 1)), int(values.get("group", 0))


def row(problem: Json, where: Path) -> str:
    dtype, layout, m, n, k = (problem["parameters"][column] for column in COLUMNS)
    tile, split_k, group = choice(problem, where)
    time = problem["microseconds_and_turns"][problem["best"]][0]
    rate = f"{problem['operations'] / time / 1e6:.3g}"
    return f'    {{DType::{dtype}, "{layout}", {m}, {n}, {k}, "{tile}", {split_k}, {group}}},  // {rate} TFLOP/s'


def table(target: str, path: Path, tunings: list[Json], root: Path) -> str:
    """The header with the choices of a target."""
    rows: dict[tuple[Any, ...], str] = {}
    for tuning in tunings:
        for problem in tuning["problems"]:
            rows[tuple(problem["parameters"][column] for column in COLUMNS)] = row(problem, path)
    last = tunings[-1]
    commits = ", ".join(dict.fromkeys(tuning["commit"] for tuning in tunings))
    return "\n".join(
        [
            "#pragma once",
            f"{MARK}{path.relative_to(root)}: {last['device']}, driver {last['driver']}, commit {commits}.",
            "// The fastest of the candidates for each problem; the record has the times of all. Change the record, "
            "not this file.",
            "",
            '#include <tilestep/harness/gemm_plan.hpp>  // TableRow',
            "",
            "#include <array>  // std::array",
            "",
            "namespace tilestep {",
            "",
            f"constexpr std::array<TableRow, {len(rows)}> table_{target}{{{{",
            *rows.values(),
            "}};",
            "",
            "}  // namespace tilestep",
            "",
        ]
    )


def generate(chapter: Chapter, _: Path = Path()) -> Files:
    """The tables of the chapter's records; a table whose record is gone should be gone."""
    files: Files = {path: None for path in (chapter.folder / "tables").glob("*.hpp") if MARK in path.read_text()}
    root = chapter.folder.parents[1]
    targets: dict[str, Path] = {}
    for path in sorted((chapter.folder / "results/tune").glob("*.json")):
        tunings = json.loads(path.read_text())["tunings"]
        target = tunings[-1]["target"]
        if target in targets:
            raise Mistake(f"{path}: {targets[target].name} is of target {target}, too: a table comes from one device")
        targets[target] = path
        files[chapter.folder / "tables" / f"{target}.hpp"] = table(target, path, tunings, root).encode()
    return files


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--keep":
        sys.exit(guarded(lambda: settle(keep(Path(sys.argv[2])), False)))
    sys.exit(program(__doc__ or "", generate))
