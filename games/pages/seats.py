"""The seats, in order and starting after the viewer. Each seat is an item of the region."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext
from markupsafe import Markup

from games.contract.data import Seat
from games.pages import bots, people
from games.pages.beats import Bubble, bubbles, moods
from games.pages.names import face_at, fitted
from games.pages.players import at_the_table, dealt, facts_of
from games.pages.region import Region
from games.pages.viewpoint import Viewpoint
from games.tables.table import Json, Table, per_loading, per_table
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


def region(table: Table, viewpoint: Viewpoint) -> Region:
    """Return the region of the seats. A changed seat is rendered and sent on its own."""
    taken = _taken(table, viewpoint.language)
    seats = _seats(table, viewpoint.is_host, viewpoint.is_screen, viewpoint.language)
    names = [one.player.username for one in taken]
    own = names.index(viewpoint.name) if viewpoint.name in names else -1
    if own >= 0:
        mine = _seat(
            table, taken[own], viewpoint.is_host, viewpoint.is_screen, viewpoint.language, you=True
        )
        seats = (*seats[own + 1 :], *seats[:own], mine)
    part = {
        "chairs": 0 if table.match is not None else _chairs(table, len(taken)),
        "host": viewpoint.is_host,
        "in_one_row": table.game.web.in_one_row,
    }
    return table.reuse(
        ("seats", own, viewpoint.is_host, viewpoint.is_screen, viewpoint.language),
        (seats, part),
        lambda: Region("seats", "seats", part, seats),
    )


@per_table
def _seats(table: Table, host: bool, screen: bool, language: str) -> tuple[Region, ...]:
    """Return all seats as seen by somebody else than their owner."""
    taken = _taken(table, language)
    return tuple(_seat(table, one, host, screen, language, you=False) for one in taken)


def _chairs(table: Table, taken: int) -> int:
    """Return the number of free chairs to draw while users can still sit down."""
    if not table.policy.may_sit(table.room):
        return 0
    most = table.game.seats[1]
    return max(0, min(most, max(ROUND, taken + 1)) - taken)


@per_table
def _taken(table: Table, language: str) -> tuple[Taken, ...]:
    turn, names = table.turn, table.names
    on_turn = names[turn.seat] if turn and turn.seat is not None else None
    up_next = names[turn.next] if turn and turn.next is not None else None
    said, chatter = bubbles(table, language), bots.chatter(table, language)
    faces, looking = moods(table), dealt(table)
    waiting = {names[at] for at in table.awaited}
    roles = {} if table.match is not None or table.playing else _parts(table)
    taken = []
    for at, player in _around(table):
        name = player.username
        mood = "out" if player.is_spectator else faces.get(name, "")
        looked = {} if looking is None else {"looked": name not in looking["reading"]}
        one = Taken(
            at=at,
            player=player,
            picture=face_at(table, name, player.is_bot) + (f"#{mood}" if mood else ""),
            label=fitted(table, name),
            laid=(_laid(table, player.seat) if table.game.web.at_seat else {}) | looked,
            turn=name == on_turn,
            next=name == up_next,
            awaited=name in waiting,
            bubble=said.get(name),
            chatter="" if name in said else chatter.get(name, ""),
            part=roles.get(name, ""),
        )
        taken.append(one)
    return tuple(taken)


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
    return dict(match.game.web.at_seat(view_of(table, None), Seat(seat)))


def _seat(table: Table, taken: Taken, host: bool, screen: bool, language: str, you: bool) -> Region:
    """Return a seat as seen by its owner (`you`) or by everybody else."""
    sheet = None if screen else _sheets(table, host).get(taken.player.username)
    key = ("seat", taken.at, sheet, you, language)
    return table.reuse(key, taken, lambda: _new_seat(table, taken, sheet, you))


def _new_seat(table: Table, taken: Taken, sheet: int | None, you: bool) -> Region:
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
    # The facts are a region of their own, because few acts change them.
    piece = table.reuse(
        ("facts", taken.at), (facts,), lambda: Region("", "facts", {"facts": facts})
    )
    pieces = {"facts": piece} if facts else {}
    return Region(f"seat-{taken.at}", "seat", {"seat": seat}, pieces=pieces)


@per_loading
def _sheets(table: Table, for_host: bool) -> dict[str, int]:
    """Return the ids of the members whose seats open a sheet, by name."""
    return {m.name: m.pk for m in table.members if people.leads_anywhere(m, for_host)}
