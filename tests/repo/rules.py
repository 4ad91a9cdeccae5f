#!/usr/bin/env python3
"""The rules of the repository that a program can check. Each rule takes the repository's root and yields sentences
about what breaks it; test_rules.py plants a violation of each and expects it to be found.

usage: rules.py [RULE ...]     without a name, every rule
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Callable, Iterator

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs/tools"))
from madeof import block_headers  # noqa: E402
from repository import ROOT, chapters  # noqa: E402
from wrap import WIDTH, page, pages, paragraphs  # noqa: E402

Rule = Callable[[Path], Iterator[str]]
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    RULES[function.__name__] = function
    return function


# ---- what the rules look at
# ------------------------------------------------------------------------------------------------

CODE = (".hpp", ".cpp", ".cmake", ".py")


def files(root: Path, *suffixes: str, under: str = "") -> Iterator[Path]:
    """The files of the tree with one of the suffixes; build trees and hidden folders are no part of it."""
    for path in sorted((root / under).rglob("*")):
        parts = path.relative_to(root).parts
        if (
            path.is_file()
            and path.suffix in suffixes
            and not any(p.startswith((".", "build")) or p == "__pycache__" for p in parts[:-1])
        ):
            yield path


def lines_of(path: Path) -> list[tuple[int, str]]:
    return list(enumerate(path.read_text(errors="replace").splitlines(), 1))


def code_lines(path: Path) -> int:
    """Lines that hold more than a comment or nothing."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), path.read_text(), flags=re.S)
    return sum(1 for line in text.splitlines() if re.sub(r"//.*", "", line).strip())


def prose(text: str, spans: bool = False) -> str:
    """Markdown without fenced blocks, code spans (unless they are wanted) and comments; line numbers stay."""
    text = re.sub(r"^(`{3,})[^\n]*\n.*?^\1[ \t]*$", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S | re.M)
    text = re.sub(r"<!--.*?-->", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)
    return text if spans else re.sub(r"(`+)[^\n]*?\1", "", text)


INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"](.*)$')


def includes(path: Path) -> Iterator[tuple[int, str, str, str]]:
    """(line, bracket or quote, name, what follows) of each include."""
    for number, line in lines_of(path):
        match = INCLUDE.match(line)
        if match:
            yield number, *match.groups()


# ---- structure
# -------------------------------------------------------------------------------------------------------------

# What each layer may include, beside itself. The backend stands below everything: it knows only the core.
BELOW = {"core": [], "layout": ["core"], "tensor": ["layout", "core"], "atom": ["tensor", "layout", "core"]}
BELOW["algorithm"] = ["atom", *BELOW["atom"]]
BELOW["block"] = ["algorithm", *BELOW["algorithm"]]
BELOW["show"] = BELOW["harness"] = BELOW["cute"] = ["block", *BELOW["block"]]
BELOW["harness"] = ["show", *BELOW["show"]]
HARNESS = "common/harness"  # its headers and sources: those of the library lie below common/include and common/src
EVERY_LAYER = [*BELOW, "backend", "tilestep"]


def layer_of(name: str) -> str:
    """<tilestep/layout/swizzle.hpp> and <tilestep/layout.hpp> belong to layout; other includes to no layer."""
    match = re.match(r"tilestep/(\w+)(?:/|\.hpp$)", name)
    return match.group(1) if match else ""


# A comparison of a target with a name, or with how a name begins.
BY_NAME = re.compile(r'\btarget(?:\(\))?(?:\.name)?(?: *[!=]= *|\.(?:starts_with|find)\()"(?:sm|gfx)')


@rule
def properties_not_names(root: Path) -> Iterator[str]:
    """Code asks what a target has, never what it is called: target.hpp, machine_table.hpp and the instructions say it.
    Below common/backend the names are given."""
    for folder in ("common/include", "common/src", HARNESS, "chapters"):
        for path in files(root, ".hpp", ".cpp", under=folder):
            for number, line in lines_of(path):
                if BY_NAME.search(line):
                    yield f"{path}:{number}: compares a target's name: ask for the property that is meant"


