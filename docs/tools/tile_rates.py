#!/usr/bin/env python3
"""Measure how fast the tiles of chapter 17 multiply, which its rule must know, on the NVIDIA GPU that is here.

    docs/tools/tile_rates.py PROGRAM RECORD   measures, in less than a minute
    docs/tools/tile_rates.py --keep RECORD    puts it into chapters/17_optimized_gemm/results/calibration
    docs/tools/tile_rates.py [--check]        writes the chapter's tables/tile_rates.hpp from this record

`./tutorial bench 17 --calibrate` does all three.

The problems are chosen by the tile: as many blocks as the GPU's units hold at once, one for each unit, and one more for
each after the first round; many steps along K, and few. Of a step remains the rate; of one block for each unit, and of
one more, how many blocks of a full unit they last as long as. f32 is read element by element where rows start at no
multiples of 16 bytes: there the problems have one element of K more.
"""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from generated import Files, guarded, settle
from records import load, name, number, refuse, whole
from repository import ROOT, Mistake

Json = dict[str, Any]

CHAPTER = ROOT / "chapters/17_optimized_gemm"
RECORDS = CHAPTER / "results/calibration"
TABLE = CHAPTER / "tables/tile_rates.hpp"
# The tiles of a type, and how many blocks of each a unit holds: families.hpp.
TILES = {
    "f32": {"128x128x8": 2, "64x64x8": 4, "64x64x32": 4, "32x64x16": 8, "8x128x16": 12},
    "bf16": {"128x256x32": 1, "128x128x32": 2, "64x128x64": 2, "128x64x64": 1, "64x64x128": 1, "32x64x64": 2,
             "16x64x64": 2},
    "tf32": {"128x256x16": 1, "128x128x16": 2, "64x128x32": 2},
    "i8": {"128x256x64": 1, "128x128x64": 2, "64x128x128": 2},
}
BY_ELEMENTS = ("f32",)
OUT = {"tf32": "f32", "i8": "i32"}
# Multiply-adds of a unit in a clock, and clocks of a nanosecond: of the H200, in machine_table.hpp.
PER_CLOCK, CLOCK = {"f32": 128, "bf16": 1231, "tf32": 610, "i8": 2452}, 1.98
FEW, MANY = 512, {"f32": 4096, "bf16": 4096, "tf32": 4096, "i8": 8192}  # of K
ROWS, COLUMNS = 12, 11  # a block for each of 132 units
UNITS = ROWS * COLUMNS

RECORD = {
    "kind": str,
    "device": name,
    "driver": str,
    "commit": str,
    "units": whole,
    "tiles": {"*": {"*": {"one": number, "full": number, "more": number, "few": number}}},
    "by_elements": {"*": {"*": {"one": number, "full": number, "more": number, "few": number}}},
}


def problems(dtype: str, tile: str, more_of_k: int = 0) -> dict[str, tuple[int, int, int]]:
    """m, n, k of the problems whose names the record has."""
    m, n, _ = map(int, tile.split("x"))
    resident = TILES[dtype][tile]
    blocks = {"one": 1, "full": resident, "more": resident + 1}
    some = {each: (ROWS * m, COLUMNS * n * count, MANY[dtype] + more_of_k) for each, count in blocks.items()}
    return some | {"few": (ROWS * m, COLUMNS * n * resident, FEW + more_of_k)}


