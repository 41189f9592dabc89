"""Our part in the luck of each match: commit to a secret, and open it once it is listed.

The server cannot choose the luck of a match if one program or page adds to it honestly. So a secret
is opened for one list of a commitment only (docs/fairness.md). Whatever the server sends, nothing
here raises an exception: malformed values are treated as wrong ones.
"""

from __future__ import annotations

import logging
import math
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from parlour_client.offers import Json
from parlour_client.verify import (
    MOST_SEATS,
    Share,
    code_of,
    is_hash,
    is_options,
    is_text,
    list_of,
    share_of,
)

log = logging.getLogger("parlour_client")

ANOTHER = "The match began with values that we did not agree to."
TWICE = "This server tried to mix the same luck twice."
LEFT_OUT = "This server left us out of the luck."
SLANDERED = "This server says that we did not answer. We did."
WRONG = "This server sent a wrong list of shares, so we keep our secret."
THROWN = "This server threw away a deal and gave no good reason."
EXPELLED = "This server says that we have left. We have not."
AWAY = "While we were disconnected, the luck that we had agreed to was replaced."

LATE = "The luck was mixed without us, because our answer came too late."
RENAMED = "This server says that we have left or changed our name."
BRIEF = "A match was over before we saw it."

AWAY_SECONDS = 300
"""Time after which we no longer expect to find out what became of a list, if packets were lost.
Other matches may have been played by then.
"""

PATIENCE_SECONDS = 5
"""Time after which a share must be on the list, even if the server has not confirmed it."""

MOST_LOST = 3
"""Maximum number of lists that we opened since we last saw a match with our share. More of them
cause a warning, whatever the reasons.
"""

FORMER = "former player"
"""Name of deleted accounts."""

KEPT = 20
"""Maximum number of opened secrets, and of others, that are kept."""


@dataclass
class _Part:
    """What we add for one commitment of the server."""

    room: str
    commitment: str
    name: str
    share: str
    secret: str
    listed: str | None = None
    """The list for which we have opened our share."""
    seats: Sequence[Share] = ()
    """The shares on that list."""
    opened_at: float = 0.0
    is_begun: bool = False
    """Whether a match with that list has begun, as the server says."""
    is_over: bool = False
    """Whether that list is void, or we have seen its match."""
    sent_at: float = 0.0
    is_sent: bool = False
    """Whether we have sent the newest packet about it on this connection."""
    is_known: bool = False
    """Whether the server has confirmed our share."""
    warned: set[str] = field(default_factory=set)


