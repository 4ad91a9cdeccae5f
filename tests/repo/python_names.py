#!/usr/bin/env python3
"""What the tools and the tests in Python name exists: Pylint reads them all, those too that few runs reach."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (".ci", "docs", "tests")

# Messages of Pylint that speak of a defect, whoever wrote the line and in what style.
MESSAGES = (
    "function-redefined",
    "no-member",
    "no-name-in-module",
    "no-value-for-parameter",
    "syntax-error",
    "too-many-function-args",
    "undefined-loop-variable",
    "undefined-variable",
    "unexpected-keyword-arg",
    "unused-import",
    "unused-variable",
    "used-before-assignment",
)


def found(sources: list[Path], folder: Path) -> list[str]:
    """What Pylint says of sources, a line each."""
    command = ["pylint", "--rcfile=/dev/null", "--disable=all", f"--enable={','.join(MESSAGES)}"]
    command += ["--msg-template={path}:{line}: {msg}", "--score=no"]
    command += ["--ignored-modules=numpy"]  # another interpreter than Pylint's may be the one that has it
    ended = subprocess.run([*command, *sources], cwd=folder, capture_output=True, text=True)
    if ended.returncode >= 32 or ended.stderr:  # below it has read everything, and each bit stands for a kind found
        raise RuntimeError(f"pylint ended with {ended.returncode}: {ended.stderr}")
    return [line for line in ended.stdout.splitlines() if not line.startswith("*****")]


class Names(unittest.TestCase):
    maxDiff = None

    def test_what_our_sources_name_exists(self) -> None:
        sources = [path.relative_to(ROOT) for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
        self.assertGreater(len(sources), 70)
        self.assertEqual(found(sources, ROOT), [])

    def test_what_is_planted_is_found(self) -> None:
        module = "WIDTHS = (1, 2)\n\n\ndef see(width):\n    return width\n"
        user = "import good\n\nfor width in good.WIDTHS:\n    good.see(width)\n"
        planted = {
            "attribute.py": (user + "good.MODES\n", "attribute.py:5: Module 'good' has no 'MODES' member"),
            "call.py": (user + "good.see(1, 2)\n", "call.py:5: Too many positional arguments for function call"),
            "name.py": (user + "print(height)\n", "name.py:5: Undefined variable 'height'"),
            "from.py": ("from good import MODES\nprint(MODES)\n", "from.py:1: No name 'MODES' in module 'good'"),
        }
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "good.py").write_text(module)
            (folder / "user.py").write_text(user)
            for file, (text, _) in planted.items():
                (folder / file).write_text(text)
            sources = [path.relative_to(folder) for path in sorted(folder.iterdir())]
            self.assertEqual(sorted(found(sources, folder)), sorted(line for _, line in planted.values()))


if __name__ == "__main__":
    if not shutil.which("pylint"):
        sys.exit("pylint is missing: install it, as ./tutorial test does")
    unittest.main()
