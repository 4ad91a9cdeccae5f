#!/usr/bin/env python3
"""Throw arguments and records at ./tutorial and the tools that nobody would write, and expect a sentence.

A seed draws command lines of words that the tools know, of nonsense, and of both; and records of measurements in which
values have other types, are missing, or stand elsewhere. Whatever comes, a tool takes it or refuses it: one line on
stderr, the exit code of a refusal, no traceback. Nothing is built: the build folder that they are given cannot be made.

usage: fuzz_tools.py [--seed S] [--seconds X]
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, Callable
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/tools"))
import bench  # noqa: E402
import devices  # noqa: E402
import tune  # noqa: E402
import tutorial  # noqa: E402
from console import Arguments, Stop, ended  # noqa: E402

NONSENSE = ["", "-", "--", "-x", "--x=", "4\n4", "\x1b[31m", "\u202e", "\udcff", "²", "٣", "-1", "1e9", "04,05"]
NONSENSE += ["../04", "a" * 3000, "9" * 5000, "NaN", "null", "'", '"', "$(true)", ";", "*", "--target="]
WORDS = ["4", "04", "04_fma_gemm", "77", "--target", "sm80", "sm70", "--backend", "host", "cuda", "hip", "--no-build"]
WORDS += ["--records", "/dev/full", "/nonexistent/x", "--tune", "--hint", "--solution", "--build-dir", "--m", "-R"]
VERBS = ["run", "exercise", "test", "bench", "walk"]
TOOLS = ["snippets.py", "index.py", "madeof.py", "whatchanged.py", "bench.py", "tune.py", "devices.py", "wrap.py"]
TOOLS += ["exercises.py", "commands.py", "expected.py", "figures.py", "readme.py", "ladder.py", "limits.py", "isa.py"]


class Wrong(Exception):
    """What was thrown at a tool, and what it answered."""


def words(pick: random.Random) -> list[str]:
    return [pick.choice(pick.choice([NONSENSE, WORDS])) for _ in range(pick.randint(0, 5))]


def refusal(body: Callable[[], Any], thrown: str) -> str:
    """How it ended. A refusal has a code of its own and something to say."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            body()
    except Stop as stop:
        if stop.code not in (1, 2, 3) or not stop.sentence:
            raise Wrong(f"exit code {stop.code}, '{stop.sentence}': {thrown}") from stop
        return f"exit code {stop.code}"
    except SystemExit as end:  # --help
        if end.code:
            raise Wrong(f"ends with {end.code}: {thrown}") from end
        return "taken"
    except OSError as error:  # which ended() makes a sentence of
        if error.filename is None:
            raise Wrong(f"{error!r}: {thrown}") from error
        return "exit code 3"
    except Exception as error:
        raise Wrong(f"{error!r}: {thrown}") from error
    return "taken"


def front_door(pick: random.Random, nowhere: Path) -> str:
    """./tutorial in this process."""
    line = [pick.choice(VERBS), *words(pick)]
    environment = {**os.environ, "TILESTEP_BUILD_DIR": str(nowhere)}
    if "--build-dir" in line or "--no-build" in line and line[0] == "test":  # it may be made there
        line = ["run", "77"]
    with mock.patch.dict(os.environ, environment):
        return refusal(lambda: tutorial.main(line), f"./tutorial {line!r}")


def as_programs(pick: random.Random, nowhere: Path) -> str:
    """./tutorial, or a tool that only compares, as a shell starts it."""
    if pick.random() < 0.4:
        line = [str(ROOT / "tutorial"), pick.choice([*VERBS, *NONSENSE]), pick.choice(NONSENSE), *words(pick)]
        if "--build-dir" in line or "--no-build" in line:
            line = [str(ROOT / "tutorial"), "run", "77"]
    else:
        known = ["--check", pick.choice(["77", "--bin", "--bin=/nonexistent", "--keep", "--list"])]
        line = [sys.executable, str(ROOT / "docs/tools" / pick.choice(TOOLS)), *known, *words(pick)]
    line = [word.replace("\0", "") for word in line]
    done = subprocess.run(
        [os.fsencode(word) for word in line],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        timeout=60,
        env={**os.environ, "TILESTEP_BUILD_DIR": str(nowhere)},
    )
    if done.returncode not in (0, 1, 2, 3) or "Traceback" in done.stderr:
        raise Wrong(f"{line!r}: exit code {done.returncode}\n{done.stderr}")
    if done.returncode in (2, 3) and done.stderr.count("\n") != 1:
        raise Wrong(f"{line!r}: says in more than one line, or nothing:\n{done.stderr}")
    return f"exit code {done.returncode}"


# ---- records ----

