"""Which program of a chapter has the kernels for a target and a type.

CMake makes a program of all kernels, build/BACKEND/bin/NAME, one of the kernels of each family of GPUs and type,
build/BACKEND/bin/FAMILY_TYPE/NAME, and one of what `./tutorial run` shows, build/BACKEND/bin/shown/NAME, from KERNELS
and MORE_KERNELS of add_chapter(): see common/cmake/TilestepChapter.cmake. A program of a few kernels is built in
seconds.
"""

from __future__ import annotations

import os
import re

from repository import Chapter

# The family of a target's kernels, by how its name begins; the first that the chapter has kernels of counts.
FAMILIES = [
    ("sm90", "hopper"),
    ("sm", "nvidia"),
    ("gfx950", "cdna4"),
    ("gfx9", "cdna"),
    ("gfx11", "rdna3"),
    ("gfx12", "rdna4"),
]

# With these a program may need other kernels than those of one target and type.
OF_SEVERAL = {"--a", "--b", "--c", "--each", "--list", "--svg", "--tune", "--machine", "--help", "-h"}


def part(name: str) -> str:
    """FAMILY_TYPE of a name in KERNELS: nvidia_f16 of nvidia_f16_few."""
    found = re.match(r"(?:(?:nvidia|hopper|cdna4?|rdna[34])_)?[a-z0-9]+", name)
    return found.group(0) if found else name


def part_for(chapter: Chapter, target: str, options: list[str]) -> str:
    """The FAMILY_TYPE whose program runs the chapter with these options on a target; "": the program of all kernels."""
    given = {word.split("=")[0] for word in options}
    if not chapter.kernels or given & OF_SEVERAL:
        return ""
    target = value_of("--target", options) or target or (chapter.targets or ["sm80"])[0]
    parts = [part(name) for name in chapter.kernels]
    dtype = value_of("--dtype", options) or chapter.dtype or parts[0].split("_")[-1]
    wanted = [f"{family}_{dtype}" for start, family in FAMILIES if target.startswith(start)] + [dtype]
    if dtype == "f32":
        wanted.append("fma")
    if value_of("--acc", options) == "f16":  # Hopper's own kernels add in f32
        wanted = [name for name in wanted if not name.startswith("hopper")]
    return next((name for name in wanted if name in parts), "")


def shown(chapter: Chapter, parts: set[str]) -> str:
    """The program for runs on several targets, each of which could have the program of one of these parts."""
    if parts <= {part(name) for name in chapter.shown} and chapter.shown != chapter.kernels:
        return "shown"
    return parts.pop() if len(parts) == 1 else ""


def value_of(option: str, words: list[str]) -> str:
    """What follows an option on a command line, as `--option value` or `--option=value`; "" where it is not there."""
    for index, word in enumerate(words):
        if word.startswith(option + "="):
            return word[len(option) + 1 :]
        if word == option and index + 1 < len(words):
            return words[index + 1]
    return ""


def target_of(chapter: Chapter, name: str) -> str:
    """What to build for a part: CMake's name of the program."""
    return f"{chapter.name}-{name}" if name else chapter.name


def path_of(chapter: Chapter, name: str) -> str:
    """Where the program is, below build/BACKEND/bin."""
    return f"{name}/{chapter.name}" if name else chapter.name


def start_of(chapter: Chapter, processes: int = 0) -> list[str]:
    """What stands before a chapter's program on a command line: mpirun, where it runs in several processes; as many as
    the chapter has, or so many, each with a device and all cores."""
    if chapter.processes == 1:
        return []
    if processes:
        return ["mpirun", "--bind-to", "none", "-np", str(processes)]
    return ["mpirun", "--oversubscribe", "-np", str(chapter.processes)]


def environment() -> dict[str, str]:
    """This process's, in which Open MPI's mpirun starts processes as root, too: in containers there is no other
    user."""
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return {**os.environ, **(allowed if os.geteuid() == 0 else {})}
