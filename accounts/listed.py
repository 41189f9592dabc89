"""Accounts as lists show them."""

from __future__ import annotations

from typing import NamedTuple


class Account(NamedTuple):
    """An account in a list. It is cheaper than a model instance."""

    pk: int
    username: str
    name: str
    face: str

    def __str__(self) -> str:
        return self.name or self.username
