"""Parameters of a benchmark."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """Seconds per figure, and numbers of concurrent tables."""

    seconds: float
    tables: tuple[int, ...]
