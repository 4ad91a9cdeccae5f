#!/usr/bin/env python3
"""Fill <!-- snippet: kernel.hpp#id --> blocks of the chapters' pages, and of docs/from_*.md, from marked regions of
compiled sources.

A region stands between two lines `// [id]`, the form that Doxygen's \\snippet reads too. `file` without an id is the
whole file. `expected/output.txt#--plan` is that file's command with these words, and its output; where several have
them, the one that ends with them. A command's number would be another command's when one is added.
"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

from expected import commands_of
from generated import Files, fill, fill_chapter, program
from repository import ROOT, Chapter, Mistake

LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".txt": "console", ".py": "python", ".cmake": "cmake"}
MARK = re.compile(r"^\s*//\s*\[([\w-]+)\]\s*$")


def snippet(folder: Path, reference: str) -> str:
    """The fenced text for `file#id`; the file is looked for in the page's folder, then from the repository's root."""
    name, _, region = reference.partition("#")
    path = next((p for p in (folder / name, ROOT / name) if p.is_file()), None)
    if path is None:
        raise Mistake(f"{folder}: snippet '{reference}' names a file that is neither here nor under the root")
    if path.suffix not in LANGUAGES:
        raise Mistake(f"{folder}: snippet '{reference}': no language is known for '{path.suffix}'")
    text = path.read_text()
    if path.suffix == ".txt":
        body = command_block(text, region, reference)
    else:
        body = marked_region(text, region, reference)
    return f"```{LANGUAGES[path.suffix]}\n{body}\n```"


def marked_region(text: str, region: str, reference: str) -> str:
    """The lines between the two marks, without any marks and without common indentation."""
    lines = text.splitlines()
    if region:
        marks = [i for i, line in enumerate(lines) if (m := MARK.match(line)) and m.group(1) == region]
        if len(marks) != 2:
            raise Mistake(f"snippet '{reference}': wants two lines '// [{region}]', found {len(marks)}")
        lines = lines[marks[0] + 1 : marks[1]]
    lines = [line for line in lines if not MARK.match(line)]
    return textwrap.dedent("\n".join(lines)).strip("\n")


def command_block(text: str, region: str, reference: str) -> str:
    if not region:
        return text.strip("\n")
    found = [(command, output) for command, output in commands_of(text) if region in command]
    ends = [(command, output) for command, output in found if command.endswith(region)]
    if region.isdigit() or len(found) != 1 and len(ends) != 1:
        counted = "a number" if region.isdigit() else f"in {len(found)} commands, {len(ends)} of which end with it"
        raise Mistake(f"snippet '{reference}': '{region}' is {counted}: name one command by words that it alone has")
    command, output = found[0] if len(found) == 1 else ends[0]
    return f"$ {command}\n{output}".strip("\n")


def generate(chapter: Chapter, _bin: Path) -> Files:
    return fill_chapter(chapter, snippet=lambda reference: snippet(chapter.folder, reference))


def pages() -> Files:
    """The pages outside of chapters that show code."""
    folder, files = ROOT / "docs", Files()
    for page in sorted(folder.glob("from_*.md")):
        files |= fill(page, snippet=lambda reference: snippet(folder, reference))
    return files


if __name__ == "__main__":
    sys.exit(program(__doc__, generate, pages))
