#!/usr/bin/env python3
"""Keep and show how fast a chapter's kernel is on a real GPU.

--keep FILE  takes the records that `./tutorial bench --records FILE` collected and puts each chapter's into
             chapters/*/results/bench/DEVICE.json; a problem that was measured before on that device is replaced.
Without it the <!-- bench --> blocks of each chapter's pages are filled from these records, or with <!-- bench: 64x64x64
8x8x8 --> from those of these sizes, and the <!-- shapes: DEVICE --> blocks with one row for each size of the chapter's
bench.csv and one column for each of its types and layouts, measured or not. `columns = time; TFLOP/s` and
`rows = m 64 *` choose a part of a table: excerpt.py.
"""

from __future__ import annotations

import csv
import json
import re
import shlex
import statistics
import sys
from pathlib import Path
from typing import Any, Optional

from generated import Evidence, Files, fill_chapter, guarded, program, settle
from records import chapter_of, load, name, number, numbers, refuse, scalar, whole
from repository import Chapter, Mistake, find_chapters, kernel_hash

Json = dict[str, Any]

SIZE = ("m", "n", "k")

# What the tables take of a run.
SPREAD = {"median": number, "min": number, "max": number}
RUN = {
    "chapter": name,
    "backend": name,
    "device": name,
    "commit": str,
    "command": str,
    "problem": str,
    "operations": number,
    "parameters": {"m": whole, "n": whole, "k": whole, "*": scalar},
    "notes?": [str],
    "seconds": {"kernel": numbers, "vendor?": numbers, "repacked?": numbers},
    "vendor": {"name?": str, "mode?": str, "missing?": str},
    "ratio?": SPREAD,
    "ratio_repacked?": SPREAD,
    "ceilings": [{"name": str, "unit": str, "per_second": number}],
}

# What makes two records measurements of the same thing.
IDENTITY = (
    "kernel",
    "options",
    "m",
    "n",
    "k",
    "batch",
    "dtype",
    "acc",
    "out_dtype",
    "layout",
    "alpha",
    "beta",
    "lda",
    "ldb",
    "ldc",
    "bias",
    "activation",
    "residual",
    "ldr",
)


def records(chapter: Chapter) -> list[Json]:
    """Every record of the chapter, device by device."""
    return [
        run
        for path in sorted((chapter.folder / "results/bench").glob("*.json"))
        for run in json.loads(path.read_text())["runs"]
    ]


def seconds(run: Json, side: str) -> float:
    return statistics.median(run["seconds"][side])


def same_plan(run: Json, options: Optional[str]) -> bool:
    """Did the run have these options of the chapter's own, or choose by itself what they name: the tile, and K
    whole?"""
    given = run["parameters"].get("options")
    plan = re.fullmatch(r"(?:--tile (\S+))? ?(?:--split-k 1)?", options or "")
    if given is not None or not options or plan is None:
        return given == options
    notes = ", ".join([*run.get("notes", []), ""])
    return (plan[1] is None or f"tiles of {plan[1]}, " in notes) and "slices" not in notes


def time_of(runs: list[Json], device: str, problem: Any, parameters: Json) -> Optional[float]:
    """The measured time of m x n x k with these types, layout and kernel on a device whose name contains `device`, if
    there is a record."""
    wanted = {**parameters, "m": problem.m, "n": problem.n, "k": problem.k}
    same = ("kernel", "m", "n", "k", "batch", "dtype", "acc", "out_dtype", "layout", "alpha", "beta")
    found = [
        run
        for run in runs
        if device in run["device"]
        and all(run["parameters"].get(key) == wanted.get(key) for key in same)
        and same_plan(run, wanted.get("options"))
    ]
    return seconds(found[-1], "kernel") if found else None


def identity(run: Json) -> tuple[Any, ...]:
    return tuple(run["parameters"].get(key) for key in IDENTITY)


def portable(run: Json) -> Json:
    """The run with its command as anybody can repeat it: the program from the repository's root, without the file that
    took the record."""
    program, *options = shlex.split(run["command"])
    if "--json" in options:
        at = options.index("--json")
        del options[at : at + 2]
    return {**run, "command": shlex.join([f"build/{run['backend']}/bin/{Path(program).name}", *options])}


