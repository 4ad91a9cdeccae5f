#!/usr/bin/env python3
"""Open every page of the site in headless Chromium, and say what is wrong with it.

Each page is opened once and then seen at three widths and in both modes. Wrong are: an error in the console or a
failed request, a link or an anchor that leads nowhere, more or less than one <h1>, text of less than 11 px, something
wider than its page, and text that its background hides.
"""

from __future__ import annotations

import concurrent.futures
import os
import sys
import time
import urllib.parse
from pathlib import Path
from typing import Any, Iterator

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

WIDTHS = (390, 1280, 1600)
# Each width in both modes, in an order that changes one thing at a time.
VIEWS = [(width, mode) for i, width in enumerate(WIDTHS) for mode in ("light", "dark")[:: 1 - 2 * (i % 2)]]
SMALLEST = 11  # px
CONTRAST = 4.5  # the least between a text and its background, as WCAG 2.1 AA asks for it
PATIENCE = 200  # seconds that the browser may take for a page: on a busy machine one took more than 30

# What a page is asked. Elements are named as a selector would: a reader of the message finds them.
LOOK = """
const [smallest, least, first] = arguments;
const found = [];
const name = (e) => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') +
  (typeof e.className === 'string' && e.className ? '.' + e.className.trim().split(/\\s+/).join('.') : '') +
  ' "' + e.textContent.trim().replace(/\\s+/g, ' ').slice(0, 40) + '"';
if (document.documentElement.scrollWidth > innerWidth) {
  const scrolled = (e) => e.parentElement && e.parentElement !== document.body &&
    (getComputedStyle(e.parentElement).overflowX !== 'visible' || scrolled(e.parentElement));
  const wide = [...document.body.querySelectorAll('*')]
    .find((e) => e.getBoundingClientRect().right > innerWidth + 1 && !scrolled(e));
  found.push('wider than the page: ' + (wide ? name(wide) : 'something'));
}
// One element stands for all of its kind: those of the same tag, class, style and parent look alike.
const kinds = new Map();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const e = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || e.closest('script, style, title')) continue;
  const svg = e.ownerSVGElement;
  const p = e.parentElement;
  const look = (x) => [x.tagName, x.getAttribute('class'), x.getAttribute('style')].join();
  const before = svg && e.previousElementSibling;
  const kind = [look(e), look(p), svg && svg.parentElement.id, before && before.getAttribute('class')].join();
  if (!kinds.has(kind)) kinds.set(kind, e);
}
const rgb = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
const luminance = ([r, g, b]) => [r, g, b].map((v) => v / 255)
  .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const background = (e) => {
  const box = e.ownerSVGElement && e.parentElement.tagName === 'g' && e.parentElement.querySelector(':scope > rect');
  if (box && e.tagName === 'text') return rgb(getComputedStyle(box).fill);
  for (; e; e = e.parentElement) {
    const color = rgb(getComputedStyle(e).backgroundColor);
    if (color.length === 3 || color[3] > 0.5) return color;
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
};
for (const e of kinds.values()) {
  if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
  const style = getComputedStyle(e), svg = e.ownerSVGElement;
  const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
  const size = parseFloat(style.fontSize) * scale;
  if (size < smallest - 0.05) found.push(`text of ${size.toFixed(1)} px: ${name(e)}`);
  const [a, b] = [luminance(rgb(svg ? style.fill : style.color)), luminance(background(e))];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (contrast < least) found.push(`contrast of ${contrast.toFixed(1)}: ${name(e)}`);
}
if (!first) return { found };
const headings = document.querySelectorAll('h1').length;
if (headings !== 1) found.push(`${headings} <h1>`);
return {
  found,
  links: [...document.querySelectorAll('a[href], area[href]')].map((e) => e.href),
  ids: [...document.querySelectorAll('[id], a[name]')].map((e) => e.id || e.name),
};
"""


class Browser:
    def __init__(self) -> None:
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for word in ("--headless=new", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"):
            options.add_argument(word)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")  # root has none
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.set_script_timeout(PATIENCE)
        self.width, self.mode = 0, ""
        self.views = list(VIEWS)

    def see(self, width: int, mode: str) -> None:
        """Changes what differs: each change lays the page out again."""
        if width != self.width:
            size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        if mode != self.mode:
            scheme = {"name": "prefers-color-scheme", "value": mode}
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        self.width, self.mode = width, mode

    def page(self, page: Path) -> dict[str, Any]:
        """What is wrong with a page, where it leads to, and where one can be led to on it. A page begins with the view
        that the one before it ended with."""
        self.see(*self.views[0])
        self.driver.get(page.as_uri())
        answer = self.driver.execute_script(LOOK, SMALLEST, CONTRAST, True)
        wrong = {f"{text} ({self.width} px, {self.mode})" for text in answer["found"]}
        for width, mode in self.views[1:]:
            self.see(width, mode)
            found = self.driver.execute_script(LOOK, SMALLEST, CONTRAST, False)["found"]
            wrong |= {f"{text} ({width} px, {mode})" for text in found}
        self.views.reverse()
        wrong |= {entry["message"] for entry in self.driver.get_log("browser") if entry["level"] != "DEBUG"}
        return {"wrong": sorted(wrong), "links": answer["links"], "ids": set(answer["ids"])}


def look(pages: list[Path]) -> dict[Path, dict[str, Any]]:
    browser = Browser()
    try:
        return {page: browser.page(page) for page in pages}
    finally:
        browser.driver.quit()


def dead_links(site: Path, seen: dict[Path, dict[str, Any]]) -> Iterator[tuple[Path, str]]:
    for page, answer in seen.items():
        for link in sorted(set(answer["links"])):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme != "file":
                continue
            there = Path(urllib.parse.unquote(parts.path))
            anchor = urllib.parse.unquote(parts.fragment)
            if not there.is_file():
                yield page, f"dead link to {os.path.relpath(there, site)}"
            elif anchor and there in seen and anchor not in seen[there]["ids"]:
                yield page, f"dead link to #{anchor} of {os.path.relpath(there, site)}"


def wrong(site: Path) -> tuple[int, list[str]]:
    """How many pages the site has, and what is wrong with them: a line each."""
    pages = sorted(site.rglob("*.html"), key=lambda page: -page.stat().st_size)
    halves = [half for half in (pages[0::2], pages[1::2]) if half]  # a browser for each of two cores
    seen: dict[Path, dict[str, Any]] = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for part in pool.map(look, halves):
            seen.update(part)
    found = [(page, text) for page, answer in seen.items() for text in answer["wrong"]]
    found += dead_links(site, seen)
    return len(pages), [f"{page.relative_to(site)}: {text}" for page, text in sorted(found)]


def check(site: Path) -> int:
    began = time.monotonic()
    pages, lines = wrong(site.resolve())
    print("".join(f"{line}\n" for line in lines), end="")
    print(
        f"{pages} pages at {', '.join(map(str, WIDTHS))} px, light and dark: {len(lines)} wrong, "
        f"{time.monotonic() - began:.0f} s"
    )
    return 1 if lines or not pages else 0


if __name__ == "__main__":
    sys.exit(check(Path(sys.argv[1])))
