"""Programs of authors in the workbench: a Python file, or a command in any language."""

from __future__ import annotations

import asyncio
import json
import shlex
import signal
import subprocess
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any, Protocol, cast

from accounts.isolation import escaped
from parlour_client import Decision, Json, Misused, Move
from parlour_client.bot_file import bot_in
from parlour_client.faults import Answer, NotOffered, check

NO_ALARM = not hasattr(signal, "SIGALRM")
"""Whether this system cannot interrupt a program that hangs (Windows)."""


class CannotRun(Exception):
    """The program cannot be started. The message says why."""


class HasEnded(Exception):
    """The command has ended in the middle of a match. The message says how."""


class Hangs(BaseException):
    """The program has not answered in time. Its own `except Exception` does not catch this."""


class Author(Protocol):
    """A program under test. `name` is how it is called at the table."""

    name: str
    path: str

    def answer(self, decision: Decision, packets: Sequence[str]) -> Answer:
        """Return the answer to a question. `packets` are those since the last one, as JSON.

        Raise NotOffered if the answer is not legal, and any exception of the program.
        """

    def end(self, packets: Sequence[str]) -> None:
        """Send the last packets of a match."""

    def close(self) -> None:
        """Stop the program."""


class FileAuthor:
    """The function `bot` of a Python file."""

    def __init__(self, path: str) -> None:
        self.path, self.name = str(Path(path).resolve()), escaped(Path(path).stem)[:20]
        try:
            self._bot = bot_in(path)
        except Misused as error:
            raise CannotRun(str(error)) from None
        self._loop = asyncio.new_event_loop()

    def answer(self, decision: Decision, packets: Sequence[str]) -> Answer:
        answer: Any = self._bot(decision)
        if isinstance(answer, Awaitable):
            answer = self._loop.run_until_complete(answer)
        return check(answer, decision)

    def end(self, packets: Sequence[str]) -> None:
        pass

    def close(self) -> None:
        self._loop.close()


class CommandAuthor:
    """A command that reads packets as lines of JSON and writes one line for every question."""

    path = ""

    def __init__(self, command: str) -> None:
        self.name, self._command = "program", command
        try:
            self._process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except (OSError, ValueError, IndexError) as error:
            why = getattr(error, "strerror", None) or error
            raise CannotRun(f"The command {command!r} cannot be started: {why}.") from None

    def answer(self, decision: Decision, packets: Sequence[str]) -> Answer:
        assert self._process.stdout is not None
        self._write(packets)
        line = self._process.stdout.readline()
        if not line:
            self._has_ended()
        return check(_read(line), decision)

    def end(self, packets: Sequence[str]) -> None:
        self._write(packets)

    def close(self) -> None:
        self._process.kill()
        with suppress(OSError), self._process:  # it may have left input unread
            pass

    def _write(self, packets: Sequence[str]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{one}\n" for one in packets).encode())
            self._process.stdin.flush()
        except OSError:
            self._has_ended()

    def _has_ended(self) -> None:
        code = self._process.wait()
        how = f"was killed by signal {-code}" if code < 0 else f"has ended with exit code {code}"
        raise HasEnded(f"The command {self._command!r} {how} instead of answering.")


@contextmanager
def interrupting() -> Iterator[None]:
    """Let `limited` interrupt programs that hang. Restore a running alarm afterwards."""
    if NO_ALARM:
        yield
        return
    known, left = signal.signal(signal.SIGALRM, _interrupt), signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, known)
        signal.setitimer(signal.ITIMER_REAL, *left)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise Hangs where the program is after this time. Works only within `interrupting`."""
    if NO_ALARM:
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Hangs("no answer in time")


def _read(line: bytes) -> Answer:
    """Return the move in a line, or None for `null`. Raise NotOffered if it is neither."""
    try:
        found = json.loads(line)
    except ValueError:
        found = line
    match found:
        case None:
            return None
        case {"type": str(name), **args}:
            args.pop("prompt", None)
            args.pop("id", None)
            return Move(name, cast(Json, args))
    said = line.decode(errors="replace").strip()[:200]
    raise NotOffered(
        f"The program answered {said!r}. An answer is a line such as"
        ' {"type": "Roll"}, or null. Other output belongs on stderr.'
    )
