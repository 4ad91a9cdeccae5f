"""The verb docs: lay out pages and headers the way Doxygen reads them, run it with warnings as errors, keep the site.

Doxygen 1.9.4 reads another Markdown than GitHub shows, so the pages are translated on the way: links between files
become references, $formulas$ become Doxygen's, figures get names of their own. Headers are put into one group per
layer.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import packages
import trees
from console import Stop, run_step
from repository import ROOT, chapters

STAGE = ROOT / "build/docs-stage"
SITE = ROOT / "build/docs"
STYLE = Path("/usr/share/doxygen-awesome-css")
MATHJAX = Path("/usr/share/javascript/mathjax")

LAYERS = {  # in reading order
    "core": "core: integers and tuples",
    "layout": "layout: shapes and strides, and their algebra",
    "tensor": "tensor: a pointer and a layout",
    "atom": "atom: one instruction and its layouts",
    "algorithm": "algorithm: copy and gemm",
    "block": "block: what the threads of a block do together",
    "show": "show: pictures",
    "harness": "harness: what surrounds a kernel",
    "backend": "backend: memory, launch and the words of a kernel",
}


def build() -> int:
    packages.ensure("docs")
    shutil.rmtree(STAGE, ignore_errors=True)
    stage_pages()
    stage_headers()
    doxyfile = (ROOT / "docs/Doxyfile.in").read_text()
    for name, value in {
        "OUTPUT": STAGE.parent / "docs-output",
        "STAGE": STAGE,
        "STYLE": STYLE,
        "DOT": "YES" if shutil.which("dot") else "NO",
    }.items():
        doxyfile = doxyfile.replace(f"@{name}@", str(value))
    (STAGE.parent / "docs-output").mkdir(exist_ok=True)
    (STAGE / "Doxyfile").write_text(doxyfile)
    code, lines = run_step(
        "building the documentation", ["doxygen", str(STAGE / "Doxyfile")], trees.log("docs", "site")
    )
    warnings = [line for line in lines if re.search(r"\b(warning|error):", line)]
    if code or warnings:
        print("\n".join(warnings or lines[-20:]).replace(str(STAGE) + "/", ""), file=sys.stderr)
        raise Stop(f"documentation: {len(warnings)} warnings", 1)
    finish()
    print(f"build/docs/index.html: {len(list(SITE.glob('*.html')))} pages, no warnings")
    return 0


def finish() -> None:
    """Move the new site into place and give it MathJax if a page has a formula."""
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.move(STAGE.parent / "docs-output/html", SITE)
    if any("\\(" in page.read_text() or "\\[" in page.read_text() for page in SITE.glob("*.html")):
        for part in ("MathJax.js", "config", "extensions", "jax", "fonts/HTML-CSS/TeX/woff"):
            source, target = MATHJAX / part, SITE / "mathjax" / part
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)


# ---- pages
# ------------------------------------------------------------------------------------------------------------------


def pages() -> dict[Path, str]:
    """Every Markdown file that becomes a page, with its label; the order is that of the site's tree."""
    found = {ROOT / "docs/mainpage.md": "mainpage", ROOT / "chapters/README.md": "chapters"}
    for chapter in chapters():
        found[chapter.readme] = f"chapter_{chapter.name}"
        found[chapter.lab] = f"lab_{chapter.name}"
        for hint in sorted(chapter.folder.glob("exercises/*/hint.md")):
            found[hint] = f"hint_{chapter.number}_{hint.parent.name}"
    found[ROOT / "common/README.md"] = "library"
    for name in ("glossary", "reading_a_profile", "from_ck", "contributing", "style"):
        found[ROOT / f"docs/{name}.md"] = name
    return {path: label for path, label in found.items() if path.exists()}


def stage_pages() -> None:
    (STAGE / "pages").mkdir(parents=True)
    (STAGE / "figures").mkdir()
    labels = pages()
    for number, (path, label) in enumerate(labels.items()):
        text = translate(path, path.read_text(), labels)
        if label == "chapters":
            text += "\n" + "\n".join(f"- \\subpage {labels[chapter.readme]}" for chapter in chapters()) + "\n"
        children = [
            name
            for page, name in labels.items()
            if label.startswith("chapter_") and page.name in ("lab.md", "hint.md") and path.parent in page.parents
        ]
        text += "".join(f"\n- \\subpage {child}" for child in children) + "\n"
        name = "mainpage.md" if label == "mainpage" else f"{number:02}_{label}.md"
        (STAGE / "pages" / name).write_text(text)


