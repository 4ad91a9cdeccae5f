#!/usr/bin/env python3
"""Measure what the model behind a chapter's plans needs of each tile and of the machine, on the GPU that is here.

    docs/tools/calibrate.py PROGRAM RECORD   measures: RECORD gets every time, a few minutes later
                            [PART ...]       these tiles alone, and the rest only if "machine" is among them: several
                                             GPUs of one kind share the work
    docs/tools/calibrate.py --keep RECORD... puts all of it into the chapter, into the record of its device
    docs/tools/calibrate.py [--check]        writes chapters/20_hopper/tables/times_sm90.hpp from the chapter's records

`./tutorial bench 20 --calibrate` does all three.

The problems are chosen by the tile, not by anyone: one tile, as many as run at once, three times as many; few steps
along K and many; rows that begin at multiples of 128 bytes and elsewhere. Differences of their times are what a step,
a further tile, a copy or a second pass takes. Each run measures all on a warm device.

The record of a device has the shortest time of each problem of all its runs: what disturbs a run, such as other work of
the host, for which a kernel of a few microseconds waits, only makes times longer. Delete it where a kernel has become
slower.
"""

from __future__ import annotations

import json
import math
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Sequence

from generated import Files, guarded, settle
from records import load, name, number, refuse
from repository import ROOT, Mistake

Json = dict[str, Any]

CHAPTER = ROOT / "chapters/20_hopper"
RECORDS = CHAPTER / "results/calibration"
STANDARD = "NVIDIA H200"  # whose constants stand for those of a device without a record
TABLE = CHAPTER / "tables/times_sm90.hpp"
COLUMNS = ("dtype", "out-dtype", "layout", "m", "n", "k", "lda", "ldb", "ldc")
STEP = 64  # elements of K
FEW, MANY, LONG = 16 * STEP, 64 * STEP, 256 * STEP
# The compute units of the devices that have records. The problems below are made for as many, and the names of a
# record's times say so: a device of another number needs problems of its own, and measured() refuses it.
UNITS = 132
# Tiles at once, by blocks of a cluster: rows and columns of a grid that is as square as it gets. Such a device ran 66
# clusters of two at once, and 30 of four.
GRIDS = {1: (12, 11), 2: (11, 6), 4: (6, 5)}
ELSEWHERE, SECTOR = 8, 16  # elements between rows that begin at multiples of 16 bytes, or 32, and no more
# How an operand lies: along K or not, and how many elements more there are from row to row.
PLACES = {"along K": (True, 0), "along K, elsewhere": (True, ELSEWHERE), "across": (False, 0),
          "across, elsewhere": (False, ELSEWHERE)}
AT_SECTORS = {"along K": "along K, at sectors", "across": "across, at sectors"}
# What threads store: rows of C that begin anywhere, columns of C^T that begin at multiples of 16 bytes, and elsewhere.
STORES = ("by threads", "C^T", "C^T, elsewhere")
STEADY, TRIES = 1.1, 4  # turns that differ by more were disturbed: they are measured again, so many times at most

AS_ALONG_K = {"along K": "along K", "along K, elsewhere": "along K, elsewhere", "across": "along K",
              "across, elsewhere": "along K, elsewhere"}


def extents(tile: str) -> tuple[int, int, int]:
    """Rows and columns of C that a cluster computes, and its blocks: 128x256x64-m2 is 256, 256, 2."""
    size, *words = tile.split("-")
    m, n, _ = map(int, size.split("x"))
    along = {word[0]: int(word[1:]) for word in words if word[1:].isdigit()}
    return m * along.get("m", 1), n * along.get("n", 1), along.get("m", 1) * along.get("n", 1)


def problem(m: int, n: int, k: int, a: str = "along K", b: str = "along K", c: int = 0) -> tuple[Any, ...]:
    """One line of a list: how A and B lie, and the elements that are between rows of C."""
    places = PLACES | {name: (how == "along K", SECTOR) for how, name in AT_SECTORS.items()}
    (a_along_k, gap_a), (b_along_k, gap_b) = places[a], places[b]
    layout = ("n" if a_along_k else "t") + ("t" if b_along_k else "n")
    return ("bf16", "bf16", layout, m, n, k, (k if a_along_k else m) + gap_a, (k if b_along_k else n) + gap_b, n + c)


