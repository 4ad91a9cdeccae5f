#!/usr/bin/env python3
"""Keep and show how fast products on several devices are.

--keep FILE  takes what `./tutorial bench 21 --devices N --records FILE` collected and puts it into
             chapters/21_several_gpus/results/several/DEVICE.json; the same problem measured before on as many of that
             device is replaced.
Without it the <!-- several --> blocks of the chapters' pages are filled from these records: a row for each scheme, size
and number of devices, times in ms of the slowest rank.
"""

from __future__ import annotations

import json
import re
import shlex
import statistics
import sys
from pathlib import Path
from typing import Any

from generated import Evidence, Files, fill_chapter, guarded, program, settle
from records import chapter_of, load, name, number, numbers, whole
from repository import Chapter, find_chapters

Json = dict[str, Any]

# What takes turns, and the heading of its column.
SIDES = {
    "communication": "communication",
    "product": "product",
    "serial": "serial",
    "overlapped": "overlapped",
    "library_communication": "the library's communication",
    "library_product": "the library's product",
    "library_serial": "the library's, serial",
}
RUN = {
    "kind": lambda value: value == "several",
    "chapter": name,
    "backend": name,
    "device": name,
    "commit": str,
    "command": str,
    "over": str,
    "ranks": whole,
    "rung": name,
    "m": whole,
    "n": whole,
    "k": whole,
    "dtype": name,
    "out_dtype": name,
    "chunks": whole,
    "message_units": whole,
    "copy_engines": bool,
    "check": {"compared": whole, "max_error": number, "bound": number},
    "library": {"name?": str, "mode?": str, "missing?": str},
    "seconds": {"serial": numbers, **{f"{side}?": numbers for side in SIDES}},
}
IDENTITY = ("rung", "ranks", "over", "m", "n", "k", "dtype", "out_dtype", "grid", "copy_engines")


def portable(run: Json) -> Json:
    """The run with its command as anybody can repeat it, without the file that took the record."""
    words = shlex.split(run["command"])
    if "--json" in words[:-1]:
        at = words.index("--json")
        del words[at : at + 2]
    program = f"build/{run['backend']}/bin/{run['chapter']}"
    return {**run, "command": shlex.join(program if word.endswith(run["chapter"]) else word for word in words)}


def records(chapter: Chapter) -> list[Json]:
    """Every record of the chapter, device by device."""
    paths = sorted((chapter.folder / "results/several").glob("*.json"))
    return [run for path in paths for run in json.loads(path.read_text())["runs"]]


def keep(collected: Path) -> Files:
    """The chapter's files with these records in them."""
    what = "./tutorial bench --devices"
    files: Files = {}
    runs = load(collected, what, {"runs": [RUN]})["runs"]
    for device, chapter_name in dict.fromkeys((run["device"], run["chapter"]) for run in runs):
        chapter = chapter_of(collected, what, chapter_name, find_chapters)
        path = chapter.folder / "results/several" / (re.sub(r"[^a-z0-9]+", "-", device.lower()) + ".json")
        before = json.loads(path.read_text())["runs"] if path.exists() else []
        of_device = [portable(run) for run in runs if (run["device"], run["chapter"]) == (device, chapter_name)]
        every = {tuple(run.get(key) for key in IDENTITY): run for run in [*before, *of_device]}
        files[path] = ('{"runs": [\n' + ",\n".join(map(json.dumps, every.values())) + "\n]}\n").encode()
    return files


def milliseconds(run: Json, side: str) -> str:
    times = run["seconds"].get(side)
    if not times:
        return "-"
    chunks = run["chunks"] if side == "overlapped" else 0  # a grid has none
    pieces = f" ({chunks} chunk{'s' if chunks > 1 else ''})" if chunks else ""
    return f"{statistics.median(times) * 1e3:.3f}{pieces}"


def moved_by(run: Json) -> str:
    """What moves what travels, where a reader may choose."""
    if run["rung"] == "grid":
        return ""
    return ", by copy engines" if run["copy_engines"] else ", by kernels"


def ratio(run: Json) -> str:
    """The time of the library's serial way over that of our fastest."""
    if "library_serial" not in run["seconds"]:
        return "-"
    ours = run["seconds"].get("overlapped", run["seconds"]["serial"])
    pairs = [theirs / mine for theirs, mine in zip(run["seconds"]["library_serial"], ours) if mine > 0]
    return f"{statistics.median(pairs):.2f}" if pairs else "-"


def table(chapter: Chapter) -> str:
    """A row for each record, or a sentence."""
    runs = records(chapter)
    if not runs:
        return "Times on several GPUs: not measured."
    sides = [side for side in SIDES if any(side in run["seconds"] for run in runs)]
    heading = ["devices", "scheme, m x n x k", *(SIDES[side] for side in sides)]
    heading += ["the library's serial time / ours", "commit"]
    lines = ["| " + " | ".join(heading) + " |", "|---|---|" + "--:|" * (len(sides) + 1) + "---|"]
    for run in runs:
        cells = [
            f"{run['ranks']} x {run['device']}, {run['over']}",
            f"{run['rung']}, {run['m']} x {run['n']} x {run['k']}, {run['dtype']} -> {run['out_dtype']}{moved_by(run)}",
            *(milliseconds(run, side) for side in sides),
            ratio(run),
            f"`{run['commit']}`",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def generate(chapter: Chapter, _: Path = Path()) -> Files:
    again = "Measured by `./tutorial bench 21 --devices 2`, in ms."
    return fill_chapter(chapter, several=Evidence(lambda _: table(chapter), lambda _: again, "Times"))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--keep":
        sys.exit(guarded(lambda: settle(keep(Path(sys.argv[2])), False)))
    sys.exit(program(__doc__ or "", generate))
