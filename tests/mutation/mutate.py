#!/usr/bin/env python3
"""Change one statement or expression of a kernel at a time, and see whether the chapter's problems notice.

    mutate.py 07                 change 07's kernel.hpp and the library headers that its program reads
    mutate.py 07 --list          say what would be changed
    mutate.py 07 --only 12 40    these mutants alone

A mutant is chosen when the program runs: every change is compiled into one program of the chapter, as
`{ if (!::tilestep_has_bug(12)) { sync_threads(); } }`, and TILESTEP_PLANTED=12 chooses one. What the compiler must know
(template arguments, the condition of if constexpr, constants) cannot be chosen so late and is left out here.

    mutate.py test_harness --headers repack_words.hpp    the library's headers, and a test program of the library

A mutant runs those of the chapter's problems that come to its place: of `./tutorial run`, on each of their targets,
and of problems.csv, where * stands for all chapters that multiply matrices on one device. Then it runs the chapter's
own tests, where they are built. What none of them stops is a survivor. A mutant that no problem comes to is counted,
and not run.
A test program of the library stands for a chapter where it has what no chapter's problem has: its test cases are the
problems, and a case that fails stops a mutant. Each is compiled into its objects and the harness's. A case that fails
without a bug, because it names a line of the library and the changed copy has other lines, is left out.
Where a chapter's program is several processes (21), its sources are changed, too: what they send, and when, is what it
teaches; its kernels are other chapters'. Every process has the bug. A problem may begin with `-np 2`, and name a
program of the chapter's tests that is linked with these sources.
Tests that do not end in time say nothing: such a mutant is undecided, is not listed, and the run fails.

    mutate.py 07 --planted       the bugs of planted.csv instead, which no machine makes

    mutate.py 07 --out FILE      append each mutant to a list when it has run; what it has stopped or explained is known

planted.csv has bugs that people make: a scope that is too small, another operand's bytes, a stage, a lane or a leading
dimension that is not this one's. A row has the text of a file, which must be there once, and what stands in its place;
--planted writes into the row what stopped it.

One list serves several chapters: a library's mutant that one of them has stopped is not run in the next. The committed
list is results.csv, which check.py compares with the sources.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import csv
import dataclasses
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Iterator, Optional
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "docs/tools"))

from console import Arguments  # noqa: E402
from generated import guarded  # noqa: E402
from programs import environment, start_of  # noqa: E402
from repository import Chapter, find_chapters  # noqa: E402

TARGETS = ["sm80", "gfx942", "gfx1100"]
SECONDS = 5  # a mutant that runs longer hangs, and 40 times as long as the program without one
TEST_SECONDS = 120
# The parts of a chapter's kernels that TARGETS run with these types; the others are linked as the tree has them.
PARTS = r"(f16|i8|fma(_\w+)?|(nvidia|cdna|rdna3|hopper)_(f16|i8)(_\w+)?|hopper_bf16_ladder)"

# Headers of the library whose statements order, guard or place what a kernel does.
LIBRARY = ["algorithm", "atom", "block"]
# Sources of the harness that have kernels, too: repacked operands, the sums of K's slices.
HARNESS = r"/tilestep_harness\.dir/tilestep/harness/(finish_slices|repack|split_k)\.cpp\.o"


@dataclasses.dataclass(frozen=True)
class Change:
    """Characters [first, last) of a file are replaced; `text` has MUT where it asks whether it is chosen."""

    path: Path  # relative to the repository's root
    line: int
    what: str
    first: int
    last: int
    text: str

    def code(self) -> str:
        """The line that it changes, without its comment."""
        return re.sub(r"\s*//.*", "", (ROOT / self.path).read_text().splitlines()[self.line - 1]).strip()


# Path, line, what is changed, and which of several such changes it is.
Key = tuple[str, str, str, int]


def keys_of(changes: list[Change]) -> list[Key]:
    """What a list calls each change: a line by what it says, so that an edit elsewhere in the file leaves it alone."""
    seen: dict[tuple[str, str, str], int] = {}
    keys = []
    for change in changes:
        name = (str(change.path), change.code(), change.what)
        seen[name] = seen.get(name, 0) + 1
        keys.append((*name, seen[name]))
    return keys


# ---- What is changed ----

# Not part of what runs.
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\]|\\.)*\"|^[ \t]*#[^\n]*", re.S | re.M)
# Lines that the compiler evaluates.
CONSTANT = re.compile(
    r"^\s*(template|using|static_assert|static constexpr|constexpr|inline constexpr|requires|concept|namespace|struct|"
    r"class|enum|typedef|public|private|friend|TS_\w+ (static )?constexpr|alignas)\b|static_assert"
)
CHOICE = re.compile(r"\bif constexpr \(")  # its condition: what stands behind it runs
CALL = re.compile(
    r"(?:(?<=[;{})\n])|(?<=\belse))[ \t]*"
    r"(?P<call>(?:this->|[a-z_]\w*(?:\.|::))*[a-z_]\w*(?:<[^;{}()]*>)?\()"
)
# What is no statement of its own, or checks what the caller gives.
NO_MUTANT = {"static_for", "if", "for", "while", "switch", "return", "require", "static_cast"}
# Files of a chapter that choose a kernel, or say what it costs: a change gives another right one, or another time.
CHOOSING = {"families.hpp", "variants.hpp", "fma_variants.hpp", "plan.hpp", "figures.hpp", "checks.hpp", "iree.hpp"}
CHOOSING |= {"main.cpp", "program.cpp", "figures.cpp", "bench.cpp", "predict.cpp", "times.hpp"}
# And how long processes wait for one another, and which of them prints.
CHOOSING |= {"patience.cpp", "processes.cpp"}
# Programs of tests that have a chapter's sources.
BESIDE = {"21_several_gpus": ["check_communicator"]}
WORD = r"[A-Za-z_][\w.]*(?:\{\})?"
ENDS = r"(?![\w.]|\s*[(\[{<:])"  # a word that is no call, template or initialiser
ASSIGNMENT = re.compile(
    r"(?:(?<=[;{})\n])|(?<=\belse))[ \t]*"
    r"(?:(?P<left>[a-z_][\w.]*(?:\[[^;=]*?\]|\([^;={}]*?\))?)(?P<how> (?:[+*/%|&^-]|<<|>>)?=)(?= )"
    r"|(?P<step>(?:\+\+|--)[a-z_][\w.]*)(?=;))"
)
PARAMETER = re.compile(r"\bauto(?: const)?&? (\w+)(?=[,)])")
VALUE = re.compile(
    r"\bauto(?: const)? (\w+) = (?=make_|idx2crd|block_coord|\[|local_|\w+::|\w+\.\w+\(|shared|global)"
)
CALLED = re.compile(r"(?<![/%] unsigned)(?<=[\w\])>])\($")  # what divides is not 0
ARGUMENT = re.compile(r"[a-z]\w* as 0|(rows_)?within\(\) is true")
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}


def blanked(text: str) -> str:
    """The text with comments, strings and preprocessor lines as spaces: positions stay."""
    return COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def closing(code: str, start: int) -> int:
    """Where the bracket at `start` is closed; -1 if it is not."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    stack = []
    for at in range(start, len(code)):
        if code[at] in pairs:
            stack.append(pairs[code[at]])
        elif stack and code[at] == stack[-1]:
            stack.pop()
            if not stack:
                return at
    return -1


