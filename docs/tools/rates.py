"""How fast the parts of a machine work, as far as its maker says: what a cycle budget divides by.

A rate is that of one compute unit (an SM of NVIDIA, a CU of AMD) in one clock, unless its name says otherwise. A rate
that no maker states is marked as assumed; where there is nothing to assume it is None, and the budget shows a dash.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Optional

from repository import Mistake


@dataclasses.dataclass(frozen=True)
class Rate:
    value: Optional[float]
    source: str
    assumed: bool = False


@dataclasses.dataclass(frozen=True)
class Machine:
    """One GPU."""

    name: str  # part of the name by which the device calls itself
    target: str
    units: int  # compute units
    warp: int  # threads
    piece: int  # bytes that L1 moves at least for what the virtual GPU counts as a sector
    clock: Rate  # of the whole chip, in Hz: the highest that the maker states
    fma: Rate  # multiply-adds in f32
    matrix: dict[str, Rate]  # multiply-adds by the type of A and B, where wgmma has its own by "wgmma f16"
    shared: Rate  # wavefronts: passes over 32 banks of 4 bytes
    l1: Rate  # bytes that the first cache gives or takes
    l2: Rate  # bytes, of the whole chip
    dram: Rate  # bytes a second, of the whole chip
    issue: Rate  # instructions of a warp

    def matrix_clocks(self, instruction: str) -> float:
        """How long one such instruction keeps the matrix units of a compute unit busy, if they share all of them
        evenly."""
        shape = re.search(r"m(\d+)n(\d+)k(\d+)", instruction) or re.search(r"_(\d+)x(\d+)x(\d+)", instruction)
        kind = operand_type(instruction)
        rate = self.matrix.get(kind)
        if instruction.startswith("wgmma"):
            rate = self.matrix.get(f"wgmma {kind}", rate)
        if not shape or not rate or not rate.value:
            raise Mistake(f"docs/tools/rates.py: has no rate of {instruction} on {self.name}: add it with its source")
        m, n, k = map(int, shape.groups())
        return m * n * k / rate.value

    def assumed(self) -> list[str]:
        """The rates that no maker states, in words."""
        matrix = next(iter(self.matrix.values()))
        named = {
            "matrix": matrix,
            "FMA": self.fma,
            "shared memory": self.shared,
            "L1": self.l1,
            "L2": self.l2,
            "DRAM": self.dram,
            "issue": self.issue,
        }
        return [name for name, rate in named.items() if rate.assumed]


def operand_type(instruction: str) -> str:
    """The type of A in a matrix instruction's name."""
    if instruction.startswith("wgmma"):  # wgmma.mma_async.sync.aligned.m64n256k16.D.A.B
        name = instruction.split(".")[-2]
    elif instruction.startswith("mma"):  # mma.sync.aligned.m16n8k16.row.col.D.A.B.C
        name = instruction.split(".")[-3]
    else:  # v_mfma_D_32x32x8_A, v_mfma_i32_32x32x8i8, v_wmma_D_16x16x16_A; v_mfma_f64_4x4x4_4b_f64 has its blocks
        name = re.sub(r".*x\d+_?", "", instruction)
    return {"s8": "i8", "iu8": "i8", "bf16_1k": "bf16"}.get(name, name)


def _each(source: str, assumed: bool = False, **values: float) -> dict[str, Rate]:
    return {kind: Rate(value, source, assumed) for kind, value in values.items()}


# Dense TFLOP/s of the table divided by units, by clock and by 2: 989.4e12 / 132 / 1.83e9 / 2 = 2048 in f16.
_H100 = (
    "NVIDIA H100 Tensor Core GPU Architecture, table of H100 SXM5 (1830 MHz with tensor cores); the same chip in H200"
)
# mma.sync does not reach that: TFLOP/s of its loop on registers, divided by units, by 1.98e9 and by 2.
_MEASURED = (
    "measured: mma.sync on registers alone at 1980 MHz, the highest median among the ceilings of "
    "chapters/*/results/bench"
)
# Peaks of the profiler's panels, divided by 2 where they count a multiply-add as two.
_PROFILER = "ROCm Compute Profiler, System Speed-of-Light of {}"
_CALCULATOR = "AMD matrix instruction calculator: passes of each MFMA; four SIMDs with a matrix unit each"
_OF_A_BLOCK = {"4b_f64": 16}  # of one of the four blocks of v_mfma_f64_4x4x4_4b_f64

H200 = Machine(
    name="H200",
    target="sm90",
    units=132,
    warp=32,
    piece=32,
    clock=Rate(1.98e9, "nvidia-smi: clocks.max.sm of an H200"),
    fma=Rate(128, "CUDA C++ Programming Guide, throughput of native arithmetic instructions, compute capability 9.0"),
    matrix={
        **_each(_MEASURED, f16=1234, bf16=1231, tf32=610, i8=2453),
        **_each(_H100, **{"wgmma f16": 2048, "wgmma bf16": 2048}),
        # 66.9e12 / 132 / 1.98e9 / 2
        **_each("NVIDIA H100 Tensor Core GPU Architecture, table of H100 SXM5: FP64 by tensor cores", f64=128),
    },
    shared=Rate(
        1, "CUDA C++ Programming Guide, shared memory of compute capability 5.x and later: 32 bits per bank and clock"
    ),
    l1=Rate(
        128,
        "no statement: L1 is the memory that shared memory is a part of, so it has shared memory's width",
        assumed=True,
    ),
    l2=Rate(
        5120,
        "no statement for Hopper: NVIDIA A100 Tensor Core GPU Architecture says 5120 bytes per clock for A100",
        assumed=True,
    ),
    dram=Rate(4.8e12, "NVIDIA H200 datasheet"),
    issue=Rate(4, "NVIDIA H100 Tensor Core GPU Architecture: four schedulers in an SM, one instruction per clock each"),
)

