"""What is to be measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """How long, and at how many tables at a time."""

    seconds: float
    tables: tuple[int, ...]
