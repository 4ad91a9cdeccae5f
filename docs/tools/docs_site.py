"""The verb docs: the pages, the reference of the library, and a check of both in a browser.

Pages are made from Markdown by site_pages.py with markdown-it, which reads what GitHub reads. Doxygen makes the
reference from the headers alone, one group per layer, with warnings as errors: so docstrings are checked too.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import lock
import packages
import run_here
import trees
from console import Stop, must, run_step
from repository import ROOT, build_folder, cmake_calls

STYLE = Path("/usr/share/doxygen-awesome-css")
PARTS = ROOT / "docs/site"
PYTHON = "/usr/bin/python3"  # the one that Debian's packages are for; the first on the PATH may be another

LAYERS = {  # in reading order
    "core": "core: integers and tuples",
    "layout": "layout: shapes and strides, and their algebra",
    "tensor": "tensor: a pointer and a layout",
    "atom": "atom: one instruction and its layouts",
    "algorithm": "algorithm: copy and gemm",
    "block": "block: what the threads of a block do together",
    "cute": "cute: CuTe's names",
    "show": "show: pictures",
    "harness": "harness: what surrounds a kernel",
    "backend": "backend: memory, launch and the words of a kernel",
}


def stage() -> Path:
    return build_folder() / "docs-stage"


def site() -> Path:
    return build_folder() / "docs"


def build(check: bool) -> int:
    lock.take("docs", alone=True)
    packages.ensure("check" if check else "docs")
    shutil.rmtree(site(), ignore_errors=True)
    reference()
    tools = Path(__file__).parent
    module = [str(path) for path in [run_here.module()] if path]
    must("making the pages", [PYTHON, str(tools / "site_pages.py"), str(site()), *module], trees.log("docs", "pages"))
    print(f"{site() / 'index.html'}: {len(list(site().rglob('*.html')))} pages")
    if check:
        return subprocess.run([PYTHON, tools / "site_check.py", site()]).returncode
    return 0


def reference() -> None:
    """Doxygen's pages of the headers in build/docs/reference, under the bar that all pages have."""
    shutil.rmtree(stage(), ignore_errors=True)
    stage().mkdir(parents=True)
    stage_headers()
    header = stage() / "header.html"
    subprocess.run(["doxygen", "-w", "html", header, stage() / "footer.html", stage() / "unused.css"], check=True)
    bar = (PARTS / "bar.html").read_text().replace("${root}", "../").replace("$root", "../")
    styles = '<link rel="stylesheet" href="../site/bar.css"/>\n<script src="../site/site.js" defer></script>\n</head>'
    text = header.read_text().replace("</head>", styles, 1).replace("<body>", f"<body>\n{bar}", 1)
    header.write_text(text)
    values = {"OUTPUT": site(), "STAGE": stage(), "STYLE": STYLE, "PARTS": PARTS, "HEADER": header}
    doxyfile = (ROOT / "docs/Doxyfile.in").read_text()
    for name, value in values.items():
        doxyfile = doxyfile.replace(f"@{name}@", str(value))
    site().mkdir(parents=True)
    (stage() / "Doxyfile").write_text(doxyfile)
    log = trees.log("docs", "reference")
    code, lines = run_step("making the reference", ["doxygen", str(stage() / "Doxyfile")], log)
    warnings = [line for line in lines if re.search(r"\b(warning|error):", line)]
    if code or warnings:
        print("\n".join(warnings or lines[-20:]).replace(str(stage()) + "/", ""), file=sys.stderr)
        raise Stop(f"documentation: {len(warnings)} warnings", 1)
    lists = ("functions", "namespacemembers", "globals", "annotated", "classes", "hierarchy", "concepts", "dir_")
    for page in (site() / "reference").glob("*.html"):
        if page.name.startswith(lists):
            page.unlink()  # names, which nothing leads to: the search finds a name
        else:
            page.write_text(mended(page.read_text()))


def mended(text: str) -> str:
    """A page of Doxygen's with a heading, and without links from a parameter to the function that has its name."""
    text = re.sub(r'<div class="title">(.*?)</div>', r'<h1 class="title">\1</h1>', text, flags=re.S)
    return re.sub(r'<a class="el" href="[^"]*">([a-z_]\w*)</a>', r"\1", text)


# ---- headers
# ----------------------------------------------------------------------------------------------------------------


def stage_headers() -> None:
    calls = cmake_calls(ROOT / "common/cmake/TilestepInstall.cmake", "set")
    private = next(words[1:] for words in calls if words[0] == "private_headers")  # of the harness
    for include in ("common/include", "common/harness", "common/backend/any/include", "common/backend/host/include"):
        for source in sorted((ROOT / include).rglob("*.hpp")):
            name = source.relative_to(ROOT / include)
            layer = name.parts[1].removesuffix(".hpp")
            if "virtual_gpu" in name.parts or layer == "harness" and name.stem in private:
                continue
            target = stage() / "include" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(grouped(source.read_text(), layer))
    groups = "".join(f"/** @defgroup layer_{layer} {title} */\n" for layer, title in LAYERS.items())
    start = "/** @mainpage The library\n\nThe functions and types of each layer: see the modules. */\n"
    (stage() / "groups.dox").write_text(groups + start)


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
