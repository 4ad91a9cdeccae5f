#!/usr/bin/env python3
"""Each rule finds a planted violation and is silent about the good twin."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

from rules import LESSON_LINES, LESSON_WORDS, RULES

# A kernel of chapter 17 that is made of eight headers of block; what the last of them includes is left to the case.
EIGHT_HEADERS = {
    "chapters/CMakeLists.txt": "add_subdirectory(01_a)\nadd_subdirectory(02_b)\nadd_subdirectory(17_d)\n",
    "chapters/17_d/CMakeLists.txt": 'add_chapter(17_d ADDS "d")\n',
    "chapters/17_d/README.md": "# d\n",
    "chapters/17_d/kernel.hpp": '#pragma once\n#include "part.hpp"  // a part\n',
    "chapters/17_d/part.hpp": "".join(f"#include <tilestep/block/b{i}.hpp>  // b\n" for i in range(8)),
    **{f"common/include/tilestep/block/b{i}.hpp": "#pragma once\n" for i in range(7)},
    "common/include/tilestep/block/ninth.hpp": "#pragma once\n",
    "common/include/tilestep/core.hpp": "#pragma once\n",
}
FEATURES = "# F\n\nA1 to A2.\n\n## All\n\n**A1** One.\n\n- a.cpp: it works well\n\n**A2** Two.\n\n- ctest: b: x fresh\n"
A_TEST = 'TEST_CASE("it works "\n  "well", "[a]") {}\n'
A_CTEST = 'add_test(NAME "b: ${tool} fresh" COMMAND a)\n'
OF_CHAPTERS = """foreach(part expected figures)
  tilestep_tool_test("chapter ${name}: ${part}" ${part}.py ${name})