def translate(path: Path, text: str, labels: dict[Path, str]) -> str:
    """GitHub's Markdown as Doxygen reads it."""
    text = re.sub(r"^<!--.*?-->\n?", "", text, flags=re.S | re.M)
    pieces = re.split(r"(^(?P<fence>`{3,})[^\n]*\n.*?^(?P=fence)[ \t]*$|`[^`\n]+`)", text, flags=re.S | re.M)
    result = ""
    for index in range(0, len(pieces), 3):  # text, then a fence or code span, then the fence's backticks
        result += translate_prose(path, pieces[index], labels)
        if index + 1 < len(pieces):
            result += translate_code(pieces[index + 1])
    title = re.search(r"^# (.+)$", result, re.M)
    if not title:
        raise Stop(f"{path}: has no '# ' heading", 1)
    return result.replace(title.group(0), f"# {title.group(1)} {{#{labels[path]}}}", 1)


def translate_code(code: str) -> str:
    if not code.startswith("```"):
        return code
    return re.sub(
        r"^(`{3,})(cpp)?[^\n]*", lambda m: m.group(1) + ("{.cpp}" if m.group(2) else "{.unparsed}"), code, count=1
    )


def translate_prose(path: Path, text: str, labels: dict[Path, str]) -> str:
    text = re.sub(r"\$\$(.+?)\$\$", r"\\f[\1\\f]", text, flags=re.S)
    text = re.sub(r"(?<![\\$\w])\$([^$\n]+?)\$(?!\w)", r"\\f$\1\\f$", text)
    text = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", lambda m: figure(path, m.group(1), m.group(2)), text)
    return re.sub(
        r"(?<!!)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)\s]+)\)", lambda m: link(path, m.group(1), m.group(2), labels), text
    )


def figure(path: Path, words: str, target: str) -> str:
    source = (path.parent / target).resolve()
    if not source.is_file():
        return words
    name = "-".join([path.parent.name, source.name])
    shutil.copy(source, STAGE / "figures" / name)
    return f"![{words}]({name})"


def link(path: Path, words: str, target: str, labels: dict[Path, str]) -> str:
    """A link to another page becomes a reference, one to a header of the library its file; other files are only
    named."""
    if re.match(r"[a-z]+:", target):
        return f"[{words}]({target})"
    name = target.partition("#")[0]
    there = (path.parent / name).resolve() if name else path
    if there in labels:
        return f"[{words}](@ref {labels[there]})"
    if there.suffix == ".hpp" and ROOT / "common/include" in there.parents:
        return f"[{words}](@ref {there.relative_to(ROOT / 'common/include')})"
    return words


# ---- headers
# ----------------------------------------------------------------------------------------------------------------


def stage_headers() -> None:
    for include in ("common/include", "common/backend/any/include", "common/backend/host/include"):
        for source in sorted((ROOT / include).rglob("*.hpp")):
            name = source.relative_to(ROOT / include)
            layer = name.parts[1].removesuffix(".hpp")
            if "virtual_gpu" in name.parts:
                continue
            target = STAGE / "include" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(grouped(source.read_text(), layer))
    groups = "".join(f"/** @defgroup layer_{layer} {title} */\n" for layer, title in LAYERS.items())
    (STAGE / "groups.dox").write_text(groups)


CLOSES = "}  // namespace tilestep"


def grouped(text: str, layer: str) -> str:
    """The header with its first paragraph as the file's documentation and what it defines in the layer's group."""
    lines = [shielded(line) for line in text.splitlines()]
    closing = [i for i, line in enumerate(lines) if line.startswith(CLOSES)]
    lines = lines[: closing[-1] + 1] if closing else lines  # specialisations of std's templates confuse Doxygen
    first = next((i for i, line in enumerate(lines) if line.startswith("//")), None)
    if first is not None:
        last = first
        while last < len(lines) and lines[last].startswith("//"):
            lines[last] = "///" + plain(lines[last][2:])
            last += 1
        lines.insert(first, "/// @file")
    grouped_lines = []
    for line in lines:
        if line.startswith(CLOSES):
            grouped_lines.append("/// @}")
        grouped_lines.append(line)
        if re.match(r"namespace tilestep(::\w+)? \{$", line):
            grouped_lines.append(f"/// @addtogroup layer_{layer}\n/// @{{\n")
    return "\n".join(grouped_lines) + "\n"


def plain(comment: str) -> str:
    """A comment's text without what Doxygen would take for commands or HTML."""
    return re.sub(r"(?<![\\`])([<>#%])", r"\\\1", comment)


def shielded(line: str) -> str:
    """A /// line whose Int<8> is no HTML tag; what stands in backticks is left alone."""
    match = re.match(r"^(.*?)(///<?)(.*)$", line)
    if not match:
        return line
    pieces = re.split(r"(`[^`]*`)", match.group(3))
    return match.group(1) + match.group(2) + "".join(p if p.startswith("`") else plain(p) for p in pieces)