def opening(code: str, at: int) -> int:
    """The bracket around `at`; 0 if there is none."""
    depth = 0
    while at > 0:
        at -= 1
        depth += (code[at] in ")]}") - (code[at] in "([{")
        if depth < 0:
            break
    return at


def operand_bounds(code: str, at: int, width: int) -> Optional[tuple[int, int]]:
    """The operands of a comparison at `at`: from behind the bracket, comma or logical operator before to the next."""
    code = code.replace("::", "__")  # a name's scope
    depth, first = 0, at
    while first > 0:
        c = code[first - 1]
        if c in ")]}":
            depth += 1
        elif c in "([{":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (c in ",;?:=&|!" or code[first - 7 : first] == "return "):
            break
        first -= 1
    depth, last = 0, at + width
    while last < len(code):
        c = code[last]
        if c in "([{":
            depth += 1
        elif c in ")]}":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and c in ",;?:&|":
            break
        last += 1
    left, right = code[first:at], code[at + width : last]
    if not left.strip() or not right.strip() or "\n\n" in left or "{" in left + right:
        return None
    return first + len(left) - len(left.lstrip()), last - (len(right) - len(right.rstrip()))


def bodies(code: str) -> Iterator[tuple[int, int]]:
    """Ranges inside of function bodies: a brace behind a parameter list or a lambda's."""
    end = 0
    for match in re.finditer(r"(\)|const|noexcept|TS_INLINE_LAMBDA|mutable)\s*(:[^;{}]*(\{[^{}]*\}[^;{}]*)*)?\{", code):
        if match.start() < end:
            continue
        end = closing(code, match.end() - 1)
        yield match.end(), end if end > 0 else len(code)


