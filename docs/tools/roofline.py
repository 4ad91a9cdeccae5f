#!/usr/bin/env python3
"""Draw docs/roofline.svg: how fast each chapter of README.md's ladder is, over its problem's arithmetic intensity,
below what DRAM and the tensor cores allow.

The device and the chapters are those of the block <!-- ladder: DEVICE --> of README.md. A point's height is the TFLOP/s
of the ladder. Its place from left to right is FLOP for each byte of the problem: A and B are read once and C is written
once, which is the least that any kernel moves; what a kernel moves beyond that is not in the picture. DRAM's line is
the most that a copy reached beside these chapters, mma.sync's the most of its loop on registers, each the median of one
run; wgmma's is the maker's statement, for no record measures it alone.
"""

from __future__ import annotations

import dataclasses
import html
import itertools
import math
import sys
from pathlib import Path
from typing import Any, Optional

from console import Arguments
from generated import Files, blocks, guarded, settle
from ladder import ChapterResult, ladder, three_digits
from rates import Machine, machines
from repository import ROOT, Mistake

Json = dict[str, Any]

BYTES = {"f32": 4, "f16": 2}
# The clock at which NVIDIA states what tensor cores do, not the highest of the device: see h100_paper in
# machine_table.hpp.
STATED_AT = 1.83e9

# ---- the picture's measures, in pixels of a screen that is 390 wide
# ----------------------------------------------------------------------------------

WIDE, FONT, LETTER = 390, 12.5, 7.6  # the letter is as wide as the widest of the fonts named below
LEFT, RIGHT, TOP, BOTTOM = 44, 380, 30, 380
LEAST, MOST = (8.0, 2.0), (65536.0, 1500.0)  # FLOP a byte, TFLOP/s
NEAR = 1.08  # chapters whose rates differ by less share a label

STYLE = f"""text{{font:{FONT}px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}}
.end{{text-anchor:end}}.mid{{text-anchor:middle}}.axis{{fill:#656d76}}
.grid{{stroke:#d1d9e0;stroke-width:1}}.ours{{fill:#4f8fd9}}
.roof{{stroke:#c2571a;stroke-width:2;fill:none}}
@media(prefers-color-scheme:dark){{ text{{fill:#e6edf3}}.axis{{fill:#9198a1}}
.grid{{stroke:#3d444d}}.roof{{stroke:#f0a35e}} }}"""


@dataclasses.dataclass(frozen=True)
class Point:
    chapter: str  # its number
    intensity: float  # FLOP for each byte
    rate: float  # TFLOP/s


def problem_bytes(run: Json) -> int:
    """A and B once, C once."""
    given = run["parameters"]
    m, n, k = given["m"], given["n"], given["k"]
    return (m * k + n * k) * BYTES[given["dtype"]] + m * n * BYTES[given["out_dtype"]]


def wgmma(device: str, known: Optional[list[Machine]] = None) -> float:
    """FLOP a second of all tensor cores of a device, as its maker states it."""
    named = [each for each in (machines() if known is None else known) if each.name in device]
    machine = max(named, key=lambda each: len(each.name), default=None)  # H20 is in H200, too
    rate = machine.matrix.get("wgmma f16") if machine else None
    if machine and rate and rate.value:
        return 2 * rate.value * machine.units * STATED_AT
    raise Mistake(f"docs/roofline.svg: machine_table.hpp has no rate of wgmma for {device}: add it with its source")


def points(rows: list[ChapterResult]) -> list[Point]:
    return [
        Point(each.chapter.number, each.run["operations"] / problem_bytes(each.run), each.rate())
        for each in rows
        if each.run
    ]


def measured(rows: list[ChapterResult], name: str) -> Optional[float]:
    """The highest of a ceiling's medians in the runs shown: operations or bytes a second."""
    found = [
        top["per_second"]
        for each in rows
        for top in (each.run or {}).get("ceilings", [])
        if top["name"].startswith(name)
    ]
    return max(found, default=None)


def labels(found: list[Point]) -> list[tuple[str, Point, bool]]:
    """(text, where, right of it?): neighbours of nearly one rate share a label, and sides take turns."""
    result = []
    for _, column in itertools.groupby(sorted(found, key=lambda p: (p.intensity, -p.rate)), key=lambda p: p.intensity):
        groups: list[list[Point]] = []
        for point in column:
            if groups and groups[-1][0].rate / point.rate < NEAR:
                groups[-1].append(point)
            else:
                groups.append([point])
        for number, group in enumerate(groups):
            middle = dataclasses.replace(group[0], rate=math.sqrt(group[0].rate * group[-1].rate))
            result.append((spans(sorted(int(point.chapter) for point in group)), middle, number % 2 == 0))
    return result


