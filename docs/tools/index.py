#!/usr/bin/env python3
"""Fill the lists that several pages share: <!-- chapters --> (the ladder, from the add_chapter() calls) and
<!-- headers: layer --> (a layer's headers in reading order, from its umbrella header and each header's first
sentence)."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from console import Arguments
from generated import Files, fill, guarded, settle
from repository import ROOT, Mistake, chapters

PAGES = ["README.md", "chapters/README.md", "common/README.md"]


def ladder(page: Path) -> str:
    """One table row per chapter, with links as seen from the page."""
    rows = ["| chapter | what it adds |", "|---|---|"]
    for chapter in chapters(page_root(page)):
        link = os.path.relpath(chapter.readme, page.parent)
        rows.append(f"| [{chapter.name}]({link}) | {chapter.adds} |")
    return "\n".join(rows)


def headers(page: Path, layer: str) -> str:
    """One table row per header that the layer's umbrella includes, in its order."""
    include = page_root(page) / ("common/harness" if layer == "harness" else "common/include")
    umbrella = include / "tilestep" / f"{layer}.hpp"
    if not umbrella.exists():
        raise Mistake(f"{page}: block 'headers: {layer}' wants {umbrella}, which is not there")
    rows = ["| header | what it is |", "|---|---|"]
    for name in re.findall(r"^#include <(tilestep/%s/[\w/]+\.hpp)>" % layer, umbrella.read_text(), re.M):
        link = os.path.relpath(include / name, page.parent)
        rows.append(f"| [{Path(name).name}]({link}) | {first_sentence(include / name)} |")
    return "\n".join(rows)


def first_sentence(header: Path) -> str:
    """The first sentence of the paragraph that follows #pragma once."""
    text = ""
    for line in header.read_text().splitlines():
        line = line.strip()
        if line.startswith("//"):
            text += " " + line.lstrip("/").strip().removeprefix("@file").strip()
        elif text.strip():
            break
    match = re.match(r"(.+?\.)(\s|$)", text.strip())
    if not match:
        raise Mistake(f"{header}: wants a paragraph under #pragma once that says what it is")
    return match.group(1).rstrip(".").replace("|", "\\|")


def page_root(page: Path) -> Path:
    """The root of the tree that the page belongs to."""
    return next(p for p in page.parents if (p / "chapters").is_dir())


def generate(page: Path) -> Files:
    return fill(page, chapters=lambda _argument: ladder(page), headers=lambda layer: headers(page, layer))


if __name__ == "__main__":
    parser = Arguments(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a page is stale")

    def body() -> int:
        options = parser.parse_args()
        pages = [ROOT / name for name in PAGES if (ROOT / name).exists()]
        return settle({k: v for page in pages for k, v in generate(page).items()}, options.check)

    sys.exit(guarded(body))
