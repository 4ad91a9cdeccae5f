"""What ./tutorial does: one function per verb. `./tutorial --help` prints usage.txt."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from pathlib import Path

import bench_chapters
import docs_site
import doctor
import lock
import museum
import run_chapters
import run_exercises
import run_tests
from console import Arguments, Stop, ended
from repository import ROOT, Mistake, build_folder

BACKENDS = ["host", "cuda", "hip"]

# Where the command was typed: names of files and folders are meant from there.
CALLED_FROM = ROOT
with contextlib.suppress(OSError):  # it may be gone
    CALLED_FROM = Path.cwd()


def parsed(parser: Arguments, words: list[str]) -> argparse.Namespace:
    """The options of a verb that builds, which may do so elsewhere."""
    parser.add_argument(
        "--build-dir", type=Path, metavar="DIR", help="build here instead of in build, or in $TILESTEP_BUILD_DIR"
    )
    options = parser.parse_args(words)
    os.environ["TILESTEP_BUILD_DIR"] = os.path.abspath(CALLED_FROM / (options.build_dir or build_folder()))
    return options


def run(words: list[str]) -> int:
    parser = Arguments(
        prog="./tutorial run",
        usage="./tutorial run [NN ...] [--target T] [--backend B] [--build-dir DIR] [-- options of the chapter]",
        description="Build the chapters and run each against its reference. With NN, one chapter: what follows -- are "
        "its own options, and its own output is shown. With several, or without, their problems and one table.",
    )
    words, own_options = split_at_dashes(words)
    parser.add_argument("chapter", nargs="*", metavar="NN", help="a chapter: 4, 04 or 04_fma_gemm")
    parser.add_argument(
        "--target", metavar="T", help=f"one target; without it {', '.join(run_chapters.TARGETS)}"
    )
    parser.add_argument(
        "--backend", default="", choices=BACKENDS, help="without it the virtual GPU, and the real one if any"
    )
    options = parsed(parser, words)
    if options.target == "":
        raise Stop("--target is empty: leave it out, or name one", 2)
    return run_chapters.run(options.chapter, own_options, options.target or "", options.backend)


def test(words: list[str]) -> int:
    parser = Arguments(
        prog="./tutorial test",
        usage="./tutorial test [--all] [--backend B] [--no-build] [--build-dir DIR] [-- options of ctest]",
        description="Build everything and run the tests. What follows -- goes to ctest: -R REGEX chooses tests by "
        "name.",
    )
    words, own_options = split_at_dashes(words)
    parser.add_argument("--backend", default="host", choices=BACKENDS)
    parser.add_argument(
        "--no-build", action="store_true", help="run what was built elsewhere and copied to build/BACKEND/bin"
    )
    parser.add_argument(
        "--all", action="store_true", help="also the device code of every kernel for every target, which takes an hour"
    )
    options = parsed(parser, words)
    if options.all and options.no_build:
        raise Stop("--all is built: leave out --no-build", 2)
    return run_tests.test(options.backend, not options.no_build, options.all, own_options)


def exercise(words: list[str]) -> int:
    parser = Arguments(
        prog="./tutorial exercise",
        usage="./tutorial exercise [NN [NAME]] [--hint | --solution] [--build-dir DIR]",
        description="Without NN: every exercise, and where you stand. With it: build that check with your "
        "exercise.hpp, run it on the virtual GPU, and show what it says.",
    )
    parser.add_argument("name", nargs="*", metavar="NN", help="a chapter, and an exercise of it if there are several")
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--hint", action="store_true", help="the next hint: each call shows one more")
    one.add_argument("--solution", action="store_true", help="one way to solve it")
    options = parsed(parser, words)
    return run_exercises.run(options.name, options.hint, options.solution)


def visit_museum(words: list[str]) -> int:
    parser = Arguments(
        prog="./tutorial museum",
        usage="./tutorial museum [NAME] [--build-dir DIR]",
        description="Without NAME: kernels with one bug each. With it: build that one, run it on the virtual GPU, show "
        "the bug, the report that finds it, and what docs/museum.md tells of it.",
    )
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="an exhibit, such as race-after-loop")
    return museum.visit(parsed(parser, words).name)


def bench(words: list[str]) -> int:
    parser = Arguments(
        prog="./tutorial bench",
        usage="./tutorial bench [--tune | --random N --seed S | --calibrate | --devices N] [NN ...] [--backend B] "
        "[--no-build] [--build-dir DIR] [--records FILE] [-- options of the chapter]",
        description="Measure the GEMM chapters on this machine's GPU, in turns with the vendor's library, and keep the "
        "records. What "
        "follows -- is one problem to measure instead of each chapter's list.",
    )
    words, own_options = split_at_dashes(words)
    parser.add_argument("chapter", nargs="*", metavar="NN", help="a chapter: 4, 04 or 04_fma_gemm")
    parser.add_argument("--backend", default="", choices=BACKENDS[1:], help="without it, the one whose GPU is here")
    parser.add_argument(
        "--no-build", action="store_true", help="measure what was built elsewhere and copied to build/BACKEND/bin"
    )
    parser.add_argument(
        "--records", type=Path, metavar="FILE", help="write the records here instead of into the chapters"
    )
    parser.add_argument(
        "--tune",
        action="store_true",
        help="measure every candidate for the problems of the chapter's tune.csv instead, and "
        "write the table that the chapter chooses from",
    )
    parser.add_argument(
        "--random", type=int, metavar="N", help="measure N random problems instead, beside the vendor's library"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="of --random: the same seed draws the same problems"
    )
    parser.add_argument("--dtype", default="", help="of --random: the type of A and B, bf16 if left out")
    parser.add_argument("--out-dtype", default="", help="of --random: that of C; as A's, for tf32 f32, for i8 i32")
    parser.add_argument(
        "--candidates", action="store_true", help="with --random: measure every candidate for each problem, too"
    )
    parser.add_argument(
        "--calibrate",
        action="store_true",
        help="measure what the plans of chapter 17 or 20 need of this GPU instead, and write its table of constants",
    )
    parser.add_argument(
        "--devices", type=int, metavar="N", help="measure products on N devices, a process for each: chapter 21"
    )
    options = parsed(parser, words)
    if options.calibrate:
        others = options.tune or options.random is not None or options.candidates or options.devices is not None
        if others or own_options:
            raise Stop(
                "--calibrate has problems of its own: leave out --tune, --random, --candidates, --devices and what "
                "follows --",
                2,
            )
    if options.devices is not None and (options.devices < 1 or options.tune or options.random is not None):
        raise Stop("--devices needs a number of devices, 1 or more, and neither --tune nor --random", 2)
    if options.random is not None and (options.random < 1 or options.tune or own_options):
        raise Stop("--random needs a number of problems, 1 or more, and neither --tune nor options after --", 2)
    if options.random is None and (options.dtype or options.out_dtype):
        raise Stop("--dtype and --out-dtype are of --random here; a chapter's own stand after --", 2)
    if "," in options.dtype:
        raise Stop("--dtype names one type: measure one after the other", 2)
    if options.records:
        options.records = CALLED_FROM / options.records
        lock.require_writable(options.records)
    if options.calibrate:
        return bench_chapters.calibrate_chapter(
            options.chapter, options.backend, not options.no_build, options.records
        )
    if options.devices is not None:
        return bench_chapters.measure_several(
            options.chapter,
            options.devices,
            own_options,
            options.backend,
            not options.no_build,
            options.records,
        )
    if options.random is not None:
        return bench_chapters.measure_random(
            options.chapter,
            options.random,
            options.seed,
            (options.dtype or "bf16", options.out_dtype),
            "all" if options.candidates else "library",
            options.backend,
            not options.no_build,
            options.records,
        )
    if options.tune:
        if own_options:
            raise Stop("--tune measures the problems of a chapter's tune.csv: leave out what follows --", 2)
        return bench_chapters.tune_chapters(options.chapter, options.backend, not options.no_build, options.records)
    return bench_chapters.run(options.chapter, own_options, options.backend, not options.no_build, options.records)


def docs(words: list[str]) -> int:
    parser = Arguments(prog="./tutorial docs", description="Build the documentation: build/docs/index.html.")
    parser.add_argument("--check", action="store_true", help="open every page in a browser, and say what is wrong")
    return docs_site.build(parsed(parser, words).check)


def check_up(words: list[str]) -> int:
    parser = Arguments(prog="./tutorial doctor", description="Tell what was found, what is missing and how to get it.")
    parser.parse_args(words)
    return doctor.doctor()


VERBS = {
    "run": run,
    "exercise": exercise,
    "museum": visit_museum,
    "test": test,
    "bench": bench,
    "docs": docs,
    "doctor": check_up,
}


def split_at_dashes(words: list[str]) -> tuple[list[str], list[str]]:
    cut = words.index("--") if "--" in words else len(words)
    return words[:cut], words[cut + 1 :]


def main(words: list[str]) -> int:
    os.chdir(ROOT)
    if not words or words[0] not in VERBS:
        known = f"choose {', '.join(VERBS)}; ./tutorial --help tells more"
        raise Stop(f"'{' '.join(words[:1])}' is no verb: {known}", 2)
    try:
        return VERBS[words[0]](words[1:])
    except Mistake as mistake:
        raise Stop(str(mistake), 2) from mistake


if __name__ == "__main__":
    sys.exit(ended("tutorial", lambda: main(sys.argv[1:])))
