#!/usr/bin/python3
"""The check of the site finds what is planted, and nothing on a good page. Wants what `./tutorial docs --check`
installs, so .ci/run starts it after that."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/tools"))

import site_check  # noqa: E402
import site_pages  # noqa: E402
from repository import Mistake  # noqa: E402

PAGE = "<!DOCTYPE html><html><head><meta charset=utf-8><title>t</title><style>:root{color-scheme:light dark}"
GOOD = "<h1 id=top>Title</h1><p>Text <a href=\"#top\">and a link</a>.</p>"
WIDE = "<table><tr><td style=min-width:2000px>wide</td></tr></table>"

# What is planted on a page, and what the check must say of it.
PLANTED = {
    "dead link": (GOOD + "<a href=there.html>x</a>", "dead link to there.html"),
    "dead anchor": (GOOD + "<a href=#there>x</a>", "dead link to #there of dead_anchor.html"),
    "wide table": (GOOD + WIDE, "wider than the page: table"),
    "console error": (GOOD + "<script>undefined_function()</script>", "undefined_function is not defined"),
    "missing picture": (GOOD + "<img src=there.png alt=x>", "there.png"),
    "small text": (GOOD + "<p style=font-size:10px>small</p>", "text of 10.0 px: p \"small\" (390 px, dark)"),
    "small picture": (
        GOOD + "<svg width=200 viewBox='0 0 400 20'><text y=15 style=font-size:13px>b</text></svg>",
        "text of 6.5 px: text \"b\"",
    ),
    "pale in the dark": (GOOD + "<p style=color:#333>pale</p>", "p \"pale\" (1280 px, dark)"),
    "small on a phone": (
        GOOD + "<style>@media (max-width: 400px) { b { font-size: 9px } }</style><b>b</b>",
        "text of 9.0 px: b \"b\" (390 px, light)",
    ),
    "small on a wide screen": (
        GOOD + "<style>@media (min-width: 1500px) { b { font-size: 9px } }</style><b>b</b>",
        "text of 9.0 px: b \"b\" (1600 px, dark)",
    ),
    "two titles": (GOOD + "<h1>Another</h1>", "2 <h1>"),
}


GOOD_PAGES = (
    GOOD,
    f"{GOOD}<div style=overflow:auto>{WIDE}</div>",
    f"{GOOD}<a href=good0.html#top>x</a>",
)


class Check(unittest.TestCase):
    def test_what_is_planted_is_found_and_good_pages_are_not_blamed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder).resolve()
            bodies = {f"good{number}": body for number, body in enumerate(GOOD_PAGES)}
            bodies |= {name.replace(" ", "_"): body for name, (body, _) in PLANTED.items()}
            for name, body in bodies.items():
                (site / f"{name}.html").write_text(f"{PAGE}</style></head><body>{body}</body></html>")
            pages, lines = site_check.wrong(site)
        self.assertEqual(pages, len(bodies))
        self.assertEqual([line for line in lines if line.startswith("good")], [])
        for name, (_, message) in PLANTED.items():
            with self.subTest(name):
                about = [line for line in lines if line.startswith(name.replace(" ", "_") + ".html: ")]
                self.assertIn(message, "\n".join(about))


class Pages(unittest.TestCase):
    def setUp(self) -> None:
        self.site = site_pages.Site(ROOT / "build/docs")  # writes nothing here
        self.page = ROOT / "chapters/07_k_loop/README.md"

    def test_a_link_leads_to_the_page_of_its_file(self) -> None:
        for target, address in (
            ("kernel.hpp", "kernel.hpp.html"),
            ("../08_padding/README.md#run-it", "../08_padding/index.html#run-it"),
            ("../../README.md", "../../index.html"),
            ("#run-it", "index.html#run-it"),
            ("https://example.org/a", "https://example.org/a"),
        ):
            self.assertEqual(self.site.link(self.page, target), address)

    def test_a_link_to_nothing_stops_the_build(self) -> None:
        for target in ("there.hpp", "../../../there.md"):
            with self.assertRaises(Mistake):
                self.site.link(self.page, target)

    def test_a_picture_keeps_its_style_to_itself(self) -> None:
        drawn = site_pages.drawing(ROOT / "docs/ladder.svg", "the climb")
        self.assertRegex(drawn, r"<style>#picture\d+ \{")
        self.assertIn('aria-label="the climb"', drawn)


if __name__ == "__main__":
    unittest.main()
