#!/usr/bin/env python3
"""Fill the <!-- whatchanged --> block of a chapter's lab.md: the diff of kernel.hpp against the chapter it builds on.

Snippet marks (`// [id]`) and a chapter's namespace are no code and take no part in it. <!-- whatchanged: short --> is
for README.md: the diff folded, or where more than half of the kernel is new, its size alone.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

from generated import Files, fill_chapter, program
from repository import Chapter, Mistake, in_one_namespace
from snippets import MARK


def kernel_lines(folder: Path) -> list[str]:
    path = folder / "kernel.hpp"
    if not path.exists():
        raise Mistake(f"{path}: is missing, so there is nothing to compare")
    return [line for line in in_one_namespace(path.read_text()).splitlines() if not MARK.match(line)]


def changes(chapter: Chapter, argument: str = "") -> str:
    if not chapter.builds_on:
        raise Mistake(f"{chapter.readme}: has a whatchanged block, but its add_chapter() has no BUILDS_ON")
    if argument not in ("", "short"):
        raise Mistake(f"{chapter.readme}: block 'whatchanged: {argument}': leave the word out, or write short")
    before = kernel_lines(chapter.folder.parent / chapter.builds_on)
    after = kernel_lines(chapter.folder)
    diff = list(
        difflib.unified_diff(
            before, after, f"{chapter.builds_on}/kernel.hpp", f"{chapter.name}/kernel.hpp", lineterm="", n=2
        )
    )
    added = sum(line.startswith("+") for line in diff[2:])
    removed = sum(line.startswith("-") for line in diff[2:])
    size = f"against {chapter.builds_on}: {added} lines added, {removed} removed, {len(after)} in all"
    fenced = ["```diff", *diff, "```"]
    if not argument:
        lines = [f"`kernel.hpp` {size}.", "", *fenced]
    elif 2 * added > len(after):
        lines = [f"`kernel.hpp` {size}: [the diff](lab.md#the-diff)."]
    else:
        lines = [f"<details><summary><code>kernel.hpp</code> {size}</summary>", "", *fenced, "", "</details>"]
    return "\n".join(lines)


def generate(chapter: Chapter, _bin: Path) -> Files:
    return fill_chapter(chapter, whatchanged=lambda argument: changes(chapter, argument))


if __name__ == "__main__":
    sys.exit(program(__doc__, generate))
