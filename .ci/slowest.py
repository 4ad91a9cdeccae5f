#!/usr/bin/env python3
"""Says which ten tests and which ten steps of the build took longest: slowest.py TREE LOG, a build tree and what ctest
printed about it."""

from __future__ import annotations

import re
import sys
from pathlib import Path


def tests(log: Path) -> dict[str, float]:
    """Test -> seconds, from lines such as `12/834 Test  #7: test_core: sums ....   Passed    0.06 sec`."""
    found = re.findall(r"^ *\d+/\d+ Test +#\d+: (.+?) \.*(?:\*\*\*| +)[A-Z].*? +([\d.]+) sec", log.read_text(), re.M)
    return {name: float(seconds) for name, seconds in found}


def steps(ninja_log: Path) -> dict[str, float]:
    """What ninja made -> seconds of the last time. Columns: start and end in ms, time stamp, output, hash of the
    command."""
    found: dict[str, float] = {}
    for line in ninja_log.read_text().splitlines()[1:]:
        start, end, _, output, _ = line.split("\t")
        found[re.sub(r"CMakeFiles/([^/]+)\.dir/", "", output)] = (int(end) - int(start)) / 1000
    return found


def report(title: str, seconds: dict[str, float]) -> None:
    print(f"{title}: {len(seconds)}, {sum(seconds.values()):.0f} s in all; the slowest:")
    for name in sorted(seconds, key=lambda key: -seconds[key])[:10]:
        print(f"  {seconds[name]:6.1f} s  {name}")


if __name__ == "__main__":
    tree, log = map(Path, sys.argv[1:])
    if log.exists():  # no test runs where the build fails
        report("tests", tests(log))
    report("steps of the build", steps(tree / ".ninja_log"))
