"""Who plays, from who sits after the viewer round to the viewer: each seat an item of its own."""

from __future__ import annotations

from django.utils.translation import get_language

from games.regions import forms, people
from games.regions.beats import bubbles
from games.regions.region import Region
from games.rules.data import Seat
from games.tables.serializers import players_data, view_of
from games.tables.table import Json, Table

ROUND = 5
"""So many chairs stand at a table, where its game has as many."""


def region(table: Table, user_id: int) -> Region:
    """The seats. One that has changed is drawn and sent by itself."""
    member = table.member(user_id)
    is_host = member is not None and table.is_host(member)
    own = member.name if member is not None else None
    seats = _seats(table, is_host)
    at = next((i for i, (player, _) in enumerate(seats) if player == own), -1)
    if at >= 0:
        mine = seats[at][1]
        mine = Region(mine.id, mine.template, {"seat": {**mine.part["seat"], "you": True}})
        seats = [*seats[:at], (own, mine), *seats[at + 1 :]]
    items = tuple(item for _, item in seats[at + 1 :] + seats[: at + 1])
    free = {"chairs": _chairs(table, len(items)), "host": is_host}
    return Region("seats", "seats", free, items)


def _chairs(table: Table, taken: int) -> int:
    """How many free chairs are drawn while somebody can sit down."""
    if table.playing or not table.policy.may_sit(table.room):
        return 0
    least, most = table.game.seats
    return max(0, min(most, max(least, ROUND, taken + 1)) - taken)


def _seats(table: Table, for_host: bool) -> list[tuple[str | None, Region]]:
    """Everybody's seat as it is for those it does not belong to, with the name of who has it."""
    key = ("seats", for_host, get_language())
    if key not in table.made:
        table.made[key] = list(_drawn(table, for_host))
    known: list[tuple[str | None, Region]] = table.made[key]
    return known


def _drawn(table: Table, for_host: bool) -> list[tuple[str | None, Region]]:
    turn, names = table.turn, table.names
    on_turn = names[turn.seat] if turn and turn.seat is not None else None
    up_next = names[turn.next] if turn and turn.next is not None else None
    said = bubbles(table)
    waiting = {names[at] for at in table.awaited}
    sheets = {m.name: m.pk for m in table.members if people.leads_anywhere(m, for_host)}
    players = [p for p in players_data(table) if not p["isSpectator"] or p["seat"] is not None]
    return [
        (
            player["username"],
            Region(
                f"seat-{at}",
                "seat",
                {
                    "seat": _seat(table, player)
                    | {
                        "turn": player["username"] == on_turn,
                        "next": player["username"] == up_next,
                        "awaited": player["username"] in waiting,
                        "said": said.get(player["username"], ""),
                        "sheet": sheets.get(player["username"]),
                    }
                },
            ),
        )
        for at, player in enumerate(players)
    ]


def _seat(table: Table, player: Json) -> Json:
    return {
        "name": player["username"],
        "facts": forms.facts_of(player) | _at_seat(table, player["seat"]),
        "out": player["isSpectator"],
        "away": not player["connected"],
        "bot": player["isBot"],
        "you": False,
    }


def _at_seat(table: Table, seat: Seat | None) -> Json:
    """What the game lays at a seat for everybody to see."""
    match = table.match
    if match is None or seat is None or match.game.at_seat is None:
        return {}
    return dict(match.game.at_seat(view_of(table, match, None), seat))
