"""Claims in the chat: what somebody says they held, true or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from chat import messages
from chat.models import Message
from games.engine.snapshots import MatchSnapshot
from games.rules.core import Claim, Refused
from games.rules.data import Seat

Json = dict[str, Any]


def asserted(match: MatchSnapshot, seat: Seat, kind: str, values: Sequence[str]) -> Json:
    """A claim as it is kept. Raise Refused (not_your_hand, bad_claim, already_claimed)."""
    claim = next((claim for claim in claims(match, seat) if claim.kind == kind), None)
    if claim is None:
        raise Refused("not_your_hand")
    if len(values) != claim.size or not set(values) <= set(claim.values):
        raise Refused("bad_claim", size=claim.size, values=", ".join(claim.values))
    if claim not in unsaid(match, seat, messages.claims(f"room:{match.row.room_id}", match.row.pk)):
        raise Refused("already_claimed")
    assert match.game.claims is not None
    claimed: Any = match.game.claims.claimed
    plain: Json = msgspec.to_builtins(claimed(kind, claim.about, tuple(values)))
    return plain


def unsaid(match: MatchSnapshot, seat: Seat, said: Sequence[Message]) -> list[Claim]:
    """What this seat may still claim; `said` are the claims of the match."""
    own = [message.claim or {} for message in said if message.name == match.names[seat]]
    gone = {(claim["kind"], claim["about"]) for claim in own}
    return [claim for claim in claims(match, seat) if (claim.kind, claim.about) not in gone]


def claims(match: MatchSnapshot, seat: Seat) -> tuple[Claim, ...]:
    """Everything this seat might claim now."""
    return match.game.claims.open(match.state, seat) if match.game.claims else ()
