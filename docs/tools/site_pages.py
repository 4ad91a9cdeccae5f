"""The pages of the site: the Markdown files of the repository, and every source that one of them links.

The site mirrors the repository: chapters/07_k_loop/README.md is chapters/07_k_loop/index.html, its kernel.hpp is
kernel.hpp.html. So a link of a page is the link that GitHub follows with another ending, and a link to a file that is
not there stops the build. Run by docs_site.py with Debian's Python, which has the libraries.
"""

from __future__ import annotations

import dataclasses
import html
import json
import os
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from string import Template
from typing import Optional

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.util import ClassNotFound

import run_here
from repository import ROOT, Mistake, chapters

PARTS = ROOT / "docs/site"
INCLUDES = [ROOT / "common" / each for each in ("include", "harness", "backend/any/include", "backend/host/include")]
MOST_TEXT = 200_000  # characters of a source that is shown on a page; larger ones are copied


@dataclasses.dataclass
class Section:
    """What the search finds: a heading and the text under it."""

    heading: str
    anchor: str
    text: list[str] = dataclasses.field(default_factory=list)


class Site:
    def __init__(self, out: Path, module: Optional[Path] = None) -> None:
        """@param module  what the box "Run it here" runs; without it there is no box"""
        self.out = out
        self.module = module
        self.book = book()
        self.pages = [page for group in self.book.values() for page in group]
        self.titles = {page: title_of(page) for page in self.pages}
        self.made: set[Path] = set()
        self.wanted: list[Path] = []
        self.index: list[tuple[str, str, str, str]] = []  # page, heading, address, text
        self.page = Template((PARTS / "page.html").read_text())
        self.bar = Template((PARTS / "bar.html").read_text())
        self.markdown = MarkdownIt("commonmark", {"highlight": code}).enable(["table", "strikethrough"])
        anchors_plugin(self.markdown, max_level=4)

    def make(self) -> None:
        for page in self.pages:
            for path in [page, *beside(page)]:
                self.want(path)
        while self.wanted:
            path = self.wanted.pop(0)
            if path.is_dir():
                self.folder(path)
            elif path.suffix == ".md":
                self.text(path)
            else:
                self.source(path)
        self.symbols()
        self.parts()

    def want(self, path: Path) -> None:
        if path not in self.made:
            self.made.add(path)
            self.wanted.append(path)

    # ---- addresses

    def address(self, path: Path) -> str:
        """The page of a file or folder of the repository, seen from the root of the site."""
        name = path.relative_to(ROOT)
        if path.is_dir():
            return f"{name}/{'index' if (path / 'README.md').exists() else 'files'}.html"
        if path.name == "README.md":
            return str(name.parent / "index.html")
        if path.suffix == ".md":
            return str(name.with_suffix(".html"))
        return str(name) if is_raw(path) else f"{name}.html"

    def link(self, source: Path, target: str) -> str:
        """What a link of a file leads to on the site."""
        if re.match(r"[a-z]+:", target):
            return target
        name, _, anchor = target.partition("#")
        there = (source.parent / name).resolve() if name else source
        if not there.exists() or ROOT not in there.parents:
            raise Mistake(f"{source.relative_to(ROOT)}: links to {target}, which is not there")
        self.want(there)
        return self.between(source, there) + (f"#{anchor}" if anchor else "")

    def between(self, source: Path, there: Path) -> str:
        return os.path.relpath(self.address(there), Path(self.address(source)).parent)

    # ---- the three kinds of pages

    def text(self, path: Path) -> None:
        tokens = self.markdown.parse(path.read_text())
        self.resolve(path, tokens)
        body = self.markdown.renderer.render(tokens, self.markdown.options, {})
        body = body.replace("<table>", '<div class="scroll" tabindex="0"><table>')
        body = body.replace("</table>", "</table></div>")
        if self.module and path == run_here.CHAPTER / "README.md":
            body = self.with_box(path, body)
        sections = sections_of(tokens)
        title = sections[0].heading
        for section in sections:
            anchor = f"#{section.anchor}" if section is not sections[0] else ""
            heading = section.heading if section is not sections[0] else ""
            self.index.append((title, heading, self.address(path) + anchor, " ".join(" ".join(section.text).split())))
        self.write(path, title, body, contents(tokens))

    def with_box(self, path: Path, body: str) -> str:
        """The page with the box "Run it here" at the end of its section "Run it"."""
        heading = '<h2 id="what-the-hardware-saw"'
        if body.count(heading) != 1:
            raise Mistake(f"{path.relative_to(ROOT)}: 'Run it here' stands before '## What the hardware saw'")
        root = os.path.relpath(".", Path(self.address(path)).parent) + "/"
        return body.replace(heading, run_here.box(root) + heading)

    def source(self, path: Path) -> None:
        target = self.out / self.address(path)
        if is_raw(path):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
            return
        text = path.read_text()
        lines = text.count("\n") + (not text.endswith("\n"))
        numbers = "\n".join(str(number) for number in range(1, lines + 1))
        body = re.sub(
            r'(<span class="cpf">)(&lt;|&quot;)([\w/.]+)(&gt;|&quot;)(</span>)',
            lambda match: self.include(path, match),
            coloured(text, lexer_of(path)),
        )
        name = str(path.relative_to(ROOT))
        article = (
            f'<h1>{html.escape(path.name)}</h1>\n<p class="where">{self.crumbs(path)}</p>\n'
            f'<div class="whole"><pre class="numbers" aria-hidden="true">{numbers}</pre>'
            f'<pre tabindex="0"><code>{body}</code></pre></div>'
        )
        about = re.search(r"^#pragma once\n((?://.*\n)+)", text)
        words = re.sub(r"^//\s?", "", about.group(1), flags=re.M) if about else ""
        self.index.append((name, "", self.address(path), " ".join(words.split())))
        self.write(path, name, article, "")

    def folder(self, path: Path) -> None:
        readme = path / "README.md"
        if readme.exists():
            self.want(readme)
            return
        files = [file for file in sorted(path.iterdir()) if file.is_file()]
        for file in files:
            self.want(file)
        rows = "".join(f'<li><a href="{self.between(path, file)}">{file.name}</a></li>\n' for file in files)
        title = str(path.relative_to(ROOT))
        self.write(path, title, f"<h1>{title}</h1>\n<ul>\n{rows}</ul>", "")

    # ---- parts of pages

    def resolve(self, path: Path, tokens: list[Token]) -> None:
        """Links lead to pages; pictures stand in the page, so that their tooltips and colours work."""
        previous: Optional[Token] = None
        for token in tokens:
            for child in token.children or []:
                if child.type == "link_open":
                    child.attrSet("href", self.link(path, str(child.attrGet("href"))))
                elif child.type == "image":
                    picture = (path.parent / str(child.attrGet("src"))).resolve()
                    if picture.suffix != ".svg" or not picture.exists():
                        raise Mistake(f"{path.relative_to(ROOT)}: shows {picture}: wants an SVG file that is there")
                    child.type, child.tag = "html_inline", ""
                    child.content = drawing(picture, child.content)
            if token.type == "inline" and previous and previous.attrGet("id"):
                token.children = [*(token.children or []), Token("html_inline", "", 0, content=permalink(previous))]
            previous = token

    def include(self, path: Path, match: re.Match[str]) -> str:
        """An #include of a file of the repository leads to its page."""
        opens, before, name, after, closes = match.groups()
        for folder in [path.parent, *INCLUDES]:
            there = (folder / name).resolve()
            if there.is_file() and ROOT in there.parents:
                self.want(there)
                return f'{opens}{before}<a href="{self.between(path, there)}">{name}</a>{after}{closes}'
        return match.group(0)

    def crumbs(self, path: Path) -> str:
        """Where a source lies, with a link to each folder that has a page of its own."""
        words = []
        for folder in reversed(path.relative_to(ROOT).parents):
            readme = ROOT / folder / "README.md"
            if folder.name and readme in self.titles:
                words.append(f'<a href="{self.between(path, readme)}">{folder.name}</a>')
            elif folder.name:
                words.append(folder.name)
        return " / ".join([*words, path.name])

    def write(self, path: Path, title: str, article: str, contents: str) -> None:
        address = self.address(path)
        root = "../" * address.count("/")
        target = self.out / address
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(
            self.page.substitute(
                title=html.escape(title if title == "tilestep" else f"{title} - tilestep"),
                root=root,
                bar=self.bar.substitute(root=root),
                book=self.tree(path),
                contents=contents,
                article=f"<article>\n{article}\n</article>",
                ends=self.ends(path),
            )
        )

    def tree(self, path: Path) -> str:
        """The list of all pages of the book, with the one that is shown marked, and what lies under it."""
        rows = []
        for name, group in self.book.items():
            rows.append(f"<h2>{name}</h2>\n<ul>" if name else "<ul>")
            for page in group:
                rows.append("<li>" + self.entry(path, page, self.titles[page]))
                if page.parent == path.parent and beside(page):
                    rows += ["<ul>", *(f"<li>{self.entry(path, p, title_of(p))}</li>" for p in beside(page)), "</ul>"]
                rows.append("</li>")
            rows.append("</ul>")
        return "\n".join(rows)

    def entry(self, path: Path, page: Path, title: str) -> str:
        here = ' aria-current="page"' if page == path else ""
        return f'<a href="{self.between(path, page)}"{here}>{html.escape(title)}</a>'

    def ends(self, path: Path) -> str:
        if path not in self.pages:
            return ""
        at = self.pages.index(path)
        words = ""
        for kind, label, other in (("previous", "Previous", at - 1), ("next", "Next", at + 1)):
            if 0 <= other < len(self.pages):
                page = self.pages[other]
                words += (
                    f'<a class="{kind}" rel="{kind}" href="{self.between(path, page)}">'
                    f"<small>{label}</small>{html.escape(self.titles[page])}</a>\n"
                )
        return f'<nav class="ends" aria-label="previous and next">\n{words}</nav>'

    # ---- what all pages share

    def symbols(self) -> None:
        """The reference's functions and classes join the search."""
        tags = self.out / "reference/tags.xml"
        if not tags.exists():
            return
        for compound in ElementTree.parse(tags).getroot().iter("compound"):
            if compound.get("kind") in ("struct", "class"):
                name, file = compound.findtext("name", ""), compound.findtext("filename", "")
                self.index.append(("the reference", name.removeprefix("tilestep::"), f"reference/{file}", ""))
            elif compound.get("kind") == "group":
                named: set[str] = set()
                for member in compound.iter("member"):
                    name = member.findtext("name", "")
                    if member.get("kind") in ("function", "variable", "typedef") and name not in named:
                        named.add(name)
                        place = f"{member.findtext('anchorfile')}#{member.findtext('anchor')}"
                        self.index.append(("the reference", name, f"reference/{place}", ""))

    def parts(self) -> None:
        folder = self.out / "site"
        folder.mkdir(exist_ok=True)
        for name in ("bar.css", "page.css", "site.js", "icon.svg"):
            (folder / name).write_bytes((PARTS / name).read_bytes())
        if self.module:
            (folder / "run_here.js").write_bytes((PARTS / "run_here.js").read_bytes())
            (folder / "run_here_module.js").write_text(run_here.script(self.module))
        (folder / "code.css").write_text(code_style())
        entries = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in self.index)
        (folder / "search_index.js").write_text(f"globalThis.SEARCH_INDEX = [\n{entries}\n];\n")