endforeach()
"""
PICTURED = {
    "tests/features.md": FEATURES.replace("- ctest: b: x fresh", "- ctest: chapter 01_a: figures"),
    "tests/a.cpp": A_TEST,
    "common/cmake/TilestepChapter.cmake": OF_CHAPTERS,
}

# rule -> ({file: text that breaks it}, {file: its good twin}). The tree around them is GOOD_TREE.
CASES: dict[str, list[tuple[dict[str, str], dict[str, str]]]] = {
    "layering": [
        (
            {"common/include/tilestep/layout/a.hpp": "#include <tilestep/tensor/b.hpp>  // tensors\n"},
            {"common/include/tilestep/tensor/b.hpp": "#include <tilestep/layout/a.hpp>  // layouts\n"},
        ),
        (
            {"common/include/tilestep/core.hpp": "#include <tilestep/layout.hpp>  // layouts\n"},
            {"common/include/tilestep/layout.hpp": "#include <tilestep/core.hpp>  // integers\n"},
        ),
        (
            {"common/backend/host/src/a.cpp": "#include <tilestep/harness/npy.hpp>\n"},
            {"common/backend/host/src/a.cpp": "#include <tilestep/core/tuple.hpp>\n"},
        ),
        (
            {"common/src/show/svg.cpp": "#include <tilestep/harness/npy.hpp>\n"},
            {"common/harness/tilestep/harness/a.cpp": "#include <tilestep/show/svg.hpp>\n"},
        ),
        (
            {"common/harness/tilestep/harness/a.hpp": "#include <tilestep/cute/atoms.hpp>  // names\n"},
            {"common/harness/tilestep/harness/a.hpp": "#include <tilestep/block/gemm.hpp>  // a product\n"},
        ),
        (
            {"common/harness/tilestep/harness.hpp": "#include <tilestep/cute.hpp>  // names\n"},
            {"common/harness/tilestep/harness.hpp": "#include <tilestep/harness/npy.hpp>  // files\n"},
        ),
    ],
    "kernels_without_harness": [
        (
            {"chapters/01_a/kernel.hpp": "#pragma once\n#include <tilestep/harness/npy.hpp>  // files\n"},
            {"chapters/01_a/main.cpp": "#include <tilestep/harness/npy.hpp>  // files\n"},
        ),
        (
            {
                "chapters/01_a/kernel.hpp": '#pragma once\n#include "part.hpp"  // a part\n',
                "chapters/01_a/part.hpp": "#pragma once\n#include <tilestep/block/c.hpp>  // c\n",
                "common/include/tilestep/block/c.hpp": "#pragma once\n#include <tilestep/harness/npy.hpp>  // files\n",
            },
            {
                "chapters/01_a/kernel.hpp": '#pragma once\n#include "part.hpp"  // a part\n',
                "chapters/01_a/part.hpp": "#pragma once\n#include <tilestep/core.hpp>  // integers\n",
            },
        ),
    ],
    "chapters_stand_alone": [
        (
            {"chapters/02_b/main.cpp": '#include "../01_a/kernel.hpp"\n'},
            {"chapters/02_b/main.cpp": '#include "kernel.hpp"\n'},
        ),
        ({"chapters/02_b/main.cpp": "#include <fmt/format.h>\n"}, {"chapters/02_b/main.cpp": "#include <cstdio>\n"}),
        ({"common/harness/tilestep/harness/a.cpp": '#include "chapters/01_a/kernel.hpp"\n'}, {}),
    ],
    "chapter_files": [
        ({"chapters/03_c/main.cpp": "int main() {}\n"}, {}),
        ({"chapters/01_a/exercises/03_z/check.cpp": "int main() {}\n"}, {}),
        (
            {
                "chapters/CMakeLists.txt": "add_subdirectory(01_a)\nadd_subdirectory(02_b)\nadd_subdirectory(03_c)\n",
                "chapters/03_c/CMakeLists.txt": 'add_chapter(03_c ADDS "c")\n',
            },
            {},
        ),
    ],
    "measured_pages": [
        (
            {
                "chapters/01_a/main.cpp": "int main() { return gemm_main(); }\n",
                "chapters/01_a/lab.md": "<!-- bench -->\n<!-- /bench -->\n",
            },
            {
                "chapters/01_a/main.cpp": "int main() { return gemm_main(); }\n",
                "chapters/01_a/lab.md": "<!-- budget: x -->\n<!-- /budget -->\n<!-- bench -->\n<!-- /bench -->\n",
            },
        ),
        (
            {
                "chapters/01_a/main.cpp": "int main() { return gemm_main(); }\n",
                "chapters/01_a/lab.md": "<!-- budget: x -->\n",
            },
            {"chapters/01_a/main.cpp": "int main() {}\n", "chapters/01_a/lab.md": "# a\n"},
        ),
        (
            {
                "chapters/01_a/main.cpp": "int main() { return gemm_main(); }\n",
                "chapters/01_a/README.md": "<!-- budget: x -->\n<!-- /budget -->\n<!-- bench -->\n<!-- /bench -->\n",
            },
            {},
        ),
    ],
    "line_budget": [
        (
            {
                "common/include/tilestep/core/big.hpp": "int x;\n" * 1336,
                "common/include/tilestep/tensor/big.hpp": "int x;\n" * 1336,
            },
            {
                "common/include/tilestep/core/big.hpp": "int x;\n" * 1336,
                "common/include/tilestep/tensor/big.hpp": "// x\n\n" * 1335,
            },
        )
    ],
    "line_widths": [
        (
            {".ci/run": "#" * 121, "tests/CMakeLists.txt": "#" * 121, "tests/a.cpp": "// " + "x" * 118},
            {"tests/a.cpp": "// " + "x" * 117, "chapters/17_a/tables/a.hpp": "x" * 121, "LICENSE.txt": "x" * 121},
        )
    ],
    "small_sources": [
        (
            {f"chapters/{n}_a/plan.hpp": "\n" * 15 for n in range(22)},  # beside four of the tree
            {
                **{f"chapters/{n}_a/plan.hpp": "\n" * 15 for n in range(21)},
                "chapters/25_a/plan.hpp": "\n" * 16,
                "chapters/25_a/exercises/01_b/exercise.hpp": "\n",
            },
        )
    ],
    "kernel_headers": [
        (
            {
                **EIGHT_HEADERS,
                "common/include/tilestep/block/b7.hpp": "#include <tilestep/block/ninth.hpp>  // one more\n",
            },
            {**EIGHT_HEADERS, "common/include/tilestep/block/b7.hpp": "#include <tilestep/core.hpp>  // integers\n"},
        )
    ],
    "prose_widths": [
        (
            {
                "docs/a.md": "a " * 60 + "a\n",
                "chapters/01_a/README.md": "<!-- madeof -->\n<!-- /madeof -->\n" + "b " * 61,
            },
            {
                "docs/a.md": "a " * 59
                + "a\n| "
                + "a " * 60
                + "|\n```\n"
                + "a " * 61
                + "\n```\n<!-- budget: a | b -->\n"
                + "a " * 61
                + "\n<!-- /budget -->\n<!-- whatchanged -->\n"
                + "a " * 61
                + "\n<!-- /whatchanged -->\n"
            },
        )
    ],
    "test_names": [
        (
            {"tests/common/test_a.cpp": 'TEST_CASE("--help helps") {}\n'},
            {"tests/common/test_a.cpp": 'TEST_CASE("The option --help helps") {}\n'},
        )
    ],
    "file_lengths": [
        (
            {"common/include/tilestep/core/long.hpp": "//\n" * 301},
            {"common/include/tilestep/core/long.hpp": "//\n" * 300},
        ),
        ({"common/backend/host/include/long.hpp": "//\n" * 301}, {}),
        ({"chapters/01_a/kernel.hpp": "//\n" * 151}, {"chapters/01_a/kernel.hpp": "//\n" * 150}),
        ({"chapters/01_a/main.cpp": "//\n" * 81}, {"chapters/01_a/main.cpp": "//\n" * 80}),
    ],
    "lesson_sizes": [
        (
            {"chapters/01_a/README.md": "\n" * (LESSON_LINES + 1)},
            {"chapters/01_a/README.md": "\n" * LESSON_LINES + "<details>\n\n</details>\n"},
        ),
        (
            {"chapters/01_a/README.md": "a `b` " * (LESSON_WORDS // 2) + "c\n"},
            {
                "chapters/01_a/README.md": "a `b` " * (LESSON_WORDS // 2)
                + "\n| c | d |\n|---|---|\n```cpp\nint e;\n```\n<!-- f -->\n"
            },
        ),
        (
            {"chapters/01_a/README.md": "| a | b | c | d | e | f |\n|---|--:|---|---|---|---|\n"},
            {
                "chapters/01_a/README.md": "| a | b \\| c | d | e | f |\n|---|--:|---|---|---|\n",
                "chapters/01_a/lab.md": "\n" * 999 + "| a | b | c | d | e | f |\n|---|---|---|---|---|---|\n",
            },
        ),
        (
            {"chapters/01_a/README.md": "# A\n\n## What you will learn\n\n" + "- A thing.\n" * 6},
            {"chapters/01_a/README.md": "# A\n\n## What you will learn\n\n" + "- A\n  b.\n" * 5 + "\n## B\n\n- C\n"},
        ),
    ],
    "vendor_conditions": [
        (
            {"chapters/01_a/kernel.hpp": "#pragma once\n#ifdef __CUDA_ARCH__\n#endif\n"},
            {"common/include/tilestep/atom/mma.hpp": "#pragma once\n#ifdef __CUDA_ARCH__\n#endif\n"},
        ),
        (
            {"common/include/tilestep/algorithm/a.hpp": "#  if defined(__HIP_PLATFORM_AMD__)\n#endif\n"},
            {"common/backend/hip/include/a.hpp": "#if defined(__gfx942__)\n#endif\n"},
        ),
    ],
    "forbidden_marks": [
        (
            {"common/include/tilestep/core/a.hpp": "// TO" + "DO: later\n"},
            {"common/include/tilestep/core/a.hpp": "// todos\n"},
        ),
        ({"tests/a.cpp": "#if " + "0\n#endif\n"}, {"tests/a.cpp": "#if 01\n#endif\n"}),
        ({"chapters/01_a/README.md": "FIX" + "ME\n"}, {}),
    ],
    "pragma_once": [({"tests/support/a.hpp": "int x;\n"}, {"tests/support/a.hpp": "#pragma once\nint x;\n"})],
    "explained_headers": [
        (
            {"common/include/tilestep/core/a.hpp": "#pragma once\nint x;\n"},
            {"common/include/tilestep/core/a.hpp": "#pragma once\n// What it is.\nint x;\n"},
        ),
        (
            {"common/include/tilestep/core/a.hpp": "#pragma once\n// What.\n#include <cstdint>\n"},
            {"common/include/tilestep/core/a.hpp": "#pragma once\n// What.\n#include <cstdint>  // std::int64_t\n"},
        ),
    ],
    "comparisons_that_nan_passes": [
        (
            {"tests/a.cpp": "if (std::abs(a - b) > tol) return 1;\n"},
            {"tests/a.cpp": "if (!(std::abs(a - b) <= tol)) return 1;\n"},
        ),
        ({"tests/a.cpp": "if (error > bound) fail();\n"}, {"tests/a.cpp": "if (!(error <= bound)) fail();\n"}),
    ],
    "swallowed_failures": [
        (
            {"tests/a.cpp": "try { f(); } catch (..." + ") {}\n"},
            {"tests/a.cpp": "try { f(); } catch (...) { throw; }\n"},
        ),
        ({".ci/run": "make ||" + " true\n"}, {".ci/run": "make\n"}),
    ],
    "features_have_tests": [
        (
            {"tests/features.md": FEATURES.replace("it works", "it worked"), "tests/a.cpp": A_TEST},
            {"tests/features.md": FEATURES, "tests/a.cpp": A_TEST, "tests/CMakeLists.txt": A_CTEST},
        ),
        (
            {
                "tests/features.md": FEATURES,
                "tests/a.cpp": A_TEST.replace("[a]", "[.a]"),
                "tests/CMakeLists.txt": A_CTEST,
            },
            {},
        ),
        ({"tests/features.md": FEATURES, "tests/a.cpp": A_TEST}, {}),
        ({"tests/features.md": FEATURES.replace("A1 to A2", "A1 to A3"), "tests/a.cpp": A_TEST}, {}),
        (
            {
                "tests/features.md": FEATURES.replace("- ctest: b: x fresh\n", ""),
                "tests/a.cpp": A_TEST,
                "tests/CMakeLists.txt": A_CTEST,
            },
            {},
        ),
        (PICTURED, {**PICTURED, "chapters/01_a/figures.cpp": "int f();\n"}),
        (
            {**PICTURED, "chapters/01_a/figures.cpp": "int f();\n", "common/cmake/TilestepChapter.cmake": "\n"},
            {**PICTURED, "tests/features.md": FEATURES.replace("b: x fresh", "chapter 02_b: expected")},
        ),
    ],
    "records_without_paths": [
        (
            {"chapters/01_a/results/bench/d.json": '{"command": "/home/me/build/cuda/bin/01_a --m 8"}\n'},
            {"chapters/01_a/results/bench/d.json": '{"command": "build/cuda/bin/01_a --m 8", "rate": "TFLOP/s"}\n'},
        ),
        (
            {"tests/a/results/d.json": '{"command": "x --json /tmp/a/record.json"}\n'},
            {"tests/a/other.json": '"/tmp/a/b"\n'},
        ),
    ],
    "a_run_is_one_problem": [
        (
            {"chapters/01_a/README.md": "The first runs three\nproblems on three targets.\n"},
            {"chapters/01_a/README.md": "The first runs one problem. Tuning takes three problems.\n"},
        ),
    ],
    "plain_words": [
        (
            {"chapters/01_a/README.md": "It is simply a stride.\n"},
            {"chapters/01_a/README.md": "It is a stride, `just`.\n"},
        )
    ],
    "symptoms_have_sections": [
        (
            {
                "common/backend/any/include/tilestep/backend/report.hpp": '    {"a kind", "a-kind"},\n',
                "docs/symptoms.md": "## wrong-result\n",
            },
            {
                "common/backend/any/include/tilestep/backend/report.hpp": '    {"a kind", "a-kind"},\n',
                "docs/symptoms.md": "## a-kind\n\n## wrong-result\n",
            },
        ),
        (
            {"common/backend/any/include/tilestep/backend/report.hpp": "", "docs/symptoms.md": "## no-kind\n"},
            {"common/backend/any/include/tilestep/backend/report.hpp": "", "docs/symptoms.md": "## wrong-result\n"},
        ),
    ],
    "links_resolve": [
        ({"README.md": "[a](chapters/09_none/README.md)\n"}, {"README.md": "[a](chapters/01_a/README.md)\n"}),
        (
            {"README.md": "[a](chapters/01_a/README.md#not-there)\n"},
            {"README.md": "[a](chapters/01_a/README.md#a-title)\n"},
        ),
        (
            {"README.md": "![figure](figures/none.svg)\n"},
            {"README.md": "```\n[a](none.md)\n```\n[b](https://none.invalid)\n"},
        ),
    ],
}

WORDS = "| here | what | |\n|---|---|---|\n| bank conflict, bank | a wait | [02](../chapters/02_b/README.md) |\n"
BOLD = WORDS.replace("bank conflict, bank", "**bank**")


def bank_page(text: str) -> dict[str, str]:
    return {"chapters/02_b/README.md": f"# B\n\n{text}\n"}


CASES["words_after_their_chapter"] = [
    (
        {"docs/glossary.md": WORDS, "chapters/01_a/README.md": "# A\n\nIt has bank\nconflicts.\n"},
        {"docs/glossary.md": WORDS, "chapters/02_b/README.md": "# B\n\nIt has bank\nconflicts.\n"},
    ),
    (
        {"docs/glossary.md": WORDS, "chapters/01_a/README.md": "# A\n\nA bank conflict.\n\nChapter 02 has more.\n"},
        {"docs/glossary.md": WORDS, "chapters/01_a/README.md": "# A\n\nChapter 02 meets\nbank conflicts. A bank.\n"},
    ),
    (
        {"docs/glossary.md": WORDS, "chapters/01_a/README.md": "# A\n\nBank conflicts are in the last chapter.\n"},
        {"docs/glossary.md": WORDS, "chapters/01_a/README.md": "# A\n\nBank conflicts are in the next chapter.\n"},
    ),
    (
        {"docs/glossary.md": WORDS.replace("[02](../chapters/02_b/README.md)", "02")},
        {"docs/glossary.md": WORDS, "chapters/01_a/README.md": "# A\n\n```\nbank conflicts\n```\nA `bank conflict`.\n"},
    ),
    (
        {"docs/glossary.md": WORDS.replace("README.md)", "README.md), [09](../chapters/09_c/README.md)")},
        {"docs/glossary.md": WORDS},
    ),
    (
        {"docs/glossary.md": BOLD, "chapters/01_a/README.md": "# A\n\nTwo\nbanks.\n", **bank_page("A **bank** gives.")},
        {"docs/glossary.md": BOLD, "chapters/01_a/README.md": "# A\n\nA bankrupt. `bank`\n", **bank_page("A *bank*.")},
    ),
    (
        {"docs/glossary.md": BOLD, **bank_page("A bank gives **one** word, **a**\nbank **b**.")},
        {"docs/glossary.md": BOLD, **bank_page("Shared memory has 32\n**memory\nbanks**.")},
    ),
    (
        {"docs/glossary.md": BOLD.replace("[02](../chapters/02_b/README.md)", ""), **bank_page("A **bank**.")},
        {"docs/glossary.md": BOLD.replace("**", ""), "chapters/01_a/README.md": "# A\n\nA bank.\n"},
    ),
]

ANSWER, ANSWERS = ("\n<details>\n<summary>{}</summary>\n\nB.\n\n</details>\n".format(a) for a in ("Answer", "Answers"))
ASKED = "# A\n\n**Predict.** A?\n{}\n**Change.** B.\n{}\n## C\n{}"
CASES["questions_have_answers"] = [
    (
        {"chapters/01_a/README.md": ASKED.format(*answers)},
        {"chapters/01_a/README.md": ASKED.format(*good)},
    )
    for answers, good in [
        (("", "", ""), (ANSWER, ANSWER, "")),
        ((ANSWER, "", ANSWER), ("", ANSWERS, "")),
        (("", ANSWER, ""), (ANSWER.replace("B", "**Predict** B."), ANSWER, "")),
        (("", ANSWER.replace("Answer", "What it prints"), ""), (ANSWER, "\n`Predict`\n" + ANSWER, "Changes.\n")),
    ]
]

CASES["properties_not_names"] = [
    ({f"{folder}/a.{kind}": f"bool const x = {bad};\n"}, {f"{folder}/a.{kind}": f"bool const x = {good};\n"})
    for folder, kind, bad, good in [
        ("chapters/01_a", "hpp", 'call.target == "sm90"', "target_info(call.target).clusters"),
        ("chapters/01_a", "cpp", '!call.target.starts_with("gfx")', 'call.dtype.starts_with("sm")'),
        ("common/src", "cpp", 'target().name != "gfx942"', 'read(target_info("gfx942"))'),
        ("common/harness", "cpp", 'target().name == "sm80"', 'read(target_info("sm80"))'),
        ("common/include", "hpp", 'target().name.starts_with("sm")', "target().vendor == Vendor::nvidia"),
    ]
]

GOOD_CHAPTER = {
    "README.md": "# A title\n",
    "kernel.hpp": "#pragma once\n",
    "main.cpp": "int main() {}\n",
    "expected/output.txt": "$ x\n",
    **{
        f"exercises/{exercise}/{name}": "#pragma once\n"
        for exercise in ("01_x", "02_y")
        for name in ("check.cpp", "exercise.hpp", "solution.hpp", "wrong.hpp", "hint.md")
    },
}
GOOD_TREE = {
    "chapters/CMakeLists.txt": "add_subdirectory(01_a)\nadd_subdirectory(02_b)\n",
    "chapters/01_a/CMakeLists.txt": 'add_chapter(01_a ADDS "a")\n',
    "chapters/02_b/CMakeLists.txt": 'add_chapter(02_b BUILDS_ON 01_a ADDS "b")\n',
    **{f"chapters/{chapter}/{name}": text for chapter in ("01_a", "02_b") for name, text in GOOD_CHAPTER.items()},
}


class EachRule(unittest.TestCase):
    def findings(self, name: str, planted: dict[str, str]) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            for path, text in {**GOOD_TREE, **planted}.items():
                (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / path).write_text(text)
            return list(RULES[name](Path(folder)))

    def test_every_rule_has_a_case(self) -> None:
        self.assertEqual(set(CASES), set(RULES))

    def test_the_good_tree_breaks_no_rule(self) -> None:
        for name in RULES:
            self.assertEqual(self.findings(name, {}), [], name)

    def test_planted_violations_are_found_and_good_twins_are_not(self) -> None:
        for name, cases in CASES.items():
            for bad, good in cases:
                with self.subTest(rule=name, bad=list(bad)):
                    self.assertEqual(len(self.findings(name, bad)) > 0, True)
                    self.assertEqual(self.findings(name, good), [])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--registered"]:  # the names that CMake has made tests of
        sys.exit(0 if set(sys.argv[2:]) == set(RULES) else f"not the same: {sorted(sys.argv[2:])} and {sorted(RULES)}")
    unittest.main(buffer=True)
