#!/usr/bin/env python3
"""Fill the <!-- whatchanged --> block of a chapter's README: the diff of kernel.hpp against the chapter it builds on.

Snippet marks (`// [id]`) are no code and take no part in it.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

from generated import Files, fill, program
from repository import Chapter, Mistake
from snippets import MARK


def kernel_lines(folder: Path) -> list[str]:
    path = folder / "kernel.hpp"
    if not path.exists():
        raise Mistake(f"{path}: is missing, so there is nothing to compare")
    return [line for line in path.read_text().splitlines() if not MARK.match(line)]


def changes(chapter: Chapter) -> str:
    if not chapter.builds_on:
        raise Mistake(f"{chapter.readme}: has a whatchanged block, but its add_chapter() has no BUILDS_ON")
    before = kernel_lines(chapter.folder.parent / chapter.builds_on)
    after = kernel_lines(chapter.folder)
    diff = list(
        difflib.unified_diff(
            before, after, f"{chapter.builds_on}/kernel.hpp", f"{chapter.name}/kernel.hpp", lineterm="", n=2
        )
    )
    added = sum(line.startswith("+") for line in diff[2:])
    removed = sum(line.startswith("-") for line in diff[2:])
    stat = f"`kernel.hpp` against {chapter.builds_on}: {added} lines added, {removed} removed, {len(after)} in all."
    return "\n".join([stat, "", "```diff", *diff, "```"])


def generate(chapter: Chapter, _bin: Path) -> Files:
    return fill(chapter.readme, whatchanged=lambda _argument: changes(chapter))


if __name__ == "__main__":
    sys.exit(program(__doc__, generate))
