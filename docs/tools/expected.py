#!/usr/bin/env python3
"""Regenerate chapters/NN/expected/output.txt by running the commands it names.

The file holds commands as a reader types them at the repository's root, each followed by what it prints:

    $ ./tutorial run 04 -- --m 5 --n 7 --k 3
    ...
    $ build/host/bin/04_fma_gemm --m -1
    ...
    [exit code 2]

The commands run in an empty folder in which build/host/bin and chapters are those of the tree, so a file that one
command writes is there for the next and nowhere else.
"""

from __future__ import annotations

import contextlib
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Iterator

import programs
from generated import Files, program
from repository import ROOT, Chapter, Mistake, find_chapters

EXIT = "[exit code {}]"
SECONDS = 300  # that a command may take


def commands_of(text: str) -> list[tuple[str, str]]:
    """Split `$ command` lines from the output that follows each."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line + "\n")
        elif line.strip():
            raise Mistake(f"the first line must be a command: '$ ...', not '{line}'")
    return found


def program_call(command: str, root: Path = ROOT) -> list[str] | None:
    """The chapter program that a command runs on the virtual GPU, or None when it runs something else; mpirun and its
    options come before a program that runs in several processes.

    `./tutorial run 04 --target T -- --m 5` is `build/host/bin/04_fma_gemm --target T --m 5`.
    """
    words = shlex.split(command, comments=True)
    if words[:1] and words[0].startswith("build/host/bin/"):
        return words
    if words[:1] == ["mpirun"] and any(word.startswith("build/host/bin/") for word in words):
        return words
    if words[:2] == ["./tutorial", "run"] and len(words) > 2 and not words[2].startswith("-"):
        options = words[3:]
        if "--backend" in options and options[options.index("--backend") + 1] != "host":
            return None
        cut = options.index("--") if "--" in options else len(options)
        chapter = find_chapters([words[2]], root)[0]
        return [
            *programs.start_of(chapter),
            "build/host/bin/" + chapter.name,
            *options[:cut],
            *options[cut + 1 :],
        ]
    return None


@contextlib.contextmanager
def sandbox(binaries: Path) -> Iterator[Path]:
    """An empty folder that looks like the repository's root as far as commands see it."""
    with tempfile.TemporaryDirectory(prefix="tilestep-") as name:
        folder = Path(name)
        (folder / "build/host").mkdir(parents=True)
        (folder / "build/host/bin").symlink_to(binaries)
        (folder / "chapters").symlink_to(ROOT / "chapters")
        yield folder


def run_command(call: list[str], folder: Path) -> tuple[int, str]:
    """Exit code and everything printed, with the exit code as a last line when it is not 0."""
    program = (folder / next(word for word in call if word.startswith("build/host/bin/"))).resolve()
    if not program.is_file():
        raise Mistake(f"{program}: is not there: ./tutorial test builds every chapter's program")
    try:
        done = subprocess.run(
            call,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=SECONDS,
            env=programs.environment(),
        )
    except subprocess.TimeoutExpired as error:
        raise Mistake(f"'{shlex.join(call)}' has no end: it was stopped after {SECONDS} seconds") from error
    output = done.stdout if done.stdout.endswith("\n") or not done.stdout else done.stdout + "\n"
    if done.returncode:
        output += EXIT.format(done.returncode) + "\n"
    return done.returncode, output


def generate(chapter: Chapter, binaries: Path) -> Files:
    path = chapter.folder / "expected" / "output.txt"
    if not path.exists():
        raise Mistake(f"{path}: is missing; write its commands ('$ ./tutorial run ...') and run docs/tools/refresh")
    text = ""
    with sandbox(binaries) as folder:
        for command, _ in commands_of(path.read_text()):
            call = program_call(command)
            if call is None:
                raise Mistake(f"{path}: '{command}' does not run a chapter on the virtual GPU")
            text += f"$ {command}\n{run_command(call, folder)[1]}"
    return {path: text.encode()}


if __name__ == "__main__":
    sys.exit(program(__doc__, generate))
