#!/usr/bin/env python3
"""Compiles a source for sm_90a and fails where the assembler notes that it runs wgmma instructions one after the other.
The same source for GPUs before and after Hopper must hold none of its instructions, and stop where a kernel would come
to one.

usage: serialized_check.py SOURCE --nvcc NVCC --output FOLDER [--include FOLDER] [--define NAME=VALUE] [--must-fail]
exit code 77: this nvcc knows no sm_90a
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "docs/tools"))
from console import Arguments, ended  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
NOTE = "wgmma.mma_async instructions are serialized"
OTHERS = ("sm_80", "sm_120")
HOPPER = re.compile(r"\b(wgmma|mbarrier|setmaxnreg|stmatrix|mapa)\b|cp\.async\.bulk|barrier\.cluster|fence\.proxy")


def main() -> int:
    parser = Arguments()
    parser.add_argument("source", type=Path)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--include", action="append", default=[], help="a further include folder")
    parser.add_argument("--define", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--must-fail", action="store_true", help="the note must be there")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    includes = [
        f"-I{ROOT / 'common' / folder}"
        for folder in ("include", "harness", "backend/cuda/include", "backend/any/include")
    ]
    includes += [f"-I{folder}" for folder in options.include] + [f"-D{define}" for define in options.define]
    command = [options.nvcc, "-std=c++20", "-O3", "-x", "cu", *includes, str(options.source), "-o"]
    made = subprocess.run(
        [
            *command,
            str(options.output / (options.source.stem + ".cubin")),
            "-gencode=arch=compute_90a,code=sm_90a",
            "-Xptxas",
            "-v",
            "-cubin",
        ],
        capture_output=True,
        text=True,
    )
    text = made.stdout + made.stderr
    if made.returncode != 0:
        print(text)
        return 77 if "Unsupported gpu architecture" in text else 1
    notes = [line for line in text.splitlines() if NOTE in line]
    print("\n".join(notes) or f"{options.source.name}: no wgmma is serialized")
    strange = [
        complaint
        for arch in OTHERS
        for complaint in foreign(command, options.output / f"{options.source.stem}.{arch}.ptx", arch)
    ]
    print("\n".join(strange) or "none of Hopper's instructions elsewhere")
    return int(bool(notes) != options.must_fail or bool(strange))


def foreign(command: list[str], ptx: Path, arch: str) -> list[str]:
    """What is wrong with the code for another GPU."""
    made = subprocess.run([*command, str(ptx), f"-arch={arch}", "-ptx"], capture_output=True, text=True)
    if "Unsupported gpu architecture" in made.stderr:
        print(f"{arch}: this nvcc does not know it")
        return []
    if made.returncode != 0:
        return [f"{arch}: {made.stderr}"]
    text = ptx.read_text()
    found = [f"{arch}: {line.strip()}" for line in text.splitlines() if HOPPER.search(line)]
    kernels, traps = len(re.findall(r"^\s*(?:\.visible )?\.entry\b|\.weak \.entry\b", text, re.M)), text.count("trap;")
    return found + ([] if 0 < kernels <= traps else [f"{arch}: {traps} of {kernels} kernels stop"])


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
