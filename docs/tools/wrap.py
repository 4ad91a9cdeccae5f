#!/usr/bin/env python3
"""Wrap the paragraphs of Markdown pages that have a line of more than 120 characters.

Tables, headings, fenced code and what a tool writes stay as they are. Neither code spans nor links are broken. Without
names, every page of the repository. --check writes nothing; exit code 1 when a page has such a paragraph.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Iterator

from console import Arguments
from generated import guarded, settle
from repository import ROOT

WIDTH = 120
QUOTE = re.compile(r"(?:> ?)*")
ITEM = re.compile(r"\s*(?:(?:[-*+]|\d+\.)\s+)?")
# A line that is no running text: a heading, a table, a comment or HTML, a rule, nothing.
APART = re.compile(r"\s*(#|\||<|:?-{3,}|$)")
# A word that would begin something else where it begins a line.
BEGINS = re.compile(r"(?:[-*+]|#+|=+|-+|\d+[.)])$|[>|<]")
# Words, where a code span or a link is one.
WORD = re.compile(r"(?:(`+).*?\1|!?\[[^\]]*\]\([^)]*\)|\S)+")


def pages(root: Path = ROOT) -> Iterator[Path]:
    for path in sorted(root.rglob("*.md")):
        if not any(part.startswith((".", "build")) for part in path.relative_to(root).parts[:-1]):
            yield path


def beginning(pattern: re.Pattern[str], line: str) -> str:
    match = pattern.match(line)
    return match[0] if match else ""


def paragraphs(text: str) -> Iterator[tuple[list[str], bool]]:
    """The page's lines, those of a paragraph, an item or a quotation together, and whether these may be wrapped."""
    open_lines: list[str] = []
    generated = fenced = False
    for line in text.split("\n"):
        marker = None if fenced else re.match(r"<!-- (/?)[a-z]+(:.*)? -->$", line)
        quote = beginning(QUOTE, line)
        bare = line[len(quote) :]
        fence = re.match(r"\s*```", bare)
        free = not (marker or generated or fenced or fence or APART.match(bare))
        item = re.match(r"\s*(?:[-*+]|\d+\.)\s", bare)
        other_quote = open_lines and bool(quote) != open_lines[0].startswith(">")
        if open_lines and (not free or item or other_quote):
            yield open_lines, True
            open_lines = []
        if free:
            open_lines.append(line)
        else:
            yield [line], False
        if marker:
            generated = not marker[1]
        elif fence and not generated:
            fenced = not fenced
    if open_lines:
        yield open_lines, True


def wrapped(lines: list[str]) -> list[str]:
    """The same text in lines of at most WIDTH, unless a word is longer."""
    quote = beginning(QUOTE, lines[0])
    lead = quote + beginning(ITEM, lines[0][len(quote) :])
    rest = quote + " " * (len(lead) - len(quote))
    others = [line[len(beginning(QUOTE, line)) :].strip() for line in lines[1:]]
    text = " ".join([lines[0][len(lead) :], *others])
    words: list[str] = []
    for match in WORD.finditer(text):
        if words and BEGINS.match(match[0]):
            words[-1] += " " + match[0]
        else:
            words.append(match[0])
    out = [lead]
    for word in words:
        empty = out[-1] in (lead, rest)
        if not empty and len(out[-1]) + 1 + len(word) > WIDTH:
            out.append(rest + word)
        else:
            out[-1] += word if empty else " " + word
    return out


def page(text: str) -> str:
    lines: list[str] = []
    for paragraph, free in paragraphs(text):
        lines += wrapped(paragraph) if free and max(map(len, paragraph)) > WIDTH else paragraph
    return "\n".join(lines)


def main() -> int:
    parser = Arguments(description=__doc__)
    parser.add_argument("page", nargs="*", type=Path, help="without one, every page")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a page has such a paragraph")
    options = parser.parse_args()
    for path in options.page:
        if path.suffix != ".md":
            parser.error(f"{path} is no Markdown page")
    files = {path: page(path.read_text()).encode() for path in options.page or pages()}
    return settle(dict(files), options.check)


if __name__ == "__main__":
    sys.exit(guarded(main))
