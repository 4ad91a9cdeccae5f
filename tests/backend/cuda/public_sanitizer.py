#!/usr/bin/env python3
"""Run the kernels of public sets on an NVIDIA GPU under compute-sanitizer, one by one, and write what it found.

    public_sanitizer.py build/cuda/bin/tests/test_public_sets tests/backend/any/results/public_sets-sanitizer.csv

Each case runs in a process of its own under memcheck, racecheck, initcheck and synccheck, because some hang and some
end the context; --jobs of them run at a time. A case that runs longer than --seconds counts as found by "hangs". Exit
code 3: there is no GPU.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import csv
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "docs/tools"))
from console import Arguments, ended  # noqa: E402

TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]
FOUND = 99  # the exit code that compute-sanitizer is asked for


def cases(program: Path) -> list[str]:
    """The names of all cases, "AMD: across warps"."""
    with tempfile.TemporaryDirectory() as folder:
        names = Path(folder) / "names"
        subprocess.run(
            [program, "[list]"], env={**os.environ, "TILESTEP_CASES": str(names)}, check=True, capture_output=True
        )
        return names.read_text().splitlines()


def exit_code(command: list[str], case: str, seconds: float) -> int | None:
    """None: it did not end. Its process group is killed, so that no kernel stays on the GPU."""
    with subprocess.Popen(
        command,
        env={**os.environ, "TILESTEP_CASE": case},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None


def found_by(program: Path, sanitizer: str, case: str, seconds: float) -> list[str]:
    """The tools that report something in this case; "fails" where a tool reports nothing and the program fails."""
    found = []
    for tool in TOOLS:
        command = [sanitizer, "--tool", tool, "--error-exitcode", str(FOUND), str(program), "[one]"]
        code = exit_code(command, case, seconds)
        if code is None:
            return found + ["hangs"]
        if code == FOUND:
            found.append(tool)
        elif code != 0:
            found.append("fails")
    return list(dict.fromkeys(found))


def main() -> int:
    parser = Arguments(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("record", type=Path)
    parser.add_argument("--sanitizer", default="compute-sanitizer")
    parser.add_argument("--seconds", type=float, default=60, help="that a case may run under one tool")
    parser.add_argument("--jobs", type=int, default=4, help="processes at a time")
    options = parser.parse_args()
    if not options.program.exists():
        print(f"{options.program} is not there: build test_public_sets of the cuda backend", file=sys.stderr)
        return 2
    try:
        subprocess.run(["nvidia-smi"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        print("there is no NVIDIA GPU here", file=sys.stderr)
        return 3

    def row(case: str) -> list[str]:
        name, _, short = case.partition(": ")
        return [name, short, "|".join(found_by(options.program, options.sanitizer, case, options.seconds))]

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(row, cases(options.program)))
    with options.record.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([["set", "case", "found"], *rows])
    print(f"{options.record}: {len(rows)} cases")
    return 0


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
