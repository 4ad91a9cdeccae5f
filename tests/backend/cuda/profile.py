#!/usr/bin/env python3
"""What the virtual GPU counts, beside what the profiler counts on an NVIDIA GPU.

--measure RECORD  runs the problems below under ncu and writes what it counted.
RECORD            compares a record with what the virtual GPU counts now, problem by problem: each counter within 1 %.
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

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "docs/tools"))
from console import Arguments, ended  # noqa: E402

Json = dict[str, Any]

TOLERANCE = 0.01

PROBLEMS = [
    "00_obvious_gemm --kernel row --m 255 --n 257 --k 129 --layout nn",
    "00_obvious_gemm --kernel column --m 255 --n 257 --k 129 --layout nn",
    "02_tensors_and_tiles --rows 512 --cols 512 --transpose",
    "03_copy_if --rows 511 --cols 509 --transpose",
    "04_fma_gemm --kernel naive --m 255 --n 257 --k 129 --layout tn",
    "04_fma_gemm --kernel register_tiled --m 256 --n 384 --k 128 --layout nn",
    "06_shared_memory_tiling --m 512 --n 512 --k 32 --layout nt",
    "06_shared_memory_tiling --kernel by_hand --m 512 --n 512 --k 8 --layout nt --dtype f32",
    "07_k_loop --m 511 --n 509 --k 255 --layout nn",
    "08_padding --kernel vectors --m 1000 --n 520 --k 264 --layout nt",
    "09_bank_conflicts --kernel packed --m 512 --n 512 --k 256 --layout nt",
    "09_bank_conflicts --kernel padded --m 512 --n 512 --k 256 --layout nt",
    "09_bank_conflicts --kernel swizzled --m 512 --n 512 --k 256 --layout nt",
    "09_bank_conflicts --kernel swizzled --m 512 --n 512 --k 256 --layout tn",
    "10_matrix_loads --kernel plain --m 512 --n 512 --k 256 --layout nt",
    "10_matrix_loads --kernel matrix --m 512 --n 512 --k 256 --layout nt",
    "10_matrix_loads --kernel matrix --m 512 --n 512 --k 256 --layout tn",
]

# The virtual GPU's counter and the profiler's. A shared-memory wavefront is one pass of the data pipe, ldmatrix
# included.
COUNTERS = {
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
}
# Kept in the record to explain differences.
BESIDE = [
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "smsp__inst_executed_op_ldsm.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
]


def main() -> int:
    parser = Arguments(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", nargs="?", type=Path, help="a record to compare with")
    parser.add_argument("--measure", type=Path, metavar="RECORD", help="write a record; needs ncu and a GPU")
    parser.add_argument(
        "--bin",
        type=Path,
        required=True,
        help="the programs: of the cuda backend to measure, of the host backend to compare",
    )
    options = parser.parse_args()
    if options.measure:
        return measure(options.bin, options.measure)
    if not options.record:
        parser.error("name a record, or --measure one")
    return compare(options.bin, json.loads(options.record.read_text()))


def measure(binaries: Path, path: Path) -> int:
    ncu = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    if not Path(ncu).exists():
        print("ncu is not here: it comes with the CUDA Toolkit", file=sys.stderr)
        return 3
    metrics = list(COUNTERS.values()) + BESIDE
    runs = []
    for problem in PROBLEMS:
        command = [
            ncu,
            "--clock-control",
            "none",
            "--csv",
            "--page",
            "raw",
            "--print-units",
            "base",
            "--metrics",
            ",".join(metrics),
        ]
        name, *options = shlex.split(problem)
        done = subprocess.run(
            [*command, str(binaries / name), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        if done.returncode:
            print(
                f"{problem}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}", file=sys.stderr
            )
            return 1
        runs.append({"problem": problem, "metrics": totals(done.stdout, metrics)})
        print(problem, runs[-1]["metrics"], flush=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    head = {
        "device": device(),
        "profiler": subprocess.run([ncu, "--version"], stdout=subprocess.PIPE, text=True)
        .stdout.split("\n")[-2]
        .strip(),
        "command": "tests/backend/cuda/profile.py --measure",
    }
    path.write_text(
        json.dumps(head, indent=2)[:-2]
        + ',\n  "runs": [\n    '
        + ",\n    ".join(json.dumps(run) for run in runs)
        + "\n  ]\n}\n"
    )
    return 0


def totals(output: str, metrics: list[str]) -> dict[str, float]:
    """The metrics of all launches added up; what the profiler does not have is left out."""
    lines = output.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith('"ID"'))
    rows = list(csv.DictReader(lines[first:]))[1:]  # after the names, a row of units
    return {
        name: sum(float(row[name].replace(",", "")) for row in rows)
        for name in metrics
        if name in rows[0] and rows[0][name] not in ("", "n/a")
    }


def device() -> str:
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    return subprocess.run(query, stdout=subprocess.PIPE, text=True).stdout.strip()


def compare(binaries: Path, record: Json) -> int:
    wrong = 0
    for run in record["runs"]:
        counted = count(binaries, run["problem"])
        for counter, metric in COUNTERS.items():
            measured = run["metrics"].get(metric)
            if measured is None:
                print(f"{run['problem']}: the record has no {metric}")
                wrong += 1
                continue
            difference = abs(counted[counter] - measured) / max(measured, 1)
            if difference > TOLERANCE:
                wrong += 1
                print(
                    f"{run['problem']}: {counter} is {counted[counter]} on the virtual GPU, {measured:.0f} on "
                    f"{record['device']}"
                )
    print(f"{len(record['runs'])} problems, {len(COUNTERS)} counters each: {wrong} differ by more than {TOLERANCE:.0%}")
    return 1 if wrong else 0


def count(binaries: Path, problem: str) -> dict[str, int]:
    name, *options = shlex.split(problem)
    with tempfile.TemporaryDirectory(prefix="tilestep-") as folder:
        path = Path(folder) / "record.json"
        subprocess.run(
            [str(binaries / name), *options, "--target", "sm90", "--json", str(path)],
            stdout=subprocess.DEVNULL,
            check=True,
        )
        kernels = json.loads(path.read_text())["kernels"]
    return {counter: sum(kernel["counters"][counter] for kernel in kernels) for counter in COUNTERS}


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