@rule
def layering(root: Path) -> Iterator[str]:
    """harness -> show -> block -> algorithm -> atom -> tensor -> layout -> core: a layer includes only those to its
    right."""
    for layer, below in BELOW.items():
        allowed = [layer, *below, "backend"]
        headers = root / (HARNESS if layer == "harness" else "common/include") / "tilestep"
        umbrella = headers / f"{layer}.hpp"
        own = [
            *files(root, ".hpp", ".cpp", under=f"{headers.relative_to(root)}/{layer}"),
            *files(root, ".hpp", ".cpp", under=f"common/src/{layer}"),
            *([umbrella] if umbrella.exists() else []),
        ]
        for path in own:
            for number, _, name, _ in includes(path):
                if layer_of(name) and layer_of(name) not in allowed:
                    yield f"{path}:{number}: layer {layer} may not include <{name}>: it may use {', '.join(allowed)}"
    for path in files(root, ".hpp", ".cpp", under="common/backend"):
        for number, _, name, _ in includes(path):
            if layer_of(name) not in ("", "backend", "core"):
                yield f"{path}:{number}: a backend may not include <{name}>: it knows only core"


@rule
def kernels_without_harness(root: Path) -> Iterator[str]:
    """A kernel depends on the library alone: nothing that a chapter's kernel header reaches includes the harness."""
    library = [root / "common/include", *(root / "common/backend").glob("*/include")]
    for kernel in [path for path in files(root, ".hpp", under="chapters") if path.name.endswith("kernel.hpp")]:
        reached, seen = [kernel], {kernel}
        for path in reached:
            for number, quote, name, _ in includes(path):
                if layer_of(name) == "harness":
                    yield f"{path}:{number}: {kernel} reaches <{name}>: what a kernel needs belongs to the library"
                for folder in [path.parent, *library] if quote == '"' else library:
                    found = folder / name
                    if found.exists() and found not in seen and layer_of(name) != "harness":
                        seen.add(found)
                        reached.append(found)


@rule
def chapters_stand_alone(root: Path) -> Iterator[str]:
    """Chapters include the library and their own files, never one another, and nothing that nvcc should not see."""
    for path in files(root, ".hpp", ".cpp", under="chapters"):
        chapter = root / "chapters" / path.relative_to(root / "chapters").parts[0]
        for number, quote, name, _ in includes(path):
            if quote == '"' and not any(
                (folder / name).exists() and chapter in (folder / name).resolve().parents
                for folder in (path.parent, chapter)
            ):
                yield (
                    f'{path}:{number}: "{name}" is not in this chapter\'s folder: what two chapters use lives in '
                    'common'
                )
            if re.match(r"(CLI|nlohmann|fmt|boost)/", name):
                yield f"{path}:{number}: <{name}> belongs into {HARNESS}: GPU compilers read a chapter's sources"
    for path in files(root, ".hpp", ".cpp", under="common"):
        for number, _, name, _ in includes(path):
            if "chapters/" in name:
                yield f"{path}:{number}: common does not know the chapters"


@rule
def chapter_files(root: Path) -> Iterator[str]:
    """Each chapter's folder is listed and complete."""
    listed = {chapter.folder.name for chapter in chapters(root)}
    for folder in sorted(p for p in (root / "chapters").iterdir() if p.is_dir()):
        if folder.name not in listed:
            yield f"{folder}: is not listed in chapters/CMakeLists.txt"
            continue
        for name in ("README.md", "CMakeLists.txt", "kernel.hpp", "main.cpp", "expected/output.txt"):
            if not (folder / name).exists():
                yield f"{folder}: wants {name}"
        graded = list(folder.glob("exercises/*/check.cpp"))
        if len(graded) < 2:
            yield f"{folder}: wants two exercises: exercises/NN_name/check.cpp"
        for check in graded:
            for name in ("exercise.hpp", "solution.hpp", "wrong.hpp", "hint.md"):
                if not (check.parent / name).exists():
                    yield f"{check.parent}: wants {name}"


@rule
def measured_pages(root: Path) -> Iterator[str]:
    """The lab of a GEMM chapter predicts the clocks of its kernel and has a place for measured times."""
    for chapter in chapters(root):
        main, page = chapter.folder / "main.cpp", chapter.lab
        if not main.exists() or "gemm_main(" not in main.read_text():
            continue
        text = page.read_text() if page.exists() else ""
        for block in ("budget:", "bench"):
            if not re.search(rf"^<!-- {block}", text, re.M):
                yield f"{page}: wants a block <!-- {block} ... -->: docs/contributing.md says what it holds"