def changes_of(path: Path) -> list[Change]:
    """Every change of one file."""
    text = (ROOT / path).read_text()
    code = blanked(text)
    found: list[Change] = []
    # Names of what is no number: an index that the compiler must know, a coordinate, a function.
    typed = set(PARAMETER.findall(code)) | set(VALUE.findall(code)) | {"p", "this", "true", "false"}
    starts = [0] + [m.end() for m in re.finditer("\n", text)]
    choices = [(match.end(), closing(code, match.end() - 1)) for match in CHOICE.finditer(code)]

    def line_of(at: int) -> int:
        return sum(start <= at for start in starts)

    def constant(at: int) -> bool:
        line = code[starts[line_of(at) - 1] :].split("\n", 1)[0]
        return bool(CONSTANT.search(line)) or any(first <= at < last for first, last in choices)

    def add(what: str, first: int, last: int, replacement: str) -> None:
        if not constant(first):
            found.append(Change(path, line_of(first), what, first, last, replacement))

    for begin, end in bodies(code):
        part = code[begin:end]
        for match in CALL.finditer(part):  # a statement that is a call
            first = begin + match.start("call")
            close = closing(code, code.index("(", first))
            if close < 0 or not re.match(r"\s*;", code[close + 1 :]):
                continue
            last = code.index(";", close) + 1
            name = match["call"].rstrip("(")
            if name.split("<")[0].split("::")[-1] not in NO_MUTANT:
                add(f"without {name}()", first, last, "{ if (!MUT) { " + text[first:last] + " } }")
        for match in re.finditer(r"\b(if|while) \(", part):  # a condition
            first = begin + match.end()
            last = closing(code, first - 1)
            add(f"{match[1]} (not ..)", first, last, f"MUT != bool({text[first:last]})")
        for match in re.finditer(r" (<|<=|>|>=|==|!=) ", part):
            at = begin + match.start()
            bounds = operand_bounds(code, at, len(match[0]))
            if bounds:
                first, last = bounds
                other = text[first:at] + f" {COMPARISONS[match[1]]} " + text[at + len(match[0]) : last]
                add(f"{match[1]} as {COMPARISONS[match[1]]}", first, last, f"(MUT ? ({other}) : ({text[first:last]}))")
        word = r"[^()&|,;?:={}]"
        begins = r"(?<=[(,;?:=&| ])(?<![=<>!]=)(?<![=<>!]= )(?!\s*return\b)"  # not behind a comparison
        for match in re.finditer(rf"{begins}({word}+|{word}*\([^()]*\){word}*) && ", part):
            first, last = begin + match.start(1), begin + match.end(1)
            add("left of && is true", first, last, f"(MUT || ({text[first:last]}))")
        for match in re.finditer(r"(?<![\w.>'])(\d+)(?![\w.'])", part):  # a number
            first, last = begin + match.start(), begin + match.end()
            if code[first - 1] == "<" or code[last] == ">" or code[last : last + 2] == "u)":
                continue
            number = int(match[1])
            other = 1 if number == 0 else number - 1
            add(f"{number} as {other}", first, last, f"(MUT ? {other} : {number})")
        for match in re.finditer(r"(?<!\w)(std::)?(min|max)\(", part):
            first = begin + match.start()
            last = closing(code, begin + match.end() - 1) + 1
            other = {"min": "max", "max": "min"}[match[2]]
            call = (match[1] or "") + other + text[begin + match.end() - 1 : last]
            add(f"{match[2]} as {other}", first, last, f"(MUT ? {call} : {text[first:last]})")
        for match in re.finditer(r"\b(true|false)\b", part):
            first, last = begin + match.start(), begin + match.end()
            add(f"not {match[1]}", first, last, f"({match[1]} != MUT)")
        for match in re.finditer(r" (\+|-) (?!1\b)(?=[\w(])", part):
            at = begin + match.start()
            operand = re.match(r"[A-Za-z_][\w.]*", code[at + 3 :])
            if operand and not re.match(r"\s*[*/%(\[{<:]", code[at + 3 + operand.end() :]):
                word = operand[0]
                add(f"without {match[1]} {word}", at + 3, at + 3 + len(word), f"(MUT ? 0 : {word})")
        for match in re.finditer(rf" [+-] ({WORD}(?: \* {WORD})+){ENDS}", part):  # a term of an offset
            first, last = begin + match.start(1), begin + match.end(1)
            add(f"without {match[0].strip()}", first, last, f"(MUT ? 0 : {match[1]})")
        for match in re.finditer(rf" ([*/%]) ({WORD}){ENDS}", part):  # a stride, an extent, a scale
            first, last = begin + match.start(2), begin + match.end(2)
            one = "1 << 30" if match[1] == "%" else "1"
            add(f"without {match[1]} {match[2]}", first, last, f"(MUT ? {one} : {match[2]})")
        for match in ASSIGNMENT.finditer(part):
            name = match["step"] or match["left"] + match["how"]
            first = begin + match.end() - len(name)
            last = end_of_statement(code, first)
            if last > 0:
                add(f"without {name}", first, last, "{ if (!MUT) { " + text[first:last] + " } }")
        for match in re.finditer(r"\b(rows_)?within\(", part):  # a predicate: its last argument is the shape
            last = closing(code, begin + match.end() - 1)
            argument = re.search(r", ([\w.]+(?:\(\))?)$", code[begin + match.end() : last])
            if argument:
                extent = "[&](auto const& e) { return MUT ? decltype(e + 0)(1 << 30) : e + 0; }"
                add(
                    f"{match[0]}) is true", last - len(argument[1]), last,
                    f"transform_leaf({argument[1]}, {extent})",
                )  # fmt: skip
        for match in re.finditer(r"\belem_less\(", part):
            first, last = begin + match.start(), closing(code, begin + match.end() - 1) + 1
            add("elem_less() is true", first, last, f"(MUT || {text[first:last]})")
        # The arguments of a kernel's calls. In the library they are references, arrays and types, which are no indices.
        for match in re.finditer(r"(?<=[\w\])>]\()|(?<=[\w)}>], )", part if path.parts[0] == "chapters" else ""):
            argument = re.match(r"([a-z]\w*)(?=\)|, )", part[match.end() :])  # an index
            first = begin + match.end()
            wanted = argument and argument[1] not in typed and not re.fullmatch(r"[a-z]\w?[A-Z]\w*", argument[1])
            called = code[: opening(code, first) + 1]
            if wanted and CALLED.search(called) and not called.endswith("sizeof("):  # an array would be a pointer
                add(f"{argument[1]} as 0", first, first + len(argument[1]), f"(MUT ? 0 : {argument[1]})")
    return found


