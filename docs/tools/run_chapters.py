"""The verb run: build the chapters, run each against its reference, print one table."""

from __future__ import annotations

import dataclasses
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import machine
import packages
import trees
from console import Progress, Stop, table
from repository import ROOT, Chapter, find_chapters

TARGETS = [
    "sm80",
    "gfx942",
    "gfx1100",
]  # what `run` shows of the virtual GPU: three machines that differ in every respect

# What the virtual GPU can play, as common/backend/any/include/tilestep/backend/target.hpp has it.
EVERY_TARGET = re.findall(
    r'detail::\w+\("(\w+)", ', (ROOT / "common/backend/any/include/tilestep/backend/target.hpp").read_text()
)

VERDICTS = {0: "right", 1: "WRONG", 2: "bad input", 3: "not here", 4: "HAZARD"}
WORST_FIRST = [4, 1, 2, 3, 0]
HEADING = ["chapter", "target", "problem", "error", "bound", "hazards", "verdict"]


@dataclasses.dataclass
class Outcome:
    """One run of one chapter's program."""

    chapter: str
    target: str
    problem: str
    record: dict[str, Any]  # what the program wrote with --json; {} when it wrote nothing
    code: int
    output: str

    def verdict(self) -> str:
        if self.code not in VERDICTS or (self.code in (0, 1, 4) and not self.record):
            return f"CRASHED ({self.code})"
        return VERDICTS[self.code]

    def everywhere(self) -> bool:
        """Nothing was launched, so no target made a difference."""
        return self.record.get("target") == "none"

    def row(self) -> list[str]:
        error, bound = self.record.get("max_error"), self.record.get("bound")
        return [
            self.chapter,
            "-" if self.everywhere() else self.target,
            self.record.get("problem", self.problem),
            "-" if not self.record else "nan" if error is None else f"{error:.2g}",
            "-" if not self.record else "exact" if not bound else f"{bound:.2g}",
            str(self.record.get("hazards", "-")),
            self.verdict(),
        ]


def run(names: list[str], own_options: list[str], target: str, backend: str) -> int:
    """`./tutorial run`: one chapter with options of its own, or a table of all that are asked for."""
    chosen = find_chapters(names)
    if own_options and len(names) != 1:
        raise Stop("options after -- go to one chapter: name it, as in ./tutorial run 04 -- --m 129", 2)
    if target and target not in EVERY_TARGET:
        raise Stop(f"there is no target '{target}': choose one of {', '.join(EVERY_TARGET)}", 2)
    for device_backend, vendor, compiler, device in machine.gpus():
        if device_backend == backend and not (compiler and device):
            raise Stop(f"--backend {backend} runs on an {vendor} GPU, and {reason(vendor, compiler, device)}", 3)
    packages.ensure("run")
    table_alone = (
        not names and not target and backend in ("", "host")
    )  # then the kernels of other types and targets may wait
    trees.build(
        backend or "host",
        tests=False,
        targets=[c.name for c in chosen] if names else ["table" if table_alone else "chapters"],
    )

    if len(names) == 1:
        return run_one(chosen[0], own_options, target, backend or "host")
    outcomes = run_all(chosen, backend or "host", target, trees.binaries("host") / "table" if table_alone else None)
    remarks = []
    if not backend and not target:
        for device_backend, vendor, compiler, device in machine.gpus():
            if compiler and device:
                trees.build(device_backend, tests=False, targets=["chapters"])
                outcomes += run_all(chosen, device_backend, "")
            else:
                remarks.append(f"{vendor} GPU: not run, because {reason(vendor, compiler, device)}.")
    return report(outcomes, remarks)


def reason(vendor: str, compiler: str | None, device: str) -> str:
    compiler_name = {"NVIDIA": "nvcc", "AMD": "hipcc"}[vendor]
    if device:
        return f"there is a {device}, but no {compiler_name}"
    return (
        f"there is no device (though {compiler} is there)" if compiler else f"there is no device and no {compiler_name}"
    )


def run_one(chapter: Chapter, options: list[str], target: str, backend: str) -> int:
    """The program's own output and exit code."""
    command = [str(trees.binaries(backend) / chapter.name), *(["--target", target] if target else []), *options]
    return subprocess.run(command).returncode


def run_all(chosen: list[Chapter], backend: str, target: str, binaries: Path | None = None) -> list[Outcome]:
    """Every chapter's problems on every target, with progress; the output of a run that is not right is shown."""
    binaries = binaries or trees.binaries(backend)
    outcomes: list[Outcome] = []
    progress = Progress(f"running {len(chosen)} chapters on {'the virtual GPU' if backend == 'host' else backend}")
    for chapter in chosen:
        for problem in chapter.runs or [""]:
            for one in [target] if target or backend != "host" else chapter.targets or TARGETS:
                progress.show(f"{chapter.name} {one} {problem}")
                outcomes.append(run_problem(chapter, problem, one, binaries))
                if outcomes[-1].verdict() not in ("right", "not here"):
                    progress.clear()
                    print(
                        f"{chapter.name} {problem}{' on ' + one if one else ''}:\n{outcomes[-1].output}",
                        file=sys.stderr,
                    )
                if outcomes[-1].everywhere():
                    break
    progress.done(f"{len(outcomes)} runs")
    for sentence in sorted({o.output.strip() for o in outcomes if o.verdict() == "not here"}):
        print(sentence, file=sys.stderr)
    return outcomes


def run_problem(chapter: Chapter, problem: str, target: str, binaries: Path) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="tilestep-") as folder:
        record = Path(folder) / "record.json"
        command = [
            str(binaries / chapter.name),
            *(["--target", target] if target else []),
            *shlex.split(problem),
            "--json",
            str(record),
        ]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        fields = json.loads(record.read_text()) if record.exists() else {}
    return Outcome(
        chapter.name, fields.get("target", target or "device"), problem, fields, done.returncode, done.stdout
    )


def report(outcomes: list[Outcome], remarks: list[str]) -> int:
    """The table, a count, and the worst exit code. A chapter that is right nowhere is not right."""
    print(table([HEADING, *(outcome.row() for outcome in outcomes)]))
    print()
    right = [outcome for outcome in outcomes if outcome.verdict() == "right"]
    elsewhere = [outcome for outcome in outcomes if outcome.verdict() == "not here"]
    others = len(outcomes) - len(right) - len(elsewhere)
    print(
        f"{len(outcomes)} runs: {len(right)} right"
        + (f", {len(elsewhere)} not here" if elsewhere else "")
        + (f", {others} NOT RIGHT" if others else "")
    )
    for remark in remarks:
        print(remark)
    never_right = {o.chapter for o in outcomes} - {o.chapter for o in right}
    codes = {
        1 if o.verdict().startswith("CRASHED") else o.code for o in outcomes if o.verdict() not in ("right", "not here")
    }
    if never_right and not codes:
        codes = {3}
    return next((code for code in WORST_FIRST if code in codes), 0)
