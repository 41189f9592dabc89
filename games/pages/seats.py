"""The seats, in order and starting after the viewer. Each seat is an item of the region."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import gettext
from markupsafe import Markup

from games.contract.beats import Mood
from games.contract.data import Seat
from games.pages import bots, people
from games.pages.beats import Bubble, bubbles, moods
from games.pages.names import face_at, fitted
from games.pages.players import at_the_table, dealt, facts_of
from games.pages.region import Region, kept, once
from games.pages.viewpoint import Viewpoint
from games.tables.table import Json, Table
from games.tables.views import view_of
from games.wire import parts

ROUND = 10
"""Maximum chairs drawn around a table."""


class Taken(NamedTuple):
    """The part of a seat's data that is the same for all viewers."""

    at: int
    player: parts.Player
    picture: str
    label: Markup
    """The name, shortened to the width of a seat but still distinct."""
    laid: Json
    """The game's public facts of the seat."""
    turn: bool
    next: bool
    awaited: bool
    bubble: Bubble | None
    chatter: str
    """A bot's small talk."""
    part: str
    """The mark of the host or a bot's level, shown before a match."""


def region(table: Table, eyes: Viewpoint) -> Region:
    """Return the region of the seats. A changed seat is rendered and sent on its own."""
    taken = once(table, ("taken", eyes.language), lambda: tuple(_taken(table, eyes.language)))
    key = ("seats", eyes.is_host, eyes.is_screen, eyes.language)
    seats = once(table, key, lambda: tuple(_seat(table, one, eyes, False) for one in taken))
    places = once(table, "places", lambda: {o.player.username: at for at, o in enumerate(taken)})
    own = places.get(eyes.name, -1) if eyes.name is not None else -1
    if own >= 0:
        mine = _seat(table, taken[own], eyes, you=True)
        seats = (*seats[own + 1 :], *seats[:own], mine)
    free = once(table, "chairs", lambda: _chairs(table, len(taken)))

    in_one_row = table.game.web.in_one_row

    def made() -> Region:
        part = {"chairs": free, "host": eyes.is_host, "in_one_row": in_one_row}
        return Region("seats", "seats", part, seats)

    return kept(table, (*key, own), (seats, free, in_one_row), made)


def _chairs(table: Table, taken: int) -> int:
    """Return the number of free chairs to draw while users can still sit down."""
    if table.match is not None or not table.policy.may_sit(table.room):
        return 0
    most = table.game.seats[1]
    return max(0, min(most, max(ROUND, taken + 1)) - taken)


def _taken(table: Table, language: str) -> Iterator[Taken]:
    turn, names = table.turn, table.names
    on_turn = names[turn.seat] if turn and turn.seat is not None else None
    up_next = names[turn.next] if turn and turn.next is not None else None
    said, chatter = bubbles(table, language), bots.chatter(table, language)
    faces = moods(table)
    waiting = {names[at] for at in table.awaited}
    roles = {} if table.match is not None or table.playing else _parts(table)
    for at, player in _around(table):
        name = player.username
        yield Taken(
            at=at,
            player=player,
            picture=face_at(table, name, player.is_bot) + _view(player, faces.get(name, "")),
            label=fitted(table, name),
            laid=_laid(table, player.seat) | _looked(table, name),
            turn=name == on_turn,
            next=name == up_next,
            awaited=name in waiting,
            bubble=said.get(name),
            chatter="" if name in said else chatter.get(name, ""),
            part=roles.get(name, ""),
        )


def _view(player: parts.Player, mood: Mood) -> str:
    """Return the fragment of a picture's URL that selects the mood of the face."""
    view = "out" if player.is_spectator else mood
    return f"#{view}" if view else ""


def _around(table: Table) -> list[tuple[int, parts.Player]]:
    """Return the members with a chair, in the order around the table, each with its index."""
    found, match = list(enumerate(at_the_table(table))), table.match
    if match is None:
        return found
    order: dict[int | None, int] = {
        seat: at for at, seat in enumerate(match.game.rules.seating(match.state))
    }
    return sorted(found, key=lambda one: order.get(one[1].seat, len(order)))


def _parts(table: Table) -> dict[str, str]:
    host = {table.host: gettext("host")} if table.host is not None else {}
    return host | {m.name: bots.level(m) for m in table.members if m.bot}


def _laid(table: Table, seat: int | None) -> Json:
    match = table.match
    if match is None or seat is None or match.game.web.at_seat is None:
        return {}
    return dict(match.game.web.at_seat(view_of(table, match, None), Seat(seat)))


def _looked(table: Table, name: str) -> Json:
    """Return `looked` (whether this player looked at the deal), or {} outside the time to look."""
    looking = dealt(table)
    return {} if looking is None else {"looked": name not in looking["reading"]}


def _seat(table: Table, taken: Taken, eyes: Viewpoint, you: bool) -> Region:
    """Return a seat as seen by its owner (`you`) or by everybody else."""
    sheets = kept(table, ("sheets", eyes.is_host), (), lambda: _sheets(table, eyes.is_host))
    sheet = None if eyes.is_screen else sheets.get(taken.player.username)
    key = ("seat", taken.at, sheet, you, eyes.language)
    return kept(table, key, taken, lambda: _anew(table, taken, sheet, you))


def _anew(table: Table, taken: Taken, sheet: int | None, you: bool) -> Region:
    player = taken.player
    facts = facts_of(table, player) | taken.laid
    seat = {
        "name": player.username,
        "picture": taken.picture,
        "label": taken.label,
        "facts": facts,
        "out": player.is_spectator,
        "away": not player.connected,
        "bot": player.is_bot,
        "you": you,
        "turn": taken.turn,
        "next": taken.next,
        "awaited": taken.awaited,
        "bubble": taken.bubble,
        "chatter": taken.chatter,
        "part": taken.part,
        "sheet": sheet,
    }
    pieces = {"facts": _facts(table, taken.at, facts)} if facts else {}
    return Region(f"seat-{taken.at}", "seat", {"seat": seat}, pieces=pieces)


def _facts(table: Table, at: int, facts: Json) -> Region:
    """Return the game's facts about a seat, cached because few acts change them."""

    def made() -> Region:
        return Region("", "facts", {"facts": facts})

    return kept(table, ("facts", at), (facts,), made)


def _sheets(table: Table, for_host: bool) -> dict[str, int]:
    """Return the ids of the members whose seats open a sheet, by name."""
    return {m.name: m.pk for m in table.members if people.leads_anywhere(m, for_host)}
