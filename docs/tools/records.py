"""Records that somebody names on a command line: read whole or refused in a sentence, before anything is made of
them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Callable, NoReturn, Union

from console import Stop
from repository import Chapter, Mistake

MOST_BYTES = 1 << 28  # no record comes near

# What a value should be: a type, what must hold of it, a list of one shape, or an object with at least these keys; a
# key that ends with ? may be missing, and * is what all keys have in common.
Shape = Union[type, Callable[[Any], bool], list[Any], dict[str, Any]]


def number(value: Any) -> bool:
    """A finite number that is not negative, as times and counts are."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= sys.float_info.max


def whole(value: Any) -> bool:
    """A whole number that is not negative."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def numbers(value: Any) -> bool:
    """A list of at least one such number."""
    return isinstance(value, list) and bool(value) and all(map(number, value))


def name(value: Any) -> bool:
    """Words that can name a file: with a letter or a digit, on one line, and not long."""
    printable = isinstance(value, str) and len(value) <= 200 and value.isprintable()
    return printable and any(each.isascii() and each.isalnum() for each in value)


def scalar(value: Any) -> bool:
    """A word, a number, true, false or null."""
    return value is None or isinstance(value, (str, bool, int, float))


def text(path: Path, what: str) -> str:
    """A file's text. what: the record in words, for the sentence that refuses it."""
    try:
        if not path.is_file():
            raise OSError(None, "is no regular file" if path.exists() else "is not there")
        if path.stat().st_size > MOST_BYTES:
            raise OSError(None, f"has more than {MOST_BYTES >> 20} MiB")
        return path.read_text()
    except (OSError, ValueError) as error:
        refuse(path, what, str(getattr(error, "strerror", None) or error))


def load(path: Path, what: str, shape: Shape) -> Any:
    """What a file of JSON holds."""
    try:
        found = json.loads(text(path, what))
    except (ValueError, RecursionError) as error:
        refuse(path, what, str(error))
    difference = differs(found, shape, "it")
    if difference:
        refuse(path, what, difference)
    return found


def refuse(path: Path, what: str, why: str) -> NoReturn:
    raise Stop(f"{path}: is no record of {what}: {why}", 2)


def differs(value: Any, shape: Shape, where: str) -> str:
    """Where a value has another shape, in words; "" where it has this one."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return f"{where} is no object"
        for key in value:
            found = differs(value[key], shape["*"], f"{where}.{key}") if "*" in shape else ""
            if found:
                return found
        for key, inner in shape.items():
            plain = key.rstrip("?")
            if plain in value:
                found = differs(value[plain], inner, f"{where}.{plain}")
                if found:
                    return found
            elif plain == key != "*":
                return f"{where} has no '{key}'"
        return ""
    if isinstance(shape, list):
        if not isinstance(value, list):
            return f"{where} is no list"
        return next(filter(None, (differs(each, shape[0], f"{where}[{i}]") for i, each in enumerate(value))), "")
    if isinstance(shape, type):
        return "" if isinstance(value, shape) else f"{where} is no {shape.__name__}"
    return "" if shape(value) else f"{where} is not {(shape.__doc__ or 'right').split(',')[0].split(':')[0].lower()}"


def chapter_of(path: Path, what: str, chapter: str, find: Callable[[list[str]], list[Chapter]]) -> Chapter:
    """The chapter that a record names."""
    try:
        return find([chapter])[0]
    except Mistake as mistake:
        refuse(path, what, str(mistake))
