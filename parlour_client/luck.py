"""Our part in the luck of each match: commit to a secret, and open it once it is listed.

The server cannot choose the luck of a match if one program or page adds to it honestly. So a secret
is opened for one list of a commitment only (docs/fairness.md).
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field

from parlour_client.offers import Json
from parlour_client.verify import Share, code_of, list_of, share_of

log = logging.getLogger("parlour_client")

KEPT = 20
"""Maximum number of commitments for which our secrets are kept."""


@dataclass
class _Part:
    """What we add for one commitment of the server."""

    share: str
    name: str
    secret: str
    listed: str | None = None
    """The list for which we have opened our share."""
    is_known: bool = False
    """Whether the server has confirmed our share."""
    warned: set[str] = field(default_factory=set)


class Luck:
    """Our parts in the luck, by commitment."""

    def __init__(self) -> None:
        self._parts: dict[str, _Part] = {}

    def answers(self, data: Json, me: str | None) -> Iterator[Json]:
        """Yield the packets to send now. `data` is the newest state of the table."""
        if data.get("status") not in ("open", "finished") or data.get("allowsUdp"):
            return
        commitment: str | None = data.get("fairness", {}).get("commitment")
        if me is None or commitment is None:
            return
        mixing = data.get("mixing", {"list": None})
        part = self._parts.get(commitment)
        if mixing["list"] is not None:
            if part is not None and self._agrees(part, commitment, data, mixing):
                yield {"type": "RevealLuck", "list": mixing["list"], "secret": part.secret}
        elif part is None or part.name != me:
            secret = secrets.token_hex(32)
            part = _Part(share_of(commitment, me, secret), me, secret)
            self._parts[commitment] = part
            for old in list(self._parts)[:-KEPT]:
                del self._parts[old]
            yield {"type": "CommitLuck", "commitment": commitment, "share": part.share}

    def confirmed(self, packet: Json) -> None:
        """Record that the server has carried out a packet."""
        part = self._parts.get(packet.get("commitment", ""))
        if part is not None and part.share == packet.get("share"):
            part.is_known = True

    def begun(self, fairness: Json) -> None:
        """Check what the server says that everybody agreed on, when a match begins."""
        part = self._parts.get(fairness.get("commitment", ""))
        if fairness.get("luck") != 2 or part is None or part.listed is None:
            return
        seats = [Share(one["username"], one["share"], one["secret"]) for one in fairness["seats"]]
        code = code_of(part.listed, seats)
        ours = Share(part.name, part.share, part.secret)
        if (fairness["list"], fairness["code"]) != (part.listed, code) or ours not in seats:
            _warn(part, "The match has begun with another luck than the one we agreed to.")
        else:
            log.info("luck code %s", code)

    def _agrees(self, part: _Part, commitment: str, data: Json, mixing: Json) -> bool:
        """Whether we open our share for this list now."""
        listed, seats = mixing["list"], [Share(**one) for one in mixing["seats"]]
        if part.listed is not None:
            if part.listed != listed:
                _warn(part, "This server tried to mix the same luck twice.")
            return False
        if (part.name, part.share) not in [(one.username, one.share) for one in seats]:
            if part.is_known and any(one.username == part.name for one in seats):
                log.info("The server has not listed our share.")
            return False
        if listed != list_of(commitment, data["game"], data["options"], seats):
            _warn(part, "The list of this server is wrong, so we do not add to the luck.")
            return False
        part.listed = listed
        return True


def _warn(part: _Part, sentence: str) -> None:
    """Log a warning about a commitment once."""
    if sentence not in part.warned:
        part.warned.add(sentence)
        log.warning("%s Do not trust it.", sentence)
