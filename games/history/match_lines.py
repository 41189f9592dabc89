"""A match as lines of JSON: `Match`, an `Act` for every act, and `End`.

People are seat numbers in acts. Their names are only in `Match`. The functions need rows of a
match, its players and its acts, whether these are stored or not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Literal

from games.contract.data import Seat
from games.history.luck_record import fairness
from games.models import Act, Match, Player
from games.wire.wire import iso, to_text

Json = dict[str, Any]
Reader = Seat | Literal["gallery", "all"]
"""The view that the lines contain: that of one seat, of the gallery, or of everybody together."""


def match_lines(
    match: Match,
    players: Sequence[Player],
    acts: Iterable[Act],
    reader: Reader,
    programs: Collection[int] = (),
) -> Iterator[str]:
    """Yield the lines of a finished match, each with its newline.

    `players` are sorted by seat and `acts` by number. `programs` are the seats of programs.
    """
    for line in (
        match_line(match, players, programs),
        *(act_line(act, match, players, reader) for act in acts),
        end_line(match, players),
    ):
        yield f"{to_text(line)}\n"


def match_line(match: Match, players: Iterable[Player], programs: Collection[int] = ()) -> Json:
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
        "started": iso(match.started_at),
        "ended": iso(match.ended_at),
        "seats": [_seat(player, player.seat in programs) for player in players],
    }


def act_line(act: Act, match: Match, players: Sequence[Player], reader: Reader) -> Json:
    """Return an act as this reader may know it.

    Only the reader `all` gets the audiences and the draws. Moves are for their own seats as well.
    """
    is_all = reader == "all"
    held = isinstance(reader, Seat) and shows_secrets(match, players[reader], act.number)
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


def shows_secrets(match: Match, player: Player, version: int) -> bool:
    """Whether viewers who look through this seat see its secrets at this version.

    After the seat was given up, they do so only if all seats are revealed.
    """
    return match.revealed or player.held(version)


def end_line(match: Match, players: Iterable[Player]) -> Json:
    """Return how the match ended, with the data that verifies its random numbers."""
    places: dict[int, list[int]] = {}
    for player in players:
        if player.place is not None:
            places.setdefault(player.place, []).append(player.seat)
    return {
        "type": "End",
        "outcome": match.outcome,
        "fairness": fairness(match),
        "places": [places[place] for place in sorted(places)],
    }


def _seat(player: Player, is_program: bool) -> Json:
    return {
        "seat": player.seat,
        "name": player.name,
        "user": _account(player),
        "kind": "program" if is_program else _kind(player),
        "place": player.place,
        "points": player.points,
        "left": bool(player.gone) or player.substitute,
    }


def _account(player: Player) -> str | None:
    user = player.user
    return user.username if user is not None and user.is_active and not user.is_guest else None


def _kind(player: Player) -> str:
    """Return who played this seat at the end. A former player has left it to a bot, or has deleted
    the account.
    """
    if player.substitute or (player.user is None and not player.bot):
        return "former"
    return "bot" if player.bot else "person"
