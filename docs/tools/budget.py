#!/usr/bin/env python3
"""Fill <!-- budget: 4096x4096x4096 --options | sm90 gfx942 = 128x128x32 --options --> blocks of the chapters' pages: a
cycle budget.

What the virtual GPU counts for one tile, divided by the rates of machine_table.hpp, says how many clocks each part of
a machine needs for it, and for the named problem of m x n x k. The part that needs most is the predicted limit. Beside
it stands the time of the same problem on the same machine, if a record in results/bench holds one.

The first part of the argument is the problem with its options. Each further part names targets, the tile M x N x K that
a block computes in one step along K, and options that only they need. A tile 256x256x64/2x1 is computed by a cluster of
2 x 1 blocks, and the numbers are one block's. Where rows name several of the chapter's kernels (--kernel), each row
says which, and what a block does once, with its tile of C, has a row of its own. `columns = matrix; predicted` and
`rows = the kernel*` choose a part of the table: excerpt.py.

How it counts: one block runs with K of 4, 8 and 12 tiles and the problem's leading dimensions. The difference is one
tile, the rest is what a block does once. A kernel that takes all of K in one tile (k equal to the tile's) runs once.
Each part works as if it were alone and never waited:
  matrix  matrix instructions by name           FMA     fma() of each thread
  shared  wavefronts of loads and stores        L1      requests, one each clock, or the bytes of their sectors,
          whichever is more
          and 128 bytes a clock of what TMA brings or takes and of what wgmma reads: A and B of each
          instruction
  L2      A and B of each tile once for each block, C once: L1 keeps a block's tile and nothing else
  DRAM    A, B and C once: L2 keeps everything
  issue   requests, FMAs, matrix instructions, shuffles and barriers of warps. Address arithmetic, predicates and
          conversions are
          not counted by the virtual GPU, so the true number is larger.
Blocks are spread evenly over the compute units.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Optional

from bench import duration, records, time_of
from generated import Evidence, Files, fill_chapter, program
from rates import Machine, machine_of, operand_type
from repository import Chapter, Mistake

Clocks = dict[str, Optional[float]]  # of one compute unit, by part; None: the rate is not known

PARTS = ["matrix", "FMA", "shared", "L1", "L2", "DRAM", "issue"]
SAMPLES = [4, 8, 12]  # tiles along K
LANES_BYTES = 64 * 16  # the most that lanes of a warp ask for at once: larger requests are TMA's
BYTES = {"f64": 8, "f32": 4, "tf32": 4, "i32": 4, "f16": 2, "bf16": 2, "i8": 1}


@dataclasses.dataclass(frozen=True)
class Extents:
    m: int
    n: int
    k: int

    def __str__(self) -> str:
        return f"{self.m} x {self.n} x {self.k}"


@dataclasses.dataclass(frozen=True)
class Row:
    """One target of a table."""

    target: str
    problem: Extents
    tile: Extents  # of a block, or of a cluster
    options: str
    cluster: tuple[int, int] = (1, 1)  # blocks along M, along N

    def of_block(self) -> Extents:
        return Extents(self.tile.m // self.cluster[0], self.tile.n // self.cluster[1], self.tile.k)


@dataclasses.dataclass
class Counts:
    """What one block does: the virtual GPU's counters, matrix instructions by name, warps of a block."""

    counters: dict[str, int]
    matrix: dict[str, int]
    warps: int
    record: dict[str, Any]

    def combined(self, other: "Counts", combine: Callable[[int, int], float]) -> "Counts":
        counters = {name: combine(value, other.counters[name]) for name, value in self.counters.items()}
        matrix = {
            name: combine(self.matrix.get(name, 0), other.matrix.get(name, 0))
            for name in {**self.matrix, **other.matrix}
        }
        return Counts(counters, matrix, self.warps, self.record)  # type: ignore[arg-type]


@dataclasses.dataclass
class Budget:
    """Clocks of one compute unit for a tile, or for a block that has only one, and for its share of the whole
    kernel."""

    tile: Clocks
    once: Clocks  # what a block does for its tile of C, beside tiles along K
    kernel: Clocks
    limit: str
    record: dict[str, Any]  # of a sample: dtype, layout, ... as the program understood them

    def seconds(self, machine: Machine) -> float:
        return (self.kernel[self.limit] or 0) / (machine.clock.value or 1)