@rule
def records_without_paths(root: Path) -> Iterator[str]:
    """A record names nothing by where it lay on the machine that made it."""
    path_of_machine = re.compile(r"(?<![^\s\"'=])/[\w.-]+/[^\s\"']*")
    for path in files(root, ".json", ".txt"):
        for number, line in lines_of(path) if "results" in path.parts else []:
            match = path_of_machine.search(line)
            if match:
                yield f"{path}:{number}: name '{match.group(0)}' from the repository's root"


@rule
def line_budget(root: Path) -> Iterator[str]:
    """core + layout + tensor + algorithm can be read in an evening."""
    counts = {
        layer: sum(code_lines(path) for path in files(root, ".hpp", under=f"common/include/tilestep/{layer}"))
        for layer in ("core", "layout", "tensor", "algorithm")
    }
    if sum(counts.values()) > 2670:
        yield f"common: {counts} is {sum(counts.values())} code lines: 2670 is the budget"


@rule
def kernel_headers(root: Path) -> Iterator[str]:
    """A kernel of the last chapters can be followed in its folder and in eight headers of block outside of it."""
    for chapter in chapters(root):
        kernel = chapter.folder / "kernel.hpp"
        if int(chapter.number) >= 17 and kernel.exists():
            headers = block_headers(kernel, root)
            if len(headers) > 8:
                names = ", ".join(header.name for header in headers)
                yield f"{kernel}: is made of {len(headers)} headers of block: {names}: 8 is the limit"


@rule
def line_widths(root: Path) -> Iterator[str]:
    """A line of code is at most 120 characters wide. Tables that a program wrote are as wide as they are."""
    sources = [*files(root, ".hpp", ".cpp", ".py", ".cmake", ".sh", ".in", ".txt"), *(root / ".ci").glob("*")]
    for path in [*sources, root / "tutorial"]:
        written = path.parent.name == "tables" or "golden" in path.parts
        if written or path.suffix == ".txt" and path.name != "CMakeLists.txt" or not path.is_file():
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if len(line) > 120:
                yield f"{path}:{number}: {len(line)} characters: 120 is the limit"


@rule
def small_sources(root: Path) -> Iterator[str]:
    """At most 25 sources of chapters have 15 lines or fewer: a reader opens few files. Exercises are small."""
    sources = [path for path in files(root, ".cpp", ".hpp", under="chapters") if "exercises" not in path.parts]
    small = [path for path in sources if len(path.read_text(errors="replace").splitlines()) <= 15]
    if len(small) > 25:
        yield f"chapters: {len(small)} sources have 15 lines or fewer: {', '.join(map(str, small))}: 25 is the limit"


@rule
def prose_widths(root: Path) -> Iterator[str]:
    """So is a line of a page, but for tables, code, what a tool writes, and links that are longer."""
    for path in pages(root):
        text = path.read_text(errors="replace")
        if page(text) != text:
            wide = sum(max(map(len, lines)) > WIDTH for lines, free in paragraphs(text) if free)
            yield f"{path}: {wide} paragraphs have lines of more than 120 characters: docs/tools/wrap.py wraps them"


@rule
def test_names(root: Path) -> Iterator[str]:
    """A test whose name begins with a dash would be taken for an option of the test program, and not run."""
    for path in files(root, ".cpp", under="tests"):
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if re.match(r'\s*TEST_CASE\(\s*"-', line):
                yield f"{path}:{number}: the name of a test may not begin with a dash"


@rule
def features_have_tests(root: Path) -> Iterator[str]:
    """tests/features.md names tests for each feature that its first paragraph counts, and all of them exist."""
    page = root / "tests/features.md"
    if not page.exists():
        return
    head = page.read_text().partition("\n## ")[0]
    counted = set()
    for letter, first, last in re.findall(r"\b([A-D])(\d+)(?: to [A-D](\d+))?", " ".join(head.split())):
        counted |= {f"{letter}{number}" for number in range(int(first), int(last or first) + 1)}
    tests: dict[str, list[str]] = {}
    for number, line in lines_of_features(page):
        if feature := re.match(r"\*\*(\w+)\*\* \S", line):
            if feature[1] in tests:
                yield f"{page}:{number}: {feature[1]} stands here twice"
            tests[feature[1]] = []
        elif line.startswith("- "):
            place, _, name = line[2:].partition(": ")
            if not tests:
                yield f"{page}:{number}: a test without a feature"
            else:
                list(tests.values())[-1].append(name)
            added = is_ctest(root, place, name) or is_test_of_chapter(root, place, name)
            if name not in names_of_tests(root, place) and not added:
                yield f"{page}:{number}: {place} has no test '{name}'"
        elif line.strip() and not line.startswith("## "):
            yield f"{page}:{number}: '{line[:40]}' is no feature, no test and no heading"
    for feature in sorted(counted ^ set(tests)):
        yield f"{page}: {feature} is counted in the first paragraph or stands in the list, not both"
    for feature in sorted(feature for feature, names in tests.items() if not names):
        yield f"{page}: {feature} is without a test"


