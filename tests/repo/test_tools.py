#!/usr/bin/env python3
"""The tools of docs/tools on small inputs: what they write, and what they refuse."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs/tools"))
import commands  # noqa: E402
import counters  # noqa: E402
import exercises  # noqa: E402
import expected  # noqa: E402
import figures  # noqa: E402
import generated  # noqa: E402
import index  # noqa: E402
import packages  # noqa: E402
import run_chapters  # noqa: E402
import run_tests  # noqa: E402
import snippets  # noqa: E402
import whatchanged  # noqa: E402
from console import Stop  # noqa: E402
from repository import ROOT, Mistake, chapters, find_chapters  # noqa: E402

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
        page = self.write("chapters/01_a/README.md", "# One\n<!-- snippet: kernel.hpp#inner -->\nold\n<!-- /snippet -->\nend\n")
        chapter = chapters(self.root)[0]
        self.assertEqual(generated.settle(snippets.generate(chapter, Path()), check=True), 1)
        self.assertEqual(generated.settle(snippets.generate(chapter, Path()), check=False), 0)
        self.assertEqual(page.read_text(),
                         "# One\n<!-- snippet: kernel.hpp#inner -->\n```cpp\nint b;\n```\n<!-- /snippet -->\nend\n")
        self.assertEqual(generated.settle(snippets.generate(chapter, Path()), check=True), 0)


class Snippets(TreeTest):
    def test_a_region_loses_marks_and_common_indentation(self) -> None:
        self.assertEqual(snippets.snippet(self.root / "chapters/01_a", "kernel.hpp#body"), "```cpp\nint a;\nint b;\n```")

    def test_an_unknown_region_or_file_is_refused(self) -> None:
        for reference in ("kernel.hpp#none", "none.hpp#body"):
            with self.assertRaises(Mistake):
                snippets.snippet(self.root / "chapters/01_a", reference)

    def test_a_command_is_chosen_by_number(self) -> None:
        self.write("chapters/01_a/expected/output.txt", "$ one\n1\n$ two\n2\n[exit code 2]\n")
        folder = self.root / "chapters/01_a"
        self.assertEqual(snippets.snippet(folder, "expected/output.txt#2"), "```console\n$ two\n2\n[exit code 2]\n```")
        with self.assertRaises(Mistake):
            snippets.snippet(folder, "expected/output.txt#3")


class CountersTable(TreeTest):
    RECORD = '{"kernels": [{"counters": {"global_load_requests": 3, "fma": 0}}, {"counters": {"global_load_requests": 1200, "fma": 0}}]}'

    def test_adds_launches_up_and_leaves_out_what_is_zero(self) -> None:
        self.program("bin/01_a", f"[ \"$2\" = sm80 ] && [ \"$3\" = --m ] && echo '{self.RECORD}'")
        text = counters.block(chapters(self.root)[0], self.root / "bin", "sm80 | --m 1 | two = --m 2")
        self.assertEqual(text, "| problem | target | load requests |\n|---|---|--:|\n| `--m 1` | sm80 | 1,203 |\n| two | sm80 | 1,203 |")

    def test_a_run_that_fails_and_a_block_without_problems_are_refused(self) -> None:
        self.program("bin/01_a", "echo no such size >&2; exit 2")
        with self.assertRaisesRegex(Mistake, "no such size"):
            counters.block(chapters(self.root)[0], self.root / "bin", "sm80 | --m 1")
        with self.assertRaisesRegex(Mistake, "wants TARGETS"):
            counters.block(chapters(self.root)[0], self.root / "bin", "sm80")


class WhatChanged(TreeTest):
    def test_counts_lines_without_marks(self) -> None:
        text = whatchanged.changes(chapters(self.root)[1])
        self.assertIn("2 lines added, 1 removed", text)
        self.assertIn("\n+    long a;\n", text)
        self.assertNotIn("[body]", text)

    def test_wants_a_chapter_to_compare_with(self) -> None:
        with self.assertRaises(Mistake):
            whatchanged.changes(chapters(self.root)[0])


class Lists(TreeTest):
    def test_the_ladder_links_as_seen_from_the_page(self) -> None:
        page = self.write("chapters/README.md", "")
        self.assertIn("| [01_a](01_a/README.md) | layouts (nested) |", index.ladder(page))
        self.assertIn("| [01_a](chapters/01_a/README.md) |", index.ladder(self.write("README.md", "")))

    def test_headers_stand_in_the_order_of_the_umbrella(self) -> None:
        self.write("common/include/tilestep/core.hpp", "#include <tilestep/core/b.hpp>  // x\n#include <tilestep/core/a.hpp>\n")
        self.write("common/include/tilestep/core/a.hpp", "#pragma once\n// What a is. More.\n")
        self.write("common/include/tilestep/core/b.hpp", "#pragma once\n// What b is, over\n// two lines. More.\n")
        text = index.headers(self.write("common/README.md", ""), "core")
        self.assertLess(text.index("What b is, over two lines |"), text.index("What a is |"))


class Outputs(TreeTest):
    def test_commands_of_the_front_door_are_the_chapters_programs(self) -> None:
        call = expected.program_call("./tutorial run 2 --target gfx942 -- --m 5", self.root)
        self.assertEqual(call, ["build/host/bin/02_b", "--target", "gfx942", "--m", "5"])
        self.assertEqual(expected.program_call("build/host/bin/02_b --m 5", self.root), ["build/host/bin/02_b", "--m", "5"])
        self.assertIsNone(expected.program_call("./tutorial run 2 --backend cuda", self.root))
        self.assertIsNone(expected.program_call("./tutorial test", self.root))

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

    def test_its_files_must_be_there(self) -> None:
        self.write("ex/exercise.hpp", "")
        self.assertEqual(exercises.check("solution", self.root / "ex", self.program("program", "exit 0")), 1)


class RunTable(unittest.TestCase):
    def outcome(self, code: int, chapter: str = "01_a", record: bool = True) -> run_chapters.Outcome:
        fields = {"max_error": 1e-7, "bound": 2e-7, "hazards": 0} if record else {}
        return run_chapters.Outcome(chapter, "sm80", "", fields, code, "")

    def test_the_worst_exit_code_wins(self) -> None:
        for codes, worst in (([0, 0], 0), ([0, 1], 1), ([1, 4], 4), ([2, 1], 1), ([0, 3], 0), ([3, 3], 3), ([0, -11], 1)):
            self.assertEqual(run_chapters.report([self.outcome(code) for code in codes], []), worst, codes)

    def test_a_chapter_that_is_right_nowhere_is_not_right(self) -> None:
        self.assertEqual(run_chapters.report([self.outcome(0), self.outcome(3, "02_b")], []), 3)

    def test_exit_code_0_without_a_record_is_not_right(self) -> None:
        self.assertEqual(run_chapters.report([self.outcome(0, record=False)], []), 1)


class TestPrograms(unittest.TestCase):
    def test_catch2_cases_are_counted(self) -> None:
        self.assertEqual(run_tests.count_cases("All tests passed (12 assertions in 3 test cases)"), 3)
        self.assertEqual(run_tests.count_cases("test cases: 4 | 3 passed | 1 failed"), 4)


class Backports(unittest.TestCase):
    WANTED = "Types: deb\nURIs: http://mirror.invalid/debian\nSuites: bookworm-backports\nComponents: main\n"

    def test_come_from_a_deb822_source(self) -> None:
        text = ("# a comment\nTypes: deb deb-src\nURIs: http://mirror.invalid/debian\nSuites: bookworm bookworm-updates\n"
                "Components: main contrib\nSigned-By: /usr/share/keyrings/k.gpg\n\n"
                "Types: deb\nURIs: http://security.invalid\nSuites: bookworm-security\nComponents: main\n")
        self.assertEqual(packages.backports_source(packages.deb822_sources(text), "bookworm"),
                         self.WANTED + "Signed-By: /usr/share/keyrings/k.gpg\n")

    def test_keep_a_key_that_stands_in_the_source(self) -> None:
        text = self.WANTED.replace("-backports", "") + "Signed-By:\n -----BEGIN\n .\n abc\n"
        self.assertTrue(packages.backports_source(packages.deb822_sources(text), "bookworm")
                        .endswith("Signed-By: \n -----BEGIN\n .\n abc\n"))

    def test_come_from_a_one_line_source(self) -> None:
        lines = ["# deb http://no.invalid bookworm main", "deb cdrom:[x]/ bookworm main",
                 "deb-src http://mirror.invalid/debian bookworm main",
                 "deb [arch=amd64,i386 signed-by=/k.gpg] http://mirror.invalid/debian bookworm main non-free # note"]
        sources = [fields for line in lines if (fields := packages.one_line_source(line))]
        self.assertEqual(packages.backports_source(sources, "bookworm"),
                         self.WANTED + "Architectures: amd64 i386\nSigned-By: /k.gpg\n")

    def test_disabled_and_foreign_sources_give_none(self) -> None:
        text = self.WANTED.replace("-backports", "")
        for sources, release in ((packages.deb822_sources(text + "Enabled: no\n"), "bookworm"),
                                 (packages.deb822_sources(text), "trixie"), (packages.deb822_sources(text), "")):
            with self.assertRaises(Stop):
                packages.backports_source(sources, release)


class FrontDoor(unittest.TestCase):
    def call(self, *words: str, path: str = os.environ["PATH"]) -> subprocess.CompletedProcess[str]:
        return subprocess.run([ROOT / "tutorial", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "PATH": path})

    def test_helps_with_every_verb(self) -> None:
        for words in (["--help"], ["run", "--help"], ["test", "--help"], ["docs", "--help"], ["doctor", "--help"]):
            done = self.call(*words)
            self.assertEqual((done.returncode, "usage: ./tutorial" in done.stdout), (0, True), words)

    def test_refuses_what_it_does_not_know(self) -> None:
        for words in (["walk"], ["run", "77"], ["run", "--backend", "abacus"], ["run", "--", "--m", "1"]):
            self.assertEqual(self.call(*words).returncode, 2, words)

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
        with mock.patch.object(packages, "root_command", return_value=None), \
                mock.patch.object(packages, "prefixes", return_value=[]):
            with self.assertRaises(Stop) as stop:
                packages.ensure("run")
        self.assertEqual(stop.exception.code, 3)
        self.assertIn("apt-get install -y --no-install-recommends", str(stop.exception))
        self.assertIn("libcli11-dev", str(stop.exception))
        self.assertNotIn("libcatch2-dev", str(stop.exception))  # test alone wants it


if __name__ == "__main__":
    unittest.main(buffer=True)
