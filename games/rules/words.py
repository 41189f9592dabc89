"""Sentences before they are translated: message ids and facts. No language is chosen here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from msgspec import UNSET, UnsetType

from games.rules.data import Seat, Viewer

V = TypeVar("V")


@dataclass(frozen=True)
class Text:
    """A sentence to be translated outside: a message id with `%(name)s` places, and its facts.

    With `plural`, `count` chooses between `id` and `plural` as gettext does.
    """

    id: str
    facts: Mapping[str, Fact] = field(default_factory=dict)
    plural: str = ""
    count: int = 0


Fact = Seat | str | int | Text | tuple["Fact", ...]


def _(message: str, **facts: Fact) -> Text:
    """A Text; named so that gettext's tools find its message."""
    return Text(message, facts)


def ngettext(singular: str, plural: str, count: int, **facts: Fact) -> Text:
    """A Text with two forms, chosen by `count`; `%(count)s` is filled with it."""
    return Text(singular, {"count": count, **facts}, plural, count)


def unasked(auto: str | UnsetType, who: Fact, what: Text) -> Text:
    """What a move says in the log, with the reason where no hand made it (`core.Echo`)."""
    if auto is UNSET:
        return what
    if auto == "clock":
        return _("%(who)s did not answer in time: %(what)s", who=who, what=what)
    return _("%(who)s is away: %(what)s", who=who, what=what)


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """A piece of a game's rules as people read them."""

    text: Text
    parts: tuple[str, ...] = ()
    """The phases during which it is lit up at the table."""
    listed: bool = False
    """Whether it is an entry of a list."""


@dataclass(frozen=True, kw_only=True)
class Words(Generic[V]):
    """The sentences of a game. Functions of what a viewer knows; no language is chosen here."""

    tagline: Text
    """What the game is, in one sentence, for the list of games."""
    prompt: Callable[[V, Viewer], Text]
    """What is going on now and whom we wait for, said to that viewer."""
    event: Callable[[Any], Text]
    """What an event says in the log."""
    refusal: Callable[[str, Mapping[str, Fact]], Text]
    """Why a move was refused: code and facts of `Refused`."""
    move: Callable[[str], Text]
    """The button of a move, by its name on the wire."""
    choice: Callable[[V, str, str, Any], Text | None] = lambda view, move, argument, value: None
    """What a choice of an argument means to who sees it (`card 0`: "the hound"); None: a term."""
    undrawn: frozenset[str] = frozenset()
    """Moves that are for programs alone; pages draw no button for them."""
    terms: Mapping[str, Text]
    """Words for names of fields, arguments and choices (`faceUp`, `hound`, `username`)."""
