"""The verb run: build the chapters, run each against its reference, print one table."""

from __future__ import annotations

import dataclasses
import json
import re
import shlex
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import machine
import packages
import programs
import trees
from console import Progress, Stop, started, table
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
    for named in filter(None, (target, programs.value_of("--target", own_options))):
        if named not in EVERY_TARGET:
            raise Stop(f"there is no target '{named}': choose one of {', '.join(EVERY_TARGET)}", 2)
    for device_backend, vendor, compiler, device in machine.gpus():
        if device_backend == backend and not (compiler and device):
            raise Stop(f"--backend {backend} runs on an {vendor} GPU, and {reason(vendor, compiler, device)}", 3)
    packages.ensure("run")
    alone = not backend  # the virtual GPU, and then the real one if any
    backend = backend or "host"
    if len(names) == 1:
        name = programs.part_for(chosen[0], target, own_options) if backend == "host" else ""
        trees.build(backend, tests=False, targets=[programs.target_of(chosen[0], name)])
        return run_one(chosen[0], name, own_options, target, backend)
    runs = runs_of(chosen, backend, target)
    trees.build(backend, tests=False, targets=sorted({programs.target_of(run.chapter, run.part) for run in runs}))
    outcomes = run_all(runs, backend)
    remarks = []
    if alone and not target:
        for device_backend, vendor, compiler, device in machine.gpus():
            if compiler and device:
                trees.build(device_backend, tests=False, targets=["chapters"])
                outcomes += run_all(runs_of(chosen, device_backend, ""), device_backend)
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


@dataclasses.dataclass(frozen=True)
class Run:
    """One problem of one chapter on one target, the part of the chapter's kernels that it needs, and the devices that
    processes of a chapter have; 0: virtual ones."""

    chapter: Chapter
    problem: str
    target: str
    part: str
    devices: int = 0


def runs_of(chosen: list[Chapter], backend: str, target: str, whole: bool = False) -> list[Run]:
    """Every chapter's problems on every target. whole: by the programs of all kernels. Where not all chapters are
    chosen, programs of one target and type run them, which are compiled without the kernels of other chapters."""
    runs = []
    every = len(chosen) == len(find_chapters([]))
    devices = machine.device_count(backend)
    for chapter in chosen:
        targets = [target] if target or backend != "host" else chapter.targets or TARGETS
        problems = [(problem, one) for problem in chapter.runs or [""] for one in targets]
        parts = [programs.part_for(chapter, one, shlex.split(problem)) for problem, one in problems]
        if backend != "host" or whole:
            parts = [""] * len(problems)
        elif every and not target:
            parts = [programs.shown(chapter, set(parts))] * len(problems)
        runs += [Run(chapter, problem, one, part, devices) for (problem, one), part in zip(problems, parts)]
    return runs


def run_one(chapter: Chapter, part: str, options: list[str], target: str, backend: str) -> int:
    """The program's own output and exit code."""
    program = trees.binaries(backend) / programs.path_of(chapter, part)
    start = programs.start_of(chapter, machine.device_count(backend))
    command, env = [*start, str(program)], programs.environment()
    with started([*command, *(["--target", target] if target else []), *options], env=env) as process:
        pass
    return process.returncode


class Programs:
    """Programs of several threads, which do not outlive the thread that started those."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.running: set[subprocess.Popen[str]] = set()
        self.ended = False

    def run(self, command: list[str]) -> tuple[int, str]:
        """A program's exit code and what it printed."""
        with self.lock:
            if self.ended:
                raise Stop("no program is started any more", 130)
            process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                env=programs.environment(),
            )
            self.running.add(process)
        output, _ = process.communicate()
        with self.lock:
            self.running.remove(process)
        return process.returncode, output

    def end(self) -> None:
        """Nothing is started from now on, and what runs is told to end."""
        with self.lock:
            self.ended = True
            for process in self.running:
                process.terminate()


def run_all(runs: list[Run], backend: str, binaries: Path | None = None) -> list[Outcome]:
    """Their outcomes in the order of the runs, with progress; the output of a run that is not right is shown. On the
    virtual GPU as many problems run at a time as there are cores; a GPU has one after the other."""
    outcomes: list[Outcome] = []
    chapters = len({run.chapter.name for run in runs})
    progress = Progress(f"running {chapters} chapters on {'the virtual GPU' if backend == 'host' else backend}")
    problems: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        problems.setdefault((run.chapter.name, run.problem), []).append(run)
    own = Programs()
    pool = ThreadPoolExecutor(machine.cores() if backend == "host" else 1)
    try:
        folder = binaries or trees.binaries(backend)
        results = [pool.submit(run_on_each, group, folder, own) for group in problems.values()]
        for (name, problem), group, result in zip(problems, problems.values(), results):
            progress.show(f"{name} {problem}")
            for run, outcome in zip(group, result.result()):
                outcomes.append(outcome)
                if outcome.verdict() not in ("right", "not here"):
                    progress.clear()
                    where = f" on {run.target}" if run.target else ""
                    print(f"{name} {problem}{where}:\n{outcome.output}", file=sys.stderr)
    finally:
        own.end()  # something runs only where an error or a signal ended this early
        pool.shutdown(cancel_futures=True)
    progress.done(f"{len(outcomes)} runs")
    for sentence in sorted({o.output.strip() for o in outcomes if o.verdict() == "not here"}):
        print(sentence, file=sys.stderr)
    return outcomes


def run_on_each(runs: list[Run], binaries: Path, own: Programs) -> list[Outcome]:
    """One problem on its targets, one after the other; once, where no target makes a difference."""
    outcomes: list[Outcome] = []
    for run in runs:
        outcomes.append(run_problem(run, binaries, own))
        if outcomes[-1].everywhere():
            break
    return outcomes


def run_problem(run: Run, binaries: Path, own: Programs) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="tilestep-") as folder:
        record = Path(folder) / "record.json"
        command = [
            *programs.start_of(run.chapter, run.devices),
            str(binaries / programs.path_of(run.chapter, run.part)),
            *(["--target", run.target] if run.target else []),
            *shlex.split(run.problem),
            "--json",
            str(record),
        ]
        code, output = own.run(command)
        fields = json.loads(record.read_text()) if record.exists() else {}
    target = fields.get("target", run.target or "device")
    return Outcome(run.chapter.name, target, run.problem, fields, code, output)


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