def kept(path: Path, chapter: Chapter, runs: list[Json]) -> bytes:
    """The file with the runs in it: one line each, those measured before replaced."""
    every = {identity(run): run for run in (json.loads(path.read_text())["runs"] if path.exists() else [])}
    every.update(
        {identity(run): {**portable(run), "kernel_sha256": kernel_hash(chapter.folder / "kernel.hpp")} for run in runs}
    )
    return ('{"runs": [\n' + ",\n".join(json.dumps(run) for run in every.values()) + "\n]}\n").encode()


def keep(collected: Path) -> Files:
    """The files of every chapter that was measured."""
    what = "./tutorial bench"
    runs = load(collected, what, {"runs": [RUN]})["runs"]
    if not runs:
        refuse(collected, what, "it holds no run")
    for run in runs:
        try:
            shlex.split(run["command"])[0]
        except (ValueError, IndexError):
            refuse(collected, what, f"'{run['command']}' is no command")
    files: Files = {}
    for chapter_name, device in dict.fromkeys((run["chapter"], run["device"]) for run in runs):
        chapter = chapter_of(collected, what, chapter_name, find_chapters)
        path = chapter.folder / "results/bench" / (re.sub(r"[^a-z0-9]+", "-", device.lower()) + ".json")
        of_both = [run for run in runs if (run["chapter"], run["device"]) == (chapter_name, device)]
        files[path] = kept(path, chapter, of_both)
    return files


def duration(time: float) -> str:
    unit, scale = ("s", 1.0) if time >= 1 else ("ms", 1e-3) if time >= 1e-3 else ("us", 1e-6)
    return f"{time / scale:.3g} {unit}"


def rate(run: Json, time: float) -> str:
    """TFLOP/s of a product that takes this time."""
    return f"{run['operations'] / time / 1e12:.3g}"


def spread(ratio: Json) -> str:
    return f"{ratio['median']:.3g} ({ratio['min']:.3g} to {ratio['max']:.3g})"


def problem(run: Json) -> str:
    chosen = [run["parameters"].get(key) for key in ("kernel", "options")]
    return ", ".join([run["problem"], *filter(None, chosen)])


def ceiling(run: Json) -> Optional[Json]:
    """The fastest of the loops on registers."""
    return max(
        (each for each in run["ceilings"] if each["unit"] == "operations"),
        key=lambda each: each["per_second"],
        default=None,
    )


def row(run: Json, chapter: Chapter, with_repacked: bool) -> str:
    vendor, time, best = run["vendor"], seconds(run, "kernel"), ceiling(run)
    cells = [run["device"], problem(run), duration(time), rate(run, time)]
    if "ratio" in run:
        cells += [f"{vendor['name']} {vendor['mode']}: {rate(run, seconds(run, 'vendor'))}", spread(run["ratio"])]
    else:
        cells += [vendor["missing"].split(";")[0], "not measured"]
    if with_repacked:
        cells += [spread(run["ratio_repacked"]) if "ratio_repacked" in run else ""]
    cells += [
        f"{run['operations'] / time / best['per_second']:.2g} of {best['per_second'] / 1e12:.3g} ({best['name']})"
        if best
        else "not measured"
    ]
    cells += [
        f"`{run['commit']}`"
        + ("" if run.get("kernel_sha256") == kernel_hash(chapter.folder / "kernel.hpp") else ", an earlier kernel")
    ]
    return "| " + " | ".join(cells) + " |"


def table(chapter: Chapter, sizes: str = "") -> str:
    """One row for each measured problem, or a sentence. Sizes such as "64x64x64 8x8x8" choose problems."""
    runs = [
        run
        for run in records(chapter)
        if not sizes or "x".join(str(run["parameters"][key]) for key in SIZE) in sizes.split()
    ]
    if not runs:
        return "Times on a GPU: not measured."
    with_repacked = any("ratio_repacked" in run for run in runs)
    heading = [
        "device",
        "problem",
        "time",
        "TFLOP/s",
        "the vendor's library, TFLOP/s",
        "its time / ours (min to max)",
        *(["on repacked operands (min to max)"] if with_repacked else []),
        "of the ceiling (instruction)",
        "commit",
    ]
    rule = "|---|---|--:|--:|---|--:|" + ("--:|" if with_repacked else "") + "---|---|"
    return "\n".join(["| " + " | ".join(heading) + " |", rule, *(row(run, chapter, with_repacked) for run in runs)])


# ---- every size of a list
# ------------------------------------------------------------------------------------------------------

KIND = (
    "dtype",
    "out-dtype",
    "layout",
    "bias",
    "activation",
)  # what a column has in common; empty: as the program chooses


