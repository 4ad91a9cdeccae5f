#!/usr/bin/env python3
"""Keep and show how fast a chapter is on problems that nobody chose.

--keep FILE  takes what `./tutorial bench --random N --seed S NN --records FILE` collected and puts it into
             chapters/NN/results/random/DEVICE.json; the same problems measured before on that device are replaced.
Without it the <!-- random: DEVICE --> blocks of the chapters' pages are filled from these records, or for a type that
is not bf16 <!-- random: DEVICE, f16 -->, and two figures are drawn, a dot for each problem above its operations:
results/random/random.svg with the library's time over ours, and results/random/predicted.svg with our time over the one
that the chapter's model predicted.

The library's time is the least of cuBLAS and of the heuristics of cuBLASLt, in turns with ours and with operands that
L2 does not hold; where rows are no multiples of 16 bytes, also of its product on copies of the operands, with the time
of the copies. Regret is our time over the fastest of the chapter's own candidates, where these were measured as well.
"""

from __future__ import annotations

import html
import json
import math
import re
import statistics
import sys
from pathlib import Path
from typing import Any, Callable, Optional

from generated import Evidence, Files, fill_chapter, guarded, program, settle
from random_problems import CLASSES, class_of
from records import chapter_of, load, name, number, numbers, refuse, whole
from repository import Chapter, Mistake, find_chapters

Json = dict[str, Any]

TIMED = {"name": str, "seconds?": numbers, "refused?": str}
STATE = {"clock_mhz": number, "*": lambda _: True}  # of the device
RECORD = {
    "kind": str,
    "chapter": name,
    "device": name,
    "driver": str,
    "commit": str,
    "command": str,
    "random": {"number": whole, "seed": whole},
    "before": STATE,
    "after": STATE,
    "problems": [
        {
            "problem": str,
            "parameters": {"dtype": name, "layout": name, "m": whole, "n": whole, "k": whole, "*": lambda _: True},
            "operations": number,
            "planned": {"plan": str, "cost?": number, "seconds": numbers},
            "candidates": [TIMED],
            "library": {"name": str, "modes": [TIMED]},
        }
    ],
}


def middle(seconds: list[float]) -> float:
    """The median of the turns, in microseconds; the first turn is the race's, which chooses who stays."""
    return float(f"{statistics.median(seconds[1:] or seconds) * 1e6:.5g}")


def fastest(times: list[Json]) -> list[float]:
    """The turns of the entry with the least median, in seconds; none where nothing was measured."""
    return min((each["seconds"] for each in times if "seconds" in each), key=middle, default=[])


def least(times: list[Json]) -> Optional[float]:
    return middle(fastest(times)) if fastest(times) else None


def turns(seconds: list[float]) -> list[float]:
    return [float(f"{each * 1e6:.5g}") for each in seconds]


# The chapters whose costs only rank candidates: they are no seconds.
RANKS = ("17_optimized_gemm",)


def summary(problem: Json, seed: int, predicts: bool = True) -> Json:
    """What the tables and the plot need of a problem, and the turns behind it; times in microseconds."""
    given, modes = problem["parameters"], problem["library"]["modes"]
    kept = {key: given[key] for key in ("dtype", "layout", "m", "n", "k")}
    kept |= {"seed": seed, "ours": middle(problem["planned"]["seconds"]), "plan": problem["planned"]["plan"]}
    plain = [each for each in modes if "repacked" not in each["name"]]
    repacked = [each for each in modes if "repacked" in each["name"]]
    kept["library"] = least(plain)
    kept["repacked"] = least(repacked)
    kept["best"] = least([*problem["candidates"], problem["planned"] | {"name": ""}]) if problem["candidates"] else None
    cost = problem["planned"].get("cost", 0) if predicts else 0
    kept["predicted"] = float(f"{cost * 1e6:.5g}") or None
    sides = {"ours": problem["planned"]["seconds"], "library": fastest(plain), "repacked": fastest(repacked)}
    kept["turns"] = {side: turns(seconds) for side, seconds in sides.items() if seconds}
    return kept


