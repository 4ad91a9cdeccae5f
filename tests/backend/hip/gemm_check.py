#!/usr/bin/env python3
"""Compiles a part of chapter 17's kernels for one AMD target, without ROCm, and holds each of its GEMM kernels against
the marks of its tile.

A kernel's name says its configuration: the instruction, the tile, the warps, who lies along what, how tiles travel. So
the table of configurations is the source itself: what it ships is what is checked. Of each kernel the loop with most
matrix instructions is read. Waits (s_waitcnt and its like) are not counted among its instructions.

  registers   no vector register is spilled, nothing is on a stack; 256 registers at most
  occupancy   on CDNA two warps at least share a SIMD, as the compiler says
  spills      scalar registers in lanes of vector registers: none but, for the 64-bit numbers of GELU's series, in
              kernels of f64; none of them in the loop
  loop        its instructions: what the tile must have, and two more
  vector      VALU instructions in the loop
  idle        s_nop in the loop
  shared      reads and writes of shared memory in the loop that are not of 16 bytes
  global      loads in the loop that are not of 16 bytes
  early       matrix instructions between the last load for a later tile and the wait for it: half of a tile's at least
  waits       different waits for a number of loads
  run         other instructions between two matrix instructions: four, or as many as must share the few gaps of a small
              tile
  banks       clocks of shared memory for a tile, as a share of the clocks of its matrix instructions, both at
              documented rates
  stores      C leaves in 16 bytes: every narrow store has its place at an edge beside a wide one
  barriers    in the loop
and those of isa_check.py: scratch, flat, calls.

--self-test: after the kernels have passed, their assembly is spoilt in one place for each check, and the check must
notice. --bad NAME=CHECK: kernels whose name has NAME, a regular expression, must fail CHECK; others are not looked at.
Exit code: 0 all is as it should be, 1 it is not, 77 no clang that knows the target.
"""
from __future__ import annotations

import dataclasses
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Optional

REPOSITORY = Path(__file__).resolve().parents[3]
sys.path[:0] = [
    str(REPOSITORY / "tests/backend"),
    str(REPOSITORY / "tests/backend/hip"),
    str(REPOSITORY / "docs/tools"),
]
from console import Arguments  # noqa: E402
from generated import guarded  # noqa: E402
from isa_check import Kernel, UnknownTarget, compile_to_assembly, count, failed_checks, read_kernels  # noqa: E402
from loops import hottest_loop  # noqa: E402
from rates import BINARIES, Machine, machine_of  # noqa: E402
from repository import kernel_hash  # noqa: E402

PRODUCT = r"v_(mfma|wmma)_"
WAIT = r"s_wait"
LOAD = r"(buffer|global)_load_"
SHARED_READ, SHARED_WRITE = r"ds_(read|load)", r"ds_(write|store)"
SCALAR = r"s_(?!wait|barrier|nop|clause)"
TO_LANES = r"v_(writelane|readlane)_b32|v_accvgpr"
# What tells the unit that issues instructions about those that follow, or has it wait.
HINT = r"s_clause|s_delay_alu|[sv]_nop"


@dataclasses.dataclass(frozen=True)
class Config:
    """What a kernel's name says."""

    op: str
    m: int
    n: int
    k: int
    warps_m: int
    warps_n: int
    resident: int
    type: str
    along: str  # k or mn of A, of B
    route: int
    stages: int
    fragments: int
    banks: int  # of shared memory, that the tiles are swizzled for

    @property
    def warps(self) -> int:
        return self.warps_m * self.warps_n

    @property
    def interleaved(self) -> bool:
        """Does interleave.hpp order the loop? It takes two sets of fragments, and tiles that come through registers."""
        return self.fragments == 2 and self.route == 1

    def __str__(self) -> str:
        return f"{self.op} {self.m} x {self.n} x {self.k}, {self.warps_m} x {self.warps_n} warps"


def config_of(name: str) -> Optional[Config]:
    """The configuration in a demangled name; None if the kernel is no GEMM."""
    name = name.replace("tilestep::", "")
    tile = re.search(
        r"GemmConfig<(\w+)(?:<[^<>]*>)?, BlockTile<([\d, ]+)>, ([\w ]+), \(Contiguous\)(\d), \(Contiguous\)(\d), "
        r"\d+, \(Arrangement\)\d, (\d+)>, \(Route\)(\d), (\d+), (\d+)",
        name,
    )
    if tile is None:
        return None
    m, n, k, warps_m, warps_n, resident = map(int, tile[2].split(", "))
    along = "/".join(("k", "mn", "any")[int(tile[i])] for i in (4, 5))
    return Config(
        tile[1],
        m,
        n,
        k,
        warps_m,
        warps_n,
        resident,
        tile[3],
        along,
        int(tile[7]),
        int(tile[8]),
        int(tile[9]),
        int(tile[6]),
    )


