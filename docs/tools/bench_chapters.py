"""The verb bench: measure the chapters' kernels on a GPU, problem by problem, and keep the records."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Optional

import bench
import calibrate
import machine
import packages
import programs
import random_problems
import random_shapes
import several
import tile_rates
import trees
import tune
from console import Progress, Stop, table
from generated import settle
from repository import Chapter, find_chapters

Json = dict[str, Any]

# A GEMM chapter whose add_chapter() has no BENCH: one size that fits every tile, one that fits none.
DEFAULT = ["--m 4096 --n 4096 --k 4096", "--m 4095 --n 4097 --k 4099"]

HEADING = [
    "chapter",
    "problem",
    "time",
    "TFLOP/s",
    "library",
    "its TFLOP/s",
    "its time / ours (min to max)",
    "of the ceiling",
]


def run(names: list[str], own_options: list[str], backend: str, build: bool, records: Optional[Path]) -> int:
    """`./tutorial bench`: every GEMM chapter's list of problems, or problems of the reader's own."""
    chosen = [chapter for chapter in find_chapters(names) if is_gemm(chapter)]
    if not chosen:
        raise Stop("only chapters with a GEMM have something to measure: name 00, or one from 04 on", 2)
    backend = backend_with_device(backend)
    if build:
        packages.ensure("run")
        trees.build(backend, tests=False, targets=[chapter.name for chapter in chosen])
    chosen = [chapter for chapter in chosen if (trees.binaries(backend) / chapter.name).exists()]
    if not chosen:
        raise Stop(
            f"{trees.binaries(backend)} has none of these chapters: leave out --no-build, or build them where the "
            "compiler is",
            3,
        )
    collected, worst = measure(chosen, own_options, trees.binaries(backend), records)
    if collected:
        print(table([HEADING, *(row(run) for run in collected)]))
    return keep(collected, records) or worst


def programs_of(
    chosen: list[Chapter], backend: str, build: bool, record: Optional[Path]
) -> Iterator[tuple[Chapter, Path]]:
    """Each chapter with its program for the GPU that is here, built if so wanted."""
    if record and len(chosen) > 1:
        raise Stop("--records names one file: name one chapter, too", 2)
    backend = backend_with_device(backend)
    if build:
        packages.ensure("run")
        trees.build(backend, tests=False, targets=[chapter.name for chapter in chosen])
    for chapter in chosen:
        program = trees.binaries(backend) / chapter.name
        if not program.exists():
            raise Stop(f"{program} is not there: leave out --no-build, or build it where the compiler is", 3)
        yield chapter, program


def tune_chapters(names: list[str], backend: str, build: bool, record: Optional[Path]) -> int:
    """`./tutorial bench --tune`: the chapters that have a list of problems to tune for, each in one process, which
    shows its progress."""
    chosen = [chapter for chapter in find_chapters(names) if problems_to_tune(chapter).exists()]
    if not chosen:
        raise Stop("--tune is for chapters with a table of choices: 17_optimized_gemm has one", 2)
    worst = 0
    for chapter, program in programs_of(chosen, backend, build, record):
        with tempfile.TemporaryDirectory(prefix="tilestep-") as folder:
            path = record.resolve() if record else Path(folder) / "record.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            print(f"tuning {chapter.name}", file=sys.stderr, flush=True)
            code = subprocess.run(
                [str(program), "--tune", str(problems_to_tune(chapter)), "--json", str(path)]
            ).returncode
            worst = worst or code
            if not path.exists():
                continue
            if record:
                print(f"wrote {record}: `docs/tools/tune.py --keep {record}` puts it into the chapter")
            else:
                settle(tune.keep(path), False)
                settle(tune.generate(chapter), False)
    return worst


def calibrate_chapter(names: list[str], backend: str, build: bool, record: Optional[Path]) -> int:
    """`./tutorial bench --calibrate`: what a chapter's plans need of the NVIDIA GPU that is here."""
    chosen = find_chapters(names)
    tools = {calibrate.CHAPTER: calibrate, tile_rates.CHAPTER: tile_rates}
    if not names or len(chosen) != 1 or chosen[0].folder not in tools:
        raise Stop("--calibrate is for a chapter whose plans are made of what was measured: name 17 or 20", 2)
    if backend == "hip":
        raise Stop("--calibrate is for an NVIDIA GPU: leave out --backend hip", 2)
    tool = tools[chosen[0].folder]
    for chapter, program in programs_of(chosen, "cuda", build, record):
        with tempfile.TemporaryDirectory(prefix="tilestep-") as folder:
            path = record.resolve() if record else Path(folder) / "record.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            print(f"calibrating {chapter.name}", file=sys.stderr, flush=True)
            try:
                tool.calibrate(str(program), path)
            except subprocess.CalledProcessError as error:  # the program has said why
                return error.returncode
            if record:
                print(f"wrote {record}: `docs/tools/{tool.__name__}.py --keep {record}` puts it into the chapter")
            else:
                settle(tool.keep([path]), False)
                settle(tool.generate(), False)
    return 0


