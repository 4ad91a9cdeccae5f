#!/usr/bin/env python3
"""Keep and show what a chapter, and each matrix instruction alone, did on a real GPU.

--keep FOLDER  condenses what tests/backend/cuda/device_check.sh left in FOLDER into chapters/*/results/DEVICE.json: the
               kernel's
               hash, one line per run, and compute-sanitizer's verdict on each case; and into
               tests/backend/any/results/DEVICE.json: what each matrix instruction returned. A functional emulator
               counts as a device and is named as one.
A record may say what its runs assumed ("assumed"): the block repeats it.
Without --keep the <!-- devices --> block of each chapter's lab.md is filled from these records, and the <!--
instructions --> block of tests/backend/any/instructions/README.md.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

from console import Stop
from generated import Files, fill, fill_chapter, guarded, program, settle
from records import load, name, number, refuse, text, whole
from repository import ROOT, Chapter, chapters, kernel_hash

Json = dict[str, Any]

INSTRUCTIONS = ROOT / "tests/backend/any/instructions/README.md"
INSTRUCTION_RECORDS = ROOT / "tests/backend/any/results"
BACKENDS = ROOT / "common/backend"
COMMAND = "tests/backend/cuda/device_check.sh"
TARGETS = ("sm80", "sm90", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
NOT_RUN = {"gfx950": "not run, and compiled only by LLVM 20 or newer"}

# What the blocks take of a run, and of the matrix instructions.
RUN = {
    "chapter": str,
    "backend": str,
    "target": str,
    "device": name,
    "commit": str,
    "seed": whole,
    "parameters": dict,
    "problem": str,
    "verdict": str,
    "max_error": lambda value: value is None or number(value),
    "bound": lambda value: value is None or number(value),
    "kernels": [{"kernel": str}],
}
INSTRUCTION_RECORD = {
    "backend": lambda value: value in ("host", "cuda", "hip"),
    "target": str,
    "device": name,
    "commit": str,
    "instructions": [
        {
            "cases": whole,
            "verdict": str,
            "every_bit_as_model": bool,
            "kinds?": [{"kind": str, "as_model": whole, "results": whole}],
        }
    ],
    "loads": [dict],
}


def condensed(runs: list[Json], sanitizer: list[str], driver: str, command: str, kernel: Path) -> str:
    """The record: what is common to the runs once, then a line for each run and each sanitizer case."""
    first = next(run for run in runs if run["device"] != "none")  # an empty problem launches nothing
    common = {key: first[key] for key in ("chapter", "backend", "target", "device", "commit", "seed")}
    for run in runs:
        for key, value in common.items():
            if run[key] not in (value, "none"):
                raise Stop(
                    f"{run['chapter']}: runs differ in {key}: {value} and {run[key]}; keep one run of the check at a "
                    "time",
                    2,
                )
    common |= {"driver": driver, "kernel_sha256": kernel_hash(kernel), "command": command}
    rows = [
        {
            "parameters": run["parameters"],
            "problem": run["problem"],
            "verdict": run["verdict"],
            "max_error": run["max_error"],
            "bound": run["bound"],
            "kernels": [kernel["kernel"] for kernel in run["kernels"]],
        }
        for run in runs
    ]
    head = json.dumps(common, indent=2)[:-2]
    return (
        head
        + ',\n  "runs": [\n    '
        + ",\n    ".join(json.dumps(row) for row in rows)
        + '\n  ],\n  "sanitizer": [\n    '
        + ",\n    ".join(json.dumps(line) for line in sanitizer)
        + "\n  ]\n}\n"
    )


def instruction_sources(backend: str) -> str:
    """The hash of what a record of matrix instructions is about: how they are issued, their tables and arithmetic."""
    include = "include/tilestep/backend"
    files = [
        BACKENDS / backend / include / "matrix.hpp",
        *sorted((BACKENDS / backend / include).glob("*_matrix.hpp")),
        BACKENDS / "any" / include / "dtype.hpp",
        BACKENDS / "any" / include / "instruction.hpp",
        BACKENDS / "any" / include / "matrix_instruction.hpp",
        BACKENDS / "any" / include / "byte_instruction.hpp",
        BACKENDS / "any" / include / "subbyte_instruction.hpp",
        BACKENDS / "any" / include / "quadpair_instruction.hpp",
        BACKENDS / "any" / include / "instruction_table.hpp",
        BACKENDS / "any" / include / "matrix_arithmetic.hpp",
        BACKENDS / "any" / include / "matrix_numbers.hpp",
        ROOT / "tests/backend/any/matrix_kernels.hpp",
    ]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def kept_instructions(record: Json, driver: str) -> bytes:
    """The record with what it depends on."""
    head = {key: record[key] for key in ("backend", "target", "device", "commit")}
    head |= {"driver": driver, "sources_sha256": instruction_sources(record["backend"]), "command": COMMAND}
    lines = json.dumps(head, indent=2)[:-2]
    for key in ("instructions", "loads"):
        rows = []
        for row in record[key]:
            kinds = row.pop("kinds", None)
            shown = json.dumps(row)
            if kinds is not None:
                shown = (
                    shown[:-1] + ', "kinds": [\n      ' + ",\n      ".join(json.dumps(kind) for kind in kinds) + "]}"
                )
            rows.append(shown)
        lines += f',\n  "{key}": [' + (("\n    " + ",\n    ".join(rows) + "\n  ") if rows else "") + "]"
    return (lines + "\n}\n").encode()


def file_name(device: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", device.lower()) + ".json"


def keep(folder: Path) -> Files:
    """The records of every chapter that ran, and of the matrix instructions."""
    files: Files = {}
    log = folder / "sanitizer.log"
    summary = text(folder / "summary.txt", COMMAND)
    found = re.search(r"^(.+), ([\d.]+), \d+ MiB", summary, re.M)
    driver = found.group(2) if found else "none"
    command = COMMAND + (" --small" if re.search("^--small$", summary, re.M) else "")
    sanitized = text(log, "compute-sanitizer").splitlines() if log.exists() else []
    for chapter in chapters():
        record = folder / f"{chapter.name}.json"
        if record.exists():
            runs = load(record, COMMAND, [RUN])
            if all(run["device"] == "none" for run in runs):
                refuse(record, COMMAND, "nothing ran on a device")
            cases = [line for line in sanitized if line.split()[1:2] == [chapter.name]]
            kept = condensed(runs, cases, driver, command, chapter.folder / "kernel.hpp")
            files[chapter.folder / "results" / file_name(json.loads(kept)["device"])] = kept.encode()
    instructions = folder / "matrix_instructions.json"
    if instructions.exists():
        record = load(instructions, COMMAND, INSTRUCTION_RECORD)
        files[INSTRUCTION_RECORDS / file_name(record["device"])] = kept_instructions(record, driver)
    if not files:
        refuse(folder, COMMAND, "it holds no CHAPTER.json; give the folder that device_check.sh wrote")
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
        same = kernel_hash(chapter.folder / "kernel.hpp") == record["kernel_sha256"]
        commit = f"`{record['commit']}`" + ("" if same else ", an earlier kernel")
        sanitizer = f"{clean} of {len(record['sanitizer'])}" if record["sanitizer"] else "not run"
        cases = f"{right} of {len(record['runs'])}" + (
            ", small cases" if record["command"].endswith(" --small") else ""
        )
        rows.append(f"| {record['device']} | {record['driver']} | {commit} | {cases} | {sanitizer} |")
    assumed: dict[str, list[str]] = {}
    for record in records:
        if "assumed" in record:
            assumed.setdefault(record["assumed"], []).append(record["device"])
    return "\n".join(
        rows
        + [f"\nAssumed in the runs on the {' and the '.join(devices)}: {text}" for text, devices in assumed.items()]
    )


def instructions_of_targets() -> dict[str, list[str]]:
    """target -> the names of its matrix instructions"""
    headers = BACKENDS / "any/include/tilestep/backend"
    names = ("instruction.hpp", "byte_instruction.hpp", "subbyte_instruction.hpp", "quadpair_instruction.hpp")
    text = "".join((headers / name).read_text() for name in names)
    found = re.findall(r'char const\* name = "([^"]+)";\s*static constexpr std::string_view targets = "([^"]+)"', text)
    return {target: [name for name, targets in found if target in targets.split()] for target in TARGETS}


def instruction_table() -> str:
    """One row per target, and per device that ran its matrix instructions alone."""
    records = [json.loads(path.read_text()) for path in sorted(INSTRUCTION_RECORDS.glob("*.json"))]
    rows = [
        "| target | matrix instructions | run on | cases | right | every bit as on the virtual GPU | bits differ in |",
        "|---|--:|---|--:|--:|--:|---|",
    ]
    for target, names in instructions_of_targets().items():
        of_target = [record for record in records if record["target"] == target]
        if not of_target:
            rows.append(f"| {target} | {len(names)} | {NOT_RUN.get(target, 'not run yet')} | | | | |")
        for record in of_target:
            runs = record["instructions"]
            differ = {
                kind["kind"]: None for run in runs for kind in run["kinds"] if kind["as_model"] != kind["results"]
            }
            same = instruction_sources(record["backend"]) == record["sources_sha256"]
            device = record["device"] + ("" if same else ", earlier sources")
            rows.append(
                f"| {target} | {len(names)} | {device} | {sum(run['cases'] for run in runs):,} | "
                f"{sum(run['verdict'] == 'right' for run in runs)} of {len(names)} | "
                f"{sum(run['every_bit_as_model'] for run in runs)} of {len(names)} | {', '.join(differ) or 'nothing'} |"
            )
    return "\n".join(rows)


def generate(chapter: Chapter, _: Path) -> Files:
    return fill_chapter(chapter, devices=lambda _: table(chapter)) | fill(
        INSTRUCTIONS, instructions=lambda _: instruction_table()
    )


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--keep":
        sys.exit(guarded(lambda: settle(keep(Path(sys.argv[2])), False)))
    sys.exit(program(__doc__ or "", generate))
