#!/usr/bin/env python3
"""Keep and show what a chapter did on a real GPU.

--keep FOLDER  condenses what tests/backend/cuda/device_check.sh left in FOLDER into chapters/*/results/DEVICE.json: the kernel's
               hash, one line per run, and compute-sanitizer's verdict on each case. A functional emulator counts as a device
               and is named as one.
Without it the <!-- devices --> block of each chapter's README is filled from these records.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

from generated import Files, fill, guarded, program, settle
from repository import Chapter, Mistake, chapters

Json = dict[str, Any]


def condensed(runs: list[Json], sanitizer: list[str], driver: str, kernel: Path) -> str:
    """The record: what is common to the runs once, then a line for each run and each sanitizer case."""
    first = next(run for run in runs if run["device"] != "none")  # an empty problem launches nothing
    common = {key: first[key] for key in ("chapter", "backend", "target", "device", "commit", "seed")}
    for run in runs:
        for key, value in common.items():
            if run[key] not in (value, "none"):
                raise Mistake(f"{run['chapter']}: runs differ in {key}: {value} and {run[key]}; keep one run of the check at a time")
    common |= {"driver": driver, "kernel_sha256": hashlib.sha256(kernel.read_bytes()).hexdigest(),
               "command": "tests/backend/cuda/device_check.sh"}
    rows = [{"parameters": run["parameters"], "problem": run["problem"], "verdict": run["verdict"], "max_error": run["max_error"],
             "bound": run["bound"], "kernels": [kernel["kernel"] for kernel in run["kernels"]]} for run in runs]
    head = json.dumps(common, indent=2)[:-2]
    return (head + ',\n  "runs": [\n    ' + ",\n    ".join(json.dumps(row) for row in rows) +
            '\n  ],\n  "sanitizer": [\n    ' + ",\n    ".join(json.dumps(line) for line in sanitizer) + "\n  ]\n}\n")


def keep(folder: Path) -> Files:
    """The records of every chapter that ran."""
    files: Files = {}
    summary, log = folder / "summary.txt", folder / "sanitizer.log"
    found = re.search(r"^(.+), ([\d.]+), \d+ MiB", summary.read_text(), re.M)
    driver = found.group(2) if found else "none"
    sanitized = log.read_text().splitlines() if log.exists() else []
    for chapter in chapters():
        record = folder / f"{chapter.name}.json"
        if record.exists():
            runs = json.loads(record.read_text())
            cases = [line for line in sanitized if line.split()[1] == chapter.name]
            text = condensed(runs, cases, driver, chapter.folder / "kernel.hpp")
            device = re.sub(r"[^a-z0-9]+", "-", json.loads(text)["device"].lower())
            files[chapter.folder / "results" / f"{device}.json"] = text.encode()
    if not files:
        raise Mistake(f"{folder}: holds no CHAPTER.json; give the folder that device_check.sh wrote")
    return files


def table(chapter: Chapter) -> str:
    """One row per device on which the chapter ran, or a sentence."""
    records = [json.loads(path.read_text()) for path in sorted((chapter.folder / "results").glob("*.json"))]
    if not records:
        return "On a real GPU: not run yet."
    rows = ["| device | driver | commit | runs right | compute-sanitizer clean |", "|---|---|---|---|---|"]
    for record in records:
        right = sum(run["verdict"] == "right" for run in record["runs"])
        clean = sum("exit code 0" in line for line in record["sanitizer"])
        same = hashlib.sha256((chapter.folder / "kernel.hpp").read_bytes()).hexdigest() == record["kernel_sha256"]
        commit = f"`{record['commit']}`" + ("" if same else ", an earlier kernel")
        sanitizer = f"{clean} of {len(record['sanitizer'])}" if record["sanitizer"] else "not run"
        rows.append(f"| {record['device']} | {record['driver']} | {commit} | {right} of {len(record['runs'])} | {sanitizer} |")
    return "\n".join(rows)


def generate(chapter: Chapter, _: Path) -> Files:
    return fill(chapter.readme, devices=lambda _: table(chapter))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--keep":
        sys.exit(guarded(lambda: settle(keep(Path(sys.argv[2])), False)))
    sys.exit(program(__doc__ or "", generate))