def measure_random(
    names: list[str],
    number: int,
    seed: int,
    types: tuple[str, str],
    against: str,
    backend: str,
    build: bool,
    record: Optional[Path],
) -> int:
    """`./tutorial bench --random`: problems that a seed draws, what each chapter runs for them beside the library.
    @param types  of A and B, and of C, "" where that follows"""
    chosen = [chapter for chapter in find_chapters(names) if (chapter.folder / "plan.cpp").exists()]
    if not chosen or not names:
        raise Stop("--random is for chapters that choose among tiles: name 17 or 20", 2)
    worst = 0
    for chapter, program in programs_of(chosen, backend, build, record):
        with tempfile.TemporaryDirectory(prefix="tilestep-") as folder:
            listed, taken = Path(folder) / "problems.csv", record.resolve() if record else Path(folder) / "record.json"
            listed.write_text(random_problems.table(random_problems.problems(number, seed), *types))
            taken.parent.mkdir(parents=True, exist_ok=True)
            taken.unlink(missing_ok=True)
            command = [str(program), "--tune", str(listed), "--against", against, "--json", str(taken)]
            try:
                worst = subprocess.run(command).returncode or worst
            finally:  # the program writes after each problem: where a signal ends it, those before stay
                is_there = taken.exists()
                if is_there:
                    name_random(taken, seed)
            if not is_there:
                continue
            if record:
                print(f"wrote {record}: `docs/tools/random_shapes.py --keep {record}` puts it into the chapter")
            else:
                settle(random_shapes.keep(taken), False)
                settle(random_shapes.generate(chapter), False)
    return worst


def name_random(taken: Path, seed: int) -> None:
    """Says in a record of tuned problems that they are the first that this seed draws; those refused go."""
    found = json.loads(taken.read_text())
    found["random"] = {"number": len(found["problems"]), "seed": seed}
    found["problems"] = [each for each in found["problems"] if "planned" in each]
    taken.write_text(json.dumps(found) + "\n")


# What is measured on several devices: each scheme at a size that communication fills and at one that products fill.
ON_SEVERAL = [
    f"--kernel {scheme} --layout nt --dtype bf16 --out-dtype bf16 --m {m} --n {n} --k {k}"
    for m, n, k in ((8192, 8192, 8192), (16384, 28672, 8192))
    for scheme in ("gather", "scatter", "grid")
]


def measure_several(
    names: list[str], devices: int, own_options: list[str], backend: str, build: bool, record: Optional[Path]
) -> int:
    """`./tutorial bench 21 --devices N`: products on N devices, a process for each."""
    chosen = [chapter for chapter in find_chapters(names) if chapter.processes > 1]
    if not chosen or not names:
        raise Stop("--devices is for a chapter of several processes: name 21", 2)
    worst = 0
    collected: list[Json] = []
    for chapter, program in programs_of(chosen, backend, build, record):
        for problem in [shlex.join(own_options)] if own_options else ON_SEVERAL:
            with tempfile.TemporaryDirectory(prefix="tilestep-") as folder:
                taken = Path(folder) / "record.json"
                command = [
                    *programs.start_of(chapter, devices),
                    str(program),
                    *shlex.split(problem),
                    "--bench",
                    "--json",
                    str(taken),
                ]
                worst = subprocess.run(command, env=programs.environment()).returncode or worst
                if taken.exists():
                    collected.append(json.loads(taken.read_text()))
                    if record:
                        write(record, collected)
    if not collected:
        return worst
    if record:
        print(f"wrote {record}: `docs/tools/several.py --keep {record}` puts it into the chapter")
        return worst
    with tempfile.TemporaryDirectory(prefix="tilestep-") as folder:
        path = Path(folder) / "records.json"
        write(path, collected)
        settle(several.keep(path), False)
    for chapter in chosen:
        settle(several.generate(chapter), False)
    return worst