def extents(text: str, where: str) -> Extents:
    match = re.fullmatch(r"(\d+)x(\d+)x(\d+)", text)
    if not match:
        raise Mistake(f"{where}: '{text}' wants three numbers MxNxK, such as 128x128x32")
    return Extents(*map(int, match.groups()))


def parse(argument: str, where: str) -> list[Row]:
    """The rows that the argument of a block asks for."""
    problem_text, *groups = [part.strip() for part in argument.split("|")]
    size, _, options = problem_text.partition(" ")
    problem = extents(size, where)
    rows = []
    for group in groups:
        targets, equals, rest = group.partition("=")
        size, _, own = rest.strip().partition(" ")
        if not equals or not targets.split():
            raise Mistake(f"{where}: '{group}' wants TARGETS = MxNxK")
        size, _, blocks = size.partition("/")
        cluster = (1, 1)
        if blocks:
            along = re.fullmatch(r"([1-9])x([1-9])", blocks)
            if not along:
                raise Mistake(f"{where}: '/{blocks}' wants the blocks of a cluster, such as /2x1")
            cluster = (int(along.group(1)), int(along.group(2)))
        tile = extents(size, where)
        if tile.m % cluster[0] or tile.n % cluster[1]:
            raise Mistake(f"{where}: {blocks} blocks do not divide a tile of {tile}")
        if problem.m % tile.m or problem.n % tile.n or problem.k % tile.k:
            raise Mistake(f"{where}: a tile of {tile} does not divide {problem}")
        rows += [Row(target, problem, tile, f"{options} {own}".strip(), cluster) for target in targets.split()]
    if not rows:
        raise Mistake(f"{where}: block 'budget: {argument}' wants MxNxK OPTIONS | TARGETS = MxNxK | ...")
    return rows


