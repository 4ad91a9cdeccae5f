"""Files that are written by a tool: written in place, or compared with what is there (--check)."""

from __future__ import annotations

import dataclasses
import difflib
import os
import sys
from pathlib import Path
from typing import Callable, Iterator, Optional, Union

from console import Arguments, Stop, ended
from excerpt import chosen, excerpt
from repository import ROOT, Chapter, Mistake, build_folder, find_chapters

# What a file should hold; None means that it should not be there.
Files = dict[Path, Union[bytes, None]]

# The generated blocks that a Markdown file may have.
KINDS = (
    "snippet",
    "counters",
    "budget",
    "isa",
    "bench",
    "devices",
    "instructions",
    "whatchanged",
    "chapters",
    "headers",
    "madeof",
    "output",
    "ladder",
    "random",
    "split",
    "plans",
    "ceiling",
    "shapes",
    "several",
    "limits",
    "profile",
    "exhibit",
    "public",
)


def settle(files: Files, check: bool) -> int:
    """Write what differs, or with check=True name it and return 1."""
    stale = 0
    for path, wanted in sorted(files.items()):
        actual = path.read_bytes() if path.exists() else None
        if actual == wanted:
            continue
        stale += 1
        shown = os.path.relpath(path, ROOT)
        if check:
            print(f"{shown}: is not what docs/tools/refresh writes")
            print_difference(actual or b"", wanted or b"", shown)
        elif wanted is None:
            path.unlink()
            print(f"removed {shown}")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(wanted)
            print(f"wrote {shown}")
    return 1 if check and stale else 0


def print_difference(actual: bytes, wanted: bytes, name: str) -> None:
    lines = list(
        difflib.unified_diff(
            actual.decode(errors="replace").splitlines(),
            wanted.decode(errors="replace").splitlines(),
            f"{name} (committed)",
            f"{name} (generated)",
            lineterm="",
            n=1,
        )
    )
    print("\n".join(lines[:60]))
    if len(lines) > 60:
        print(f"... and {len(lines) - 60} more lines")


def program(
    description: str, generate: Callable[[Chapter, Path], Files], pages: Optional[Callable[[], Files]] = None
) -> int:
    """The command line that the chapter tools share; `pages` are the files that belong to no chapter."""
    parser = Arguments(description=description)
    parser.add_argument("chapter", nargs="*", help="04 or 04_fma_gemm; without one, every chapter")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file is stale")
    parser.add_argument(
        "--bin", type=Path, default=build_folder() / "host/bin", help="where the chapters' programs are"
    )

    def body() -> int:
        options = parser.parse_args()
        every: Files = {}
        for chapter in find_chapters(options.chapter):
            every.update(generate(chapter, options.bin.resolve()))
        if pages and not options.chapter:
            every.update(pages())
        return settle(every, options.check)

    return guarded(body)


def guarded(body: Callable[[], int]) -> int:
    """Run a tool's body; a Mistake becomes one sentence on stderr and exit code 1, and so on as in ended()."""

    def checked() -> int:
        try:
            return body()
        except Mistake as mistake:
            raise Stop(str(mistake), 1) from mistake

    return ended(Path(sys.argv[0]).name, checked)


def blocks(text: str, where: Path) -> Iterator[tuple[int, int, str, str]]:
    """The generated blocks of a Markdown file: (first line, closing line, kind, argument).

    A block stands between `<!-- kind: argument -->` and `<!-- /kind -->`, each alone on its line and outside code
    fences.
    """
    fence, opened = "", None
    for number, line in enumerate(text.splitlines()):
        marker = line.strip()
        comment = marker[4:-3].strip() if marker.startswith("<!--") and marker.endswith("-->") else ""
        if opened:
            if comment == "/" + opened[1]:
                yield opened[0], number, opened[1], opened[2]
                opened = None
        elif fence:
            fence = "" if marker == fence else fence
        elif marker.startswith("```"):
            fence = "`" * (len(marker) - len(marker.lstrip("`")))
        elif comment.startswith("/"):
            raise Mistake(f"{where}:{number + 1}: '{marker}' closes a block that was not opened")
        elif comment:
            kind, _, argument = comment.partition(":")
            if kind.strip() in KINDS:
                opened = (number, kind.strip(), argument.strip())
    if opened:
        raise Mistake(f"{where}:{opened[0] + 1}: block '{opened[1]}' is not closed by <!-- /{opened[1]} -->")


def fill(path: Path, **makers: Callable[[str], str]) -> Files:
    """The Markdown file with the blocks of each named kind filled by makers[kind](argument)."""
    text = path.read_text()
    lines = text.splitlines()
    for first, last, kind, argument in reversed(list(blocks(text, path))):
        if kind in makers:
            lines[first + 1 : last] = makers[kind](argument).splitlines()
    return {path: ("\n".join(lines) + "\n").encode()}


@dataclasses.dataclass(frozen=True)
class Evidence:
    """What fills a block of numbers: its whole for lab.md, and for README.md the columns and rows that its text speaks
    of, which the argument chooses (excerpt.py)."""

    whole: Callable[[str], str]  # from the argument without its choices
    again: Callable[[str], str]  # a sentence with the command that repeats it, from the same
    section: str  # its heading in lab.md
    names: int = 2  # how many of a table's first columns say what a row is

    def block(self, page: Path, argument: str) -> str:
        argument, columns, rows = chosen(argument)
        text = self.whole(argument)
        if columns or rows:
            text = excerpt(text, columns, rows, self.names, str(page))
        more = "" if page.name == "lab.md" else f" The whole table: [lab](lab.md#{anchor(self.section)})."
        return one_paragraph_below(f"{text}\n\n{self.again(argument)}{more}")


def one_paragraph_below(text: str) -> str:
    """The text with the paragraphs that follow one another joined; tables stay apart."""
    pieces: list[str] = []
    for piece in text.split("\n\n"):
        if pieces and not (pieces[-1].startswith("|") or piece.startswith("|")):
            pieces[-1] += f" {piece}"
        else:
            pieces.append(piece)
    return "\n\n".join(pieces)


def anchor(heading: str) -> str:
    """What GitHub makes of a heading of plain words."""
    return heading.lower().replace(" ", "-")


Maker = Union[Evidence, Callable[[str], str]]


def fill_chapter(chapter: Chapter, **makers: Maker) -> Files:
    """The chapter's pages with their blocks of these kinds filled."""

    def maker_for(page: Path, maker: Maker) -> Callable[[str], str]:
        return (lambda argument: maker.block(page, argument)) if isinstance(maker, Evidence) else maker

    files: Files = {}
    for page in chapter.pages:
        files |= fill(page, **{kind: maker_for(page, maker) for kind, maker in makers.items()})
    return files