def book() -> dict[str, list[Path]]:
    """The pages that are read one after the other, in groups."""
    return {
        "": [ROOT / "README.md"],
        "Chapters": [ROOT / "chapters/README.md", *(chapter.readme for chapter in chapters())],
        "When it goes wrong": docs_named("symptoms", "museum", "public_bugs", "reading_a_profile"),
        "Library": [ROOT / "common/README.md", *docs_named("glossary")],
        "If you come from": docs_named("from_cute", "from_ck", "from_triton", "from_mlir"),
        "Project": docs_named("contributing", "style"),
    }


def docs_named(*names: str) -> list[Path]:
    return [ROOT / f"docs/{name}.md" for name in names]


def beside(page: Path) -> list[Path]:
    """The other pages of a chapter's folder."""
    return [other for other in sorted(page.parent.glob("*.md")) if other != page and page.name == "README.md"]


def title_of(path: Path) -> str:
    title = re.search(r"^# (.+)$", path.read_text(), re.M)
    if not title:
        raise Mistake(f"{path.relative_to(ROOT)}: has no '# ' heading")
    return title.group(1).replace("`", "")


def is_raw(path: Path) -> bool:
    """Whether a linked file is copied as it is: it is no text for a page, or too much of it."""
    return path.suffix in (".svg", ".png", ".npy") or path.stat().st_size > MOST_TEXT


