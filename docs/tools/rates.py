"""How fast the parts of a machine work: what a cycle budget divides by.

The numbers and their sources stand in common/backend/any/include/tilestep/backend/machine_table.hpp, and the program
`machines` prints them. Here are the formulas. A rate is that of one compute unit (an SM of NVIDIA, a CU of AMD) in one
clock, unless its name says otherwise. Where nobody states one it is None, and the budget shows a dash.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import re
import subprocess
from pathlib import Path
from typing import Any, Optional

from repository import Mistake, build_folder

BINARIES = build_folder() / "host/bin"


@dataclasses.dataclass(frozen=True)
class Rate:
    value: Optional[float]
    source: str
    evidence: str = "documented"  # or measured, assumed, unknown


@dataclasses.dataclass(frozen=True)
class Machine:
    """One GPU."""

    name: str  # part of the name by which the device calls itself
    target: str
    units: int  # compute units
    warp: int  # threads
    piece: int  # bytes that L1 moves at least for what the virtual GPU counts as a sector
    clock: Rate  # the highest, in Hz
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
            raise Mistake(f"machine_table.hpp: has no rate of {instruction} on {self.name}: add it with its source")
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
        return [name for name, rate in named.items() if rate.evidence == "assumed"]


def operand_type(instruction: str) -> str:
    """The type of A in a matrix instruction's name."""
    if instruction.startswith("wgmma"):  # wgmma.mma_async.sync.aligned.m64n256k16.D.A.B
        name = instruction.split(".")[-2]
    elif instruction.startswith("mma"):  # mma.sync.aligned.m16n8k16.row.col.D.A.B.C
        name = instruction.split(".")[-3]
    else:  # v_mfma_D_32x32x8_A, v_mfma_i32_32x32x8i8, v_wmma_D_16x16x16_A; v_mfma_f64_4x4x4_4b_f64 has its blocks
        name = re.sub(r".*x\d+_?", "", instruction)
    return {"s8": "i8", "u8": "i8", "iu8": "i8", "bf16_1k": "bf16"}.get(name, name)


def read_machine(described: dict[str, Any]) -> Machine:
    """A machine as the program describes it."""
    return Machine(
        name=described["name"],
        target=described["target"],
        units=described["compute_units"],
        warp=described["warp_size"],
        piece=described["l1_piece"],
        matrix={kind: Rate(**rate) for kind, rate in described["matrix"].items()},
        **{part: Rate(**rate) for part, rate in described["rates"].items()},
    )


@functools.lru_cache(maxsize=None)
def machines(binaries: Path = BINARIES) -> list[Machine]:
    """The table of machines, the first of each target standing for it."""
    program = binaries / "machines"
    if not program.exists():
        raise Mistake(f"{program}: is not there: cmake --build build/host --target machines makes it")
    printed = subprocess.run([str(program), "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [read_machine(described) for described in json.loads(printed)]


def machine_of(target: str, binaries: Path = BINARIES) -> Machine:
    """The machine that stands for a target."""
    known = machines(binaries)
    for machine in known:
        if machine.target == target:
            return machine
    targets = ", ".join(dict.fromkeys(machine.target for machine in known))
    raise Mistake(f"there is no machine of {target} in machine_table.hpp: choose one of {targets}")
