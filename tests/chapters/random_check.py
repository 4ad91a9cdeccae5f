#!/usr/bin/env python3
"""Run random problems through the GEMM chapters and say how many were right.

A table of problems is blind where its author was. Here a seed draws everything that a command line can say: chapter,
kernel, types, layout, extents (half of them with more tiles than a GPU has multiprocessors, or with few units to run
on; K often shorter than 200), leading dimensions, batches, factors, epilogues, slices of K, tiles by name, blocks for
several tiles, the order in which the virtual GPU runs threads; of chapter 21 the number of ranks, the rung, the grid,
what overlaps and how. The program compares with its own float64 reference.
Half of the problems that are small enough get operands from NumPy, and NumPy compares the result, too: whole numbers
with ==; the same with some NaN and infinities among them, which must arrive where NumPy has them and nowhere else; or
numbers of which many are subnormal, within a bound. With beta 0, C may be NaN throughout.

usage: random_check.py --seed S (--minutes X | --problems N) [--bin build/cuda/bin] [--jobs J] [--chapter 20]...
                       [--target sm90]... [--operands special] [--small] [--record FILE]

With --small a device gets problems of the extents that the virtual GPU gets: a functional emulator is as slow.
Failures are printed as commands that repeat them. What a program refuses (exit code 2 or 3) is counted by its sentence
and is no problem solved. --record adds the run to those of a file. Exit code: 0 all right, 1 something was wrong, 3
there is no device.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs/tools"))
from console import Arguments, ended  # noqa: E402

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]

ROOT = Path(__file__).resolve().parents[2]
NO_GEMM = {"01", "02", "03"}  # chapters
BY_MPIRUN = {"21"}  # in one process for each rank
WHOLE_TILES = {"06"}  # K is one tile, M and N are tiles of all targets
DTYPE = {"f64": "<f8", "f32": "<f4", "tf32": "<f4", "f16": "<f2", "bf16": "<u2", "i8": "i1", "i32": "<i4"}
DTYPE |= {"e4m3": "u1", "e5m2": "u1"}
# Of a type: its roundoff, its smallest normal number.
ROUNDOFF = {"f64": 2.0**-53, "f32": 2.0**-24, "tf32": 2.0**-11, "f16": 2.0**-11, "bf16": 2.0**-8}
NORMAL = {"f64": 2.0**-1022, "f32": 2.0**-126, "tf32": 2.0**-126, "f16": 2.0**-14, "bf16": 2.0**-126}
NORMAL |= {"e4m3": 2.0**-6, "e5m2": 2.0**-14}
LARGEST = {"f16": 65504.0, "bf16": 3.3e38, "f32": 3.4e38}
FRACTION = {"e4m3": 3, "e5m2": 2}  # bits behind the point of FP8
WHOLE = {"i8", "i32"}
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
    bias: bool = False
    activation: str = ""
    residual: bool = False
    operands: str = ""  # from NumPy: whole, special or subnormal; "": the program's own
    seed: int = 1
    ranks: int = 0  # that mpirun starts; 0: one process without it

    def has(self, option: str) -> bool:
        return option in self.words

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
            *(["--alpha", repr(self.alpha)] if self.alpha != 1 else []),
            *(["--beta", repr(self.beta)] if self.beta != 0 else []),
            *(["--bias", "on"] if self.bias and not self.operands else []),
            *(["--activation", self.activation] if self.activation else []),
            *(["--residual", "on"] if self.residual and not self.operands else []),
            "--seed",
            str(self.seed),
        ]


def started(program: Path | str, ranks: int) -> list[str]:
    """The words that start a program: by itself, or so many times by mpirun."""
    by_mpirun = ["mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(ranks)] if ranks else []
    return [*by_mpirun, str(program)]


def said(program: Path, *words: str, ranks: int = 0) -> subprocess.CompletedProcess[str]:
    as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"} if os.geteuid() == 0 else {}
    return subprocess.run(
        [*started(program, ranks), *words],
        env={**os.environ, **as_root},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
    )


def first_ranks(program: Path) -> int:
    """What said() takes for a question that no device has to answer."""
    return 1 if program.name[:2] in BY_MPIRUN else 0


def gpus() -> int:
    """NVIDIA GPUs of this machine: NCCL wants one for each rank."""
    found = shutil.which("nvidia-smi")
    return len(subprocess.run([found, "-L"], capture_output=True).stdout.splitlines()) if found else 0


def chapter_of(program: Path, targets: list[str]) -> Chapter:
    ranks = first_ranks(program)
    listed = said(program, "--list", ranks=ranks).stdout.splitlines()[1:]
    rows = [line.split() for line in listed if not line.startswith("kernels:")]
    types = tuple(Types(row[0], row[1], row[2], row[3], tuple(row[4:])) for row in rows if row[0] in targets)
    text = said(program, "--help", ranks=ranks).stdout
    kernels = re.search(r"^ *--kernel ([^= ]+)=", text, re.M)
    return Chapter(
        program,
        types,
        frozenset(re.findall(r"^ *(--[a-z0-9-]+)", text, re.M)),
        tuple(kernels.group(1).split("|")) if kernels else (),
    )


class Draw:
    """Problems from a seed."""

    def __init__(self, chapters: list[Chapter], seed: int, device: bool, large: bool, operands: str = "") -> None:
        self.pick = random.Random(seed)
        self.chapters, self.device, self.large, self.operands = chapters, device, large, operands
        self.tiles: dict[tuple[str, Types], list[str]] = {}
        # The chapters with schedules, plans and roles have most to go wrong.
        self.weights = [3 if "--split-k" in chapter.options else 1 for chapter in chapters]
        self.gpus = gpus() if device else 0

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
            text = said(chapter.program, *words, *target_option(self.device, types)).stdout
            found = re.search(r" has (\d+x[^\n]+)", text)
            names = re.search(r"\b(auto(?:, \w+)+)", text)
            # type: ignore[union-attr]
            self.tiles[chapter.name, types] = (found or names).group(1).split(", ") if found or names else []
        return self.tiles[chapter.name, types]

    def problem(self) -> Problem:
        pick = self.pick
        chapter = pick.choices(self.chapters, self.weights)[0]
        types = pick.choice([each for each in chapter.types if not self.operands or each.dtype not in WHOLE])
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
        if first_ranks(chapter.program):
            batch = 1  # ranks share one product
        words = target_option(self.device, types)
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
            tiny = [] if types.acc == "f16" else [1e-30]
            problem.alpha = pick.choice([2, -1, 3, 0, 1000] if whole else [2, -1, 0.5, 0, 1000, 2.0**-12, *tiny])
        if decorated and self.often(0.35):
            problem.beta = pick.choice([1, -2, 1000] if whole else [1, -2, 0.5, 1000, 2.0**-12])
        if first_ranks(chapter.program):
            self.share(problem)
        elif chapter.kernels and self.often(0.35):
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
            problem.bias = self.often(0.3)
            if self.often(0.3):
                problem.activation = pick.choice(["relu"] if whole else ["relu", "gelu"])
            problem.residual = self.often(0.25)
            if problem.residual and self.often(0.3):
                words += ["--ldr", str(n + pick.randint(0, 40))]
        if not self.device and self.often(0.25):
            words += ["--schedule", pick.choice(["reverse", f"random:{pick.randint(1, 99)}"])]
        problem.seed = pick.randint(1, 1_000_000)
        if np is not None and m * n * k * batch <= 2**27 and self.often(1 if self.operands else 0.5):
            problem.operands = self.operands or pick.choice(["whole"] if whole else ["whole", "special", "subnormal"])
        return problem


    def share(self, problem: Problem) -> None:
        """How the ranks of chapter 21 share a problem."""
        pick, words = self.pick, problem.words
        problem.ranks = pick.randint(1, 6)
        kernel = "gather" if problem.types.acc == "f16" else pick.choice(problem.chapter.kernels)
        words += ["--kernel", kernel]
        if kernel == "grid" and self.often(0.6):
            p = pick.choice([p for p in range(1, problem.ranks + 1) if problem.ranks % p == 0])
            words += ["--grid", f"{p}x{problem.ranks // p}"]
        if self.often(0.6):
            words += ["--overlap"]
            if kernel != "grid" and self.often(0.6):
                words += ["--chunks", str(pick.randint(1, 9))]
            if self.often(0.4):
                words += ["--message-units", str(pick.choice([0, 1, 40, 131]))]
        if problem.beta == 0 and self.often(0.2):
            words += ["--repeat", "2"]
        if self.device and (problem.ranks > self.gpus or self.often(0.2)):
            words += ["--over", "mpi"]


def target_option(device: bool, types: Types) -> list[str]:
    return [] if device else ["--target", types.target]


def fp8_numbers(kind: str) -> np.ndarray:
    """What each of the 256 bytes means. e4m3 has no infinity, and one NaN of each sign."""
    fraction = FRACTION[kind]
    units, field = np.arange(128) % (1 << fraction), np.arange(128) >> fraction
    least = NORMAL[kind] / (1 << fraction)
    magnitude = np.where(field == 0, units, (units + (1 << fraction)) * 2.0 ** (np.maximum(field, 1) - 1)) * least
    if kind == "e4m3":
        magnitude[127] = np.nan
    else:
        magnitude[124], magnitude[125:] = np.inf, np.nan
    return np.concatenate([magnitude, -magnitude])


def stored_fp8(values: np.ndarray, kind: str) -> np.ndarray:
    """The bytes of the nearest numbers, ties to the even byte; what is too large becomes the largest number."""
    table = fp8_numbers(kind)[:128]
    finite = table[np.isfinite(table)]
    middle, magnitude = (finite[1:] + finite[:-1]) / 2, np.abs(values)
    found = np.searchsorted(middle, magnitude)  # a tie goes down
    tie = (found < len(middle)) & (middle[np.minimum(found, len(middle) - 1)] == magnitude)
    found = found + (tie & (found % 2 == 1))
    if kind == "e5m2":
        found = np.where(np.isinf(values), 0x7C, found)
    found = np.where(np.isnan(values), 0x7F, found)
    return (found | np.where(np.signbit(values), 0x80, 0)).astype("u1")


def stored(values: np.ndarray, kind: str) -> np.ndarray:
    """Numbers as a file holds them, rounded to the type; bf16 as the upper half of f32, tf32 without 13 bits of it."""
    with np.errstate(all="ignore"):
        if kind in FRACTION:
            return stored_fp8(values, kind)
        if kind not in ("bf16", "tf32"):
            return values.astype(DTYPE[kind])
        dropped = 16 if kind == "bf16" else 13
        bits = values.astype("<f4").view("<u4").astype("<u8")
        odd = (bits >> dropped) & 1
        rounded = (bits + (1 << (dropped - 1)) - 1 + odd) >> dropped
        rounded = np.where(np.isnan(values), 0x7FC00000 >> dropped, rounded)
        return rounded.astype("<u2") if kind == "bf16" else (rounded << dropped).astype("<u4").view("<f4")


def numbers(file: np.ndarray, kind: str) -> np.ndarray:
    """What stored() means, in float64."""
    if kind in FRACTION:
        return fp8_numbers(kind)[file]
    if kind == "bf16":
        return (file.astype("<u4") << 16).view("<f4").astype("f8")
    return file.astype("f8")


class Operands:
    """Operands from NumPy in files, and what NumPy makes of them."""

    def __init__(self, folder: Path, problem: Problem) -> None:
        self.folder, self.problem = folder, problem
        self.rng = np.random.default_rng(problem.seed)

    def whole(self, shape: tuple[int, ...], most: int) -> np.ndarray:
        return self.rng.integers(-most, most + 1, shape).astype("f8")

    def operand(self, rows: int, most: int) -> np.ndarray:
        """A or B: (batch, rows, k)"""
        p, shape = self.problem, (self.problem.batch, rows, self.problem.k)
        if p.operands != "subnormal":
            return self.whole(shape, most)
        tiny = self.rng.random(shape) < 0.5
        small = self.rng.uniform(-1, 1, shape) * NORMAL[p.types.dtype]
        return np.where(tiny, small, self.rng.normal(size=shape))

    def sprinkled(self, values: np.ndarray, share: float) -> np.ndarray:
        """With a few NaN and infinities, where special numbers are asked for."""
        if self.problem.operands == "special" and values.size and self.rng.random() < share:
            for _ in range(int(self.rng.integers(1, 4))):
                values.flat[self.rng.integers(values.size)] = self.rng.choice([np.nan, np.inf, -np.inf])
        return values

    def write(self, option: str, values: np.ndarray, kind: str) -> np.ndarray:
        """Writes a file. @return the numbers in it"""
        file = stored(values, kind)
        np.save(self.folder / f"{option}.npy", np.ascontiguousarray(file))
        self.words += [f"--{option}", str(self.folder / f"{option}.npy")]
        return numbers(file, kind)

    def options(self) -> list[str]:
        """Writes the operands. @return the options that name them and the result"""
        p, t = self.problem, self.problem.types
        self.words: list[str] = ["--bf16-npy"] if "bf16" in (t.dtype, t.out) else []
        extras = p.beta != 0 or p.bias or p.residual
        most = {"f16": 2, "f64": 2**18 if extras else 2**20}.get(t.acc, 4)  # sums that the accumulator has
        left, right = self.operand(p.m, most), self.operand(p.n, most)
        if t.acc == "f16" and p.operands != "subnormal":
            left *= self.rng.random(left.shape) < min(1.0, 256 / max(1, p.k * most))
        left, right = self.sprinkled(left, 0.7), self.sprinkled(right, 0.5)
        a_along_k, b_along_k = p.layout[0] == "n", p.layout[1] == "t"
        left = self.write("a", left if a_along_k else left.transpose(0, 2, 1), t.dtype)
        right = self.write("b", right if b_along_k else right.transpose(0, 2, 1), t.dtype)
        left = left if a_along_k else left.transpose(0, 2, 1)
        right = right if b_along_k else right.transpose(0, 2, 1)
        of_c = (p.batch, p.m, p.n)
        before = bias = residual = np.zeros(1)
        if p.beta != 0:
            before = self.write("c", self.sprinkled(self.whole(of_c, 4), 0.3), t.out)
        elif t.out not in WHOLE and self.rng.random() < 0.3:
            self.write("c", np.full(of_c, np.nan), t.out)  # which nobody reads
        if p.bias:
            wide = "i32" if t.acc == "i32" else "f64" if t.acc == "f64" else "f32"
            bias = self.write("bias", self.sprinkled(self.whole((p.n,), 4), 0.3), wide)
        if p.residual:
            residual = self.write("residual", self.sprinkled(self.whole(of_c, 4), 0.3), t.out)
        self.judge(left, right.transpose(0, 2, 1), before, bias, residual)
        return [*self.words, "--out", str(self.folder / "out.npy")]

    def judge(self, a: np.ndarray, b: np.ndarray, before: np.ndarray, bias: np.ndarray, residual: np.ndarray) -> None:
        """What the result should be, and how far from it it may be: not at all where all numbers on the way are whole
        and small."""
        p, t = self.problem, self.problem.types
        alpha, beta = (float(np.asarray(each, DTYPE[t.acc])) for each in (p.alpha, p.beta))
        with np.errstate(all="ignore"):
            added = (beta * before if beta != 0 else 0) + bias
            total = alpha * np.matmul(a, b) + added
            want = np.where(total < 0, 0, total) if p.activation == "relu" else total
            if p.activation == "gelu":  # (1 + tanh y) / 2 = 1 / (1 + exp -2y)
                want = total / (1 + np.exp(-2 * math.sqrt(2 / math.pi) * (total + 0.044715 * total**3)))
            want = want + residual
            extras = beta != 0 or p.bias or p.residual
            simple = alpha in ((0, 1, -1) if t.acc == "f16" else (0, 1, 2, 3, -1, 0.5)) and beta in (0, 1, -2, 0.5)
            in_parts = p.has("scatter")  # each rank's part is scaled and rounded to C's type, and so is a sum of some
            exact_parts = t.out in ("f32", "f64") and simple
            self.exact = t.acc in WHOLE or (
                p.operands != "subnormal"
                and p.activation != "gelu"
                and (exact_parts if in_parts else simple or not extras)
            )
            self.bound, self.lost = np.zeros(1), np.zeros(1, bool)
            if self.exact:
                through = [t.acc] if t.acc in WHOLE or not extras else []
                through += [] if t.acc in WHOLE or t.acc == "f64" else ["f32"]
                for kind in through:
                    want = numbers(stored(want, kind), kind)
                self.want = numbers(stored(want, t.out), t.out)
                return
            self.want = want
            u = 2.0**-10 if t.acc == "f16" else 2 * ROUNDOFF[t.acc]
            # What is added is rounded part by part, also where the parts cancel.
            size = abs(alpha) * np.matmul(abs(a), abs(b)) + abs(bias) + (abs(beta * before) if beta != 0 else 0)
            terms = (p.k / 16 if t.acc == "f16" else p.k) + 8
            bound = terms * u * size + (p.k + 8) * max(1, abs(alpha)) * NORMAL[t.acc]
            if in_parts:
                parts = np.matmul(abs(a), abs(b))  # all of them together are no larger
                bound = bound + abs(alpha) * (2.02 * ROUNDOFF[t.out] * parts) + (p.ranks + 1) * NORMAL[t.out]
                self.lost = max(1, abs(alpha)) * parts >= LARGEST.get(t.out, math.inf)
            if t.target == "gfx90a" and t.dtype in ("f16", "bf16"):  # takes subnormal operands for zero
                small_a, small_b = (np.where(abs(each) < NORMAL[t.dtype], each, 0) for each in (a, b))
                for x, y in ((small_a, b), (a, small_b)):
                    bound = bound + abs(alpha) * np.matmul(abs(x), abs(y))
            if t.target.startswith("sm") and t.dtype in ("f16", "bf16", "tf32", *FRACTION):
                # Products are aligned by their operands' exponent fields: a subnormal operand has that of the smallest
                # normal number, and 2^-23 of such a product may be cut off each of the 16 added at once and their sum.
                normal = NORMAL[t.dtype]
                seen_a, seen_b = (np.where(each == 0, 0, np.maximum(abs(each), normal)) for each in (a, b))
                small_a, small_b = (
                    np.where(abs(each) < normal, seen, 0) for each, seen in ((a, seen_a), (b, seen_b))
                )
                cut = abs(alpha) * (min(p.k, 16) + 1) * 2.0**-23
                bound = bound + cut * (np.matmul(small_a, seen_b) + np.matmul(seen_a, small_b))
            if p.activation == "gelu":
                bound = 1.13 * bound + (2.0**-19 if t.acc != "f64" else 2.0**-48) * (1 + abs(total))
            wide = ROUNDOFF["f64" if t.acc == "f64" else "f32"] + ROUNDOFF[t.out]
            self.bound = bound + 2 * wide * (abs(want) + bound) + NORMAL[t.out] * ROUNDOFF[t.out] * 2

    def verdict(self) -> tuple[int, str]:
        t = self.problem.types
        got = numbers(np.load(self.folder / "out.npy"), t.out)
        want, bound = self.want.reshape(got.shape), np.broadcast_to(self.bound, self.want.shape).reshape(got.shape)
        with np.errstate(all="ignore"):
            same = (got == want) | (np.isnan(got) & np.isnan(want))
            near = np.isfinite(want) & (abs(got - want) <= bound)
            largest = LARGEST.get(t.out, math.inf)
            beyond = (abs(want) + bound >= largest) & np.isinf(got) & np.isfinite(want) & (not self.exact)
            beyond |= np.broadcast_to(self.lost, self.want.shape).reshape(got.shape) & ~np.isfinite(got)
        wrong = np.argwhere(~(same | near | beyond))
        if not len(wrong):
            return 0, ""
        at = tuple(wrong[0])
        return 1, (
            f"NumPy: {len(wrong)} of {got.size} elements differ, first {tuple(map(int, at))}: {got[at]!r}, "
            f"not {want[at]!r} within {bound[at]:.3g}"
        )


Result = tuple[Problem, int, str]


def run(problems: list[Problem]) -> list[Result]:
    """The problems of one chapter in one process, which is started once more for each that it did not live to
    answer."""
    with tempfile.TemporaryDirectory(prefix="tilestep-") as name:
        lines, by_numpy = "", {}
        for i, problem in enumerate(problems):
            words = problem.command()[1:]
            if problem.operands:
                folder = Path(name) / str(i)
                folder.mkdir()
                by_numpy[i] = Operands(folder, problem)
                words += by_numpy[i].options()
            lines += " ".join(words) + "\n"
        (Path(name) / "lines").write_text(lines)
        try:
            text = said(problems[0].chapter.program, "--each", f"{name}/lines", ranks=problems[0].ranks).stdout
        except subprocess.TimeoutExpired as error:
            text = (error.stdout or b"").decode() if isinstance(error.stdout, bytes) else error.stdout or ""
        answers = re.split(r"^\$ \S+ ", text, flags=re.M)[1:]
        results: list[Result] = []
        for i, (problem, answer) in enumerate(zip(problems, answers)):
            code = re.search(r"^\[exit code (\d+)\]$", answer, re.M)
            answered = code is not None or "verdict: right" in answer
            if not answered:  # the process ended there, or took too long
                break
            if code or i not in by_numpy:
                results.append((problem, int(code.group(1)) if code else 0, answer))
            else:
                results.append((problem, *by_numpy[i].verdict()))
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


def runs_of(record: Path) -> list[dict[str, object]]:
    """The runs that a record has: none where there is no file yet."""
    if record.exists() and not record.is_file():
        raise ValueError("is no regular file")
    found = json.loads(record.read_text())["runs"] if record.exists() else []
    if not isinstance(found, list):
        raise ValueError("its runs are no list")
    return found


def main() -> int:
    parser = Arguments(description=(__doc__ or "").splitlines()[0])
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
    parser.add_argument("--operands", choices=["whole", "special", "subnormal"], help="from NumPy, in every problem")
    parser.add_argument("--small", action="store_true", help="extents of the virtual GPU's problems, for an emulator")
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()

    if options.record:
        try:  # before anything runs that could not be kept
            runs_of(options.record)
            with options.record.open("a"):
                pass
            if not options.record.stat().st_size:
                options.record.unlink()
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            print(f"--record {options.record}: holds no record, or cannot be written: {error}", file=sys.stderr)
            return 2
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
        ranks = first_ranks(programs[0])
        layout = said(programs[0], "--list", ranks=ranks).stdout.splitlines()[1].split()[4]
        probe = said(programs[0], "--layout", layout, "--json", f"{folder}/probe.json", ranks=ranks)
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
    draw = Draw(chapters, options.seed, device, large=device and not options.small, operands=options.operands or "")
    if options.operands and np is None:
        print("--operands wants NumPy, and it is not here", file=sys.stderr)
        return 3
    began = time.monotonic()

    def problems():
        while len(drawn) < options.problems if options.problems else time.monotonic() - began < 60 * options.minutes:
            drawn.append(None)
            yield draw.problem()

    drawn: list[None] = []
    right, numpy, refused, wrong = Counter(), Counter(), Counter(), []
    gathered: dict[tuple[str, int], list[Problem]] = {}

    def batches():
        """Problems of one chapter that share a process; what is left at the end, too."""
        for problem in problems():
            key = (problem.chapter.name, problem.ranks)
            of_chapter = gathered.setdefault(key, [])
            of_chapter.append(problem)
            if len(of_chapter) == BATCH:
                yield gathered.pop(key)
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
                    numpy[problem.operands] += bool(problem.operands)
                elif code in (2, 3):
                    refused[sentence(text)] += 1
                else:
                    by_numpy = f"   # {problem.operands} operands by NumPy" if problem.operands else ""
                    command = " ".join([*started(problem.command()[0], problem.ranks), *problem.command()[1:]])
                    command += by_numpy
                    wrong.append(command)
                    print(f"exit code {code}: {command}\n{why(text)}", flush=True)
    seconds = time.monotonic() - began
    computed = sum(right.values()) + len(wrong)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(numpy.items()) if count)
    for text, count in refused.most_common():
        print(f"refused {count} times: {text}")
    print(
        f"seed {options.seed} on {facts['device']}: {computed} problems in {seconds:.0f} s, {sum(right.values())} "
        f"right ({kinds or 'none'} by NumPy), {len(wrong)} wrong"
    )
    if options.record:
        runs = runs_of(options.record)
        runs.append(
            {
                "command": f"tests/chapters/random_check.py --seed {options.seed}" + " --small" * options.small,
                "commit": facts["commit"],
                "backend": facts["backend"],
                "target": facts["target"] if device else targets,
                "device": facts["device"],
                "seed": options.seed,
                "seconds": round(seconds),
                "problems": computed,
                "right": dict(sorted(right.items())),
                "by_numpy": {kind: count for kind, count in sorted(numpy.items()) if count},
                "refused": dict(refused.most_common()),
                "wrong": wrong,
            }
        )
        options.record.write_text(json.dumps({"runs": runs}, indent=2) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