def listed(chapter: Chapter) -> list[dict[str, str]]:
    """The problems of the chapter's bench.csv: options of the program."""
    path = chapter.folder / "bench.csv"
    lines = (
        [line for line in path.read_text().splitlines() if line and not line.startswith("#")] if path.exists() else []
    )
    return list(csv.DictReader(lines))


def matches(run: Json, problem: dict[str, str], device: str) -> bool:
    """Is this a record of the problem, with no option of the chapter's own?"""
    parameters = run["parameters"]
    named = {key.replace("-", "_"): value for key, value in problem.items() if value}
    told = all(str(parameters.get(key)) == value for key, value in named.items() if key not in ("bias", "residual"))
    added = all(bool(parameters.get(key)) == (key in named) for key in ("bias", "residual")) and parameters.get(
        "activation", ""
    ) == named.get("activation", "")
    if "out_dtype" not in named:  # sums as they are
        told = told and parameters["out_dtype"] == parameters["acc"]
    whole = all(
        parameters.get(key, default) == default
        for key, default in (("alpha", 1), ("beta", 0), ("batch", 1))
        if key not in named
    )
    return device in run["device"] and told and added and whole and not parameters.get("options")


def cell(run: Optional[Json]) -> str:
    if not run:
        return "not measured"
    keys = ("ratio", "ratio_repacked") if "ratio_repacked" in run else ("ratio",)
    return ", ".join(
        [rate(run, seconds(run, "kernel")), *(f"{run[key]['median']:.2f}" if key in run else "-" for key in keys)]
    )


def shapes(chapter: Chapter, device: str) -> str:
    """TFLOP/s, and the library's time divided by ours, of each size and type of the list."""
    problems, runs = listed(chapter), records(chapter)
    if not problems or not device:
        raise Mistake(f"{chapter.readme}: block 'shapes: DEVICE' wants a device and {chapter.folder / 'bench.csv'}")
    sizes = list(dict.fromkeys(tuple(problem[key] for key in SIZE) for problem in problems))
    kinds = list(dict.fromkeys(tuple(problem.get(key) or "" for key in KIND) for problem in problems))
    cells: dict[tuple[Any, Any], str] = {}
    for problem in problems:
        found = [run for run in runs if matches(run, problem, device)]
        cells[tuple(problem[key] for key in SIZE), tuple(problem.get(key) or "" for key in KIND)] = cell(
            found[-1] if found else None
        )

    def name(kind: tuple[str, ...]) -> str:
        dtype, out, layout, bias, activation = kind
        types = f"{dtype} -> {out}" if out else dtype
        return ", ".join(filter(None, [f"{types} {layout}".strip(), "bias" if bias else "", activation]))

    # Kinds of most sizes are columns. The others are rows of a second table, which has their sizes alone.
    def sizes_of(some: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
        return [size for size in sizes if any((size, kind) in cells for kind in some)]

    common = [kind for kind in kinds if 2 * len(sizes_of([kind])) > len(sizes)]
    others = [kind for kind in kinds if kind not in common]
    return "\n\n".join(
        filter(
            None,
            [
                grid(
                    "m x n x k",
                    [name(kind) for kind in common],
                    {" x ".join(size): [cells.get((size, kind), "") for kind in common] for size in sizes_of(common)},
                ),
                grid(
                    "types and layout",
                    [" x ".join(size) for size in sizes_of(others)],
                    {name(kind): [cells.get((size, kind), "") for size in sizes_of(others)] for kind in others},
                ),
            ],
        )
    )


def grid(corner: str, columns: list[str], rows: dict[str, list[str]]) -> str:
    """A table with a heading for each column and each row; nothing without columns."""
    lines = [f"| {corner} | " + " | ".join(columns) + " |", "|---|" + "--:|" * len(columns)]
    return (
        "\n".join(lines + [f"| {heading} | " + " | ".join(cells) + " |" for heading, cells in rows.items()])
        if columns
        else ""
    )


def generate(chapter: Chapter, _: Path) -> Files:
    again = f"Measured by `./tutorial bench {chapter.number}`."
    return fill_chapter(
        chapter,
        bench=Evidence(lambda sizes: table(chapter, sizes), lambda _: again, "Times"),
        shapes=Evidence(lambda device: shapes(chapter, device), lambda _: again, "Every size", names=1),
    )


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--keep":
        sys.exit(guarded(lambda: settle(keep(Path(sys.argv[2])), False)))
    sys.exit(program(__doc__ or "", generate))
