#!/usr/bin/env python3
"""Compiles a source for sm_90a and fails where the assembler notes that it runs wgmma instructions one after the other. The same source for sm_80
must hold none of Hopper's instructions, and stop where a kernel would come to one.

usage: serialized_check.py SOURCE --nvcc NVCC --output FOLDER [--must-fail]     exit code 77: this nvcc knows no sm_90a
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
NOTE = "wgmma.mma_async instructions are serialized"
HOPPER = re.compile(r"\b(wgmma|mbarrier|setmaxnreg|stmatrix|mapa)\b|cp\.async\.bulk|barrier\.cluster|fence\.proxy")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--must-fail", action="store_true", help="the note must be there")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    includes = [f"-I{ROOT / 'common' / folder}" for folder in ("include", "backend/cuda/include", "backend/any/include")]
    command = [options.nvcc, "-std=c++20", "-O3", "-x", "cu", *includes, str(options.source), "-o"]
    made = subprocess.run([*command, str(options.output / (options.source.stem + ".cubin")), "-gencode=arch=compute_90a,code=sm_90a", "-Xptxas", "-v",
                           "-cubin"], capture_output=True, text=True)
    text = made.stdout + made.stderr
    if made.returncode != 0:
        print(text)
        return 77 if "Unsupported gpu architecture" in text else 1
    notes = [line for line in text.splitlines() if NOTE in line]
    print("\n".join(notes) or f"{options.source.name}: no wgmma is serialized")
    ptx = options.output / (options.source.stem + ".ptx")
    subprocess.run([*command, str(ptx), "-arch=sm_80", "-ptx"], check=True)
    strange = [line for line in ptx.read_text().splitlines() if HOPPER.search(line)]
    print("\n".join(strange) or "sm_80: none of Hopper's instructions")
    return int(bool(notes) != options.must_fail or bool(strange) or "trap;" not in ptx.read_text())


if __name__ == "__main__":
    sys.exit(main())