@functools.cache  # README.md and lab.md show the same runs
def count(binary: Path, row: Row, tiles: int, warp: int) -> Counts:
    """What a block does when one runs, or one cluster, with this many tiles along K and the leading dimensions of the
    whole problem."""
    layout = re.search(r"--layout (\w\w)", row.options)
    a, b = layout.group(1) if layout else "nn"
    leading = [
        row.problem.m if a == "t" else row.problem.k,
        row.problem.k if b == "t" else row.problem.n,
        row.problem.n,
    ]
    command = [
        str(binary),
        "--target",
        row.target,
        *shlex.split(row.options),
        "--m",
        str(row.tile.m),
        "--n",
        str(row.tile.n),
        "--k",
        str(tiles * row.tile.k),
        "--lda",
        str(leading[0]),
        "--ldb",
        str(leading[1]),
        "--ldc",
        str(leading[2]),
        "--json",
        "-",
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
    if done.returncode:
        raise Mistake(f"{shlex.join(command)}: exit code {done.returncode}\n{done.stderr}")
    record = json.loads(done.stdout)
    kernel = record["kernels"][-1]  # the last of the runs on generated inputs, which do the same
    blocks = row.cluster[0] * row.cluster[1]
    if len(record["kernels"]) != len(record["checks"]) or kernel["blocks"] != blocks:
        raise Mistake(
            f"{shlex.join(command)}: launches {len(record['kernels'])} kernels for {len(record['checks'])} checks, "
            "with "
            f"{kernel['blocks']} blocks: a budget wants the tile of one block of one kernel"
        )
    counters = {name: value // blocks for name, value in kernel["counters"].items()}
    if blocks > 1:  # what others of the cluster have sent for lands here, too
        tile = row.of_block()
        counters["multicast_bytes"] = (tile.m + tile.n) * tile.k * tiles * BYTES[
            record["parameters"]["dtype"]
        ] - counters["global_load_bytes"]
    matrix = {name: value // blocks for name, value in kernel.get("matrix_instructions", {}).items()}
    return Counts(counters, matrix, -(-kernel["threads"] // warp), record)


def ratio(amount: float, rate: Optional[float]) -> Optional[float]:
    return None if rate is None else amount / rate


def unseen_bytes(counts: Counts) -> float:
    """What passes through shared memory without a load or a store of a thread: copies by TMA, operands of wgmma."""
    of = counts.counters
    total = float(of.get("multicast_bytes", 0))
    for kind in ("load", "store"):
        requests, moved = of[f"global_{kind}_requests"], of[f"global_{kind}_bytes"]
        total += moved if moved > LANES_BYTES * requests else 0
    for name, number in counts.matrix.items():
        shape = re.fullmatch(r"wgmma\..*m(\d+)n(\d+)k(\d+)\..*", name)
        if shape:
            m, n, k = map(int, shape.groups())
            total += number * (m + n) * k * BYTES[operand_type(name)]
    return total


def private_clocks(counts: Counts, machine: Machine) -> Clocks:
    """The clocks of the parts that belong to one compute unit."""
    of = counts.counters
    global_requests = of["global_load_requests"] + of["global_store_requests"]
    shared_requests = of["shared_load_requests"] + of["shared_store_requests"]
    sector_bytes = (of["global_load_sectors"] + of["global_store_sectors"]) * machine.piece
    instructions = (
        global_requests
        + shared_requests
        + of["fma"] / machine.warp
        + sum(counts.matrix.values())
        + of["shuffles"]
        + of["warp_syncs"]
        + of["barriers"] * counts.warps
    )
    l1 = ratio(sector_bytes, machine.l1.value)
    return {
        "matrix": sum(number * machine.matrix_clocks(name) for name, number in counts.matrix.items()),
        "FMA": ratio(of["fma"], machine.fma.value),
        "shared": ratio(
            of["shared_load_wavefronts"] + of["shared_store_wavefronts"] + unseen_bytes(counts) / 128,
            machine.shared.value,
        ),
        "L1": None if l1 is None else max(l1, global_requests),
        "issue": ratio(instructions, machine.issue.value),
    }


def shared_out(l2_bytes: float, dram_bytes: float, machine: Machine) -> Clocks:
    """The clocks of the parts that all compute units share, as if each had an equal part of them."""
    dram = (machine.dram.value or 0) / (machine.clock.value or 1)  # bytes per clock
    return {"L2": ratio(l2_bytes * machine.units, machine.l2.value), "DRAM": ratio(dram_bytes * machine.units, dram)}


def plus(a: Clocks, b: Clocks, times: float = 1) -> Clocks:
    return {
        part: None if a[part] is None or b[part] is None else (a[part] or 0) + times * (b[part] or 0) for part in PARTS
    }


def budget_of(row: Row, machine: Machine, sample: Callable[[int], Counts]) -> Budget:
    """Clocks from what `sample(tiles)` counts."""
    problem, tile = row.problem, row.of_block()
    blocks, tiles = problem.m // tile.m * (problem.n // tile.n), problem.k // tile.k
    shared_by = row.cluster[0] * row.cluster[1]  # a cluster fetches its tile once
    if tiles == 1:
        of_tile = sample(1)
        of_block = of_tile.combined(of_tile, lambda one, _: 0)
    else:
        few, more, most = [sample(number) for number in SAMPLES]
        step = SAMPLES[1] - SAMPLES[0]
        of_tile = more.combined(few, lambda later, earlier: (later - earlier) / step)
        if most.combined(more, lambda later, earlier: (later - earlier) / step).counters != of_tile.counters:
            raise Mistake(
                f"{row.target} {row.options}: tiles of {tile} do not all cost the same, so they cannot be multiplied: "
                "is the step along K another one?"
            )
        of_block = few.combined(of_tile, lambda all_of_them, one: all_of_them - SAMPLES[0] * one)
    parameters = of_tile.record["parameters"]
    in_bytes, out_bytes = BYTES[parameters["dtype"]], BYTES[parameters["out_dtype"]]
    operands = (problem.m + problem.n) * problem.k * in_bytes
    result = problem.m * problem.n * out_bytes * (1 if parameters["beta"] == 0 else 2)
    per_tile = {
        **private_clocks(of_tile, machine),
        **shared_out((row.tile.m + row.tile.n) * tile.k * in_bytes / shared_by, operands / blocks / tiles, machine),
    }
    per_block = {**private_clocks(of_block, machine), **shared_out(result / blocks, result / blocks, machine)}
    whole = plus(per_block, per_tile, tiles)
    kernel = {part: None if clocks is None else clocks * blocks / machine.units for part, clocks in whole.items()}
    limit = max(PARTS, key=lambda part: kernel[part] or 0)
    return Budget(per_tile if tiles > 1 else whole, per_block, kernel, limit, of_tile.record)


def number(clocks: Optional[float], scale: float = 1) -> str:
    if clocks is None:
        return "-"
    value = clocks / scale
    return "0" if value == 0 else f"{value:,.0f}" if value >= 99.5 else f"{value:.2g}"


def cells(clocks: Clocks, limit: str, scale: float = 1) -> str:
    return " | ".join(
        f"**{number(clocks[part], scale)}**" if part == limit else number(clocks[part], scale) for part in PARTS
    )


def table(chapter: Chapter, binaries: Path, rows: list[Row], budgets: list[Budget]) -> str:
    heading = f"| target | clocks of | {' | '.join(PARTS)} | limit | predicted | measured |"
    lines = [heading, "|---|---|" + "--:|" * len(PARTS) + "---|--:|---|"]
    several = len({budget.record["parameters"].get("kernel") for budget in budgets}) > 1
    for row, budget in zip(rows, budgets):
        machine = machine_of(row.target, binaries)
        measured = time_of(records(chapter), machine.name, row.problem, budget.record["parameters"])
        tile_limit = max(PARTS, key=lambda part: budget.tile[part] or 0)
        step = f"a tile, {row.of_block()}" if row.problem.k > row.tile.k else f"a block, {row.of_block()}"
        name = f"{row.target}, {budget.record['parameters']['kernel']}" if several else row.target
        lines.append(f"| {name} | {step} | {cells(budget.tile, tile_limit)} | {tile_limit} | | |")
        if several:
            once_limit = max(PARTS, key=lambda part: budget.once[part] or 0)
            lines.append(f"| | once a block | {cells(budget.once, once_limit)} | {once_limit} | | |")
        lines.append(
            f"| | the kernel, in thousands | {cells(budget.kernel, budget.limit, 1e3)} | {budget.limit} | "
            f"{duration(budget.seconds(machine))} | {duration(measured) if measured else 'not measured'} |"
        )
    machines = [machine_of(target, binaries) for target in dict.fromkeys(row.target for row in rows)]
    stand_for = ", ".join(
        f"{m.target} is one {m.name} with {m.units} compute units at {(m.clock.value or 0) / 1e6:,.0f} MHz"
        for m in machines
    )
    by_target = {
        row.target: budget.record["kernels"][-1].get("assumed_rules", False) for row, budget in zip(rows, budgets)
    }
    engines = {
        row.target
        for row, budget in zip(rows, budgets)
        if any("wgmma" in name for name in budget.record["kernels"][-1].get("matrix_instructions", {}))
    }
    assumptions = {
        m.target: m.assumed()
        + (["rules of banks"] if by_target[m.target] else [])
        + (["operands of wgmma"] if m.target in engines else [])
        for m in machines
    }
    assumed = [f"{target}'s {', '.join(words)}" for target, words in assumptions.items() if words]
    remark = (
        f" Assumed, because the maker does not state them: {'; '.join(assumed)}. A dash: nothing is known."
        if assumed
        else ""
    )
    lines += ["", f"Clocks of one compute unit for {rows[0].problem}. {stand_for}.{remark}"]
    return "\n".join(lines)


def block(chapter: Chapter, binaries: Path, argument: str) -> str:
    rows = parse(argument, str(chapter.readme))
    budgets = [
        budget_of(
            row,
            machine_of(row.target, binaries),
            lambda tiles, row=row: count(binaries / chapter.name, row, tiles, machine_of(row.target, binaries).warp),
        )  # type: ignore[misc]
        for row in rows
    ]
    return table(chapter, binaries, rows, budgets)


def generate(chapter: Chapter, binaries: Path) -> Files:
    return fill_chapter(
        chapter,
        budget=Evidence(
            lambda argument: block(chapter, binaries, argument),
            lambda _: f"Computed by `docs/tools/budget.py {chapter.number}`.",
            "Cycle budget",
        ),
    )


if __name__ == "__main__":
    sys.exit(program(__doc__ or "", generate))
