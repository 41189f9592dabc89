"""A client's knowledge of its table: the newest sync, and all received events of the match."""

from __future__ import annotations

from collections import deque
from itertools import chain

from parlour_client.commands import PLATFORM
from parlour_client.offers import Json

OPTIONAL = frozenset({"awaitedFrom", "paused", "skip"})
"""Fields that a sync may lack. In changes, these fields are then null."""


class Memory:
    """The state of a table, updated by packets. It does not depend on sockets.

    Events are kept by the version of their act. After joining, only the newest state is known.
    Earlier acts must be requested (`missing`) and added (`fill`). Then the memory is `ready`. The
    same applies if we read too slowly (`missed` in a sync). Live events that the log has already
    delivered are dropped.
    """

    def __init__(self) -> None:
        self.data: Json = {}
        self.ready = False
        self.ended: deque[Json] = deque()
        """Last syncs of matches that have ended since we joined."""
        self._match_id: int | None = None
        self._acts: dict[int, list[Json]] = {}
        self._logged = 0
        self._whole = 0
        self._arriving = False
        self._present: int | None = None
        self._past: int | None = None

    def take(self, packet: Json) -> None:
        """Process a packet from the server."""
        match packet["type"]:
            case "GameCreated" | "GameJoined" | "GameRejoined":
                self._arriving, self.ready = True, False
            case "GameStarted":
                self._begin(packet["matchId"])
                self._present = packet["matchId"]
            case "GameDataSync":
                self.ready = self.ready and not packet.get("missed")
                self._sync(packet["data"])
            case "GameDataChanged":
                self._sync(_changed(self.data, packet["data"]))
            case kind if kind not in PLATFORM and packet.get("version", 0) > self._logged:
                self._acts.setdefault(packet["version"], []).append(packet)

    @property
    def heard(self) -> list[Json]:
        """All received events of the match, in order."""
        return list(chain.from_iterable(self._acts[version] for version in sorted(self._acts)))

    @property
    def missing(self) -> int | None:
        """The version after which events are missing, or None if no events are missing."""
        if self.ready or self._arriving or not self.data:
            return None
        return self._whole

    def fill(self, log: Json) -> None:
        """Add the acts of a `Log`. A log without acts means that nothing is missing any more."""
        same = log["matchId"] == self._match_id
        for act in log["acts"] if same else ():
            self._acts[act["version"]] = list(act["events"])
            self._logged = self._whole = act["version"]
        if same and not log["acts"]:
            self._is_whole()

    def _begin(self, match_id: int | None) -> None:
        self._match_id, self._acts, self._logged, self._whole = match_id, {}, 0, 0

    def _sync(self, data: Json) -> None:
        self.data = data
        if data["matchId"] != self._match_id:
            self._begin(data["matchId"])
        if self._arriving:
            self._arriving = False
            self.ready = (data["version"] or 0) <= self._whole
            if data["status"] != "playing" and data["matchId"] != self._present:
                self._past = data["matchId"]  # the match was over before we joined
        if data["status"] == "playing":
            self._present = data["matchId"]
        if self.ready:
            self._is_whole()
        self._note_end(data)

    def _note_end(self, data: Json) -> None:
        if data["outcome"] and data["status"] != "playing" and data["matchId"] != self._past:
            self._past = data["matchId"]
            self.ended.append(data)

    def _is_whole(self) -> None:
        self._whole, self.ready = self.data["version"] or 0, True


def _changed(data: Json, changes: Json) -> Json:
    """Return the data of a sync with these changes applied."""
    entries = {one["username"]: one for one in changes.get("players", ())}
    found = {
        **data,
        **changes,
        "players": [entries.get(one["username"], one) for one in data["players"]],
        "view": {**data["view"], **changes.get("view", {})},
    }
    gone = {name for name in OPTIONAL if found.get(name) is None}
    return {name: of for name, of in found.items() if name not in gone and name != "chat"}