RUN = {
    "chapter": "04_fma_gemm",
    "backend": "cuda",
    "target": "sm90",
    "device": "Abacus 3",
    "commit": "abc",
    "driver": "1",
    "seed": 1,
    "verdict": "right",
    "max_error": 0.5,
    "bound": 1,
    "kernels": [{"kernel": "k"}],
    "command": "build/cuda/bin/04_fma_gemm --m 8 --bench --json /tmp/r.json",
    "problem": "m 8 n 8 k 8, f16",
    "operations": 4e9,
    "notes": ["1 x 1 tiles of 64x64x64, row by row"],
    "parameters": {"m": 8, "n": 8, "k": 8, "batch": 1, "dtype": "f16", "acc": "f32", "layout": "nn"},
    "seconds": {"kernel": [9.0, 2.0, 1.0], "vendor": [1e-3, 1e-3, 1e-3]},
    "vendor": {"name": "cuBLAS", "mode": "default"},
    "ratio": {"median": 0.5, "min": 0.4, "max": 0.6},
    "ceilings": [{"name": "fma", "unit": "operations", "per_second": 8e12}],
}
TUNING = {
    "kind": "tune",
    **{key: RUN[key] for key in ("chapter", "backend", "target", "device", "driver", "commit")},
    "command": "build/cuda/bin/17_optimized_gemm --tune chapters/17_optimized_gemm/tune.csv --json r.json",
    "problems": [
        {
            "problem": "m 8",
            "parameters": {"dtype": "f16", "layout": "nt", "m": 8, "n": 8, "k": 64, "lda": 64},
            "operations": 4e9,
            "operand_sets": 3,
            "best": "large",
            "candidates": [{"name": "large", "repeats": 2, "seconds": [2e-3]}, {"name": "odd", "refused": "no"}],
        }
    ],
}
INSTRUCTIONS = {
    **{key: RUN[key] for key in ("backend", "target", "device", "commit")},
    "instructions": [
        {
            "cases": 5,
            "verdict": "right",
            "every_bit_as_model": True,
            "kinds": [{"kind": "one k", "as_model": 2, "results": 2}],
        }
    ],
    "loads": [{"kind": "ldmatrix"}],
}
VALUES: list[Any] = [None, True, 0, -1, 5, 1e308, float("nan"), float("inf"), 10**400, "", "\n", "04"]
VALUES += [[], {}, "a" * 3000, [[]], {"": {}}, "\udcff", "|", '"', "sm90\n", [None], {"m": None}]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where a record has a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, each in inner for place in places(each, (*path, key)))]


def damaged(pick: random.Random, record: Any) -> Any:
    """The record with a few values changed, gone, or copied elsewhere."""
    record = json.loads(json.dumps(record))
    for _ in range(pick.randint(0, 3)):
        path = pick.choice(places(record))
        if not path:
            return pick.choice(VALUES)
        holder = record
        for key in path[:-1]:
            holder = holder[key]
        if pick.random() < 0.3:
            del holder[path[-1]]
        else:
            holder[path[-1]] = pick.choice(VALUES)
    return record


def records(pick: random.Random, folder: Path) -> str:
    """What each --keep makes of a record. What it takes, it would write: that is made too, in memory."""
    kind = pick.choice(["bench", "tune", "devices", "instructions"])
    base = {"bench": {"runs": [RUN, RUN]}, "tune": TUNING, "devices": [RUN, RUN], "instructions": INSTRUCTIONS}[kind]
    record = damaged(pick, base)
    text = json.dumps(record)
    if pick.random() < 0.2:
        at = pick.randrange(len(text))
        text = text[:at] + pick.choice(["", "[", "\x00", "é", '"', "1" * 5000, "[" * 50000]) + text[at + 1 :]
    name = {"devices": "04_fma_gemm.json", "instructions": "matrix_instructions.json"}.get(kind, "record.json")
    for path in folder.iterdir():
        path.unlink()
    (folder / "summary.txt").write_text(pick.choice(["", "Abacus 3, 1.2, 5 MiB\n--small\n", "\x00"]))
    (folder / "sanitizer.log").write_text(pick.choice(["", "x\n\n", "memcheck 04_fma_gemm --m 5: exit code 0\n"]))
    (folder / name).write_text(text)
    keep = {"bench": bench.keep, "tune": tune.keep}.get(kind, devices.keep)
    source = folder if keep is devices.keep else folder / name
    return f"{kind}, " + refusal(lambda: keep(source), f"{kind}: {text[:2000]}")


def main() -> int:
    parser = Arguments(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    pick, counts = random.Random(options.seed), Counter[str]()
    ends = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory(prefix="tilestep-") as name:
        (Path(name) / "file").write_text("")
        (Path(name) / "records").mkdir()
        nowhere = Path(name) / "file/build"  # a file is where its folder should be
        try:
            while time.monotonic() < ends:
                for _ in range(20):
                    counts["records: " + records(pick, Path(name) / "records")] += 1
                    counts["./tutorial: " + front_door(pick, nowhere)] += 1
                counts["programs: " + as_programs(pick, nowhere)] += 1
        except Wrong as wrong:
            print(f"seed {options.seed}: {wrong}", file=sys.stderr)
            return 1
    for what, count in sorted(counts.items()):
        print(f"{count:6}  {what}")
    refused = sum(count for what, count in counts.items() if "exit code" in what)
    return 0 if refused and sum(counts.values()) > refused else 1  # both happened


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
