"""The loops of compiled code, for checks that count what one pass of the hot one costs."""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Optional


@dataclasses.dataclass(frozen=True)
class Limit:
    """KERNEL=PATTERN<=N/M: the loop of such a kernel with most PATTERN has at most N instructions for M of them."""

    kernel: str
    pattern: str
    instructions: int
    per: int

    @staticmethod
    def parse(text: str) -> "Limit":
        match = re.fullmatch(r"(.*?)=(.*)<=(\d+)/(\d+)", text)
        if match is None:
            raise ValueError(f"'{text}' should be KERNEL=PATTERN<=N/M")
        return Limit(match[1], match[2], int(match[3]), int(match[4]))


@dataclasses.dataclass(frozen=True)
class Different:
    """PATTERN>=N: what PATTERN matches in the loop is N different texts at least."""

    pattern: str
    least: int

    @staticmethod
    def parse(text: str) -> "Different":
        pattern, _, least = text.rpartition(">=")
        return Different(pattern, int(least))


@dataclasses.dataclass(frozen=True)
class Hidden:
    """FIRST=THEN=PATTERN>=N: from the last FIRST on, round the loop, there are N PATTERN at least before a THEN
    comes."""

    first: str
    then: str
    pattern: str
    least: int

    @staticmethod
    def parse(text: str) -> "Hidden":
        patterns, _, least = text.rpartition(">=")
        return Hidden(*patterns.split("="), int(least))


def hottest_loop(lines: list[str], pattern: str) -> Optional[list[str]]:
    """The instructions of the loop with most matches of `pattern` that has no loop inside; None if no loop has one.

    A line is a label, `name:`, or an instruction. A loop is what lies between a label and a branch back to it. Of two
    with as many matches it is the longer one: what a pipeline does when nothing is left to load is a loop, too.
    """
    places: dict[str, int] = {}
    instructions: list[str] = []
    for line in lines:
        label = re.fullmatch(r"([.$\w]+):", line)
        if label:
            places[label[1]] = len(instructions)
        else:
            instructions.append(line)
    loops = []
    for end, instruction in enumerate(instructions):
        branch = re.search(r"\b(?:bra|s_c?branch\w*)\S*\s+(?:\S+,\s*)?([.$\w]+);?$", instruction)
        if branch and places.get(branch[1], end + 1) <= end:
            loops.append((places[branch[1]], end + 1))
    inner = [
        (first, last)
        for first, last in loops
        if not any((a, b) != (first, last) and first <= a and b <= last for a, b in loops)
    ]
    found = [instructions[first:last] for first, last in inner]
    found = [loop for loop in found if count(loop, pattern)]
    return max(found, key=lambda loop: (count(loop, pattern), len(loop)), default=None)


def count(instructions: list[str], pattern: str) -> int:
    return sum(bool(re.match(pattern, instruction)) for instruction in instructions)


def between(loop: list[str], hidden: Hidden) -> int:
    """How many `pattern` there are between the last `first` and the next `then`, over the end of the loop if need be;
    -1 without these two."""
    places = [i for i, instruction in enumerate(loop) if re.match(hidden.first, instruction)]
    found = 0
    for instruction in loop[places[-1] + 1 :] + loop[: places[-1]] if places else []:
        if re.match(hidden.then, instruction):
            return found
        found += bool(re.match(hidden.pattern, instruction))
    return -1


def broken_limits(
    name: str,
    lines: list[str],
    limits: list[Limit],
    never: list[str],
    uncounted: str = "$",
    different: Sequence[Different] = (),
    hidden: Sequence[Hidden] = (),
) -> list[str]:
    """What is wrong with the loops of one kernel.

    @param never: patterns of which the loop may have none   @param uncounted: instructions that limits do not count
    """
    wrong = []
    for limit in limits:
        if not re.search(limit.kernel, name):
            continue
        loop = hottest_loop(lines, limit.pattern)
        if loop is None:
            wrong.append(f"no loop with {limit.pattern}")
            continue
        matrix, counted = count(loop, limit.pattern), len(loop) - count(loop, uncounted)
        if counted * limit.per > limit.instructions * matrix:
            wrong.append(
                f"{counted} instructions for {matrix} {limit.pattern}, more than {limit.instructions} for {limit.per}"
            )
        for pattern in never:
            wrong += [f"in the loop: {instruction}" for instruction in loop if re.match(pattern, instruction)][:3]
        for each in different:
            texts = {match[0] for match in (re.search(each.pattern, instruction) for instruction in loop) if match}
            if len(texts) < each.least:
                wrong.append(f"only {sorted(texts)} of {each.pattern}, where {each.least} are wanted")
        for each in hidden:
            found = between(loop, each)
            if found < each.least:
                wrong.append(
                    f"{found} {each.pattern} between {each.first} and {each.then}, where {each.least} are wanted"
                )
    return wrong


def described(lines: list[str], pattern: str, uncounted: str = "$") -> str:
    loop = hottest_loop(lines, pattern)
    return (
        f"{len(loop) - count(loop, uncounted)} instructions for {count(loop, pattern)} {pattern}" if loop else "no loop"
    )
