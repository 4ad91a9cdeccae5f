#!/usr/bin/env python3
"""Draw random problems as users may bring them, as a .csv file for --problems and --tune of a GEMM chapter.

    docs/tools/random_problems.py NUMBER SEED [--dtype bf16,tf32] [--class NAME] > problems.csv

40 of 100 have extents that are multiples of 128, 25 multiples of 8, 20 have 1 to 256 rows with N and K of 1,024 to
16,384 in steps of 256, 15 have any extents. Extents are 64 to 16,384, the layout is one of four. Extents are
log-uniform: as many lie between 64 and 128 as between 8,192 and 16,384. A problem has 1e8 to 4e12 operations, 2 M N K;
others are drawn again. The same seed gives the same problems, of each type if several are named.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from console import Arguments, ended

SMALLEST, LARGEST = 64, 16384
LEAST, MOST = 1e8, 4e12
LAYOUTS = ("nn", "nt", "tn", "tt")
# What comes how often, of 100.
CLASSES = {"multiples of 128": 40, "multiples of 8": 25, "few rows": 20, "anything": 15}

# C's type where a product of the type has no other, or is asked for in it.
OUT = {"tf32": "f32", "i8": "i32"}

Problem = tuple[str, str, int, int, int]  # class, layout, m, n, k


def log_uniform(draw: random.Random, low: int, high: int, step: int = 1) -> int:
    """A multiple of step from low to high; both are such multiples, or low is 1."""
    drawn = math.exp(draw.uniform(math.log(low), math.log(high)))
    return min(high, max(step, low, round(drawn / step) * step))


def extents(draw: random.Random, kind: str) -> tuple[int, int, int]:
    if kind == "few rows":
        wide = [log_uniform(draw, 1024, LARGEST, 256) for _ in range(2)]
        return (log_uniform(draw, 1, 256), wide[0], wide[1])
    step = {"multiples of 128": 128, "multiples of 8": 8, "anything": 1}[kind]
    low = max(SMALLEST, step)
    m, n, k = (log_uniform(draw, low, LARGEST, step) for _ in range(3))
    return (m, n, k)


def problems(number: int, seed: int, only: str = "") -> Iterator[Problem]:
    draw = random.Random(seed)
    for _ in range(number):
        kind = only or draw.choices(list(CLASSES), list(CLASSES.values()))[0]
        while True:
            m, n, k = extents(draw, kind)
            if LEAST <= 2 * m * n * k <= MOST:
                break
        yield kind, draw.choice(LAYOUTS), m, n, k


def class_of(m: int, n: int, k: int) -> str:
    """The class of a problem of a record: the first that it belongs to."""
    if m <= 256 and n % 256 == 0 and k % 256 == 0 and min(n, k) >= 1024 and m % 128 != 0:
        return "few rows"
    for step in (128, 8):
        if m % step == 0 and n % step == 0 and k % step == 0:
            return f"multiples of {step}"
    return "anything"


def table(drawn: Iterable[Problem], dtypes: str, out: str = "") -> str:
    """@param dtypes  one type, or several with commas between them   @param out  C's; "": as fits each"""
    every = list(drawn)
    lines = [
        f"{dtype},{out or OUT.get(dtype, dtype)},{layout},{m},{n},{k}"
        for dtype in dtypes.split(",")
        for _, layout, m, n, k in every
    ]
    return "\n".join(["dtype,out-dtype,layout,m,n,k", *lines]) + "\n"


def main() -> int:
    parser = Arguments(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("number", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--dtype", default="bf16", help="or several: bf16,f16,tf32")
    parser.add_argument("--out-dtype", default="", help="of C; as --dtype if left out, for tf32 f32, for i8 i32")
    parser.add_argument("--class", dest="only", default="", choices=["", *CLASSES])
    options = parser.parse_args()
    drawn = problems(options.number, options.seed, options.only)
    print(table(drawn, options.dtype, options.out_dtype), end="")
    return 0


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
