"""The verb exercise: list the exercises, build and run one check, show its hints step by step, or its solution."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from pathlib import Path
from typing import Any, Optional

import lock
import packages
import trees
from console import Stop, table
from exercises import VERDICTS, grade
from repository import ROOT, Chapter, build_folder, find_chapters


REMEMBERED = {"code": int, "hash": str, "hints": int}  # of each exercise


def states_file() -> Path:
    return build_folder() / "exercises.json"


@dataclasses.dataclass(frozen=True)
class Exercise:
    """One folder chapters/CHAPTER/exercises/NAME."""

    chapter: Chapter
    folder: Path

    @property
    def name(self) -> str:
        return f"{self.chapter.number}/{self.folder.name}"

    @property
    def stub(self) -> Path:
        return self.folder / "exercise.hpp"

    @property
    def target(self) -> str:
        return f"{self.chapter.name}-{self.folder.name}-exercise"

    def task(self) -> str:
        """The first sentence of the stub's comment behind "The exercise:"."""
        comment = re.match(r"#pragma once\n((?://.*\n)+)", self.stub.read_text())
        text = " ".join(line[2:].strip() for line in comment[1].splitlines()) if comment else ""
        sentence = re.match(r"The exercise: (.*?[.:])(?= |$)", text)
        return sentence[1][:1].upper() + sentence[1][1:].rstrip(":") if sentence else ""

    def hints(self) -> list[str]:
        """The steps of hint.md: paragraphs that begin with a name in bold."""
        return [step.strip() for step in re.split(r"\n(?=\*\*)", (self.folder / "hint.md").read_text())[1:]]

    def hash(self) -> str:
        return hashlib.sha256(self.stub.read_bytes()).hexdigest()


def find(names: list[str]) -> list[Exercise]:
    """All exercises, those of one chapter, or one by its name or the number that its name begins with."""
    found = [
        Exercise(chapter, check.parent)
        for chapter in find_chapters(names[:1])
        for check in sorted(chapter.folder.glob("exercises/*/check.cpp"))
    ]
    if len(names) > 1:
        wanted = [each for each in found if each.folder.name == names[1] or each.folder.name.startswith(names[1] + "_")]
        if not wanted:
            have = ", ".join(each.folder.name for each in found) or "none"
            raise Stop(f"chapter {names[0]} has no exercise '{names[1]}': it has {have}", 2)
        found = wanted
    if not found:
        raise Stop(f"chapter {names[0]} has no exercise", 2)
    return found


def run(names: list[str], hint: bool, solution: bool) -> int:
    """`./tutorial exercise`."""
    if len(names) > 2:
        raise Stop("name a chapter, and one of its exercises if it has several: ./tutorial exercise 06 01", 2)
    found = find(names)
    if not names:
        if hint or solution:
            raise Stop("name the exercise: ./tutorial exercise 06 --hint", 2)
        print(table([["exercise", "state", "what to do"], *([e.name, state(e), e.task()] for e in found)]))
        return 0
    if hint or solution:
        if len(found) > 1:
            numbers = ", ".join(each.folder.name for each in found)
            raise Stop(f"chapter {names[0]} has several exercises: name one of {numbers}", 2)
        print(next_hint(found[0]) if hint else show_solution(found[0]))
        return 0
    return max(check(each) for each in found)


def check(exercise: Exercise) -> int:
    """Build one check with the reader's file, run it, show what it says."""
    packages.ensure("run")
    trees.build("host", tests=False, targets=[exercise.target])
    code, output = grade(trees.binaries("host") / "exercises" / exercise.target)
    if output.strip():
        print(output.strip())
    remember(exercise, {"code": code, "hash": exercise.hash()})
    said = VERDICTS.get(code, f"ended with exit code {code}, which no check gives")
    print(f"{exercise.name}: {said}; you change {exercise.stub.relative_to(ROOT)}")
    return code if code in VERDICTS else 1


def next_hint(exercise: Exercise) -> str:
    """One step more each time it is asked for; after the last the last again."""
    hints = exercise.hints()
    shown = min(recall(exercise).get("hints", 0) + 1, len(hints))
    remember(exercise, {"hints": shown})
    more = "ask again for the next" if shown < len(hints) else "the last; --solution shows one way"
    return f"{hints[shown - 1]}\n\n{exercise.name}: hint {shown} of {len(hints)}, {more}"


def show_solution(exercise: Exercise) -> str:
    path = exercise.folder / "solution.hpp"
    return f"{path.read_text().rstrip()}\n\n{exercise.name}: {path.relative_to(ROOT)}"


# ---- What is remembered from one call to the next ----


def state(exercise: Exercise) -> str:
    known = recall(exercise)
    if "code" not in known:
        return "not tried"
    if known.get("hash") != exercise.hash():
        return "changed since"
    return "solved" if known["code"] == 0 else VERDICTS.get(known["code"], "broken")


def recall(exercise: Exercise) -> dict[str, Any]:
    return states().get(exercise.name, {})


def remember(exercise: Exercise, what: dict[str, Any]) -> None:
    every = states()
    every[exercise.name] = {**every.get(exercise.name, {}), **what}
    lock.require_usable(build_folder())
    states_file().write_text(json.dumps(every, indent=1) + "\n")


def states() -> dict[str, Any]:
    """What earlier calls found; nothing where there is no such file or it is damaged."""
    found: Optional[Any] = None
    if states_file().exists():
        try:
            found = json.loads(states_file().read_text())
        except (ValueError, RecursionError):
            pass
    return {
        name: {key: value for key, value in known.items() if key in REMEMBERED and isinstance(value, REMEMBERED[key])}
        for name, known in (found.items() if isinstance(found, dict) else ())
        if isinstance(known, dict)
    }
