#!/usr/bin/env python3
"""Compiles the backend's test kernels to PTX and reads the memory accesses.

Every access must name its memory (global, shared, param): a generic one is slower, and shows that the compiler lost
track of a pointer; local memory shows that registers were not enough or were indexed at run time. Every matrix
instruction must be there.
Exit code: 0 right, 1 wrong.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
SOURCES = ["tests/backend/any/kernels.cpp", "tests/backend/any/matrix_kernels.cpp", "tests/backend/any/async_kernels.cpp"]
INCLUDES = ["common/backend/cuda/include", "common/backend/any/include", "common/include", "tests/backend/any"]
WANTED = {"VectorCopy<float, 4>": r"ld\.global\.v4", "Transpose": r"st\.shared\.v4",
          "RegisterTileGemm": r"ld\.shared\.v4",
          "Reverse": r"bar\.sync|barrier\.sync",
          "LoadMatrixGemm": r"ldmatrix\.sync\.aligned\.m8n8\.x4\.shared\.b16",
          "AsyncTile<4 bytes>": r"cp\.async\.ca\.shared\.global \[%r\d+\], \[%rd\d+\], 4, %r\d+;",
          "AsyncTile<8 bytes>": r"cp\.async\.ca\.shared\.global \[%r\d+\], \[%rd\d+\], 8, %r\d+;",
          "AsyncTile<16 bytes>": r"cp\.async\.ca\.shared\.global \[%r\d+\], \[%rd\d+\], 16, %r\d+;",
          "AsyncTile<16 bytes, L2>": r"cp\.async\.cg\.shared\.global \[%r\d+\], \[%rd\d+\], 16, %r\d+;",
          "AsyncRing": r"cp\.async\.commit_group;[\s\S]*cp\.async\.wait_group 1;",
          "AsyncAtom": r"cp\.async\.cg\.shared\.global \[%r\d+\], \[%rd\d+\], 16, %r\d+;"}
# ldmatrix gives registers as mma.sync takes them: nothing is packed or unpacked between them.
UNWANTED = {"LoadMatrixGemm": r"mov\.b32\s[^;]*\{|\bprmt\b"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--output", type=Path, required=True, help="the folder for the PTX file")
    arguments = parser.parse_args()

    arguments.output.mkdir(parents=True, exist_ok=True)
    entries = []
    for source in SOURCES:
        ptx = arguments.output / Path(source).with_suffix(".ptx").name
        subprocess.run([arguments.nvcc, "-x", "cu", "-std=c++20", "-arch=sm_80", "-ptx", "-Werror", "all-warnings",
                        *[f"-I{REPOSITORY / folder}" for folder in INCLUDES], str(REPOSITORY / source), "-o", str(ptx)],
                       check=True)
        entries += re.split(r"\.entry\s+", ptx.read_text())[1:]
    failed = []
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
    for kernel, pattern in UNWANTED.items():
        failed += [f"{kernel}: {found}" for entry in entries if kernel in entry.split("(")[0]
                   for found in re.findall(pattern, entry)]
    instructions = {found for entry in entries for found in re.findall(r"mma\.sync\.[\w.]+", entry)}
    if len(instructions) != 5:
        failed.append(f"matrix instructions: {sorted(instructions)}")
    for line in failed:
        print(line)
    print(f"{len(entries)} kernels, {len(failed)} checks failed, {arguments.output}")
    return 1 if failed or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
