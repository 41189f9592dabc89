"""Findings of checks: ok, warning or error, with advice on what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Literal

Level = Literal["ok", "warning", "error"]
Look = Callable[[], Iterator["Finding"]]


@dataclass(frozen=True)
class Finding:
    """The result of a check."""

    level: Level
    about: str
    said: str
    do: str = ""
    """Advice, or "" if there is nothing to do."""

    def as_json(self) -> dict[str, str]:
        return asdict(self)


def ok(about: str, said: str) -> Finding:
    return Finding("ok", about, said)


def warning(about: str, said: str, do: str) -> Finding:
    return Finding("warning", about, said, do)


def error(about: str, said: str, do: str) -> Finding:
    return Finding("error", about, said, do)


def of(look: Look, about: str) -> list[Finding]:
    """Run a check. Report an exception as an error, so that the other checks still run."""
    found: list[Finding] = []
    try:
        found.extend(look())
    except Exception as failed:
        said = f"The check failed: {type(failed).__name__}: {failed}".splitlines()[0]
        found.append(error(about, said, "Fix this error, then run the check again."))
    return found
