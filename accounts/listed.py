"""Accounts as lists show them."""

from __future__ import annotations

from typing import NamedTuple


class Account(NamedTuple):
    """What lists show of an account. Long lists of model instances would be expensive."""

    pk: int
    username: str
    name: str
    face: str

    def __str__(self) -> str:
        return self.name or self.username