class Luck:
    """Our parts in the luck, by commitment. They outlive connections."""

    def __init__(self) -> None:
        self._parts: dict[str, _Part] = {}
        self._last: _Part | None = None
        """Our part for the commitment shown last, until we know what became of it."""
        self._has_seen_all = True
        """Whether no packet since then was lost with a connection."""
        self._voids: set[str] = set()
        """All lists that we know to be void."""
        self._named: set[str] = set()
        """Names in the lists that became void since the newest match."""
        self._lost = 0
        """Number of lists that we opened since we last saw a match with our share."""
        self._me: Any = None
        self._expelled: _Part | None = None
        """The part whose list became void because we have left, as the server says."""

    def answers(self, data: Any, me: Any) -> Iterator[Json]:
        """Yield the packets to send now. `data` is the newest state of the table."""
        if _of(data, "status") not in ("open", "finished") or _of(data, "allowsUdp"):
            return
        commitment, room = _hash(data, "fairness", "commitment"), _text(data, "gameId")
        if not is_text(me) or commitment is None or room is None:
            return
        part, self._me = self._parts.get(commitment), me
        if (listed := _hash(data, "mixing", "list")) is not None:
            if part is not None and self._agrees(part, data, listed):
                yield {"type": "RevealLuck", "list": listed, "secret": part.secret}
        elif part is None or (part.listed is None and not (part.is_sent and part.name == me)):
            if part is None or part.name != me:
                secret = secrets.token_hex(32)
                part = _Part(room, commitment, me, share_of(commitment, me, secret), secret)
                self._parts[commitment] = part
                self._last, self._has_seen_all = part, True
                self._forget()
            part.is_sent, part.sent_at = True, time.monotonic()
            yield {"type": "CommitLuck", "commitment": commitment, "share": part.share}

    def confirmed(self, packet: Json) -> None:
        """Record that the server has carried out a packet."""
        part = self._parts.get(packet.get("commitment", ""))
        if part is not None and part.share == packet.get("share"):
            part.is_known = True

    def voided(self, packet: Any) -> None:
        """Check why the server has declared a list void."""
        listed, seed = _hash(packet, "list"), _hash(packet, "serverSeed")
        missing, gone = _names(packet, "missing"), _names(packet, "gone")
        gone = missing if gone is None else gone
        if listed is None or missing is None or gone is None or listed in self._voids:
            return
        self._voids.add(listed)
        self._named |= missing | gone
        log.info("The luck is mixed again, because of %s.", ", ".join(sorted(missing | gone)))
        part = self._last
        if part is not None and part.listed == listed:
            self._blame(part, missing, gone)
            self._is_over(part)
        elif part is not None and part.listed is None:
            committed = None if seed is None else sha256(bytes.fromhex(seed)).hexdigest()
            if committed in (None, part.commitment):
                self._is_over(part)

    def left(self) -> None:
        """Forget the list of a table that we leave."""
        self._last = self._expelled = None
        self._lost = 0
        self._match_begins()

    def reconnected(self) -> None:
        """Send our shares again, and note that packets about our last list may have been lost."""
        self._has_seen_all = False
        for part in self._parts.values():
            part.is_sent = False

    def synced(self, data: Any) -> None:
        """Compare the newest state of the table with the list that we have opened, if we do not
        know yet what became of it.
        """
        if self._last is not None and _text(data, "gameId") not in (None, self._last.room):
            self._was_replaced(self._last, THROWN)  # we have not left
        voids = _of(data, "luckVoids")
        for void in voids if isinstance(voids, list) else ():
            self.voided(void)
        if self._expelled is not None:
            if _of(data, "you") == self._expelled.name:
                _warn(self._expelled, EXPELLED)
            else:
                log.warning(RENAMED)
        self._expelled = None
        part, is_playing = self._last, _of(data, "status") == "playing"
        named = self._match_begins() if is_playing else self._named
        if part is None or part.room != _of(data, "gameId") or _of(data, "parked") is not None:
            return
        fairness = _of(data, "fairness") if is_playing else _of(data, "outcome", "fairness")
        if part.commitment == _hash(fairness, "commitment"):
            if part.listed is None:
                self._is_left_out(part, self._has_seen_all and is_playing, named)
            elif not _is_kept(part, fairness):
                _warn(part, ANOTHER)
            elif not is_playing:
                log.info(BRIEF)
            self._is_over(part, was_seen=is_playing and _is_kept(part, fairness))
        elif part.commitment == _hash(data, "fairness", "commitment"):
            self._has_seen_all = True
        elif part.is_begun and not is_playing:
            log.info(BRIEF)
            self._is_over(part)
        else:
            self._was_replaced(part, ANOTHER if is_playing else THROWN)

    def begun(self, fairness: Any) -> None:
        """Check the list and secrets that the server publishes when a match begins."""
        named = self._match_begins()
        part = self._parts.get(_hash(fairness, "commitment") or "")
        if self._last not in (None, part):
            self._was_replaced(self._last, ANOTHER)
        seats = {one.username: one for one in _seats(fairness)}
        if part is None:
            if self._me in seats:
                log.warning(LATE)
        elif part.listed is None:
            mine = seats.get(part.name)
            if mine is not None and mine.secret:
                log.warning("Another program or page added to this match under our name.")
            else:
                self._is_left_out(part, True, named, is_seated=mine is not None)
            self._is_over(part)
        elif not _is_kept(part, fairness):
            _warn(part, ANOTHER)
            self._is_over(part)
        elif part.listed in self._voids:
            _warn(part, TWICE)
        else:
            part.is_begun = True
            log.info("luck code %s", _of(fairness, "code"))

    def _match_begins(self) -> set[str]:
        """Forget and return the names in void lists."""
        named, self._named = self._named, set()
        return named

    def _is_over(self, part: _Part, was_seen: bool = False) -> None:
        """Count the lists that we opened, until we see a match with one of them."""
        if part.listed is not None and not part.is_over:
            self._lost = 0 if was_seen else self._lost + 1
            if self._lost > MOST_LOST:
                _warn(part, THROWN)
        part.is_over, self._last = True, None

    def _blame(self, part: _Part, missing: set[str], gone: set[str]) -> None:
        """Check who is said to have made our list void."""
        sharing = {one.username for one in part.seats if one.share is not None}
        if part.is_begun:
            _warn(part, TWICE)
        elif FORMER not in missing | gone and not (
            missing & sharing or gone & {one.username for one in part.seats}
        ):
            self._object(part, THROWN)
        if part.name in missing:
            _warn(part, SLANDERED)
        elif part.name in gone:
            self._expelled = part

    def _was_replaced(self, part: _Part, sentence: str) -> None:
        """Warn that a commitment was replaced without a reason."""
        self._object(part, sentence)
        self._is_over(part)

    def _object(self, part: _Part, sentence: str) -> None:
        """Warn with this sentence, or with another one if we may have missed the reason."""
        if self._has_seen_all and (part.is_known or part.listed is not None):
            _warn(part, sentence)
        elif part.listed is not None and time.monotonic() - part.opened_at < AWAY_SECONDS:
            _warn(part, AWAY)

    def _is_left_out(
        self, part: _Part, is_sure: bool, named: set[str], is_seated: bool = False
    ) -> None:
        """Say that a match has begun without our share."""
        if is_sure and self._is_due(part) and part.name not in named:
            _warn(part, LEFT_OUT)
        elif is_seated and LEFT_OUT not in part.warned:
            log.warning(LATE)

    def _is_due(self, part: _Part) -> bool:
        """Whether our share must be on the list that we are shown now."""
        is_old = part.is_sent and time.monotonic() - part.sent_at > PATIENCE_SECONDS
        return part.is_known or is_old

    def _agrees(self, part: _Part, data: Any, listed: str) -> bool:
        """Whether we open our share for this list now."""
        seats = _seats(_of(data, "mixing"))
        if part.listed is not None:
            if part.listed != listed:
                _warn(part, TWICE)
            was_sent, part.is_sent = part.is_sent, True
            return part.listed == listed and not (was_sent or part.is_over)
        if (part.name, part.share) not in [(one.username, one.share) for one in seats]:
            if Share(part.name) in seats:
                if self._is_due(part) and part.name not in self._named:
                    _warn(part, LEFT_OUT)
                part.sent_at = math.inf  # too late for all of this commitment
            elif part.is_known and any(one.username == part.name for one in seats):
                log.info("Another program or page adds to the luck under our name.")
            return False
        game, options = _of(data, "game"), _of(data, "options")
        if not (is_text(game) and is_options(options)):
            _warn(part, WRONG)
            return False
        if listed != list_of(part.commitment, str(game), options, seats):
            _warn(part, WRONG)
            return False
        part.listed, part.seats, part.is_sent = listed, seats, True
        part.opened_at = time.monotonic()
        return True

    def _forget(self) -> None:
        """Keep the newest parts. Those that are opened are kept longer, so that no commitment is
        soon used again.
        """
        for is_opened in (True, False):
            known = [at for at, one in self._parts.items() if (one.listed is not None) == is_opened]
            for old in known[:-KEPT]:
                del self._parts[old]


