#!/usr/bin/env python3
"""Fill the <!-- ladder: DEVICE --> block of README.md and draw docs/ladder.svg: how fast each GEMM chapter is, from the
records in chapters/*/results/bench.

All rows are of one problem: 4096 x 4096 x 4096 in f16 with C in f32, A and B along K (layout nt), nothing after the
sum, on the device whose name contains DEVICE; a chapter's row is the fastest of its records of it. A chapter without
f16 is shown in f32, one that has K in one tile with the K that it has: their rows name their problem.
"""

from __future__ import annotations

import dataclasses
import html
import statistics
import sys
from pathlib import Path
from typing import Any, Optional

from bench import ceiling, records, seconds
from console import Arguments
from generated import Files, blocks, fill, guarded, settle
from repository import ROOT, Chapter, Mistake, chapters

Json = dict[str, Any]

SIDE = 4096


@dataclasses.dataclass(frozen=True)
class ChapterResult:
    """The fastest product of a chapter, or none."""

    chapter: Chapter
    run: Optional[Json]  # the record that is shown

    def rate(self) -> float:
        return self.run["operations"] / seconds(self.run, "kernel") / 1e12

    def vendor_rate(self) -> Optional[float]:
        return self.run["operations"] / seconds(self.run, "vendor") / 1e12 if "ratio" in self.run else None

    def ceiling_rate(self) -> Optional[float]:
        best = ceiling(self.run)
        return best["per_second"] / 1e12 if best else None

    def type(self) -> str:
        return self.run["parameters"]["dtype"]

    def layout(self) -> str:
        return self.run["parameters"]["layout"]

    def other_k(self) -> list[str]:
        """K where it is not that of the others."""
        k = self.run["parameters"]["k"]
        return [f"K = {k}"] if k != SIDE else []

    def problem(self) -> str:
        """Types, layout, options; and K where it is another one."""
        options = self.run["parameters"].get("options")
        return ", ".join([self.type(), self.layout(), *self.other_k(), *filter(None, [options])])


def is_gemm(chapter: Chapter) -> bool:
    main = chapter.folder / "main.cpp"
    return main.exists() and "gemm_main(" in main.read_text()


def eligible(run: Json, device: str) -> bool:
    parameters = run["parameters"]
    plain = parameters.get("alpha", 1) == 1 and parameters.get("beta", 0) == 0 and parameters.get("batch", 1) == 1
    alone = not any(parameters.get(key) for key in ("bias", "activation", "residual"))
    square = parameters["m"] == parameters["n"] == SIDE and parameters["k"] <= SIDE
    return device in run["device"] and square and plain and alone


def kind(run: dict[str, Any]) -> tuple[str, str]:
    """The types of the operands and of C."""
    return run["parameters"]["dtype"], run["parameters"]["out_dtype"]


def best_of(chapter: Chapter, device: str) -> ChapterResult:
    found = [run for run in records(chapter) if eligible(run, device)]
    f16 = [run for run in found if kind(run) == ("f16", "f32")]
    problem = [run for run in f16 if run["parameters"]["layout"] == "nt"]
    found = problem or f16 or [run for run in found if kind(run) == ("f32", "f32")]
    deepest = max((run["parameters"]["k"] for run in found), default=0)
    found = [run for run in found if run["parameters"]["k"] == deepest]
    return ChapterResult(chapter, max(found, key=lambda run: run["operations"] / seconds(run, "kernel"), default=None))


def ladder(root: Path, device: str) -> list[ChapterResult]:
    return [best_of(chapter, device) for chapter in chapters(root) if is_gemm(chapter)]


