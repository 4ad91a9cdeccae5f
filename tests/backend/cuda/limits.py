#!/usr/bin/env python3
"""What limits the kernels of some chapters on an NVIDIA GPU, as its profiler sees it.

--measure RECORD  runs the problems below under ncu, one launch of each, and writes what it saw. Programs of the cuda
                  backend are in --bin.
docs/tools/limits.py shows the record on the chapter's pages.
"""

from __future__ import annotations

import argparse
import csv
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "docs/tools"))
from console import Arguments, ended  # noqa: E402
from repository import kernel_hash  # noqa: E402

Json = dict[str, Any]

COPIES = "copies: "  # before a problem: the kernel that copies its operands
PROBLEMS = {
    "00_obvious_gemm": [
        f"--kernel {kernel} --dtype f32 --layout nn --m 4096 --n 4096 --k 4096" for kernel in ("row", "column")
    ],
    "07_k_loop": [
        "--dtype f16 --layout nt --m 4096 --n 4096 --k 4096",
        "--dtype f16 --layout nn --m 4096 --n 4096 --k 4096",
        "--dtype f16 --layout nn --m 4095 --n 4097 --k 4099",
    ],
    "17_optimized_gemm": [
        "--dtype f16 --layout nt --m 4096 --n 4096 --k 4096",
        "--dtype f16 --layout tn --m 4096 --n 4096 --k 4096",
        "--dtype f16 --layout nt --m 8192 --n 8192 --k 8192",
        "--dtype f16 --out-dtype f16 --layout nn --m 4096 --n 4096 --k 4096 --bias on --activation gelu",
        "--dtype bf16 --layout nn --m 4095 --n 4097 --k 4099",
        "--dtype bf16 --layout nn --m 128 --n 8192 --k 8192",
        "--dtype bf16 --layout nn --m 16 --n 8192 --k 8192",
        "--dtype tf32 --layout nt --m 8192 --n 8192 --k 8192",
        "--dtype i8 --layout nt --m 8192 --n 8192 --k 8192",
        "--dtype f32 --layout nn --m 4096 --n 4096 --k 4096",
        "--dtype f32 --layout tn --m 4096 --n 4096 --k 4096",
        "--dtype bf16 --out-dtype bf16 --layout tn --m 14624 --n 8816 --k 176",
        "--dtype bf16 --out-dtype bf16 --layout tn --m 2664 --n 10616 --k 576",
        "--dtype bf16 --out-dtype bf16 --layout nn --m 9522 --n 13675 --k 232",
        "--dtype tf32 --layout tn --m 2664 --n 10616 --k 576",
        "--dtype f32 --layout nn --m 9522 --n 13675 --k 232",
        "--dtype f32 --layout tt --m 384 --n 384 --k 9856",
        "--dtype f32 --layout tn --m 328 --n 64 --k 3272",
        "--dtype f32 --layout tt --m 9278 --n 65 --k 276",
        "--dtype f32 --layout tt --m 1994 --n 395 --k 557",
        "--dtype f32 --layout nn --m 9555 --n 194 --k 812",
        "--dtype f32 --layout tt --m 304 --n 7626 --k 683",
        "--dtype f32 --layout tn --m 1164 --n 15311 --k 74",
        "--dtype f32 --layout tn --m 4488 --n 114 --k 291",
        "--dtype f32 --layout tn --m 3808 --n 640 --k 312",
    ],
    "20_hopper": [
        f"--kernel {kernel} --layout nt --m 8192 --n 8192 --k 8192"
        for kernel in ("cluster", "copied_out", "ping_pong")
    ]
    + [
        "--layout nt --m 4096 --n 4096 --k 4096",
        "--layout nt --m 4096 --n 4096 --k 14336",
        "--layout nn --m 16384 --n 16384 --k 8192",
        "--layout nn --m 128 --n 8192 --k 8192",
        "--layout nn --m 64 --n 8192 --k 8192",
        "--layout nn --m 16 --n 8192 --k 8192",
        "--layout nn --m 16384 --n 4096 --k 4096",
        "--layout tn --m 6784 --n 2560 --k 11392",
        "--layout tt --m 728 --n 1416 --k 1664",
        "--layout tt --m 4768 --n 264 --k 4248",
        "--layout tt --m 40 --n 10240 --k 12288",
        "--layout nn --m 7462 --n 12670 --k 99",
        "--layout nt --m 14263 --n 7519 --k 156",
        "--layout nt --m 261 --n 1958 --k 8697",
        "--layout tn --m 144 --n 3328 --k 4096",
        "--layout tt --m 197 --n 2304 --k 6400",
        "--layout nn --m 7976 --n 208 --k 3688",
        "--layout tn --m 376 --n 616 --k 4216",
        "--layout nn --m 2464 --n 5208 --k 512",
        "--layout nt --m 824 --n 1880 --k 9576",
        "--layout nt --m 408 --n 2808 --k 8296",
        "--layout nt --m 3168 --n 7720 --k 14824",
        "--layout nt --m 5140 --n 100 --k 11398",
        COPIES + "--dtype bf16 --layout nt --m 5140 --n 100 --k 11398",
        "--layout nt --m 9008 --n 1826 --k 234",
        COPIES + "--dtype bf16 --layout nt --m 9008 --n 1826 --k 234",
        "--layout tt --m 957 --n 12798 --k 437",
    ],
}
KERNELS = {
    "00_obvious_gemm": "regex:ObviousGemm",
    "07_k_loop": "regex:KLoopGemm",
    "17_optimized_gemm": "regex:OptimizedGemm|FmaGemm",
    "20_hopper": "regex:HopperGemm",
}
PLANNED = ("17_optimized_gemm", "20_hopper")  # they choose a tile

