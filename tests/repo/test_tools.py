#!/usr/bin/env python3
"""The tools of docs/tools on small inputs: what they write, and what they refuse."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
import json
import math
import os
import re
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs/tools"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mutation"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "common"))
import bench  # noqa: E402
import bench_chapters  # noqa: E402
import budget  # noqa: E402
import calibrate  # noqa: E402
import check as check_mutants  # noqa: E402
import commands  # noqa: E402
import console  # noqa: E402
import counters  # noqa: E402
import cute_unit_tests  # noqa: E402
import devices  # noqa: E402
import excerpt  # noqa: E402
import exercises  # noqa: E402
import expected  # noqa: E402
import even_split  # noqa: E402
import figures  # noqa: E402
import generated  # noqa: E402
import index  # noqa: E402
import ladder  # noqa: E402
import limits  # noqa: E402
import lock  # noqa: E402
import madeof  # noqa: E402
import museum  # noqa: E402
import chosen  # noqa: E402
import mutate  # noqa: E402
import rows as breaks  # noqa: E402
import packages  # noqa: E402
import plans  # noqa: E402
import profile_page  # noqa: E402
import programs  # noqa: E402
import public_sets  # noqa: E402
import random_ceiling  # noqa: E402
import random_problems  # noqa: E402
import random_shapes  # noqa: E402
import several  # noqa: E402
import tile_rates  # noqa: E402
import rates  # noqa: E402
import records  # noqa: E402
import remeasure  # noqa: E402
import repository  # noqa: E402
import roofline  # noqa: E402
import run_chapters  # noqa: E402
import run_exercises  # noqa: E402
import run_tests  # noqa: E402
import snippets  # noqa: E402
import trees  # noqa: E402
import tune  # noqa: E402
import tutorial  # noqa: E402
import whatchanged  # noqa: E402
import wrap  # noqa: E402
from console import Stop  # noqa: E402
from repository import ROOT, Mistake, chapters, find_chapters  # noqa: E402

BINARIES = rates.BINARIES

KERNEL = """#pragma once
struct Kernel {
    // [body]
    int a;
    // [inner]
    int b;
    // [inner]
    // [body]
};
"""


class TreeTest(unittest.TestCase):
    """A temporary tree with two chapters."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("chapters/CMakeLists.txt", "# order\nadd_subdirectory(01_a) # first\nadd_subdirectory(02_b)\n")
        self.write("chapters/01_a/CMakeLists.txt", 'add_chapter(01_a ADDS "layouts (nested)" RUNS "--m 1" "--m 2")\n')
        self.write("chapters/02_b/CMakeLists.txt", 'add_chapter(02_b\n  BUILDS_ON 01_a  # a comment\n  ADDS "tiles")\n')
        self.write("chapters/01_a/kernel.hpp", KERNEL)
        self.write("chapters/02_b/kernel.hpp", KERNEL.replace("int a;", "long a;\n    int c;"))
        self.write("chapters/01_a/README.md", "# One\n")
        self.write("chapters/02_b/README.md", "# Two\n")

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def program(self, name: str, body: str) -> Path:
        path = self.write(name, f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path


class Chapters(TreeTest):
    def test_are_read_from_cmake_in_order(self) -> None:
        first, second = chapters(self.root)
        self.assertEqual((first.name, first.adds, first.runs), ("01_a", "layouts (nested)", ["--m 1", "--m 2"]))
        self.assertEqual((second.name, second.builds_on, second.adds, second.title()), ("02_b", "01_a", "tiles", "Two"))

    def test_are_found_by_number_and_by_name(self) -> None:
        for name in ("2", "02", "02_b"):
            self.assertEqual([c.name for c in find_chapters([name], self.root)], ["02_b"])
        with self.assertRaisesRegex(Mistake, "no chapter '7'"):
            find_chapters(["7"], self.root)

    def test_a_call_in_the_wrong_folder_is_refused(self) -> None:
        self.write("chapters/02_b/CMakeLists.txt", 'add_chapter(02_c ADDS "x")\n')
        with self.assertRaisesRegex(Mistake, "02_c"):
            chapters(self.root)


class Blocks(TreeTest):
    def test_markers_in_a_fence_are_text(self) -> None:
        text = "````md\n<!-- snippet: a -->\n```\n<!-- /snippet -->\n````\n<!-- chapters -->\nold\n<!-- /chapters -->\n"
        self.assertEqual(list(generated.blocks(text, Path("p"))), [(5, 7, "chapters", "")])

    def test_an_open_block_is_refused(self) -> None:
        with self.assertRaisesRegex(Mistake, "not closed"):
            list(generated.blocks("<!-- snippet: a#b -->\n", Path("p")))

    def test_check_finds_what_is_stale_and_writing_repairs_it(self) -> None:
        page = self.write(
            "chapters/01_a/README.md", "# One\n<!-- snippet: kernel.hpp#inner -->\nold\n<!-- /snippet -->\nend\n"
        )
        chapter = chapters(self.root)[0]
        self.assertEqual(generated.settle(snippets.generate(chapter, Path()), check=True), 1)
        self.assertEqual(generated.settle(snippets.generate(chapter, Path()), check=False), 0)
        self.assertEqual(
            page.read_text(), "# One\n<!-- snippet: kernel.hpp#inner -->\n```cpp\nint b;\n```\n<!-- /snippet -->\nend\n"
        )
        self.assertEqual(generated.settle(snippets.generate(chapter, Path()), check=True), 0)


class Snippets(TreeTest):
    def test_a_region_loses_marks_and_common_indentation(self) -> None:
        self.assertEqual(
            snippets.snippet(self.root / "chapters/01_a", "kernel.hpp#body"), "```cpp\nint a;\nint b;\n```"
        )

    def test_an_unknown_region_or_file_is_refused(self) -> None:
        for reference in ("kernel.hpp#none", "none.hpp#body"):
            with self.assertRaises(Mistake):
                snippets.snippet(self.root / "chapters/01_a", reference)

    def test_a_command_is_named_by_words_of_its_own(self) -> None:
        text = "$ run 01 -- --m 5\n1\n$ run 01 -- --m 5 --plan\n2\n[exit code 2]\n$ run 01 -- --n 5\n3\n"
        self.write("chapters/01_a/expected/output.txt", text)
        folder = self.root / "chapters/01_a"
        plan = "```console\n$ run 01 -- --m 5 --plan\n2\n[exit code 2]\n```"
        self.assertEqual(snippets.snippet(folder, "expected/output.txt#--plan"), plan)
        # Two have these words, and one ends with them.
        begun = "```console\n$ run 01 -- --m 5\n1\n```"
        self.assertEqual(snippets.snippet(folder, "expected/output.txt#--m 5"), begun)
        # A command that is added later changes no block, or makes its words ambiguous.
        self.write("chapters/01_a/expected/output.txt", "$ run 01 -- --m -1\n0\n" + text)
        self.assertEqual(snippets.snippet(folder, "expected/output.txt#--plan"), plan)
        for words, complaint in (("2", "a number"), ("run 01", "in 4 commands"), ("--k", "in 0 commands")):
            with self.assertRaisesRegex(Mistake, complaint):
                snippets.snippet(folder, "expected/output.txt#" + words)


class Excerpts(TreeTest):
    """README.md shows a part of what lab.md has."""

    TABLE = (
        "| target | clocks of | matrix (kind) | L2, hits | limit |\n|---|---|---|--:|---|\n"
        "| a1 | tile | 1 (x) | 2, 3 | L2 |\n| | kernel | 4 (y) | 5 | L2 |\n"
        "| a2 | tile | 6 (z) | 7 | matrix |\n| | kernel | 8 (x) | 9 | L2 |\n\nA footnote."
    )

    @staticmethod
    def of(argument: str) -> list[str]:
        _, columns, rows = excerpt.chosen(argument)
        return excerpt.excerpt(Excerpts.TABLE, columns, rows, 2, "page").splitlines()

    def test_the_choices_are_taken_out_of_the_argument(self) -> None:
        self.assertEqual(
            excerpt.chosen("sm80 | a = --m 1 | columns = x; y, z | rows = b*"),
            ("sm80 | a = --m 1", ["x", "y, z"], ["b*"]),
        )
        self.assertEqual(excerpt.chosen("columns = time"), ("", ["time"], []))
        self.assertEqual(excerpt.chosen(""), ("", [], []))

    def test_a_column_is_named_by_its_heading_with_or_without_its_brackets(self) -> None:
        self.assertEqual(
            self.of("columns = L2; matrix (kind); matrix")[:3],
            [
                "| target, clocks of | L2, hits | matrix (kind) | matrix |",
                "|---|--:|---|---|",
                "| a1, tile | 2, 3 | 1 (x) | 1 |",
            ],
        )
        self.assertEqual(len(self.of("columns = limit")), 2 + 4 + 2)

    def test_what_the_rows_have_in_common_is_said_once(self) -> None:
        self.assertEqual(
            self.of("rows = k* | columns = matrix"),
            [
                "| target | matrix |",
                "|---|---|",
                "| a1 | 4 |",
                "| a2 | 8 |",
                "",
                "Every row: kernel.",
                "",
                "A footnote.",
            ],
        )
        self.assertEqual(self.of("rows = a1")[0], "| clocks of | matrix (kind) | L2, hits | limit |")

    def test_what_no_table_has_is_refused(self) -> None:
        wrong = (("columns = matrix; speed", "speed"), ("rows = a1; a3", "a3"), ("columns = kind", "kind"))
        for argument, name in wrong:
            with self.assertRaisesRegex(Mistake, f"page: no table of the block has '{name}'"):
                self.of(argument)

    def test_a_table_without_a_chosen_row_is_left_out(self) -> None:
        two = "| a | b |\n|---|---|\n| x | 1 |\n\n| c | d |\n|---|---|\n| y | 2 |"
        self.assertEqual(excerpt.excerpt(two, [], ["y"], 1, "page"), "| c | d |\n|---|---|\n| y | 2 |")

    def test_both_pages_of_a_chapter_are_filled_and_the_lesson_links_to_the_whole(self) -> None:
        lab = self.write("chapters/01_a/lab.md", "# One: the lab\n<!-- limits -->\n<!-- /limits -->\n")
        readme = self.write(
            "chapters/01_a/README.md", "# One\n<!-- limits: rows = a2 | columns = limit -->\n<!-- /limits -->\n"
        )
        chapter = chapters(self.root)[0]
        block = generated.Evidence(lambda argument: self.TABLE + argument, lambda _: "Made by `x`.", "Busy units")
        files = generated.fill_chapter(chapter, limits=block)
        self.assertEqual(
            files[readme].decode().splitlines()[2:-1],
            [
                "| clocks of | limit |",
                "|---|---|",
                "| tile | matrix |",
                "| kernel | L2 |",
                "",
                "Every row: a2. A footnote. Made by `x`. The whole table: [lab](lab.md#busy-units).",
            ],
        )
        self.assertEqual(
            files[lab].decode().splitlines()[2:-1], [*self.TABLE.splitlines()[:-1], "A footnote. Made by `x`."]
        )

    def test_every_link_to_a_lab_leads_to_a_heading_of_it(self) -> None:
        for chapter in find_chapters([]):
            if chapter.lab.exists():
                lines = chapter.lab.read_text().splitlines()
                headings = [generated.anchor(line[3:]) for line in lines if line.startswith("## ")]
                for wanted in re.findall(r"\]\(lab\.md#([\w-]+)\)", chapter.readme.read_text()):
                    self.assertIn(wanted, headings, chapter.name)


class CountersTable(TreeTest):
    RECORD = (
        '{"kernels": [{"counters": {"global_load_requests": 3, "fma": 0}}, {"counters": {"global_load_requests": '
        '1200, "fma": 0}}]}'
    )

    def test_adds_launches_up_and_leaves_out_what_is_zero(self) -> None:
        self.program("bin/01_a", f"[ \"$2\" = sm80 ] && [ \"$3\" = --m ] && echo '{self.RECORD}'")
        text = counters.block(chapters(self.root)[0], self.root / "bin", "sm80 | --m 1 | two = --m 2")
        self.assertEqual(
            text,
            "| problem | target | load requests |\n|---|---|--:|\n| `--m 1` | sm80 | 1,203 |\n| two | sm80 | 1,203 |",
        )

    def test_says_beside_a_row_that_the_rules_of_banks_are_assumed(self) -> None:
        record = (
            '{"kernels": [{"assumed_rules": false, "counters": {"fma": 1}}, {"assumed_rules": true, "counters": '
            '{"fma": 2}}]}'
        )
        self.program("bin/01_a", f"echo '{record}'")
        self.assertIn(
            "\n| `--m 1` | sm80 (bank rules assumed) | 3 |",
            counters.block(chapters(self.root)[0], self.root / "bin", "sm80 | --m 1"),
        )

    def test_the_commands_of_the_rows_are_said_below_and_are_what_is_run(self) -> None:
        self.write("chapters/01_a/main.cpp", "int main() { return gemm_main(); }\n")
        chapter = chapters(self.root)[0]
        self.assertEqual(
            counters.again(chapter, "sm80 gfx942 | one = --m 1 --layout nt | two = --layout nt --m 2 --bias on"),
            "Counted by `./tutorial run 01 --target sm80 -- --layout nt` with `--m 1` (one), with `--m 2 --bias on` "
            "(two); other rows by `--target gfx942`. The program multiplies twice: its report shows one product, the "
            "table the sum of both.",
        )
        self.write("chapters/01_a/main.cpp", "int main() {}\n")
        self.assertEqual(
            counters.again(chapter, "sm80 | --m 1"), "Counted by `./tutorial run 01 --target sm80 -- --m 1`."
        )
        self.assertEqual(
            counters.again(chapter, "sm80 | plain = --m 1 | --m 1 --n -2 | "),
            "Counted by `./tutorial run 01 --target sm80` with `--m 1` (plain), with `--m 1 --n -2`, alone.",
        )
        said = re.findall("`(.*?)`", counters.again(chapter, "sm80 | --m 1"))[0]
        self.assertEqual(
            expected.program_call(said, self.root), ["build/host/bin/01_a", "--target", "sm80", "--m", "1"]
        )

    def test_a_run_that_fails_and_a_block_without_problems_are_refused(self) -> None:
        self.program("bin/01_a", "echo no such size >&2; exit 2")
        with self.assertRaisesRegex(Mistake, "no such size"):
            counters.block(chapters(self.root)[0], self.root / "bin", "sm80 | --m 1")
        with self.assertRaisesRegex(Mistake, "wants TARGETS"):
            counters.block(chapters(self.root)[0], self.root / "bin", "sm80")


def rate(value: float | None) -> rates.Rate:
    return rates.Rate(value, "a test")


# 10 compute units at 1 GHz; each number is easy to divide by.
MACHINE = rates.Machine(
    name="Abacus",
    target="sm80",
    units=10,
    warp=32,
    piece=32,
    clock=rate(1e9),
    fma=rate(64),
    matrix={"f16": rate(512)},
    shared=rate(1),
    l1=rate(128),
    l2=rate(640),
    dram=rate(80e9),
    issue=rate(4),
)


class CycleBudget(TreeTest):
    """A block of 64 x 64 in f16, K in steps of 16, that does so much once and so much for each step."""

    ONCE = {
        "global_load_requests": 0,
        "global_store_requests": 128,
        "shared_load_requests": 0,
        "shared_store_requests": 0,
        "global_load_bytes": 0,
        "global_store_bytes": 16384,
        "global_load_sectors": 0,
        "global_store_sectors": 512,
        "shared_load_wavefronts": 0,
        "shared_store_wavefronts": 0,
        "fma": 0,
        "shuffles": 0,
        "warp_syncs": 0,
        "barriers": 0,
    }
    STEP = {
        **ONCE,
        "global_load_requests": 24,
        "global_store_requests": 0,
        "shared_load_requests": 40,
        "shared_store_requests": 24,
        "global_load_bytes": 4096,
        "global_store_bytes": 0,
        "global_load_sectors": 128,
        "global_store_sectors": 0,
        "shared_load_wavefronts": 160,
        "shared_store_wavefronts": 40,
        "fma": 6400,
        "barriers": 2,
    }
    PARAMETERS = {
        "dtype": "f16",
        "acc": "f32",
        "out_dtype": "f32",
        "layout": "nn",
        "batch": 1,
        "alpha": 1.0,
        "beta": 0.0,
    }
    ROW = budget.Row("sm80", budget.Extents(640, 640, 256), budget.Extents(64, 64, 16), "")

    def sample(self, tiles: int) -> budget.Counts:
        return budget.Counts(
            {name: once + tiles * self.STEP[name] for name, once in self.ONCE.items()},
            {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32": 32 * tiles},
            4,
            {"parameters": self.PARAMETERS},
        )

    def test_agrees_with_a_budget_made_by_hand(self) -> None:
        made = budget.budget_of(self.ROW, MACHINE, self.sample)
        # A step: 32 instructions of 2048 over 512; 6400 FMAs over 64; 160 + 40 wavefronts; 128 sectors of 32 over 128
        # (more than 24 requests); (64+64)*16*2 bytes over a tenth of 640; (640+640)*256*2 bytes of A and B over 100
        # blocks of 16 steps and a tenth of 80 bytes a clock; 24 + 64 requests, 200 FMAs of a warp, 32 matrix
        # instructions, 2 barriers of 4 warps, over 4.
        step = {"matrix": 128, "FMA": 100, "shared": 200, "L1": 32, "L2": 64, "DRAM": 51.2, "issue": 82}
        self.assertEqual(made.tile, step)
        # Once: 512 sectors over 128 make as many clocks as the 128 requests; 64*64*4 bytes of C over 64 and over 8; 128
        # requests over 4.
        once = {"matrix": 0, "FMA": 0, "shared": 0, "L1": 128, "L2": 256, "DRAM": 2048, "issue": 32}
        # 16 steps, 100 blocks on 10 units.
        for part, clocks in made.kernel.items():
            self.assertAlmostEqual(clocks or 0, (once[part] + 16 * step[part]) * 10, msg=part)
        self.assertEqual((made.limit, made.seconds(MACHINE)), ("shared", 32e-6))
        # With a beta C is read, too: its bytes count twice.
        def with_beta(tiles: int) -> budget.Counts:
            return dataclasses.replace(self.sample(tiles), record={"parameters": {**self.PARAMETERS, "beta": 1.0}})

        reads_c = budget.budget_of(self.ROW, MACHINE, with_beta)
        self.assertEqual((reads_c.once["L2"], reads_c.once["DRAM"]), (2 * 256, 2 * 2048))

    def test_takes_a_kernel_without_steps_as_a_whole(self) -> None:
        row = budget.Row("sm80", budget.Extents(640, 640, 16), self.ROW.tile, "")
        made = budget.budget_of(
            row, MACHINE, lambda tiles: self.sample(tiles) if tiles == 1 else self.fail("K has one tile")
        )
        self.assertEqual(made.kernel["shared"], 200 * 10)
        self.assertEqual(made.kernel["L1"], (32 + 128) * 10)
        self.assertEqual((made.tile["L1"], made.tile["L2"]), (32 + 128, 64 + 256))  # with what a block does once

    def test_the_table_shows_the_limit_the_measured_time_and_what_is_assumed(self) -> None:
        made = budget.budget_of(self.ROW, MACHINE, self.sample)
        made.record["kernels"] = [{"assumed_rules": True}]
        machine = rates.dataclasses.replace(MACHINE, l2=rates.Rate(640, "nobody", "assumed"))
        with mock.patch.object(budget, "machine_of", lambda *_: machine):
            lines = budget.table(chapters(self.root)[0], self.root, [self.ROW], [made]).splitlines()
        self.assertEqual(
            lines[2], "| sm80 | a tile, 64 x 64 x 16 | 128 | 100 | **200** | 32 | 64 | 51 | 82 | shared | | |"
        )
        self.assertEqual(
            lines[3],
            "| | the kernel, in thousands | 20 | 16 | **32** | 6.4 | 13 | 29 | 13 | shared | 32 us | not measured |",
        )
        self.assertEqual(
            lines[5],
            "Clocks of one compute unit for 640 x 640 x 256. sm80 is one Abacus with 10 compute units at 1,000 MHz. "
            "Assumed, because the maker does not state them: sm80's L2, rules of banks. A dash: nothing is known.",
        )

    def test_leaves_out_what_is_not_known(self) -> None:
        made = budget.budget_of(self.ROW, rates.dataclasses.replace(MACHINE, l2=rate(None), l1=rate(None)), self.sample)
        self.assertEqual((made.kernel["L1"], made.tile["L2"], made.limit), (None, None, "shared"))
        self.assertEqual(budget.cells(made.tile, "shared"), "128 | 100 | **200** | - | - | 51 | 82")

    def test_refuses_steps_that_differ(self) -> None:
        # Two copies of 2048 bytes by an engine, and four instructions of a warpgroup, each with 64 + 32 rows of 16
        # elements of 2 bytes.
        engine = {
            **self.STEP,
            "global_load_requests": 2,
            "shared_load_requests": 0,
            "shared_load_wavefronts": 0,
            "shared_store_requests": 0,
            "shared_store_wavefronts": 0,
        }
        counts = budget.Counts(engine, {"wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16": 4}, 4, {})
        self.assertEqual(budget.private_clocks(counts, MACHINE)["shared"], (4096 + 4 * 96 * 16 * 2) / 128)
        made = budget.budget_of(self.ROW, MACHINE, self.sample)
        others = [
            dataclasses.replace(made, record={"parameters": {**self.PARAMETERS, "kernel": kernel}, "kernels": [{}]})
            for kernel in ("x", "y")
        ]
        with mock.patch.object(budget, "machine_of", lambda *_: MACHINE):
            lines = budget.table(chapters(self.root)[0], self.root, [self.ROW, self.ROW], others).splitlines()
        self.assertEqual(
            [line.split(" | ")[0:2] for line in lines[2:8]],
            [
                row
                for name in "xy"
                for row in (
                    [f"| sm80, {name}", "a tile, 64 x 64 x 16"],
                    ["|", "once a block"],
                    ["|", "the kernel, in thousands"],
                )
            ],
        )

        def uneven(tiles: int) -> budget.Counts:
            counts = self.sample(tiles)
            counts.counters["fma"] += tiles * tiles
            return counts

        with self.assertRaisesRegex(Mistake, "do not all cost the same"):
            budget.budget_of(self.ROW, MACHINE, uneven)

    def test_reads_its_rows_and_refuses_what_it_cannot_read(self) -> None:
        rows = budget.parse("64x64x32 --layout nt | sm80 sm90 = 32x32x8 | gfx942 = 64x64x32 --x", "page")
        self.assertEqual(
            [(r.target, r.tile.k, r.options) for r in rows],
            [("sm80", 8, "--layout nt"), ("sm90", 8, "--layout nt"), ("gfx942", 32, "--layout nt --x")],
        )
        paired = budget.parse("64x64x32 | sm90 = 64x32x8/2x1", "page")[0]
        self.assertEqual((paired.cluster, paired.of_block()), ((2, 1), budget.Extents(32, 32, 8)))
        for wrong in (
            "64x64x64 | sm90 = 64x64x8/2",
            "64x64x64 | sm90 = 64x64x8/3x1",
            "64x64 | sm80 = 1x1x1",
            "64x64x64",
            "64x64x64 | sm80 32x32x8",
            "64x64x64 | sm80 = 48x64x8",
            "64x64x64 | = 1x1x1",
        ):
            with self.assertRaises(Mistake, msg=wrong):
                budget.parse(wrong, "page")

    def test_runs_the_program_with_the_leading_dimensions_of_the_problem(self) -> None:
        record = {
            "kernels": [{"blocks": 1, "threads": 100, "counters": self.STEP}] * 2,
            "checks": [{}, {}],
            "parameters": self.PARAMETERS,
        }
        self.program("bin/01_a", f"echo $@ >{self.root}/said; echo '{json.dumps(record)}'")
        row = budget.Row("sm80", budget.Extents(640, 320, 256), self.ROW.tile, "--layout tn")
        counts = budget.count(self.root / "bin/01_a", row, 4, 32)
        self.assertEqual(
            (self.root / "said").read_text().strip(),
            "--target sm80 --layout tn --m 64 --n 64 --k 64 --lda 640 --ldb 320 --ldc 320 --json -",
        )
        self.assertEqual((counts.warps, counts.counters["fma"]), (4, 6400))
        record["kernels"][1]["blocks"] = 2
        budget.count.cache_clear()
        self.program("bin/01_a", f"echo '{json.dumps(record)}'")
        with self.assertRaisesRegex(Mistake, "one block of one kernel"):
            budget.count(self.root / "bin/01_a", row, 4, 32)

    def test_knows_the_rate_of_every_matrix_instruction_of_the_library(self) -> None:
        headers = ROOT / "common/backend/any/include/tilestep/backend"
        text = "".join((headers / name).read_text() for name in ("instruction.hpp", "byte_instruction.hpp"))
        found = re.findall(r'name = "(.*?)";\s+static constexpr std::string_view targets = "(.*?)";', text)
        # No budget has FP8: no H200 has run it here.
        known = [(name, targets) for name, targets in found if not re.search("e4m3|e5m2|fp8|bf8", name)]
        self.assertGreater(len(known), 20)
        for machine in rates.machines(BINARIES):
            names = [name for name, targets in known if machine.target in targets.split()]
            self.assertTrue(names and all(machine.matrix_clocks(name) > 0 for name in names), machine.name)
        # AMD's calculator: 8 passes of 4 clocks on one of four SIMDs.
        mi300x, mi250x, h200 = (rates.machine_of(target, BINARIES) for target in ("gfx942", "gfx90a", "sm90"))
        self.assertEqual(mi300x.matrix_clocks("v_mfma_f32_32x32x8_f16"), 32 / 4)
        self.assertEqual(mi250x.matrix_clocks("v_mfma_f32_32x32x8_f16"), 64 / 4)
        self.assertEqual(mi300x.matrix_clocks("v_mfma_f32_32x32x2_f32"), 64 / 4)
        self.assertEqual(h200.matrix_clocks("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"), 16 * 8 * 8 / 610)
        self.assertEqual(mi300x.matrix_clocks("v_mfma_f64_16x16x4_f64"), 32 / 4)
        self.assertEqual(mi250x.matrix_clocks("v_mfma_f64_4x4x4_4b_f64"), 16 / 4)
        self.assertEqual(h200.matrix_clocks("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"), 8 * 8 * 4 / 128)
        with self.assertRaisesRegex(Mistake, "has no rate of v_mfma_f64"):
            rates.machine_of("gfx1100", BINARIES).matrix_clocks("v_mfma_f64_16x16x4_f64")


class DeviceCheck(TreeTest):
    """The CUDA device check with a program in a chapter's place."""

    def check_chapter(self, name: str, dtype: str, tiles: str) -> str:
        """Its summary. Every case is right but those of tiles that nobody listed."""
        shutil.rmtree(self.root / "bin", ignore_errors=True)
        self.program(
            f"bin/{name}",
            f"""case "$*" in
              --json*) echo '"target": "sm90"' >$2 ;;
              --list) echo 'sm90 {dtype} {dtype} {dtype} nt' ;;
              --help) echo '--kernel tuned=tuned' ;;
              '--tile none '*) {tiles} ;;
              --each*) while read -r case; do
                  echo "$ $case"
                  case $case in *unlisted*) echo '[exit code 2]' ;; *) echo 'verdict: right' ;; esac
                done <$2 ;;
            esac""",
        )
        script = ROOT / "tests/backend/cuda/device_check.sh"
        found = subprocess.run(
            [script, "--chapters", self.root / "out", self.root / "bin"], capture_output=True, text=True, check=False
        )
        self.assertIn(found.returncode, (0, 1), found.stderr)
        return (self.root / "out/summary.txt").read_text()

    def test_a_chapter_that_lists_no_tiles_is_wrong(self) -> None:
        for name, dtype in (("17_optimized_gemm", "f64"), ("20_hopper", "bf16")):
            with self.subTest(chapter=name):
                listed = self.check_chapter(name, dtype, "echo 'sm90 has 128x64x16, 64x32x16-m2'")
                self.assertIn("everything is right", listed)
                for silent in ("true", "echo no kernel of these types", "echo 'it has 128x64x16, or more'"):
                    summary = self.check_chapter(name, dtype, silent)
                    self.assertIn("--tile unlisted", summary)
                    self.assertIn("1 failures", summary)


class BenchRecords(TreeTest):
    """A tree and what --bench writes."""

    def run_of(self, device: str = "NVIDIA Abacus 3", time: float = 2e-3, **parameters: object) -> dict[str, object]:
        return {
            "chapter": "01_a",
            "backend": "cuda",
            "device": device,
            "commit": "abc",
            "command": "/home/me/tree/build/cuda/bin/01_a --m 8 --bench --json /tmp/x/record.json",
            "problem": "m 8 n 8 k 8, f16",
            "operations": 4e9,
            "parameters": {**CycleBudget.PARAMETERS, "m": 8, "n": 8, "k": 8, **parameters},
            "seconds": {"kernel": [9.0, time, 0.0], "vendor": [1e-3, 1e-3, 1e-3]},
            "vendor": {"name": "cuBLAS 13.0.2", "mode": "default"},
            "ratio": {"median": 0.5, "min": 0.4, "max": 0.6},
            "ceilings": [
                {"name": "fma", "unit": "operations", "per_second": 8e12},
                {"name": "copy", "unit": "bytes", "per_second": 4e12},
            ],
        }

    def refused(self, keep: Any, path: Path, what: str) -> None:
        """A record that is none is one sentence and exit code 2."""
        with self.assertRaises(Stop, msg=what[:200]) as stop:
            keep(path)
        self.assertEqual(stop.exception.code, 2, what[:200])
        self.assertIn(str(path), str(stop.exception))

    def kept(self, *runs: dict[str, object]) -> generated.Files:
        collected = self.write("collected.json", json.dumps({"runs": runs}))
        with mock.patch.object(bench, "find_chapters", lambda names: find_chapters(names, self.root)):
            return bench.keep(collected)


class Measured(BenchRecords):
    """Records of --bench, and where they are shown."""

    def test_records_are_kept_by_device_and_a_newer_one_replaces(self) -> None:
        self.assertEqual(
            generated.settle(self.kept(self.run_of(), self.run_of(m=16), self.run_of(device="Other")), check=False), 0
        )
        self.assertEqual(generated.settle(self.kept(self.run_of(time=1e-3)), check=False), 0)
        folder = self.root / "chapters/01_a/results/bench"
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ["nvidia-abacus-3.json", "other.json"])
        chapter = chapters(self.root)[0]
        self.assertEqual([bench.seconds(run, "kernel") for run in bench.records(chapter)], [1e-3, 2e-3, 2e-3])
        self.assertEqual({run["command"] for run in bench.records(chapter)}, {"build/cuda/bin/01_a --m 8 --bench"})

    def test_a_table_shows_time_ratio_and_ceiling_and_an_earlier_kernel(self) -> None:
        chapter = chapters(self.root)[0]
        self.assertEqual(bench.table(chapter), "Times on a GPU: not measured.")
        alone = self.run_of(m=16)
        alone["vendor"] = {"missing": "no cuBLAS here"}
        del alone["ratio"]
        generated.settle(self.kept(self.run_of(), alone), check=False)
        first, second = bench.table(chapter).splitlines()[2:]
        self.assertEqual(
            first,
            "| NVIDIA Abacus 3 | m 8 n 8 k 8, f16 | 2 ms | 2 | cuBLAS 13.0.2 default: 4 | 0.5 (0.4 to 0.6) | "
            "0.25 of 8 (fma) | `abc` |",
        )
        self.assertIn("| no cuBLAS here | not measured |", second)
        self.assertEqual(bench.table(chapter, "1x1x1 16x8x8").splitlines()[2:], [second])
        self.assertEqual(bench.table(chapter, "1x1x1"), "Times on a GPU: not measured.")
        self.write("chapters/01_a/kernel.hpp", "changed")
        self.assertIn("`abc`, an earlier kernel", bench.table(chapter))

    def test_what_the_library_does_on_repacked_operands_has_a_column(self) -> None:
        odd = {**self.run_of(), "ratio_repacked": {"median": 0.8, "min": 0.7, "max": 0.9}}
        generated.settle(self.kept(odd, self.run_of(m=16)), check=False)
        heading, rule, first, second = bench.table(chapters(self.root)[0]).splitlines()
        self.assertIn(
            "| its time / ours (min to max) | on repacked operands (min to max) | of the ceiling (instruction) |",
            heading,
        )
        self.assertIn("| 0.5 (0.4 to 0.6) | 0.8 (0.7 to 0.9) | 0.25 of 8 (fma) |", first)
        self.assertIn("| 0.5 (0.4 to 0.6) |  | 0.25 of 8 (fma) |", second)
        self.assertEqual({line.count("|") for line in (heading, rule, first, second)}, {10})

    def test_a_table_of_sizes_shows_every_problem_of_the_list_measured_or_not(self) -> None:
        self.write(
            "chapters/01_a/bench.csv",
            "# sizes\ndtype,out-dtype,layout,m,n,k,bias,activation\nf16,,nn,8,8,8,,\nf16,f16,nn,8,8,8,on,gelu\n"
            "f16,,nn,7,8,8,,\nf16,,nt,7,8,8,,\nf16,,nn,9,8,8,,\n",
        )
        refused = {
            **self.run_of(m=9),
            "ratio_repacked": {"median": 0.9, "min": 0.7, "max": 0.9},
            "vendor": {"missing": "it does not; Lt 1: no"},
        }
        del refused["ratio"]
        odd = {**self.run_of(m=7), "ratio_repacked": {"median": 0.8, "min": 0.7, "max": 0.9}}
        others = (
            self.run_of(m=7, options="--tile large"),
            self.run_of(m=7, out_dtype="f16"),
            self.run_of(m=7, layout="nt", beta=1.0),
            self.run_of(device="Other", m=7, layout="nt"),
        )
        generated.settle(
            self.kept(
                self.run_of(time=1e-3),
                self.run_of(bias=True, activation="gelu", out_dtype="f16"),
                odd,
                refused,
                *others,
            ),
            check=False,
        )
        page = self.write("chapters/01_a/README.md", "# One\n<!-- shapes: Abacus -->\n<!-- /shapes -->\n")
        text = bench.generate(chapters(self.root)[0], Path())[page].decode()
        self.assertEqual(
            text.splitlines()[2:-1],
            [
                "| m x n x k | f16 nn |",
                "|---|--:|",
                "| 8 x 8 x 8 | 4, 0.50 |",
                "| 7 x 8 x 8 | 2, 0.50, 0.80 |",
                "| 9 x 8 x 8 | 2, -, 0.90 |",
                "",
                "| types and layout | 8 x 8 x 8 | 7 x 8 x 8 |",
                "|---|--:|--:|",
                "| f16 -> f16 nn, bias, gelu | 2, 0.50 |  |",
                "| f16 nt |  | not measured |",
                "",
                "Measured by `./tutorial bench 01`. The whole table: [lab](lab.md#every-size).",
            ],
        )
        self.assertIn("| it does not | not measured | 0.9 (0.7 to 0.9) |", bench.table(chapters(self.root)[0]))
        (self.root / "chapters/01_a/bench.csv").unlink()
        with self.assertRaisesRegex(Mistake, "wants a device and"):
            bench.generate(chapters(self.root)[0], Path())

    def test_a_budget_finds_the_time_of_its_problem_and_machine(self) -> None:
        generated.settle(self.kept(self.run_of(kernel="fast")), check=False)
        runs, problem = bench.records(chapters(self.root)[0]), budget.Extents(8, 8, 8)
        parameters = {**CycleBudget.PARAMETERS, "kernel": "fast", "m": 4}
        self.assertEqual(bench.time_of(runs, "Abacus", problem, parameters), 2e-3)
        self.assertIsNone(bench.time_of(runs, "H200", problem, parameters))
        self.assertIsNone(bench.time_of(runs, "Abacus", problem, {**parameters, "kernel": "slow"}))
        self.assertIsNone(bench.time_of(runs, "Abacus", budget.Extents(8, 8, 16), parameters))

    def test_no_page_says_not_measured_where_a_record_has_it(self) -> None:
        budgets = 0
        for chapter in find_chapters([]):
            runs = [run for run in bench.records(chapter) if "H200" in run["device"]]
            for page in (chapter.readme, chapter.lab):
                text = page.read_text() if page.exists() else ""
                for argument, table in re.findall(r"^<!-- budget: (.*?) -->\n(.*?)^<!-- /budget", text, re.M | re.S):
                    budgets += 1
                    problem = [int(extent) for extent in argument.split()[0].split("x")]
                    layout = re.search(r"--layout (\w+)", argument)
                    target = kernel = ""
                    for line in table.splitlines():
                        first = line.split("|")[1].strip() if line.count("|") > 1 else ""
                        if re.match(r"(sm|gfx)\d", first):
                            target, _, kernel = first.partition(", ")
                        if target != "sm90" or "not measured" not in line:
                            continue
                        for run in (run["parameters"] for run in runs):
                            same = [run["m"], run["n"], run["k"]] == problem
                            same = same and (not layout or run["layout"] == layout[1])
                            same = same and (not kernel or run["kernel"] == kernel)
                            self.assertFalse(same, f"{page}: not measured, and a record has it: {run}")
        self.assertGreater(budgets, 20)

    def test_a_file_without_records_is_refused(self) -> None:
        good = self.run_of()
        wrong: list[Any] = [[], {}, 5, {"runs": []}, {"runs": 5}, {"runs": [5]}, {"runs": [{}]}]
        for key in good:
            if key not in ("ratio",):
                wrong.append({"runs": [good, {**good, key: 5 if isinstance(good[key], str) else None}]})
                if key not in ("parameters", "operations"):
                    wrong.append({"runs": [{k: v for k, v in good.items() if k != key}]})
        for key, value in (
            ("device", "..."),
            ("device", "a\nb"),
            ("chapter", "77_none"),
            ("command", '"'),
            ("command", ""),
            ("seconds", {"kernel": ["1"]}),
            ("seconds", {"kernel": [float("nan")]}),
            ("operations", True),
            ("ceilings", [{"name": "fma"}]),
            ("ratio", {"median": 1}),
        ):
            wrong.append({"runs": [{**good, key: value}]})
        for text in ["", "{", "[" * 100000, "1" * 5000, *map(json.dumps, wrong)]:
            with mock.patch.object(bench, "find_chapters", lambda names: find_chapters(names, self.root)):
                self.refused(bench.keep, self.write("collected.json", text), text)

    def test_what_is_no_file_is_refused_without_being_read(self) -> None:
        for keep in (bench.keep, tune.keep):
            for name in ("/dev/full", "/dev/zero", str(self.root), str(self.root / "none")):
                self.refused(keep, Path(name), name)
            with mock.patch.object(records, "MOST_BYTES", 10):
                self.refused(keep, self.write("long.json", json.dumps({"runs": [self.run_of()]})), "long")


class BenchVerb(BenchRecords):
    """`./tutorial bench` with programs that only pretend."""

    def setUp(self) -> None:
        super().setUp()
        self.write("chapters/01_a/main.cpp", "int main() { return gemm_main(); }")
        self.write("chapters/02_b/main.cpp", "int main() {}")
        record = json.dumps(self.run_of())
        self.program(
            "build/cuda/bin/01_a",
            f"""echo $@ >>{self.root}/said
for last; do :; done
case $1-$2 in --m-4096) echo '{record}' >$last ;; --m-4095) echo no such kernel; exit 3 ;; *) echo wrong; exit 1 ;;
esac""",
        )

    def bench(self, *words: str, device: str = "Abacus 3") -> int:
        with mock.patch.object(
            bench_chapters, "find_chapters", lambda names: find_chapters(names, self.root)
        ), mock.patch.object(bench, "find_chapters", lambda names: find_chapters(names, self.root)), mock.patch.object(
            bench_chapters.trees, "binaries", lambda backend: self.root / "build" / backend / "bin"
        ), mock.patch.object(
            bench_chapters.machine, "gpus", lambda: [("cuda", "NVIDIA", None, device), ("hip", "AMD", None, "")]
        ):
            return tutorial.bench(list(words))

    def test_measures_the_list_of_each_gemm_chapter_and_keeps_the_records(self) -> None:
        self.write("chapters/01_a/README.md", "# One\n<!-- bench -->\n<!-- /bench -->\n")
        self.assertEqual(self.bench("--no-build"), 0)
        said = (self.root / "said").read_text().splitlines()
        self.assertEqual(
            [line.split(" --json")[0] for line in said], [problem + " --bench" for problem in bench_chapters.DEFAULT]
        )
        self.assertEqual(len(bench.records(chapters(self.root)[0])), 1)
        self.assertIn("| NVIDIA Abacus 3 | m 8 n 8 k 8, f16 |", (self.root / "chapters/01_a/README.md").read_text())

    def test_takes_the_list_of_add_chapter_or_a_problem_of_ones_own(self) -> None:
        self.write("chapters/01_a/CMakeLists.txt", 'add_chapter(01_a ADDS "x" BENCH "--m 4096 --k 1" RUNS "--m 1")\n')
        out = self.root / "deep/records.json"
        self.assertEqual(self.bench("1", "--no-build", "--records", str(out)), 0)
        self.assertEqual(len(json.loads(out.read_text())["runs"]), 1)
        self.assertEqual(self.bench("1", "--no-build", "--records", str(out), "--", "--m", "7"), 1)
        said = (self.root / "said").read_text().splitlines()
        self.assertEqual([line.split(" --bench")[0] for line in said], ["--m 4096 --k 1", "--m 7"])
        self.assertFalse((self.root / "chapters/01_a/results").exists())

    def test_a_list_of_problems_is_measured_in_one_process(self) -> None:
        path = self.write("chapters/01_a/bench.csv", "dtype,layout,m,n,k\nf16,nn,8,8,8\n")
        runs = self.write("runs.json", json.dumps({"runs": [self.run_of(), self.run_of(m=16)]}))
        self.program(
            "build/cuda/bin/01_a", f"echo $@ >>{self.root}/said\nfor last; do :; done\ncp {runs} $last\nexit 1"
        )
        out = self.root / "records.json"
        self.assertEqual(self.bench("1", "--no-build", "--records", str(out)), 1)
        self.assertEqual([run["parameters"]["m"] for run in json.loads(out.read_text())["runs"]], [8, 16])
        self.assertEqual(self.bench("1", "--no-build", "--records", str(out), "--", "--m", "7"), 1)
        said = (self.root / "said").read_text().splitlines()
        self.assertEqual([line.split(" --bench")[0] for line in said], [f"--problems {path}", "--m 7"])

    def test_random_problems_that_were_measured_stay_where_a_signal_ends_the_rest(self) -> None:
        self.write("chapters/01_a/plan.cpp", "")
        out = self.root / "deep/random.json"
        record = {"problems": [{"planned": {}}, {"refused": "no kernel"}]}
        listed: list[str] = []

        def program(end: int) -> Any:
            def run(command: list[str], **_: Any) -> Any:
                listed.append(Path(command[2]).read_text())
                Path(command[-1]).write_text(json.dumps(record))
                if end:
                    raise SystemExit(end)
                return mock.Mock(returncode=0)

            return mock.patch.object(bench_chapters.subprocess, "run", run)

        words = ("1", "--no-build", "--random", "9", "--seed", "5", "--records", str(out))
        for types, wanted in (((), "bf16,bf16"), (("--dtype", "i8"), "i8,i32"), (("--out-dtype", "f32"), "bf16,f32")):
            listed.clear()
            with program(0), contextlib.redirect_stdout(io.StringIO()):
                self.bench(*words, *types)
            self.assertEqual({line.rsplit(",", 4)[0] for line in listed[0].splitlines()[1:]}, {wanted})
        with program(143), self.assertRaises(SystemExit):
            self.bench(*words)
        self.assertEqual(
            json.loads(out.read_text()), {"problems": [{"planned": {}}], "random": {"number": 2, "seed": 5}}
        )
        with program(0), contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(self.bench(*words), 0)
        with mock.patch.object(bench_chapters.subprocess, "run", lambda *_, **__: mock.Mock(returncode=1)):
            self.assertEqual(self.bench(*words), 1)
        self.assertFalse(out.exists())  # an older one would pass for this run's

    def test_calibrating_keeps_a_whole_record_and_refuses_what_does_not_belong_to_it(self) -> None:
        folder = self.root / "chapters/01_a"
        names = [*calibrate.of_tile(calibrate.COMMON), *calibrate.of_transposed(calibrate.COMMON), calibrate.IN_TURNS]
        tile = {name: 1e-6 * (i + 1) for i, name in enumerate(names)}
        whole = {
            "kind": "calibration",
            "device": "Abacus 3",
            "driver": "1.2",
            "tiles": {calibrate.COMMON: tile, calibrate.SHARING: tile},
            "machine": {name: 1e-6 * (i + 1) for i, name in enumerate(calibrate.of_machine())},
        }
        with mock.patch.multiple(
            calibrate,
            CHAPTER=folder,
            RECORDS=folder / "results/calibration",
            TABLE=folder / "tables/times_sm90.hpp",
            ROOT=self.root,
        ):

            def taking(record: Any) -> Any:
                return mock.patch.object(calibrate, "calibrate", lambda _, path: path.write_text(json.dumps(record)))

            with taking({**whole, "machine": {}}), self.assertRaisesRegex(Stop, "it lacks small, as it is"):
                self.bench("1", "--no-build", "--calibrate")
            out = self.root / "deep/record.json"
            with taking(whole), contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(self.bench("1", "--no-build", "--calibrate", "--records", str(out)), 0)
                self.assertEqual(json.loads(out.read_text()), whole)
                self.assertFalse((folder / "results").exists())
                self.assertEqual(self.bench("1", "--no-build", "--calibrate"), 0)
            kept = json.loads((folder / "results/calibration/abacus-3.json").read_text())
            self.assertEqual(kept, {**whole, "turns": {}})
            # of several GPUs, each with a part of the work
            parts = [{**whole, "machine": {}}, {**whole, "tiles": {}}, {**whole, "device": "Abacus 4"}]
            paths = [self.root / f"part{i}.json" for i in range(len(parts))]
            for path, part in zip(paths, parts):
                path.write_text(json.dumps(part))
            self.assertEqual(calibrate.together(paths[:2], "x"), whole)
            with self.assertRaisesRegex(Stop, "part2.json.*it is of Abacus 4, and .*part0.json of Abacus 3"):
                calibrate.keep(paths)
            table = (folder / "tables/times_sm90.hpp").read_text()
            self.assertIn('{"Abacus 3", tiles_of_abacus_3,', table)
            self.assertNotIn("Not measured", table)
            with mock.patch.object(
                calibrate, "calibrate", mock.Mock(side_effect=subprocess.CalledProcessError(3, "x"))
            ):
                self.assertEqual(self.bench("1", "--no-build", "--calibrate"), 3)
            for words in (
                ("--calibrate",),
                ("2", "--calibrate"),
                ("1", "2", "--calibrate"),
                ("1", "--calibrate", "--tune"),
                ("1", "--calibrate", "--random", "3"),
                ("1", "--calibrate", "--candidates"),
                ("1", "--calibrate", "--devices", "2"),
                ("1", "--calibrate", "--", "--m", "8"),
                ("1", "--calibrate", "--backend", "hip"),
            ):
                with self.assertRaisesRegex(Stop, "--calibrate") as stop:
                    self.bench(*words)
                self.assertEqual(stop.exception.code, 2)

    def test_rates_of_tiles_are_measured_kept_and_written_as_a_table(self) -> None:
        folder = self.root / "chapters/01_a"
        tile = {"one": 5e-4, "full": 9e-4, "more": 1.7e-3, "few": 2e-4}
        tiles = {dtype: {each: tile for each in known} for dtype, known in tile_rates.TILES.items()}
        by_elements = {"by_elements": {dtype: tiles[dtype] for dtype in tile_rates.BY_ELEMENTS}}
        head = {"kind": "rates", "device": "Abacus 3", "driver": "1.2", "commit": "abc", "units": 132}
        with mock.patch.multiple(
            tile_rates,
            CHAPTER=folder,
            RECORDS=folder / "results/calibration",
            TABLE=folder / "tables/tile_rates.hpp",
            ROOT=self.root,
        ):
            taken = {**head, "tiles": {**tiles, "i8": {}}, **by_elements}
            write = mock.Mock(side_effect=lambda _, path: path.write_text(json.dumps(taken)))
            with mock.patch.object(tile_rates, "calibrate", write), contextlib.redirect_stdout(io.StringIO()):
                with self.assertRaisesRegex(Stop, "it lacks 128x256x64"):
                    self.bench("1", "--no-build", "--calibrate")
                taken = {**head, "tiles": tiles, "by_elements": {"f32": {}}}
                with self.assertRaisesRegex(Stop, "it lacks 128x128x8"):
                    self.bench("1", "--no-build", "--calibrate")
                taken = {**head, "tiles": tiles, **by_elements}
                self.assertEqual(self.bench("1", "--no-build", "--calibrate"), 0)
                self.assertEqual(tile_rates.generate().keys(), {folder / "tables/tile_rates.hpp"})
            table = (folder / "tables/tile_rates.hpp").read_text()
        # 3,584 k in 700 us; 4,096 of them in 800, of two blocks, after 100 to begin: one alone lasts as long as one
        of_rate = 128 * 128 * 2 * 3584 / (700e3 * 1.98 * 128)
        self.assertIn(f'{{DType::f32, "128x128x8", false, {of_rate:.3f}, 1.00, 2.00}},', table)
        self.assertIn(f'{{DType::f32, "128x128x8", true, {of_rate:.3f}, 1.00, 2.00}},', table)
        self.assertEqual(table.count("true"), len(tile_rates.TILES["f32"]))

    def test_rates_are_measured_by_problems_that_a_tile_fills_the_gpu_with(self) -> None:
        self.assertEqual(tile_rates.problems("i8", "64x128x128"), {
            "one": (768, 1408, 8192), "full": (768, 2816, 8192), "more": (768, 4224, 8192), "few": (768, 2816, 512)})
        by_elements = tile_rates.problems("f32", "8x128x16", 1)
        self.assertEqual((by_elements["one"], by_elements["few"]), ((96, 1408, 4097), (96, 16896, 513)))
        path = self.root / "record.json"

        def run(command: list[str], **_: Any) -> None:
            lines = Path(command[command.index("--tune") + 1]).read_text().splitlines()[1:]
            columns = [float(line.split(",")[4]) for line in lines]
            planned = [{"planned": {"seconds": [9.0, each, 1e-3 * i]}} for i, each in enumerate(columns)]
            record = {"device": "Abacus 3", "driver": "1", "commit": "a", "units": 132, "problems": planned}
            Path(command[command.index("--json") + 1]).write_text(json.dumps(record))

        with mock.patch.object(tile_rates.subprocess, "run", run):
            tile_rates.calibrate("x", path)
            kept = json.loads(path.read_text())
            self.assertEqual(kept["tiles"]["i8"]["64x128x128"]["more"], (4224 + 2e-3) / 2)
            self.assertEqual(kept["by_elements"]["f32"]["64x64x8"]["more"], (11 * 64 * 5 + 2e-3) / 2)
            self.assertEqual(tile_rates.text_of(kept), path.read_text())
            with mock.patch.object(tile_rates, "UNITS", 78), self.assertRaisesRegex(Mistake, "Abacus 3 has 132"):
                tile_rates.calibrate("x", path)

    def test_calibrating_measures_again_what_was_disturbed_and_nothing_else(self) -> None:
        asked: list[list[str]] = []
        turns = {
            "a": [[2.0, 2.1]],
            "b": [[3.0, 9.0], [5.0, 6.0], [3.1, 3.0]],
            "c": [[1.0, n] for n in (9.0, 4.0, 7.0, 5.0)],
        }

        def measured(program: str, options: str, problems: list[str]) -> tuple[list[list[float]], Any]:
            asked.append(problems)
            return [turns[each].pop(0) for each in problems], {"run": len(asked)}

        with mock.patch.object(calibrate, "measured", measured):
            found, head = calibrate.steadied("x", "", {each: each for each in turns})
        self.assertEqual(asked, [["a", "b", "c"], ["b", "c"], ["b", "c"], ["c"]])
        self.assertEqual(found, {"a": [2.0, 2.1], "b": [3.1, 3.0], "c": [1.0, 4.0]})
        self.assertEqual(head, {"run": 4})

    def test_stops_with_a_sentence_without_a_device_a_program_or_a_gemm(self) -> None:
        for words, device, code, sentence in (
            (("--no-build",), "", 3, "no NVIDIA or AMD GPU here"),
            (("--backend", "hip"), "Abacus 3", 3, "no AMD GPU here"),
            (("02",), "Abacus 3", 2, "only chapters with a GEMM"),
        ):
            with self.assertRaisesRegex(Stop, sentence) as stop:
                self.bench(*words, device=device)
            self.assertEqual(stop.exception.code, code)
        (self.root / "build/cuda/bin/01_a").unlink()
        with self.assertRaisesRegex(Stop, "has none of these chapters"):
            self.bench("--no-build")


class WhatChanged(TreeTest):
    def test_counts_lines_without_marks(self) -> None:
        text = whatchanged.changes(chapters(self.root)[1])
        self.assertIn("2 lines added, 1 removed", text)
        self.assertIn("\n+    long a;\n", text)
        self.assertNotIn("[body]", text)

    def test_a_lesson_has_it_folded_or_where_most_of_the_kernel_is_new_its_size_alone(self) -> None:
        chapter = chapters(self.root)[1]
        folded = whatchanged.changes(chapter, "short").splitlines()
        self.assertEqual(
            folded[0],
            "<details><summary><code>kernel.hpp</code> against 01_a: 2 lines added, 1 removed, 6 in all</summary>",
        )
        self.assertEqual(folded[2:-2], whatchanged.changes(chapter).splitlines()[2:])
        self.assertEqual(folded[-1], "</details>")
        self.write("chapters/02_b/kernel.hpp", "#pragma once\nstruct Other {\n  int b, c;\n  int d;\n};\n")
        self.assertEqual(
            whatchanged.changes(chapter, "short"),
            "`kernel.hpp` against 01_a: 3 lines added, 3 removed, 5 in all: [the diff](lab.md#the-diff).",
        )

    def test_wants_a_chapter_to_compare_with(self) -> None:
        with self.assertRaises(Mistake):
            whatchanged.changes(chapters(self.root)[0])
        with self.assertRaisesRegex(Mistake, "write short"):
            whatchanged.changes(chapters(self.root)[1], "shorter")


class Lists(TreeTest):
    def test_the_ladder_links_as_seen_from_the_page(self) -> None:
        page = self.write("chapters/README.md", "")
        self.assertIn("| [01_a](01_a/README.md) | layouts (nested) |", index.ladder(page))
        self.assertIn("| [01_a](chapters/01_a/README.md) |", index.ladder(self.write("README.md", "")))

    def test_headers_stand_in_the_order_of_the_umbrella(self) -> None:
        self.write(
            "common/include/tilestep/core.hpp", "#include <tilestep/core/b.hpp>  // x\n#include <tilestep/core/a.hpp>\n"
        )
        self.write("common/include/tilestep/core/a.hpp", "#pragma once\n// What a is. More.\n")
        self.write("common/include/tilestep/core/b.hpp", "#pragma once\n// What b is, over\n// two lines. More.\n")
        text = index.headers(self.write("common/README.md", ""), "core")
        self.assertLess(text.index("What b is, over two lines |"), text.index("What a is |"))

    def test_headers_of_the_harness_are_in_its_own_folder(self) -> None:
        self.write("common/harness/tilestep/harness.hpp", "#include <tilestep/harness/a.hpp>  // x\n")
        self.write("common/harness/tilestep/harness/a.hpp", "#pragma once\n// What a is. More.\n")
        text = index.headers(self.write("common/README.md", ""), "harness")
        self.assertIn("| [a.hpp](harness/tilestep/harness/a.hpp) | What a is |", text)


class MadeOf(TreeTest):
    def test_lists_each_header_of_block_once_after_those_that_it_includes(self) -> None:
        block = "common/include/tilestep/block/"
        self.write("chapters/01_a/kernel.hpp", '#include "part.hpp"  // x\n#include <tilestep/block/b.hpp>  // x\n')
        self.write("chapters/01_a/part.hpp", "#include <tilestep/block/a.hpp>  // x\n#include <tuple>  // x\n")
        self.write(block + "a.hpp", "#pragma once\n// What a is. More.\n#include <tilestep/core/c.hpp>  // x\n")
        self.write(block + "b.hpp", "#pragma once\n// What b is.\n#include <tilestep/block/d.hpp>  // x\n")
        self.write(block + "d.hpp", "#pragma once\n// What d is.\n#include <tilestep/block/a.hpp>  // x\n")
        self.write("common/include/tilestep/core/c.hpp", "#pragma once\n// What c is.\n")
        rows = madeof.table(chapters(self.root)[0]).splitlines()[2:]
        self.assertEqual([row.split(" | ")[1] for row in rows], ["What a is |", "What d is |", "What b is |"])
        self.assertIn("[d.hpp](../../common/include/tilestep/block/d.hpp)", rows[1])


class Wrap(unittest.TestCase):
    def test_wraps_paragraphs_items_and_quotations_that_are_too_wide(self) -> None:
        words = "word " * 30
        self.assertEqual(wrap.page(f"{words}\nand"), f"{('word ' * 24).strip()}\n{'word ' * 6}and")
        self.assertEqual(wrap.page(f"- {words}\n- b"), f"- {('word ' * 23).strip()}\n  {('word ' * 7).strip()}\n- b")
        self.assertEqual(wrap.page(f"> {words}\n> end"), f"> {('word ' * 23).strip()}\n> {'word ' * 7}end")

    def test_leaves_tables_code_headings_and_what_a_tool_writes(self) -> None:
        words = "word " * 30
        for text in (f"| {words}|", f"# {words}", f"```\n{words}\n```", f"<!-- isa: a | b -->\n{words}\n<!-- /isa -->"):
            self.assertEqual(wrap.page(text), text)
        marker = "```markdown\n<!-- bench -->\n```\n"  # an example of a marker opens no block
        self.assertEqual(wrap.page(f"{marker}{words}"), f"{marker}{('word ' * 24).strip()}\n{('word ' * 6).strip()}")
        narrow = "a line that was broken\nearly"
        self.assertEqual(wrap.page(narrow), narrow)

    def test_breaks_no_code_no_link_and_begins_no_line_with_a_sign(self) -> None:
        for words in ("`code in words`", "[a link](to/a page)", "+ 4", "** 5.", "| a"):
            text = wrap.page("x" * 110 + " word " + words + " word " * 4)
            self.assertIn(words, text)
            self.assertTrue(all(len(line) <= 120 for line in text.split("\n")), text)


class Outputs(TreeTest):
    def test_a_program_of_few_kernels_has_those_of_the_target_and_the_types(self) -> None:
        several_gpus = repository.find_chapters(["21"])[0]
        for target, options, part in (
            ("sm90", [], "hopper_f16"),
            ("sm90", ["--dtype", "bf16"], "hopper_bf16"),
            ("sm90", ["--acc", "f16"], "nvidia_f16"),  # chapter 20's kernels add in f32
            ("sm90", ["--dtype=f64"], "hopper_f64"),
            ("sm90", ["--dtype", "f32"], "fma"),
            ("sm80", [], "nvidia_f16"),
            ("gfx942", ["--dtype", "i8"], "cdna_i8"),
            ("sm90", ["--each", "list"], ""),
        ):
            self.assertEqual(programs.part_for(several_gpus, target, options), part, (target, options))

    def test_what_run_shows_is_one_program_where_kernels_are_left_out(self) -> None:
        of = {chapter.number: chapter for chapter in repository.find_chapters(["05", "17", "18", "20", "21"])}
        for number, parts, program in (
            ("17", {"nvidia_f16", "cdna_f16", "rdna3_f16"}, "shown"),
            ("17", {"nvidia_f16", "nvidia_bf16"}, ""),  # bf16 is among MORE_KERNELS
            ("17", {"nvidia_bf16"}, "nvidia_bf16"),
            ("18", {"hopper_f16", "hopper_bf16"}, ""),  # it shows all it has
            ("20", {"hopper_f16"}, "shown"),  # of which the whole part has more
            ("21", {"hopper_f16", "cdna_f16"}, "shown"),  # the kernels of 17 and 20
        ):
            self.assertEqual(programs.shown(of[number], set(parts)), program, (number, parts))
        self.assertEqual(programs.part_for(of["20"], "", []), "hopper_bf16")  # DTYPE
        self.assertEqual(sorted(of["21"].kernels), sorted([*of["20"].kernels, *of["17"].kernels]))
        runs = run_chapters.runs_of([of["17"]], "host", "sm80")  # one target: its part alone
        self.assertEqual({run.part for run in runs}, {"nvidia_f16"})
        every = run_chapters.runs_of(repository.find_chapters([]), "host", "")
        self.assertEqual({run.part for run in every if run.chapter.number == "17"}, {"shown"})
        few = run_chapters.runs_of([of["17"], of["18"]], "host", "")  # compiled without other chapters' kernels
        self.assertEqual(
            {(run.chapter.number, run.part) for run in few},
            {("17", part) for part in ("nvidia_f16", "cdna_f16", "rdna3_f16")}
            | {("18", part) for part in ("hopper_f16", "hopper_bf16")},
        )
        self.assertEqual({run.part for run in run_chapters.runs_of([of["17"]], "cuda", "")}, {""})

    def test_commands_of_the_front_door_are_the_chapters_programs(self) -> None:
        call = expected.program_call("./tutorial run 2 --target gfx942 -- --m 5", self.root)
        self.assertEqual(call, ["build/host/bin/02_b", "--target", "gfx942", "--m", "5"])
        self.assertEqual(
            expected.program_call("build/host/bin/02_b --m 5", self.root), ["build/host/bin/02_b", "--m", "5"]
        )
        self.assertIsNone(expected.program_call("./tutorial run 2 --backend cuda", self.root))
        self.assertIsNone(expected.program_call("./tutorial test", self.root))

    def test_a_chapter_of_several_processes_is_started_by_mpirun(self) -> None:
        path = self.root / "chapters/02_b/CMakeLists.txt"
        text = path.read_text()
        path.write_text(text[: text.rindex(")")] + " PROCESSES 3)\n")
        self.assertEqual(
            expected.program_call("./tutorial run 2 -- --m 5", self.root),
            ["mpirun", "--oversubscribe", "-np", "3", "build/host/bin/02_b", "--m", "5"],
        )
        by_hand = "mpirun -np 2 build/host/bin/02_b --m 5"
        self.assertEqual(expected.program_call(by_hand, self.root), by_hand.split())
        self.assertIsNone(expected.program_call("mpirun -np 2 hostname", self.root))
        chosen = [chapter for chapter in chapters(self.root) if chapter.name == "02_b"]
        self.assertEqual({run.devices for run in run_chapters.runs_of(chosen, "host", "")}, {0})

    def test_a_chapter_of_several_processes_has_one_for_each_gpu(self) -> None:
        path = self.root / "chapters/02_b/CMakeLists.txt"
        text = path.read_text()
        path.write_text(text[: text.rindex(")")] + " PROCESSES 3)\n")
        chosen = [chapter for chapter in chapters(self.root) if chapter.name == "02_b"]
        self.program("nvidia-smi", "echo GPU 0: Abacus; echo GPU 1: Abacus")
        with mock.patch.dict(os.environ, {"PATH": f"{self.root}:{os.environ['PATH']}"}):
            self.assertEqual(trees.machine.device_count("cuda"), 2)
            self.assertTrue(trees.machine.second_gpu())
            (run,) = run_chapters.runs_of(chosen, "cuda", "")
        own = mock.Mock()
        own.run.return_value = (0, "")
        run_chapters.run_problem(run, self.root, own)
        self.assertEqual(own.run.call_args[0][0][:6], ["mpirun", "--bind-to", "none", "-np", "2", f"{self.root}/02_b"])

    def test_are_regenerated_with_the_exit_code(self) -> None:
        self.program("bin/01_a", "echo said $1; exit 2")
        path = self.write("chapters/01_a/expected/output.txt", "$ build/host/bin/01_a --m\nold\n")
        files = expected.generate(chapters(self.root)[0], self.root / "bin")
        self.assertEqual(files[path], b"$ build/host/bin/01_a --m\nsaid --m\n[exit code 2]\n")
        self.assertEqual(generated.settle(files, check=True), 1)

    def test_the_commands_of_a_page_are_found(self) -> None:
        page = "```console\n$ a 1\nout\n[exit code 2]\n$ b\n```\n```bash\n# note\nc\n```\n```cpp\n$ d\n```\n"
        self.assertEqual(commands.commands_in(page), [("a 1", 2), ("b", 0), ("c", 0)])

    def test_a_wrong_exit_code_or_no_command_is_found(self) -> None:
        self.program("bin/01_a", "exit 1")
        self.write("chapters/01_a/README.md", "# One\n```bash\nbuild/host/bin/01_a\n```\n")
        one, two = chapters(self.root)
        self.assertEqual(commands.check(one, self.root / "bin"), 1)
        self.assertEqual(commands.check(two, self.root / "bin"), 1)
        self.program("bin/01_a", "exit 0")
        self.assertEqual(commands.check(one, self.root / "bin"), 0)
        self.write("chapters/01_a/lab.md", "# One: the lab\n```bash\nbuild/host/bin/01_a --m 1\n```\n")
        self.program("bin/01_a", '[ "$1" != --m ]')
        self.assertEqual(commands.check(one, self.root / "bin"), 1)

    def test_figures_are_compared_byte_by_byte(self) -> None:
        self.program("bin/01_a", 'echo "<svg/>" > "$2/a.svg"')
        self.write("chapters/01_a/figures.cpp", "")
        kept = self.write("chapters/01_a/figures/a.svg", "<svg/>\n")
        chapter = chapters(self.root)[0]
        self.assertEqual(generated.settle(figures.generate(chapter, self.root / "bin"), check=True), 0)
        kept.write_text("<svg />\n")
        self.assertEqual(generated.settle(figures.generate(chapter, self.root / "bin"), check=True), 1)
        kept.write_text("<svg/>\n")
        self.write("chapters/01_a/figures/left_over.svg", "")
        self.assertEqual(generated.settle(figures.generate(chapter, self.root / "bin"), check=True), 1)


class Exercises(TreeTest):
    def test_a_stub_must_fail_and_a_solution_must_pass(self) -> None:
        folder = self.root / "ex"
        for name in ("exercise.hpp", "solution.hpp", "hint.md"):
            self.write(f"ex/{name}", "")
        for code, stub, solution in ((0, 1, 0), (1, 0, 1), (4, 0, 1), (2, 1, 1), (139, 1, 1)):
            program = self.program("program", f"exit {code}")
            self.assertEqual(exercises.check("exercise", folder, program), stub, code)
            self.assertEqual(exercises.check("solution", folder, program), solution, code)
        for signal in ("HUP", "ILL", "SEGV"):  # 1 and 4 are numbers of signals, too
            program = self.program("program", f"kill -{signal} $$")
            self.assertEqual(exercises.check("exercise", folder, program), 1, signal)
            self.assertEqual(exercises.check("solution", folder, program), 1, signal)

    def test_each_wrong_answer_must_fail_with_its_message(self) -> None:
        folder = self.root / "ex"
        says = 'case $TILESTEP_WRONG_ANSWER in 0) exit 0;; 1) echo race on sA; exit 4;; 2) echo C is 1; exit 1;; esac; '
        for last, promised, graded in (
            ("echo C is 2; exit 1", "C is 2", 0),
            ("echo C is 2; exit 1", "C is 3", 1),
            ("echo C is 2; exit 0", "C is 2", 1),
            ("echo C is 2; exit 139", "C is 2", 1),
        ):
            answers = "// 1. No barrier. Says: race\n// 2. The first row\n// alone. Says: C is 1\n"
            answers += f"// 3. x. Says: {promised}\n"
            for name in ("exercise.hpp", "solution.hpp", "hint.md"):
                self.write(f"ex/{name}", "")
            self.write("ex/wrong.hpp", f"#pragma once\n// Wrong answers.\n{answers}\nint x;\n")
            self.assertEqual(
                exercises.wrong_answers(folder / "wrong.hpp"),
                [("No barrier.", "race"), ("The first row alone.", "C is 1"), ("x.", promised)],
            )
            program = self.program("program", says + last)
            self.assertEqual(exercises.check("wrong", folder, program), graded, (last, promised))
        self.write("ex/wrong.hpp", "#pragma once\n// 1. One alone. Says: race\n")
        self.assertEqual(exercises.check("wrong", folder, self.program("program", says)), 1)

    def test_its_files_must_be_there(self) -> None:
        self.write("ex/exercise.hpp", "")
        self.assertEqual(exercises.check("solution", self.root / "ex", self.program("program", "exit 0")), 1)


    def test_a_check_without_an_end_is_stopped_within_seconds(self) -> None:
        self.assertLessEqual(exercises.SECONDS, 30)
        with mock.patch.object(exercises, "SECONDS", 0.2), self.assertRaisesRegex(Stop, "has no end"):
            exercises.grade(self.program("program", "exec sleep 20"))


class ExerciseVerb(TreeTest):
    """`./tutorial exercise` in a small tree, with checks that only pretend to be built."""

    def setUp(self) -> None:
        super().setUp()
        self.write("chapters/01_a/CMakeLists.txt", 'add_chapter(01_a ADDS "a")\n')
        for name in ("01_first", "02_second"):
            folder = f"chapters/01_a/exercises/{name}"
            self.write(f"{folder}/check.cpp", "")
            self.write(f"{folder}/exercise.hpp", "#pragma once\n// The exercise: make it\n// right. Or try.\n")
            self.write(f"{folder}/solution.hpp", "it is right\n")
            self.write(f"{folder}/hint.md", "# Hint\n\n**Look.** Here.\n\nAnd here.\n\n**More.** There.\n")
        self.built: list[str] = []
        for module, what, instead in (
            (run_exercises, "build_folder", lambda: self.root / "build"),
            (run_exercises, "ROOT", self.root),
            (run_exercises, "find_chapters", lambda names: find_chapters(names, self.root)),
            (run_exercises.packages, "ensure", lambda verb: None),
            (run_exercises.trees, "binaries", lambda backend: self.root / "bin"),
            (run_exercises.trees, "build", lambda backend, tests, targets: self.built.extend(targets)),
        ):
            patch = mock.patch.object(module, what, instead)
            patch.start()
            self.addCleanup(patch.stop)

    def said(self, *names: str, **options: bool) -> tuple[int, str]:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = run_exercises.run(list(names), options.get("hint", False), options.get("solution", False))
        return code, output.getvalue()

    def states(self) -> list[str]:
        return [line.split()[0] + " " + " ".join(line.split()[1:-3]) for line in self.said()[1].splitlines()[2:]]

    def test_one_check_is_built_and_its_verdict_is_the_exit_code_and_the_state(self) -> None:
        self.assertEqual(self.states(), ["01/01_first not tried", "01/02_second not tried"])
        for code, state in ((1, "wrong result"), (4, "hazard found"), (0, "solved")):
            self.program("bin/01_a-02_second-exercise", f"echo C is 1; exit {code}")
            (self.root / "bin/exercises").mkdir(exist_ok=True)
            shutil.move(self.root / "bin/01_a-02_second-exercise", self.root / "bin/exercises/01_a-02_second-exercise")
            self.assertEqual(self.said("01", "02")[0], code)
            self.assertEqual(self.states(), ["01/01_first not tried", f"01/02_second {state}"])
        self.assertEqual(set(self.built), {"01_a-02_second-exercise"})
        self.write("chapters/01_a/exercises/02_second/exercise.hpp", "#pragma once\n// The exercise: make it right.\n")
        self.assertEqual(self.states()[1], "01/02_second changed since")

    def test_a_check_that_crashes_is_not_a_verdict(self) -> None:
        self.program("bin/exercises/01_a-01_first-exercise", "exit 139")
        code, text = self.said("01", "01_first")
        self.assertEqual(code, 1)
        self.assertIn("ended with exit code 139", text)

    def test_hints_come_one_by_one_and_the_solution_when_it_is_asked_for(self) -> None:
        hints = [self.said("01", "01", hint=True)[1] for _ in range(3)]
        self.assertTrue(hints[0].startswith("**Look.** Here.\n\nAnd here.\n\n01/01_first: hint 1 of 2"))
        self.assertTrue(hints[1].startswith("**More.** There.\n\n01/01_first: hint 2 of 2"))
        self.assertEqual(hints[2], hints[1])
        self.assertTrue(self.said("01", "02", solution=True)[1].startswith("it is right\n"))

    def test_what_names_no_exercise_is_refused(self) -> None:
        for names, options in (
            (["02"], {}),
            (["01", "03"], {}),
            (["01", "01", "02"], {}),
            (["01"], {"hint": True}),
            ([], {"solution": True}),
        ):
            with self.assertRaises((Stop, Mistake), msg=f"{names} {options}"):
                self.said(*names, **options)


class ExerciseFiles(unittest.TestCase):
    def test_each_says_what_to_do_and_has_three_hints(self) -> None:
        for each in run_exercises.find([]):
            self.assertGreater(len(each.task()), 10, each.name)
            self.assertGreaterEqual(len(each.hints()), 3, each.name)

    def test_a_prediction_is_typed_in_and_compared_with_what_is_counted(self) -> None:
        predictions = [each for each in run_exercises.find([]) if each.task().startswith("Predict ")]
        self.assertGreaterEqual(len(predictions), 5)
        for each in predictions:
            stub, check = each.stub.read_text(), (each.folder / "check.cpp").read_text()
            typed = re.findall(r"\bint(?:64_t)? const (\w+)(?:\[\d*\])? = [^;]+;", stub)
            compared = re.findall(r"predicted\([^;]*?, (\w+)", check)
            self.assertTrue(compared, each.name)
            self.assertLessEqual(set(compared), set(typed), each.name)
            self.assertIn("launch(", check, each.name)  # the numbers are the virtual GPU's, not the author's


class Museum(TreeTest):
    """The museum in a small tree, with a mutant that only pretends to be built."""

    def setUp(self) -> None:
        super().setUp()
        self.write("chapters/01_a/kernel.hpp", "  a();\n  sync();  // all\n  b();\n")
        mutant = 'tilestep_mutant(01_bug IN 01_bugs OF 01_a REPLACE "sync();" WITH "if (!BUG) sync();")\n'
        self.write("tests/chapters/01_a/CMakeLists.txt", mutant)
        self.page("01_bug | --m 1 | race: ")
        for module, name, value in (
            (museum, "PAGE", self.root / "docs/museum.md"),
            (museum, "ROOT", self.root),
            (museum.packages, "ensure", lambda verb: None),
            (museum.trees, "binaries", lambda backend: self.root / "bin"),
            (museum.trees, "build", lambda backend, tests, targets: None),
        ):
            patch = mock.patch.object(module, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.program("bin/tests/mutants/01_bug", 'echo "with $2"; echo "one_kernel: race: kernel K on sA"; exit 4')

    def page(self, argument: str) -> None:
        text = f"# M\n\n## Barriers\n\n### no-barrier\n\n<!-- exhibit: {argument} -->\n<!-- /exhibit -->\n\nOne. Two.\n"
        self.write("docs/museum.md", text)

    def visit(self, name: str) -> tuple[int, str]:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = museum.visit(name)
        return code, said.getvalue()

    def test_it_lists_its_exhibits_and_shows_one(self) -> None:
        self.assertRegex(self.visit("")[1], r"no-barrier +01_a +One\.\n")
        code, said = self.visit("no-barrier")
        self.assertEqual(code, 0)
        self.assertIn("-sync();  // all\n+if (!BUG) sync();  // all\n", said)
        self.assertIn("with 1\none_kernel: race: kernel K on sA", said)
        self.assertIn("One. Two.", said)
        with self.assertRaises(Stop):
            self.visit("no-such")

    def test_the_page_shows_the_change_and_the_report(self) -> None:
        page = museum.pages()[self.root / "docs/museum.md"].decode()
        self.assertIn("`chapters/01_a/kernel.hpp`:\n\n```diff\n-sync();  // all\n+if (!BUG) sync();  // all\n```", page)
        self.assertIn("$ ./tutorial museum no-barrier\n...\nrace: kernel K on sA\n", page)

    def test_a_bug_that_is_not_found_or_not_there_fails(self) -> None:
        self.program("bin/tests/mutants/01_bug", "echo verdict: right")
        self.assertEqual(self.visit("no-barrier")[0], 1)
        with self.assertRaises(Mistake):
            museum.pages()
        self.page("01_other | --m 1 | race: ")
        with self.assertRaises(Mistake):
            self.visit("no-barrier")


class Mutation(TreeTest):
    KERNEL = """#pragma once
struct K {
  static constexpr int stages = 3;
  TS_DEVICE void operator()(Shared& m, Params const& p) const {
    clear(rC);  // sync();
    if (tile > 0 && leader) ring.release(stage - tile);
    else sync_threads();
    auto const last = min(first, p.end);
  }
};
"""

    def setUp(self) -> None:
        super().setUp()
        self.write("chapters/01_a/kernel.hpp", self.KERNEL)
        patch = mock.patch.object(mutate, "ROOT", self.root)
        patch.start()
        self.addCleanup(patch.stop)
        self.changes = mutate.without_overlaps(mutate.changes_of(Path("chapters/01_a/kernel.hpp")))

    def test_statements_conditions_and_numbers_are_changed_and_constants_are_not(self) -> None:
        self.assertEqual(
            [(each.line, each.what) for each in self.changes],
            [
                (5, "without clear()"),
                (6, "if (not ..)"),
                (6, "> as >="),
                (6, "left of && is true"),
                (6, "0 as 1"),
                (6, "without ring.release()"),
                (6, "without - tile"),
                (7, "without sync_threads()"),
                (8, "min as max"),
                (8, "first as 0"),
            ],
        )

    def test_without_a_chosen_change_the_code_is_what_it_was(self) -> None:
        text = mutate.applied(self.KERNEL, list(enumerate(self.changes, 1)))
        for number in range(1, len(self.changes) + 1):
            self.assertEqual(text.count(f"tilestep_has_bug({number})"), 1, text)
        plain = text
        for found in (
            r"\{ if \(!::tilestep_has_bug\(\d+\)\) \{ ([^{}]*) \} \}",
            r"\(::tilestep_has_bug\(\d+\) \? \w+ : (\w+)\)",
        ):
            plain = re.sub(found, r"\1", plain)
        plain = re.sub(r"\(::tilestep_has_bug\(4\) \|\| \((tile > 0)\)\)", r"\1", plain)
        plain = re.sub(r"\(::tilestep_has_bug\(3\) \? \(tile >= 0\) : \((tile > 0)\)\)", r"\1", plain)
        plain = re.sub(r"::tilestep_has_bug\(2\) != bool\((.*?)\)\) ring", r"\1) ring", plain)
        plain = re.sub(r"\(::tilestep_has_bug\(9\) \? max\(first, p.end\) : (min\(first, p.end\))\)", r"\1", plain)
        self.assertEqual(plain, self.KERNEL)

    def changes_in(self, statements: str) -> list[tuple[str, str]]:
        """What is changed in a function's body, and the body with that change."""
        text = f"void f() {{\n{statements}\n}}\n"
        self.write("chapters/01_a/kernel.hpp", text)
        changes = mutate.without_overlaps(mutate.changes_of(Path("chapters/01_a/kernel.hpp")))
        bodies = [mutate.applied(text, [(1, each)]).split("\n")[1] for each in changes]
        return [(each.what, body.replace("::tilestep_has_bug(1)", "BUG")) for each, body in zip(changes, bodies)]

    def test_behind_if_constexpr_the_statement_is_changed_and_the_condition_is_not(self) -> None:
        line = "if constexpr (cluster > 1 && f(stages)) sync_cluster(); else if constexpr (copies == 2) wait(k + at);"
        self.assertEqual(
            self.changes_in(line),
            [
                ("without sync_cluster()", line.replace("sync_cluster();", "{ if (!BUG) { sync_cluster(); } }")),
                ("without wait()", line.replace("wait(k + at);", "{ if (!BUG) { wait(k + at); } }")),
                ("without + at", line.replace("+ at", "+ (BUG ? 0 : at)")),
            ],
        )
        self.assertEqual(
            [what for what, _ in self.changes_in("if constexpr (a == 1 &&\n              b == 1) go(min(c, 0));")],
            ["without go()", "min as max", "c as 0", "0 as 1"],
        )

    def test_what_is_compared_keeps_the_scope_of_its_name(self) -> None:
        self.assertEqual(
            [each for each in self.changes_in("go(std::size(b) < C::n ? way == Way::all : c);") if each[0][0] in "<="],
            [
                ("< as <=", "go((BUG ? (std::size(b) <= C::n) : (std::size(b) < C::n)) ? way == Way::all : c);"),
                ("== as !=", "go(std::size(b) < C::n ? (BUG ? (way != Way::all) : (way == Way::all)) : c);"),
            ],
        )

    def test_the_smaller_of_two_numbers_becomes_the_larger(self) -> None:
        self.assertEqual(
            self.changes_in("x = std::min(a + 1, max(b, c.d));"),
            [
                ("without x =", "{ if (!BUG) { x = std::min(a + 1, max(b, c.d)); } }"),
                ("min as max", "x = (BUG ? std::max(a + 1, max(b, c.d)) : std::min(a + 1, max(b, c.d)));"),
                ("1 as 0", "x = std::min(a + (BUG ? 0 : 1), max(b, c.d));"),
                ("max as min", "x = std::min(a + 1, (BUG ? min(b, c.d) : max(b, c.d)));"),
                ("b as 0", "x = std::min(a + 1, max((BUG ? 0 : b), c.d));"),
            ],
        )

    def test_strides_extents_and_the_terms_of_an_offset_are_changed(self) -> None:
        self.assertEqual(
            self.changes_in("auto const a = x + (m * p.a_m + l * p.a_l) / BlkN{};"),
            [
                ("without * p.a_m", "auto const a = x + (m * (BUG ? 1 : p.a_m) + l * p.a_l) / BlkN{};"),
                ("without + l * p.a_l", "auto const a = x + (m * p.a_m + (BUG ? 0 : l * p.a_l)) / BlkN{};"),
                ("without * p.a_l", "auto const a = x + (m * p.a_m + l * (BUG ? 1 : p.a_l)) / BlkN{};"),
                ("without / BlkN{}", "auto const a = x + (m * p.a_m + l * p.a_l) / (BUG ? 1 : BlkN{});"),
            ],
        )
        self.assertEqual(
            self.changes_in("auto const m = e % p.M;"),
            [("without % p.M", "auto const m = e % (BUG ? 1 << 30 : p.M);")],
        )

    def test_assignments_and_steps_are_left_out_and_declarations_are_not(self) -> None:
        self.assertEqual(
            self.changes_in("int x = y; c[i] = x; phase ^= z; ++a.b; for (; a; ++x);"),
            [
                ("without c[i] =", "int x = y; { if (!BUG) { c[i] = x; } } phase ^= z; ++a.b; for (; a; ++x);"),
                ("without phase ^=", "int x = y; c[i] = x; { if (!BUG) { phase ^= z; } } ++a.b; for (; a; ++x);"),
                ("without ++a.b", "int x = y; c[i] = x; phase ^= z; { if (!BUG) { ++a.b; } } for (; a; ++x);"),
            ],
        )

    def test_predicates_are_true_and_the_indices_of_a_call_zero(self) -> None:
        everything = "transform_leaf(mA.shape(), [&](auto const& e) { return BUG ? decltype(e + 0)(1 << 30) : e + 0; })"
        self.assertEqual(
            self.changes_in("auto const [l, m] = w(within(c(_, k), mA.shape()), elem_less(a(), b()), rC);"),
            [
                ("k as 0", "auto const [l, m] = w(within(c(_, (BUG ? 0 : k)), mA.shape()), elem_less(a(), b()), rC);"),
                ("within() is true", f"auto const [l, m] = w(within(c(_, k), {everything}), elem_less(a(), b()), rC);"),
                (
                    "elem_less() is true",
                    "auto const [l, m] = w(within(c(_, k), mA.shape()), (BUG || elem_less(a(), b())), rC);",
                ),
            ],
        )

    def test_of_what_does_not_compile_one_change_for_each_error_is_left_out(self) -> None:
        self.write("chapters/01_a/kernel.hpp", "void f() {\n  send(tile, k);\n  wait(n);\n}\n")
        changes = mutate.without_overlaps(mutate.changes_of(Path("chapters/01_a/kernel.hpp")))
        self.assertEqual(
            [each.what for each in changes], ["without send()", "tile as 0", "k as 0", "without wait()", "n as 0"]
        )
        chapter = mutate.Chapter("01_a", "", "", [], self.root / "chapters/01_a", kernels=["f16"])
        program = mutate.Program(chapter, self.root / "build/01_a", changes)
        mutate.write(program)
        source = program.folder / "source/kernel.hpp"
        lines = source.read_text().splitlines()

        def at(number: int) -> str:
            return f"{source}:{next(i for i, each in enumerate(lines, 1) if f'has_bug({number})' in each)}:3: "

        library = "/src/common/include/tilestep/tensor.hpp:12:5: "
        for errors, left_out in (
            (f"{at(2)}error: incompatible operand types\n", {2}),
            (f"{at(1)}error: no matching function\n{at(3)}note: in instantiation\n", {3}),
            (f"{library}error: static assertion failed\n{at(4)}note: requested here\n", {4}),
            (f"{at(2)}error: types\n{at(1)}note: here\n{library}error: types\n{at(5)}note: here\n", {2, 5}),
            (f"{source}:1:1: error: the line in front of a change\n", {1}),
            (f"{library}error: of something else\n", set()),
        ):
            with self.subTest(errors):
                self.assertEqual(mutate.not_compiling(program, errors), left_out)

    def row(self, number: int = 0, **changed: str) -> dict[str, str]:
        path, line, what, which = mutate.keys_of(self.changes)[number]
        row = dict(zip(mutate.COLUMNS, ["01_a", path, line, what, str(which), "--m 1: race", ""]))
        return {**row, **{name.replace("_", " "): value for name, value in changed.items()}}

    def test_a_list_of_what_the_sources_hold_is_right(self) -> None:
        rows = [self.row(0), self.row(1, stopped_by="", equivalent_because="both clear it")]
        self.assertEqual(check_mutants.violations(rows, 2, 0), [])

    def test_a_list_is_refused_where_a_mutant_is_gone_twice_there_unexplained_or_too_few_are(self) -> None:
        for rows, said in (
            ([self.row(0), self.row(1)], "has 2 mutants, wants 3"),
            ([self.row(line="clear(rD);"), self.row(1), self.row(2)], "is no longer in the sources"),
            ([self.row(file="chapters/01_a/gone.hpp"), self.row(1), self.row(2)], "is no longer in the sources"),
            ([self.row(which="2"), self.row(1), self.row(2)], "is no longer in the sources"),
            ([self.row(), self.row(), self.row(2)], "stands there twice"),
            ([self.row(equivalent_because="both"), self.row(1), self.row(2)], "is stopped, and said to be equivalent"),
        ):
            with self.subTest(said):
                found = check_mutants.violations(rows, 3, 0)
                self.assertEqual(len(found), 1, found)
                self.assertIn(said, found[0])

    def test_what_is_returned_is_changed_and_the_word_return_is_not(self) -> None:
        self.write("chapters/01_a/kernel.hpp", "bool f() {\n  return less(rA, rC) && less(rC, rB);\n}\n")
        text = (self.root / "chapters/01_a/kernel.hpp").read_text()
        changes = mutate.changes_of(Path("chapters/01_a/kernel.hpp"))
        self.assertEqual([each.what for each in changes], ["left of && is true"])
        changed = mutate.applied(text, [(1, changes[0])])
        self.assertIn("return (::tilestep_has_bug(1) || (less(rA, rC))) && less", changed)

    def test_what_stands_behind_a_comparison_is_no_left_side_of_an_and(self) -> None:
        source = "bool f(int i) {\n  return i >= turn<T> && i == last && g(i) && h();\n}\n"
        self.write("chapters/01_a/kernel.hpp", source)
        changes = mutate.changes_of(Path("chapters/01_a/kernel.hpp"))
        [left] = [each for each in changes if each.what == "left of && is true"]
        self.assertIn("(::tilestep_has_bug(1) || ( g(i))) && h()", mutate.applied(source, [(1, left)]))

    def test_a_library_mutant_that_one_chapter_stops_is_no_survivor_of_another(self) -> None:
        rows = [self.row(stopped_by="", equivalent_because="both"), self.row(), self.row(1, stopped_by="")]
        merged = mutate.merged([*rows, {**self.row(1, stopped_by=""), "chapter": "02_b"}])
        self.assertEqual([row["stopped by"] for row in merged], ["--m 1: race", ""])
        self.assertEqual([row["chapter"] for row in merged], ["01_a", "01_a"])
        self.assertEqual(merged[0]["equivalent because"], "")

    def a_break(self, **changed: str) -> dict[str, str]:
        """A break of a promise, of a file of this tree."""
        self.write(
            "tests/features.md",
            "# F\n\nA1, D6.\n\n## All\n\n**A1** One.\n\n- a.cpp: it\n  works\n\n**D6** Two.\n\n- b.py: test_b\n",
        )
        values = ["A1", "chapters/01_a/kernel.hpp", "clear(rC);", "", "a.cpp: it works", "", "x"]
        row = dict(zip(breaks.COLUMNS, values))
        return {**row, **{name.replace("_", " "): value for name, value in changed.items()}}

    def test_a_list_of_breaks_is_compared_with_the_sources_and_with_what_features_promise(self) -> None:
        for rows, said in (
            ([self.a_break()], ""),
            ([], "A1: has no break"),
            ([self.a_break(), self.a_break()], "stands there twice"),
            ([self.a_break(old="clear(rD);")], "is there 0 times"),
            ([self.a_break(old="tile")], "is there 2 times"),
            ([self.a_break(new="clear(rC);")], "changes nothing"),
            ([self.a_break(file="chapters/01_a/gone.hpp")], "is there 0 times"),
            ([self.a_break(test="a.cpp: it fails")], "is no test of A1"),
            ([self.a_break(), self.a_break(row="D6", new="x", test="b.py: test_b")], "D6: has a break, and is said"),
        ):
            with self.subTest(said):
                found = breaks.violations(rows, 0, 0, self.root, ["chapters/"] if rows else [])
                self.assertEqual(len(found), 1 if said else 0, found)
                self.assertIn(said, "".join(found))
        self.assertEqual(len(breaks.violations([self.a_break()], 2, 0, self.root, [])), 1)
        self.assertEqual(len(breaks.violations([self.a_break()], 1, 0, self.root, ["common/src/"])), 1)
        unmade = [self.a_break(stopped_by="")]
        self.assertEqual(breaks.violations(unmade, 1, 1, self.root, []), [])
        self.assertIn("1 breaks are not stopped, 0 are known", breaks.violations(unmade, 1, 0, self.root, [])[0])

    def test_a_break_is_compiled_with_its_test_alone_line_by_line_where_it_was(self) -> None:
        one, two = 'TEST_CASE("it "\n          "works", "[a]") {\n  f();\n}\n', 'TEST_CASE("it", "[a]") { g(); }\n'
        template = 'TEMPLATE_TEST_CASE("it of", "[a]", T) {\n  if (x) {\n  }\n}\n'
        source = f"int f();\n{one}int g();\n{template}{two}"
        self.assertEqual(breaks.alone(source, "it works"), f"int f();\n{one}int g();\n\n\n\n\n\n")
        self.assertEqual(breaks.alone(source, "it of"), f"int f();\n\n\n\n\nint g();\n{template}\n")
        self.assertEqual(breaks.alone(source, "it"), f"int f();\n\n\n\n\nint g();\n\n\n\n\n{two}")

    def test_what_stops_a_break_is_an_assertion_of_its_test_or_a_static_assert_there(self) -> None:
        fails = "\n\na.cpp:3: FAILED:\n  CHECK( x == 1 )\nwith expansion:"
        passes = self.program("right", "echo 'All tests passed (1 assertion)'")
        self.assertEqual(breaks.run(passes, "it works"), "")
        for script, said in (
            (f"printf '{fails}\n  2 == 1\n\n'; exit 42", "CHECK( x == 1 ) 2 == 1"),
            ("echo 'No tests ran'", "does not run: No tests ran"),
            ("exit 139", "does not run: 139"),
        ):
            self.assertEqual(breaks.run(self.program("wrong", script), "it works"), said)
        with mock.patch.object(breaks, "SECONDS", 0.2):
            self.assertEqual(breaks.run(self.program("long", "exec sleep 9"), "it works"), "hangs")
        cases = 'TEST_CASE("it "\n          "works", "[a]") {\n  STATIC_REQUIRE(x);\n}\nTEST_CASE("b") {\n}\n'
        self.write("tests/a.cpp", cases)
        with mock.patch.object(breaks, "ROOT", self.root):
            error = "/copy/tests/a.cpp:%d:3: error: static assertion failed due to x\n"
            self.assertEqual(breaks.what_compiler_says(self.a_break(), error % 3), "STATIC_REQUIRE(x);")
            for said in (
                error % 6,
                "/copy/a.hpp:3:3: error: static assertion failed\n",
                "/copy/tests/a.cpp:3:3: error: no x\n",
            ):
                with self.assertRaises(breaks.Broken):
                    breaks.what_compiler_says(self.a_break(), said)

    def test_tests_that_fail_without_a_bug_stop_no_mutant(self) -> None:
        program = mutate.Program(chapters(self.root)[0], self.root, [])
        mutate.require_right(program, None)
        mutate.require_right(program, self.program("right", 'exit "$TILESTEP_PLANTED"'))
        with self.assertRaisesRegex(SystemExit, "01_a: its tests fail without a bug:\nno program"):
            mutate.require_right(program, self.program("wrong", "echo no program; exit 42"))

    def test_tests_that_do_not_end_in_time_leave_a_mutant_undecided(self) -> None:
        program = mutate.Program(chapters(self.root)[0], self.root, [])
        with mock.patch.object(mutate, "TEST_SECONDS", 0.5):
            with self.assertRaises(mutate.Undecided):
                mutate.stopped_by(program, 1, {}, self.program("slow", "exec sleep 20"))
        self.assertEqual(mutate.stopped_by(program, 1, {}, self.program("right", "exit 0")), "")
        self.assertEqual(mutate.stopped_by(program, 1, {}, self.program("wrong", "exit 42")), "test: exit code 42")

    def written(self, **changed: str) -> dict[str, str]:
        """A bug that somebody wrote down, of a file of this tree."""
        self.write("chapters/01_a/kernel.hpp", "void f() {\n  clear(rC);  // sums\n  if (less(m, M)) stop();\n}\n")
        row = dict.fromkeys(mutate.PLANTED_COLUMNS, "")
        row |= {"file": "chapters/01_a/kernel.hpp", "old": "less(m, M)", "new": "less(n, M)", "stopped by": "--m 1"}
        return {**row, **{name.replace("_", " "): value for name, value in changed.items()}}

    def test_a_bug_that_is_written_down_takes_the_place_of_an_expression_or_a_statement(self) -> None:
        change = mutate.planted(self.written(), self.root)
        text = (self.root / change.path).read_text()
        self.assertEqual((change.line, text[change.first : change.last]), (3, "less(m, M)"))
        self.assertEqual(change.text, "(MUT ? (less(n, M)) : (less(m, M)))")
        change = mutate.planted(self.written(old="clear(rC);  // sums", new="clear(rA);"), self.root)
        self.assertEqual(change.text, "{ if (MUT) { clear(rA); } else { clear(rC);  // sums\n} }")

    def test_a_list_of_written_bugs_is_refused_where_one_is_gone_the_same_twice_there_or_unexplained(self) -> None:
        good = self.written()
        other = self.written(new="less(m, N)", stopped_by="", equivalent_because="M is N")
        self.assertEqual(check_mutants.planted_violations([good, other], 2, self.root), [])
        for rows, said in (
            ([good], "has 1 bugs, wants 2"),
            ([good, self.written(old="less(k, K)")], "is there 0 times, wants once"),
            ([good, self.written(old="e")], "times, wants once"),
            ([good, self.written(file="chapters/01_a/gone.hpp")], "gone.hpp"),
            ([good, self.written(new="less(m, M)")], "changes nothing"),
            ([good, good], "stands there twice"),
            ([good, {**other, "equivalent because": ""}], "is neither stopped nor explained"),
            ([good, {**other, "stopped by": "--m 1"}], "is neither stopped nor explained, or both"),
        ):
            with self.subTest(said):
                found = check_mutants.planted_violations(rows, 2, self.root)
                self.assertEqual(len(found), 1, found)
                self.assertIn(said, found[0])

    def test_a_bug_that_is_stopped_by_a_problem_or_a_test_that_is_not_there_is_found(self) -> None:
        cases = 'TEST_CASE("a tile is\n"\n          " whole", "[a]") {}\nTEST_CASE("it") {}\n'
        self.write("tests/a/test_a.cpp", cases + 'TEMPLATE_TEST_CASE("all types", "[a]", int, char) {}\n')
        problem = next(iter(mutate.problems(chapters(self.root)[0], self.root)))
        stops = check_mutants.Stops.of(self.root)
        good = [f"{problem}: race", "test: it", "test: a tile is whole", "test: all types - int", ""]
        self.assertEqual(stops.violations([self.row(stopped_by=by) for by in good]), [])
        for by in (f"{problem} --beta 2: race", problem, "test: it is", "test: ", "race"):
            with self.subTest(by):
                [said] = stops.violations([self.row(stopped_by=by)])
                self.assertIn(f"is no problem of 01_a and no test: '{by}'", said)
        self.assertEqual(len(stops.violations([{**self.row(), "chapter": "02_b", "stopped by": good[0]}])), 1)

    def test_a_survivor_that_nobody_explains_is_counted(self) -> None:
        rows = [self.row(stopped_by=""), self.row(1)]
        self.assertEqual(check_mutants.violations(rows, 2, 1), [])
        for known in (0, 2):
            self.assertIn(f"1 mutants survive unexplained, {known} are", check_mutants.violations(rows, 2, known)[0])

    def test_a_test_program_stands_for_a_chapter_with_its_cases_as_problems(self) -> None:
        listing = "<MatchingTests><TestCase><Name>a tile, [whole] or not</Name></TestCase></MatchingTests>"
        with tempfile.TemporaryDirectory() as name:
            program = Path(name) / "bin/tests/test_it"
            program.parent.mkdir(parents=True)
            program.write_text(f"#!/bin/sh\necho '{listing}'\n")
            program.chmod(0o755)
            chapter = mutate.chosen("test_it")
            self.assertEqual(mutate.problems(chapter, Path(name)), ["'a tile\\, \\[whole] or not'"])
        self.assertEqual(mutate.Program(chapter, Path("/w"), []).path, Path("/w/bin/tests/test_it"))
        self.assertEqual(mutate.Program(mutate.chosen("07"), Path("/w"), []).path, Path("/w/bin/07_k_loop"))

    def test_the_argument_of_sizeof_is_not_changed(self) -> None:
        self.write("chapters/01_a/size.hpp", "void f() {\n  g(numbers, sizeof(numbers));\n}\n")
        changes = mutate.changes_of(Path("chapters/01_a/size.hpp"))
        self.assertEqual([each.what for each in changes], ["without g()", "numbers as 0"])

    def test_a_chapter_of_several_processes_has_its_sources_changed_and_mpirun_starts_it(self) -> None:
        for name in ("send.cpp", "program.cpp"):
            self.write(f"chapters/01_a/{name}", "void f() {\n  send(1);\n}\n")
        folder, targets = self.root / "chapters/01_a", ["x", "y"]
        chapter = mutate.Chapter("01_a", "", "", ["--m 1"], folder, targets=targets, processes=4)
        kernel, sends = Path("chapters/01_a/kernel.hpp"), Path("chapters/01_a/send.cpp")
        self.assertEqual(mutate.headers_of(chapter, self.root), [kernel, sends])
        changes = mutate.changes_of(kernel) + mutate.changes_of(sends)
        program = mutate.Program(chapter, self.root / "build/01_a", changes)
        mutate.write(program)
        for path in (kernel, sends):
            text = (program.folder / "source" / path.name).read_text()
            self.assertTrue(text.removeprefix("#pragma once\n").startswith("#include <planted.hpp>\n"), text)
            self.assertEqual("#pragma once" in text, path == kernel)
        self.assertEqual(mutate.problems(chapter, self.root)[0], "--m 1 --target x")
        self.assertNotIn("--m 1 --target y", mutate.problems(chapter, self.root))
        for options, ranks in ((["--m", "1"], "4"), (["-np", "2", "--m", "1"], "2")):
            words = mutate.command(program, options, 7)
            self.assertEqual(words[0], "timeout")
            self.assertEqual(words[-5:], ["-np", ranks, str(program.path), "--m", "1"])
        alone = mutate.Program(dataclasses.replace(chapter, processes=1), program.folder, [])
        self.assertEqual(mutate.command(alone, ["--m", "1"], 7), [str(program.path), "--m", "1"])

    def test_an_edit_elsewhere_leaves_the_names_of_mutants_alone(self) -> None:
        before = mutate.keys_of(self.changes)
        self.write("chapters/01_a/kernel.hpp", "// A line more.\n" + self.KERNEL.replace("// sync();", "// clears"))
        changes = mutate.without_overlaps(mutate.changes_of(Path("chapters/01_a/kernel.hpp")))
        self.assertEqual(mutate.keys_of(changes), before)
        self.assertNotEqual([each.line for each in changes], [each.line for each in self.changes])


class Chosen(TreeTest):
    """The problems of problems.csv, run on a program that says of each what its options say."""

    PROGRAM = """
while read -r line; do
  echo "$ 01_a $line"
  case "$line" in
    *crash*) exit 139 ;;
    *wrong*) echo 'verdict: WRONG'; echo '[exit code 1]' ;;
    *refused*) echo '[exit code 2]' ;;
    *absent*) echo '[exit code 3]' ;;
    *silent*) ;;
    *) echo 'verdict: right' ;;
  esac
done < "$2"
"""

    def judged(self, own: list[str], shared: list[str]) -> list[str]:
        """What is wrong with these rows; a row's problems are on two targets."""
        self.program("build/bin/01_a", self.PROGRAM)
        chapter = dataclasses.replace(chapters(self.root)[0], runs=["--m 1"])
        rows = [{each: [f"{each} 1", f"{each} 2"] for each in options} for options in (own, shared)]
        listed = [problem for row in rows for problems in row.values() for problem in problems]
        return chosen.violations(*rows, chosen.run_all(chapter, listed, self.root / "build"))

    def test_right_ones_pass_and_so_does_what_a_chapter_or_a_target_does_not_have(self) -> None:
        self.assertEqual(self.judged(["--m 1", "--m 2"], ["--m 3", "--m refused", "--m absent"]), [])
        chapter, ran = chapters(self.root)[0], {"--m 1 x": (0, "verdict: right"), "--m 1 y": (3, "")}
        self.assertEqual(chosen.violations({"--m 1": list(ran)}, {}, ran), [])
        self.assertFalse(chosen.by_each(dataclasses.replace(chapter, runs=["--rows 1"])))

    def test_wrong_ones_crashes_refusals_and_silence_are_found(self) -> None:
        for own, said in (
            (["--m wrong"], "--m wrong 1: ends with 1, wants 0 and"),
            (["--m 1", "--m crash", "--m 2"], "--m crash 1: ends with 139"),
            (["--m 1", "--m crash"], "--m crash 2: ends with -1"),
            (["--m refused"], "--m refused 1: ends with 2"),
            (["--m absent"], "--m absent: every target refuses it"),
            (["--tile refused"], "--tile refused: every target refuses it"),
            (["--m silent"], "--m silent 2: ends with 0, wants 0 and 'verdict: right'"),
        ):
            with self.subTest(said):
                self.assertIn(said, "\n".join(self.judged(own, ["--m 3"])))
        self.assertEqual(self.judged([], ["--m refused"]), ["not one problem is right"])
        self.assertIn("--m wrong 2: ends with 1", "\n".join(self.judged([], ["--m wrong"])))


class PlantedInParsers(unittest.TestCase):
    def test_each_is_still_in_its_parser_once_and_names_a_file_of_the_corpus(self) -> None:
        with (ROOT / "tests/fuzz/planted.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertGreaterEqual(len(rows), 5)
        for row in rows:
            with self.subTest(row["breaks"]):
                self.assertEqual((ROOT / row["file"]).read_text().count(row["old"]), 1)
                seed = row["found by"].split(";")[0]
                self.assertTrue(seed.startswith(f"corpus/{row['parser']}/"))
                self.assertTrue((ROOT / "tests/fuzz" / seed).is_file())


class RunTable(unittest.TestCase):
    def outcome(self, code: int, chapter: str = "01_a", record: bool = True) -> run_chapters.Outcome:
        fields = {"max_error": 1e-7, "bound": 2e-7, "hazards": 0} if record else {}
        return run_chapters.Outcome(chapter, "sm80", "", fields, code, "")

    def test_the_worst_exit_code_wins(self) -> None:
        for codes, worst in (
            ([0, 0], 0),
            ([0, 1], 1),
            ([1, 4], 4),
            ([2, 1], 1),
            ([0, 3], 0),
            ([3, 3], 3),
            ([0, -11], 1),
        ):
            self.assertEqual(run_chapters.report([self.outcome(code) for code in codes], []), worst, codes)

    def test_a_chapter_that_is_right_nowhere_is_not_right(self) -> None:
        self.assertEqual(run_chapters.report([self.outcome(0), self.outcome(3, "02_b")], []), 3)

    def test_exit_code_0_without_a_record_is_not_right(self) -> None:
        self.assertEqual(run_chapters.report([self.outcome(0, record=False)], []), 1)


class RunTargets(TreeTest):
    def test_a_chapter_runs_on_the_targets_that_it_names(self) -> None:
        record = json.dumps({"max_error": 0, "bound": 0, "hazards": 0})
        self.program("bin/01_a", f"echo $@ >>{self.root}/said\nfor last; do :; done\necho '{record}' >$last")
        for own, wanted in (("", run_chapters.TARGETS), (" TARGETS sm90 gfx950", ["sm90", "gfx950"])):
            self.write("chapters/01_a/CMakeLists.txt", f'add_chapter(01_a ADDS "x" RUNS "--m 1"{own})\n')
            (self.root / "said").unlink(missing_ok=True)
            outcomes = run_chapters.run_all(
                run_chapters.runs_of(chapters(self.root)[:1], "host", "", whole=True), "host", self.root / "bin"
            )
            self.assertEqual([outcome.target for outcome in outcomes], wanted)
            self.assertEqual(
                [line.split(" --json")[0] for line in (self.root / "said").read_text().splitlines()],
                [f"--target {t} --m 1" for t in wanted],
            )

    def test_problems_run_at_a_time_and_keep_their_order(self) -> None:
        """Each waits for the other one, and the first ends last."""
        record = json.dumps({"max_error": 0, "bound": 0, "hazards": 0})
        self.program(
            "bin/01_a",
            f"touch {self.root}/began$4; i=0; for last; do :; done\n"
            f"while [ ! -e {self.root}/began$((3 - $4)) ]; do i=$((i + 1)); [ $i = 100 ] && exit 1; sleep 0.1; done\n"
            f"[ $4 = 1 ] && sleep 0.5\necho '{record}' >$last",
        )
        runs = run_chapters.runs_of(chapters(self.root)[:1], "host", "sm80", whole=True)
        with mock.patch.object(run_chapters.machine, "cores", lambda: 2):
            outcomes = run_chapters.run_all(runs, "host", self.root / "bin")
        self.assertEqual([(o.problem, o.code) for o in outcomes], [("--m 1", 0), ("--m 2", 0)])

    def test_a_gpu_has_one_problem_after_the_other(self) -> None:
        self.program("bin/01_a", f"mkdir {self.root}/busy || exit 1; sleep 0.2; rmdir {self.root}/busy")
        runs = run_chapters.runs_of(chapters(self.root)[:1], "cuda", "", whole=True)
        with mock.patch.object(run_chapters.machine, "cores", lambda: 2):
            outcomes = run_chapters.run_all(runs, "cuda", self.root / "bin")
        self.assertEqual([outcome.code for outcome in outcomes], [0, 0])

    def test_a_signal_ends_the_problems_that_run_and_starts_no_other(self) -> None:
        script = (
            f"trap 'echo ended >>{self.root}/ended; exit' TERM; echo began >>{self.root}/began\n"
            "for i in $(seq 200); do sleep 0.1; done"
        )
        self.program("bin/01_a", script)
        program = (
            "import sys, console, run_chapters\n"
            "from pathlib import Path\n"
            "from repository import chapters\n"
            "root = Path(sys.argv[1])\n"
            "run_chapters.machine.cores = lambda: 2\n"
            "runs = run_chapters.runs_of(chapters(root)[:1], 'host', '', whole=True)\n"
            "console.ended('x', lambda: run_chapters.run_all(runs, 'host', root / 'bin') and 0)"
        )
        caller = subprocess.Popen(
            [sys.executable, "-c", program, str(self.root)],
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(ROOT / "docs/tools")},
        )
        began, ended = self.root / "began", self.root / "ended"
        for _ in range(1200):
            if began.exists() and len(began.read_text().splitlines()) == 2:
                break
            time.sleep(0.05)
        caller.terminate()
        self.assertEqual(caller.wait(60), 143)
        self.assertEqual((len(began.read_text().splitlines()), len(ended.read_text().splitlines())), (2, 2))


class TestPrograms(unittest.TestCase):
    def test_catch2_cases_are_counted(self) -> None:
        self.assertEqual(run_tests.count_cases("All tests passed (12 assertions in 3 test cases)"), 3)
        self.assertEqual(run_tests.count_cases("test cases: 4 | 3 passed | 1 failed"), 4)


class Backports(unittest.TestCase):
    WANTED = "Types: deb\nURIs: http://mirror.invalid/debian\nSuites: bookworm-backports\nComponents: main\n"

    def test_come_from_a_deb822_source(self) -> None:
        text = (
            "# a comment\nTypes: deb deb-src\nURIs: http://mirror.invalid/debian\nSuites: bookworm bookworm-updates\n"
            "Components: main contrib\nSigned-By: /usr/share/keyrings/k.gpg\n\n"
            "Types: deb\nURIs: http://security.invalid\nSuites: bookworm-security\nComponents: main\n"
        )
        self.assertEqual(
            packages.backports_source(packages.deb822_sources(text), "bookworm"),
            self.WANTED + "Signed-By: /usr/share/keyrings/k.gpg\n",
        )

    def test_keep_a_key_that_stands_in_the_source(self) -> None:
        text = self.WANTED.replace("-backports", "") + "Signed-By:\n -----BEGIN\n .\n abc\n"
        self.assertTrue(
            packages.backports_source(packages.deb822_sources(text), "bookworm").endswith(
                "Signed-By: \n -----BEGIN\n .\n abc\n"
            )
        )

    def test_come_from_a_one_line_source(self) -> None:
        lines = [
            "# deb http://no.invalid bookworm main",
            "deb cdrom:[x]/ bookworm main",
            "deb-src http://mirror.invalid/debian bookworm main",
            "deb [arch=amd64,i386 signed-by=/k.gpg] http://mirror.invalid/debian bookworm main non-free # note",
        ]
        sources = [fields for line in lines if (fields := packages.one_line_source(line))]
        self.assertEqual(
            packages.backports_source(sources, "bookworm"),
            self.WANTED + "Architectures: amd64 i386\nSigned-By: /k.gpg\n",
        )

    def test_disabled_and_foreign_sources_give_none(self) -> None:
        text = self.WANTED.replace("-backports", "")
        for sources, release in (
            (packages.deb822_sources(text + "Enabled: no\n"), "bookworm"),
            (packages.deb822_sources(text), "trixie"),
            (packages.deb822_sources(text), ""),
        ):
            with self.assertRaises(Stop):
                packages.backports_source(sources, release)


class Plans(TreeTest):
    """What a planner chooses, target by target."""

    def test_a_row_has_the_tile_and_slices_of_each_target(self) -> None:
        said = '[ "$9" = 16 ] && echo "1 x 8 tiles of 16x64x128, K in 2 slices, row by row" || echo '
        block = "<!-- plans: gfx942 sm80 | --layout nt | 64x64x64 64x16x64 -->\n<!-- /plans -->\n"
        page = self.write("chapters/01_a/README.md", block)
        program = self.write("bin/01_a", f'#!/bin/sh\n{said}"C^T: 1 x 2 tiles of 64x64x64-m2, on copies of A"\n')
        program.chmod(0o755)
        text = (plans.generate(chapters(self.root)[0], program.parent)[page] or b"").decode()
        self.assertIn("| m x n x k | gfx942 | sm80 |\n", text)
        self.assertIn("| 64 x 64 x 64 | C^T: 64x64x64-m2 | C^T: 64x64x64-m2 |\n", text)
        self.assertIn("| 64 x 16 x 64 | 16x64x128, 2 slices | 16x64x128, 2 slices |\n", text)
        self.assertIn("`./tutorial run 01 -- --plan --target gfx942 --layout nt --m 64 --n 64 --k 64`", text)

    def test_a_plan_in_two_parts_has_the_tile_of_both(self) -> None:
        two = "26 x 10 tiles of 128x256x32, row by row, and 4 x 10 tiles of 64x64x64, K in 3 slices, row by row"
        self.assertEqual(plans.short(two), "128x256x32; rest 64x64x64, 3 slices")
        self.assertEqual(limits.tile({"plan": two}), "128x256x32")
        way_back = "C^T: 1 x 2 tiles of 32x64x64, row by row, and C: 1 x 1 tiles of 16x64x64, row by row"
        self.assertEqual(plans.short(way_back), "C^T: 32x64x64; rest C: 16x64x64")
        with self.assertRaisesRegex(Mistake, "no plan"):
            plans.short(two + ", and more")

    def test_what_is_no_plan_and_no_size_is_refused(self) -> None:
        with self.assertRaisesRegex(Mistake, "no plan"):
            plans.short("one tile")
        for argument in ("sm80 | --layout nt", "sm80 | | 64x64", "| | 64x64x64"):
            with self.assertRaisesRegex(Mistake, "wants targets"):
                plans.parse(chapters(self.root)[0], argument)


class Limits(TreeTest):
    """What a profiler saw of each part of a GPU."""

    RUN = {
        "problem": "--dtype f16 --layout nt --m 4096 --n 4096 --k 64 --bias on",
        "plan": "32 x 16 tiles of 128x256x32, K in 2 slices, row by row",
        "tensor_f": 81.6,
        "tensor_i": 0.0,
        "fma": 3.0,
        "issue": 30.4,
        "shared": 50.2,
        "l2": 42.0,
        "l2_hits": 82.7,
        "dram": 17.0,
        "nanoseconds": 289400.0,
        "shared_wavefronts": 1000.0,
        "bank_conflicts": 5.0,
        "stalled_wait": 2.0,
        "stalled_barrier": 0.4,
        "stalled_math_pipe_throttle": 2.6,
        "stalled_selected": 1.0,
        "stalled_drain": 0.1,
    }

    def test_a_row_has_the_busiest_unit_and_the_three_longest_waits(self) -> None:
        page = self.write("chapters/01_a/README.md", "# One\n<!-- limits -->\n<!-- /limits -->\n")
        self.write("chapters/01_a/results/ncu/h.json", json.dumps({"device": "H200", "runs": [self.RUN]}))
        self.assertEqual(generated.settle(limits.generate(chapters(self.root)[0], Path()), check=False), 0)
        row = page.read_text().splitlines()[4]
        self.assertEqual(
            row,
            "| 4096 x 4096 x 64, f16, nt, bias | 128x256x32, 2 slices | 289 us | 82 % | 30 % | 50 % | 0.5% | 42 %, 83 "
            "% | 17 % | unit busy 2.6, fixed latency 2.0, barrier 0.4 |",
        )

    def test_the_kernel_that_copies_operands_has_a_row_of_its_own(self) -> None:
        words = "4096 x 4096 x 64, f16, nt, bias"
        for kernel, wanted in (("HopperGemm<..>", words), ("RepackWords<..>", words + ", its copies")):
            self.assertEqual(limits.problem({**self.RUN, "kernel": kernel}), wanted)

    def test_a_record_of_another_kernel_says_so_with_its_commit_if_it_has_one(self) -> None:
        page = self.write("chapters/01_a/README.md", "# One\n<!-- limits -->\n<!-- /limits -->\n")
        chapter = chapters(self.root)[0]
        now = repository.kernel_hash(chapter.folder / "kernel.hpp")
        unnamed = "H200: an earlier kernel, of a commit that the record does not name."
        for known, wanted in (
            ({}, unnamed),
            ({"commit": "abc", "kernel_sha256": "0"}, "H200: an earlier kernel, of commit `abc`."),
            ({"commit": "abc", "kernel_sha256": now}, ""),
        ):
            record = {"device": "H200", "runs": [self.RUN], **known}
            self.write("chapters/01_a/results/ncu/h.json", json.dumps(record))
            generated.settle(limits.generate(chapter, Path()), check=False)
            said = page.read_text().split("--measure FILE`.")[1]
            self.assertEqual(said.split("The whole table")[0].split("<!--")[0].strip(), wanted)

    def test_a_block_without_a_record_is_refused(self) -> None:
        self.write("chapters/01_a/README.md", "# One\n<!-- limits -->\n<!-- /limits -->\n")
        with self.assertRaisesRegex(Mistake, "there is no record"):
            limits.generate(chapters(self.root)[0], Path())


class LadderRecords(BenchRecords):
    """Two chapters that are GEMMs, and records of 4096 x 4096 x 4096."""

    def setUp(self) -> None:
        super().setUp()
        for name in ("01_a", "02_b"):
            self.write(f"chapters/{name}/main.cpp", "int main() { return gemm_main(); }")
            self.write(f"chapters/{name}/kernel.hpp", KERNEL)

    def large(self, time: float, dtype: str = "f16", **parameters: object) -> dict[str, object]:
        return self.run_of(time=time, **{"m": 4096, "n": 4096, "k": 4096, "dtype": dtype, **parameters})

    def rows(self, *runs: dict[str, object]) -> list[str]:
        generated.settle(self.kept(*runs), check=False)
        return ladder.table(ladder.ladder(self.root, "Abacus")).splitlines()[2:]


class CuteUnitTests(TreeTest):
    """The script that compiles CuTe's own unit tests, with a checkout and a compiler that only pretend."""

    COMPILER = """
import pathlib, sys
folder = next(word[2:] for word in sys.argv if word.startswith("-I"))
source = next(word for word in sys.argv if word.endswith(".cpp"))
made = pathlib.Path(sys.argv[sys.argv.index("-o") + 1])
for name in ("cute/tensor.hpp", "cutlass_unit_test.h"):
    assert "here.hpp" in (pathlib.Path(folder) / name).read_text()
if source.endswith("bad.cpp"):
    sys.exit("bad.cpp:1: error: no such name")
passed = 1 if source.endswith("wrong.cpp") else 2
says = f"[==========] 2 tests from 1 test suite ran. (0 ms total)\\n[  PASSED  ] {passed} tests."
made.write_text(f"#!/bin/sh\\necho '{says}'\\n")
made.chmod(0o755)
"""

    def said(self, *words: str) -> tuple[int, str]:
        for name in ("right", "wrong", "bad", "core_unit"):
            text = '#include "cutlass_unit_test.h"\n#include <cute/tensor.hpp>\n'
            self.write(f"cutlass/test/unit/cute/core/{name}.cpp", text)
        for name in ("common/src/libtilestep_show_host.a", "common/backend/host/libtilestep_backend_host.a"):
            self.write(f"build/{name}", "")
        pretends = self.write("compiler.py", self.COMPILER)
        compiler = self.program("compiler", f'exec {sys.executable} {pretends} "$@"')
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
            code = cute_unit_tests.main([str(self.root / "cutlass"), "--build", str(self.root / "build"),
                                         "--compiler", str(compiler), *words])  # fmt: skip
        return code, out.getvalue()

    def test_a_file_counts_where_it_compiles_and_all_of_its_tests_pass(self) -> None:
        code, text = self.said("--errors", "1", "--at-least", "1")
        self.assertEqual(code, 0, text)
        for words in ("bad.cpp                   does not compile", "right.cpp                 2 of 2 tests pass",
                      "wrong.cpp                 1 of 2 tests pass", "bad.cpp: bad.cpp:1: error: no such name",
                      "1 of 3 files compile, and all of their 2 tests pass"):
            self.assertIn(words, text)
        self.assertEqual(self.said("--at-least", "2")[0], 1)

    def test_what_is_no_checkout_is_said_in_a_sentence(self) -> None:
        with contextlib.redirect_stderr(io.StringIO()) as out:
            self.assertEqual(cute_unit_tests.main([str(self.root)]), 2)
        self.assertIn("has no tests: name a checkout of CUTLASS", out.getvalue())


class Ladder(LadderRecords):
    """The table and the picture of the climb."""

    def test_a_chapter_shows_its_fastest_product_and_another_is_not_measured(self) -> None:
        first, second = self.rows(
            self.large(2e-3), self.large(1e-3, layout="tt", options="--fast"), self.large(1e-9, "i8"), self.run_of()
        )
        self.assertEqual(first, "| [01_a](chapters/01_a/README.md) | f16, tt, --fast | 4 | 0.50 | 0.50 |")
        self.assertEqual(second, "| [02_b](chapters/02_b/README.md) | not measured | | | |")

    def test_only_plain_products_on_the_device_count(self) -> None:
        rows = self.rows(
            self.large(2e-3, "f32"),
            *(
                self.large(1e-4, **each)
                for each in (
                    {"beta": 1.0},
                    {"batch": 2},
                    {"bias": True},
                    {"activation": "gelu"},
                    {"residual": True},
                    {"k": 8192},
                    {"n": 4095},
                    {"dtype": "tf32"},
                )
            ),
            {**self.large(1e-4), "device": "Other 1"},
        )
        self.assertIn("| f32, nn | 2 | 0.50 | 0.25 |", rows[0])

    def test_a_chapter_with_short_sums_shows_its_longest(self) -> None:
        self.assertIn("| f16, nn, K = 64 | 2 |", self.rows(self.large(2e-3, k=64), self.large(1e-3, k=32))[0])

    def test_a_record_without_library_or_ceiling_says_so(self) -> None:
        run = self.large(2e-3)
        del run["ratio"]
        run["vendor"], run["ceilings"] = {"missing": "no library"}, []
        self.assertIn("| 2 | not measured | not measured |", self.rows(run)[0])

    def test_the_page_and_the_picture_follow_the_records(self) -> None:
        page = self.write("README.md", "# A\n<!-- ladder: Abacus -->\n<!-- /ladder -->\n")
        self.rows(self.large(2e-3))
        files = ladder.generate(page)
        self.assertEqual(files, ladder.generate(page))
        self.assertEqual(set(files), {page, self.root / "docs/ladder.svg"})
        svg = files[self.root / "docs/ladder.svg"].decode()
        xml.etree.ElementTree.fromstring(svg)
        self.assertEqual((svg.count('class="ours"><title>'), svg.count("not measured")), (1, 1))
        self.assertIn(
            '<rect x="84" y="84" width="64.4" height="16" class="ours"><title>f16, nn: 2 TFLOP/s</title>', svg
        )
        generated.settle(files, check=False)
        self.assertEqual(generated.settle(ladder.generate(page), check=True), 0)
        self.rows(self.large(1e-3))
        self.assertEqual(generated.settle(ladder.generate(page), check=True), 1)
        page.write_text("# A\n")
        self.assertEqual(ladder.generate(page), {})

    def test_a_heading_names_the_problem_and_a_bar_what_its_own_has_besides(self) -> None:
        """Chapters of another type stand apart; another layout or K stands behind the name."""

        def row(name: str, **parameters: object) -> ladder.ChapterResult:
            chapter = repository.Chapter(name, "", "", [], self.root)
            return ladder.ChapterResult(chapter, self.large(1e-3, **parameters) if parameters else None)

        f16 = {"dtype": "f16", "layout": "nt"}
        rows = [row("00_a", dtype="f32", layout="nn"), row("01_b"), row("02_c", dtype="f16", layout="nn"),
                row("03_d", dtype="f16", layout="nt", k=32), row("04_e", **f16), row("05_f", **f16)]
        svg = ladder.picture(rows, "Abacus")
        self.assertEqual(re.findall(r'class="caption">([^<]*)<', svg)[1:], ["f32, nn", "f16, nt"])
        texts = re.findall(r">([^<>]+)</text>", svg)
        for words in ("a", "b: not measured", "c, nn", "d, K=32", "e", "f"):
            self.assertIn(words, texts)
        self.assertLess(texts.index("b: not measured"), texts.index("f16, nt"))
        self.assertLess(texts.index("f16, nt"), texts.index("c, nn"))


class Roofline(LadderRecords):
    """The points of the ladder below the limits of their records."""

    def setUp(self) -> None:
        super().setUp()
        abacus = dataclasses.replace(rates.machine_of("sm90"), name="Abacus")
        patch = mock.patch.object(roofline, "machines", lambda: [abacus])
        patch.start()
        self.addCleanup(patch.stop)

    def drawn(self, *runs: dict[str, object]) -> str:
        self.rows(*runs)
        page = self.write("README.md", "# A\n<!-- ladder: Abacus -->\n<!-- /ladder -->\n")
        (svg,) = roofline.generate(page).values()
        return (svg or b"").decode()

    def product(self, time: float, **parameters: object) -> dict[str, object]:
        run = self.large(time, **{"layout": "nt", "out_dtype": "f32", **parameters})
        names = {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32": 6e14, "copy": 4e12}
        tops = [{"name": name, "unit": "x", "amount": 1.0, "seconds": [1.0], "per_second": value}
                for name, value in names.items()]
        return {**run, "operations": 2.0 * 4096**3, "ceilings": tops}

    def test_a_point_stands_at_the_flop_of_its_problems_bytes(self) -> None:
        # 2 x 4096^3 FLOP for 2 x 32 MiB of f16 and 64 MiB of f32
        self.assertEqual(roofline.problem_bytes(self.product(1e-3)), 128 << 20)
        self.assertIn("<title>01: 137 TFLOP/s, 1024 FLOP a byte</title>", self.drawn(self.product(1e-3)))

    def test_the_roofs_are_those_of_the_records(self) -> None:
        svg = self.drawn(self.product(1e-3))
        for words in (">mma.sync 600<", ">wgmma 989<", ">4.0 TB/s<"):
            self.assertIn(words, svg)
        lines = re.findall(r'points="([^"]+)" class="roof"', svg)
        (slope, ridge, _), _ = [[tuple(map(float, p.split(","))) for p in line.split()] for line in lines]
        self.assertAlmostEqual(slope[1], roofline.y(4e12 * roofline.LEAST[0] / 1e12), delta=1)
        self.assertAlmostEqual(ridge[0], roofline.x(roofline.wgmma("Abacus") / 4e12), delta=0.1)

    def test_a_record_without_ceilings_draws_nothing(self) -> None:
        run = self.product(1e-3)
        run["ceilings"] = []
        self.rows(run)
        page = self.write("README.md", "# A\n<!-- ladder: Abacus -->\n<!-- /ladder -->\n")
        with self.assertRaisesRegex(Mistake, "no record of NVIDIA Abacus 3"):
            roofline.generate(page)

    def test_the_roof_of_wgmma_is_that_of_the_machine_table(self) -> None:
        table = (ROOT / "common/backend/any/include/tilestep/backend/machine_table.hpp").read_text()
        self.assertIn("989.4e12 / 132 / 1.83e9 / 2 = 2048 in f16", table)
        known = rates.machines()
        for order in (known, known[::-1]):
            self.assertAlmostEqual(roofline.wgmma("NVIDIA H200", order) / 1e12, 989.4, delta=0.1)
            self.assertAlmostEqual(roofline.wgmma("NVIDIA H20", order) / 1e12, 989.4 * 78 / 132, delta=0.1)
        for device in ("NVIDIA A100", "Other 1"):
            with self.assertRaisesRegex(Mistake, f"no rate of wgmma for {device}"):
                roofline.wgmma(device, known)


class PublicSets(TreeTest):
    """The page of other people's bugs, from a record of four kernels."""

    HEAD = "set,case,source,target,label,expected,verdict,seen\n"
    RECORD = HEAD + (
        "One,a,x.cu,sm80,buggy,race,found,race\n"
        "One,b,y.cu,sm80,correct,,false alarm,race\n"
        "One,e,y.cu,sm80,correct,,out of scope: lockstep,race\n"
        "One,c,twin of x.cu,sm80,correct,,correct,\n"
        "Two,d,z.cu,sm80,buggy,deadlock|race,missed,\n"
    )

    def page(self, name: str, sanitizer: str = "") -> str:
        record = self.write("record.csv", self.RECORD)
        said = self.root / "sanitizer.csv"
        if sanitizer:
            said = self.write("sanitizer.csv", sanitizer)
        page = self.write("page.md", f"# A\n<!-- public: {name} -->\n<!-- /public -->\n")
        (text,) = public_sets.generate(page, record, said).values()
        return (text or b"").decode()

    def test_twins_are_counted_apart_from_what_the_sets_have(self) -> None:
        text = self.page("summary")
        self.assertIn("| One | 1 of 1 | 0 of 1 | 1 | not run |", text)
        self.assertIn("| Two | 0 of 1 | none | 0 | not run |", text)
        self.assertIn("| all sets | 1 of 2 | 0 of 1 | 1 | not run |", text)
        self.assertIn("| twins of theirs, made here | none | 1 of 1 | 0 | not run |", text)

    def test_what_differs_from_its_label_is_listed(self) -> None:
        text = self.page("exceptions")
        self.assertIn("Of 4 kernels in scope 2 are judged otherwise", text)
        self.assertIn("| One: b | correct | false alarm | race |", text)
        self.assertIn("| Two: d | deadlock\\|race | missed |  |", text)
        self.assertNotIn("One: e", text)

    def test_what_is_correct_by_a_rule_of_its_set_alone_is_listed_with_the_rule_and_counted_nowhere_else(self) -> None:
        self.assertIn("| One: e | `y.cu` | lockstep | race |", self.page("out of scope"))
        text = self.page("summary", "set,case,found\nOne,a,racecheck\nOne,e,racecheck\nTwo,d,hangs\n")
        self.assertIn("| One | 1 of 1 | 0 of 1 | 1 | 1 of 1, blames 0 |", text)

    def test_the_column_of_a_gpu_is_filled_from_its_record(self) -> None:
        text = self.page("summary", "set,case,found\nOne,a,racecheck\nOne,b,\nTwo,d,hangs\n")
        self.assertIn("| One | 1 of 1 | 0 of 1 | 1 | 1 of 1, blames 0 |", text)
        self.assertIn("| Two | 0 of 1 | none | 0 | 1 of 1, blames 0 |", text)

    def test_an_unknown_block_and_a_missing_record_are_a_sentence(self) -> None:
        with self.assertRaisesRegex(Mistake, "no block 'public: all'"):
            self.page("all")
        with self.assertRaisesRegex(Mistake, "there is no record"):
            public_sets.generate(self.root / "page.md", self.root / "none.csv", self.root / "none.csv")

    def test_compute_sanitizer_runs_each_case_alone(self) -> None:
        """With a program, a sanitizer and a GPU that only pretend."""
        program = self.program("sets", 'printf "One: a\\nOne: b\\nTwo: d\\n" > "$TILESTEP_CASES"')
        sanitizer = self.program(
            "sanitizer",
            'case "$TILESTEP_CASE$2" in "One: aracecheck") exit 99 ;; "Two: d"*) exec sleep 9 ;; esac',
        )
        self.program("nvidia-smi", "exit 0")
        runner, record = ROOT / "tests/backend/cuda/public_sanitizer.py", self.root / "found.csv"
        path = f"{self.root}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(
            [sys.executable, runner, program, record, "--sanitizer", sanitizer, "--seconds", "0.5"],
            env={**os.environ, "PATH": path}, check=True, capture_output=True,
        )  # fmt: skip
        self.assertEqual(record.read_text(), "set,case,found\nOne,a,racecheck\nOne,b,\nTwo,d,hangs\n")


class PicturesOfTheStartPage(unittest.TestCase):
    """Those of README.md, as committed."""

    def test_they_can_be_read_on_a_telephone(self) -> None:
        """At 390 px a letter is at least 11 px high, nothing leaves the picture, and no words lie on others."""
        for tool in (ladder, roofline):
            with self.subTest(tool.__name__):
                path = ROOT / f"docs/{tool.__name__}.svg"
                self.readable(xml.etree.ElementTree.fromstring(path.read_text()), tool.FONT, tool.LETTER)

    def readable(self, svg: xml.etree.ElementTree.Element, font: float, letter: float) -> None:
        wide, high = map(float, svg.attrib["viewBox"].split()[2:])
        self.assertGreaterEqual(font * 390 / wide, 11)
        boxes = []
        for each in svg.iter("{http://www.w3.org/2000/svg}text"):
            length, kind = len(each.text or "") * letter, each.attrib.get("class", "")
            left = float(each.attrib["x"]) - length * (1 if "end" in kind else 0.5 if "mid" in kind else 0)
            base = float(each.attrib["y"])
            boxes.append((left, left + length, base - 9, base + 1, each.text))
        for left, right, top, bottom, words in boxes:
            self.assertTrue(left >= 0 and right <= wide and top >= 0 and bottom <= high, words)
        for number, one in enumerate(boxes):
            for other in boxes[:number]:
                apart = one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
                self.assertTrue(apart, f"'{one[4]}' lies on '{other[4]}'")


class ProfilePage(TreeTest):
    """docs/reading_a_profile.md: each number from a record, each name one that something counts."""

    LAB = """# Lab
<!-- budget: 64x64x64 | sm90 = 64x64x64 -->
| target | clocks of | matrix | FMA | shared | limit | predicted | measured |
|---|---|--:|--:|--:|---|--:|---|
| sm90 | a tile, 64 x 64 x 64 | 2 | 0 | **4** | shared | | |
| | the kernel, in thousands | 200 | 0 | **1,000** | shared | 1.00 ms | 2.00 ms |

Clocks of one compute unit. sm90 is one H200 with 132 compute units at 1,000 MHz.
<!-- /budget -->
"""

    def test_shares_are_clocks_of_the_measured_time(self) -> None:
        self.write("chapters/01_a/lab.md", self.LAB)
        lines = profile_page.block(self.root, "budget | 01_a | sm90").splitlines()
        self.assertEqual(lines[2:4], ["| shared | 1,000 | 50% |", "| matrix | 200 | 10% |"])
        self.assertIn("2,000 thousand clocks at 1,000 MHz", lines[-1])

    def test_a_time_that_nobody_measured_is_refused(self) -> None:
        self.write("chapters/01_a/lab.md", self.LAB.replace("2.00 ms", "not measured"))
        with self.assertRaisesRegex(Mistake, "no measured time"):
            profile_page.block(self.root, "budget | 01_a | sm90")
        with self.assertRaisesRegex(Mistake, "no row of sm80"):
            profile_page.block(self.root, "budget | 01_a | sm80")

    def test_units_are_in_the_order_of_their_shares(self) -> None:
        run = {"problem": "--dtype f16 --layout nt --m 1 --n 2 --k 3", "kernel": "", "tensor_f": 10.0, "fma": 0.0,
               "issue": 20.0, "shared": 5.0, "l2": 1.0, "dram": 2.0, "nanoseconds": 2000.0, "clocks": 3000.0,
               "registers": 40.0, "stalled_wait": 0.5, "stalled_barrier": 1.5, "stalled_selected": 9.0}
        record = {"device": "D", "metrics": {key: f"m_{key}" for key in run}, "runs": [run]}
        self.write("chapters/01_a/results/ncu/d.json", json.dumps(record))
        lines = profile_page.block(self.root, "busy | 01_a").splitlines()
        busiest = ["| issue of instructions | `m_issue` | 20 % |", "| tensor cores | `m_tensor_f` | 10 % |"]
        self.assertEqual(lines[2:4], busiest)
        self.assertEqual([line for line in lines if "stalled" in line],
                         ["| barrier | `m_stalled_barrier` | 1.5 |", "| fixed latency | `m_stalled_wait` | 0.5 |"])
        self.assertIn("1,500 MHz, 40 registers", lines[-1])

    def test_a_problem_is_named_without_doubt(self) -> None:
        with self.assertRaisesRegex(Mistake, "begins 4 problems"):
            profile_page.block(ROOT, "counts | 09_bank_conflicts")
        with self.assertRaisesRegex(Mistake, "is none of"):
            profile_page.block(ROOT, "busiest | 07_k_loop")

    def test_the_page_names_each_counter_and_only_metrics_of_a_record(self) -> None:
        page = (ROOT / "docs/reading_a_profile.md").read_text()
        header = (ROOT / "common/backend/any/include/tilestep/backend/report.hpp").read_text()
        counters_of = re.findall(r'visit\("(\w+)"', header)
        self.assertEqual(len(counters_of), 20)
        for name in counters_of:
            self.assertIn(f"`{name.removesuffix('_ideal')}`", page)
        recorded = set(profile_page.COUNTERS.values())
        for run in profile_page.one_record(ROOT / "tests/backend/cuda/results", "*-counters.json")["runs"]:
            recorded |= set(run["metrics"])
        for path in ROOT.glob("chapters/*/results/ncu/*.json"):
            recorded |= set(json.loads(path.read_text())["metrics"].values())
        for metric in re.findall(r"\b(?:l1tex|sm|smsp|lts|dram)__[\w.]+\w", page):
            self.assertIn(metric, recorded)


class FrontPage(unittest.TestCase):
    """README.md's sentences with a number or a name in them, against the tree."""

    def setUp(self) -> None:
        self.page = " ".join((ROOT / "README.md").read_text().split())

    def said(self, pattern: str) -> tuple[str, ...]:
        found = re.search(pattern, self.page)
        self.assertIsNotNone(found, f"README.md does not say '{pattern}' any more: change this test with it")
        return found.groups() if found else ()

    def test_each_verb_of_the_page_is_a_verb(self) -> None:
        named = set(re.findall(r"\./tutorial (\w+)", self.page))
        self.assertLessEqual(named, set(tutorial.VERBS))
        self.assertEqual(set(tutorial.VERBS) - named, set())

    def test_the_museum_has_as_many_exhibits_as_the_page_says(self) -> None:
        (number,) = self.said(r"\[(\d+) kernels with one bug each\]")
        self.assertEqual(int(number), len(museum.exhibits()))

    def test_chapters_for_all_machines_and_for_hopper(self) -> None:
        _, last, first, end, several = self.said(
            r"Chapters (\d\d) to (\d\d) are one source .*? (\d\d) to (\d\d) are for Hopper alone.*? "
            r"(\d\d) calls the kernels of 17 and 20 in several processes"
        )
        for chapter in chapters():
            number = chapter.number
            self.assertEqual([number <= last, first <= number <= end, number == several].count(True), 1, chapter.name)
            self.assertEqual(chapter.targets == ["sm90"], first <= number <= end, chapter.name)
            self.assertEqual(chapter.processes > 1, number == several, chapter.name)

    def test_programs_grow_from_a_hundred_lines_to_eleven_hundred(self) -> None:
        self.said("(about a hundred lines at first), (seven hundred to eleven hundred where everything comes together)")

        def lines(chapter: repository.Chapter) -> int:
            """Of its own sources, without comments and what draws figures."""
            sources = [path for path in chapter.folder.glob("*.[hc]pp") if not path.name.startswith("figures")]
            text = "\n".join(path.read_text() for path in sources)
            return sum(1 for line in text.splitlines() if re.sub(r"//.*", "", line).strip())

        every = {chapter.number: lines(chapter) for chapter in chapters()}
        self.assertAlmostEqual(statistics.median(list(every.values())[:5]), 100, delta=30)
        for number in ("17", "20"):
            self.assertTrue(650 <= every[number] < 1150, every)

    def test_what_is_faster_than_the_loop_of_mma(self) -> None:
        numbers = re.findall(r"\d\d", self.said(r"faster than the loop of `mma.sync`, and so are chapters ([^:]*):")[0])
        rows = [each for each in ladder.ladder(ROOT, "H200") if each.run and each.run["parameters"]["dtype"] == "f16"]
        faster = [each.chapter.number for each in rows if each.rate() > (each.ceiling_rate() or 0)]
        self.assertEqual(numbers, faster)
        for each in rows:
            if each.run["parameters"]["k"] == ladder.SIDE:  # type: ignore[index]
                self.assertGreater(each.vendor_rate() or 0, each.ceiling_rate() or 0, each.chapter.name)


class Tuning(BenchRecords):
    """Records of --tune, and the table that comes from them."""

    def problem(self, best: str = "large split_k=2 group=8", **parameters: object) -> dict[str, object]:
        return {
            "problem": "m 8",
            "parameters": {"dtype": "f16", "layout": "nt", "m": 8, "n": 8, "k": 64, "lda": 64, **parameters},
            "operations": 4e9,
            "operand_sets": 3,
            "best": best,
            "candidates": [
                {"name": best, "repeats": 2, "seconds": [9e-3, 2e-3, 1e-3]},
                {"name": "small", "repeats": 1, "seconds": [4e-3]},
                {"name": "odd", "refused": "no kernel"},
            ],
        }

    def record(self, *problems: dict[str, object], **head: object) -> Path:
        return self.write(
            "tuned.json",
            json.dumps(
                {
                    "kind": "tune",
                    "chapter": "01_a",
                    "backend": "cuda",
                    "target": "sm90",
                    "device": "Abacus 3",
                    "driver": "1.2",
                    "commit": "abc",
                    "command": "/home/me/build/cuda/bin/01_a --tune /home/me/chapters/01_a/tune.csv --json /tmp/r.json",
                    "problems": problems,
                    **head,
                }
            ),
        )

    def keep(self, *problems: dict[str, object], **head: object) -> None:
        with mock.patch.object(tune, "find_chapters", lambda names: find_chapters(names, self.root)):
            generated.settle(tune.keep(self.record(*problems, **head)), check=False)

    def table(self) -> str:
        ((path, content),) = tune.generate(chapters(self.root)[0]).items()
        self.assertEqual(path, self.root / "chapters/01_a/tables/sm90.hpp")
        return (content or b"").decode()

    def test_a_record_becomes_a_table_with_a_row_for_each_problem(self) -> None:
        self.keep(
            self.problem(),
            self.problem("small", m=16),
            self.problem("wide cluster group=3", m=24),
            {"problem": "m 1", "parameters": {}, "refused": "not here"},
        )
        table = self.table()
        self.assertIn("#include <tilestep/harness/gemm_plan.hpp>  // TableRow\n", table)
        self.assertIn(
            "// Written by docs/tools/tune.py from chapters/01_a/results/tune/abacus-3.json: Abacus 3, driver 1.2, "
            "commit abc.",
            table,
        )
        self.assertIn("std::array<TableRow, 3> table_sm90{{", table)
        self.assertIn('    {DType::f16, "nt", 8, 8, 64, "large", 2, 8},  // 2 TFLOP/s\n', table)
        self.assertIn('    {DType::f16, "nt", 16, 8, 64, "small", 1, 0},  // 1 TFLOP/s\n', table)
        self.assertIn('    {DType::f16, "nt", 24, 8, 64, "wide cluster", 1, 3},  // 2 TFLOP/s\n', table)

    def test_the_record_keeps_medians_and_turns_and_names_no_path(self) -> None:
        self.keep(self.problem())
        (tuning,) = json.loads((self.root / "chapters/01_a/results/tune/abacus-3.json").read_text())["tunings"]
        self.assertEqual(tuning["command"], "build/cuda/bin/01_a --tune chapters/01_a/tune.csv")
        self.assertEqual(
            tuning["problems"][0]["microseconds_and_turns"],
            {"large split_k=2 group=8": [2000.0, 3], "small": [4000.0, 1]},
        )
        self.assertEqual(tuning["problems"][0]["turns"], [9000.0, 2000.0, 1000.0])
        self.assertEqual(tuning["problems"][0]["refused"], {"odd": "no kernel"})

    def test_a_later_tuning_replaces_its_problems_and_leaves_the_others(self) -> None:
        self.keep(self.problem(), self.problem(m=16))
        self.keep(self.problem("small"), commit="def")
        table = self.table()
        self.assertIn("commit abc, def.", table)
        self.assertIn('{DType::f16, "nt", 8, 8, 64, "small", 1, 0}', table)
        self.assertIn('{DType::f16, "nt", 16, 8, 64, "large", 2, 8}', table)
        self.keep(self.problem(), self.problem(m=16), commit="ghi")
        self.assertIn("commit ghi.", self.table())

    def test_a_table_that_is_not_the_records_is_stale(self) -> None:
        self.keep(self.problem())
        files = tune.generate(chapters(self.root)[0])
        self.assertEqual(generated.settle(files, check=False), 0)
        self.assertEqual(generated.settle(files, check=True), 0)
        path = self.root / "chapters/01_a/tables/sm90.hpp"
        path.write_text(path.read_text().replace("large", "small"))
        self.assertEqual(generated.settle(tune.generate(chapters(self.root)[0]), check=True), 1)
        (self.root / "chapters/01_a/results/tune/abacus-3.json").unlink()
        self.write("chapters/01_a/tables/gfx942.hpp", "#pragma once\n// Chosen by hand.\n")
        self.assertEqual(tune.generate(chapters(self.root)[0]), {path: None})

    def test_what_is_no_tuning_is_refused(self) -> None:
        good = json.loads(self.record(self.problem()).read_text())
        wrong = ["", "[]", '{"runs": []}', '{"kind": "tune", "problems": [{"refused": "x"}]}', "[" * 100000]
        wrong += [json.dumps({k: v for k, v in good.items() if k != key}) for key in good]
        wrong += [json.dumps({**good, key: None}) for key in good]
        wrong += [
            json.dumps({**good, key: value})
            for key, value in (("command", "x --tune"), ("chapter", "77"), ("device", "-"), ("problems", []))
        ]
        wrong += [
            json.dumps({**good, "problems": [{k: v for k, v in self.problem().items() if k != key}]})
            for key in self.problem()
        ]
        for text in wrong:
            with mock.patch.object(tune, "find_chapters", lambda names: find_chapters(names, self.root)):
                self.refused(tune.keep, self.write("tuned.json", text), text)
        for best in ("large stages=3", "large split_k=two", "split_k=2 large", "split_k=2", "large group=4 cluster"):
            self.keep(self.problem(best))
            with self.assertRaisesRegex(Mistake, "is not called TILE split_k=S group=G"):
                self.table()

    def test_the_verb_tunes_in_one_process_and_writes_record_and_table(self) -> None:
        self.write("chapters/01_a/tune.csv", "dtype,layout,m,n,k\nf16,nt,8,8,64\n")
        self.program(
            "build/cuda/bin/01_a",
            f"echo $@ >>{self.root}/said\nfor last; do :; done\ncp {self.record(self.problem())} $last",
        )
        with mock.patch.object(
            bench_chapters, "find_chapters", lambda names: find_chapters(names, self.root)
        ), mock.patch.object(tune, "find_chapters", lambda names: find_chapters(names, self.root)), mock.patch.object(
            bench_chapters.trees, "binaries", lambda backend: self.root / "build" / backend / "bin"
        ), mock.patch.object(
            bench_chapters.machine, "gpus", lambda: [("cuda", "NVIDIA", None, "Abacus 3")]
        ):
            self.assertEqual(tutorial.bench(["--tune", "--no-build", "--records", str(self.root / "deep/t.json")]), 0)
            self.assertFalse((self.root / "chapters/01_a/results").exists())
            self.assertEqual(tutorial.bench(["--tune", "1", "--no-build"]), 0)
            for words in (["--tune", "2", "--no-build"], ["--tune", "--no-build", "--", "--m", "7"]):
                with self.assertRaises(Stop) as stop:
                    tutorial.bench(words)
                self.assertEqual(stop.exception.code, 2)
        self.assertTrue((self.root / "deep/t.json").exists())
        self.assertIn('"large", 2, 8', (self.root / "chapters/01_a/tables/sm90.hpp").read_text())
        said = (self.root / "said").read_text().splitlines()
        self.assertEqual(
            [line.split(" --json")[0] for line in said], [f"--tune {self.root}/chapters/01_a/tune.csv"] * 2
        )


class RandomProblems(BenchRecords):
    """Problems that a seed draws, and what is made of their times."""

    def test_the_same_seed_draws_the_same_problems_of_every_class_within_the_limits(self) -> None:
        drawn = list(random_problems.problems(600, 5))
        self.assertEqual(drawn, list(random_problems.problems(600, 5)))
        self.assertNotEqual(drawn, list(random_problems.problems(600, 6)))
        for kind, layout, m, n, k in drawn:
            self.assertTrue(1e8 <= 2 * m * n * k <= 4e12 and max(m, n, k) <= 16384, (m, n, k))
            self.assertIn(layout, random_problems.LAYOUTS)
            step = {"multiples of 128": 128, "multiples of 8": 8}.get(kind, 1)
            self.assertEqual((m % step, n % step, k % step), (0, 0, 0))
            if kind == "few rows":
                self.assertTrue(m <= 256 and n % 256 == k % 256 == 0, (m, n, k))
            else:
                self.assertGreaterEqual(min(m, n, k), 64)
        for kind, share in random_problems.CLASSES.items():
            self.assertAlmostEqual(sum(each[0] == kind for each in drawn) / 6, share, delta=6)
        extents = sorted(each[2] for each in drawn if each[0] != "few rows")
        self.assertTrue(600 < extents[len(extents) // 2] < 2000)  # log-uniform: near 1024

    def record(self, seed: int, ours: float) -> dict[str, Any]:
        def timed(name: str, *seconds: float) -> dict[str, Any]:
            return {"name": name, "seconds": list(seconds)}

        modes = [timed("default", 9e-6, 4e-6, 4e-6), timed("Lt 1", 5e-6), timed("default repacked", 3e-6)]
        return {
            "kind": "tune",
            "chapter": "01_a",
            "device": "Abacus 3",
            "driver": "1.2",
            "commit": "abc",
            "command": "build/cuda/bin/01_a --tune problems.csv",
            "random": {"number": 1, "seed": seed},
            "before": {"clock_mhz": 1980.0, "power_watts": 100.0},
            "after": {"clock_mhz": 1755.0, "power_watts": 400.0},
            "problems": [
                {
                    "problem": "m 256 n 256 k 1024",
                    "parameters": {"dtype": "bf16", "layout": "nt", "m": 256, "n": 256, "k": 1024},
                    "operations": 2 * 256 * 256 * 1024,
                    "planned": {"plan": "one tile", "cost": 5e-6, "seconds": [1.0, ours, ours]},
                    "candidates": [timed("small", ours / 2, ours / 2), {"name": "odd", "refused": "no"}],
                    "library": {"name": "Lib 1", "modes": modes},
                }
            ],
        }

    def keep(self, record: dict[str, Any]) -> None:
        path = self.write("record.json", json.dumps(record))
        with mock.patch.object(random_shapes, "find_chapters", lambda *_: repository.find_chapters([], self.root)):
            generated.settle(random_shapes.keep(path), False)

    def test_a_cost_that_only_ranks_candidates_is_no_predicted_time(self) -> None:
        self.write("chapters/01_a/README.md", "")
        for ranks, predicted in (((), 5.0), (("01_a",), None)):
            with mock.patch.object(random_shapes, "RANKS", ranks), contextlib.redirect_stdout(io.StringIO()):
                self.keep(self.record(7, 9e-6))
            kept = json.loads((self.root / "chapters/01_a/results/random/abacus-3.json").read_text())["runs"]
            self.assertEqual({each["predicted"] for run in kept for each in run["problems"]}, {predicted})

    def test_a_page_shows_the_librarys_time_over_ours_and_what_the_plan_loses(self) -> None:
        self.write("chapters/01_a/README.md", "<!-- random: Abacus -->\n<!-- /random -->\n")
        with contextlib.redirect_stdout(io.StringIO()):
            self.keep(self.record(7, 9e-6))
            self.keep(self.record(7, 6e-6))  # the same seed again: replaced
        chapter = next(each for each in repository.find_chapters([], self.root) if each.name == "01_a")
        files = random_shapes.generate(chapter)
        page = (files[chapter.folder / "README.md"] or b"").decode()
        # the library takes 3 us on copies, ours 6, its best candidate 3
        self.assertIn("| multiples of 128 | 1 | 0.500 | 0.50 | 0 | 2.000 | 2.00 | 1.200 |", page)
        self.assertIn("1 of seed 7.", page)
        for figure, ratio in (("random", "0.50"), ("predicted", "1.20")):  # the model said 5 us
            picture = xml.etree.ElementTree.fromstring(files[chapter.folder / f"results/random/{figure}.svg"] or b"")
            titles = [each.text for each in picture.iter("{http://www.w3.org/2000/svg}title")]
            self.assertEqual(titles, [f"nt 256 x 256 x 1024: {ratio}; one tile"])

    def test_several_types_have_the_same_problems_and_each_its_own_type_of_c(self) -> None:
        lines = random_problems.table(random_problems.problems(3, 5), "bf16,tf32,i8").splitlines()[1:]
        starts = [line.split(",", 2)[:2] for line in lines]
        self.assertEqual(starts, [["bf16", "bf16"]] * 3 + [["tf32", "f32"]] * 3 + [["i8", "i32"]] * 3)
        rests = [line.split(",", 2)[2] for line in lines]
        self.assertEqual(rests, rests[:3] * 3)
        with contextlib.redirect_stdout(io.StringIO()):
            generated.settle(random_ceiling.draw("3", "5", self.root / "list.csv"), False)
        listed = (self.root / "list.csv").read_text().splitlines()
        self.assertEqual(len(listed), 1 + 3 * 5)
        with self.assertRaises(Mistake):
            random_ceiling.draw("3", "x", self.root / "list.csv")
        with contextlib.redirect_stdout(io.StringIO()):
            generated.settle(random_ceiling.draw_long("4", "5", self.root / "long.csv"), False)
        long = [line.split(",") for line in (self.root / "long.csv").read_text().splitlines()[1:]]
        self.assertEqual(len(long), 4 * 5)
        drawn = [each[1:] for each in random_problems.problems(200, 5) if min(each[2:]) >= 2048]
        self.assertEqual([line[2:] for line in long[:4]], [[str(each) for each in line] for line in drawn[:4]])

    def benched(self, dtype: str, m: int, kernel: float, ratios: dict[str, float]) -> dict[str, Any]:
        operations = 2 * m * 2048 * 2048
        return {
            "chapter": "01_a",
            "backend": "cuda",
            "device": "Abacus 3",
            "driver": "1.2",
            "commit": "abc",
            "command": "build/cuda/bin/01_a --problems list.csv --bench",
            "problem": f"m {m} n 2048 k 2048",
            "operations": operations,
            "parameters": {"dtype": dtype, "out_dtype": "f32", "layout": "nt", "m": m, "n": 2048, "k": 2048},
            "notes": ["one tile"],
            "seconds": {"kernel": [9.0, kernel, kernel], "vendor": [kernel] * 3},
            "vendor": {"name": "Lib 1"},
            **{key: {"median": value, "min": value, "max": value} for key, value in ratios.items()},
            "ceilings": [
                {"name": "loop", "unit": "operations", "per_second": operations / 1e-3},
                {"name": "copy", "unit": "bytes", "per_second": 1e12},
            ],
            "before": {"clock_mhz": 1980.0},
            "after": {"clock_mhz": 1755.0},
        }

    def test_large_problems_stand_beside_their_ceiling_and_all_beside_the_library(self) -> None:
        page = self.write("chapters/01_a/README.md", "<!-- ceiling: Abacus -->\n<!-- /ceiling -->\n")
        runs = [
            self.benched("bf16", 2048, 2e-3, {"ratio": 0.5}),
            self.benched("bf16", 4096, 4e-3, {"ratio": 3.0, "ratio_repacked": 2.0}),
            self.benched("bf16", 64, 1e-3, {"ratio": 1.0}),  # small: not beside the ceiling
            self.benched("f32", 2048, 1.25e-3, {}),  # the library did not take it
        ]
        runs[1]["parameters"]["k"] = 1024  # large, and not long
        chapter = next(each for each in repository.find_chapters([], self.root) if each.name == "01_a")
        with mock.patch.object(random_ceiling, "find_chapters", lambda *_: repository.find_chapters([], self.root)):
            for seed, some in ((7, runs[:1]), (7, runs), (8, runs[:1])):
                path = self.write("record.json", json.dumps({"runs": some}))
                with contextlib.redirect_stdout(io.StringIO()):
                    generated.settle(random_ceiling.keep(path, seed), False)
        kept = json.loads((chapter.folder / "results/random/abacus-3.json").read_text())["runs"]
        self.assertEqual([(run["seed"], len(run["problems"])) for run in kept], [(7, 4), (8, 1)])
        self.assertEqual([kept[0]["before"]["clock_mhz"], kept[0]["after"]["clock_mhz"]], [1980, 1755])
        text = (random_ceiling.generate(chapter)[page] or b"").decode()
        # of the ceiling 1/2, 1/4 and once more 1/2; library 0.5, 2, 1 and 0.5
        self.assertIn("| bf16 -> f32 | loop | 4 | 3 | 0.397 | 0.25 | 2 | 0.500 | 0.50 | 0.841 | 0.50 |", text)
        self.assertIn("| f32 | loop | 1 | 1 | 0.800 | 0.80 | 1 | 0.800 | 0.80 | not measured | not measured |", text)
        self.assertIn("seed 7 at commit `abc`, 8 at commit `abc`.", text)
        with contextlib.redirect_stdout(io.StringIO()):
            self.keep(self.record(7, 6e-6))  # of --random, in the same file
        both = json.loads((chapter.folder / "results/random/abacus-3.json").read_text())["runs"]
        self.assertEqual([random_shapes.is_random(run) for run in both], [False, False, True])
        self.assertEqual(len(random_ceiling.runs_of(chapter, "Abacus")), 2)
        self.assertEqual(len(random_shapes.runs_of(chapter, "Abacus")), 1)

    def test_rounds_of_a_plan_count_slices_and_clusters(self) -> None:
        for plan, number, loss in (
            ("17 x 8 tiles of 128x256x64, in groups of 4 rows", 2, 1 - 136 / 264),
            ("17 x 8 tiles of 128x256x64, K in 3 slices, row by row", 4, 1 - 408 / 528),
            ("C^T: 3 x 9 tiles of 256x128x64-m4, in groups of 3 rows", 1, 0.1),  # 30 clusters of four run at once
            ("66 x 1 tiles of 256x128x64-n2, row by row, on copies of A", 1, 0),
            ("11 x 3 tiles of 256x128x64-n2+AB, K in 2 slices, row by row, on copies of A and B", 1, 0),
        ):
            rounds = even_split.rounds_of(plan)
            self.assertEqual(rounds.number, number, plan)
            self.assertAlmostEqual(rounds.loss, loss, msg=plan)
        half = even_split.Rounds(132 * 3 // 2, 132, 1000)  # a round and a half: 3/4 of the time is left
        self.assertAlmostEqual(even_split.with_sums(half, 10.0, 0), 4 / 3)
        self.assertAlmostEqual(even_split.with_sums(half, 10.0, 1e-6 / (4 * 1000 * 131)), 10 / 8.5)
        self.assertEqual(even_split.with_sums(half, 10.0, 1), 1)  # the sums take longer than what is saved
        for odd in ("one tile", "4 x 4 tiles of 64x64x64-m8, row by row"):
            with self.assertRaises(Mistake):
                even_split.rounds_of(odd)

    def test_a_record_keeps_clocks_the_librarys_version_and_every_turn(self) -> None:
        record = self.record(7, 6e-6)
        with contextlib.redirect_stdout(io.StringIO()):
            self.keep(record)
        (run,) = json.loads((self.root / "chapters/01_a/results/random/abacus-3.json").read_text())["runs"]
        self.assertEqual([run["before"]["clock_mhz"], run["after"]["clock_mhz"]], [1980, 1755])
        self.assertEqual(run["library"], "Lib 1")
        turns = {"ours": [1e6, 6.0, 6.0], "library": [9.0, 4.0, 4.0], "repacked": [3.0]}
        self.assertEqual(run["problems"][0]["turns"], turns)
        for state in ("before", "after"):
            with self.assertRaises(Stop):
                self.keep({key: value for key, value in record.items() if key != state})

    def test_a_device_of_another_size_is_not_calibrated_by_problems_for_this_one(self) -> None:
        """A program that only pretends: its last word is the record's path."""
        said = json.dumps({"device": "Abacus 3", "units": 78, "problems": []})
        program = self.program("abacus", f"for last; do :; done; echo '{said}' > \"$last\"")
        with self.assertRaisesRegex(Mistake, "Abacus 3 has 78 compute units: .* are for 132"):
            calibrate.measured(str(program), "", [])

    def test_a_calibration_keeps_clocks_and_every_turn(self) -> None:
        path = self.root / "calibration.json"
        taken = calibrate.Calibration(path)
        head = {"device": "Abacus 3", "before": {"clock_mhz": 1980.0}, "after": {"clock_mhz": 1755.0}}
        taken.add("tiles", "128x64x64", {"one, few steps": [3.0, 1.0, 2.0]}, head)
        taken.add("machine", "write", [5.0, 4.0, 9.0], head)
        record = json.loads(path.read_text())
        self.assertEqual(record["tiles"], {"128x64x64": {"one, few steps": 2.0}})
        self.assertEqual(record["machine"], {"write": 5.0})
        self.assertEqual(record["turns"], {"128x64x64": {"one, few steps": [3.0, 1.0, 2.0]}, "write": [5.0, 4.0, 9.0]})
        self.assertEqual(record["clock_mhz"], {"128x64x64": [1980, 1755], "write": [1980, 1755]})

    def test_a_calibration_of_several_runs_has_the_shortest_times_and_their_turns(self) -> None:
        old = {
            "commit": "aaa",
            "tiles": {"64x16x64": {"one, few steps": 2.0, "full, one step": 7.0}, "gone": {"one, few steps": 1.0}},
            "machine": {"write": 5.0},
        }
        new = {
            "commit": "bbb",
            "tiles": {"64x16x64": {"one, few steps": 3.0, "full, one step": 6.0, "three, one step": 9.0}},
            "machine": {"write": 4.0, "long": 8.0},
            "turns": {
                "64x16x64": {"one, few steps": [3.0], "full, one step": [6.0], "three, one step": [9.0]},
                "write": [4.0, 4.0],
                "long": [8.0],
            },
        }
        one = json.loads(calibrate.shortest(old, new))
        least = {"one, few steps": 2.0, "full, one step": 6.0, "three, one step": 9.0}
        self.assertEqual(one["tiles"], {"64x16x64": least})
        self.assertEqual(one["machine"], {"write": 4.0, "long": 8.0})
        turns = {"64x16x64": {"full, one step": [6.0], "three, one step": [9.0]}, "write": [4.0, 4.0], "long": [8.0]}
        self.assertEqual(one["turns"], turns)
        self.assertEqual(one["commit"], "aaa bbb")
        again = json.loads(calibrate.shortest(one, new))
        self.assertEqual(again, one)

    def test_the_constants_of_a_tile_are_those_its_times_were_made_of(self) -> None:
        begin, alone, between, threads = 3e-6, 2e-7, 1e-6, 5e-6

        def step(name: str) -> float:
            return 4e-7 * (1 if "C^T" in name else 1 + name.count("elsewhere"))

        times = {}
        for name in (*calibrate.of_tile("128x256x64-m2"), *calibrate.of_transposed("128x256x64-m2")):
            steps = 1 if "one step" in name else 64 if "many" in name else 16
            tiles = 3 if name.startswith("three") else 1
            each = alone if name.startswith("one,") else step(name)
            times[name] = begin + steps * each * tiles + (tiles - 1) * between
            how = [name.endswith(each) for each in calibrate.STORES]  # three kinds of stores, each longer than the last
            times[name] += threads * tiles * (how.index(True) + 1) if any(how) else 0
        found = calibrate.times(times)
        for key, wanted in (("begin", begin), ("alone", alone), ("between", between)):
            self.assertAlmostEqual(found[key] * 1e6, wanted * 1e6, places=6, msg=key)
        for key in ("by_threads", "threads_between"):
            self.assertEqual([round(each / threads, 6) for each in found[key]], [1.0, 2.0, 3.0], msg=key)
        for name in calibrate.of_transposed("128x256x64-m2"):
            del times[name]
        self.assertEqual([round(each / threads, 6) for each in calibrate.times(times)["by_threads"]], [1.0, 1.0, 1.0])
        self.assertAlmostEqual(found["step"][0][0] * 1e6, 0.4)
        self.assertAlmostEqual(found["step"][1][3] * 1e6, 1.2)
        self.assertAlmostEqual(found["step"][2][0] * 1e6, 0.4)

    def test_times_of_a_launch_give_way_to_another_devices(self) -> None:
        def record(**times: float) -> Any:
            return {"tiles": {"64x64x64": times}}

        slow, quick = record(a=5.0, b=6.0, c=7.0), record(a=3.0, b=8.0, c=4.0)
        apart = calibrate.apart_from_launches(slow, [slow, quick])
        self.assertEqual(apart, {"64x64x64": {"a": 3.0, "b": 6.0, "c": 7.0}})  # 7.0 is no time of a launch
        self.assertEqual(calibrate.apart_from_launches(slow, [slow]), slow["tiles"])

    def test_a_record_without_newer_times_has_no_limit_in_their_place(self) -> None:
        machine = {name: 1e-6 * (i + 1) for i, name in enumerate(calibrate.of_machine())}
        tile = {name: 5e-5 if "many" in name else 1e-5 for name in calibrate.of_tile("64x64x64")}
        tiles = {calibrate.COMMON: tile}
        found = calibrate.machine_times({"machine": machine}, tiles)
        self.assertAlmostEqual(found["request"] * 256 * 1e6, calibrate.times(tile)["alone"] * 1e6)
        self.assertNotEqual(found["second_byte"], found["transposed_byte"])
        # the steps of HOT and what power leaves, both to the sixth, are its time
        for tile_of_it, taken, rest, hot in (
            ("64x64x64", {calibrate.IN_TURNS: 2e-3}, {}, 2e-3),
            ("64x64x64", {}, {calibrate.IN_TURNS: 1e-3}, 1e-3),  # an older record: WIDE's
        ):
            m, n = (64, 64) if taken else (128, 256)
            alone = calibrate.power_alone(tile_of_it, taken, 1e-7, rest)
            self.assertAlmostEqual((alone**6 + (1e-7 * 8192**3 / (132 * m * n * 64)) ** 6) / hot**6, 1.0)
        self.assertEqual(calibrate.power_alone("64x64x64", {}, 1e-7, {}), 0.0)
        # what two tiles read: memory's part, beside the products
        t, (m, n, k) = calibrate.times(tile), calibrate.SHARED
        products, memory = t["begin"] + k / 64 * t["step"][0][0], 1e-3
        machine["rows that two read"] = (products**6 + memory**6) ** (1 / 6)
        found = calibrate.machine_times({"machine": machine}, {**tiles, calibrate.SHARING: tile})
        self.assertAlmostEqual(found["shared_byte"] * (m + n) * k * 2 / (memory - t["begin"]), 1.0)
        machine["rows that two read"] = products  # memory is no limit there: as what one reads
        found = calibrate.machine_times({"machine": machine}, {**tiles, calibrate.SHARING: tile})
        self.assertEqual(found["shared_byte"], found["read_byte"])
        # what leaves L2 in parts: memory's part, beside the stores of threads
        stores = 60 * (t["shortest"] + t["by_threads"][0]) + t["one"] - t["shortest"]
        machine["write in parts"] = (stores**6 + 2e-3**6) ** (1 / 6)
        found = calibrate.machine_times({"machine": machine}, {**tiles, calibrate.PARTS: tile})
        self.assertAlmostEqual(found["parts_byte"] * math.prod(calibrate.IN_PARTS) * 2, 2e-3)
        machine["write in parts"] = stores  # memory is no limit there: as lines that are whole
        found = calibrate.machine_times({"machine": machine}, {**tiles, calibrate.PARTS: tile})
        self.assertEqual(found["parts_byte"], found["write_byte"])
        for name in list(machine):
            if "C^T" in name or "two read" in name or "in parts" in name:
                del machine[name]
        found = calibrate.machine_times({"machine": machine}, tiles)
        self.assertEqual(found["shared_byte"], found["read_byte"])
        self.assertEqual(found["parts_byte"], found["write_byte"])
        self.assertEqual(found["second_byte"], found["transposed_byte"])
        tile["three, one step, by threads"] = 1.6e-5
        del tile["three, few steps, by threads"]
        self.assertEqual([round(each * 1e6, 6) for each in calibrate.times(tile)["threads_between"]], [2.0, 2.0, 2.0])
        self.assertEqual(calibrate.times(tile, hides=True)["threads_between"], [0.0, 0.0, 0.0])

    def test_problems_of_a_tile_fill_the_machine_once_or_three_times(self) -> None:
        self.assertEqual(calibrate.extents("128x256x64-m2"), (256, 256, 2))
        some = calibrate.of_tile("128x256x64-m2")
        self.assertEqual(some["one, few steps"][3:6], (256, 256, 1024))
        self.assertEqual(some["three, one step"][3:6], (3 * 256 * 11, 256 * 6, 64))
        across = some["full, many steps, A across, elsewhere, B along K"]
        self.assertEqual((across[2], across[6]), ("tt", 256 * 11 + 8))


class FrontDoor(unittest.TestCase):
    def call(self, *words: str, path: str = os.environ["PATH"]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [ROOT / "tutorial", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PATH": path},
        )

    def test_helps_with_every_verb(self) -> None:
        for words in (
            ["--help"],
            ["run", "--help"],
            ["test", "--help"],
            ["bench", "--help"],
            ["docs", "--help"],
            ["doctor", "--help"],
        ):
            done = self.call(*words)
            self.assertEqual((done.returncode, "usage: ./tutorial" in done.stdout), (0, True), words)

    def test_refuses_what_it_does_not_know(self) -> None:
        for words in (
            ["walk"],
            ["run", "77"],
            ["run", "--backend", "abacus"],
            ["run", "--", "--m", "1"],
            ["bench", "01"],
            ["bench", "--backend", "host"],
            ["run", "--target", "sm70"],
            ["run", "--target", ""],
            ["run", "--target", "sm80,sm90"],
            ["run", "04", "--", "--target", "sm70"],
            ["run", "04", "05", "--", "--m", "1"],
            ["run", "4\n  4"],
            ["run", "4\u00b2"],
            ["run", "9" * 5000],
            ["run", "--build-dir", "it's"],
            ["run", "--build-dir", "/tmp/a;b"],
            ["bench", "--records", "/dev/full"],
            ["exercise", "04\t"],
            [""],
            ["run", "4\n4"],
            ["run", "--no-such"],
            ["wa\nlk"],
        ):
            done = self.call(*words)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), (words, done.stderr))

    def test_a_folder_that_cannot_be_written_is_one_sentence(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "file").write_text("")
            for words in (["run", "04"], ["exercise", "04"], ["exercise", "04", "01", "--hint"], ["docs"], ["test"]):
                for where in ("file", "file/build"):
                    done = self.call(*words, "--build-dir", f"{name}/{where}")
                    self.assertEqual((done.returncode, done.stderr.count("\n")), (3, 1), (words, done.stderr))
                    self.assertIn("--build-dir DIR", done.stderr)
            self.assertEqual([path.name for path in Path(name).iterdir()], ["file"])

    def test_records_that_could_not_be_kept_are_refused_before_anything_is_measured(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "file").write_text("")
            for where in ("file/r.json", ".", "/dev/full"):
                with self.assertRaises(Stop, msg=where) as stop:
                    lock.require_writable(Path(name) / where)
                self.assertEqual(stop.exception.code, 2)
            lock.require_writable(Path(name) / "deep/er/r.json")
            lock.require_writable(Path(name) / "file")
            self.assertEqual([path.name for path in Path(name).iterdir()], ["file"])

    def test_full_or_closed_output_is_one_sentence(self) -> None:
        with open("/dev/full", "w") as full:
            done = subprocess.run([ROOT / "tutorial", "doctor"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        self.assertIn("standard output cannot be written", done.stderr)

    def test_names_are_meant_from_where_the_command_was_typed(self) -> None:
        with tempfile.TemporaryDirectory() as name, mock.patch.dict(os.environ):
            with mock.patch.object(tutorial, "CALLED_FROM", Path(name)):
                tutorial.parsed(console.Arguments(), ["--build-dir", "b"])
                self.assertEqual(trees.binaries("host"), Path(name) / "b/host/bin")
                os.environ["TILESTEP_BUILD_DIR"] = "c"
                tutorial.parsed(console.Arguments(), [])
                self.assertEqual(trees.log("build", "host"), Path(name) / "c/logs/build-host.log")

    def test_looks_for_a_gpu_before_it_builds_for_one(self) -> None:
        with mock.patch.object(
            run_chapters.machine,
            "gpus",
            return_value=[("cuda", "NVIDIA", "nvcc", ""), ("hip", "AMD", None, "an Instinct")],
        ), mock.patch.object(run_chapters.packages, "ensure", side_effect=AssertionError):
            for backend, says in (("cuda", "there is no device"), ("hip", "no hipcc")):
                with self.assertRaises(Stop) as stop:
                    run_chapters.run(["04"], [], "", backend)
                self.assertEqual(stop.exception.code, 3)
                self.assertIn(says, str(stop.exception))

    def test_knows_every_target(self) -> None:
        self.assertEqual(
            set(run_chapters.EVERY_TARGET), {"sm80", "sm90", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}
        )

    def test_without_python_and_root_prints_the_command(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("env", "bash", "dirname", "id", "cat"):
                (Path(folder) / name).symlink_to(shutil.which(name) or "")
            done = self.call("run", path=folder)
            self.assertEqual((done.returncode, "no apt-get here" in done.stderr), (3, True), done.stderr)
            for name, body in (("id", "echo 1000"), ("apt-get", "exit 1")):
                (Path(folder) / name).unlink(missing_ok=True)
                (Path(folder) / name).write_text(f"#!/bin/bash\n{body}\n")
                (Path(folder) / name).chmod(0o755)
            done = self.call("run", path=folder)
            self.assertEqual((done.returncode, "sudo apt-get install" in done.stderr), (3, True), done.stderr)

    def test_without_root_names_the_packages(self) -> None:
        with mock.patch.object(packages, "root_command", return_value=None), mock.patch.object(
            packages, "prefixes", return_value=[]
        ):
            with self.assertRaises(Stop) as stop:
                packages.ensure("run")
        self.assertEqual(stop.exception.code, 3)
        self.assertIn("apt-get install -y --no-install-recommends", str(stop.exception))
        self.assertIn("libcli11-dev", str(stop.exception))
        self.assertNotIn("libcatch2-dev", str(stop.exception))  # test alone wants it

    def test_takes_the_compiler_that_CXX_names(self) -> None:
        for compiler, verb, wants_clang in (("", "run", True), ("g++", "run", False), ("g++", "test", True)):
            with mock.patch.dict(os.environ, {"CXX": compiler}):
                self.assertEqual(
                    "clang-19" in [need.package for need in packages.needs_of(verb)], wants_clang, (compiler, verb)
                )
                commands = self.configured({})
                self.assertEqual(any("CMAKE_CXX_COMPILER" in word for word in commands[0]), not compiler, commands)

    def test_starts_a_tree_of_another_compiler_afresh(self) -> None:
        with mock.patch.dict(os.environ, {"CXX": "sh"}):
            self.assertEqual(
                self.configured({"CMAKE_CXX_COMPILER": shutil.which("sh") or "", "TILESTEP_TESTS": "ON"}), []
            )
            self.assertEqual(
                len(self.configured({"CMAKE_CXX_COMPILER": shutil.which("cat") or "", "TILESTEP_TESTS": "ON"})), 1
            )

    def test_a_tree_has_all_tests_where_they_are_asked_for(self) -> None:
        for before, asked, wanted in (
            ({}, False, "OFF"),
            ({}, True, "ON"),
            ({"TILESTEP_ALL_TESTS": "ON"}, False, "OFF"),
            ({"TILESTEP_ALL_TESTS": "ON"}, True, None),
            ({"TILESTEP_ALL_TESTS": "ON"}, None, None),
        ):
            with mock.patch.dict(os.environ, {"CXX": "sh"}):
                compiler = {"CMAKE_CXX_COMPILER": shutil.which("sh") or "", "TILESTEP_TESTS": "ON"}
                commands = self.configured({**compiler, **before}, asked)
            if wanted is None or (not before and not asked):
                self.assertEqual(commands, [], (before, asked))
            else:
                self.assertIn(f"-DTILESTEP_ALL_TESTS={wanted}", commands[0], (before, asked))

    def configured(self, cache: dict[str, str], all_tests: bool | None = None) -> list[list[str]]:
        """The commands that configure a tree for the tests, whose cache holds these settings."""
        ran: list[list[str]] = []
        with tempfile.TemporaryDirectory() as name, mock.patch.object(
            trees, "tree", return_value=Path(name) / "host"
        ), mock.patch.object(trees, "must", side_effect=lambda title, command, log: ran.append(command)):
            if cache:
                (Path(name) / "host").mkdir()
                (Path(name) / "host/build.ninja").write_text("")
                (Path(name) / "host/CMakeCache.txt").write_text(
                    "".join(
                        f"{key}:STRING={value}\n" for key, value in {"CMAKE_HOME_DIRECTORY": str(ROOT), **cache}.items()
                    )
                )
            trees.configure("host", tests=True, all_tests=all_tests)
        return ran


class Locks(unittest.TestCase):
    """What two ./tutorial at once do to one another."""

    HOLDER = "import sys, lock; lock.take('host', sys.argv[1] == 'alone'); print('has it', flush=True); input()"

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.environment = {**os.environ, "TILESTEP_BUILD_DIR": folder.name, "PYTHONPATH": str(ROOT / "docs/tools")}

    def start(self, how: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", self.HOLDER, how],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def line(self, stream: Any) -> str:
        """What it says next, within a minute."""
        return stream.readline().strip() if select.select([stream], [], [], 60)[0] else ""

    def test_the_second_waits_and_says_for_what(self) -> None:
        for first, second in (("alone", "alone"), ("alone", "beside"), ("beside", "alone")):
            one = self.start(first)
            self.assertEqual(self.line(one.stdout), "has it")
            two = self.start(second)
            said = self.line(two.stderr)
            self.assertRegex(said, "^waiting for another ./tutorial", (first, second))
            if first == "alone":
                self.assertIn(f"process {one.pid}, which uses {self.environment['TILESTEP_BUILD_DIR']}/host", said)
            self.assertIsNone(two.poll())
            one.communicate("\n")
            self.assertEqual(self.line(two.stdout), "has it")
            self.assertEqual(two.communicate("\n")[1], "")

    def test_what_is_built_may_be_run_by_many(self) -> None:
        running = [self.start("beside") for _ in range(3)]
        self.assertEqual([self.line(each.stdout) for each in running], ["has it"] * 3)

    def test_building_takes_the_lock_and_running_shares_it(self) -> None:
        taken: list[Any] = []
        with mock.patch.object(lock, "take", lambda backend, alone: taken.append((backend, alone))), mock.patch.object(
            trees, "must", lambda title, *_: taken.append(title.split()[0])
        ), mock.patch.object(trees, "configure", lambda *_: taken.append("configuring")):
            trees.build("host", tests=False, targets=["x"])
        self.assertEqual(taken, [("host", True), "configuring", "building", ("host", False)])


class Interrupted(unittest.TestCase):
    def test_a_program_that_was_started_ends_with_its_caller(self) -> None:
        program = (
            "import sys, console; log = console.Path('/dev/null')\n"
            "console.ended('x', lambda: console.run_step('s', sys.argv[1:], log)[0])"
        )
        with tempfile.TemporaryDirectory() as name:
            script = f"trap 'echo ended >{name}/ended; exit' TERM; echo $$ >{name}/started; while :; do sleep 0.1; done"
            caller = subprocess.Popen(
                [sys.executable, "-c", program, "sh", "-c", script],
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": str(ROOT / "docs/tools")},
            )
            for _ in range(1200):
                if (Path(name) / "started").exists():
                    break
                time.sleep(0.05)
            caller.terminate()
            self.assertEqual(caller.wait(60), 143)
            self.assertTrue((Path(name) / "ended").exists())

    def test_a_signal_while_a_program_starts_ends_it_as_well(self) -> None:
        """As if the signal came when the program runs and Popen has not returned yet."""
        program = (
            "import os, signal, subprocess, sys, console; log = console.Path('/dev/null')\n"
            "class Late(subprocess.Popen):\n"
            "    def __init__(self, *a, **k):\n"
            "        super().__init__(*a, **k)\n"
            "        print(self.pid, flush=True)\n"
            "        os.kill(os.getpid(), signal.SIGTERM)\n"
            "subprocess.Popen = Late\n"
            "console.ended('x', lambda: console.run_step('s', ['sleep', '60'], log)[0])"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, timeout=50,
            env={**os.environ, "PYTHONPATH": str(ROOT / "docs/tools")}, check=False,
        )
        self.assertEqual(done.returncode, 143, done.stderr)
        self.assertRaises(ProcessLookupError, os.kill, int(done.stdout), 0)


    def test_a_signal_that_is_ignored_stays_so(self) -> None:
        program = (
            "import os, signal, console\n"
            "console.ended('x', lambda: os.kill(os.getpid(), signal.SIGHUP) or print('goes on') or 0)"
        )
        for ignored, said in ((True, "goes on\n"), (False, "")):
            done = subprocess.run(
                [sys.executable, "-c", program],
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": str(ROOT / "docs/tools")},
                preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else signal.SIG_DFL),
            )
            self.assertEqual((done.returncode, done.stdout), (0 if ignored else 129, said))


class ToolArguments(unittest.TestCase):
    """What the tools of docs/tools say to arguments and files that are none."""

    def test_are_refused_in_one_sentence(self) -> None:
        for words, code in (
            (["bench.py", "--keep"], 2),
            (["bench.py", "--keep", "/dev/full"], 2),
            (["bench.py", "--keep", "no\nfile"], 2),
            (["tune.py", "--keep", "/dev/full"], 2),
            (["devices.py", "--keep", "/nonexistent"], 2),
            (["devices.py", "--keep", "/dev"], 2),
            (["index.py", "--no\nsuch"], 2),
            (["snippets.py", "77"], 1),
            (["wrap.py", "/nonexistent.md"], 3),
            (["wrap.py", "--check", "wrap.py"], 2),
            (["readme.py", "--bogus"], 2),
            (["ladder.py", "x"], 2),
            (["exercises.py", "--check", "none", "a", "b"], 2),
            (["commands.py", "--bin"], 2),
            (["madeof.py", "--list", "77"], 1),
            (["expected.py", "--check", "04", "--bin", "/nonexistent"], 1),
            (["figures.py", "--check", "01", "--bin", "/nonexistent"], 3),
            (["counters.py", "--check", "04", "--bin", "/nonexistent"], 3),
            (["budget.py", "--check", "07", "--bin", "/nonexistent"], 1),
            (["profile_page.py", "--bogus"], 2),
            (["remeasure.py", "--bogus"], 2),
            (["roofline.py", "x"], 2),
            (["random_problems.py", "12"], 2),
            (["random_problems.py", "a\nfew", "1"], 2),
            (["random_problems.py", "1", "1", "--class", "few"], 2),
            (["../../tests/chapters/random_check.py", "--seed", "1"], 2),
            (["../../tests/chapters/random_check.py", "--seed", "one", "--problems", "1"], 2),
            (["../../tests/chapters/random_check.py", "--seed", "1", "--problems", "1", "--bin", "/nonexistent"], 2),
            (["../../tests/mutation/mutate.py"], 2),
            (["../../tests/mutation/mutate.py", "77"], 1),
            (["../../tests/mutation/chosen.py", "77", "--bin", "/nonexistent"], 1),
            (["../../tests/mutation/chosen.py", "07", "--bin", "/nonexistent"], 3),
        ):
            self.refused(ROOT / "docs/tools", words, code)

    def test_scripts_of_tests_refuse_arguments_in_one_sentence_too(self) -> None:
        parsing = [path for path in sorted((ROOT / "tests").rglob("*.py")) if ".add_argument(" in path.read_text()]
        self.assertGreater(len(parsing), 15)
        for path in parsing:
            if path.name != Path(__file__).name:
                self.refused(path.parent, [path.name, "--no\nsuch"], 2)

    def refused(self, folder: Path, words: list[str], code: int) -> None:
        done = subprocess.run(
            [sys.executable, str(folder / words[0]), *words[1:]],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.assertEqual((done.returncode, done.stderr.count("\n")), (code, 1), (words, done.stderr))

    def test_records_of_devices_are_refused_in_one_sentence(self) -> None:
        run = {
            "chapter": "04_fma_gemm",
            "backend": "cuda",
            "target": "sm90",
            "device": "Abacus 3",
            "commit": "abc",
            "seed": 1,
            "parameters": {},
            "problem": "m 1",
            "verdict": "right",
            "max_error": None,
            "bound": 0,
            "kernels": [{"kernel": "k"}],
        }
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "summary.txt").write_text("Abacus 3, 1.2, 5 MiB\n")
            record = folder / "04_fma_gemm.json"
            record.write_text(json.dumps([run]))
            self.assertEqual([path.name for path in devices.keep(folder)], ["abacus-3.json"])
            wrong: list[Any] = [[], {}, [5], [{**run, "device": "none"}]]
            wrong += [[{**run, key: []}] for key in run if key not in ("kernels",)]
            wrong += [[{k: v for k, v in run.items() if k != key}] for key in run]
            for each in wrong:
                record.write_text(json.dumps(each))
                with self.assertRaises(Stop, msg=str(each)) as stop:
                    devices.keep(folder)
                self.assertEqual(stop.exception.code, 2)
            record.unlink()
            for text in ("", "[]", "{}", '{"backend": "none"}'):
                (folder / "matrix_instructions.json").write_text(text)
                with self.assertRaises(Stop) as stop:
                    devices.keep(folder)
                self.assertEqual(stop.exception.code, 2)


class RecordOfABudget(unittest.TestCase):
    def test_a_budget_finds_the_record_in_which_the_plan_took_its_tile(self) -> None:
        parameters = {"dtype": "f16", "options": "--tile 128x256x32 --split-k 1"}

        def run(note: str, **more: Any) -> dict[str, Any]:
            return {
                "device": "NVIDIA H200",
                "notes": [note],
                "parameters": {"dtype": "f16", "m": 4, "n": 4, "k": 4, **more},
                "seconds": {"kernel": [3.0]},
            }

        problem = mock.Mock(m=4, n=4, k=4)

        def found(one: dict[str, Any]) -> bool:
            return bench.time_of([one], "H200", problem, parameters) is not None

        self.assertTrue(found(run("1 x 1 tiles of 128x256x32, row by row")))
        self.assertTrue(found(run("1 x 1 tiles of 64x64x64, row by row", options="--tile 128x256x32 --split-k 1")))
        self.assertFalse(found(run("1 x 1 tiles of 128x256x32-m2, row by row")))
        self.assertFalse(found(run("1 x 1 tiles of 128x256x32, K in 2 slices, row by row")))
        self.assertFalse(found(run("1 x 1 tiles of 128x256x32, row by row", options="--group 4")))
        parameters["options"] = "--split-k 1"
        self.assertTrue(found(run("1 x 1 tiles of 128x256x32, row by row")))
        self.assertFalse(found(run("1 x 1 tiles of 128x256x32, K in 2 slices, row by row")))


class PagesShowWhatWasMeasured(unittest.TestCase):
    """A budget that says "not measured" beside a record of the same problem has lost that record."""

    def test_no_budget_misses_a_record_of_its_problem(self) -> None:
        looked_at = 0
        for chapter in chapters():
            page = chapter.lab.read_text() if chapter.lab.exists() else ""
            for argument, text in re.findall(r"<!-- budget: (.+?) -->\n(.*?)<!-- /budget -->", page, re.DOTALL):
                rows = budget.parse(argument, str(chapter.lab))
                kernels = [line for line in text.splitlines() if "| the kernel, in thousands |" in line]
                self.assertEqual(len(kernels), len(rows))
                for row, line in zip(rows, kernels):
                    looked_at += 1
                    if "not measured" in line:
                        self.assertEqual(self.runs_like(chapter, row), [], f"{chapter.name}, {row}: {line}")
        self.assertGreater(looked_at, 20)

    def test_the_best_rate_of_mma_sync_is_that_of_all_records(self) -> None:
        """As the end of chapter 17 states it, beside what NVIDIA states of wgmma."""
        page = " ".join((ROOT / "chapters/17_optimized_gemm/README.md").read_text().split())
        (said,) = re.findall(r"`mma.sync` on registers and nothing else reaches (\d+) TFLOP/s in f16 at best", page)
        best = max(
            top["per_second"]
            for chapter in chapters()
            for run in bench.records(chapter)
            for top in run.get("ceilings", [])
            if top["name"].startswith("mma.sync") and top["name"].endswith("f32.f16.f16.f32")
        )
        self.assertEqual(said, f"{best / 1e12:.0f}")
        share = best / roofline.wgmma("NVIDIA H200")
        self.assertIn(f"{said} is {share:.0%}".replace("%", " %"), page)

    @staticmethod
    def runs_like(chapter: repository.Chapter, row: budget.Row) -> list[str]:
        """The commands of records on this row's machine whose problem and options are the row's."""
        wanted = dict(re.findall(r"--(layout|kernel|dtype|out-dtype) (\S+)", row.options))
        names = {"sm90": "H200"}  # the machines of the budgets that have records
        found = []
        for run in bench.records(chapter):
            parameters = run["parameters"]
            if (
                row.target in names
                and names[row.target] in run["device"]
                and all(parameters[key] == getattr(row.problem, key) for key in ("m", "n", "k"))
                and all(parameters.get(key.replace("-", "_")) == value for key, value in wanted.items())
                and ("dtype" in wanted or parameters["dtype"] == "f16")
                and not re.search(r"--(beta|bias|activation|residual|batch|kernel|acc|out-dtype|tile) ", run["command"])
            ):
                found.append(run["command"])
        return found


class MeasuredRates(unittest.TestCase):
    def test_the_rates_of_mma_sync_are_what_the_records_say(self) -> None:
        fastest: dict[str, float] = {}
        for path in (ROOT / "chapters").glob("*/results/bench/nvidia-h200.json"):
            for run in json.loads(path.read_text())["runs"]:
                for ceiling in run["ceilings"]:
                    if ceiling["name"].startswith("mma"):
                        kind = rates.operand_type(ceiling["name"])
                        fastest[kind] = max(
                            fastest.get(kind, 0), ceiling["amount"] / statistics.median(ceiling["seconds"])
                        )
        h200 = rates.machine_of("sm90", BINARIES)
        of_f64 = fastest.pop("f64") / h200.units / (h200.clock.value or 1) / 2
        self.assertGreater(of_f64 / (h200.matrix["f64"].value or 1), 0.97)  # documented, and nearly reached
        self.assertLessEqual(of_f64 / (h200.matrix["f64"].value or 1), 1)
        self.assertEqual(set(fastest), {"f16", "bf16", "tf32", "i8"})
        for kind, per_second in fastest.items():
            measured = per_second / h200.units / (h200.clock.value or 1) / 2
            self.assertAlmostEqual(h200.matrix[kind].value or 0, measured, delta=1, msg=kind)
            self.assertEqual(h200.matrix[kind].evidence, "measured")
        of_units = {"f32": h200.fma.value} | {kind: h200.matrix[kind].value for kind in ("bf16", "tf32", "i8")}
        self.assertEqual(tile_rates.PER_CLOCK, of_units)  # of which a tile reaches a part
        self.assertEqual(tile_rates.CLOCK * 1e9, h200.clock.value)

    def test_wgmma_has_a_rate_of_its_own(self) -> None:
        clocks = rates.machine_of("sm90", BINARIES).matrix_clocks
        self.assertEqual(clocks("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16"), 64 * 256 * 16 / 2048)
        self.assertEqual(clocks("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), 16 * 8 * 16 / 1234)


class KernelHash(unittest.TestCase):
    def test_a_record_outlives_comments_and_includes_but_no_code(self) -> None:
        def hash_of(text: str) -> str:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "kernel.hpp"
                path.write_text(text)
                return repository.kernel_hash(path)

        kernel = '#include <a.hpp>  // a\n\n// What it is.\nint f() {\n  return 1;  // one\n}\n'
        self.assertEqual(hash_of(kernel), hash_of('#include <b.hpp>  // b\nint f() {\n  return 1;\n\n}\n'))
        self.assertNotEqual(hash_of(kernel), hash_of(kernel.replace("1", "2")))

        held = f"namespace tilestep {{\n{kernel}}}  // namespace tilestep\n"
        self.assertEqual(hash_of(held), hash_of(held.replace("tilestep", "tilestep::a")))
        self.assertNotEqual(hash_of(held), hash_of(held.replace("tilestep", "other")))


class Remeasure(unittest.TestCase):
    """One command makes every number again, or says what it lacks."""

    def said(self, has: set[str], codes: dict[str, int]) -> tuple[int, list[str], list[str]]:
        """Exit code, lines and commands where the machine has this and programs end with these codes (0)."""
        ran: list[str] = []

        def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
            ran.append(command[0])
            return subprocess.CompletedProcess(command, codes.get(command[0], 0))

        out = io.StringIO()
        with (
            mock.patch.object(remeasure, "present", return_value=has),
            mock.patch.object(remeasure, "name_of_device", return_value="gpu"),
            mock.patch("subprocess.run", run),
            mock.patch.object(sys, "argv", ["remeasure.py"]),
            contextlib.redirect_stdout(out),
        ):
            return remeasure.main(), out.getvalue().splitlines(), ran

    def test_every_record_is_one_step_s(self) -> None:
        patterns = [step.records for step in remeasure.steps() if step.records]
        found = [path for folder in ("chapters", "tests") for path in ROOT.glob(f"{folder}/**/results/**/*")]
        kept = [path.relative_to(ROOT).as_posix() for path in found if path.is_file() and path.suffix != ".svg"]
        self.assertGreater(len(kept), 50)
        for path in kept:
            self.assertEqual(sum(bool(re.fullmatch(pattern, path)) for pattern in patterns), 1, path)

    def test_each_folder_that_a_tool_keeps_records_in_is_one_step_s(self) -> None:
        patterns = [step.records for step in remeasure.steps() if step.records]
        tools = "".join(path.read_text() for path in sorted((ROOT / "docs/tools").glob("*.py")))
        folders = set(re.findall(r'"results/(\w+)"', tools))
        self.assertGreaterEqual(folders, {"bench", "several"})
        for folder in folders:
            path = f"chapters/21_several_gpus/results/{folder}/gpu.json"
            self.assertEqual(sum(bool(re.fullmatch(pattern, path)) for pattern in patterns), 1, path)

    def test_one_gpu_measures_all_but_products_on_several(self) -> None:
        for second in (False, True):
            with (
                mock.patch.object(remeasure.machine, "nvidia_device", return_value="H200"),
                mock.patch.object(remeasure.machine, "nvcc", return_value="nvcc"),
                mock.patch.object(remeasure.machine, "second_gpu", return_value=second),
            ):
                has = remeasure.present()
            self.assertLessEqual({"nvidia", "gpu"}, has)
            self.assertEqual("several" in has, second)
            ran = self.said(has - {"clang", "host", "ncu"}, {})[1]
            self.assertEqual("products on several GPUs: ./tutorial bench 21 --devices 2" in ran, second)

    def test_ck_s_large_problem_is_on_record_in_three_types(self) -> None:
        """By CK's tile on the virtual GPU, which counts instructions; on a GPU by the chapters."""
        products = 3840 * 4096 * 4096
        for dtype, depth in (("f16", 8), ("f32", 2), ("i8", 16)):
            for device, backend in (("virtual-gpu", "host"), ("nvidia-h200", "cuda")):
                path = ROOT / f"tests/chapters/results/ck-large-{dtype}-{device}.json"
                self.assertTrue(path.exists(), path)
                run = json.loads(path.read_text())
                with self.subTest(path.name):
                    parameters = run["parameters"]
                    problem = [parameters[key] for key in ("m", "n", "k", "batch", "dtype", "layout")]
                    self.assertEqual(problem, [3840, 4096, 4096, 1, dtype, "nt"])
                    self.assertEqual((run["backend"], run["verdict"], run["exit_code"]), (backend, "right", 0))
                    self.assertEqual([check["verdict"] for check in run["checks"]], ["right", "right"])
                    self.assertTrue(all(check["compared"] > 8000 and not check["wrong"] for check in run["checks"]))
                    self.assertEqual((run["hazards"], run["hazard_list"]), (0, []))
                    self.assertEqual(len(run["kernels"]), 2)
                    if backend == "cuda":
                        continue
                    self.assertTrue(run["check"])  # hazards were looked for
                    self.assertEqual(run["chapter"], "ck_large")
                    self.assertEqual(run["notes"], ["15 x 32 tiles of 256x128x32, CK's"])
                    for kernel in run["kernels"]:
                        self.assertEqual((kernel["target"], kernel["blocks"], kernel["threads"]), ("gfx942", 480, 256))
                        ((name, count),) = kernel["matrix_instructions"].items()
                        self.assertRegex(name, rf"^v_mfma_[fi]32_32x32x{depth}_{dtype}$")
                        self.assertEqual(count, products // (32 * 32 * depth))
                        self.assertEqual(kernel["counters"]["fma"], 0)

    def test_ck_s_small_problem_is_on_record_on_amd_s_emulator(self) -> None:
        """The device code of CK's tile on 129 x 129 x 67, and on problems of other edges, without a race."""
        for target, types in (("gfx942", {"f16": 8, "f32": 2, "i8": 16}), ("gfx90a", {"f16": 8, "f32": 2})):
            path = ROOT / f"tests/chapters/results/ck-functional-emulator-of-{target}.json"
            record = json.loads(path.read_text())
            self.assertEqual(record["device"], f"functional emulator of {target}, races detected")
            self.assertEqual(record["source"], "tests/common/block/ck_gemm.hpp")
            small = {run["dtype"] for run in record["runs"] if (run["m"], run["n"], run["k"]) == (129, 129, 67)}
            self.assertEqual(small, set(types))
            for run in record["runs"]:
                m, n, k, dtype = run["m"], run["n"], run["k"], run["dtype"]
                with self.subTest(target=target, m=m, n=n, k=k, dtype=dtype):
                    self.assertEqual((run["tile"], run["threads"]), ("256x128x32", 256))
                    self.assertEqual((run["verdict"], run["compared"], run["wrong"]), ("right", m * n, 0))
                    self.assertLessEqual(run["max_error"], run["bound"])
                    if dtype == "i8" or run["numbers"] == "integers":
                        self.assertEqual(run["bound"], 0)  # compared with ==
                    self.assertEqual((run["races"], run["outside"]), (0, 0))
                    tiles = -(-m // 256) * -(-n // 128) * -(-k // 32)
                    ((name, count),) = run["matrix_instructions"].items()
                    self.assertRegex(name, rf"^v_mfma_[fi]32_32x32x{types[dtype]}_?{dtype}$")
                    self.assertEqual(count, tiles * (256 * 128 * 32) // (32 * 32 * types[dtype]))
                    self.assertEqual(run["instructions"]["barrier"], tiles * 2 * 4)  # two of each of four waves

    def test_its_commands_are_programs_of_the_repository(self) -> None:
        for step in remeasure.steps():
            for command in step.commands:
                self.assertTrue(os.access(ROOT / command.split()[0], os.X_OK), command)
                text = (ROOT / command.split()[0]).read_text() + (ROOT / "docs/tools/tutorial.py").read_text()
                for option in re.findall(r" (--[a-z]+)", command.split(" -- ")[0]):  # what follows is a chapter's
                    self.assertIn(option, text, command)

    def test_what_lacks_its_machine_is_left_out_and_says_so(self) -> None:
        code, lines, ran = self.said({"host"}, {})
        host = ["docs/tools/public_sets.py", "tests/chapters/random_check.py", "tests/common/block/ck_large.py"]
        self.assertEqual((code, ran), (0, [*host, "docs/tools/refresh"]))
        self.assertIn("left out: times: needs a GPU of NVIDIA or AMD and its compiler", lines)
        said = [len(step.commands) if step.needs == "host" else 1 for step in remeasure.steps()]
        self.assertEqual(len(lines), sum(said))

    def test_the_rest_goes_on_after_a_step_that_fails(self) -> None:
        code, lines, ran = self.said({"gpu", "clang", "host"}, {"./tutorial": 1, "tests/backend/hip/gemm_check.py": 77})
        self.assertEqual((code, ran[-1]), (1, "docs/tools/refresh"))
        self.assertIn("failed with exit code 1: ./tutorial bench", lines)
        self.assertIn("left out: tests/backend/hip/gemm_check.py lacks its compiler", lines)

    def test_each_time_on_record_has_the_clocks_before_and_after_it(self) -> None:
        found = sorted(ROOT.glob("chapters/*/results/bench/*.json"))
        self.assertGreater(len(found), 10)
        for path in found:
            for run in json.loads(path.read_text())["runs"]:
                for when in ("before", "after"):
                    self.assertGreater(run[when]["clock_mhz"], 0, f"{path} {run['problem']}")
                    self.assertGreater(run[when]["memory_clock_mhz"], 0, f"{path} {run['problem']}")
                self.assertTrue(run["driver"] and run["toolkit"], path)


class Several(BenchRecords):
    """Records of products on several devices."""

    def run_of(self, serial: float, **more: list[float]) -> dict[str, Any]:
        return {
            "kind": "several",
            "chapter": "01_a",
            "backend": "cuda",
            "device": "Abacus",
            "commit": "abc",
            "command": "mpirun -np 2 /far/away/bin/01_a --kernel gather --bench --json /tmp/x.json",
            "over": "NCCL 2.28.9",
            "ranks": 2,
            "rung": "gather",
            "m": 64,
            "n": 32,
            "k": 16,
            "dtype": "bf16",
            "out_dtype": "bf16",
            "grid": "2x1",
            "chunks": 4,
            "message_units": 32,
            "copy_engines": False,
            "check": {"compared": 256, "max_error": 0, "bound": 1},
            "library": {"name": "Lib 1"},
            "seconds": {"serial": [serial, serial, 9], "communication": [1e-3], "product": [2e-3], **more},
        }

    def keep(self, run: dict[str, Any]) -> None:
        path = self.write("record.json", json.dumps({"runs": [run]}))
        with mock.patch.object(several, "find_chapters", lambda *_: repository.find_chapters([], self.root)):
            generated.settle(several.keep(path), False)

    def page(self) -> str:
        chapter = next(each for each in repository.find_chapters([], self.root) if each.name == "01_a")
        return (several.generate(chapter)[chapter.folder / "README.md"] or b"").decode()

    def test_a_page_shows_times_on_several_devices_and_says_where_there_are_none(self) -> None:
        self.write("chapters/01_a/README.md", "<!-- several -->\n<!-- /several -->\n")
        self.assertIn("not measured", self.page())
        with contextlib.redirect_stdout(io.StringIO()):
            self.keep(self.run_of(8e-3))
            self.keep(self.run_of(4e-3, library_serial=[6e-3, 6e-3, 6e-3]))  # the same problem again: replaced
        page = self.page()
        row = "| 2 x Abacus, NCCL 2.28.9 | gather, 64 x 32 x 16, bf16 -> bf16, by kernels |"
        self.assertIn(row + " 1.000 | 2.000 | 4.000 | 6.000 | 1.50 |", page)
        self.assertEqual(page.count("Abacus"), 1)
        with contextlib.redirect_stdout(io.StringIO()):
            self.keep(self.run_of(4e-3, library_serial=[6e-3] * 3, overlapped=[3e-3] * 3))
        self.assertIn("| 3.000 (4 chunks) | 6.000 | 2.00 |", self.page())
        with contextlib.redirect_stdout(io.StringIO()):
            self.keep({**self.run_of(1e-3), "copy_engines": True})  # another way to move the same
        self.assertIn("bf16 -> bf16, by copy engines | 1.000", self.page())
        self.assertEqual(self.page().count("Abacus"), 2)
        kept = json.loads((self.root / "chapters/01_a/results/several/abacus.json").read_text())["runs"][0]
        self.assertEqual(kept["command"], "mpirun -np 2 build/cuda/bin/01_a --kernel gather --bench")

    def test_a_damaged_record_of_several_devices_is_refused(self) -> None:
        for wrong in ({"seconds": {"serial": []}}, {"kind": "bench"}, {"ranks": -1}):
            path = self.write("record.json", json.dumps({"runs": [{**self.run_of(1), **wrong}]}))
            with self.assertRaises(console.Stop):
                several.keep(path)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--bin"]:  # where the program `machines` is
        BINARIES = Path(sys.argv[2])
        del sys.argv[1:3]
    unittest.main(buffer=True)
