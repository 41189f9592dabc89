"""The lists of a table page: the log and the chat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from chat.models import Message
from games.contract.data import Seat, Viewer
from games.contract.words import Text, _
from games.engine.mixed import code_of_match
from games.engine.told import ToldAct
from games.pages.quick import as_read
from games.pages.region import Region
from games.pages.viewpoint import Viewpoint
from games.tables.sentences import concerned, emphasized, say
from games.tables.serializers import message_data
from games.tables.table import Json, Table, per_table

LATE = _("Time's up.")
HURRIED = _("60 seconds left to answer.")
MORE_TIME = _("%(who)s takes more time.")
UNHURRIED = _("No clock in your first two matches. Take your time.")
LUCK = _("Luck code **%(code)s**. Everyone at the table should see the same one.")
LEFT = _("%(who)s has left.")
REMOVED = _("%(who)s was removed from the table.")
TOOK_OVER = _("%(who)s plays on for %(owner)s.")


class Line(NamedTuple):
    """A sentence of the log, and the seats that may read it. None means everybody."""

    text: Text
    to: tuple[Seat, ...] | None
    heading: Text | None = None
    """Heading above the sentence."""


def log_region(table: Table, acts: tuple[ToldAct, ...], viewpoint: Viewpoint) -> Region:
    """Return this viewer's log lines of these acts. Acts of other matches are left out.

    Viewers without a separate text share one region.
    """
    _, apart = _log(table, acts)
    return _region(
        table, acts, viewpoint.seat if viewpoint.seat in apart else None, viewpoint.language
    )


@per_table
def _region(table: Table, acts: tuple[ToldAct, ...], seat: Viewer, language: str) -> Region:
    lines, _ = _log(table, acts)
    return Region("log-lines", "log", {"lines": _said(table, lines, seat, language)})


@per_table
def _log(table: Table, acts: tuple[ToldAct, ...]) -> tuple[list[Line], frozenset[Seat]]:
    """Return the log lines of these acts, and the seats whose lines differ from everybody else's:
    those that read a private line or a different text.
    """
    lines = list(_lines(table, acts))
    apart = (concerned((line.text, line.heading or "")).union(line.to or ()) for line in lines)
    return lines, frozenset().union(*apart)


def log_lines(table: Table, acts: Sequence[ToldAct], seat: Viewer) -> list[Json]:
    """Return the events of these acts as sentences.

    Mark sentences that only this viewer may read.
    """
    return _said(table, list(_lines(table, acts)), seat, None)


def _lines(table: Table, acts: Sequence[ToldAct]) -> Iterator[Line]:
    for act in acts:
        if act.match_id != table.match_id or table.match is None:
            continue
        if act.kind == "lapse" and act.told:
            yield Line(LATE, None)
        if act.kind == "nudge":
            slower = None if act.seat is None else MORE_TIME.of(who=Seat(act.seat))
            yield Line(slower or HURRIED, None)
        if act.kind == "setup" and table.match.is_unhurried:
            yield Line(UNHURRIED, None)
        if act.kind == "setup" and (code := code_of_match(table.match.row)):
            yield Line(LUCK.of(code=code), None)
        if act.kind == "leave" and act.seat is not None:
            player = table.match.players[act.seat]
            removed = (player.gone, player.gone_at) == ("kicked", act.version)
            yield Line((REMOVED if removed else LEFT).of(who=Seat(act.seat)), None)
        if act.kind == "join" and act.seat is not None and (owner := _owner(table, act)):
            yield Line(TOOK_OVER.of(who=Seat(act.seat), owner=owner), None)
        for _plain, to, event in act.told:
            if (text := table.words.event(event)) is not None:
                seats = None if to is None else tuple(map(Seat, to))
                yield Line(text, seats, table.words.heading(event))


def _owner(table: Table, act: ToldAct) -> str:
    """If this act gave a seat away, return the name of the seat's former owner, else ""."""
    assert table.match is not None
    assert act.seat is not None
    player = table.match.players[act.seat]
    if player.given_at != act.version or player.owner_before_id is None:
        return ""
    people = (*table.members, *table.gone)
    if not people:  # the page of a finished match has no members
        return str(player.owner_before)
    known = (member.name for member in people if member.user_id == player.owner_before_id)
    return next(known, "")


def _said(table: Table, lines: Iterable[Line], seat: Viewer, language: str | None) -> list[Json]:
    names = table.spoken_names
    return [
        {
            "heading": say(line.heading, names, language, seat) if line.heading else "",
            "who": table.names[who] if (who := _subject(line.text)) is not None else "",
            "text": emphasized(line.text, names, language, seat),
            "private": line.to is not None,
            "luck": line.text.id == LUCK.id,
        }
        for line in lines
        if line.to is None or seat in line.to
    ]


def _subject(text: Text) -> Viewer:
    """Return the seat whose face is shown before a sentence: the first seat it names."""
    named = (_subject(one) if isinstance(one, Text) else one for one in text.facts.values())
    return next((one for one in named if isinstance(one, Seat)), None)


def chat_region(table: Table, messages: Iterable[Message], user_id: int) -> Region:
    """Return the chat region with these messages. The viewer must be allowed to read all of
    them.
    """
    said = [_message(table, message, user_id) for message in messages]
    return Region("chat-lines", "chat", {"messages": said})


def _message(table: Table, message: Message, user_id: int) -> Json:
    data = message_data(table, message)
    del data["player"]
    mine = message.author_id == user_id
    data["message"] = as_read(data["message"])
    return {**data, "id": message.pk, "name": message.name, "mine": mine}