@dataclasses.dataclass(frozen=True)
class Needed:
    """What one pass of a warp over a tile must have, whoever compiles it: all accesses are of 16 bytes."""

    products: int
    accumulators: int  # products that do not wait for each other
    reads: int  # of fragments
    copies: int  # loads for a later tile, and stores of one that has arrived
    barrier: int  # instructions of one barrier

    @property
    def instructions(self) -> int:
        """With two barriers, since the tile's place is the next one's, and four to go round: the step along K, the
        count, the comparison, the branch."""
        return self.products + self.reads + 2 * self.copies + 2 * self.barrier + 4

    @property
    def run(self) -> int:
        """The most other instructions in front of one product, as interleave.hpp shares them out, with a barrier where
        parts meet."""
        half = self.products // 2
        first = (half + 1) // 2
        each = [
            -(-others // max(gaps, 1))
            for others, gaps in (
                (self.reads // 2, half * 3 // 4),
                (self.copies, first - 1),
                (self.reads // 2 + self.copies, half - first),
            )
        ]
        at_once = (
            self.copies if first == 1 else 0
        )  # the stores have no product between them: they stand before the barrier
        return max(each[0], each[1], at_once + self.barrier + each[2])


def needed_by(config: Config, target: str) -> Needed:
    rows, columns, depth = map(int, re.findall(r"(\d+)x(\d+)x(\d+)", config.op)[0])
    lanes, repeats = (
        (64, 1) if target.startswith("gfx9") else (32, 2 if config.op.startswith("RDNA3") else 1)
    )  # RDNA3's lanes hold whole rows, each twice
    line = config.k * {"double": 8, "float": 4, "signed char": 1, "std::int8_t": 1}.get(config.type, 2)
    warp_m, warp_n = config.m // config.warps_m, config.n // config.warps_n
    accumulators = (warp_m // rows) * (warp_n // columns)
    return Needed(
        accumulators * (config.k // depth),
        accumulators,
        (warp_m + warp_n) * line * repeats // (16 * lanes),
        (config.m + config.n) * line // (16 * lanes * config.warps),
        2 if target == "gfx1201" else 1,
    )


@dataclasses.dataclass(frozen=True)
class Facts:
    """What the compiler made of a configuration."""

    registers: int
    occupancy: int
    shared_bytes: int
    vector_spills: int
    scalar_spills: int
    stack: int
    instructions: int  # of the loop, waits not counted
    hints: int  # of these, what the tile does not need
    products: int
    vector: int
    scalar: int
    idle: int
    to_lanes: int
    narrow_shared: int
    narrow_loads: int
    hidden: int  # products between the last load and the wait for it
    waits: int  # different ones for a number of loads
    run: int
    barriers: int
    instruction: str  # of the products, as the assembler names it
    shared_clocks: float  # of a compute unit, for a block's tile
    product_clocks: float
    load_clocks: Optional[float]
    issue_clocks: float
    wide_stores: int
    narrow_stores: int

    @property
    def banks(self) -> Optional[float]:
        return self.shared_clocks / self.product_clocks if self.product_clocks else None

    def per_32(self) -> float:
        return 32 * self.instructions / self.products


def longest_run(loop: list[str]) -> int:
    """Of instructions that are neither products nor waits nor hints, between the first product and the last."""
    kinds = [bool(re.match(PRODUCT, i)) for i in loop if not re.match(f"{WAIT}|{HINT}", i)]
    runs, run = [0], 0
    for product in kinds[kinds.index(True) :]:
        if product:
            runs.append(run)
        run = 0 if product else run + 1
    return max(runs)


def hidden_products(loop: list[str]) -> int:
    """Products between the last load and the next wait for all loads, round the loop. Without such a wait: all."""
    last = max((i for i, instruction in enumerate(loop) if re.match(LOAD, instruction)), default=-1)
    found = 0
    for instruction in loop[last + 1 :] + loop[: last + 1]:
        if re.search(r"vmcnt\(0\)|s_wait_loadcnt\w* 0x0", instruction):
            break
        found += bool(re.match(PRODUCT, instruction))
    return found


def product_clocks(loop: list[str], config: Config, machine: Machine) -> float:
    """Of the matrix units of a compute unit, for a block's tile."""
    names = [instruction_of(i) for i in loop if re.match(PRODUCT, i)]
    return config.warps * sum(machine.matrix_clocks(name) for name in names)


def instruction_of(line: str) -> str:
    return re.sub(r"_e64$", "", line.split()[0])


def facts_of(kernel: Kernel, config: Config, machine: Machine, comments: str) -> Optional[Facts]:
    loop = hottest_loop(kernel.lines, PRODUCT)
    if loop is None:
        return None
    number = {key: int(value) for key, value in kernel.metadata.items() if value.isdigit()}
    occupancy = re.search(r"; Occupancy: (\d+)", comments)
    lanes = machine.warp
    passes = {"b128": 16, "b64": 8, "2": 8, "b32": 4}  # bytes of a lane; a wavefront is 128 bytes
    accesses = [
        re.match(r"ds_(?:read|write|load|store)(?:_\w*?|2\w*?)?_?(b128|b64|b32|u16|b16|u8|b8)", i) for i in loop
    ]
    # 128 bytes in a clock. gfx950 reads twice as many by 16 bytes a lane where the lanes of a phase meet all of its 64
    # banks: tiles that are swizzled for them let them.
    wide = {"b128": 256} if config.banks == 64 else {}
    shared = sum(
        lanes
        * passes.get(a[1], 4)
        * (2 if "2" in a[0].split("_")[1] else 1)
        / (128 if "write" in a[0] else wide.get(a[1], 128))
        for a in accesses
        if a
    )
    waited = {m[0] for i in loop if (m := re.search(r"vmcnt\([1-9]\d*\)|s_wait_loadcnt\w* 0x[1-9a-f]\w*", i))}
    return Facts(
        registers=number[".vgpr_count"],
        occupancy=int(occupancy[1]) if occupancy else 0,
        shared_bytes=number[".group_segment_fixed_size"],
        vector_spills=number[".vgpr_spill_count"],
        scalar_spills=number[".sgpr_spill_count"],
        stack=number[".private_segment_fixed_size"] + count(kernel, "scratch_"),
        instructions=len(loop) - sum(bool(re.match(WAIT, i)) for i in loop),
        hints=sum(bool(re.match(HINT, i)) for i in loop),
        products=sum(bool(re.match(PRODUCT, i)) for i in loop),
        vector=sum(bool(re.match(r"v_(?!mfma_|wmma_|nop)", i)) for i in loop),
        scalar=sum(bool(re.match(SCALAR, i)) for i in loop),
        idle=sum(bool(re.match("[sv]_nop", i)) for i in loop),
        to_lanes=sum(bool(re.match(TO_LANES, i)) for i in loop),
        narrow_shared=sum(bool(re.match(r"ds_(?!(read|write|load|store)_b128)", i)) for i in loop),
        narrow_loads=sum(bool(re.match(r"(buffer|global)_load_(?!dwordx4|b128)|flat_", i)) for i in loop),
        hidden=hidden_products(loop),
        waits=len(waited),
        run=longest_run(loop),
        barriers=sum(bool(re.match(r"s_barrier(_signal)?\b(?!_wait)", i)) for i in loop),
        instruction=next(instruction_of(i) for i in loop if re.match(PRODUCT, i)),
        shared_clocks=config.warps * shared,
        product_clocks=product_clocks(loop, config, machine),
        load_clocks=None
        if not machine.l1.value
        else config.warps * lanes * 16 * sum(bool(re.match(LOAD, i)) for i in loop) / machine.l1.value,
        issue_clocks=config.warps
        * sum(not re.match(WAIT, i) for i in loop)
        / 4,  # one instruction of each of four SIMDs
        wide_stores=count(kernel, r"(buffer|global)_store_(dwordx4|b128)"),
        narrow_stores=count(kernel, r"(buffer|global|flat)_store_(?!dwordx4|b128)"),
    )


@dataclasses.dataclass(frozen=True)
class Marks:
    """What a configuration must keep. None: no mark."""

    loop: int  # instructions, without hints
    instructions: Optional[float] = None  # for 32 products, hints included
    vector: int = 0
    idle: Optional[int] = 0
    run: Optional[int] = 4
    waits: Optional[int] = 3
    hidden: float = 0.5  # of the products of a tile
    banks: Optional[float] = None
    registers: int = 256
    occupancy: Optional[int] = 2
    barriers: int = 2


def marks_of(config: Config, target: str) -> Marks:
    """The marks of chapter 17's README. What a loop must have follows from the tile, so each tile has a mark of its
    own; two instructions more are forgiven. Tiles that fill the matrix units have marks beside it that do not ask what
    they must have: 64 instructions for 32 MFMA of 32 x 32 x 8, four between two of them, half a clock of shared memory
    for a clock of MFMA or little more; and 3 instructions for each WMMA.
    """
    needed = needed_by(config, target)
    marks = Marks(
        loop=needed.instructions + 2, run=None if not config.interleaved else 4 if needed.run <= 4 else needed.run + 1
    )
    if needed.accumulators == 1:  # each product waits for the one before it, and clang says so by s_nop
        marks = dataclasses.replace(marks, idle=None)
    if not target.startswith("gfx9"):  # loads are counted, but waited for in one piece
        return dataclasses.replace(
            marks, waits=None, vector=4, occupancy=None, instructions=96 if config.m * config.n >= 128 * 256 else None
        )
    if config.m * config.n < 256 * 128:
        return marks
    wide = (
        2 if config.op.startswith("CDNA4") and "F32F32" not in config.op else 1
    )  # half the products for the same tile
    return dataclasses.replace(
        marks,
        run=4,
        instructions=64 * wide,
        banks=(0.50 if config.m * config.n >= 256 * 256 else 0.5625) * (wide if target == "gfx950" else 1),
    )


def broken(config: Config, facts: Facts, marks: Marks) -> dict[str, str]:
    """Check -> what is wrong."""
    wrong = {}

    def at_most(check: str, found: Optional[float], limit: Optional[float], what: str) -> None:
        if found is not None and limit is not None and found > limit:
            wrong[check] = f"{found:g} {what}, more than {limit:g}"

    def at_least(check: str, found: int, limit: Optional[int], what: str) -> None:
        if limit is not None and found < limit:
            wrong[check] = f"{found} {what}, fewer than {limit}"

    at_most(
        "registers",
        facts.vector_spills + facts.stack,
        0,
        "vector registers spilled, bytes of stack and scratch instructions",
    )
    if "registers" not in wrong:
        at_most("registers", facts.registers, marks.registers, "vector registers")
    at_least("occupancy", facts.occupancy, marks.occupancy, "warps of a SIMD")
    at_most("spills", facts.scalar_spills, 16 if config.type == "double" else 0, "scalar registers spilled")
    if "spills" not in wrong:
        at_most("spills", facts.to_lanes, 0, "moves between registers and lanes, or accumulators, in the loop")
    at_most("loop", facts.instructions - facts.hints, marks.loop, "instructions")
    if "loop" not in wrong:
        at_most("loop", facts.per_32(), marks.instructions, "instructions for 32 products")
    at_most("vector", facts.vector, marks.vector, "vector instructions in the loop")
    at_most("idle", facts.idle, marks.idle, "s_nop in the loop")
    at_most("shared", facts.narrow_shared, 0, "accesses of shared memory in the loop that are not of 16 bytes")
    at_most("global", facts.narrow_loads, 0, "loads in the loop that are not of 16 bytes")
    at_least(
        "early", facts.hidden, int(marks.hidden * facts.products), "products between the last load and the wait for it"
    )
    at_least("waits", facts.waits, marks.waits, "different waits for a number of loads")
    at_most("run", facts.run, marks.run, "instructions between two products")
    at_most("banks", facts.banks, marks.banks, "clocks of shared memory for each clock of matrix instructions")
    at_most("barriers", facts.barriers, marks.barriers, "barriers in the loop")
    at_least("stores", facts.wide_stores, 1, "stores of 16 bytes")
    if "stores" not in wrong:
        at_most("stores", facts.narrow_stores, 8 * facts.wide_stores, "narrow stores beside wide ones")
    return wrong


def is_for(target: str, op: str) -> bool:
    """Does the target have this instruction? A kernel with another one ends in a trap."""
    families = {
        "CDNA": ("gfx90a", "gfx942", "gfx950"),
        "CDNA2": ("gfx90a",),
        "CDNA3": ("gfx942", "gfx950"),
        "CDNA4": ("gfx950",),
        "RDNA3": ("gfx1100",),
        "RDNA4": ("gfx1201",),
    }
    return target in families.get(op.split("_")[0], ())


def read_gemms(text: str, machine: Machine) -> list[tuple[Kernel, Config, Optional[Facts]]]:
    found = []
    for kernel in read_kernels(text):
        config = config_of(kernel.name)
        if config is not None and is_for(machine.target, config.op):
            start = text.index(f"\n{kernel.symbol}:")
            found.append(
                (kernel, config, facts_of(kernel, config, machine, text[start : text.find("; Occupancy:", start) + 32]))
            )
    return found


# Check -> ways to spoil a line of the loop: (what it matches, what stands there instead).
SPOILT = {
    "registers": [(PRODUCT, "{0}\n\tscratch_store_dword off, v0, off")],
    "spills": [(PRODUCT, "{0}\n\tv_readlane_b32 s0, v0, 0"), (PRODUCT, "{0}\n\tv_accvgpr_read_b32 v0, a0")],
    "vector": [(PRODUCT, "{0}" + "\n\tv_add_u32_e32 v0, v0, v0" * 9)],
    "idle": [(PRODUCT, "s_nop 0\n\t{0}")],
    "shared": [
        (SHARED_READ + "_b128", "{0}\n\tds_read_u16 v0, v1"),
        (SHARED_WRITE + "_b128", "{0}\n\tds_write_b64 v0, v[1:2]"),
    ],
    "global": [
        (LOAD, "buffer_load_ushort v0, v1, s[0:3], 0 offen\n\t{0}"),
        (LOAD, "flat_load_dwordx4 v[0:3], v[4:5]\n\t{0}"),
    ],
    "early": [(LOAD, "{0}\n\ts_waitcnt vmcnt(0)")],
    "run": [(PRODUCT, "{0}" + "\n\ts_add_i32 s0, s0, s0" * 13)],
    "loop": [(PRODUCT, "{0}" + "\n\ts_add_i32 s0, s0, s0" * 3)],
    "barriers": [(PRODUCT, "{0}\n\ts_barrier")],
}


def spoil(kernel: Kernel, check: str, pattern: str, instead: str) -> Kernel:
    """The same kernel with the last line of its loop that fits replaced."""
    loop = hottest_loop(kernel.lines, PRODUCT) or []
    victim = [line for line in loop if re.match(pattern, line)][-2 if check == "run" else -1]
    lines = []
    for line in kernel.lines:
        lines += instead.format(line).replace("\t", "").split("\n") if line == victim else [line]
    return kernel._replace(lines=lines, instructions=[line for line in lines if not line.endswith(":")])


def self_test(gemms: list[tuple[Kernel, Config, Optional[Facts]]], machine: Machine) -> list[str]:
    """Checks that a spoilt loop does not fail."""
    missed = []
    for kernel, config, facts in gemms:
        marks = marks_of(config, machine.target)
        if marks.run is None or facts is None or facts.products < 16:
            continue  # the strictest marks are enough
        for check, ways in SPOILT.items():
            for pattern, instead in ways:
                spoilt = facts_of(spoil(kernel, check, pattern, instead), config, machine, "; Occupancy: 2")
                if spoilt is None or check not in broken(config, spoilt, dataclasses.replace(marks, idle=0)):
                    missed.append(f"{config}: {check}: a spoilt loop passes: {instead}")
        for check, change in {
            "waits": {"waits": 2},
            "occupancy": {"occupancy": 1},
            "banks": {"shared_clocks": 1e6},
            "stores": {"wide_stores": 0},
        }.items():
            if check not in broken(
                config,
                dataclasses.replace(facts, **change),
                dataclasses.replace(marks, banks=marks.banks or 1, waits=3, occupancy=2),
            ):
                missed.append(f"{config}: {check}: passes with {change}")
    return missed


def row(config: Config, facts: Facts) -> str:
    banks = f"{facts.banks:.3f}" if facts.banks is not None else "-"
    return (
        f"{config}, {config.along}: {facts.instructions} instructions for {facts.products} products, {facts.vector} "
        f"vector, {facts.scalar} scalar, {facts.idle} nops, {facts.waits} waits, "
        f"run {facts.run}, hidden {facts.hidden}, {facts.barriers} barriers, banks {banks}, {facts.registers} "
        f"registers, occupancy {facts.occupancy}, {facts.shared_bytes} bytes, "
        f"stores {facts.wide_stores} wide {facts.narrow_stores} narrow, {facts.scalar_spills} scalars in lanes"
    )


def keep(path: Path, compiler: str, target: str, kernel: Path, rows: list[dict[str, Any]]) -> None:
    """Adds rows to a record of a kernel, in place of those of the same configuration."""
    names = [field.name for field in dataclasses.fields(Config)]
    old = json.loads(path.read_text())["rows"] if path.exists() else []
    by_config = {tuple(row[name] for name in names): row for row in old + rows}
    ordered = sorted(by_config.values(), key=lambda row: (row["op"], -row["m"] * row["n"]))
    path.parent.mkdir(parents=True, exist_ok=True)
    record = {
        "target": target,
        "compiler": compiler,
        "kernel_sha256": kernel_hash(kernel),
        "command": "tests/backend/hip/gemm_check.py",
    }
    path.write_text(
        json.dumps(record, indent=2)[:-2]
        + ',\n  "rows": [\n    '
        + ",\n    ".join(json.dumps(row) for row in ordered)
        + "\n  ]\n}\n"
    )


def main() -> int:
    parser = Arguments(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--target", required=True, help="gfx90a, gfx942, gfx950, gfx1100, gfx1201")
    parser.add_argument("--clang", default="clang++-19")
    parser.add_argument("--include", type=Path, action="append", default=[], help="a further include folder")
    parser.add_argument("--define", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--output", type=Path, required=True, help="the assembly file to write")
    parser.add_argument(
        "--compiled-by", metavar="CLANG", help="the assembly file is there already, made by this compiler"
    )
    parser.add_argument("--bin", type=Path, default=BINARIES, help="where the program `machines` is")
    parser.add_argument("--self-test", action="store_true", help="spoilt loops must fail")
    parser.add_argument(
        "--bad", action="append", default=[], metavar="NAME=CHECK", help="kernels of that name must fail this check"
    )
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FILE",
        help="write what was found there, in place of what it has of the same tiles",
    )
    arguments = parser.parse_args()

    compiler = arguments.compiled_by
    if not compiler:
        clang = shutil.which(arguments.clang)
        if clang is None:
            print(f"skipped: there is no {arguments.clang} on this machine")
            return 77
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        try:
            compile_to_assembly(
                clang, arguments.target, arguments.source, arguments.output, arguments.include, arguments.define
            )
        except UnknownTarget:
            print(f"skipped: {arguments.clang} does not know {arguments.target}")
            return 77
        except subprocess.CalledProcessError:
            print(f"{arguments.source} does not compile for {arguments.target}")
            return 1
        version = re.search(
            r"clang version (\d+\.\d+)",
            subprocess.run([clang, "--version"], check=True, text=True, stdout=subprocess.PIPE).stdout,
        )
        compiler = f"clang {version[1]}" if version else "clang"
    machine = machine_of(arguments.target, arguments.bin)
    gemms = read_gemms(arguments.output.read_text(), machine)
    wrong = [] if gemms else [f"{arguments.source}: no GEMM kernel was compiled for {arguments.target}"]
    for kernel, config, facts in gemms:
        if facts is None:
            wrong.append(f"{config}: no loop with matrix instructions")
            continue
        print(f"{arguments.target}: {row(config, facts)}")
        found = broken(config, facts, marks_of(config, arguments.target)) | dict(
            failed_checks(kernel, facts.scalar_spills)
        )
        if not arguments.bad:
            wrong += [f"{config}: {check}: {what}" for check, what in found.items()]
    for bad in arguments.bad:
        name, check = bad.rsplit("=", 1)
        chosen = [(config, facts) for kernel, config, facts in gemms if facts and re.search(name, kernel.name)]
        wrong += [f"{name}: there is no such kernel"] if not chosen else []
        wrong += [
            f"{config}: passes {check}, and should not"
            for config, facts in chosen
            if check not in broken(config, facts, marks_of(config, arguments.target))
        ]
    if arguments.self_test and not wrong:
        wrong = self_test(gemms, machine)
    if arguments.keep and not wrong:
        keep(
            arguments.keep,
            compiler,
            arguments.target,
            next(folder / "kernel.hpp" for folder in arguments.include if (folder / "kernel.hpp").exists()),
            [{**dataclasses.asdict(config), **dataclasses.asdict(facts)} for _, config, facts in gemms if facts],
        )
    for line in wrong:
        print(f"{arguments.target}: {line}")
    print(f"{arguments.target}: {len(gemms)} GEMM kernels, {len(wrong)} checks failed, {arguments.output}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(guarded(main))