def end_of_statement(code: str, first: int) -> int:
    """Behind the semicolon of the statement that begins at `first`; -1 where a brace stands in it."""
    depth = 0
    for at in range(first, len(code)):
        depth += (code[at] in "([") - (code[at] in ")]")
        if depth < 0 or code[at] in "{}":
            return -1
        if code[at] == ";" and depth == 0:
            return at + 1
    return -1


# ---- Bugs that are written down ----

PLANTED = HERE / "planted.csv"
PLANTED_COLUMNS = ["chapter", "file", "old", "new", "breaks", "stopped by", "equivalent because"]


def planted(row: dict[str, str], root: Path = ROOT) -> Change:
    """A row of planted.csv as a change: a statement where the text ends as one, otherwise an expression."""
    text = (root / row["file"]).read_text()
    if text.count(row["old"]) != 1:
        raise ValueError(f"{row['file']}: '{row['old'].strip()}' is there {text.count(row['old'])} times, wants once")
    first, old = text.index(row["old"]), row["old"]
    if re.sub(r"\s*//[^\n]*", "", old).rstrip().endswith(";"):
        replacement = "{ if (MUT) { " + row["new"] + " } else { " + old + "\n} }"
    else:
        replacement = f"(MUT ? ({row['new']}) : ({old}))"
    line = text.count("\n", 0, first) + 1
    return Change(Path(row["file"]), line, row["breaks"], first, first + len(old), replacement)


# ---- Programs ----


@dataclasses.dataclass
class Program:
    """A chapter's program with many changes, each of which is chosen when it runs."""

    chapter: Chapter
    folder: Path
    mutants: list[Change]
    dropped: set[int] = dataclasses.field(default_factory=set)  # what the compiler must know
    base_seconds: dict[str, float] = dataclasses.field(default_factory=dict)
    refused: set[str] = dataclasses.field(default_factory=set)  # problems that end so without a bug (exit code 3)

    @property
    def made(self) -> str:
        """The program, in the tree and below the folder."""
        return f"bin/tests/{self.chapter.name}" if is_test(self.chapter) else f"bin/{self.chapter.name}"

    @property
    def path(self) -> Path:
        return self.folder / self.made


def chosen(name: str) -> Chapter:
    """A chapter, or a test program of the library as one: all of its objects have kernels, and no folder is its own."""
    if name.startswith("test_"):
        return Chapter(name, "", "", [], Path("/nowhere"))
    return find_chapters([name])[0]


def is_test(chapter: Chapter) -> bool:
    return chapter.name.startswith("test_")


def headers_of(chapter: Chapter, tree: Path) -> list[Path]:
    """The chapter's own headers and the library's that its kernels and the harness's read, as far as they are changed
    here."""
    names = "*.[ch]pp" if chapter.processes > 1 else "*.hpp"
    own = [path.relative_to(ROOT) for path in sorted(chapter.folder.glob(names)) if path.name not in CHOOSING]
    if chapter.processes > 1:
        return own
    commands = compile_commands(tree)
    kernels = [name for name in commands if re.search(HARNESS, name)]
    if is_test(chapter):
        kernels += [name for name in commands if re.search(rf"/{chapter.name}\.dir/", name)]
    elif chapter.kernels:
        kernels += kernels_of(chapter, linked(f"bin/{chapter.name}", tree), commands)
    else:
        kernels += [name for name in commands if re.search(rf"/{chapter.name}-main\.dir/", name)]

    def reads(name: str) -> set[Path]:
        words = without_precompiled(shlex.split(commands[name]))
        words[words.index("-o") + 1 : words.index("-o") + 2] = ["-", "-M"]
        rule = subprocess.run(words, cwd=tree, capture_output=True, text=True, check=True).stdout
        return {Path(os.path.normpath(tree / word)) for word in rule.replace("\\\n", " ").split()[1:]}

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        read = set().union(*pool.map(reads, kernels))
    library = ROOT / "common/include/tilestep"
    return own + sorted(
        path.relative_to(ROOT)
        for path in read
        if path.is_relative_to(library) and path.relative_to(library).parts[0] in LIBRARY
    )


def compile_commands(tree: Path) -> dict[str, str]:
    """The command that makes each object."""
    entries = json.loads((tree / "compile_commands.json").read_text())
    return {re.search(r" -o (\S+)", entry["command"])[1]: entry["command"] for entry in entries}


def without_precompiled(words: list[str]) -> list[str]:
    """A compiler's command that reads each header itself: a precompiled one holds the library as it was."""
    words = [w for w in words if w not in ("-Xclang", "-MD") and "cmake_pch" not in w and "-include" not in w[:8]]
    for option in ("-MT", "-MF"):
        if option in words:
            del words[words.index(option) : words.index(option) + 2]
    return words


def linked(made: str, tree: Path) -> list[str]:
    """The objects that a program is linked from."""
    query = subprocess.run(["ninja", "-C", tree, "-t", "query", made], capture_output=True, text=True, check=True)
    return [name for name in query.stdout.split() if name.endswith(".o")]


