#!/usr/bin/env python3
"""Make every number of the repository again that this machine can make, and say what the others need.

usage: remeasure.py [--list]   --list runs nothing

Records first, in the order below; then docs/tools/refresh writes the pages. A step is left out, with what it lacks,
where its GPU, profiler or compiler is missing. `./tutorial run` builds what the programs of the virtual GPU are.
Exit code: 0 every step that could run has run, 1 one failed.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

from console import Arguments, ended
import machine
from repository import ROOT, build_folder

BUILD = Path(os.path.relpath(build_folder(), ROOT))  # commands run in ROOT
CUDA, HOST = BUILD / "cuda", BUILD / "host"
SEED = "20261123"  # of the random problems
TARGETS = {"cdna": ["gfx90a", "gfx942"], "cdna4": ["gfx950"], "rdna3": ["gfx1100"], "rdna4": ["gfx1201"]}
WORDS = {
    "nvidia": "an NVIDIA GPU and nvcc",
    "gpu": "a GPU of NVIDIA or AMD and its compiler",
    "several": "two GPUs of one vendor, NVIDIA or AMD, and their compiler",
    "ncu": "an NVIDIA GPU and ncu, its profiler",
    "clang": "clang++-19, or a newer one for gfx950",
    "host": "the programs of the virtual GPU: ./tutorial run",
    "emulator": "a functional emulator of AMD's GPUs, which is not part of this repository",
    "hand": "a hand: no program of this repository makes them",
}


@dataclasses.dataclass(frozen=True)
class Step:
    name: str
    needs: str  # of WORDS
    records: str  # a regular expression of their paths, "" where pages show what programs print
    commands: list[str]


def name_of_device() -> str:
    """As records are called: nvidia-h200."""
    return re.sub(r"[^a-z0-9]+", "-", machine.nvidia_device().lower()).strip("-") or "DEVICE"


def isa_commands() -> list[str]:
    """Each part of chapter 17 by each target that has it."""
    chapter = "chapters/17_optimized_gemm"
    parts = re.findall(r"\b(cdna4?|rdna[34])_(\w+)", (ROOT / chapter / "CMakeLists.txt").read_text())
    return [
        f"tests/backend/hip/gemm_check.py common/src/kernels.cpp --target {target} --include {chapter} "
        f"--define TILESTEP_NAMESPACE=tilestep::optimized_gemm --define TILESTEP_KERNELS={family}_{rest} "
        f"--output {HOST}/isa/{family}_{rest}.{target}.s --bin {HOST}/bin "
        f"--keep {chapter}/results/isa/{target}.json"
        for family, rest in dict.fromkeys(parts)
        for target in TARGETS[family]
    ]


def steps() -> list[Step]:
    device = name_of_device()
    tuned = sorted(path.parent.name for path in ROOT.glob("chapters/*/tune.csv"))
    counted = ["17_optimized_gemm", "20_hopper"]
    check = f"{CUDA}/device_check"
    return [
        Step(
            "runs on a GPU",
            "nvidia",
            r"(chapters/\w+|tests/backend/any)/results/nvidia-[^/]*\.json",
            [
                "./tutorial test --backend cuda",
                f"tests/backend/cuda/device_check.sh {check} {CUDA}/bin",
                f"docs/tools/devices.py --keep {check}",
            ],
        ),
        Step("times", "gpu", r"chapters/\w+/results/bench/.*\.json", ["./tutorial bench"]),
        Step(
            "tables of choices",
            "gpu",
            r"chapters/\w+/results/tune/.*\.json",
            [f"./tutorial bench --tune {name[:2]}" for name in tuned],
        ),
        Step(
            "constants of a model",
            "nvidia",
            r"chapters/\w+/results/calibration/.*\.json",
            ["./tutorial bench 17 --calibrate", "./tutorial bench 20 --calibrate"],
        ),
        Step(
            "times of random problems",
            "gpu",
            r"chapters/\w+/results/random/.*\.json",
            [
                f"./tutorial bench 20 --random 100 --seed {SEED} --candidates",
                f"docs/tools/random_ceiling.py --draw 60 {SEED} {BUILD}/random_17.csv",
                f"./tutorial bench 17 --records {BUILD}/random_17.json -- --problems {BUILD}/random_17.csv",
                f"docs/tools/random_ceiling.py --keep {BUILD}/random_17.json {SEED}",
            ],
        ),
        Step(
            "products on several GPUs",
            "several",
            r"chapters/21_several_gpus/results/several/.*\.json",
            ["./tutorial bench 21 --devices 2"],
        ),
        Step(
            "what limits a kernel",
            "ncu",
            r"chapters/\w+/results/ncu/.*\.json",
            [
                f"tests/backend/cuda/limits.py --measure chapters/{name}/results/ncu/{device}.json --chapter {name} "
                f"--bin {CUDA}/bin"
                for name in counted
            ],
        ),
        Step(
            "counters of a GPU",
            "ncu",
            r"tests/backend/cuda/results/.*-counters\.json",
            [
                f"tests/backend/cuda/profile.py --measure tests/backend/cuda/results/{device}-counters.json "
                f"--bin {CUDA}/bin"
            ],
        ),
        Step(
            "random problems on a GPU",
            "nvidia",
            r"tests/chapters/results/random-(?!functional-emulator-|virtual-gpu)[^/]*\.json",
            [
                f"tests/chapters/random_check.py --seed {SEED} --minutes 10 --bin {CUDA}/bin "
                f"--record tests/chapters/results/random-{device}.json"
            ],
        ),
        Step(
            "kernels of public sets under compute-sanitizer",
            "ncu",
            r"tests/backend/any/results/public_sets-sanitizer\.csv",
            [
                f"tests/backend/cuda/public_sanitizer.py {CUDA}/bin/tests/test_public_sets "
                "tests/backend/any/results/public_sets-sanitizer.csv"
            ],
        ),
        Step(
            "kernels of public sets on the virtual GPU",
            "host",
            r"tests/backend/any/results/public_sets\.csv",
            [f"docs/tools/public_sets.py --measure {HOST}/bin/tests/test_public_sets"],
        ),
        Step(
            "random problems on the virtual GPU",
            "host",
            r"tests/chapters/results/random-virtual-gpu\.json",
            [
                f"tests/chapters/random_check.py --seed {SEED} --problems 2000 --jobs 2 --bin {HOST}/bin "
                "--record tests/chapters/results/random-virtual-gpu.json"
            ],
        ),
        Step(
            "CK's large problem on the virtual GPU",
            "host",
            r"tests/chapters/results/ck-large-\w+-virtual-gpu\.json",
            [f"tests/common/block/ck_large.py {HOST}/bin/tests/ck_large tests/chapters/results"],
        ),
        Step(
            "CK's large problem on a GPU",
            "nvidia",
            r"tests/chapters/results/ck-large-\w+-nvidia-\w+\.json",
            [
                f"./tutorial run {chapter} --backend cuda -- --dtype {dtype} --layout nt --m 3840 --n 4096 --k 4096 "
                f"--json tests/chapters/results/ck-large-{dtype}-{device}.json"
                for chapter, dtype in (("07", "f16"), ("07", "f32"), ("17", "i8"))
            ],
        ),
        Step("instructions of AMD's loops", "clang", r"chapters/\w+/results/isa/.*\.json", isa_commands()),
        Step(
            "runs on an emulator",
            "emulator",
            r"(chapters/\w+|tests/backend/any)/results/(functional-emulator-.*|emulator/.*)\.json"
            r"|tests/chapters/results/(random|ck)-functional-emulator-.*\.json",
            [],
        ),
        Step("variants that were tried", "hand", r"chapters/\w+/results/tried/.*\.json", []),
        Step("times of the tests themselves", "hand", r"tests/backend/\w+/results/[^/]*\.txt", []),
        Step("pages, outputs and figures", "host", "", ["docs/tools/refresh"]),
    ]


def present() -> set[str]:
    """What of WORDS this machine has."""
    nvidia = bool(machine.nvidia_device() and machine.nvcc())
    amd = bool(machine.amd_device() and machine.hip_compiler())
    has = {
        "nvidia": nvidia,
        "gpu": nvidia or amd,
        "several": (nvidia or amd) and machine.second_gpu(),
        "ncu": nvidia and bool(machine.find_program("ncu", "/usr/local/cuda/bin")),
        "clang": bool(machine.find_program("clang++-19")) and (ROOT / HOST / "bin/machines").exists(),
        "host": (ROOT / HOST / "bin/machines").exists(),
    }
    return {word for word, found in has.items() if found}


def main() -> int:
    parser = Arguments(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="run nothing")
    options = parser.parse_args()
    has, worst = present(), 0
    for step in steps():
        if step.needs not in has:
            print(f"left out: {step.name}: needs {WORDS[step.needs]}")
            continue
        for command in step.commands:
            print(f"{step.name}: {command}", flush=True)
            code = 0 if options.list else subprocess.run(command.split(), cwd=ROOT).returncode
            if code == 77:
                print(f"left out: {command.split()[0]} lacks its compiler")
            elif code:
                print(f"failed with exit code {code}: {command}")
                worst = 1
    return worst


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