def lines_of_features(page: Path) -> list[tuple[int, str]]:
    """Line numbers and lines of features.md behind its head; what is wrapped is in one piece."""
    head, _, body = page.read_text().partition("\n## ")
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(f"## {body}".splitlines(), head.count("\n") + 2):
        if line.startswith(("**", "- ", "## ")) or not line.strip() or not lines or not lines[-1][1]:
            lines.append((number, line.strip()))
        else:
            lines[-1] = (lines[-1][0], f"{lines[-1][1]} {line.strip()}")
    return lines


def features(root: Path) -> dict[str, list[str]]:
    """The tests of each feature, as features.md names them: a file and a case."""
    tests: dict[str, list[str]] = {}
    for _, line in lines_of_features(root / "tests/features.md"):
        if feature := re.match(r"\*\*(\w+)\*\* \S", line):
            tests[feature[1]] = []
        elif line.startswith("- "):
            list(tests.values())[-1].append(line[2:])
    return tests


def names_of_tests(root: Path, place: str) -> list[str]:
    """The test cases of a file under tests: of Catch2, of unittest, and pairs of what must not compile."""
    path = root / "tests" / place
    if not path.is_file():
        return []
    text = path.read_text()
    if path.suffix == ".py":
        return re.findall(r"^ +def (test_\w+)\(", text, re.M)
    if path.suffix == ".inc":
        return re.findall(r"^PAIR\((\w+),", text, re.M)
    string = r'"(?:[^"\\]|\\.)*"'
    cases = re.findall(rf"TEST_CASE\(\s*((?:{string}\s*)+),\s*({string})", text)
    return ["".join(part[1:-1] for part in re.findall(string, name)) for name, tags in cases if "[." not in tags]


def is_ctest(root: Path, place: str, name: str) -> bool:
    """A test that a CMakeLists.txt under tests adds, by a name that may have variables."""
    added = re.compile(r'add_test\(\s*NAME\s+"([^"]+)"')
    for path in files(root, ".txt", under="tests") if place == "ctest" else []:
        for pattern in added.findall(path.read_text()):
            if re.fullmatch("[^ ]+".join(re.escape(part) for part in re.split(r"\$\{\w+\}", pattern)), name):
                return True
    return False


def is_test_of_chapter(root: Path, place: str, name: str) -> bool:
    """A test that add_chapter() adds for the page of each chapter, such as "chapter 02_a: figures"."""
    match = re.fullmatch(r"chapter (\w+): (\w+)", name)
    cmake = root / "common/cmake/TilestepChapter.cmake"
    if place != "ctest" or not match or not cmake.exists():
        return False
    added = re.findall(
        r'foreach\(part ([\w ]+)\)\s+tilestep_tool_test\("chapter \$\{name\}: \$\{part\}"', cmake.read_text()
    )
    folder = root / "chapters" / match[1]
    draws = match[2] != "figures" or (folder / "figures.cpp").exists()  # where nothing is drawn, nothing is compared
    return draws and (folder / "CMakeLists.txt").exists() and match[2] in " ".join(added).split()


@rule
def file_lengths(root: Path) -> Iterator[str]:
    """Files that a person can hold in the head."""
    limits: list[tuple[Iterator[Path], int]] = [(files(root, ".hpp", under="common"), 300)]
    for chapter in chapters(root):
        kernel = 150 if int(chapter.number) < 17 else 250
        limits.append((iter([chapter.folder / "kernel.hpp"]), kernel))
        limits.append((iter([chapter.folder / "main.cpp"]), 80))
    for paths, limit in limits:
        for path in paths:
            text = path.read_text(errors="replace") if path.exists() else ""
            length = len(text.splitlines())
            if length > limit:
                yield f"{path}: {length} lines: {limit} is the limit"


