"""Our part in the luck of each match: commit to a secret, and open it once it is listed.

The server cannot choose the luck of a match if one program or page adds to it honestly. So a secret
is opened for one list of a commitment only (docs/fairness.md).
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from parlour_client.offers import Json
from parlour_client.verify import Share, code_of, list_of, share_of

log = logging.getLogger("parlour_client")

ANOTHER = "The match began with values that we did not agree to."

KEPT = 20
"""Maximum number of opened secrets, and of others, that are kept."""


@dataclass
class _Part:
    """What we add for one commitment of the server."""

    share: str
    name: str
    secret: str
    listed: str | None = None
    """The list for which we have opened our share."""
    seats: Sequence[Share] = ()
    """The shares on that list."""
    is_sent: bool = False
    """Whether we have sent the newest packet about it on this connection."""
    is_known: bool = False
    """Whether the server has confirmed our share."""
    warned: set[str] = field(default_factory=set)


class Luck:
    """Our parts in the luck, by commitment."""

    def __init__(self) -> None:
        self._parts: dict[str, _Part] = {}
        self._pending: tuple[str, _Part] | None = None
        """Commitment and part of a list that has to begin or to be declared void."""
        self._missing: set[str] = set()
        """Those who missed a list of this start."""

    def answers(self, data: Json, me: str | None) -> Iterator[Json]:
        """Yield the packets to send now. `data` is the newest state of the table."""
        if data.get("status") not in ("open", "finished") or data.get("allowsUdp"):
            return
        commitment: str | None = data.get("fairness", {}).get("commitment")
        if me is None or commitment is None:
            return
        self._expect(commitment)
        mixing = data.get("mixing", {"list": None})
        part = self._parts.get(commitment)
        if mixing["list"] is not None:
            if part is not None and self._agrees(part, commitment, data, mixing):
                self._pending = commitment, part
                yield {"type": "RevealLuck", "list": mixing["list"], "secret": part.secret}
        elif part is None or (part.listed is None and not (part.is_sent and part.name == me)):
            if part is None or part.name != me:
                secret = secrets.token_hex(32)
                part = _Part(share_of(commitment, me, secret), me, secret)
                self._parts[commitment] = part
                self._forget()
            part.is_sent = True
            yield {"type": "CommitLuck", "commitment": commitment, "share": part.share}

    def confirmed(self, packet: Json) -> None:
        """Record that the server has carried out a packet."""
        part = self._parts.get(packet.get("commitment", ""))
        if part is not None and part.share == packet.get("share"):
            part.is_known = True

    def voided(self, packet: Json) -> None:
        """Check whether the server says rightly who did not answer."""
        self._missing |= {*packet["missing"]}
        if self._pending is not None and self._pending[1].listed == packet["list"]:
            part, self._pending = self._pending[1], None
            if part.name in packet["missing"]:
                _warn(part, "This server says that we did not answer. We did.")

    def reconnected(self) -> None:
        """Send everything again, and expect nothing of a former list: packets may be lost."""
        self._pending = None
        for part in self._parts.values():
            part.is_sent = False

    def begun(self, fairness: Json) -> None:
        """Check what the server says that everybody agreed on, when a match begins."""
        pending, self._pending = self._pending, None
        missing, self._missing = self._missing, set()
        commitment = fairness.get("commitment", "")
        part = self._parts.get(commitment)
        if pending is not None and (pending[1] is not part or fairness.get("luck") != 2):
            _warn(pending[1], ANOTHER)
        if fairness.get("luck") != 2 or part is None:
            return
        seats = [Share(one["username"], one["share"], one["secret"]) for one in fairness["seats"]]
        if part.listed is None:
            if part.is_known and Share(part.name) in seats and part.name not in missing:
                _warn(part, "This server left us out of the luck.")
        elif (
            (fairness["list"], fairness["code"]) != (part.listed, code_of(part.listed, seats))
            or [(one.username, one.share) for one in seats]
            != [(one.username, one.share) for one in part.seats]
            or Share(part.name, part.share, part.secret) not in seats
            or not all(_is_opened(commitment, one) for one in seats)
        ):
            _warn(part, ANOTHER)
        else:
            log.info("luck code %s", fairness["code"])

    def _expect(self, commitment: str) -> None:
        """Warn if a list was replaced by one for another commitment without `LuckVoid`."""
        if self._pending is not None and self._pending[0] != commitment:
            _warn(self._pending[1], "This server tried to mix the same luck twice.")
            self._pending = None

    def _agrees(self, part: _Part, commitment: str, data: Json, mixing: Json) -> bool:
        """Whether we open our share for this list now."""
        listed, seats = mixing["list"], [Share(**one) for one in mixing["seats"]]
        if part.listed is not None:
            if part.listed != listed:
                _warn(part, "This server tried to mix the same luck twice.")
            was_sent, part.is_sent = part.is_sent, True
            return part.listed == listed and not was_sent
        if (part.name, part.share) not in [(one.username, one.share) for one in seats]:
            if part.is_known and Share(part.name) in seats and part.name not in self._missing:
                _warn(part, "This server left us out of the luck.")
            elif part.is_known and any(one.username == part.name for one in seats):
                log.info("Another program or page adds to the luck under our name.")
            return False
        if listed != list_of(commitment, data["game"], data["options"], seats):
            _warn(part, "This server sent a wrong list of shares, so we keep our secret.")
            return False
        part.listed, part.seats, part.is_sent = listed, seats, True
        return True

    def _forget(self) -> None:
        """Keep the newest parts. Those that are opened are kept longer, so that no commitment is
        soon used again.
        """
        for is_opened in (True, False):
            known = [at for at, one in self._parts.items() if (one.listed is not None) == is_opened]
            for old in known[:-KEPT]:
                del self._parts[old]


def _is_opened(commitment: str, seat: Share) -> bool:
    """Whether a seat is silent, or its secret opens its share."""
    if seat.share is None or seat.secret is None or seat.username is None:
        return seat.share is None and seat.secret is None
    return seat.share == share_of(commitment, seat.username, seat.secret)


def _warn(part: _Part, sentence: str) -> None:
    """Log a warning about a commitment once."""
    if sentence not in part.warned:
        part.warned.add(sentence)
        log.warning("%s Do not trust this server.", sentence)
