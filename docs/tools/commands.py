#!/usr/bin/env python3
"""Run the commands that a chapter's pages tell the reader to type, on the virtual GPU, and check their exit codes.

A command is a line of a fenced block: after `$ ` in a console block, or any line of a bash block. The exit code must be
0, or the N of a line `[exit code N]` below the command. Commands for other backends are left to those machines.
"""

from __future__ import annotations

import sys
from pathlib import Path

from console import Arguments
from expected import commands_of, program_call, run_command, sandbox
from generated import guarded
from repository import Chapter, build_folder, find_chapters


def commands_in(markdown: str) -> list[tuple[str, int]]:
    """Each command of the page with the exit code it should have."""
    found: list[tuple[str, int]] = []
    language, body = None, []
    for line in markdown.splitlines():
        if language is None and line.startswith("```"):
            language, body = line[3:].strip(), []
        elif language is not None and line.startswith("```"):
            if language in ("bash", "sh"):
                found += [(text.strip(), 0) for text in body if text.strip() and not text.startswith("#")]
            elif language == "console":
                for command, output in commands_of("\n".join(body)):
                    last = (output.strip().splitlines() or [""])[-1]
                    code = last[len("[exit code ") : -1] if last.startswith("[exit code ") else "0"
                    found.append((command, int(code)))
            language = None
        elif language is not None:
            body.append(line)
    return found


def check(chapter: Chapter, binaries: Path) -> int:
    ran = wrong = 0
    with sandbox(binaries) as folder:
        for page in chapter.pages:
            for command, wanted in commands_in(page.read_text()):
                call = program_call(command)
                if call is None:
                    continue
                ran += 1
                code, output = run_command(call, folder)
                if code != wanted:
                    wrong += 1
                    print(f"{page}: '{command}' exits {code}, not {wanted}:\n{output}")
    if not ran:
        print(f"{chapter.readme}: no command in it runs the chapter on the virtual GPU")
    print(f"{chapter.name}: {ran} commands run, {wrong} wrong")
    return 1 if wrong or not ran else 0


if __name__ == "__main__":
    parser = Arguments(description=__doc__)
    parser.add_argument("chapter", nargs="*")
    parser.add_argument("--check", action="store_true", help="accepted for symmetry: this tool only checks")
    parser.add_argument("--bin", type=Path, default=build_folder() / "host/bin")

    def body() -> int:
        options = parser.parse_args()
        return max((check(c, options.bin.resolve()) for c in find_chapters(options.chapter)), default=0)

    sys.exit(guarded(body))