LESSON_LINES, LESSON_WORDS, LESSON_COLUMNS, LESSON_POINTS = 250, 1800, 5, 5


@rule
def lesson_sizes(root: Path) -> Iterator[str]:
    """A chapter's README.md is a lesson: what stands behind it is in lab.md."""
    for chapter in chapters(root):
        page = chapter.readme
        text = page.read_text() if page.exists() else ""
        open_text = re.sub(r"^<details>.*?</details>\n?", "", text, flags=re.S | re.M)
        lines = len(open_text.splitlines())
        if lines > LESSON_LINES:
            yield f"{page}: {lines} lines without what is folded: {LESSON_LINES} is the limit"
        learnt = re.search(r"^## What you will learn\n(.*?)(?=^## |\Z)", prose(text), flags=re.S | re.M)
        points = len(re.findall(r"^[-*] ", learnt[1], re.M)) if learnt else 0
        if points > LESSON_POINTS:
            yield f"{page}: teaches {points} things: {LESSON_POINTS} is the limit, so split the chapter"
        rows = [(number, line) for number, line in enumerate(prose(text).splitlines(), 1) if line.startswith("|")]
        lesson = [line for line in prose(open_text, spans=True).splitlines() if not line.startswith("|")]
        words = len(" ".join(lesson).split())
        if words > LESSON_WORDS:
            yield f"{page}: {words} words of prose: {LESSON_WORDS} is the limit"
        for number, line in rows:
            columns = len(re.findall(r"(?<!\\)\|", line)) - 1
            if re.fullmatch(r"[|:\- ]+", line) and columns > LESSON_COLUMNS:
                yield f"{page}:{number}: a table of {columns} columns: {LESSON_COLUMNS} is the limit, lab.md has room"


# ---- code
# ------------------------------------------------------------------------------------------------------------------


@rule
def vendor_conditions(root: Path) -> Iterator[str]:
    """Vendor differences live in the backends and in atoms, never as #if elsewhere."""
    vendor = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif).*(__CUDA|__HIP|__NVCC__|__AMD|__gfx|TILESTEP_BACKEND)")
    for path in files(root, ".hpp", ".cpp"):
        place = path.relative_to(root).as_posix()
        if place.startswith(("common/backend/", "common/include/tilestep/atom/", "tests/backend/")):
            continue
        for number, line in lines_of(path):
            if vendor.match(line):
                yield f"{path}:{number}: vendor condition outside common/backend and atoms: {line.strip()}"


@rule
def forbidden_marks(root: Path) -> Iterator[str]:
    """No unfinished business and no commented-out code by preprocessor."""
    mark = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b|#\s*if\s+0\b")
    for path in [*files(root, *CODE, ".md", ".txt", ".json", ".in"), root / "tutorial"]:
        for number, line in lines_of(path) if path.exists() else []:
            match = mark.search(line)
            if match and path.name not in ("style.md", "rules.py"):
                yield f"{path}:{number}: '{match.group(0)}'"


@rule
def pragma_once(root: Path) -> Iterator[str]:
    """Every header can be included twice."""
    for path in files(root, ".hpp"):
        if "#pragma once" not in (line for _, line in lines_of(path)):
            yield f"{path}: wants a line '#pragma once'"


@rule
def explained_headers(root: Path) -> Iterator[str]:
    """A header of common starts with a paragraph, and each include says what it gives."""
    for path in files(root, ".hpp", under="common"):
        lines = [line for _, line in lines_of(path) if line.strip()]
        if lines[:1] == ["#pragma once"] and not (len(lines) > 1 and lines[1].startswith("//")):
            yield f"{path}: wants a paragraph under #pragma once: what it is, why it exists"
        for number, _, name, rest in includes(path):
            if not re.match(r"\s*//\s*\w", rest):
                yield f"{path}:{number}: include <{name}> wants '// what it gives'"


@rule
def comparisons_that_nan_passes(root: Path) -> Iterator[str]:
    """`err > bound` is false for NaN: write !(err <= bound)."""
    wrong = re.compile(r"\bif\s*\(\s*(std::)?(f?abs|err|error|diff)\w*[^)]*\)?\s*>=?\s*\w*(tol|bound|eps)")
    for path in files(root, ".hpp", ".cpp"):
        for number, line in lines_of(path):
            if wrong.search(line):
                yield f"{path}:{number}: NaN passes this comparison, write !(err <= bound): {line.strip()}"