def kernels_of(chapter: Chapter, objects: list[str], commands: dict[str, str]) -> list[str]:
    """Objects of a chapter's kernels alone. What its program has among the kernels of other chapters is taken as the
    programs of one target and type have it."""
    own = {name: parts for name in commands if (parts := parts_of(chapter, name))}
    held = [name for name in objects if name in own]
    parts = {part for name in held for part in own[name]}
    return held + [name for name in own if not parts & set(own[name])]


def parts_of(chapter: Chapter, name: str) -> list[str]:
    """The names in KERNELS that an object of a chapter's kernels has; [] for another object."""
    found = re.search(rf"/{chapter.name}-kernels-([\w-]+)\.dir/", name)
    return found[1].split("-") if found else []


def write(program: Program) -> None:
    """The changed copies: the chapter's folder, and the library's headers below include/."""
    shutil.rmtree(program.folder / "source", ignore_errors=True)
    source = program.folder / "source"
    source.mkdir(parents=True)
    for path in program.chapter.folder.glob("*.[ch]pp"):
        shutil.copy(path, source / path.name)
    if (program.chapter.folder / "tables").is_dir():
        shutil.copytree(program.chapter.folder / "tables", source / "tables")
    shutil.copy(HERE / "planted.hpp", source)
    files: dict[Path, list[tuple[int, Change]]] = {}
    for number, change in enumerate(program.mutants, 1):
        if number in program.dropped:
            continue
        files.setdefault(change.path, []).append((number, change))
    for path, listed in files.items():
        text = (ROOT / path).read_text()
        text = applied(text, listed)
        inside = path.relative_to("chapters/" + program.chapter.name) if path.parts[0] == "chapters" else None
        to = source / inside if inside else source / path.relative_to("common/include")
        to.parent.mkdir(parents=True, exist_ok=True)
        # A line for each: the compiler's messages then say which one they are about.
        text = text.replace("::tilestep_has_bug(", "\n::tilestep_has_bug(").replace("#pragma once\n", "", 1)
        to.write_text("#pragma once\n" * (path.suffix == ".hpp") + "#include <planted.hpp>\n" + text)


def applied(text: str, changes: list[tuple[int, Change]]) -> str:
    """All changes of one file at once. One inside of another is applied to the other's text."""
    changes = sorted(changes, key=lambda each: (each[1].first, -each[1].last))

    def piece(first: int, last: int, inner: list[tuple[int, Change]]) -> str:
        out, at = "", first
        while inner:
            number, change = inner.pop(0)
            nested = [each for each in inner if each[1].last <= change.last]
            inner = [each for each in inner if each[1].last > change.last]
            out += text[at : change.first]
            original = text[change.first : change.last]
            replaced = change.text.replace("MUT", f"::tilestep_has_bug({number})")
            if nested:  # where the original stands last in the replacement, it runs without a bug
                head, tail = replaced.rsplit(original, 1)
                replaced = head + piece(change.first, change.last, nested) + tail
            out += replaced
            at = change.last
        return out + text[at:last]

    return piece(0, len(text), changes)


def without_overlaps(changes: list[Change]) -> list[Change]:
    """Leaves out a change that begins in another and ends behind it, or that stands in one which does not hold its text
    as it was."""
    kept: list[Change] = []
    for change in sorted(changes, key=lambda each: (str(each.path), each.first, -each.last)):
        outer = [o for o in kept if o.path == change.path and o.first <= change.first < o.last]
        if all(change.last <= o.last for o in outer):
            kept.append(change)
    return kept


def not_compiling(program: Program, errors: str) -> set[int]:
    """One change for each error: of those on the lines that it names, an argument's before others, because the call
    around it may be right without it, and the innermost before others."""
    bad = set()
    for each in re.split(r"^(?=\S+?:\d+:\d+: (?:fatal )?error: )", errors, flags=re.M):
        named, behind = [], []
        for name, line in re.findall(r"^(\S+?):(\d+):\d+: (?:fatal )?(?:error|note): ", each, re.M):
            if Path(name).is_relative_to(program.folder / "source"):
                lines = Path(name).read_text().splitlines()[int(line) - 1 :]
                found = [re.findall(r"tilestep_has_bug\((\d+)\)", text) for text in lines]
                named += map(int, found[0])
                behind += map(int, next(filter(None, found), []))  # where a line ends in front of a change
        candidates = named or behind
        arguments = [number for number in candidates if ARGUMENT.fullmatch(program.mutants[number - 1].what)]
        bad |= set((arguments or candidates)[:1])
    return bad


