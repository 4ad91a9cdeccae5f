#!/usr/bin/env python3
"""Keep and show how fast a chapter's kernel is on a real GPU.

--keep FILE  takes the records that `./tutorial bench --records FILE` collected and puts each chapter's into
             chapters/*/results/bench/DEVICE.json; a problem that was measured before on that device is replaced.
Without it the <!-- bench --> block of each chapter's README is filled from these records.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import statistics
import sys
from pathlib import Path
from typing import Any, Optional

from generated import Files, fill, guarded, program, settle
from repository import Chapter, Mistake, find_chapters

Json = dict[str, Any]

# What makes two records measurements of the same thing.
IDENTITY = ("kernel", "options", "m", "n", "k", "batch", "dtype", "acc", "out_dtype", "layout", "alpha", "beta", "lda", "ldb", "ldc", "bias", "activation",
            "residual", "ldr")


def records(chapter: Chapter) -> list[Json]:
    """Every record of the chapter, device by device."""
    return [run for path in sorted((chapter.folder / "results/bench").glob("*.json")) for run in json.loads(path.read_text())["runs"]]


def seconds(run: Json, side: str) -> float:
    return statistics.median(run["seconds"][side])


def time_of(runs: list[Json], device: str, problem: Any, parameters: Json) -> Optional[float]:
    """The measured time of m x n x k with these types, layout and kernel on a device whose name contains `device`, if there is a record."""
    wanted = {**parameters, "m": problem.m, "n": problem.n, "k": problem.k}
    same = ("kernel", "options", "m", "n", "k", "batch", "dtype", "acc", "out_dtype", "layout", "alpha", "beta")
    found = [run for run in runs if device in run["device"] and all(run["parameters"].get(key) == wanted.get(key) for key in same)]
    return seconds(found[-1], "kernel") if found else None


def kernel_hash(chapter: Chapter) -> str:
    return hashlib.sha256((chapter.folder / "kernel.hpp").read_bytes()).hexdigest()


def identity(run: Json) -> tuple[Any, ...]:
    return tuple(run["parameters"].get(key) for key in IDENTITY)


def portable(run: Json) -> Json:
    """The run with its command as anybody can repeat it: the program from the repository's root, without the file that took the record."""
    program, *options = shlex.split(run["command"])
    if "--json" in options:
        at = options.index("--json")
        del options[at:at + 2]
    return {**run, "command": shlex.join([f"build/{run['backend']}/bin/{Path(program).name}", *options])}


def kept(path: Path, chapter: Chapter, runs: list[Json]) -> bytes:
    """The file with the runs in it: one line each, those measured before replaced."""
    every = {identity(run): run for run in (json.loads(path.read_text())["runs"] if path.exists() else [])}
    every.update({identity(run): {**portable(run), "kernel_sha256": kernel_hash(chapter)} for run in runs})
    return ('{"runs": [\n' + ",\n".join(json.dumps(run) for run in every.values()) + "\n]}\n").encode()


def keep(collected: Path) -> Files:
    """The files of every chapter that was measured."""
    try:
        runs = json.loads(collected.read_text())["runs"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Mistake(f"{collected}: holds no records of ./tutorial bench ({error!r})") from error
    if not runs:
        raise Mistake(f"{collected}: holds no run")
    files: Files = {}
    for name, device in dict.fromkeys((run["chapter"], run["device"]) for run in runs):
        chapter = find_chapters([name])[0]
        path = chapter.folder / "results/bench" / (re.sub(r"[^a-z0-9]+", "-", device.lower()) + ".json")
        files[path] = kept(path, chapter, [run for run in runs if (run["chapter"], run["device"]) == (name, device)])
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
    return max((each for each in run["ceilings"] if each["unit"] == "operations"), key=lambda each: each["per_second"], default=None)


def row(run: Json, chapter: Chapter) -> str:
    vendor, time, best = run["vendor"], seconds(run, "kernel"), ceiling(run)
    cells = [run["device"], problem(run), duration(time), rate(run, time)]
    if "ratio" in run:
        cells += [f"{vendor['name']} {vendor['mode']}: {rate(run, seconds(run, 'vendor'))}", spread(run["ratio"])]
    else:
        cells += [vendor["missing"], "not measured"]
    cells += [f"{run['operations'] / time / best['per_second']:.2g} of {best['per_second'] / 1e12:.3g} ({best['name']})"
              if best else "not measured"]
    cells += [f"`{run['commit']}`" + ("" if run.get("kernel_sha256") == kernel_hash(chapter) else ", an earlier kernel")]
    return "| " + " | ".join(cells) + " |"


def table(chapter: Chapter) -> str:
    """One row for each measured problem, or a sentence."""
    runs = records(chapter)
    if not runs:
        return "Times on a GPU: not measured."
    heading = ["device", "problem", "time", "TFLOP/s", "the vendor's library, TFLOP/s", "its time / ours (min to max)", "of the ceiling",
               "commit"]
    return "\n".join(["| " + " | ".join(heading) + " |", "|---|---|--:|--:|---|--:|---|---|", *(row(run, chapter) for run in runs)])


def generate(chapter: Chapter, _: Path) -> Files:
    return fill(chapter.readme, bench=lambda _argument: table(chapter))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--keep":
        sys.exit(guarded(lambda: settle(keep(Path(sys.argv[2])), False)))
    sys.exit(program(__doc__ or "", generate))
