#!/usr/bin/env python3
"""Run random problems through the GEMM chapters and say how many were right.

A table of problems is blind where its author was. Here a seed draws everything that a command line can say: chapter,
kernel, types, layout, extents (half of them with more tiles than a GPU has multiprocessors, or with few units to run
on; K often shorter than 200), leading dimensions, batches, factors, epilogues, slices of K, tiles by name, blocks for
several tiles. The program compares with its own float64 reference; every fifth problem that is small enough gets
operands made of whole numbers by NumPy, and NumPy compares the result, with ==.

usage: random_check.py --seed S (--minutes X | --problems N) [--bin build/cuda/bin] [--jobs J] [--chapter 20]...
                       [--target sm90]... [--record FILE]

Failures are printed as commands that repeat them. What a program refuses (exit code 2 or 3) is counted by its sentence
and is no problem solved. --record adds the run to those of a file. Exit code: 0 all right, 1 something was wrong, 3
there is no device.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import json
import math
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]

ROOT = Path(__file__).resolve().parents[2]
NO_GEMM = {"01", "02", "03"}  # chapters
WHOLE_TILES = {"06"}  # K is one tile, M and N are tiles of all targets
DTYPE = {"f64": "<f8", "f32": "<f4", "tf32": "<f4", "f16": "<f2", "i8": "i1", "i32": "<i4"}
SECONDS = 300  # that a process may take
BATCH = 20  # problems that share one: a GPU's process takes longer to begin than a problem


@dataclasses.dataclass(frozen=True)
class Types:
    target: str
    dtype: str
    acc: str
    out: str
    layouts: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Chapter:
    """What a program says of itself."""

    program: Path
    types: tuple[Types, ...]
    options: frozenset[str]
    kernels: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.program.name


@dataclasses.dataclass
class Problem:
    chapter: Chapter
    types: Types
    layout: str
    m: int
    n: int
    k: int
    batch: int
    words: list[str]
    alpha: float = 1
    beta: float = 0
    by_numpy: bool = False

    def command(self) -> list[str]:
        t = self.types
        return [
            self.chapter.name,
            "--dtype",
            t.dtype,
            "--acc",
            t.acc,
            "--out-dtype",
            t.out,
            "--layout",
            self.layout,
            "--m",
            str(self.m),
            "--n",
            str(self.n),
            "--k",
            str(self.k),
            *self.words,
        ]


def said(program: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS
    )


def chapter_of(program: Path, targets: list[str]) -> Chapter:
    rows = [line.split() for line in said(program, "--list").stdout.splitlines()[1:] if not line.startswith("kernels:")]
    types = tuple(Types(row[0], row[1], row[2], row[3], tuple(row[4:])) for row in rows if row[0] in targets)
    text = said(program, "--help").stdout
    kernels = re.search(r"^ *--kernel ([^= ]+)=", text, re.M)
    return Chapter(
        program,
        types,
        frozenset(re.findall(r"^ *(--[a-z0-9-]+)", text, re.M)),
        tuple(kernels.group(1).split("|")) if kernels else (),
    )


class Draw:
    """Problems from a seed."""

    def __init__(self, chapters: list[Chapter], seed: int, large: bool) -> None:
        self.pick = random.Random(seed)
        self.chapters, self.large = chapters, large
        self.tiles: dict[tuple[str, Types], list[str]] = {}
        # The chapters with schedules, plans and roles have most to go wrong.
        self.weights = [3 if "--split-k" in chapter.options else 1 for chapter in chapters]

    def often(self, share: float) -> bool:
        return self.pick.random() < share

    def between(self, least: float, most: float) -> int:
        """Log-uniform."""
        return round(math.exp(self.pick.uniform(math.log(least), math.log(most))))

    def extent(self, least: int, most: int) -> int:
        step = self.pick.choice([1, 1, 1, 2, 8, 8, 8, 16, 64])
        return max(1, round(self.between(least, most) / step)) * step

    def tiles_of(self, chapter: Chapter, types: Types) -> list[str]:
        """The tiles that a program offers in place of one that does not exist."""
        if (chapter.name, types) not in self.tiles:
            words = [
                "--tile",
                "none",
                "--layout",
                "nt",
                "--dtype",
                types.dtype,
                "--acc",
                types.acc,
                "--out-dtype",
                types.out,
            ]
            text = said(chapter.program, *words, *target_option(self.large, types)).stdout
            found = re.search(r" has (\d+x[^\n]+)", text)
            names = re.search(r"\b(auto(?:, \w+)+)", text)
            # type: ignore[union-attr]
            self.tiles[chapter.name, types] = (found or names).group(1).split(", ") if found or names else []
        return self.tiles[chapter.name, types]

    def problem(self) -> Problem:
        pick = self.pick
        chapter = pick.choices(self.chapters, self.weights)[0]
        types = pick.choice(chapter.types)
        has = chapter.options.__contains__
        whole = types.dtype == "i8"
        decorated = self.often(0.5)  # else C = A B, whole matrices next to each other
        few_units = has("--units") and self.often(0.3)
        if self.large and self.often(0.55):  # 500,000 elements are 122 tiles of 64 x 64
            m = self.extent(64, 16384)
            n = self.extent(max(16, 500_000 // m), max(32, min(16384, 8_000_000 // m)))
        else:
            m, n = self.extent(1, 1500 if self.large else 500), self.extent(1, 1500 if self.large else 500)
        k = self.extent(1, 200) if self.often(0.65) else self.extent(1, 3000 if self.large else 600)
        if self.often(0.03):
            k = 0
        limit = 2**33 if self.large else 2**24
        while m * n * k > limit:
            k = k * 3 // 4
        if chapter.name[:2] in WHOLE_TILES:
            m, n, k = (m + 255) // 256 * 256, (n + 127) // 128 * 128, 8 if types.dtype == "f32" else 32
        batch = pick.randint(2, 5) if decorated and m * n * k < limit / 8 and self.often(0.3) else 1
        words = target_option(self.large, types)
        if batch > 1:
            words += ["--batch", str(batch)]
        layout = pick.choice(types.layouts)
        for option, row in (
            ("--lda", m if layout[0] == "t" else k),
            ("--ldb", k if layout[1] == "t" else n),
            ("--ldc", n),
        ):
            if decorated and self.often(0.25):
                step = pick.choice([1, 8, 16])
                words += [option, str((row + pick.randint(0, 40) + step - 1) // step * step)]
        problem = Problem(chapter, types, layout, m, n, k, batch, words)
        if self.often(0.2):
            problem.alpha = pick.choice([2, -1, 3, 0] if whole else [2, -1, 0.5, 0])
            words += ["--alpha", str(problem.alpha)]
        if decorated and self.often(0.35):
            problem.beta = pick.choice([1, -2] if whole else [1, -2, 0.5])
            words += ["--beta", str(problem.beta)]
        if chapter.kernels and self.often(0.35):
            words += ["--kernel", pick.choice(chapter.kernels)]
        elif has("--tile") and self.often(0.5) and self.tiles_of(chapter, types):
            words += ["--tile", pick.choice(self.tiles_of(chapter, types))]
        if has("--split-k") and self.often(0.25) and types.acc != "f16":
            words += ["--split-k", str(pick.choice([1, 2, 2, 3, 5, 8]))]
        if few_units:
            words += ["--units", str(pick.choice([1, 2, 3, 5, 17]))]
        if has("--persistent") and layout == "nt" and (types.dtype, types.out) == ("f16", "f32") and self.often(0.6):
            words += ["--persistent"]
        if has("--group") and self.often(0.2):
            words += ["--group", str(pick.choice([1, 2, 3, 7, 100]))]
            if has("--order"):
                words += ["--order", pick.choice(["grouped", "xcd"])]
        if decorated and has("--bias"):
            if self.often(0.3):
                words += ["--bias", "on"]
            if self.often(0.3):
                words += ["--activation", pick.choice(["relu"] if whole else ["relu", "gelu"])]
            if self.often(0.25):
                words += ["--residual", "on"]
        words += ["--seed", str(pick.randint(1, 1_000_000))]
        plain = not {"--bias", "--activation", "--residual"} & set(words) and problem.beta == 0
        problem.by_numpy = (
            np is not None
            and plain
            and types.dtype in DTYPE
            and types.out in DTYPE
            and m * n * k * batch <= 2**27
            and self.often(0.5)
        )
        return problem


def target_option(device: bool, types: Types) -> list[str]:
    return [] if device else ["--target", types.target]


@dataclasses.dataclass
class WholeNumbers:
    """Operands from NumPy in files, and what NumPy makes of them."""

    folder: Path
    problem: Problem

    def options(self) -> list[str]:
        """Writes the operands. @return the options that name them and the result"""
        p, t, rng = self.problem, self.problem.types, np.random.default_rng(int(self.problem.words[-1]))
        most = {"f16": 2, "f64": 2**20}.get(t.acc, 4)  # sums stay whole numbers that the accumulator has
        left, right = (rng.integers(-most, most + 1, (p.batch, rows, p.k)) for rows in (p.m, p.n))
        if t.acc == "f16":
            left *= rng.random(left.shape) < min(1.0, 256 / max(1, p.k * most))
        stored_a = left.transpose(0, 2, 1) if p.layout[0] == "t" else left
        stored_b = right if p.layout[1] == "t" else right.transpose(0, 2, 1)
        np.save(self.folder / "a.npy", np.ascontiguousarray(stored_a).astype(DTYPE[t.dtype]))
        np.save(self.folder / "b.npy", np.ascontiguousarray(stored_b).astype(DTYPE[t.dtype]))
        self.want = (p.alpha * np.matmul(left.astype("f8"), right.astype("f8").transpose(0, 2, 1))).astype(DTYPE[t.out])
        return [word for name in "ab" for word in (f"--{name}", str(self.folder / f"{name}.npy"))] + [
            "--out",
            str(self.folder / "out.npy"),
        ]

    def verdict(self) -> tuple[int, str]:
        got = np.load(self.folder / "out.npy")
        wrong = int(np.count_nonzero(~(got == self.want.reshape(got.shape))))  # NaN is wrong
        return (1, f"NumPy: {wrong} of {got.size} elements differ") if wrong else (0, "")


Result = tuple[Problem, int, str]


def run(problems: list[Problem]) -> list[Result]:
    """The problems of one chapter in one process, which is started once more for each that it did not live to
    answer."""
    with tempfile.TemporaryDirectory(prefix="tilestep-") as name:
        lines, numbers = "", []
        for i, problem in enumerate(problems):
            words = problem.command()[1:]
            numbers.append(None)
            if problem.by_numpy:
                folder = Path(name) / str(i)
                folder.mkdir()
                numbers[i] = WholeNumbers(folder, problem)
                words += numbers[i].options()
            lines += " ".join(words) + "\n"
        (Path(name) / "lines").write_text(lines)
        try:
            text = said(problems[0].chapter.program, "--each", f"{name}/lines").stdout
        except subprocess.TimeoutExpired as error:
            text = (error.stdout or b"").decode() if isinstance(error.stdout, bytes) else error.stdout or ""
        answers = re.split(r"^\$ \S+ ", text, flags=re.M)[1:]
        results: list[Result] = []
        for i, (problem, answer) in enumerate(zip(problems, answers)):
            code = re.search(r"^\[exit code (\d+)\]$", answer, re.M)
            answered = code is not None or "verdict: right" in answer
            if not answered:  # the process ended there, or took too long
                break
            if code or not numbers[i]:
                results.append((problem, int(code.group(1)) if code else 0, answer))
            else:
                results.append((problem, *numbers[i].verdict()))
        if len(results) == len(problems):
            return results
    left = problems[len(results) :]
    if len(problems) == 1:
        return [(left[0], 124, answers[0] + f"\nno answer in {SECONDS} seconds, or no exit code" if answers else text)]
    return results + [result for problem in left for result in run([problem])]


def sentence(text: str) -> str:
    """What a refusal says, without its numbers."""
    lines = [line for line in text.strip().splitlines() if not line.startswith("[exit code")]
    return re.sub(r"\d+", "N", lines[-1]) if lines else ""


def why(text: str) -> str:
    worth = [line for line in text.splitlines() if re.search(r"wrong|hazard|race|NumPy|error|flight|differ", line)]
    return "\n".join("    " + line for line in (worth or text.splitlines()[-4:])[:6])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    ends = parser.add_mutually_exclusive_group(required=True)
    ends.add_argument("--minutes", type=float)
    ends.add_argument("--problems", type=int)
    parser.add_argument("--bin", type=Path, default=ROOT / "build/cuda/bin")
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument(
        "--chapter", action="append", default=[], help="its number, such as 20; all GEMM chapters without it"
    )
    parser.add_argument(
        "--target", action="append", default=[], help="that the virtual GPU plays; on a device there is no choice"
    )
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()

    programs = [
        path
        for path in sorted(options.bin.resolve().glob("[0-9][0-9]_*"))
        if path.is_file() and path.name[:2] not in NO_GEMM
    ]
    programs = [path for path in programs if not options.chapter or path.name[:2] in options.chapter]
    if not programs:
        print(f"{options.bin} has no GEMM chapters: build them first", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        layout = said(programs[0], "--list").stdout.splitlines()[1].split()[4]
        probe = said(programs[0], "--layout", layout, "--json", f"{folder}/probe.json")
        if probe.returncode != 0:
            print(probe.stdout.strip())
            return 3 if probe.returncode == 3 else 1
        facts = json.loads(Path(folder, "probe.json").read_text())
    device = facts["backend"] != "host"
    targets = (
        [facts["target"]]
        if device
        else options.target or ["sm80", "sm90", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"]
    )
    chapters = [chapter for chapter in (chapter_of(path, targets) for path in programs) if chapter.types]
    draw = Draw(chapters, options.seed, device)
    began = time.monotonic()

    def problems():
        while len(drawn) < options.problems if options.problems else time.monotonic() - began < 60 * options.minutes:
            drawn.append(None)
            yield draw.problem()

    drawn: list[None] = []
    right, numpy, refused, wrong = Counter(), 0, Counter(), []
    gathered: dict[str, list[Problem]] = {}

    def batches():
        """Problems of one chapter that share a process; what is left at the end, too."""
        for problem in problems():
            of_chapter = gathered.setdefault(problem.chapter.name, [])
            of_chapter.append(problem)
            if len(of_chapter) == BATCH:
                yield gathered.pop(problem.chapter.name)
        while gathered:
            yield gathered.popitem()[1]

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        source, waiting = batches(), set()
        while True:
            while len(waiting) < options.jobs + 2 and (batch := next(source, None)):
                waiting.add(pool.submit(run, batch))
            if not waiting:
                break
            ended, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for problem, code, text in (result for future in ended for result in future.result()):
                if code == 0:
                    right[problem.chapter.name] += 1
                    numpy += problem.by_numpy
                elif code in (2, 3):
                    refused[sentence(text)] += 1
                else:
                    command = " ".join(problem.command()) + ("   # operands by NumPy" if problem.by_numpy else "")
                    wrong.append(command)
                    print(f"exit code {code}: {command}\n{why(text)}", flush=True)
    seconds = time.monotonic() - began
    computed = sum(right.values()) + len(wrong)
    for text, count in refused.most_common():
        print(f"refused {count} times: {text}")
    print(
        f"seed {options.seed} on {facts['device']}: {computed} problems in {seconds:.0f} s, {sum(right.values())} "
        f"right ({numpy} by NumPy), {len(wrong)} wrong"
    )
    if options.record:
        runs = json.loads(options.record.read_text())["runs"] if options.record.exists() else []
        runs.append(
            {
                "command": f"tests/chapters/random_check.py --seed {options.seed}",
                "commit": facts["commit"],
                "backend": facts["backend"],
                "target": facts["target"] if device else targets,
                "device": facts["device"],
                "seed": options.seed,
                "seconds": round(seconds),
                "problems": computed,
                "right": dict(sorted(right.items())),
                "by_numpy": numpy,
                "refused": dict(refused.most_common()),
                "wrong": wrong,
            }
        )
        options.record.write_text(json.dumps({"runs": runs}, indent=2) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