def spans(numbers: list[int]) -> str:
    """12, 13, 14, 15, 18 as 12-15 18"""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return " ".join(f"{a:02}" if a == b else f"{a:02}-{b:02}" for a, b in runs)


def x(intensity: float) -> float:
    return LEFT + (RIGHT - LEFT) * math.log(intensity / LEAST[0]) / math.log(MOST[0] / LEAST[0])


def y(rate: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * math.log(rate / LEAST[1]) / math.log(MOST[1] / LEAST[1])


def text(at: float, baseline: float, words: str, kind: str = "") -> str:
    of = f' class="{kind}"' if kind else ""
    return f'<text x="{at:.1f}" y="{baseline:.1f}"{of}>{html.escape(words)}</text>'


def picture(rows: list[ChapterResult], device: str) -> str:
    found = points(rows)
    dram, mma = measured(rows, "copy"), measured(rows, "mma.sync")
    if not found or not dram or not mma:
        raise Mistake(f"docs/roofline.svg: no record of {device} has a copy and mma.sync beside it")
    outside = [p for p in found if not (LEAST[0] < p.intensity < MOST[0] and LEAST[1] < p.rate < MOST[1])]
    if outside:
        raise Mistake(f"docs/roofline.svg: {outside[0]} lies outside of LEAST and MOST of docs/tools/roofline.py")
    title = f"Chapters by TFLOP/s and FLOP per byte on {device}, below the limits of DRAM and of the tensor cores"
    high = BOTTOM + 52
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE * 3 // 2}" height="{high * 3 // 2}" '
        f'viewBox="0 0 {WIDE} {high}" role="img" aria-label="{html.escape(title)}">',
        f"<style>\n{STYLE}\n</style>",
        text(4, 16, "TFLOP/s"),
        text((LEFT + RIGHT) / 2, BOTTOM + 42, "FLOP for each byte of the problem", "mid"),
    ]
    for rate in (10, 100, 1000):
        svg.append(f'<line x1="{LEFT}" y1="{y(rate):.1f}" x2="{RIGHT}" y2="{y(rate):.1f}" class="grid"/>')
        svg.append(text(LEFT - 6, y(rate) + 4, f"{rate}", "axis end"))
    for intensity in (10, 100, 1000, 10000):
        svg.append(f'<line x1="{x(intensity):.1f}" y1="{TOP}" x2="{x(intensity):.1f}" y2="{BOTTOM}" class="grid"/>')
        svg.append(text(x(intensity), BOTTOM + 20, f"{intensity}", "axis mid"))
    left, roof = dram * LEAST[0] / 1e12, wgmma(device) / 1e12
    for top in (roof, mma / 1e12):
        ridge = top * 1e12 / dram
        slope = f"{LEFT},{y(left):.1f} " if top == roof else ""
        svg.append(
            f'<polyline points="{slope}{x(ridge):.1f},{y(top):.1f} {RIGHT},{y(top):.1f}" class="roof"/>'
        )
    svg += [
        text(RIGHT, y(roof) - 6, f"wgmma {three_digits(roof)}", "end"),
        text(RIGHT, y(mma / 1e12) + 15, f"mma.sync {three_digits(mma / 1e12)}", "end"),
        text(LEFT + 4, y(roof) + 16, "DRAM"),
        text(LEFT + 4, y(roof) + 32, f"{dram / 1e12:.1f} TB/s"),
    ]
    for words, where, right in labels(found):
        away = 8 if right else -8
        svg.append(text(x(where.intensity) + away, y(where.rate) + 4, words, "" if right else "end"))
    for point in found:
        svg.append(
            f'<circle cx="{x(point.intensity):.1f}" cy="{y(point.rate):.1f}" r="4" class="ours">'
            f"<title>{point.chapter}: {three_digits(point.rate)} TFLOP/s, {three_digits(point.intensity)} FLOP a byte"
            "</title></circle>"
        )
    return "\n".join([*svg, "</svg>", ""])


def generate(page: Path) -> Files:
    devices = [argument for _, _, kind, argument in blocks(page.read_text(), page) if kind == "ladder"]
    if not devices:
        raise Mistake(f"{page}: has no block <!-- ladder: DEVICE --> that names the roofline's device")
    rows = ladder(page.parent, devices[0])
    full = next((each.run["device"] for each in rows if each.run), devices[0])
    return {page.parent / "docs/roofline.svg": picture(rows, full).encode()}


def main() -> int:
    parser = Arguments(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the picture is stale")
    options = parser.parse_args()
    return settle(generate(ROOT / "README.md"), options.check)


if __name__ == "__main__":
    sys.exit(guarded(main))