MI300X = Machine(
    name="MI300X",
    target="gfx942",
    units=304,
    warp=64,
    piece=128,
    clock=Rate(2.1e9, "AMD Instinct MI300X datasheet, peak engine clock"),
    fma=Rate(64, _PROFILER.format("gfx942")),
    matrix=_each(_CALCULATOR, f16=1024, bf16=1024, f32=128, i8=2048, f64=128, **_OF_A_BLOCK),
    shared=Rate(1, _PROFILER.format("gfx942") + ": 128 bytes"),
    l1=Rate(128, _PROFILER.format("gfx942")),
    l2=Rate(128 * 128, _PROFILER.format("gfx942") + ": 128 bytes in each channel, 16 channels in each of 8 XCDs"),
    dram=Rate(5.3e12, "AMD Instinct MI300X datasheet"),
    issue=Rate(5, _PROFILER.format("gfx942") + ": highest IPC, one instruction of each kind"),
)

MI250X = Machine(
    name="MI250X",
    target="gfx90a",
    units=110,
    warp=64,
    piece=64,
    clock=Rate(1.7e9, "AMD Instinct MI250X datasheet, peak engine clock; one of its two dies, which is one device"),
    fma=Rate(64, _PROFILER.format("gfx90a")),
    matrix=_each(_CALCULATOR, f16=512, bf16=512, f32=128, i8=512, f64=128, **_OF_A_BLOCK),
    shared=Rate(1, _PROFILER.format("gfx90a") + ": 128 bytes"),
    l1=Rate(64, _PROFILER.format("gfx90a") + "; it counts an access as 64 bytes, half of a line of L2"),
    l2=Rate(64 * 32, _PROFILER.format("gfx90a") + ": 64 bytes in each of 32 channels"),
    dram=Rate(1.6e12, "AMD Instinct MI250X datasheet: 3.2 TB/s of both dies"),
    issue=Rate(5, _PROFILER.format("gfx90a") + ": highest IPC, one instruction of each kind"),
)

RX7900XTX = Machine(
    name="RX 7900 XTX",
    target="gfx1100",
    units=96,
    warp=32,
    piece=128,
    clock=Rate(2.5e9, "AMD Radeon RX 7900 XTX datasheet, boost clock"),
    fma=Rate(64, _PROFILER.format("gfx1151") + ": one FMA for each of 64 lanes; a dual-issued pair would be two"),
    matrix=_each(
        "AMD GPUOpen, Using the Matrix Cores of RDNA 4: FLOPS per clock and CU of RDNA 3", f16=256, bf16=256, i8=256
    ),
    shared=Rate(1, "no statement: 32 banks of 4 bytes, as in CDNA", assumed=True),
    l1=Rate(None, "no statement"),
    l2=Rate(None, "no statement"),
    dram=Rate(960e9, "AMD Radeon RX 7900 XTX datasheet"),
    issue=Rate(5, _PROFILER.format("gfx1151") + ": highest IPC, one instruction of each kind"),
)

MI355X = Machine(
    name="MI355X",
    target="gfx950",
    units=256,
    warp=64,
    piece=128,
    clock=Rate(2.4e9, "AMD Instinct MI355X datasheet, peak engine clock"),
    fma=Rate(64, _PROFILER.format("gfx942") + "; assumed of gfx950", assumed=True),
    matrix={
        **_each(
            "AMD Instinct MI355X datasheet: 2.5 PFLOP/s in f16, of 256 compute units at 2.4 GHz; LLVM, SISchedule.td: "
            "passes",
            f16=2048,
            bf16=2048,
            f32=128,
            i8=4096,
        ),
        **_each("AMD Instinct MI355X datasheet: 78.6 TFLOP/s of FP64 by matrix units", f64=64),
        **_each("no statement: as in gfx942", assumed=True, **_OF_A_BLOCK),
    },
    shared=Rate(1, "no statement: a wavefront of its 64 banks in each clock", assumed=True),
    l1=Rate(None, "no statement"),
    l2=Rate(None, "no statement"),
    dram=Rate(8e12, "AMD Instinct MI355X datasheet"),
    issue=Rate(5, _PROFILER.format("gfx942") + ": highest IPC; assumed of gfx950", assumed=True),
)

RX9070XT = Machine(
    name="RX 9070 XT",
    target="gfx1201",
    units=64,
    warp=32,
    piece=128,
    clock=Rate(2.97e9, "AMD Radeon RX 9070 XT datasheet, boost clock"),
    fma=Rate(64, _PROFILER.format("gfx1151") + "; assumed of gfx1201", assumed=True),
    matrix=_each(
        "AMD GPUOpen, Using the Matrix Cores of RDNA 4: FLOPS per clock and CU of RDNA 4", f16=512, bf16=512, i8=1024
    ),
    shared=Rate(1, "no statement: 32 banks of 4 bytes, as in CDNA", assumed=True),
    l1=Rate(None, "no statement"),
    l2=Rate(None, "no statement"),
    dram=Rate(640e9, "AMD Radeon RX 9070 XT datasheet"),
    issue=Rate(5, _PROFILER.format("gfx1151") + ": highest IPC; assumed of gfx1201", assumed=True),
)

MACHINES = [H200, MI300X, MI250X, RX7900XTX, MI355X, RX9070XT]


def machine_of(target: str) -> Machine:
    """The machine that stands for a target."""
    for machine in MACHINES:
        if machine.target == target:
            return machine
    raise Mistake(
        f"there are no rates of {target} in docs/tools/rates.py: choose {', '.join(m.target for m in MACHINES)}"
    )