# ---- Markdown
# ------------------------------------------------------------------------------------------------------------------


def sections_of(tokens: list[Token]) -> list[Section]:
    """A page's headings with the text under each: prose, code and tables, as the search looks through them."""
    sections: list[Section] = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag in ("h1", "h2", "h3"):
            sections.append(Section(words_of(tokens[at + 1]), str(token.attrGet("id"))))
        elif token.type == "inline" and sections and tokens[at - 1].type != "heading_open":
            sections[-1].text.append(words_of(token))
        elif token.type == "fence" and sections and token.info.strip() != "diff":
            sections[-1].text.append(token.content)
    return sections


def words_of(inline: Token) -> str:
    kinds = {"text": None, "code_inline": None, "softbreak": " ", "hardbreak": " "}
    parts = [kinds[child.type] or child.content for child in inline.children or [] if child.type in kinds]
    return "".join(parts)


def contents(tokens: list[Token]) -> str:
    """On this page: its headings of the second and third level."""
    rows = [
        f'<li class="{token.tag}"><a href="#{token.attrGet("id")}">{html.escape(words_of(tokens[at + 1]))}</a></li>'
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag in ("h2", "h3")
    ]
    if len(rows) < 2:
        return ""
    listed = "\n".join(rows)
    return f'<details class="contents"><summary>On this page</summary>\n<ul>\n{listed}\n</ul></details>'


