#!/usr/bin/env python3
"""What the layout algebra must refuse, and in which words.

Two sets: every input that CuTe refuses by intent (tests/support/golden/errors.inc), and one pair of a bad call and its
good twin for each static_assert of the core and layout headers (layout_pairs.inc). All bad calls go into one file, each
in a function of its own, and the compiler's diagnostics are sorted by the line that led to them; a call that shares its
failing template with an earlier one is compiled once more alone. A refusal must be a static_assert that says what
failed and, after a semicolon or a colon, what to do. The good twins are compiled together and must pass.

usage: layout_errors.py --compiler CXX --include DIR [--include DIR ...] [--jobs N]
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs/tools"))
from console import Arguments, ended  # noqa: E402

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
HEADERS = TESTS.parent / "common/include/tilestep"
INCIDENTAL = {100020, 100118}  # refused by CuTe for a reason of its own: unspecified
WORDS = re.compile(r"error: static.assert(?:ion)? failed(?: due to requirement .*?)?:? \"?(\w.*?[;:] .*)")


def split_arguments(text: str) -> list[str]:
    """The top-level comma-separated arguments of a macro call."""
    parts, depth, quoted, start = [], 0, False, 0
    for i, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif not quoted and c in "([{":
            depth += 1
        elif not quoted and c in ")]}":
            depth -= 1
        elif not quoted and c == "<" and re.search(r"[A-Za-z_]\w*$", text[:i]):
            depth += 1
        elif not quoted and c == ">" and depth:
            depth -= 1
        elif not quoted and c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return parts + [text[start:].strip()]


def golden_cases() -> list[tuple[str, str, str]]:
    """(name, words wanted, statement) of each input that CuTe refuses."""
    lines = (TESTS / "support/golden/errors.inc").read_text().splitlines()
    calls = [line for line in lines if line.startswith("GOLDEN_ERROR_")]
    named = [(int(re.search(r"\((\d+)", call).group(1)), call) for call in calls]
    return [(str(number), "", call) for number, call in named if number not in INCIDENTAL]


def pairs(file: str = "layout_pairs.inc") -> list[tuple[str, str, str, str]]:
    """(name, words wanted, bad statement, good statement)."""
    found = []
    for line in (HERE / file).read_text().splitlines():
        if line.startswith("PAIR("):
            name, words, bad, good = split_arguments(line[5:-1])
            found.append((name, words.strip('"'), f"REFUSED({bad})", f"REFUSED({good})"))
    return found


def source(statements: list[str], header: str) -> str:
    """One function per statement; statement i stands in line i + 3."""
    functions = "\n".join(f"void f{i}() {{ {s} }}" for i, s in enumerate(statements))
    return f'#include "{header}"\nusing namespace tilestep;\n{functions}\n'


class Compiler:
    def __init__(self, path: str, include: list[str], folder: Path, header: str = "layout_errors.hpp"):
        self.header = header
        self.command = [path, "-std=c++20", "-fsyntax-only", "-w", *[f"-I{d}" for d in [*include, str(HERE)]]]
        self.clang = "clang" in subprocess.run([path, "--version"], capture_output=True, text=True).stdout
        self.command += (
            ["-ferror-limit=0", "-ftemplate-backtrace-limit=0"]
            if self.clang
            else ["-fmax-errors=0", "-ftemplate-backtrace-limit=0"]
        )
        self.folder = folder

    def diagnostics(self, name: str, statements: list[str]) -> tuple[bool, dict[int, list[str]], str]:
        """(whether it compiled, the words of the static_asserts that each statement led to, all output)."""
        path = self.folder / f"{name}.cpp"
        path.write_text(source(statements, self.header))
        run = subprocess.run([*self.command, str(path)], capture_output=True, text=True)
        output = run.stderr.splitlines()
        words: dict[int, list[str]] = {}
        came_from = re.compile(re.escape(str(path)) + r":(\d+):\d+:")
        trail: list[int] = []  # g++ tells the way to an error before it, clang++ after it
        last: str | None = None
        for line in output:
            at = came_from.match(line)
            if at and not self.clang and "required from" in line:
                trail = [int(at.group(1)) - 3]
            elif at and ": error:" in line:
                trail = [int(at.group(1)) - 3]
            if ": error:" in line:
                match = WORDS.search(line)
                last = match.group(1) if match else None
                if last and not self.clang and trail:
                    words.setdefault(trail[-1], []).append(last)
            elif self.clang and at and last and ": note: in instantiation" in line:
                words.setdefault(int(at.group(1)) - 3, []).append(last)
        return run.returncode == 0, words, run.stderr


def check(compiler: Compiler, name: str, cases: list[tuple[str, str, str]], jobs: int) -> list[str]:
    """Sentences about the cases that are not refused in the words wanted."""
    _, words, _ = compiler.diagnostics(name, [statement for _, _, statement in cases])

    def fits(index: int, found: list[str]) -> bool:
        return any(cases[index][1] in sentence for sentence in found)

    again = [i for i in range(len(cases)) if not fits(i, words.get(i, []))]

    def alone(i: int) -> str:
        compiled, found, output = compiler.diagnostics(f"{name}_{i}", [cases[i][2]])
        if compiled:
            return f"{name} {cases[i][0]}: compiles, but must be refused: {cases[i][2]}"
        if not fits(i, found.get(0, [])):
            errors = [line for line in output.splitlines() if "error:" in line][:2]
            return f"{name} {cases[i][0]}: not refused by a static_assert that says '{cases[i][1]}': {errors}"
        return ""

    with ThreadPoolExecutor(jobs) as pool:
        wrong = [sentence for sentence in pool.map(alone, again) if sentence]
    print(f"{name}: {len(cases)} cases, {len(again)} of them compiled alone, {len(wrong)} wrong")
    return wrong


def talkative(compiler: Compiler, found: list[tuple[str, str, str, str]], names: set[str]) -> list[str]:
    """Sentences about refusals of these pairs that come with further errors."""
    wrong = []
    for name, _, bad, _ in found:
        if name in names:
            errors = [
                line for line in compiler.diagnostics(f"alone_{name}", [bad])[2].splitlines() if " error:" in line
            ]
            if len(errors) != 1:
                wrong.append(f"pairs {name}: one wrong rank, {len(errors)} errors: {errors}")
    return wrong


def untested(
    found: list[tuple[str, str, str, str]], headers: tuple[str, ...] = ("core/*.hpp", "layout/*.hpp")
) -> list[str]:
    """Messages of the headers that no pair asks for."""
    missing = []
    for path in sorted(path for pattern in headers for path in HEADERS.glob(pattern)):
        for call in re.findall(r"static_assert\((.*?)\);", path.read_text(), re.S):
            message = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', call))
            if not any(words in message for _, words, _, _ in found):
                missing.append(f"{path.name}: no pair tests the message '{message}'")
            if not re.search("[;:] ", message):
                missing.append(f"{path.name}: the message '{message}' says no remedy after a colon or a semicolon")
    return missing


def main() -> int:
    parser = Arguments(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", action="append", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(arguments.compiler, arguments.include, Path(folder))
        found = pairs()
        wrong = untested(found)
        compiled, _, output = compiler.diagnostics("twins", [good for _, _, _, good in found])
        if not compiled:
            wrong.append(
                "the good twins do not compile:\n" + "\n".join(line for line in output.splitlines() if "error:" in line)
            )
        wrong += check(compiler, "pairs", [(name, words, bad) for name, words, bad, _ in found], arguments.jobs)
        wrong += talkative(compiler, found, {"crd2idx", "crd2idx_few", "call_nesting", "crd2idx_scalar"})
        wrong += check(compiler, "golden", golden_cases(), arguments.jobs)
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
