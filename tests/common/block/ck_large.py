#!/usr/bin/env python3
"""Keeps records of CK's large problem, 3840 x 4096 x 4096, with CK's tile on the virtual GPU, in f16, f32 and i8.

usage: ck_large.py PROGRAM FOLDER   PROGRAM is ck_large of the host tree; FOLDER gets ck-large-TYPE-virtual-gpu.json
Exit code: 0 all are right and without a hazard, else the program's.
"""
import subprocess
import sys
from pathlib import Path

TYPES = ["f16", "f32", "i8"]
PROBLEM = "--target gfx942 --layout nt --m 3840 --n 4096 --k 4096"


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    program, folder = sys.argv[1], Path(sys.argv[2])
    codes = []
    for dtype in TYPES:
        record = folder / f"ck-large-{dtype}-virtual-gpu.json"
        command = [program, *PROBLEM.split(), "--dtype", dtype, "--json", str(record)]
        codes.append(subprocess.run(command).returncode)
    return max(codes, key=abs)


if __name__ == "__main__":
    sys.exit(main())
