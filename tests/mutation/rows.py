#!/usr/bin/env python3
"""Break a promise of tests/features.md, one line of a source at a time, and see its test fail.

    rows.py             every break of rows.csv; what stopped each is written there
    rows.py A7 C14      the breaks of these rows
    rows.py --list      say what would be broken

A row of rows.csv: the row of features.md; a file, a text that is there once, and what stands in its place; the test of
that row which must fail, as features.md names it; and further sources to compile, where the break is in none that the
test includes: a source of the library, or those of a chapter's program that the test runs.

Every break is made in a copy of the repository, below --work. The source that has the test is compiled there as the
tree compiles it, but without its other tests and not optimised, and linked with the tree's libraries; first without the
break, when the test must pass. A break that does not compile has not been caught, unless a static_assert of the test
says no.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import queue
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Optional

from mutate import HERE, ROOT, rows_of, write_rows

sys.path.insert(0, str(ROOT / "tests/repo"))

from console import Arguments, ended  # noqa: E402
import rules  # noqa: E402

ROWS = HERE / "rows.csv"
COLUMNS = ["row", "file", "old", "new", "test", "sources", "stopped by"]
SECONDS = 300  # a test that runs longer hangs

# Rows that are about tools, pages and records, or about random and planted problems, which are breaks themselves.
NOT_OF_THE_LIBRARY = {"D1", "D6", "D7", "D8", "D10", "D13", "D15", "D16"}
# Each of these has a break at least.
PLACES = [
    "common/include/tilestep/core/",
    "common/include/tilestep/layout/",
    "common/include/tilestep/tensor/",
    "common/include/tilestep/algorithm/",
    "common/include/tilestep/atom/",
    "common/include/tilestep/atom/async_copy.hpp",
    "common/include/tilestep/block/padded.hpp",
    "common/include/tilestep/block/xdl.hpp",
    "common/harness/",
    "common/backend/",
    "chapters/",
    "tests/backend/any/results/",
]


def violations(
    rows: list[dict[str, str]], least: int, unmade: int, root: Path = ROOT, places: Optional[list[str]] = None
) -> list[str]:
    """What is wrong with a list of breaks, one sentence each. @param unmade  breaks that nobody has made yet"""
    found = [f"has {len(rows)} breaks, wants {least}"] if len(rows) < least else []
    features = rules.features(root)
    seen: set[tuple[str, str, str]] = set()
    for row in rows:
        where = f"{row['row']}: {row['file']}: '{row['old']}'"
        path = root / row["file"]
        count = path.read_text().count(row["old"]) if path.is_file() else 0
        if count != 1:
            found.append(f"{where}: is there {count} times, wants once")
        if row["old"] == row["new"]:
            found.append(f"{where}: changes nothing")
        if (row["file"], row["old"], row["new"]) in seen:
            found.append(f"{where}: stands there twice")
        seen.add((row["file"], row["old"], row["new"]))
        if row["test"] not in features.get(row["row"], []):
            found.append(f"{where}: '{row['test']}' is no test of {row['row']} in tests/features.md")
    unknown = [row for row in rows if not row["stopped by"]]
    if len(unknown) != unmade:
        found.append(f"{len(unknown)} breaks are not stopped, {unmade} are known to be not made yet (in check.py)")
        found += [f"  {row['row']}: {row['file']}: '{row['old']}'" for row in unknown]
    broken = {row["row"] for row in rows}
    for name in features:
        if name not in broken and name not in NOT_OF_THE_LIBRARY:
            found.append(f"{name}: has no break")
    for name in sorted(NOT_OF_THE_LIBRARY & broken):
        found.append(f"{name}: has a break, and is said to be no row about the library")
    for place in PLACES if places is None else places:
        if not any(row["file"].startswith(place) for row in rows):
            found.append(f"{place}: has no break")
    return found


# ---- Programs ----

STRING = r'"(?:[^"\\]|\\.)*"'


def alone(text: str, case: str) -> str:
    """The source of a test without its other tests, line by line where it was."""
    lines = text.split("\n")
    for match in re.finditer(rf"^(?:\w+_)?TEST_CASE\(\s*((?:{STRING}\s*)+)", text, re.M):
        if "".join(part[1:-1] for part in re.findall(STRING, match[1])) == case:
            continue
        first = last = text.count("\n", 0, match.start())
        while lines[last] != "}" and not (last == first and lines[last].endswith("}")):
            last += 1
        lines[first : last + 1] = [""] * (last + 1 - first)
    return "\n".join(lines)


class Broken(Exception):
    """Does not compile or link: what the compiler says."""


@dataclasses.dataclass
class Tree:
    """A tree of the build, and how it compiles and links."""

    folder: Path
    lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.entries = json.loads((self.folder / "compile_commands.json").read_text())

    def command(self, source: str, target: str = "") -> tuple[str, list[str]]:
        """The object of a source, of this target where it has one, and the words that compile it."""
        found = [(re.search(r" -o (\S+)", each["command"])[1], each["command"]) for each in self.entries
                 if Path(each["file"]) == ROOT / source]  # fmt: skip
        if not found:
            raise SystemExit(f"{self.folder} compiles no {source}: configure it with the chapters that are asked for")
        name, command = next((each for each in found if f"/{target}.dir/" in each[0]), found[0])
        return name, shlex.split(command)

    def link(self, program: str) -> list[str]:
        """The words that link a program; what it is linked with is built."""
        with self.lock:
            lines = subprocess.run(["ninja", "-C", self.folder, "-t", "commands", "-s", program],
                                   capture_output=True, text=True, check=True).stdout.splitlines()  # fmt: skip
        words = shlex.split(lines[-1])
        return words[words.index("&&") + 1 : len(words) - 1 - words[::-1].index("&&")]

    def build(self, names: list[str]) -> None:
        with self.lock:
            subprocess.run(["ninja", "-C", self.folder, *names], stdout=subprocess.DEVNULL, check=True)


class Copy:
    """A copy of the repository, in which one break is made at a time."""

    def __init__(self, folder: Path, tree: Tree) -> None:
        self.folder, self.tree = folder, tree
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "-co", "--exclude-standard"],
                                capture_output=True, text=True, check=True).stdout  # fmt: skip
        for name in filter(None, listed.split("\0")):
            of, to = ROOT / name, folder / name
            if of.is_file() and not (to.exists() and to.read_bytes() == of.read_bytes()):
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(of, to)

    def here(self, word: str) -> str:
        """A word of a command, about this copy's sources in place of the repository's."""
        word = word.replace(f"{ROOT}/", f"{self.folder}/")
        return word.replace(f"{self.folder / self.tree.folder.relative_to(ROOT)}/", f"{self.tree.folder}/")

    def compile(self, source: str, target: str, to: Path) -> None:
        _, words = self.tree.command(source, target)
        kept: list[str] = []
        at = 0
        while at < len(words):  # without precompiled headers, which have the sources of the tree
            if words[at] == "-Xclang" or words[at] == "-include" and "cmake_pch" in words[at + 1]:
                at += 2
            elif words[at] in ("-MF", "-MT", "-o"):
                at += 2
            else:
                kept += [self.here(words[at])] if words[at] not in ("-Werror", "-MD", "-Winvalid-pch") else []
                at += 1
        to.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([*kept, "-w", "-O0", "-MD", "-MF", f"{to}.d", "-o", str(to)],
                              cwd=self.tree.folder, capture_output=True, text=True)  # fmt: skip
        if done.returncode:
            raise Broken(done.stderr)

    def link(self, program: str, objects: list[tuple[str, Path]], alone: bool) -> Path:
        """A program of these objects (name in the tree, file), with the tree's others unless it is `alone`."""
        words = self.tree.link(program)
        ours = dict(objects)
        others = [word for word in words if word.endswith(".o") and word not in ours]
        libraries = [word for word in words if word.endswith((".a", ".so")) and not word.startswith("/")]
        self.tree.build(libraries + ([] if alone else others))
        path = self.folder / "build/host" / program
        path.parent.mkdir(parents=True, exist_ok=True)
        # Changed objects stand first: of a function that several hold, the linker takes the first.
        words = [word for word in words if not word.endswith(".o")]
        at = words.index("-o")
        words[at : at + 2] = [str(file) for _, file in objects] + ([] if alone else others) + ["-o", str(path)]
        done = subprocess.run(words, cwd=self.tree.folder, capture_output=True, text=True)
        if done.returncode:
            raise Broken(done.stderr)
        return path

    def program_of(self, row: dict[str, str]) -> str:
        """The program that has the test of a break."""
        name, _ = self.tree.command(f"tests/{row['test'].partition(': ')[0]}")
        return re.search(r"CMakeFiles/(\w+)\.dir/", name)[1]

    def build(self, row: dict[str, str]) -> Path:
        """The test's program, and the chapter's that it runs, of this copy's sources."""
        place, _, case = row["test"].partition(": ")
        source = f"tests/{place}"
        reduced = alone((ROOT / source).read_text(), case)
        if (self.folder / source).read_text() != reduced:
            (self.folder / source).write_text(reduced)
        test = self.program_of(row)
        chapter = test.removeprefix("test_")
        sources = row["sources"].split()
        parts = [each for each in sources if each.startswith(f"chapters/{chapter}/")]
        if parts:
            compiled = [(each, self.tree.command(each, f"{chapter}-main")[0]) for each in parts]
            objects = [(name, self.object(each, f"{chapter}-main")) for each, name in compiled]
            self.link(f"bin/{chapter}", objects, False)
        mine = [source] + [each for each in sources if each not in parts]
        objects = [(self.tree.command(each, test)[0], self.object(each, test)) for each in mine]
        return self.link(f"bin/tests/{test}", objects, True)

    def object(self, source: str, target: str) -> Path:
        """Compiles a source, unless nothing that it read has changed since it was."""
        to = self.folder / "build/objects" / target / f"{source}.o"
        newest = 0.0
        if to.exists():
            read = Path(f"{to}.d").read_text().replace("\\\n", " ").split()[1:]
            newest = max((path.stat().st_mtime for path in map(Path, read) if path.exists()), default=0.0)
        if not to.exists() or newest >= to.stat().st_mtime:
            to.unlink(missing_ok=True)
            self.compile(source, target, to)
        return to


