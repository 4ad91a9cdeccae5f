"""What the reader sees while something runs: a heading, its progress, how long it took; a log of everything."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, NoReturn, Optional, Sequence

TERMINAL = sys.stderr.isatty()
HEARTBEAT = 10.0  # seconds between progress lines where there is no terminal to rewrite


class Stop(Exception):
    """Ends the program: a sentence for the reader, an exit code, and commands to type, which stand on lines of their
    own."""

    def __init__(self, sentence: str, code: int, commands: str = "") -> None:
        super().__init__(sentence + ("\n" + commands if commands else ""))
        self.sentence, self.code, self.commands = sentence, code, commands


class Arguments(argparse.ArgumentParser):
    """A parser whose errors are one sentence."""

    def error(self, message: str) -> NoReturn:
        raise Stop(f"{message}; {self.prog} --help tells what is taken", 2)


def one_line(text: str) -> str:
    """What was typed may hold anything; a sentence stays one line, of what can be shown."""
    return "".join(each if each.isprintable() else "?" for each in text)


def say(name: str, sentence: str, commands: str = "") -> None:
    """A sentence on stderr, which is all that a program says when it stops."""
    with contextlib.suppress(OSError):  # nowhere to say it; the exit code does
        print(f"{name}: {one_line(sentence)}" + ("\n" + commands if commands else ""), file=sys.stderr, flush=True)


def ended(name: str, body: Callable[[], int]) -> int:
    """Runs a program's body. What stops it becomes a sentence and an exit code: 3 where a file or a folder cannot be
    used, 2 where standard output cannot be written, 128 and its number after a signal."""

    def by_signal(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a file's name may be no text
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup has it
            signal.signal(number, by_signal)  # temporary folders go, and programs that were started end
    try:
        code = body()
    except Stop as end:
        say(name, end.sentence, end.commands)
        code = end.code
    except KeyboardInterrupt:
        code = 130
    except OSError as error:
        if error.filename is None:
            return without_output(name, error)
        say(name, f"{error.filename}: {error.strerror}")
        code = 3
    try:
        sys.stdout.flush()
    except OSError as error:
        return without_output(name, error)
    return code


def without_output(name: str, error: OSError) -> int:
    """Standard output is closed or full: what is left to write there would only fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    say(name, f"standard output cannot be written: {error.strerror or error}")
    return 2


@contextlib.contextmanager
def signals_wait() -> Iterator[None]:
    """A signal that would end this program comes when the block is over. Threads but the first get none anyway."""
    came: list[int] = []
    handlers = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            handler = signal.getsignal(number)
            if callable(handler):
                handlers[number] = handler
                signal.signal(number, lambda which, _: came.append(which))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in came[:1]:
            signal.raise_signal(number)


@contextlib.contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A program that does not outlive its caller: what ends the one ends the other, in time to clean up."""
    process: subprocess.Popen[str] | None = None
    try:
        with signals_wait():  # one that came while the program starts would leave it alone
            process = subprocess.Popen(command, **options)
        yield process
    except BaseException:
        if process:
            process.terminate()
        raise
    finally:
        if process:
            process.wait()


class Progress:
    """One changing line on stderr; a line now and then where stderr is no terminal."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.started = self.shown = time.monotonic()
        if TERMINAL:
            self._rewrite("")
        else:
            print(f"{title} ...", file=sys.stderr, flush=True)

    def show(self, text: str) -> None:
        now = time.monotonic()
        if TERMINAL:
            self._rewrite(text)
        elif now - self.shown >= HEARTBEAT:
            print(f"  {now - self.started:4.0f} s  {text}", file=sys.stderr, flush=True)
            self.shown = now

    def done(self, text: str = "") -> None:
        seconds = time.monotonic() - self.started
        line = f"{self.title}: {text}{', ' if text else ''}{seconds:.1f} s"
        print(("\r\033[K" if TERMINAL else "") + line, file=sys.stderr, flush=True)

    def clear(self) -> None:
        if TERMINAL:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def _rewrite(self, text: str) -> None:
        width = os.get_terminal_size(sys.stderr.fileno()).columns - 1
        print("\r\033[K" + f"{self.title} ... {text}"[:width], end="", file=sys.stderr, flush=True)


def run_step(
    title: str,
    command: Sequence[str],
    log: Path,
    env: Optional[Mapping[str, str]] = None,
    keep: Callable[[str], bool] = lambda line: False,
) -> tuple[int, list[str]]:
    """Run a command with progress; its output goes to the log, and lines that keep() likes are printed too.

    Returns the exit code and all lines. On failure the end of the output is shown.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    progress = Progress(title)
    lines: list[str] = []
    with log.open("w") as file:
        file.write("$ " + " ".join(command) + "\n")
        with started(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={**os.environ, **(env or {})},
        ) as process:
            assert process.stdout
            for line in process.stdout:
                file.write(line)
                line = line.rstrip("\n")
                lines.append(line)
                if keep(line):
                    progress.clear()
                    print(line, flush=True)
                elif line.strip():
                    progress.show(line.strip())
        code = process.returncode
    progress.done("" if code == 0 else f"failed with exit code {code}")
    return code, lines


def must(title: str, command: Sequence[str], log: Path, env: Optional[Mapping[str, str]] = None) -> list[str]:
    """run_step, and stop with the end of the output when it fails."""
    code, lines = run_step(title, command, log, env)
    if code:
        print("\n".join(lines[-40:]), file=sys.stderr)
        raise Stop(f"{title}: failed; the whole output is in {log}", 1)
    return lines


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns aligned by spaces; the first row is the heading."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)
