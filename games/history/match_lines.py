"""A match as lines of JSON: `Match`, an `Act` for every act, and `End`.

People are seat numbers in acts. Their names are only in `Match`. The functions need rows of a
match, its players and its acts, whether these are stored or not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from games.contract.data import Seat
from games.history.luck_record import fairness
from games.models import Act, Match, Player
from games.models.matches import held_at
from games.wire.wire import iso, to_text

Json = dict[str, Any]
Reader = Seat | Literal["gallery", "all"]
"""The view that the lines contain: that of one seat, of the gallery, or of everybody together."""


class Seated(NamedTuple):
    """A seat of a finished match. Lists read many of them, so they are no instances of a model."""

    seat: int
    name: str
    bot: str
    substitute: bool
    gone: str
    gone_at: int | None
    place: int | None
    points: int | None
    account: str | None
    """User name of the account that holds the seat."""
    has_owner: bool
    is_program: bool

    @property
    def kind(self) -> str:
        """Who played this seat at the end. A former player has left it to a bot, or has deleted the
        account.
        """
        if self.is_program:
            return "program"
        if self.substitute or not (self.has_owner or self.bot):
            return "former"
        return "bot" if self.bot else "person"

    def held(self, version: int) -> bool:
        """Whether the owner held this seat at the act of this version."""
        return held_at(self.gone, self.gone_at, version)


def seats_of(players: Iterable[Player], programs: Collection[int] = ()) -> list[Seated]:
    """Return the seats of these players. `programs` are the seats of programs."""
    return [
        Seated(
            *(one.seat, one.name, one.bot, one.substitute, one.gone, one.gone_at),
            *(one.place, one.points, None, one.user_id is not None, one.seat in programs),
        )
        for one in players
    ]


def match_lines(
    match: Match, seats: Sequence[Seated], acts: Iterable[Act], reader: Reader
) -> Iterator[str]:
    """Yield the lines of a finished match, each with its newline.

    `seats` are in order, and `acts` are sorted by number.
    """
    for line in (
        match_line(match, seats),
        *(act_line(act, match, seats, reader) for act in acts),
        end_line(match, seats),
    ):
        yield f"{to_text(line)}\n"


def match_line(match: Match, seats: Iterable[Seated]) -> Json:
    """Return what was known before the match, and how every seat ended."""
    return {
        "type": "Match",
        "id": match.pk,
        "no": match.no,
        "revision": match.revision,
        "game": match.game,
        "gameVersion": match.game_version,
        "options": match.options,
        "rated": match.rated,
        "lesson": match.lesson,
        "pruned": match.pruned,
        "started": iso(match.started_at),
        "ended": iso(match.ended_at),
        "seats": [
            {
                "seat": one.seat,
                "name": one.name,
                "user": one.account,
                "kind": one.kind,
                "place": one.place,
                "points": one.points,
                "left": bool(one.gone) or one.substitute,
            }
            for one in seats
        ],
    }


def act_line(act: Act, match: Match, seats: Sequence[Seated], reader: Reader) -> Json:
    """Return an act as this reader may know it.

    Only the reader `all` gets the audiences and the draws. Moves are for their own seats as well.
    """
    is_all = reader == "all"
    held = isinstance(reader, Seat) and shows_secrets(match, seats[reader], act.number)
    told = [
        one for one in act.told if is_all or one["to"] is None or (held and reader in one["to"])
    ]
    line: Json = {
        "type": "Act",
        "version": act.number,
        "t": round((act.at - match.started_at).total_seconds(), 1),
        "kind": act.kind,
        "by": act.by,
        "seat": act.seat,
    }
    if act.move is not None and (is_all or (held and act.seat == reader)):
        line["move"] = act.move
    line["events"] = [one["event"] for one in told]
    if is_all:
        line |= {"to": [one["to"] for one in told], "draws": act.draws}
    return line


def shows_secrets(match: Match, player: Player | Seated, version: int) -> bool:
    """Whether viewers who look through this seat see its secrets at this version.

    After the seat was given up, they do so only if all seats are revealed.
    """
    return match.revealed or player.held(version)


def end_line(match: Match, seats: Sequence[Seated]) -> Json:
    """Return how the match ended, with the data that verifies its random numbers."""
    places: dict[int, list[int]] = {}
    for one in seats:
        if one.place is not None:
            places.setdefault(one.place, []).append(one.seat)
    return {
        "type": "End",
        "outcome": match.outcome,
        "fairness": _fairness(match, seats),
        "places": [places[place] for place in sorted(places)],
    }


def _fairness(match: Match, seats: Sequence[Seated]) -> Json:
    """Return what the seed is made of. Only the first line has names."""
    found = fairness(match, [one.name for one in seats])
    for one in found.get("seats", ()):
        del one["username"]
    return found