def keep(collected: Path) -> Files:
    what = "./tutorial bench --random"
    record = load(collected, what, RECORD)
    if record["kind"] != "tune" or not record["problems"]:
        refuse(collected, what, "it holds no problem")
    chapter = chapter_of(collected, what, record["chapter"], find_chapters)
    path = chapter.folder / "results/random" / (re.sub(r"[^a-z0-9]+", "-", record["device"].lower()) + ".json")
    seed = record["random"]["seed"]
    runs = json.loads(path.read_text())["runs"] if path.exists() else []
    head = {key: record[key] for key in ("device", "driver", "commit", "random", "before", "after")}
    head["library"] = record["problems"][0]["library"]["name"]
    predicts = record["chapter"] not in RANKS
    head["problems"] = [summary(problem, seed, predicts) for problem in record["problems"]]
    same = [run for run in runs if is_random(run) and (run["random"]["seed"], dtype_of(run)) == (seed, dtype_of(head))]
    return {path: text_of([run for run in runs if run not in same] + [head])}


def text_of(runs: list[Json]) -> bytes:
    """The file of these runs, a line for each problem."""
    text = ",\n".join(
        json.dumps({key: value for key, value in run.items() if key != "problems"})[:-1]
        + ', "problems": [\n'
        + ",\n".join(json.dumps(problem) for problem in run["problems"])
        + "\n]}"
        for run in runs
    )
    return f'{{"runs": [\n{text}\n]}}\n'.encode()


def is_random(run: Json) -> bool:
    """Did --random take it? random_ceiling.py keeps runs of --bench in the same file."""
    return "random" in run


def dtype_of(run: Json) -> str:
    return str(run["problems"][0]["dtype"])


def runs_of(chapter: Chapter, which: str) -> list[Json]:
    """@param which  the device, or the device and a type: "H200, f16" """
    device, _, dtype = which.partition(", ")
    paths = sorted((chapter.folder / "results/random").glob("*.json"))
    every = [run for path in paths for run in json.loads(path.read_text())["runs"] if is_random(run)]
    runs = [run for run in every if device in run["device"] and dtype_of(run) == (dtype or "bf16")]
    if not runs:
        raise Mistake(f"{chapter.folder}: no record of random problems on {which}")
    return runs


def anchor(problem: Json) -> float:
    """The library's time, on copies where that is faster."""
    return min(time for time in (problem["library"], problem["repacked"]) if time)


def mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def at_percent(values: list[float], percent: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def whole_table(chapter: Chapter, device: str) -> str:
    problems = [problem for run in runs_of(chapter, device) for problem in run["problems"]]
    lines = [
        "| class | problems | its time / ours | 5 of 100 below | above 1 | regret | 5 of 100 above | to predicted |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for kind in [*CLASSES, "all"]:
        some = [each for each in problems if kind in (class_of(each["m"], each["n"], each["k"]), "all")]
        if not some:
            continue
        ratios = [anchor(each) / each["ours"] for each in some]
        regrets = [each["ours"] / each["best"] for each in some if each["best"]]
        above = sum(ratio > 1 for ratio in ratios)
        cells = [kind, f"{len(some)}", f"{mean(ratios):.3f}", f"{at_percent(ratios, 5):.2f}", f"{above}"]
        cells += [f"{mean(regrets):.3f}", f"{at_percent(regrets, 95):.2f}"] if regrets else ["not measured"] * 2
        against_model = [each["ours"] / each["predicted"] for each in some if each["predicted"]]
        cells.append(f"{mean(against_model):.3f}" if against_model else "no model")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def again(chapter: Chapter, device: str) -> str:
    runs = runs_of(chapter, device)
    option = f" --dtype {dtype_of(runs[0])}" if dtype_of(runs[0]) != "bf16" else ""
    seeds = ", ".join(f"{run['random']['number']} of seed {run['random']['seed']}" for run in runs)
    return (
        f"{runs[-1]['device']}, {runs[-1]['library']}; geometric means. Measured by `./tutorial bench {chapter.number} "
        f"--random N --seed S{option}`: {seeds}."
    )


# ---- the plot, in pixels of a screen that is 390 wide

WIDE, LEFT, RIGHT, TOP, BOTTOM = 390, 40, 382, 44, 330
WORK, RATIO = (1e8, 4e12), (0.25, 4.0)
COLOURS = ("#4f8fd9", "#c2571a", "#3a9d5d", "#9b59b6")
STYLE = """text{font:12.5px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}
.end{text-anchor:end}.mid{text-anchor:middle}.axis{fill:#656d76}
.grid{stroke:#d1d9e0;stroke-width:1}.one{stroke:#1f2328;stroke-width:1.5}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.axis{fill:#9198a1}.grid{stroke:#3d444d}.one{stroke:#e6edf3}}"""


def along(value: float, ends: tuple[float, float], low: float, high: float) -> float:
    inside = min(max(value, ends[0]), ends[1])
    return low + (high - low) * math.log(inside / ends[0]) / math.log(ends[1] / ends[0])


def picture(problems: list[Json], title: str, ratio_of: Callable[[Json], float]) -> str:
    """A dot for each problem: `ratio_of` it above its operations."""
    high = BOTTOM + 44
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE * 3 // 2}" height="{high * 3 // 2}" '
        f'viewBox="0 0 {WIDE} {high}" role="img" aria-label="{html.escape(title)}">',
        f"<style>\n{STYLE}\n</style>",
    ]
    for i, kind in enumerate(CLASSES):
        at = LEFT + 150 * (i % 2)
        svg.append(f'<circle cx="{at + 4}" cy="{12 + 16 * (i // 2)}" r="4" fill="{COLOURS[i]}"/>')
        svg.append(f'<text x="{at + 14}" y="{16 + 16 * (i // 2)}">{kind}</text>')
    for ratio in (0.25, 0.5, 1, 2, 4):
        y = along(ratio, RATIO, BOTTOM, TOP)
        kind = "one" if ratio == 1 else "grid"
        svg.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}" class="{kind}"/>')
        svg.append(f'<text x="{LEFT - 5}" y="{y + 4:.1f}" class="axis end">{ratio:g}</text>')
    for exponent in (8, 9, 10, 11, 12):
        x = along(10.0**exponent, WORK, LEFT, RIGHT)
        svg.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{BOTTOM}" class="grid"/>')
        svg.append(f'<text x="{x:.1f}" y="{BOTTOM + 17}" class="axis mid">1e{exponent}</text>')
    svg.append(f'<text x="{(LEFT + RIGHT) / 2:.0f}" y="{BOTTOM + 36}" class="mid">operations, 2 M N K</text>')
    for each in problems:
        m, n, k = each["m"], each["n"], each["k"]
        ratio = ratio_of(each)
        colour = COLOURS[list(CLASSES).index(class_of(m, n, k))]
        x, y = along(2.0 * m * n * k, WORK, LEFT, RIGHT), along(ratio, RATIO, BOTTOM, TOP)
        words = f"{each['layout']} {m} x {n} x {k}: {ratio:.2f}; {each['plan']}"
        svg.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{html.escape(words)}</title></circle>'
        )
    return "\n".join([*svg, "</svg>", ""])


def pictures(chapter: Chapter, device: str) -> Files:
    problems = [problem for run in runs_of(chapter, device) for problem in run["problems"]]
    drawn = f"{len(problems)} random problems on {device}"
    title = f"{drawn}: the library's time over ours, above their operations"
    figures = chapter.folder / "results/random"
    files: Files = {
        figures / "random.svg": picture(problems, title, lambda each: anchor(each) / each["ours"]).encode()
    }
    predicted = [each for each in problems if each["predicted"]]
    if predicted:
        title = f"{drawn}: our time over the predicted one, above their operations"
        files[figures / "predicted.svg"] = picture(
            predicted, title, lambda each: each["ours"] / each["predicted"]
        ).encode()
    return files


def generate(chapter: Chapter, _: Path = Path()) -> Files:
    devices: list[str] = []

    def whole_of(device: str) -> str:
        devices.append(device)
        return whole_table(chapter, device)

    files = fill_chapter(
        chapter, random=Evidence(whole_of, lambda device: again(chapter, device), "Random problems", names=1)
    )
    return files | pictures(chapter, devices[0]) if devices else files


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--keep":
        sys.exit(guarded(lambda: settle(keep(Path(sys.argv[2])), False)))
    sys.exit(program(__doc__ or "", generate))
