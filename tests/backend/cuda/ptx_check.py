#!/usr/bin/env python3
"""Compiles the backend's test kernels to PTX and reads the memory accesses.

Every access must name its memory (global, shared, param): a generic one is slower, and shows that the compiler lost
track of a pointer; local memory shows that registers were not enough or were indexed at run time.
Exit code: 0 right, 1 wrong.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
INCLUDES = ["common/backend/cuda/include", "common/backend/any/include", "common/include", "tests/backend/any"]
WANTED = {"VectorCopy<float, 4>": r"ld\.global\.v4", "Transpose": r"st\.shared\.v4",
          "RegisterTileGemm": r"ld\.shared\.v4",
          "Reverse": r"bar\.sync|barrier\.sync"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--output", type=Path, required=True, help="the folder for the PTX file")
    arguments = parser.parse_args()

    arguments.output.mkdir(parents=True, exist_ok=True)
    ptx = arguments.output / "kernels.ptx"
    source = REPOSITORY / "tests/backend/any/kernels.cpp"
    subprocess.run([arguments.nvcc, "-x", "cu", "-std=c++20", "-arch=sm_80", "-ptx", "-Werror", "all-warnings",
                    *[f"-I{REPOSITORY / folder}" for folder in INCLUDES], str(source), "-o", str(ptx)], check=True)
    failed = []
    entries = re.split(r"\.entry\s+", ptx.read_text())[1:]
    for entry in entries:
        name = re.search(r"kernel_entryIN12backend_test\d+(\w+?)(I|E)", entry).group(1)
        lost = re.findall(r"\b(?:ld|st)(?:\.(?:volatile|relaxed))?\.(?:v\d\.)?[a-z]\d+.*", entry)
        local = re.findall(r"\b(?:ld|st)\.local.*", entry)
        failed += [f"{name}: generic access: {line}" for line in lost]
        failed += [f"{name}: local memory: {line}" for line in local]
    for kernel, pattern in WANTED.items():
        short = kernel.split("<")[0]
        if not any(short in entry and re.search(pattern, entry) for entry in entries):
            failed.append(f"{kernel}: no {pattern}")
    for line in failed:
        print(line)
    print(f"{len(entries)} kernels, {len(failed)} checks failed, {ptx}")
    return 1 if failed or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