PERCENT = {
    "tensor_f": "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active",
    "tensor_i": "sm__pipe_tensor_op_imma_cycles_active.avg.pct_of_peak_sustained_active",
    "fma": "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
    "issue": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "shared": "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
    "l2": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "dram": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "l2_hits": "lts__t_sector_hit_rate.pct",
}
OTHERS = {
    "nanoseconds": "gpu__time_duration.sum",
    "clocks": "sm__cycles_elapsed.max",
    "registers": "launch__registers_per_thread",
    "shared_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
}
STALLS = [
    "barrier",
    "math_pipe_throttle",
    "wait",
    "not_selected",
    "short_scoreboard",
    "long_scoreboard",
    "mio_throttle",
    "lg_throttle",
    "dispatch_stall",
    "no_instruction",
    "branch_resolve",
    "sleeping",
    "membar",
    "drain",
    "imc_miss",
    "tex_throttle",
    "misc",
    "selected",
]
# clocks that a warp waits for each instruction that is issued
STALLED = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"


def commit_of(program: Path) -> str:
    """The commit that a chapter's program was built from, which its records name."""
    with tempfile.TemporaryDirectory(prefix="tilestep-") as folder:
        record = Path(folder) / "record.json"
        small = ["--m", "64", "--n", "64", "--k", "64", "--json", str(record)]
        subprocess.run([str(program), *small], stdout=subprocess.DEVNULL, check=True)
        return str(json.loads(record.read_text())["commit"])


def text_of(head: Json, runs: list[Json]) -> str:
    """The record, a run on a line."""
    lines = ",\n    ".join(json.dumps(run) for run in runs)
    return json.dumps(head, indent=2)[:-2] + f',\n  "runs": [\n    {lines}\n  ]\n}}\n'


def measure(chapter: str, binaries: Path, path: Path) -> int:
    ncu = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    if not Path(ncu).exists():
        print("ncu is not here: it comes with the CUDA Toolkit", file=sys.stderr)
        return 3
    commit = commit_of(binaries / chapter)
    names = PERCENT | OTHERS | {f"stalled_{reason}": STALLED.format(reason) for reason in STALLS}
    version = subprocess.run([ncu, "--version"], stdout=subprocess.PIPE, text=True).stdout.split("\n")[-2].strip()
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    device, driver = subprocess.run(query, stdout=subprocess.PIPE, text=True).stdout.strip().split(", ")
    head = {
        "chapter": chapter,
        "device": device,
        "driver": driver,
        "profiler": version,
        "commit": commit,
        "kernel_sha256": kernel_hash(ROOT / "chapters" / chapter / "kernel.hpp"),
        "command": f"tests/backend/cuda/limits.py --chapter {chapter} --measure",
        "metrics": names,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    runs = []
    for listed in PROBLEMS[chapter]:
        problem = listed.removeprefix(COPIES)
        kernel = KERNELS[chapter] if problem == listed else "regex:Repack"
        profiler = [
            ncu,
            "--clock-control",
            "none",
            "--csv",
            "--page",
            "raw",
            "--print-units",
            "base",
            "--kernel-name-base",
            "mangled",
            "--kernel-name",
            kernel,
            "--launch-skip",
            "2",
            "--launch-count",
            "1",
            "--kill",
            "yes",
            "--metrics",
            ",".join(names.values()),
        ]
        done = subprocess.run(
            [*profiler, str(binaries / chapter), "--bench", *shlex.split(problem)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        lines = done.stdout.splitlines()
        first = next((number for number, line in enumerate(lines) if line.startswith('"ID"')), None)
        if first is None:
            print(f"{problem}: exit code {done.returncode}\n{done.stdout[-2000:]}", file=sys.stderr)
            return 1
        row = list(csv.DictReader(line for line in lines[first:] if line.startswith('"')))[
            1
        ]  # after the names, a row of units
        planned = [str(binaries / chapter), "--plan", *shlex.split(problem)]
        plan = subprocess.check_output(planned, text=True).strip() if chapter in PLANNED else ""
        seen = {
            key: float(row[name].replace(",", ""))
            for key, name in names.items()
            if row.get(name) not in (None, "", "n/a")
        }
        runs.append({"problem": problem, "plan": plan, "kernel": row["Kernel Name"][:400], **seen})
        print(problem, plan, seen, flush=True)
        path.write_text(text_of(head, runs))  # each time: a machine may be lent for a few minutes
    return 0


def main() -> int:
    parser = Arguments(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--measure", type=Path, metavar="RECORD", required=True, help="write a record; needs ncu and a GPU"
    )
    parser.add_argument("--chapter", choices=PROBLEMS, default="17_optimized_gemm", help="whose kernels")
    parser.add_argument("--bin", type=Path, required=True, help="the programs of the cuda backend")
    options = parser.parse_args()
    return measure(options.chapter, options.bin, options.measure)


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