def run(program: Path, case: str) -> str:
    """What stops the test: the assertion that fails, or a signal. Nothing where it passes."""
    name = re.sub(r"([\\,\[\]\"*~])", r"\\\1", case)
    try:  # of a template, all types
        done = subprocess.run([program, f"{name},{name} - *"], capture_output=True, text=True, errors="replace",
                              timeout=SECONDS, cwd=program.parent)  # fmt: skip
    except subprocess.TimeoutExpired:
        return "hangs"
    if done.returncode == 0 and "All tests passed" in done.stdout:
        return ""
    said = done.stdout + done.stderr
    failed = re.search(r": FAILED:\n(.*?)(?:\nwith expansion:\n(.*?))?\n\n", said, re.S)
    if not failed:
        return f"does not run: {' '.join(said.split())[-100:] or done.returncode}"
    return " ".join(" ".join(filter(None, failed.groups())).split())[:160]


def what_compiler_says(row: dict[str, str], said: str) -> str:
    """A static_assert of the test stops a break; another error says that the break is none."""
    place, _, case = row["test"].partition(": ")
    text = (ROOT / "tests" / place).read_text()
    lines = alone(text, case).split("\n")
    first = next(number for number, line in enumerate(lines, 1) if re.match(r"(\w+_)?TEST_CASE\(", line))
    last = lines.index("}", first)
    for path, line, error in re.findall(r"^(\S+?):(\d+):\d+: error: (.*)$", said, re.M):
        if path.endswith(f"/tests/{place}") and "static assertion failed" in error and first <= int(line) <= last:
            return " ".join(text.splitlines()[int(line) - 1].split())[:160]
    first = re.search(r"error: .*", said)
    raise Broken(first[0] if first else said[-300:])