def problems_to_tune(chapter: Chapter) -> Path:
    return chapter.folder / "tune.csv"


def is_gemm(chapter: Chapter) -> bool:
    return "gemm_main(" in (chapter.folder / "main.cpp").read_text()


def problems(chapter: Chapter, own_options: list[str]) -> list[str]:
    """What each run of the program measures: one problem, or all of the chapter's bench.csv."""
    path = chapter.folder / "bench.csv"
    lists = [shlex.join(["--problems", str(path)])] if path.exists() else []
    return [shlex.join(own_options)] if own_options else [*chapter.bench, *lists] or DEFAULT


def backend_with_device(wanted: str) -> str:
    """The backend to measure on: the one that is wanted, else the first whose device is here."""
    found = [(backend, vendor) for backend, vendor, _, device in machine.gpus() if device and wanted in ("", backend)]
    if not found:
        vendors = [vendor for backend, vendor, _, _ in machine.gpus() if wanted in ("", backend)]
        raise Stop(
            f"bench measures time, and there is no {' or '.join(vendors)} GPU here: ./tutorial run shows what the "
            "virtual GPU counts",
            3,
        )
    return found[0][0]


def measure(
    chosen: list[Chapter], own_options: list[str], binaries: Path, records: Optional[Path]
) -> tuple[list[Json], int]:
    """The records of all runs, and the worst exit code. What is collected is written after each run: a later one may
    take too long."""
    collected: list[Json] = []
    codes: list[int] = []
    progress = Progress("measuring")
    for chapter in chosen:
        for problem in problems(chapter, own_options):
            progress.show(f"{chapter.name} {problem}")
            found, code, output = measure_one(binaries / chapter.name, problem, progress)
            codes.append(code)
            collected += found
            if found and records:
                write(records, collected)
            if code:
                progress.clear()
                print(f"{chapter.name} {problem}: exit code {code}\n{output.strip()}", file=sys.stderr)
    progress.done(
        f"{len(collected)} problems" + (f"; {sum(map(bool, codes))} runs were not right" if any(codes) else "")
    )
    return collected, next((code for code in codes if code not in (0, 3)), 0 if collected else 3)


def measure_one(program: Path, problem: str, progress: Progress) -> tuple[list[Json], int, str]:
    """The records of one run, its exit code, what it said."""
    with tempfile.TemporaryDirectory(prefix="tilestep-") as folder:
        record = Path(folder) / "record.json"
        command = [str(program), *shlex.split(problem), "--bench", "--json", str(record)]
        lines = []
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        ) as process:
            for line in process.stdout or ():
                lines.append(line)
                if line.startswith(program.name):  # a list says what it has measured
                    progress.show(" ".join(line.split()))
        found = json.loads(record.read_text()) if record.exists() else {"runs": []}
        return found.get("runs", [found]), process.returncode, "".join(lines)


def write(path: Path, collected: list[Json]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"runs": [\n' + ",\n".join(json.dumps(run) for run in collected) + "\n]}\n")


def keep(collected: list[Json], records: Optional[Path]) -> int:
    """Puts the records where they belong: into one file, or into the chapters, whose tables then show them."""
    if not collected:
        return 0
    if records:
        write(records, collected)
        print(f"wrote {records}: `docs/tools/bench.py --keep {records}` puts its records into the chapters")
        return 0
    with tempfile.TemporaryDirectory(prefix="tilestep-") as folder:
        path = Path(folder) / "records.json"
        write(path, collected)
        settle(bench.keep(path), False)
    for chapter in find_chapters(list(dict.fromkeys(run["chapter"] for run in collected))):
        settle(bench.generate(chapter, Path()), False)
    return 0


def row(run: Json) -> list[str]:
    time, vendor = bench.seconds(run, "kernel"), run["vendor"]
    best = bench.ceiling(run)
    cells = [run["chapter"], bench.problem(run), bench.duration(time), bench.rate(run, time)]
    if "ratio" in run:
        cells += [
            f"{vendor['name']} {vendor['mode']}",
            bench.rate(run, bench.seconds(run, "vendor")),
            bench.spread(run["ratio"]),
        ]
    else:
        cells += [vendor["missing"], "-", "-"]
    return [*cells, f"{run['operations'] / time / best['per_second']:.2g} ({best['name']})" if best else "-"]