def compile_program(program: Program, tree: Path, jobs: int, parts: str) -> None:
    """Compile and link as the tree does, the changed copies first. What does not compile is left out, with its number
    kept: a change in what the compiler must know."""
    commands = compile_commands(tree)
    objects = linked(program.made, tree)
    changed = objects
    if program.chapter.kernels:
        changed = [
            name
            for name in kernels_of(program.chapter, objects, commands)
            if any(re.fullmatch(parts, part) for part in parts_of(program.chapter, name))
        ]
    if program.chapter.processes > 1:
        changed = [name for name in objects if re.search(rf"/{program.chapter.name}-main\.dir/[^/]+$", name)]
    if any(change.path.parts[0] == "common" for change in program.mutants):
        changed += [name for name in commands if re.search(HARNESS, name)]
    source = program.folder / "source"
    stamp = program.folder / "built.json"
    ages = [(tree / name).stat().st_mtime for name in objects]
    of = hashlib.sha256(repr((program.mutants, changed, ages)).encode())
    if stamp.exists() and (built := json.loads(stamp.read_text()))["of"] == of.hexdigest():
        program.dropped = set(built["dropped"])
        return
    stamp.unlink(missing_ok=True)
    (program.folder / "bin/tests").mkdir(parents=True, exist_ok=True)

    def one(name: str, also: tuple[str, ...] = ()) -> tuple[str, str]:
        words = without_precompiled(shlex.split(commands[name]))
        words[words.index("-o") + 1] = str(program.folder / name.replace("/", "_"))
        words = [w for w in words if not w.startswith(("-W", "-O"))] + ["-w", "-O1", "-ferror-limit=0"]
        file = Path(words[words.index("-c") + 1])
        if file.parent == program.chapter.folder:
            words[words.index("-c") + 1] = str(source / file.name)
        words = [f"-I{source}" if w == f"-I{program.chapter.folder}" else w for w in words]
        words[1:1] = [f"-I{source}", *also]
        done = subprocess.run(words, cwd=tree, capture_output=True, text=True)
        return words[words.index("-o") + 1], done.stderr if done.returncode else ""

    # What does not compile is found without generating code, the kernels first: one part's are the others', too.
    for name in sorted(changed, key=lambda each: not parts_of(program.chapter, each)):
        while True:
            write(program)
            errors = one(name, ("-fsyntax-only",))[1]
            if not errors:
                break
            bad = not_compiling(program, errors)
            if not bad:
                raise SystemExit(f"{program.chapter.name}: does not compile:\n{errors[:4000]}")
            program.dropped |= bad
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, errors in pool.map(one, changed):
            if errors:
                raise SystemExit(f"{name}: does not compile:\n{errors[:4000]}")
    ours = {name: str(program.folder / name.replace("/", "_")) for name in changed}
    others = [name for name in objects if name not in changed]
    link(program.made, program.path, [*ours.values(), *others], objects, tree)
    for name in BESIDE.get(program.chapter.name, []):
        made = f"bin/tests/{name}"
        listed = subprocess.run(["ninja", "-C", tree, "-t", "query", made], capture_output=True, text=True, check=True)
        library = next(word for word in listed.stdout.split() if re.search(rf"/{program.chapter.name}/.*\.a$", word))
        held = subprocess.run(["ar", "t", tree / library], capture_output=True, text=True, check=True).stdout.split()
        link(made, program.folder / made, [at for name, at in ours.items() if Path(name).name in held], [], tree)
    stamp.write_text(json.dumps({"of": of.hexdigest(), "dropped": sorted(program.dropped)}))


def link(made: str, to: Path, first: list[str], without: list[str], tree: Path) -> None:
    """Link a program as the tree does, to another place. Some objects stand first: of a function that several hold, the
    linker takes the first."""
    line = next(
        line.split(" && ")[1]
        for line in subprocess.run(
            ["ninja", "-C", tree, "-t", "commands", made],
            capture_output=True, text=True, check=True,
        ).stdout.splitlines()
        if f"-o {made} " in line
    )  # fmt: skip
    words = [word for word in line.split(" ") if word not in without] + ["-Wl,-z,muldefs"]
    at = words.index("-o")
    words[at + 1] = str(to)
    words[at:at] = first
    subprocess.run(" ".join(words), shell=True, cwd=tree, check=True)


# ---- What stops a mutant ----


def problems(chapter: Chapter, tree: Path) -> list[str]:
    """The table of `./tutorial run`, then the chapter's rows of problems.csv; of a test program its cases, as Catch2
    wants their names."""
    if is_test(chapter):
        listing = subprocess.run(
            [tree / f"bin/tests/{chapter.name}", "--list-tests", "--reporter", "xml"], capture_output=True, text=True
        )
        names = [case.findtext("Name") or "" for case in ElementTree.fromstring(listing.stdout).iter("TestCase")]
        return [shlex.quote(re.sub(r"([,\[\\])", r"\\\1", name)) for name in names]
    listed = [problem for options in chapter.runs for problem in on_targets(chapter, options)]
    return listed + [problem for row in chosen_rows(chapter) for problem in on_targets(chapter, row["options"])]


def chosen_rows(chapter: Chapter) -> list[dict[str, str]]:
    """The rows of problems.csv that are the chapter's, and those of all chapters that multiply on one device."""
    multiplies = chapter.processes == 1 and any("--m " in options for options in chapter.runs)
    names = [chapter.name] + ["*"] * multiplies
    return [row for row in rows_of(HERE / "problems.csv") if row["chapter"] in names]


def on_targets(chapter: Chapter, options: str) -> list[str]:
    """A problem on each of the chapter's targets."""
    if any(f" {name} " in options for name in BESIDE.get(chapter.name, [])):
        return [options]
    # Where programs are several processes, no kernel is changed: one target shows what the others would.
    targets = (chapter.targets or TARGETS)[: 1 if chapter.processes > 1 else None]
    return [f"{options} --target {target}" for target in targets]


