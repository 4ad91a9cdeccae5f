"""The loops of compiled code, for checks that count what one pass of the hot one costs."""
from __future__ import annotations

import dataclasses
import re
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


def hottest_loop(lines: list[str], pattern: str) -> Optional[list[str]]:
    """The instructions of the loop with most matches of `pattern` that has no loop inside; None if no loop has one.

    A line is a label, `name:`, or an instruction. A loop is what lies between a label and a branch back to it.
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
    inner = [(first, last) for first, last in loops
             if not any((a, b) != (first, last) and first <= a and b <= last for a, b in loops)]
    found = [instructions[first:last] for first, last in inner]
    found = [loop for loop in found if count(loop, pattern)]
    return max(found, key=lambda loop: count(loop, pattern), default=None)


def count(instructions: list[str], pattern: str) -> int:
    return sum(bool(re.match(pattern, instruction)) for instruction in instructions)


def broken_limits(name: str, lines: list[str], limits: list[Limit], never: list[str]) -> list[str]:
    """What is wrong with the loops of one kernel. @param never: patterns of which the loop may have none"""
    wrong = []
    for limit in limits:
        if not re.search(limit.kernel, name):
            continue
        loop = hottest_loop(lines, limit.pattern)
        if loop is None:
            wrong.append(f"no loop with {limit.pattern}")
            continue
        matrix = count(loop, limit.pattern)
        if len(loop) * limit.per > limit.instructions * matrix:
            wrong.append(f"{len(loop)} instructions for {matrix} {limit.pattern}, more than {limit.instructions} for {limit.per}")
        for pattern in never:
            wrong += [f"in the loop: {instruction}" for instruction in loop if re.match(pattern, instruction)][:3]
    return wrong


def described(lines: list[str], pattern: str) -> str:
    loop = hottest_loop(lines, pattern)
    return f"{len(loop)} instructions for {count(loop, pattern)} {pattern}" if loop else "no loop"
