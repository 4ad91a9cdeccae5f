#!/usr/bin/env python3
"""Fill the <!-- madeof --> blocks of the chapters' pages: the headers of common/include/tilestep/block that a
chapter's kernel.hpp includes, itself or through others, each with its first sentence. A header comes after those that
it includes, so the list is an order to read them in.

--list prints the list of each kernel instead, of a chapter's second one too (fma_kernel.hpp), with the number of
headers and their lines.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from generated import Files, fill_chapter, guarded, program
from index import first_sentence, page_root
from repository import ROOT, Chapter, find_chapters

INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)


def block_headers(kernel: Path, root: Path = ROOT) -> list[Path]:
    """The block headers that this header includes, itself or through others; those that another one includes come
    before it."""
    include = root / "common/include"
    seen: set[Path] = set()
    found: list[Path] = []

    def visit(path: Path) -> None:
        seen.add(path)
        for name in INCLUDE.findall(path.read_text(errors="replace")):
            for candidate in (path.parent / name, include / name):
                if candidate.is_file() and candidate.resolve() not in seen:
                    visit(candidate.resolve())
        if path.parent == (include / "tilestep/block").resolve():
            found.append(path)

    visit(kernel.resolve())
    return found


def table(chapter: Chapter) -> str:
    rows = ["| header | what it is |", "|---|---|"]
    for header in block_headers(chapter.folder / "kernel.hpp", page_root(chapter.readme)):
        link = os.path.relpath(header, chapter.folder)
        rows.append(f"| [{header.name}]({link}) | {first_sentence(header)} |")
    return "\n".join(rows)


def generate(chapter: Chapter, _bin: Path) -> Files:
    return fill_chapter(chapter, madeof=lambda _argument: table(chapter))


def print_lists(names: list[str]) -> int:
    for chapter in find_chapters(names):
        for kernel in sorted(chapter.folder.glob("*kernel.hpp")):
            headers = block_headers(kernel)
            lines = sum(len(header.read_text().splitlines()) for header in headers)
            where = f"{chapter.name}/{kernel.name}"
            print(f"{where}: {len(headers)} headers, {lines} lines: {' '.join(h.name for h in headers)}")
    return 0


if __name__ == "__main__":
    if "--list" in sys.argv:
        sys.exit(guarded(lambda: print_lists([name for name in sys.argv[1:] if name != "--list"])))
    else:
        sys.exit(program(__doc__ or "", generate))
