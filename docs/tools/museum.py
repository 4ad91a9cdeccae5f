#!/usr/bin/env python3
"""The museum: kernels with one bug each, and the report that finds it. docs/museum.md is its list.

A section of that page is an exhibit. Its heading is the exhibit's name; the block

    <!-- exhibit: 07_one_barrier | --target gfx942 --m 64 | race -->

names the mutant of tests/chapters, the options that it runs with and words of a line of its report. Between the marks
this tool writes the change and the lines that hold these words.
"""

from __future__ import annotations

import dataclasses
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import packages
import trees
from console import Stop, table
from generated import Files, blocks, fill, program
from repository import ROOT, Chapter, Mistake, cmake_calls

PAGE = ROOT / "docs/museum.md"
SHOWN = 1  # lines of a report on the page


@dataclasses.dataclass(frozen=True)
class Exhibit:
    name: str  # race-after-loop
    mutant: str  # 07_one_barrier
    options: str
    words: str  # that its report holds
    story: str  # what the page says of it

    @property
    def chapter(self) -> str:
        return self.call()["OF"]

    def call(self) -> dict[str, str]:
        """What tilestep_mutant() says of the mutant: OF, FILE, REPLACE, WITH, IN where it has it."""
        for path in sorted((ROOT / "tests/chapters").glob("*/CMakeLists.txt")):
            for words in cmake_calls(path, "tilestep_mutant"):
                if words[0] == self.mutant:
                    keys = ("OF", "FILE", "REPLACE", "WITH", "IN", "PROGRAM", "SOURCES", "DEFINES")
                    named = {key: words[words.index(key) + 1] for key in keys if key in words}
                    return {"FILE": "kernel.hpp", **named}
        raise Mistake(f"{PAGE}: exhibit '{self.name}' names the mutant '{self.mutant}', which no chapter's tests have")

    def change(self) -> str:
        """The planted bug as a diff of the lines that it touches."""
        call = self.call()
        path = f"chapters/{call['OF']}/{call['FILE']}"
        if call["FILE"].startswith("tilestep/"):
            harness = call["FILE"].startswith("tilestep/harness/")
            path = f"common/{'harness' if harness else 'include'}/{call['FILE']}"
        text = (ROOT / path).read_text()
        start = text.index(call["REPLACE"])
        first, last = text.rfind("\n", 0, start) + 1, text.find("\n", start + len(call["REPLACE"]))
        before, after = text[first:last], text[first:last].replace(call["REPLACE"], call["WITH"])
        lines = [f"-{line}" for line in before.splitlines()] + [f"+{line}" for line in after.splitlines()]
        indent = min(len(line) - 1 - len(line[1:].lstrip()) for line in lines if line[1:].strip())
        return "\n".join([path, "```diff", *(line[0] + line[1 + indent :] for line in lines), "```"])

    def run(self, binaries: Path) -> tuple[int, str]:
        """The exit code and what the program printed."""
        program_of_it = binaries / "tests/mutants" / self.mutant
        if not program_of_it.exists():
            raise Mistake(f"{program_of_it} is not built: ./tutorial museum {self.name} builds it")
        done = subprocess.run(
            [program_of_it, *shlex.split(self.options)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            env={key: value for key, value in os.environ.items() if key != "TILESTEP_PLANTED"}
        )
        return done.returncode, done.stdout

    def found_by(self, output: str) -> list[str]:
        """The lines of the report that hold the words."""
        lines = [line for line in output.splitlines() if self.words in line]
        return [re.sub(r"^\w+: (?=[a-z ]+: kernel)", "", line).strip() for line in lines]


def exhibits() -> list[Exhibit]:
    text = PAGE.read_text()
    lines = text.splitlines()
    found = []
    for first, last, kind, argument in blocks(text, PAGE):
        if kind != "exhibit":
            continue
        parts = [part.strip() for part in argument.split("|")]
        heading = next((line for line in reversed(lines[:first]) if line.startswith("### ")), "### ")
        if len(parts) != 3 or not all(parts[::2]):
            raise Mistake(f"{PAGE}:{first + 1}: wants <!-- exhibit: MUTANT | options | words of its report -->")
        end = next((i for i in range(last, len(lines)) if lines[i].startswith("##")), len(lines))
        found.append(Exhibit(heading[4:].strip(), *parts, "\n".join(lines[last + 1 : end]).strip()))
    return found


def block_of(exhibit: Exhibit, binaries: Path) -> str:
    code, output = exhibit.run(binaries)
    found = exhibit.found_by(output)
    if not found:
        raise Mistake(
            f"{PAGE}: exhibit '{exhibit.name}' exits {code} and its report has no '{exhibit.words}':\n{output}"
        )
    path, *change = exhibit.change().splitlines()
    others = len(found) - SHOWN
    more = f"\n... and {others} {'line' if others == 1 else 'lines'} like this" if others > 0 else ""
    return "\n".join(
        [
            f"`{path}`:",
            "",
            *change,
            "```console",
            f"$ ./tutorial museum {exhibit.name}",
            "...",
            "\n".join(found[:SHOWN]) + more,
            "```",
        ]
    )


def generate(_chapter: Chapter, _bin: Path) -> Files:
    return {}


def pages() -> Files:
    known = {f"{e.mutant} | {e.options} | {e.words}": e for e in exhibits()}

    def one(argument: str) -> str:
        return block_of(known[" | ".join(part.strip() for part in argument.split("|"))], trees.binaries("host"))

    return fill(PAGE, exhibit=one)


def visit(name: str) -> int:
    """`./tutorial museum`."""
    every = exhibits()
    if not name:
        rows = [["exhibit", "chapter", "what went wrong"]]
        print(table(rows + [[e.name, e.chapter, first_sentence(e.story)] for e in every]))
        return 0
    chosen = next((e for e in every if e.name == name), None)
    if chosen is None:
        raise Stop(f"the museum has no exhibit '{name}': ./tutorial museum lists what it has", 2)
    packages.ensure("test")
    trees.build("host", tests=True, targets=[chosen.mutant])
    code, output = chosen.run(trees.binaries("host"))
    print(chosen.change())
    print(f"\n{output.strip()}\n\n{chosen.story}")
    if not chosen.found_by(output):
        print(f"\n{chosen.name}: NOT found: exit code {code}, and no line has '{chosen.words}'")
        return 1
    return 0


def first_sentence(story: str) -> str:
    return re.split(r"(?<=[.:])\s", " ".join(story.split()), maxsplit=1)[0]


if __name__ == "__main__":
    sys.exit(program(__doc__, generate, pages))
