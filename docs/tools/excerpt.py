"""A part of a generated table: what the text of a chapter's README.md speaks of, while lab.md has the whole.

The argument of a block may end in `| columns = time; TFLOP/s` and `| rows = m 64 *; m 128 *`. A column is named by its
heading, or by what stands before a comma or brackets in it; named without its brackets, its cells lose theirs. A row is
named by one of the cells that say what it is, a * standing for anything. Those cells become one; one that all rows have
in common is said below the table.
"""

from __future__ import annotations

import fnmatch
import itertools
import re

from repository import Mistake

Row = list[str]


def chosen(argument: str) -> tuple[str, list[str], list[str]]:
    """The argument without its choices, the columns, the rows; none means all."""
    choices: dict[str, list[str]] = {"columns": [], "rows": []}
    rest = []
    for part in argument.split("|"):
        word, _, names = part.partition("=")
        if word.strip() in choices:
            choices[word.strip()] += [name.strip() for name in names.split(";") if name.strip()]
        else:
            rest.append(part.strip())
    return " | ".join(rest), choices["columns"], choices["rows"]


def excerpt(text: str, columns: list[str], rows: list[str], names: int, where: str) -> str:
    """The text with the chosen columns and rows of its tables. A row's name is in the first `names` columns."""
    found: set[str] = set()
    pieces = []
    for is_table, lines in itertools.groupby(text.splitlines(), lambda line: line.startswith("|")):
        piece = part_of([cells(line) for line in lines], columns, rows, names, found) if is_table else "\n".join(lines)
        if piece.strip():
            pieces.append(piece.strip("\n"))
    missing = [name for name in [*columns, *rows] if name not in found]
    if missing:
        raise Mistake(f"{where}: no table of the block has {', '.join(repr(name) for name in missing)}")
    return "\n\n".join(pieces)


def cells(line: str) -> Row:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def part_of(table: list[Row], columns: list[str], rows: list[str], names: int, found: set[str]) -> str:
    """The chosen part of one table, and below it what its rows have in common; nothing if no row is chosen."""
    heading, rule, *body = table
    for above, row in zip(body, body[1:]):  # an empty name repeats the one above
        row[0] = row[0] or above[0]
    kept = []
    for row in body:
        named_by = {name for name in rows if any(fnmatch.fnmatchcase(cell, name) for cell in row[:names])}
        found |= named_by
        if named_by or not rows:
            kept.append(row)
    if not kept:
        return ""
    differing = [at for at in range(names) if len({row[at] for row in kept}) > 1] or [names - 1]
    picked = [(at, heading[at], False) for at in range(names, len(heading))] if not columns else []
    for name in columns:
        for at in range(names, len(heading)):
            if heading[at] == name or heading[at].startswith((f"{name},", f"{name} (")):
                found.add(name)
                bare = heading[at].startswith(f"{name} (")
                picked.append((at, name if bare else heading[at], bare))
    lines = [
        [", ".join(heading[at] for at in differing), *(word for _, word, _ in picked)],
        [rule[0], *(rule[at] for at, _, _ in picked)],
        *(
            [", ".join(row[at] for at in differing), *(without_brackets(row[at], bare) for at, _, bare in picked)]
            for row in kept
        ),
    ]
    common = [kept[0][at] for at in range(names) if at not in differing]
    shown = ["| " + " | ".join(line) + " |" for line in lines]
    shown[1] = "|" + "|".join(lines[1]) + "|"
    return "\n".join([*shown, *([f"\nEvery row: {', '.join(common)}."] if common else [])])


def without_brackets(cell: str, bare: bool) -> str:
    return re.sub(r"\s*\([^)]*\)", "", cell) if bare else cell