def permalink(heading: Token) -> str:
    return f'<a class="anchor" href="#{heading.attrGet("id")}" aria-label="link to this heading">#</a>'


drawn = 0


def drawing(path: Path, words: str) -> str:
    """An SVG file as a part of the page. Its style sheet holds for this picture alone: its rules are nested."""
    global drawn
    drawn += 1
    svg = path.read_text()
    svg = re.sub(r"<style>(.*?)</style>", rf"<style>#picture{drawn} {{\1}}</style>", svg, flags=re.S)
    width = re.search(r'\bwidth="(\d+)"', svg)
    units = re.search(r'\bviewBox="0 0 ([\d.]+) ', svg)
    if not width or not units:
        raise Mistake(f"{path.relative_to(ROOT)}: its <svg> has no width or no viewBox")
    svg = re.sub(r'aria-label="[^"]*"', f'aria-label="{html.escape(words)}"', svg, count=1) if words else svg
    return (
        f'<span class="picture" id="picture{drawn}" tabindex="0" style="--width: {width[1]}; --units: {units[1]}">'
        f"{svg.strip()}</span>"
    )


# ---- code
# ----------------------------------------------------------------------------------------------------------------------


def code(text: str, language: str, _attributes: str) -> str:
    """A fence of a page, coloured. markdown-it takes what begins with <pre as it is."""
    try:
        lexer = get_lexer_by_name(language or "text")
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    return f'<pre tabindex="0"><code>{coloured(text, lexer)}</code></pre>'


def lexer_of(path: Path) -> Lexer:
    try:
        return get_lexer_for_filename(path.name)
    except ClassNotFound:
        return get_lexer_by_name("text")


def coloured(text: str, lexer: Lexer) -> str:
    return highlight(text, lexer, HtmlFormatter(nowrap=True))


def code_style() -> str:
    light = HtmlFormatter(style="default").get_style_defs("pre")
    dark = HtmlFormatter(style="github-dark").get_style_defs("pre")
    rules = [
        "\n".join(line for line in sheet.splitlines() if re.match(r"pre \.\w+ \{", line)) for sheet in (light, dark)
    ]
    return f"{rules[0]}\n@media (prefers-color-scheme: dark) {{\n{rules[1]}\n}}\n"


if __name__ == "__main__":
    try:
        Site(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None).make()
    except Mistake as mistake:
        sys.exit(str(mistake))