def of_tile(tile: str) -> dict[str, tuple[Any, ...]]:
    m, n, blocks = extents(tile)
    rows, columns = GRIDS[blocks]
    full = (m * rows, n * columns)
    three = (3 * m * rows, n * columns)
    some = {
        "one, few steps": problem(m, n, FEW),
        "one, many steps": problem(m, n, MANY),
        "full, one step": problem(*full, STEP),
        "three, one step": problem(*three, STEP),
        "three, one step, by threads": problem(*three, STEP, c=1),
        "three, few steps": problem(*three, FEW),
        "three, few steps, by threads": problem(*three, FEW, c=1),
        "three, many steps": problem(*three, MANY),
    }
    some["full, few steps, A along K, B along K"] = problem(*full, FEW)
    for place in AT_SECTORS.values():
        some[f"full, many steps, A {place}, B {place}"] = problem(*full, MANY, place, place)
    for a in PLACES:
        for b in PLACES:
            some[f"full, many steps, A {a}, B {b}"] = problem(*full, MANY, a, b)
    return some


def of_transposed(tile: str) -> dict[str, tuple[Any, ...]]:
    """Problems whose tiles and steps are those of of_tile() of the same name where C^T is computed, which threads
    store: rows of C that begin at multiples of 16 bytes, and elsewhere."""
    m, n, blocks = extents(tile)
    rows, columns = GRIDS[blocks]
    return {
        f"three, {steps}, {how}": problem(n * columns, 3 * m * rows, k, c=gap)
        for steps, k in (("one step", STEP), ("few steps", FEW))
        for how, gap in (("C^T", 0), ("C^T, elsewhere", 1))
    }