def command(program: Program, options: list[str], seconds: float) -> list[str]:
    """The command line of a chapter's program; of several processes, it ends all of them when the time is up."""
    start = start_of(program.chapter)
    if not start:
        return [str(program.path), *options]
    if options[:1] == ["-np"]:
        start, options = [*start[:-1], options[1]], options[2:]
    path = program.path
    if options[0] in BESIDE.get(program.chapter.name, []):
        path, options = program.folder / "bin/tests" / options[0], options[1:]
    # Each has 3 GB at most: a number that is wrong in all of them may ask for much more than the machine has.
    limits = ["timeout", "--kill-after=5", str(seconds), "prlimit", "--as=3000000000"]
    return [*limits, *start, str(path), *options]


def run(program: Program, words: list[str], number: int, seconds: float) -> tuple[int, str]:
    """The exit code, 124 where it hangs, and what was printed."""
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds + 10 * (words[0] == "timeout"),
            env={**environment(), "TILESTEP_PLANTED": str(number)},
            cwd=program.folder,
        )
    except subprocess.TimeoutExpired:
        return 124, "hangs"
    return done.returncode, done.stdout + done.stderr


def reached(program: Program, options: list[str], name: str) -> set[int]:
    """The mutants that a run without a bug comes to. The run must be right, or refused with a sentence."""
    file = program.folder / f"reached-{name}.txt"
    file.unlink(missing_ok=True)
    started = time.monotonic()
    done = subprocess.run(
        command(program, options, TEST_SECONDS), capture_output=True, text=True, cwd=program.folder,
        env={**environment(), "TILESTEP_REACHED": str(file)},
    )  # fmt: skip
    if done.returncode == 2:  # a problem of `*` that this chapter's kernels do not have
        return set()
    if done.returncode not in (0, 3):
        said = done.stdout + done.stderr
        if is_test(program.chapter) and re.search(r"^test cases: +1 \| .*1 failed", said, re.M):
            print(f"'{' '.join(options)}' is left out: it fails on the changed copies, whose lines are others")
            return set()
        raise SystemExit(f"{program.chapter.name}: '{' '.join(options)}' fails without a bug:\n{said}")
    program.base_seconds[shlex.join(options)] = time.monotonic() - started
    if done.returncode == 3:
        program.refused.add(shlex.join(options))
    return set(map(int, file.read_text().split())) if file.exists() else set()


class Undecided(Exception):
    """A mutant that no problem stops, and whose tests did not end in time."""


def stopped_by(program: Program, number: int, reach: dict[str, set[int]], tests: Optional[Path]) -> str:
    for options, numbers in reach.items():
        if number not in numbers:
            continue
        words = shlex.split(options)
        seconds = max(SECONDS, 40 * program.base_seconds[shlex.join(words)])
        code, said = run(program, command(program, words, seconds), number, seconds)
        if code != 0 and not (code == 3 and shlex.join(words) in program.refused):
            if is_test(program.chapter):
                return "test: " + re.sub(r"\\(.)", r"\1", words[0])
            kind = {1: "wrong result", 4: "hazard", 124: "hangs"}.get(code, f"exit code {code}")
            if code == 1 and re.search("(did not come to|was not complete) .*within", said):
                kind = "ranks wait in vain"
            return f"{options}: {hazard_in(said) or kind}"
    if tests:
        code, said = run(program, [str(tests), "~[mutant]", "--abort"], number, TEST_SECONDS)
        if code == 124:
            raise Undecided
        if code:
            failed = re.search(r"^-{5,}\n(.+?)\n(?:-{5,}|\.{5,})", said, re.M | re.S)
            return f"test: {' '.join(failed[1].split()) if failed else f'exit code {code}'}"
    return ""


def require_right(program: Program, tests: Optional[Path]) -> None:
    """A test that fails without a bug would stop every mutant that comes to it."""
    if tests:
        code, said = run(program, [str(tests), "~[mutant]", "--abort"], 0, 10 * TEST_SECONDS)
        if code:
            raise SystemExit(f"{program.chapter.name}: its tests fail without a bug:\n{said[-2000:]}")


def hazard_in(said: str) -> str:
    found = re.search(r"^\S+: ([a-z][a-z -]+): kernel ", said, re.M)
    return found[1] if found else ""


def test_program(program: Program, tree: Path) -> Optional[Path]:
    """A copy of the chapter's tests beside the changed program, which they then run."""
    original = tree / "bin/tests" / f"test_{program.chapter.name}"
    if not original.exists():
        return None
    copy = program.folder / "bin/tests" / original.name
    copy.unlink(missing_ok=True)
    shutil.copy(original, copy)
    return copy