class Right:
    """A copy without a break, in which each test must pass."""

    def __init__(self, copy: Copy) -> None:
        self.copy = copy
        self.locks: collections.defaultdict[str, threading.Lock] = collections.defaultdict(threading.Lock)
        self.passed: set[str] = set()

    def require(self, row: dict[str, str]) -> None:
        case = row["test"].partition(": ")[2]
        with self.locks[self.copy.program_of(row)]:
            if row["test"] in self.passed:
                return
            stops = run(self.copy.build(row), case)
            if stops:
                raise SystemExit(f"{row['row']}: {row['test']}: fails without a break: {stops}")
            self.passed.add(row["test"])


def one(copy: Copy, row: dict[str, str], right: Right) -> str:
    """What stops a break."""
    case = row["test"].partition(": ")[2]
    path = copy.folder / row["file"]
    text = (ROOT / row["file"]).read_text()
    if text.count(row["old"]) != 1:
        raise SystemExit(f"{row['row']}: {row['file']}: '{row['old']}' is there {text.count(row['old'])} times")
    right.require(row)
    path.write_text(text.replace(row["old"], row["new"]))
    try:
        return run(copy.build(row), case)
    except Broken as broken:
        return what_compiler_says(row, str(broken))
    finally:
        path.write_text(text)