@rule
def swallowed_failures(root: Path) -> Iterator[str]:
    """No failure disappears."""
    swallow = re.compile(r"catch\s*\(\s*\.\.\.\s*\)\s*\{\s*\}|\|\|\s*true\s*$")
    for path in [*files(root, *CODE, ".sh"), root / "tutorial", *sorted((root / ".ci").glob("*"))]:
        for number, line in lines_of(path) if path.exists() else []:
            if swallow.search(line):
                yield f"{path}:{number}: swallows a failure: {line.strip()}"


# ---- prose
# -----------------------------------------------------------------------------------------------------------------


@rule
def plain_words(root: Path) -> Iterator[str]:
    """Pages never tell the reader that something is easy."""
    words = re.compile(r"\b(simply|just|obviously)\b", re.I)
    for path in [root / "README.md", *files(root, ".md", under="chapters")]:
        for number, line in enumerate(prose(path.read_text()).splitlines(), 1) if path.exists() else []:
            match = words.search(line)
            if match:
                yield f"{path}:{number}: leave out '{match.group(0)}'"


@rule
def a_run_is_one_problem(root: Path) -> Iterator[str]:
    """`./tutorial run NN` runs one problem on one target. No page of a chapter says more of it."""
    more = re.compile(r"\bruns (two|three|four|five|several|\d+) problems\b", re.I)
    for chapter in chapters(root):
        text = chapter.readme.read_text() if chapter.readme.exists() else ""
        for match in more.finditer(re.sub(r"\s", " ", text)):
            number = text.count("\n", 0, match.start()) + 1
            yield f"{chapter.readme}:{number}: `./tutorial run {chapter.number}` runs one problem, not {match.group(1)}"


@rule
def symptoms_have_sections(root: Path) -> Iterator[str]:
    """docs/symptoms.md explains each kind of hazard, by the name that its report ends with, and no other."""
    table, page = root / "common/backend/any/include/tilestep/backend/report.hpp", root / "docs/symptoms.md"
    if not table.exists():
        return
    names = re.findall(r'^    \{"[^"]+", "([a-z-]+)"\},$', table.read_text(), re.M)
    sections = re.findall(r"^## (.+)$", page.read_text(), re.M) if page.exists() else []
    for name in names:
        if name not in sections:
            yield f"{page}: wants a section '## {name}': {table.name} has a hazard of that name"
    for section in sections:
        if section not in [*names, "wrong-result"]:
            yield f"{page}: '## {section}' is the name of no hazard in {table.name}"


@rule
def links_resolve(root: Path) -> Iterator[str]:
    """Every relative link of a Markdown file leads to a file, and its anchor to a heading."""
    link = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
    for path in files(root, ".md"):
        for number, line in enumerate(prose(path.read_text()).splitlines(), 1):
            for target in link.findall(line):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                there = (path.parent / name).resolve() if name else path
                if not there.exists():
                    yield f"{path}:{number}: link to '{target}': there is no such file"
                elif anchor and there.suffix == ".md" and anchor not in anchors(there):
                    yield f"{path}:{number}: link to '{target}': {there.name} has no such heading"


@rule
def questions_have_answers(root: Path) -> Iterator[str]:
    """In a lesson, Predict and Change are questions. Below each, in the same section, its answer is folded: alone, or
    with those of the section's other questions, as Answers."""
    for chapter in chapters(root):
        page = chapter.readme
        text = prose(page.read_text()) if page.exists() else ""
        parts = re.compile(
            r"^<details>\s*<summary>(?P<fold>.*?)</summary>.*?</details>|^#+ |"
            r"\b(?P<question>Predict\b|(?<=\*\*)Change\b)",
            re.S | re.M,
        )
        open_at: list[tuple[int, str]] = []
        for match in [*parts.finditer(text), None]:
            if match and match["question"]:
                open_at.append((text.count("\n", 0, match.start()) + 1, match["question"]))
            elif match and match["fold"] is not None:
                said = match["fold"].strip()
                open_at = [] if said == "Answers" else open_at[:-1] if said == "Answer" else open_at
            else:
                for number, question in open_at:
                    yield f"{page}:{number}: '{question}' without a folded answer below it"
                open_at = []


