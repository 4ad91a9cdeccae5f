#!/usr/bin/env python3
"""Regenerate chapters/NN/figures/*.svg: the chapter's program draws them with --svg, from the layouts it compiles."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from generated import Files, program
from repository import Chapter, Mistake


def generate(chapter: Chapter, binaries: Path) -> Files:
    folder = chapter.folder / "figures"
    files: Files = {path: None for path in folder.glob("*.svg")}
    if not (chapter.folder / "figures.cpp").exists():
        if files:
            raise Mistake(f"{folder}: has figures, but no figures.cpp draws them")
        return {}
    with tempfile.TemporaryDirectory(prefix="tilestep-") as name:
        done = subprocess.run(
            [binaries / chapter.name, "--svg", name],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        if done.returncode:
            raise Mistake(f"{chapter.name} --svg: exit code {done.returncode}\n{done.stdout}")
        drawn = sorted(Path(name).glob("*.svg"))
        if not drawn:
            raise Mistake(f"{chapter.name} --svg: draws nothing, though {chapter.name}/figures.cpp is there")
        files.update({folder / path.name: path.read_bytes() for path in drawn})
    return files


if __name__ == "__main__":
    sys.exit(program(__doc__, generate))
