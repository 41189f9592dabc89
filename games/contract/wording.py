"""The texts of a game, as functions of what a viewer knows."""

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
    """Return the wire name of a move as words: `CallBluff` is "Call bluff"."""
    return re.sub(r"(?<=.)[A-Z]", lambda capital: f" {capital[0].lower()}", name)


NOTHING = Text("")
Hint = Callable[[V, Seat, str, Mapping[str, Any]], Text | None]


@dataclass(frozen=True, kw_only=True)
class Words(Generic[V]):
    """The texts of a game, as functions of what a viewer knows. They are translated later."""

    tagline: Text = NOTHING
    """The game in one sentence, for the list of games."""
    prompt: Callable[[V, Viewer], Text] = lambda view, viewer: _("The match is on.")
    """Returns what is happening now. Players who are asked read a short question, shown above the
    answers, with its key words marked (`Text`). All others read who is awaited.
    """
    event: Callable[[Any], Text | None] = lambda event: None
    """Returns the line of an event in the log, or None for no line.

    The line addresses the players it is about as "you" (`Text.to`).
    """
    heading: Callable[[Any], Text | None] = lambda event: None
    """Returns the heading above an event that begins something: a round, a turn, an election. Only
    public events may have one."""
    ending: Callable[[V, tuple[Seat, ...], str], Text] = lambda view, winners, reason: won(
        winners, _("the match is over.")
    )
    """Returns who wins and why, from a view, the winners and the reason of the outcome."""
    refusal: Callable[[str, Mapping[str, Fact]], Text] = lambda code, facts: _(
        "You can't do that now."
    )
    """Returns why a move was refused, from the code and facts of `Refused`."""
    move: Callable[[str], Text] = lambda name: Text(spelled(name))
    """Returns the label of a move's button, by its wire name."""
    choice: Callable[[V, str, str, Any], Text | None] = lambda view, move, argument, value: None
    """Returns the label of an argument's choice for this view (`card 0`: "the hound").

    If it returns None, `terms` is used.
    """
    hint: Hint[V] = lambda view, seat, move, args: None
    """Returns the risk or benefit of a move of this seat, in a few words for its button.

    `args` are the arguments that leave no choice and, for the button of a choice, that choice as
    well. The text must not reveal a secret.
    """
    explain: Callable[[Moment], Text | None] = lambda now: None
    """Returns an explanation for newcomers at this moment, in one or two short sentences. Examples:
    what is true, what a claim risks, why a button is disabled.
    """
    truth: Callable[[V, str, Mapping[str, Any]], bool] = lambda view, move, args: False
    """Returns whether the claim made by this move is true, given the player's own view.

    The result is shown only to that player. `args` are as for `hint`.
    """
    reason: Callable[[Seat, Reason], Text | None] = lambda seat, reason: None
    """Returns the explanation of a bot's decision. It is shown after the match."""
    undrawn: frozenset[str] = frozenset()
    """Moves and options that only programs use. Pages have no button or field for them."""
    terms: Mapping[str, Text] = field(default_factory=dict)
    """Labels for names of fields, arguments and choices (`faceUp`, `hound`, `username`)."""
