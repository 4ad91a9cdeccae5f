#!/usr/bin/python3
"""The box "Run it here" prints in a browser, byte by byte, what its program prints natively. Wants build/docs with the
box and the native program, so .ci/run starts it after `./tutorial docs --check`."""

from __future__ import annotations

import subprocess
import sys
import time
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/tools"))

import packages  # noqa: E402
import run_here  # noqa: E402
import site_check  # noqa: E402
from repository import build_folder  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402

PAGE = build_folder() / "docs/chapters/07_k_loop/index.html"
PROGRAM = build_folder() / "host/bin/tests/run_here"

# Target, M, N, K: whole tiles, one less, one more, primes, one element, the largest.
PROBLEMS = [
    ("sm80", 128, 128, 64),
    ("sm80", 129, 127, 67),
    ("sm80", 1, 1, 1),
    ("sm80", 257, 131, 97),
    ("sm80", 512, 512, 512),
    ("gfx942", 256, 128, 64),
    ("gfx942", 129, 129, 67),
    ("gfx942", 1, 3, 5),
    ("gfx942", 255, 257, 31),
    ("gfx942", 511, 509, 503),
]
# What each bug must be found by: the kinds of its hazards, or a result that is wrong.
FOUND = {
    "one-barrier": ["race"],
    "reads-too-early": ["race"],
    "predicate-off-by-one": ["out of bounds"],
    "epilogue-off-by-one": ["out of bounds", "race"],
    "last-tile-dropped": [],
    "wrong-tile-of-b": [],
}
FILL = """
const form = document.querySelector('.run-here form');
for (const [name, value] of Object.entries(arguments[0])) form.elements[name].value = value;
form.requestSubmit();
"""
STATE = "const b = document.querySelector('.run-here'); return [b.dataset.state, b.querySelector('pre').textContent];"


def native(values: dict[str, str]) -> tuple[int, str]:
    words = [word for name, value in values.items() for word in (f"--{name}", value)]
    done = subprocess.run([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def problem(target: str, m: object, n: object, k: object, bug: str = "none") -> dict[str, str]:
    return {"m": str(m), "n": str(n), "k": str(k), "target": target, "bug": bug}


class Box(unittest.TestCase):
    def setUp(self) -> None:
        self.browser = site_check.Browser()
        self.addCleanup(self.browser.driver.quit)
        self.browser.driver.get(PAGE.as_uri())

    def run_in_page(self, values: dict[str, str]) -> str:
        self.browser.driver.execute_script(FILL, values)
        return self.report()

    def report(self) -> str:
        end = time.monotonic() + 40
        while time.monotonic() < end:
            state, text = self.browser.driver.execute_script(STATE)
            if state != "running":
                return text
            time.sleep(0.02)
        self.fail("the box runs for 40 seconds")

    def test_the_page_prints_what_the_native_program_prints(self) -> None:
        for values in PROBLEMS:
            with self.subTest(values):
                code, text = native(problem(*values))
                self.assertEqual(code, 0, text)
                self.assertEqual(self.run_in_page(problem(*values)), text)

    def test_each_bug_is_found_by_the_right_hazard_in_the_page_as_natively(self) -> None:
        self.assertEqual(list(FOUND), [bug.name for bug in run_here.BUGS])
        for bug, kinds in FOUND.items():
            for target in ("sm80", "gfx942"):
                values = problem(target, 129, 257, 67, bug)
                with self.subTest(f"{bug} on {target}"):
                    page, (code, text) = self.run_in_page(values), native(values)
                    self.assertEqual(page, text)
                    self.assertEqual(code, 4 if kinds else 1)
                    named = {line.split(": kernel ")[0] for line in page.splitlines() if ": kernel " in line}
                    self.assertEqual(sorted(named), kinds)
                    hazards = [line for line in page.splitlines() if ": kernel " in line]
                    self.assertTrue(all("kernel.hpp:" in line for line in hazards), hazards)
                    self.assertIn("verdict: hazard" if kinds else "verdict: wrong", page)

    def test_what_is_no_extent_gets_a_sentence(self) -> None:
        for wrong in ("513", "0", "", "12x", "-1", "99999999999999999999"):
            values = problem("sm80", wrong, 64, 64)
            page = self.run_in_page(values)
            self.assertEqual((2, page), native(values))
            self.assertEqual(page, f"M is '{wrong}': choose a whole number from 1 to 512\n")

    def test_a_run_that_takes_long_is_stopped_and_the_next_one_works(self) -> None:
        driver = self.browser.driver
        self.run_in_page(problem("sm80", 8, 8, 8))  # loads the module
        driver.execute_script("document.querySelector('.run-here').dataset.seconds = 0.01")
        late = self.run_in_page(problem("gfx942", 511, 511, 511, "one-barrier"))
        self.assertEqual(late, "The run was stopped after 0.01 seconds: choose smaller extents.")
        driver.execute_script("document.querySelector('.run-here').dataset.seconds = 20")
        self.assertIn("verdict: right", self.run_in_page(problem("sm80", 8, 8, 8)))
        driver.execute_script(FILL, problem("gfx942", 511, 511, 511, "one-barrier"))
        driver.execute_script("document.querySelector('.run-here form').requestSubmit()")  # the button says Stop now
        self.assertEqual(self.report(), "The run was stopped.")

    def test_a_report_looks_right_at_every_width_and_links_to_its_explanation(self) -> None:
        self.run_in_page(problem("sm80", 129, 129, 67, "one-barrier"))
        for width, mode in site_check.VIEWS:
            self.browser.see(width, mode)
            seen = self.browser.driver.execute_script(site_check.LOOK, site_check.SMALLEST, site_check.CONTRAST, False)
            self.assertEqual(seen["found"], [], (width, mode))
        link = self.browser.driver.find_element(By.CSS_SELECTOR, ".run-here pre a")
        symptoms = (build_folder() / "docs/docs/symptoms.html").resolve()
        self.assertEqual(link.get_attribute("href"), f"{symptoms.as_uri()}#race")
        self.assertEqual([e for e in self.browser.driver.get_log("browser") if e["level"] != "DEBUG"], [])

    def test_without_javascript_there_is_a_sentence(self) -> None:
        self.browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.browser.driver.get(PAGE.as_uri())
        box = self.browser.driver.find_element(By.CSS_SELECTOR, ".run-here")
        self.assertIn("The box needs JavaScript", box.text)
        self.assertNotIn("GPU sm80", box.text)


class Missing(unittest.TestCase):
    def test_without_its_packages_the_box_is_left_out_with_a_sentence(self) -> None:
        need = packages.Need("binaryen", "page", "its fibers", program="no-such-program")
        with mock.patch.object(packages, "NEEDS", [need]), mock.patch("sys.stderr.write") as said:
            self.assertIsNone(run_here.module())
        text = "".join(call.args[0] for call in said.call_args_list)
        self.assertIn("the box 'Run it here' is left out", text)
        self.assertTrue(text.rstrip().endswith("by hand: binaryen"), text)


if __name__ == "__main__":
    unittest.main()
