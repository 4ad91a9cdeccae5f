#!/usr/bin/env python3
"""What tensors, atoms, the algorithms, block-wide code and CuTe's functions must refuse, and in which words: one pair
of a bad call and its good twin for each static_assert of their headers (algorithm_pairs.inc). layout_errors.py tells
how the compiler is asked.

usage: algorithm_errors.py --compiler CXX --include DIR [--include DIR ...] [--jobs N]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs/tools"))
from console import Arguments, ended  # noqa: E402

from layout_errors import Compiler, check, pairs, untested


def main() -> int:
    parser = Arguments(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", action="append", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    found = pairs("algorithm_pairs.inc")
    wrong = untested(found, ("tensor/*.hpp", "atom/*.hpp", "algorithm/*.hpp", "block/*.hpp", "cute/*.hpp"))
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(arguments.compiler, arguments.include, Path(folder), "algorithm_errors.hpp")
        compiled, _, output = compiler.diagnostics("twins", [good for _, _, _, good in found])
        if not compiled:
            wrong.append(
                "the good twins do not compile:\n" + "\n".join(line for line in output.splitlines() if "error:" in line)
            )
        wrong += check(compiler, "pairs", [(name, words, bad) for name, words, bad, _ in found], arguments.jobs)
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
