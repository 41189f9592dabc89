"""Claims in the chat: true or false statements about what a player held."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import msgspec

from chat import messages
from chat.models import Message
from games.contract.core import Claim, ClaimMade, Ignored, Refused
from games.contract.data import Seat, Viewer
from games.engine import talk, timing
from games.engine.snapshots import MatchSnapshot, load_snapshot
from games.engine.writer import move_command
from games.models import Room
from games.rooms import members
from games.rooms.table_pause import row_of, store_times

Json = dict[str, Any]


def asserted(match: MatchSnapshot, seat: Seat, kind: str, values: Sequence[str]) -> Json:
    """Return a claim in its stored form.

    Raise Refused with code `not_your_hand`, `bad_claim` or `already_claimed`.
    """
    claim = next((claim for claim in claims(match, seat) if claim.kind == kind), None)
    if claim is None:
        raise Refused("not_your_hand")
    if not claim.allows(values):
        raise Refused("bad_claim", size=claim.size, values=", ".join(claim.values))
    if claim not in unsaid(match, seat, claims_in(match)):
        raise Refused("already_claimed")
    assert match.game.rules.claims is not None
    claimed: Any = match.game.rules.claims.claimed
    plain: Json = msgspec.to_builtins(claimed(kind, claim.about, tuple(values)))
    return plain


@move_command
def bot_claim(match_id: int, key: str, values: Sequence[str] | None) -> None:
    """Post a bot's claim. If `values` is None, record that the bot makes no claim. Later calls are
    ignored.

    Raise Ignored if no claim is planned, or if the match is over or paused.
    """
    match = load_snapshot(match_id)
    if match.over or match.row.paused is not None or match.row.talks.get(key) is None:
        raise Ignored
    row, claim = row_of(match), planned(match, key)
    row.talks = {**row.talks, key: None}
    row.wake_at = timing.wake_at(row)
    store_times(row)
    if claim is None or values is None:
        return
    seat, on_offer = claim
    said = asserted(match, seat, on_offer.kind, values)
    room = Room.objects.select_for_update().get(pk=row.room_id)
    name = match.names[seat]
    messages.post(_thread(match), None, name, "", "table", row.pk, said, row.version)
    members.changed(room)


def planned(match: MatchSnapshot, key: str) -> tuple[Seat, Claim] | None:
    """Return the seat and the claim planned under this key, or None if the bot may no longer make
    the claim.
    """
    said = claims_in(match)
    for player in match.players:
        seat = Seat(player.seat)
        if player.bot in match.game.bots.talks:
            for claim in unsaid(match, seat, said):
                if talk.key_of(seat, claim) == key:
                    return seat, claim
    return None


def claims_in(match: MatchSnapshot) -> list[Message]:
    """Return all messages of a match that make a claim, in order."""
    return messages.claims(_thread(match), match.row.pk)


def unsaid(match: MatchSnapshot, seat: Seat, said: Sequence[Message]) -> list[Claim]:
    """Return the claims that this seat may make and has not made yet.

    `said` are the claims already made in the match.
    """
    own = [message.claim or {} for message in said if _seat_of(match, message) == seat]
    gone = {(claim["kind"], claim["about"]) for claim in own}
    return [claim for claim in claims(match, seat) if (claim.kind, claim.about) not in gone]


def claims(match: MatchSnapshot, seat: Seat) -> tuple[Claim, ...]:
    """Return all claims of this seat that the rules allow now, including those already made."""
    return match.game.rules.claims.open(match.state, seat) if match.game.rules.claims else ()


def made_in(match: MatchSnapshot, versions: Sequence[int]) -> tuple[ClaimMade, ...]:
    """Return all claims of a match, in order. `versions` are the versions of the events told to a
    seat.
    """
    if match.game.rules.claims is None:
        return ()
    made = (_made(match, message, versions) for message in claims_in(match))
    return tuple(claim for claim in made if claim is not None)


def judged(match: MatchSnapshot, said: Sequence[Message]) -> list[Json]:
    """Return the claims of a match as everybody sees them, each with its verdict."""
    if match.game.rules.claims is None:
        return []
    made = [(message, claim) for message in said if (claim := _made(match, message, ()))]
    view = match.game.rules.view(match.state, None)
    verdicts = match.game.rules.claims.judged(view, [claim for _message, claim in made])
    return [
        {"name": match.names[claim.seat], **(message.claim or {}), "verdict": verdict}
        for (message, claim), verdict in zip(made, verdicts, strict=True)
    ]


def _made(match: MatchSnapshot, message: Message, versions: Sequence[int]) -> ClaimMade | None:
    seat = _seat_of(match, message)
    if seat is None or match.game.rules.claims is None:
        return None
    claim = msgspec.convert(message.claim, match.game.rules.claims.claimed)
    after = bisect_right(versions, message.after or 0)
    return ClaimMade(seat, claim.kind, claim.about, claim.values, after)


def _seat_of(match: MatchSnapshot, message: Message) -> Viewer:
    """Return the seat of a message's author. After a rename, claims still belong to the same
    user.
    """
    if message.author_id is None:
        return next((Seat(p.seat) for p in match.players if p.name == message.name), None)
    return next((Seat(p.seat) for p in match.players if p.user_id == message.author_id), None)


def _thread(match: MatchSnapshot) -> str:
    return f"room:{match.row.room_id}"