def _of(found: Any, *names: str) -> Any:
    """Return the value at this path in nested objects, or None if it is absent."""
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _hash(found: Any, *names: str) -> str | None:
    value = _of(found, *names)
    return value if is_hash(value) else None


def _text(found: Any, *names: str) -> str | None:
    value = _of(found, *names)
    return value if is_text(value) else None


def _names(packet: Any, of: str) -> set[str] | None:
    names = _of(packet, of)
    return {one for one in names if is_text(one)} if isinstance(names, list) else None


def _seats(found: Any) -> list[Share]:
    """Return the seats, or an empty list if any value is malformed. A valid list is never empty."""
    rows = _of(found, "seats")
    if not isinstance(rows, list) or len(rows) > MOST_SEATS:
        return []
    seats = [Share(*(_of(row, name) for name in Share._fields)) for row in rows]
    return seats if all(map(_is_well_formed, seats)) else []


def _is_well_formed(seat: Share) -> bool:
    hashes = seat.share is None or is_hash(seat.share), seat.secret is None or is_hash(seat.secret)
    return (seat.username is None or is_text(seat.username)) and all(hashes)


def _is_kept(part: _Part, fairness: Any) -> bool:
    """Whether a match began with our list, and with secrets that open the shares on it.

    The names are those on our list, because the server may say that a name has changed.
    """
    secrets = _of(fairness, "secrets")
    if not isinstance(secrets, list):
        secrets = [one.secret for one in _seats(fairness)]
    if _of(fairness, "list") != part.listed or len(secrets) != len(part.seats):
        return False
    opened = zip(part.seats, secrets, strict=True)
    if not all(_is_opened(part.commitment, seat, secret) for seat, secret in opened):
        return False
    seats = [Share(None, secret=secret) for secret in secrets]
    return _of(fairness, "code") in (None, code_of(str(part.listed), seats))


def _is_opened(commitment: str, seat: Share, secret: Any) -> bool:
    """Whether a seat is silent, or this secret opens its share."""
    if seat.share is None or secret is None:
        return seat.share is None and secret is None
    name = str(seat.username)
    return is_hash(secret) and seat.share == share_of(commitment, name, secret)


def _warn(part: _Part, sentence: str) -> None:
    """Log a warning about a commitment once."""
    if sentence not in part.warned:
        part.warned.add(sentence)
        log.warning("%s Do not trust this server.", sentence)
