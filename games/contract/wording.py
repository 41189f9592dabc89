"""The sentences of a game: one record of functions of what a viewer knows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from games.contract.core import V
from games.contract.data import Seat, Viewer
from games.contract.lesson import Moment
from games.contract.reasons import Reason
from games.contract.words import Fact, Text, _, won


def spelled(name: str) -> str:
    """The name of a move on the wire as words: `CallBluff` is "Call bluff"."""
    return re.sub(r"(?<=.)[A-Z]", lambda capital: f" {capital[0].lower()}", name)


NOTHING = Text("")
Hint = Callable[[V, Seat, str, Mapping[str, Any]], Text | None]


@dataclass(frozen=True, kw_only=True)
class Words(Generic[V]):
    """The sentences of a game. Functions of what a viewer knows; no language is chosen here."""

    tagline: Text = NOTHING
    """What the game is, in one sentence, for the list of games."""
    prompt: Callable[[V, Viewer], Text] = lambda view, viewer: _("The match is on.")
    """What is going on now, said to that viewer: who is asked reads the question, short, as it
    stands above the answers, with its key words marked (`Text`); the others read who is waited
    for."""
    event: Callable[[Any], Text | None] = lambda event: None
    """What an event says in the log, to those it is about as "you" (`Text.to`). None: it is not
    worth a line."""
    heading: Callable[[Any], Text | None] = lambda event: None
    """What stands above the line of an event that begins something: a round, a turn, an election.
    Only what everybody is told may begin something."""
    ending: Callable[[V, tuple[Seat, ...], str], Text] = lambda view, winners, reason: won(
        winners, _("the match is over.")
    )
    """Who wins and why, once it is over: of a view, the winners, and the reason of the outcome."""
    refusal: Callable[[str, Mapping[str, Fact]], Text] = lambda code, facts: _(
        "You can't do that now."
    )
    """Why a move was refused: code and facts of `Refused`."""
    move: Callable[[str], Text] = lambda name: Text(spelled(name))
    """The button of a move, by its name on the wire."""
    choice: Callable[[V, str, str, Any], Text | None] = lambda view, move, argument, value: None
    """What a choice of an argument means to who sees it (`card 0`: "the hound"); None: a term."""
    hint: Hint[V] = lambda view, seat, move, args: None
    """What a move of this seat risks or brings, in a few words for its button. `args` are those
    there is no choice about; for a choice, that choice as well. It tells no secret."""
    explain: Callable[[Moment], Text | None] = lambda now: None
    """What somebody new to the game is told at this moment, in one or two short sentences: what is
    true, what a claim risks, why a button is grey. From what the seat sees and is offered alone."""
    truth: Callable[[V, str, Mapping[str, Any]], bool] = lambda view, move, args: False
    """Whether what this move says is so, for the one who may say it and sees this view. It is
    shown to nobody else. `args` are as for `hint`."""
    reason: Callable[[Seat, Reason], Text | None] = lambda seat, reason: None
    """Why the bot in this seat did what it did, once the match is over."""
    undrawn: frozenset[str] = frozenset()
    """Moves and options that are for programs alone; pages draw no button or field for them."""
    terms: Mapping[str, Text] = field(default_factory=dict)
    """Words for names of fields, arguments and choices (`faceUp`, `hound`, `username`)."""