def main() -> int:
    parser = Arguments(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="such as A7; without it all")
    parser.add_argument("--list", action="store_true", help="say what would be broken, and build nothing")
    parser.add_argument("--new", action="store_true", help="those alone that nothing has stopped yet")
    parser.add_argument("--tree", type=Path, default=ROOT / "build/host", help="a configured tree")
    parser.add_argument("--work", type=Path, default=ROOT / "build/rows", help="where the copies go")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no break after so long")
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    asked = [row for row in rows_of(ROWS) if not options.rows or row["row"] in options.rows]
    if options.new:
        asked = [row for row in asked if not row["stopped by"]]
    if options.list:
        for row in asked:
            print(f"{row['row']:4} {row['file']}: {row['old']} -> {row['new'] or 'nothing'}: {row['test']}")
        return 0
    tree = Tree(options.tree.resolve())
    copies: queue.Queue[Copy] = queue.Queue()
    for number in range(max(1, min(options.jobs, len(asked)))):
        copies.put(Copy(options.work.resolve() / str(number), tree))
    right = Right(Copy(options.work.resolve() / "right", tree))
    lock, failures, made = threading.Lock(), [], []

    def work(row: dict[str, str]) -> None:
        if time.monotonic() > end:
            return
        copy = copies.get()
        try:
            stop = one(copy, row, right)
            said = stop or "SURVIVES"
        except Broken as broken:
            stop, said = "", f"DOES NOT COMPILE: {broken}"
        except SystemExit as problem:
            stop, said = "", str(problem)
        finally:
            copies.put(copy)
        with lock:
            print(f"{row['row']:4} {row['file']}: {row['old']}: {said}", flush=True)
            made.append(row)
            if not stop:
                failures.append(row)
            written = rows_of(ROWS)  # which somebody may have edited since
            for each in written:
                if all(each[name] == row[name] for name in COLUMNS[:-1]):
                    each["stopped by"] = stop
            write_rows(ROWS, written, COLUMNS)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, asked))
    print(f"{len(made)} breaks made of {len(asked)}, {len(failures)} not stopped")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
