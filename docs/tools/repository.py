"""What the repository holds: its root and its chapters, in order, as the add_chapter() calls describe them."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def build_folder() -> Path:
    """Where everything is built that is not committed: build, or what $TILESTEP_BUILD_DIR names."""
    return Path(os.environ.get("TILESTEP_BUILD_DIR") or ROOT / "build")


class Mistake(Exception):
    """Something in the repository is not as it should be; the message is a sentence for its author."""


@dataclasses.dataclass(frozen=True)
class Chapter:
    name: str  # 04_fma_gemm
    adds: str  # what it adds, one sentence
    builds_on: str  # the chapter whose kernel.hpp it changes, or ""
    runs: list[str]  # the problems of `./tutorial run`, one string of options each
    folder: Path
    bench: list[str] = dataclasses.field(default_factory=list)  # the problems of `./tutorial bench`, likewise
    # what `./tutorial run` shows of the virtual GPU, where that is not what it shows of all
    targets: list[str] = dataclasses.field(default_factory=list)
    kernels: list[str] = dataclasses.field(default_factory=list)  # the parts that its kernels are compiled in
    shown: list[str] = dataclasses.field(default_factory=list)  # those of them that `./tutorial run` needs
    dtype: str = ""  # the program's type, where that is not the first kernels'
    processes: int = 1  # that mpirun starts of its program; 1: it is run alone

    @property
    def number(self) -> str:
        return self.name.split("_")[0]

    @property
    def readme(self) -> Path:
        return self.folder / "README.md"

    @property
    def lab(self) -> Path:
        """The page with what stands behind the chapter: every count, time and run, and the diff."""
        return self.folder / "lab.md"

    @property
    def pages(self) -> list[Path]:
        """What a tool fills and a rule reads, in the order of reading."""
        return [page for page in (self.readme, self.lab) if page.exists()]

    def title(self) -> str:
        """The first heading of the chapter's README."""
        for line in self.readme.read_text().splitlines():
            if line.startswith("# "):
                return line[2:].strip()
        raise Mistake(f"{self.readme}: has no '# ' heading")


def chapters(root: Path = ROOT) -> list[Chapter]:
    """The chapters in the order of chapters/CMakeLists.txt."""
    listing = root / "chapters" / "CMakeLists.txt"
    found = []
    for call in cmake_calls(listing, "add_subdirectory"):
        folder = listing.parent / call[0]
        calls = cmake_calls(folder / "CMakeLists.txt", "add_chapter")
        if len(calls) != 1:
            raise Mistake(f"{folder / 'CMakeLists.txt'}: wants one add_chapter() call, has {len(calls)}")
        found.append(_chapter(folder, calls[0], found))
    return found


def find_chapters(names: list[str], root: Path = ROOT) -> list[Chapter]:
    """The chapters called 4, 04 or 04_fma_gemm; all of them when no name is given."""
    every = chapters(root)
    if not names:
        return every
    chosen = []
    for name in names:
        number = name.lstrip("0").rjust(2, "0")
        matches = [c for c in every if c.name == name or (name and c.number == number)]
        if not matches:
            raise Mistake(f"there is no chapter '{name}': choose one of {', '.join(c.name for c in every) or '(none)'}")
        chosen += matches
    return chosen


def _chapter(folder: Path, words: list[str], before: list[Chapter]) -> Chapter:
    values: dict[str, list[str]] = {"ADDS": [], "BUILDS_ON": [], "RUNS": [], "TARGETS": [], "BENCH": [], "SOURCES": []}
    values |= {"LIBRARIES": [], "KERNELS": [], "MORE_KERNELS": [], "DTYPE": [], "KERNELS_OF": [], "PROCESSES": []}
    key = None
    for word in words[1:]:
        if word in values:
            key = word
        elif key:
            values[key].append(word)
    if words[0] != folder.name:
        raise Mistake(f"{folder / 'CMakeLists.txt'}: add_chapter({words[0]}) stands in folder {folder.name}")
    owners = {chapter.name: chapter for chapter in before}
    others = [owners[name] for name in values["KERNELS_OF"] if name in owners]
    shown = " ".join(values["KERNELS"]).split() + [name for other in others for name in other.shown]
    more = " ".join(values["MORE_KERNELS"]).split() + [name for other in others for name in other.kernels]
    return Chapter(
        words[0],
        " ".join(values["ADDS"]),
        " ".join(values["BUILDS_ON"]),
        values["RUNS"],
        folder,
        values["BENCH"],
        values["TARGETS"],
        list(dict.fromkeys([*shown, *more])),
        shown,
        " ".join(values["DTYPE"]),
        int(" ".join(values["PROCESSES"]) or 1),
    )


def cmake_calls(path: Path, function: str) -> list[list[str]]:
    """The arguments of each call of a function in a CMake file: strings and bare words, comments left out."""
    token = re.compile(r'"((?:[^"\\]|\\.)*)"|#[^\n]*|([()])|([^\s()"#]+)', re.S)
    calls: list[list[str]] = []
    depth, previous = 0, ""
    for string, bracket, word in token.findall(path.read_text()):
        if bracket == "(":
            depth += 1
            if depth == 1:
                calls.append([previous])
        elif bracket == ")":
            depth -= 1
        elif depth and (word or string):
            calls[-1].append(word or re.sub(r"\\(.)", r"\1", string))
        previous = word
    return [call[1:] for call in calls if call[0] == function]


def kernel_hash(kernel: Path) -> str:
    """What a record keeps of the kernel that it is about: a hash of its code, without includes, comments and white
    space."""
    text = in_one_namespace(kernel.read_text())
    lines = [re.sub(r"//.*", "", line) for line in text.splitlines() if not line.startswith("#include")]
    return hashlib.sha256("".join("".join(lines).split()).encode()).hexdigest()


def in_one_namespace(text: str) -> str:
    """A chapter's header as if its names were tilestep's: the namespace of a chapter is no part of its code."""
    return re.sub(r"^(namespace|}  // namespace) tilestep::\w+", r"\1 tilestep", text, flags=re.M)