def three_digits(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def table(rows: list[ChapterResult]) -> str:
    lines = ["| chapter | problem | TFLOP/s | of the library's | of the ceiling |", "|---|---|--:|--:|--:|"]
    for each in rows:
        name = f"[{each.chapter.name}](chapters/{each.chapter.name}/README.md)"
        if not each.run:
            lines.append(f"| {name} | not measured | | | |")
            continue
        top = each.ceiling_rate()
        cells = [
            name,
            each.problem(),
            three_digits(each.rate()),
            f"{each.run['ratio']['median']:.2f}" if "ratio" in each.run else "not measured",
            f"{each.rate() / top:.2f}" if top else "not measured",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


# ---- the picture: a bar for each chapter, and on its row what the library and the ceiling gave in the same run. Names
# stand in the bars, or behind them where there is room, so that a telephone shows the picture whole. Chapters of one
# type stand below a heading, which names the problem; what a chapter's problem has of its own stands behind its name.

LEFT, RIGHT, TOP, ROW, BAR = 84, 374, 62, 20, 16
WIDE, FONT, LETTER = 390, 12.5, 7.6  # the letter is as wide as the widest of the fonts named below

STYLE = f""":root{{color-scheme:light dark}}
text{{font:{FONT}px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}}
.end{{text-anchor:end}}.mid{{text-anchor:middle}}.axis{{fill:#656d76}}.caption{{font-weight:bold}}
.grid{{stroke:#d1d9e0;stroke-width:1}}.ours{{fill:#6ea6e6}}.in{{fill:#0d1117}}
.vendor{{stroke:#c2571a;stroke-width:3}}.ceiling{{stroke:#1f2328;stroke-width:3}}
@media(prefers-color-scheme:dark){{ text{{fill:#e6edf3}}.axis{{fill:#9198a1}}
.grid{{stroke:#3d444d}}.vendor{{stroke:#f0a35e}}.ceiling{{stroke:#e6edf3}} }}"""


def grid_step(most: float) -> float:
    """A round number of TFLOP/s, five to ten of which reach the largest value."""
    return next(
        step
        for power in range(-2, 6)
        for step in (1 * 10**power, 2 * 10**power, 5 * 10**power)
        if most / step <= 8
    )


@dataclasses.dataclass
class Group:
    """Neighbours of one type, and those between them that are not measured."""

    rows: list[ChapterResult]

    def measured(self) -> list[ChapterResult]:
        return [each for each in self.rows if each.run]

    def layout(self) -> str:
        """That of most."""
        return statistics.mode(each.layout() for each in self.measured())

    def heading(self) -> str:
        return f"{self.measured()[0].type()}, {self.layout()}" if self.measured() else ""

    def label(self, each: ChapterResult) -> str:
        """The chapter's name, and what of its problem the heading does not say."""
        name = each.chapter.name.partition("_")[2]
        own = [*([each.layout()] if each.layout() != self.layout() else []), *each.other_k()]
        return ", ".join([name, *(word.replace(" ", "") for word in own)])  # short: it stands between two marks


def groups(rows: list[ChapterResult]) -> list[Group]:
    found: list[Group] = []
    for each in rows:
        before = found[-1].measured() if found else []
        if not found or (each.run and before and each.type() != before[0].type()):
            found.append(Group([]))
        found[-1].rows.append(each)
    return found


def picture(rows: list[ChapterResult], device: str) -> str:
    shown = [each for each in rows if each.run]
    values = [value for each in shown for value in (each.rate(), each.vendor_rate(), each.ceiling_rate()) if value]
    step = grid_step(max(values, default=1.0))
    lines = int(max(values, default=1.0) / step) + 1
    found = groups(rows)
    bottom = TOP + ROW * (len(rows) + len(found))
    high = bottom + 28

    def x(value: float) -> float:
        return LEFT + (RIGHT - LEFT) * value / (step * lines)

    title = f"TFLOP/s at 4096 x 4096 x 4096, {device}"
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE * 3 // 2}" height="{high * 3 // 2}" '
        f'viewBox="0 0 {WIDE} {high}" role="img" aria-label="{html.escape(title)}">',
        f"<style>\n{STYLE}\n</style>",
        f'<text x="4" y="16" class="caption">{html.escape(title)}</text>',
    ]
    for at, base, kind, label in (
        (4, 34, "ours", "the chapter"),
        (130, 34, "vendor", "the vendor's library"),
        (4, 52, "ceiling", "the instruction alone, on registers"),
    ):
        mark = (
            f'<rect x="{at}" y="{base - 10}" width="12" height="11" class="ours"/>'
            if kind == "ours"
            else f'<line x1="{at + 6}" y1="{base - 11}" x2="{at + 6}" y2="{base + 2}" class="{kind}"/>'
        )
        svg += [mark, f'<text x="{at + 18}" y="{base}">{label}</text>']
    for line in range(lines + 1):
        svg.append(f'<line x1="{x(step * line):.1f}" y1="{TOP}" x2="{x(step * line):.1f}" y2="{bottom}" class="grid"/>')
        if line % 2 == 0:
            svg.append(f'<text x="{x(step * line):.1f}" y="{bottom + 18}" class="axis mid">{step * line:g}</text>')
    picture_rows = [(group, each) for group in found for each in (None, *group.rows)]
    for number, (group, each) in enumerate(picture_rows):
        y = TOP + ROW * number + (ROW - BAR) // 2
        base = y + BAR - 4
        if each is None:
            svg.append(f'<text x="4" y="{base}" class="caption">{html.escape(group.heading())}</text>')
            continue
        svg.append(f'<text x="4" y="{base}">{each.chapter.number}</text>')
        if not each.run:
            name = each.chapter.name.partition("_")[2]
            svg.append(f'<text x="{LEFT + 8}" y="{base}" class="axis">{html.escape(name)}: not measured</text>')
            continue
        name = group.label(each)
        rate = each.rate()
        marks = [(kind, value) for kind, value in (("vendor", each.vendor_rate()), ("ceiling", each.ceiling_rate()))]
        long = len(name) * LETTER
        inside = LEFT + 5 + long <= x(rate)
        at = LEFT + 5 if inside else x(rate) + 6
        for value in sorted(value for _, value in marks if value and not inside):
            if x(value) - 4 < at + long:  # behind a mark that would lie on the name
                at = max(at, x(value) + 6)
        if at + long > WIDE:
            raise Mistake(f"docs/ladder.svg: '{name}' leaves the picture: shorten what docs/tools/ladder.py writes")
        bar = (
            f'<rect x="{LEFT}" y="{y}" width="{x(rate) - LEFT:.1f}" height="{BAR}" class="ours">'
            f"<title>{html.escape(each.problem())}: {three_digits(rate)} TFLOP/s</title></rect>"
        )
        kind = ' class="in"' if inside else ""
        words = f'<text x="{at:.1f}" y="{base}"{kind}>{html.escape(name)}</text>'
        svg += [
            f'<text x="{LEFT - 8}" y="{base}" class="end">{three_digits(rate)}</text>',
            f"<g>{bar}{words}</g>" if inside else f"{bar}{words}",
        ]
        for kind, value in marks:
            if not value:
                continue
            svg.append(
                f'<line x1="{x(value):.1f}" y1="{y - 1}" x2="{x(value):.1f}" y2="{y + BAR + 1}" class="{kind}">'
                f"<title>{three_digits(value)} TFLOP/s</title></line>"
            )
    return "\n".join([*svg, "</svg>", ""])


def generate(page: Path) -> Files:
    """The page with its table, and the picture of the same device."""
    root = page.parent
    devices = [argument for _, _, kind, argument in blocks(page.read_text(), page) if kind == "ladder"]
    if len(devices) > 1 or not all(devices):
        raise Mistake(f"{page}: wants one block <!-- ladder: DEVICE -->")
    if not devices:
        return {}
    rows = ladder(root, devices[0])
    full = next((each.run["device"] for each in rows if each.run), devices[0])
    return {
        **fill(page, ladder=lambda _argument: table(rows)),
        root / "docs/ladder.svg": picture(rows, full).encode(),
    }


if __name__ == "__main__":
    parser = Arguments(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 when the page or the picture is stale"
    )
    sys.exit(guarded(lambda: settle(generate(ROOT / "README.md"), parser.parse_args().check)))