@rule
def words_after_their_chapter(root: Path) -> Iterator[str]:
    """A lesson uses a term of several words not before the chapter that docs/glossary.md links to, or names that
    chapter in the same paragraph. A single word, such as order or stage, is often plain English: no program can tell.
    So the glossary has a word in bold that has one meaning; and its chapter must have it in bold or italics, too,
    where it says what the word means."""
    glossary = root / "docs/glossary.md"
    text = glossary.read_text() if glossary.exists() else ""
    lessons = {chapter.number: chapter.readme for chapter in chapters(root)}
    for number, line in enumerate(text.splitlines(), 1):
        row = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] if line.startswith("|") else [""]
        named = re.findall(r"(?:^|, |\[)(\d\d)\b", row[-1]) if re.match(r"\[?\d", row[-1]) else []
        for missing in [each for each in named if each not in lessons]:
            yield f"{glossary}:{number}: '{row[0]}' names chapter {missing}, which is not there"
        if re.match(r"\d\d\b", row[-1]):
            yield f"{glossary}:{number}: '{row[0]}': make chapter {row[-1]} a link"
        terms = [term for term in row[0].split(", ") if re.search(r"\w[ -]\w|^\*\*", term) and "`" not in term]
        if any(term.startswith("**") for term in terms) and not named:
            yield f"{glossary}:{number}: '{row[0]}' is in bold and names no chapter"
        for term in terms if named and named[0] in lessons else []:
            bold, term = term.startswith("**"), term.strip("*")
            home = lessons[named[0]]
            if bold and home.exists() and not any(whole(term).search(each) for each in emphasised(home)):
                yield f"{glossary}:{number}: '{term}' is in bold, but in {home} neither in bold nor in italics"
            for lesson in [page for at, page in lessons.items() if at < named[0] and page.exists()]:
                for place in uses(term, lesson, named):
                    yield f"{lesson}:{place}: '{term}' is a word of chapter {named[0]}: say so, or use another"


def uses(term: str, lesson: Path, named: list[str]) -> Iterator[int]:
    """The lines at which paragraphs begin that use the term, whole and outside of code, and name none of the
    chapters."""
    start, number = 1, int(lesson.parent.name[:2])
    told_by = "|".join(
        rf"\bchapter {each}\b|/{each}_" + (r"|\bnext chapter\b" if int(each) == number + 1 else "") for each in named
    )
    for paragraph in re.split(r"(\n\s*\n)", prose(lesson.read_text())):
        flat = " ".join(paragraph.split())
        told = re.search(told_by, flat, re.I)
        if whole(term).search(flat) and not told:
            yield start
        start += paragraph.count("\n")


def whole(term: str) -> re.Pattern[str]:
    """The term or its plural, not as a part of a longer word."""
    return re.compile(rf"(?<![\w-]){re.escape(term)}s?(?![\w-])", re.I)


def emphasised(page: Path) -> list[str]:
    """What stands in bold or italics on a page, outside of code."""
    text = re.sub(r"^\* ", "- ", prose(page.read_text()), flags=re.M)
    paragraphs_of = [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text)]
    found = re.compile(r"(?<![\\*])(\*\*|\*)(?=[^\s*])(.+?)(?<=[^\s*])\1(?!\*)")
    return [match[2] for paragraph in paragraphs_of for match in found.finditer(paragraph)]


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of the headings."""
    found: set[str] = set()
    text = re.sub(r"^(`{3,})[^\n]*\n.*?^\1[ \t]*$", "", page.read_text(), flags=re.S | re.M)
    for heading in re.findall(r"^#{1,6} +(.+?)\s*#*$", text, re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        slug = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        copy, count = slug, 0
        while copy in found:
            count += 1
            copy = f"{slug}-{count}"
        found.add(copy)
    return found


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in RULES]
    if unknown:
        print(f"no such rule: {', '.join(unknown)}; choose from {', '.join(RULES)}", file=sys.stderr)
        return 2
    broken = 0
    for name in names or RULES:
        for sentence in RULES[name](ROOT):
            broken += 1
            print(f"{name}: {sentence.replace(str(ROOT) + '/', '')}")
    print(f"{len(names or RULES)} rules checked, {broken} violations")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
