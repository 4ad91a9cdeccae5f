#!/usr/bin/env python3
"""Fill the <!-- isa: gfx942 gfx90a --> blocks of the chapters' pages: what a compiler makes of each configuration's
loop.

The records are results/isa/TARGET.json; tests/backend/hip/gemm_check.py --keep makes them, and tests what they show.
Nothing here was measured: these are instructions, and clocks at the rates of machine_table.hpp.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from generated import Files, fill_chapter, program
from repository import Chapter, Mistake, kernel_hash

Json = dict[str, Any]


def cells(row: Json) -> list[str]:
    banks = f"{row['shared_clocks'] / row['product_clocks']:.3f}" if row["product_clocks"] else "-"
    per_32 = 32 * row["instructions"] / row["products"]
    tile = f"{row['m']} x {row['n']} x {row['k']}, {row['warps_m']} x {row['warps_n']} warps"
    clocks = [
        f"{value:,.0f}" if value else "-" for value in (row["product_clocks"], row["shared_clocks"], row["load_clocks"])
    ] + [f"{row['issue_clocks']:,.0f}"]
    return [
        f"`{row['instruction']}`",
        tile,
        f"{row['instructions']} for {row['products']}",
        f"{per_32:.0f}",
        str(row["vector"]),
        str(row["run"]),
        str(row["registers"]),
        *clocks,
        banks,
    ]


def table(chapter: Chapter, targets: list[str]) -> str:
    lines = [
        "| target | instruction | tile | instructions for products | for 32 | vector | longest run | registers | "
        "matrix | shared | loads | issue | shared : matrix |",
        "|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    compilers = set()
    for target in targets:
        path = chapter.folder / "results/isa" / f"{target}.json"
        if not path.exists():
            raise Mistake(f"{path}: there is no record of {target}: tests/backend/hip/gemm_check.py --keep makes one")
        record = json.loads(path.read_text())
        same = kernel_hash(chapter.folder / "kernel.hpp") == record["kernel_sha256"]
        compilers.add(record["compiler"] + ("" if same else f" (an earlier kernel on {target})"))
        lines += [f"| {target} | {' | '.join(cells(row))} |" for row in record["rows"]]
    return "\n".join(
        [
            *lines,
            "",
            f"As {', '.join(sorted(compilers))} compiles them, waits not counted; the right half has clocks of a "
            "compute unit for a block's tile, at documented rates. "
            "Times, also against hipBLASLt and rocBLAS: not measured here.",
        ]
    )


def generate(chapter: Chapter, _: Path) -> Files:
    return fill_chapter(chapter, isa=lambda argument: table(chapter, argument.split()))


if __name__ == "__main__":
    sys.exit(program(__doc__ or "", generate))