def main() -> int:
    parser = Arguments(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapter", help="or a test program of the library: test_harness")
    parser.add_argument("--list", action="store_true", help="say what would be changed, and build nothing")
    parser.add_argument("--only", nargs="+", type=int, default=[], metavar="N", help="these mutants alone")
    parser.add_argument("--planted", action="store_true", help="the bugs of planted.csv; what stops them goes there")
    parser.add_argument("--own", action="store_true", help="the chapter's own headers alone, not the library's")
    parser.add_argument("--headers", nargs="+", default=[], metavar="NAME", help="these headers alone: repack.hpp")
    parser.add_argument("--tree", type=Path, default=ROOT / "build/host", help="a tree that has the chapter built")
    parser.add_argument("--work", type=Path, default=ROOT / "build/mutation", help="where changed programs go")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--no-tests", action="store_true", help="problems alone, not the chapter's tests")
    parser.add_argument("--out", type=Path, help="append the rows to this CSV, and leave out what it has")
    parser.add_argument("--parts", default=PARTS, help="which parts of the kernels are changed, a regular expression")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no mutant after so long")
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    chapter = chosen(options.chapter)
    written = [row for row in rows_of(PLANTED) if row["chapter"] == chapter.name] if options.planted else []
    if options.planted:
        mutants = [planted(row) for row in written]
    else:
        headers = headers_of(chapter, options.tree)
        if options.own:
            headers = [path for path in headers if path.parts[0] == "chapters"]
        if options.headers:
            headers = [path for path in headers if path.name in options.headers]
        mutants = without_overlaps([change for path in headers for change in changes_of(path)])
    if options.list:
        for number, change in enumerate(mutants, 1):
            print(f"{number:4} {change.path}:{change.line}: {change.what}")
        return 0
    keys = keys_of(mutants)
    known = {key_of(row) for row in rows_of(options.out) if row["stopped by"] or row["equivalent because"]}
    folder = options.work.resolve() / (chapter.name + ("-planted" if options.planted else ""))
    program = Program(chapter, folder, mutants)
    compile_program(program, options.tree, options.jobs, options.parts)
    tests = None if options.no_tests or is_test(chapter) else test_program(program, options.tree)
    require_right(program, tests)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        listed = problems(chapter, options.tree)
        reach = dict(
            zip(
                listed,
                pool.map(
                    lambda each: reached(program, shlex.split(listed[each]), str(each)),
                    range(len(listed)),
                ),
            )
        )
        quickest = sorted(reach, key=lambda each: program.base_seconds.get(shlex.join(shlex.split(each)), 0))
        reach = {each: reach[each] for each in quickest}
        every = set().union(*reach.values()) - program.dropped
        if options.planted:  # also what no problem comes to: the chapter's tests may
            every = set(range(1, len(mutants) + 1)) - program.dropped
        numbers = [number for number in options.only or sorted(every) if keys[number - 1] not in known]
        lock = threading.Lock()
        counts = {"run": 0, "survive": 0, "undecided": 0}

        def one(number: int) -> None:
            if time.monotonic() > end:
                return
            change = mutants[number - 1]
            try:
                stop = stopped_by(program, number, reach, tests)
            except Undecided:
                with lock:
                    counts["undecided"] += 1
                    print(f"{number:4} {change.path}:{change.line}: {change.what}: UNDECIDED", flush=True)
                return
            with lock:
                counts["run"] += 1
                counts["survive"] += not stop
                print(f"{number:4} {change.path}:{change.line}: {change.what}: {stop or 'SURVIVES'}", flush=True)
                if options.planted:
                    written[number - 1]["stopped by"] = stop
                elif options.out:
                    append(options.out, [chapter.name, *map(str, keys[number - 1]), stop, ""])

        list(pool.map(one, numbers))
    if options.planted:
        for number in sorted(program.dropped):
            print(f"{number:4} {mutants[number - 1].path}: {mutants[number - 1].what}: DOES NOT COMPILE")
        others = [row for row in rows_of(PLANTED) if row["chapter"] != chapter.name]
        write_rows(PLANTED, sorted(others + written, key=lambda row: row["chapter"]), PLANTED_COLUMNS)
    elif options.out:
        write_rows(options.out, merged(rows_of(options.out)))
    print(
        f"{chapter.name}: {counts['run']} mutants run of {len(numbers)}, {counts['survive']} survive, "
        f"{counts['undecided']} undecided; "
        f"{len(every) - len(numbers)} known; {len(mutants) - len(every) - len(program.dropped)} that none of its "
        f"problems comes to, {len(program.dropped)} that the compiler must know"
    )
    return int(counts["undecided"] > 0)


COLUMNS = ["chapter", "file", "line", "change", "which", "stopped by", "equivalent because"]


def rows_of(path: Optional[Path]) -> list[dict[str, str]]:
    if not path or not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def key_of(row: dict[str, str]) -> Key:
    return (row["file"], row["line"], row["change"], int(row["which"]))


def merged(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """One row for each mutant: one that stops it where there is one, otherwise the first."""
    best: dict[Key, dict[str, str]] = {}
    for row in rows:
        old = best.get(key_of(row))
        if old is None or (row["stopped by"] and not old["stopped by"]):
            best[key_of(row)] = {**row, "equivalent because": "" if row["stopped by"] else row["equivalent because"]}
    return sorted(best.values(), key=lambda row: (row["file"], row["chapter"]))


def write_rows(path: Path, rows: list[dict[str, str]], columns: list[str] = COLUMNS) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def append(path: Path, row: list[str]) -> None:
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if new:
            writer.writerow(COLUMNS)
        writer.writerow(row)


if __name__ == "__main__":
    sys.exit(guarded(main))