def measured(program: str, dtype: str, tile: str, some: dict[str, tuple[int, int, int]]) -> tuple[Json, Json]:
    """Seconds of each problem on a tile, and the program's record. The first turn warms the device."""
    with tempfile.TemporaryDirectory(prefix="tilestep-") as folder:
        listed, record = Path(folder) / "list.csv", Path(folder) / "record.json"
        lines = [f"{dtype},{OUT.get(dtype, dtype)},nt,{m},{n},{k}" for m, n, k in some.values()]
        listed.write_text("\n".join(["dtype,out-dtype,layout,m,n,k", *lines]) + "\n")
        options = ["--tile", tile, "--split-k", "1", "--exchange", "no", "--against", "nothing"]
        command = [program, *options, "--tune", str(listed), "--json", str(record)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        taken = json.loads(record.read_text())
    if taken["units"] != UNITS:
        raise Mistake(f"{taken['device']} has {taken['units']} compute units: the problems are for {UNITS}")
    turns = [each["planned"]["seconds"] for each in taken["problems"]]
    return {each: statistics.median(seconds[1:] or seconds) for each, seconds in zip(some, turns)}, taken


def calibrate(program: str, path: Path) -> None:
    """Writes the record anew after each tile: a machine may be lent for a few minutes."""
    sections: Json = {"tiles": {}, "by_elements": {}}
    for section, types, more_of_k in (("tiles", tuple(TILES), 0), ("by_elements", BY_ELEMENTS, 1)):
        for dtype in types:
            for tile in TILES[dtype]:
                some = problems(dtype, tile, more_of_k)
                sections[section].setdefault(dtype, {})[tile], taken = measured(program, dtype, tile, some)
                head = {key: taken[key] for key in ("device", "driver", "commit", "units")}
                path.write_text(text_of({"kind": "rates", **head, **sections}))


def text_of(record: Json) -> str:
    """The record, a tile on a line."""
    sections = ("tiles", "by_elements")
    text = json.dumps({key: value for key, value in record.items() if key not in sections}, indent=1)[:-2]
    for section in sections:
        types = [
            f"  {json.dumps(dtype)}: {{\n"
            + ",\n".join(f"   {json.dumps(tile)}: {json.dumps(times)}" for tile, times in tiles.items())
            + "\n  }"
            for dtype, tiles in record[section].items()
        ]
        text += f",\n {json.dumps(section)}: {{\n" + ",\n".join(types) + "\n }"
    return text + "\n}\n"


def rate(dtype: str, tile: str, times: Json) -> tuple[float, float, float]:
    """The part of a unit's rate that its blocks reach; and as how many blocks of a full unit one alone lasts, and one
    more after a full round. A block alone is no faster than one beside others, and one more takes no less than one."""
    m, n, _ = map(int, tile.split("x"))
    resident = TILES[dtype][tile]
    step = (times["full"] - times["few"]) / (MANY[dtype] - FEW)  # seconds for one k
    begin = times["full"] - MANY[dtype] * step
    block = MANY[dtype] * step / resident
    return (
        m * n * resident / (step * 1e9 * CLOCK * PER_CLOCK[dtype]),
        max(1.0, (times["one"] - begin) / block),
        max(1.0, (times["more"] - times["full"]) / block),
    )


def generate() -> Files:
    found = sorted(RECORDS.glob("*.json"))
    if len(found) != 1:
        raise Mistake(f"{RECORDS} has {len(found)} records: the table is one device's")
    record = json.loads(found[0].read_text())
    rows = [
        "    {{DType::{}, \"{}\", {}, {:.3f}, {:.2f}, {:.2f}}},".format(
            dtype, tile, "true" if section == "by_elements" else "false", *rate(dtype, tile, times)
        )
        for section in ("tiles", "by_elements")
        for dtype, tiles in record[section].items()
        for tile, times in tiles.items()
    ]
    text = f"""#pragma once
// Written by docs/tools/tile_rates.py from {found[0].relative_to(ROOT)}: {record['device']}, driver {record['driver']}.
// Change the record, not this file.

#include <tilestep/harness/types.hpp>  // DType

#include <string_view>  // names of tiles

namespace tilestep {{

/// How fast a tile's blocks multiply where all units work.
struct TileRate {{
  DType dtype;
  std::string_view tile;
  bool by_elements;  ///< its operands are read element by element
  double of_rate;  ///< the part of a unit's rate that as many blocks as it holds reach
  double alone;    ///< one block for each unit lasts as long as so many of a full unit
  double after;    ///< the same of one block more for each unit, after a round of full units
}};

inline constexpr TileRate tile_rates[]{{
{chr(10).join(rows)}
}};

}}  // namespace tilestep
"""
    return {TABLE: text.encode()}


def keep(paths: list[Path]) -> Files:
    """The chapter's record of the device, from one file."""
    what, path = "./tutorial bench 17 --calibrate", paths[0]
    record = load(path, what, RECORD)
    lacks = [tile for dtype in TILES for tile in TILES[dtype] if tile not in record["tiles"].get(dtype, {})]
    by_elements = record["by_elements"]
    lacks += [tile for dtype in BY_ELEMENTS for tile in TILES[dtype] if tile not in by_elements.get(dtype, {})]
    if record["kind"] != "rates" or lacks:
        refuse(path, what, f"it lacks {lacks[0]}" if lacks else "it is of another kind")
    kept = RECORDS / (re.sub(r"[^a-z0-9]+", "-", record["device"].lower()) + ".json")
    return {kept: text_of(record).encode()}


def main() -> int:
    if len(sys.argv) == 3 and sys.argv[1] == "--keep":
        return settle(keep([Path(sys.argv[2])]), False) or settle(generate(), False)
    if len(sys.argv) == 3:
        calibrate(sys.argv[1], Path(sys.argv[2]))
        return 0
    return settle(generate(), "--check" in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(guarded(main))