# On one tile: what does not depend on it.
COMMON, WIDE = "128x128x64", "128x256x64"
# Of the copy, and of the second pass: few products, so that the clock stays.
SMALL, LARGE = (1536, 512, 1024), (12288, 512, 2048)
STREAM = 8192  # of K
# Two tiles read the same rows of B.
SHARING, SHARED = "64x128x64", (128, 128 * 64, STREAM)
# Units that read together: up to a third of them, up to half, and more than that.
READERS = (UNITS // 3, 64, 68)
WRITTEN = (128 * UNITS, 256 * 48)
# Rows across, of which a box of 64 elements reads on into the next.
ENDS = 24
# By threads, in groups of many rows of tiles: a line of C has parts in two tiles, which are not stored together.
PARTS, IN_PARTS, MANY_ROWS = "128x112x64", (128 * 60, 112 * UNITS), 16
# Of each tile: the library's turns heat the card until its power limit lowers the clock.
HOT, IN_TURNS = (8192, 8192, 8192), "long, in turns with the library"


def of_machine() -> dict[str, tuple[str, tuple[Any, ...]]]:
    """The options and the problem of each name."""
    whole = f"--tile {COMMON} --split-k 1 --exchange no"
    some = {}
    for size, (m, n, k) in (("small", SMALL), ("large", LARGE)):
        odd = ("bf16", "bf16", "nt", m, n, k, k + 1, k, n)
        across = ("bf16", "bf16", "tt", m, n, k, m + 1, k, n)
        some[f"{size}, as it is"] = (whole, problem(m, n, k))
        some[f"{size}, on a copy of A"] = (whole, odd)
        some[f"{size}, on a copy of A across"] = (whole, across)
        some[f"{size}, K twice as long in two slices"] = (
            f"--tile {COMMON} --split-k 2 --exchange no",
            problem(m, n, 2 * k),
        )
        some[f"{size}, C^T, K twice as long in two slices"] = (
            f"--tile {COMMON} --split-k 2 --exchange yes",
            problem(n, m, 2 * k),
        )
        # the same tiles and sums, stored where they stay
        some[f"{size}, twice the rows"] = (whole, ("bf16", "f32", "nt", 2 * m, n, k, k, k, n))
    for units in (UNITS, *READERS):
        some[f"few rows on {units} units"] = (
            "--tile 64x128x64 --split-k 1 --exchange no",
            problem(16, units * 128, STREAM),
        )
    for rows in (ENDS, STEP):
        some[f"{rows} rows across on all units"] = (
            "--tile 64x16x64 --split-k 1 --exchange no",
            problem(rows, UNITS * 16, MANY, "across"),
        )
    some["rows that two read"] = (f"--tile {SHARING} --split-k 1 --exchange no", problem(*SHARED))
    some["write in parts"] = (
        f"--tile {PARTS} --split-k 1 --exchange no --group {MANY_ROWS}",
        problem(*IN_PARTS, STEP, c=1),
    )
    some["write"] = (f"--tile {WIDE} --split-k 1 --exchange no", problem(*WRITTEN, STEP))
    return some


def measured(program: str, options: str, problems: list[tuple[Any, ...]]) -> tuple[list[list[float]], Json]:
    """The turns of each problem in seconds, and what the run says of the device. The first turn, which chooses among
    candidates, is left out."""
    with tempfile.TemporaryDirectory(prefix="tilestep-") as folder:
        listed, record = Path(folder) / "list.csv", Path(folder) / "record.json"
        lines = [",".join(map(str, each)) for each in problems]
        listed.write_text("\n".join([",".join(COLUMNS), *lines]) + "\n")
        against = [] if "--against" in options else ["--against", "nothing"]
        command = [program, *options.split(), "--tune", str(listed), *against, "--json", str(record)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        taken = json.loads(record.read_text())
    if taken["units"] != UNITS:
        raise Mistake(f"{taken['device']} has {taken['units']} compute units: the problems of docs/tools/calibrate.py "
                      f"are for {UNITS}; its plans go by the times of {STANDARD}")
    for each in taken["problems"]:
        if "refused" in each:
            sys.exit(f"{options}: {each['problem']}: {each['refused']}")
    head = {key: taken[key] for key in ("device", "driver", "toolkit", "units", "commit", "target", "before", "after")}
    return [each["planned"]["seconds"][1:] for each in taken["problems"]], head


def spread(turns: list[float]) -> float:
    return max(turns) / min(turns)


def steadied(program: str, options: str, problems: Json) -> tuple[Json, Json]:
    """As measured(), by name; what was disturbed is measured again, and the turns that differ least stay."""
    found: Json = {}
    disturbed, head = problems, {}
    for _ in range(TRIES):
        turns, head = measured(program, options, list(disturbed.values()))
        for each, new in zip(disturbed, turns):
            found[each] = min(found.get(each, new), new, key=spread)
        disturbed = {each: problems[each] for each in problems if spread(found[each]) > STEADY}
        if not disturbed:
            break
    return found, head


def tiles_of(program: str) -> list[str]:
    """The tiles that the program offers."""
    said = subprocess.run(
        [program, "--tile", "none", "--dtype", "bf16", "--plan"], capture_output=True, text=True, check=False
    )
    text = said.stdout + said.stderr
    return text[text.index("sm90 has ") + len("sm90 has ") :].split("\n")[0].rstrip(".").split(", ")


def calibrate(program: str, path: Path, only: Sequence[str] = ()) -> None:
    """Writes the record anew after each tile: a machine may be lent for a few minutes.

    @param only  these parts; all where it is empty
    """
    taken = Calibration(path)
    names = [part for part in only or tiles_of(program) if part != "machine"]
    for tile in [names[0], *names]:  # the first is measured twice: the first time warms the device
        options = f"--tile {tile} --split-k 1 --exchange no"
        turns, head = steadied(program, options, of_tile(tile))
        across, head = steadied(program, f"--tile {tile} --split-k 1 --exchange yes", of_transposed(tile))
        hot, head = steadied(program, options + " --against library", {IN_TURNS: problem(*HOT)})
        taken.add("tiles", tile, turns | across | hot, head)
    for name, (options, line) in of_machine().items() if not only or "machine" in only else ():
        turns, head = steadied(program, options, {name: line})
        taken.add("machine", name, turns[name], head)


def text_of(record: Json, turns: Json) -> str:
    """A record with the turns of a problem, or of a tile's, on one line."""
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(each)}" for key, each in turns.items())
    return json.dumps(record, indent=1).removesuffix("\n}") + f',\n "turns": {{\n{lines}\n }}\n}}\n'


class Calibration:
    """The record: medians, which the model takes, and behind them the turns and the device's clock around each run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.times: Json = {"tiles": {}, "machine": {}}
        self.turns: Json = {}
        self.clocks: Json = {}

    def add(self, part: str, name: str, turns: Any, head: Json) -> None:
        """@param turns  in seconds, or those of each problem of a tile by its name"""
        if isinstance(turns, dict):
            self.times[part][name] = {problem: statistics.median(each) for problem, each in turns.items()}
        else:
            self.times[part][name] = statistics.median(turns)
        self.turns[name] = turns
        self.clocks[name] = [head["before"]["clock_mhz"], head["after"]["clock_mhz"]]
        told = {key: value for key, value in head.items() if key not in ("before", "after")}
        record = {"kind": "calibration", **told, **self.times, "clock_mhz": self.clocks}
        self.path.write_text(text_of(record, self.turns))


def times(tile: Json, hides: bool = False) -> Json:
    """The model's constants of a tile, in seconds.

    @param hides  another consumer multiplies while one stores, for records that do not have the time of that
    """
    few, many = FEW // STEP, MANY // STEP

    aligned = "A along K, B along K"
    alone = (tile["one, many steps"] - tile["one, few steps"]) / (many - few)
    full = (tile[f"full, many steps, {aligned}"] - tile[f"full, few steps, {aligned}"]) / (many - few)
    # where L2 is the limit of many steps, few steps seem to have no begin; a tile alone has one
    begin = max(tile[f"full, few steps, {aligned}"] - few * full, tile["one, few steps"] - few * alone, 0.0)
    full = (tile[f"full, many steps, {aligned}"] - begin) / many

    def step(a: str, b: str) -> float:
        """Where an operand that lies across K was not measured: as one along K."""
        names = [f"full, many steps, A {x}, B {y}" for x in (a, AS_ALONG_K[a]) for y in (b, AS_ALONG_K[b])]
        return (next(tile[name] for name in names if name in tile) - begin) / many

    steps = [[step(a, b) for b in PLACES] for a in PLACES]
    longer = 1.0
    if "three, many steps" in tile:  # blocks that are at different steps take a little longer for each
        longer = max(1.0, (tile["three, many steps"] - tile["three, few steps"]) / (3 * (many - few)) / full)
    steps = [[longer * each for each in row] for row in steps]
    between = (tile["three, few steps"] - tile[f"full, few steps, {aligned}"]) / 2 - few * longer * full

    def at_sectors(how: str) -> float:
        """0 as at lines, 1 as elsewhere."""
        names = [f"full, many steps, A {x}, B {x}" for x in (AT_SECTORS[how], how, f"{how}, elsewhere")]
        if not all(name in tile for name in names):
            return 1.0
        sectors, at_lines, elsewhere = (tile[name] for name in names)
        if elsewhere <= at_lines:
            return 1.0
        return min(1.0, max(0.0, (sectors - at_lines) / (elsewhere - at_lines)))

    def by_threads(how: str) -> tuple[float, float]:
        """What a tile takes longer that threads store, and the part of it that many steps do not hide. Of one round of
        tiles the launch would be most."""
        longer = max(0.0, (tile[f"three, one step, {how}"] - tile["three, one step"]) / 3)
        if f"three, few steps, {how}" not in tile:
            return longer, 0.0 if hides else longer
        beside = tile[f"three, few steps, {how}"] - tile["three, few steps"] - longer
        return longer, min(longer, max(0.0, beside / 2))

    stores = [by_threads(how if f"three, one step, {how}" in tile else STORES[0]) for how in STORES]
    return {
        "begin": begin,
        "alone": min(alone, steps[0][0]),
        "step": steps,
        "between": max(0.0, between),
        "one": tile["full, one step"],
        "shortest": (tile["three, one step"] - tile["full, one step"]) / 2,
        "by_threads": [longer for longer, _ in stores],
        "threads_between": [between for _, between in stores],
        "at_sectors": [at_sectors(how) for how in AT_SECTORS],
    }


def line(low: float, high: float, small: float, large: float) -> tuple[float, float]:
    """begin and slope of what takes `low` seconds for `small` bytes and `high` for `large`."""
    slope = (high - low) / (large - small)
    return max(0.0, low - slope * small), slope


def power_alone(tile: str, taken: Json, step: float, machine: Json) -> float:
    """What HOT would take on a tile if power were its only limit: the model adds the sixth powers of that and of the
    steps. A record from before the tiles were measured so has the time of WIDE, for all."""
    if IN_TURNS not in taken and IN_TURNS not in machine:
        return 0.0
    m, n, blocks = extents(tile if IN_TURNS in taken else WIDE)
    rows, columns = GRIDS[blocks]
    steps = step * math.prod(HOT) / (m * rows * n * columns * STEP)
    return max(taken.get(IN_TURNS, machine.get(IN_TURNS, 0.0)) ** 6 - steps**6, 0.0) ** (1 / 6)


def machine_times(record: Json, tiles: Json) -> Json:
    """@param tiles  the record's, apart from launches"""
    machine = record["machine"]

    def difference(size: str, one: str, other: str) -> float:
        return machine[f"{size}, {one}"] - machine[f"{size}, {other}"]

    def copy_of(size: str) -> float:
        """Of an operand along K and one across, as often the one as the other."""
        names = ("on a copy of A", "on a copy of A across")
        return statistics.mean(difference(size, each, "as it is") for each in names if f"{size}, {each}" in machine)

    copy = [copy_of(size) for size in ("small", "large")]
    seconds = [difference(size, "K twice as long in two slices", "twice the rows") for size in ("small", "large")]
    bytes_of_sums = [m * n * (4 * 2 + 2) for m, n, _ in (SMALL, LARGE)]
    # A kernel stores sums of 32 bits, which takes it longer than C's 16: the time of that, beside tiles of as many
    # steps, belongs to the second pass.
    wider = machine["small, twice the rows"] - tiles[COMMON]["full, few steps, A along K, B along K"]

    def second_of(low: float, high: float) -> tuple[float, float]:
        begin, byte = line(low, high, *bytes_of_sums)
        return begin + max(0.0, wider), byte

    second = second_of_transposed = second_of(*seconds)
    if "small, C^T, K twice as long in two slices" in machine:
        across = [
            each + difference(size, "C^T, K twice as long in two slices", "K twice as long in two slices")
            for each, size in zip(seconds, ("small", "large"))
        ]
        second_of_transposed = second_of(*across)
    stream = 128 * STREAM * 2  # bytes that a unit reads, also in the older records

    def reads_on(units: int) -> float:
        older = machine.get(f"stream of {units}", machine.get("stream of 44", 0.0))
        return machine.get(f"few rows on {units} units", older)

    read = shared = reads_on(UNITS) / (UNITS * stream)
    if "rows that two read" in machine and SHARING in tiles:
        t, (m, n, k) = times(tiles[SHARING]), SHARED
        products = t["begin"] + k / STEP * t["step"][0][0]
        # products and memory together take the sixth root of the sum of their sixth powers, as in the model
        memory = max(0.0, machine["rows that two read"] ** 6 - products**6) ** (1 / 6)
        shared = max(read, (memory - t["begin"]) / ((m + n) * k * 2))
    m, n = WRITTEN
    write = machine["write"] / (m * n * 2) if "write" in machine else read
    parts = write
    if "write in parts" in machine and PARTS in tiles:
        t, (rows, columns, _) = times(tiles[PARTS]), extents(PARTS)
        rounds = math.prod(IN_PARTS) / (rows * columns * UNITS)
        kernel = t["one"] + (rounds - 1) * t["shortest"] + rounds * t["by_threads"][0]
        parts = max(write, max(0.0, machine["write in parts"] ** 6 - kernel**6) ** (1 / 6) / (math.prod(IN_PARTS) * 2))
    on = f"{ENDS} rows across on all units"
    beyond = machine[on] - machine[f"{STEP} rows across on all units"] if on in machine else 0.0
    return {
        "copy": copy[0],
        "copy_byte": copy[1] / (2 * LARGE[0] * LARGE[2]),
        "second_begin": second[0],
        "second_byte": second[1],
        "transposed_begin": second_of_transposed[0],
        "transposed_byte": second_of_transposed[1],
        "read_byte": read,
        "shared_byte": shared,
        # where these were not measured: one unit is no limit, and writes are as fast as reads
        "unit_byte": [reads_on(units) / stream for units in READERS],
        "write_byte": write,
        "parts_byte": parts,
        # one for each row of A and of B: no slower than in the tile whose unit asks most often
        "request": min(times(tiles[tile])["alone"] * extents(tile)[2] / sum(extents(tile)[:2]) for tile in tiles),
        "read_on": max(0.0, beyond) / (UNITS * MANY),
    }


def apart_from_launches(record: Json, records: list[Json]) -> Json:
    """The times of a record's tiles. A program launches a kernel every few microseconds, as often as its processor can:
    a time that is hardly longer than the record's shortest one says nothing of the kernel, and the least of all devices
    stands for it."""
    launch = 1.25 * min(min(each.values()) for each in record["tiles"].values())

    def of(tile: str, name: str, time: float) -> float:
        others = (each["tiles"].get(tile, {}).get(name, time) for each in records)
        return min(time, *others) if time < launch else time

    return {
        tile: {name: of(tile, name, time) for name, time in each.items()} for tile, each in record["tiles"].items()
    }


def digits(value: float) -> str:
    return f"{value:.4g}"


def braces(value: Any) -> str:
    return "{" + ", ".join(map(digits, value)) + "}" if isinstance(value, list) else digits(value)


def not_measured(record: Json) -> str:
    """A sentence on the constants that the record lacks, and what stands in their place."""

    def of_all(name: str) -> bool:
        return all(name in tile for tile in record["tiles"].values())

    missing = [
        words
        for words, there in (
            ("operands across K, taken as those along K", of_all("full, many steps, A across, B along K")),
            ("several rounds of many steps, taken as one", of_all("three, many steps")),
            ("writes, taken as reads", "write" in record["machine"]),
            ("writes in parts, taken as whole", "write in parts" in record["machine"]),
            ("operands that several read, taken as those that one reads", "rows that two read" in record["machine"]),
            (
                "rows that read on beyond their operand, taken as those inside",
                f"{ENDS} rows across on all units" in record["machine"],
            ),
            ("units that read beside others, taken as alone", "few rows on 68 units" in record["machine"]),
            *(
                (f"rows {at}, taken as those elsewhere", of_all(f"full, many steps, A {at}, B {at}"))
                for at in AT_SECTORS.values()
            ),
            ("the power limit of each tile, taken as that of one", of_all(IN_TURNS)),
            (
                "the second pass of C^T, taken as that of C",
                "small, C^T, K twice as long in two slices" in record["machine"],
            ),
            (
                "stores by threads between steps, taken as hidden in ping-pong, else not",
                of_all("three, few steps, by threads"),
            ),
            ("stores of C^T, taken as those by threads of C", of_all("three, one step, C^T")),
        )
        if not there
    ]
    return f"// Not measured: {'; '.join(missing)}.\n" if missing else ""


# Two consumers, each with a tile to itself: chapters/20_hopper/families.hpp.
PING_PONG = ("128x192x64", "128x192x64-m2", "128x160x64", "128x128x64", "128x112x64")


def of_device(record: Json, records: list[Json]) -> tuple[str, str]:
    """The rows of a device's tiles, and the entry that names them."""
    rows, tiles = [], apart_from_launches(record, records)
    for tile, taken in tiles.items():
        t = times(taken, tile in PING_PONG)
        measured_on = tile if IN_TURNS in taken or WIDE not in tiles else WIDE
        step = times(tiles[measured_on], measured_on in PING_PONG)["step"][0][0]
        t["product"] = power_alone(tile, taken, step, record["machine"]) / math.prod(HOT)
        steps = ", ".join("{" + ", ".join(map(digits, row)) + "}" for row in t["step"])
        names = ("between", "one", "shortest", "by_threads", "threads_between", "at_sectors", "product")
        rest = ", ".join(braces(t[key]) for key in names)
        rows.append(f'    {{"{tile}", {digits(t["begin"])}, {digits(t["alone"])},\n     {{{steps}}},\n     {rest}}},')
    found = [braces(each) for each in machine_times(record, tiles).values()]
    machine = ", ".join(found[:6]) + ",\n      " + ", ".join(found[6:])
    array = "tiles_of_" + re.sub(r"\W+", "_", record["device"].lower())
    told = f"// {record['device']}, driver {record['driver']}.\n{not_measured(record)}"
    table = f"{told}inline constexpr TileTimes {array}[]{{\n{chr(10).join(rows)}\n}};\n"
    return table, f'    {{"{record["device"]}", {array},\n     {{{machine}}}}},'


def header(records: list[Json]) -> str:
    tables, entries = zip(*(of_device(record, records) for record in records))
    return f"""#pragma once
// Written by docs/tools/calibrate.py from {RECORDS.relative_to(ROOT)}. Seconds. Change the records, not this file.

#include "../model.hpp"  // DeviceTimes

namespace tilestep {{

{chr(10).join(tables)}
/// The first one's stand for those of a device that was not measured.
inline constexpr DeviceTimes times_sm90[]{{
{chr(10).join(entries)}
}};

}}  // namespace tilestep
"""


def all_records() -> list[Json]:
    """One of each device, that of `STANDARD` first."""
    found = [json.loads(path.read_text()) for path in sorted(RECORDS.glob("*.json"))]
    return sorted(found, key=lambda record: record["device"] != STANDARD)


def each_time(record: Json) -> dict[tuple[str, str, str], tuple[float, Any]]:
    """(part, tile or name, problem of a tile) -> the time, and the turns behind it where the record has them."""
    found = {}
    for tile, times in record["tiles"].items():
        turns = record.get("turns", {}).get(tile, {})
        found |= {("tiles", tile, one): (time, turns.get(one)) for one, time in times.items()}
    for one, time in record["machine"].items():
        found["machine", one, ""] = (time, record.get("turns", {}).get(one))
    return found


def shortest(old: Json, new: Json) -> str:
    """The record of both, for the tiles of `new`: of each problem the shorter time, and the turns behind it."""
    before = each_time(old)
    record: Json = {**old, **new, "tiles": {}, "machine": {}}
    record["commit"] = " ".join(dict.fromkeys([*old["commit"].split(), new["commit"]]))
    record["clock_mhz"] = {**old.get("clock_mhz", {}), **new.get("clock_mhz", {})}
    record.pop("turns", None)
    turns: Json = {}
    for (part, key, one), found in each_time(new).items():
        time, behind = min(found, before.get((part, key, one), found), key=lambda each: each[0])
        if part == "machine":
            record[part][key] = time
            turns |= {key: behind} if behind else {}
        else:
            record[part].setdefault(key, {})[one] = time
            turns.setdefault(key, {}).update({one: behind} if behind else {})
    return text_of(record, turns)


def together(paths: list[Path], what: str) -> Json:
    """One record of the parts that several have, all of one kind of device."""
    shape = {"kind": str, "device": name, "driver": str, "tiles": {"*": {"*": number}}, "machine": {"*": number}}
    whole: Json = {}
    for path in paths:
        part = load(path, what, shape)
        if whole and part["device"] != whole["device"]:
            refuse(path, what, f"it is of {part['device']}, and {paths[0]} of {whole['device']}")
        for key in ("tiles", "machine", "turns", "clock_mhz"):
            if key in whole or key in part:
                part[key] = {**whole.get(key, {}), **part.get(key, {})}
        whole = part
    return whole


def keep(paths: list[Path]) -> Files:
    """The chapter's record of the device that these are of: with what that has already, the shortest times."""
    what, path = "./tutorial bench --calibrate", paths[0]
    record = together(paths, what)
    lacks = [one for one in of_machine() if one not in record["machine"]]
    for tile, taken in record["tiles"].items():
        lacks += [f"{tile}: {one}" for one in [*of_tile(tile), *of_transposed(tile), IN_TURNS] if one not in taken]
    if record["kind"] != "calibration" or not record["tiles"] or lacks:
        refuse(path, what, f"it lacks {lacks[0]}" if lacks else "it has no tiles")
    kept = RECORDS / (re.sub(r"[^a-z0-9]+", "-", record["device"].lower()) + ".json")
    if not kept.exists():
        turns = record.pop("turns", {})
        return {kept: text_of(record, turns).encode()}
    return {kept: shortest(json.loads(kept.read_text()), record).encode()}


def generate() -> Files:
    return {TABLE: header(all_records()).encode()}


def main() -> int:
    if len(sys.argv) > 2 and sys.argv[1] == "--keep":
        return settle(keep(list(map(Path, sys.argv[2:]))), False) or settle(generate(), False)
    if len(sys.argv) > 2:
        calibrate(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
        return 0
    return settle(generate(), "--check" in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(guarded(main))
