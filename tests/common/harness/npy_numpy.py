#!/usr/bin/env python3
"""Compare a GEMM program with NumPy: every type, layout, memory order, byte order and file version.

Usage: npy_numpy.py PROGRAM [--target TARGET] [--kinds KIND,...] [--most EXTENT] [--products COUNT]
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "docs/tools"))
from console import Arguments, Stop, ended  # noqa: E402

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]

OUT = {"f8": "<f8", "f4": "<f4", "f2": "<f2", "i1": "<i4", "u2": "<f4"}  # operands -> result


def values(array: np.ndarray, kind: str) -> np.ndarray:
    """The numbers that an array means; u2 holds bfloat16 bits."""
    if kind == "u2":
        return (array.astype("u4") << 16).view("f4").astype("f8")
    return array.astype("f8")


def operand(shape: tuple[int, ...], kind: str, rng: np.random.Generator, pick: random.Random) -> np.ndarray:
    if kind == "i1":
        array = rng.integers(-100, 100, shape).astype("i1")
    elif kind == "u2":
        array = (rng.standard_normal(shape).astype("f4").view("u4") >> 16).astype("u2")
    else:
        array = rng.standard_normal(shape).astype(kind)
    if pick.random() < 0.4:
        array = np.asfortranarray(array)
    if pick.random() < 0.3:
        array = array.astype(array.dtype.newbyteorder(">"))
    return array


def save(name: str, array: np.ndarray, version: tuple[int, int]) -> str:
    with open(name, "wb") as file:
        np.lib.format.write_array(file, array, version=version)
    return name


def one_product(program: list[str], kinds: list[str], most: int, rng: np.random.Generator, pick: random.Random) -> None:
    m, n, k = (pick.randrange(0, most) for _ in range(3))
    layout, kind = pick.choice(["nn", "nt", "tn", "tt"]), pick.choice(kinds)
    if most > 100 and pick.random() < 0.5:
        m, n, k = m // 8 * 8, n // 8 * 8, k // 8 * 8  # rows of whole vectors
    batch_a = pick.choice([None, None, 2, 3])
    batch_b = batch_a if pick.random() < 0.7 else None
    version = pick.choice([(1, 0), (2, 0), (3, 0)])

    def stack(batch: int | None, rows: int, cols: int) -> tuple[int, ...]:
        return (rows, cols) if batch is None else (batch, rows, cols)

    a = operand(stack(batch_a, *((m, k) if layout[0] == "n" else (k, m))), kind, rng, pick)
    b = operand(stack(batch_b, *((k, n) if layout[1] == "n" else (n, k))), kind, rng, pick)
    command = [
        *program,
        "--a",
        save("a.npy", a, version),
        "--b",
        save("b.npy", b, version),
        "--layout",
        layout,
        "--out",
        "out.npy",
    ]
    command += ["--bf16-npy", "--out-dtype", "f32"] if kind == "u2" else []
    left, right = values(a, kind), values(b, kind)
    left = left if layout[0] == "n" else left.swapaxes(-1, -2)
    right = right if layout[1] == "n" else right.swapaxes(-1, -2)
    alpha = pick.choice([1, 2, -1])
    want = alpha * np.matmul(left, right)
    if pick.random() < 0.5:
        c = rng.integers(-1000, 1000, want.shape).astype(OUT[kind][1:])
        want = want - 2 * c.astype("f8")
        command += ["--c", save("c.npy", c, version), "--beta", "-2"]
    command += ["--alpha", str(alpha)]
    if pick.random() < 0.4:
        command += ["--lda", str(a.shape[-1] + 3), "--ldb", str(b.shape[-1] + 1), "--ldc", str(n + 7)]

    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, (command, run.stdout, run.stderr)
    got = np.load("out.npy")
    os.remove("out.npy")
    assert got.shape == want.shape, (command, got.shape, want.shape)
    assert got.dtype == np.dtype(OUT[kind]) and got.flags.c_contiguous, (command, got.dtype)
    scale = max(1.0, float(np.abs(want).max(initial=0)))
    error = float(np.abs(got - want).max(initial=0))
    assert error <= {"f8": 1e-13, "f4": 1e-5, "f2": 1e-3, "i1": 0, "u2": 1e-5}[kind] * scale, (command, error)


def main() -> int:
    parser = Arguments()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--target", help="what the program runs for, if not its first")
    parser.add_argument("--kinds", type=lambda names: names.split(","), default=list(OUT), help="types of operands")
    parser.add_argument("--most", type=int, default=30)
    parser.add_argument("--products", type=int, default=120)
    options = parser.parse_args()
    if np is None:
        raise Stop("NumPy is missing: install python3-numpy", 1)  # a failure: ./tutorial test installs it
    program = [options.program, *(["--target", options.target] if options.target else [])]
    if subprocess.run([*program, "--m", "1"], capture_output=True).returncode == 3:
        print("there is no device")
        return 77
    rng, pick = np.random.default_rng(1), random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for _ in range(options.products):
            one_product(program, options.kinds, options.most, rng, pick)
        os.chdir("/")
    return 0


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
