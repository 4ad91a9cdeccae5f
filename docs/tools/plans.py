#!/usr/bin/env python3
"""Fill <!-- plans: gfx90a gfx942 | --layout nt | 4096x4096x4096 16x8192x8192 --> blocks of the chapters' pages.

They show what the chapter's planner chooses on each target for each size, as `--plan` says it. Nothing is run.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

from generated import Files, fill_chapter, program
from repository import Chapter, Mistake

PLAN = re.compile(r"(C(?:\^T)?: )?\d+ x \d+ tiles of (\S+?)(?:, K in (\d+) slices)?, ")


def short(plan: str) -> str:
    """The tile, and the slices of K; then those of the rest of C, if it has its own."""
    parts = []
    for part in plan.split(", and "):
        found = PLAN.match(part + ", ")
        if not found:
            raise Mistake(f"'{plan}' is no plan with tiles")
        transposed, tile, slices = found.groups()
        parts.append((transposed or "") + tile + (f", {slices} slices" if slices else ""))
    return "; rest ".join(parts)


def parse(chapter: Chapter, argument: str) -> tuple[list[str], str, list[tuple[str, ...]]]:
    """Targets, options, sizes."""
    parts = [part.strip() for part in argument.split("|")]
    sizes = [tuple(size.split("x")) for size in parts[-1].split()]
    if len(parts) != 3 or not parts[0] or not sizes or any(len(size) != 3 for size in sizes):
        raise Mistake(f"{chapter.readme}: block 'plans: {argument}' wants targets | options | sizes such as 64x64x64")
    return parts[0].split(), parts[1], sizes


def planned(path: Path, target: str, options: str, size: tuple[str, ...]) -> str:
    m, n, k = size
    command = [str(path), "--plan", "--target", target, *shlex.split(options), "--m", m, "--n", n, "--k", k]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    if done.returncode:
        raise Mistake(f"{shlex.join(command)}: exit code {done.returncode}\n{done.stderr.strip()}")
    return short(done.stdout.strip())


def block(chapter: Chapter, binaries: Path, argument: str) -> str:
    targets, options, sizes = parse(chapter, argument)
    lines = [f"| m x n x k | {' | '.join(targets)} |", "|---|" + "---|" * len(targets)]
    for size in sizes:
        cells = [planned(binaries / chapter.name, target, options, size) for target in targets]
        lines.append(f"| {' x '.join(size)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def again(chapter: Chapter, argument: str) -> str:
    targets, options, sizes = parse(chapter, argument)
    m, n, k = sizes[0]
    return (
        f"Chosen, not timed: `./tutorial run {chapter.number} -- --plan --target {targets[0]} {options} --m {m} "
        f"--n {n} --k {k}` and so on."
    )


def generate(chapter: Chapter, binaries: Path) -> Files:
    return fill_chapter(
        chapter, plans=lambda argument: f"{block(chapter, binaries, argument)}\n\n{again(chapter, argument)}"
    )


if __name__ == "__main__":
    sys.exit(program(__doc__ or "", generate))
