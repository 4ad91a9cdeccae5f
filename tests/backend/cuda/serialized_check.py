#!/usr/bin/env python3
"""Compiles a source for sm_90a and fails where the assembler notes that it runs wgmma instructions one after the other.

usage: serialized_check.py SOURCE --nvcc NVCC --output FOLDER [--must-fail]     exit code 77: this nvcc knows no sm_90a
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
NOTE = "wgmma.mma_async instructions are serialized"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--must-fail", action="store_true", help="the note must be there")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    includes = [f"-I{ROOT / 'common' / folder}" for folder in ("include", "backend/cuda/include", "backend/any/include")]
    made = subprocess.run([options.nvcc, "-std=c++20", "-O3", "-gencode=arch=compute_90a,code=sm_90a", "-Xptxas", "-v", "-x", "cu", *includes, "-cubin",
                           str(options.source), "-o", str(options.output / (options.source.stem + ".cubin"))], capture_output=True, text=True)
    text = made.stdout + made.stderr
    if made.returncode != 0:
        print(text)
        return 77 if "Unsupported gpu architecture" in text else 1
    notes = [line for line in text.splitlines() if NOTE in line]
    print("\n".join(notes) or f"{options.source.name}: no wgmma is serialized")
    return int(bool(notes) != options.must_fail)


if __name__ == "__main__":
    sys.exit(main())
