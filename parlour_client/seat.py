"""Our seat: the connection, the current table, and what we have received there."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from parlour_client.address import Address
from parlour_client.conversation import Ask, Conversation
from parlour_client.errors import Ended, Misused, ParlourError
from parlour_client.memory import Memory
from parlour_client.offers import Json
from parlour_client.pace import Pace

log = logging.getLogger("parlour_client")

KEPT = 10_000
"""Maximum packets kept for later iteration. Older packets are dropped."""
FINAL = ("kicked", "banned", "closed")
"""Reasons for removal that also close the connection (4003)."""


class Seat:
    """Our seat at a table. `room` is None if we are at no table. `me` is None until we have a name.

    `inbox` contains the packets that are not responses. `wishes` are the fields sent with every
    `HostGame` and `JoinGame` (`lang`, `syncs`).
    """

    def __init__(
        self,
        address: Address,
        token: str | None,
        pace: Pace,
        patience: float,
        wishes: Json,
    ) -> None:
        self.wishes = wishes
        self.room: str | None = None
        self.me: str | None = None
        self.is_leaving = False
        self.seeks: Json | None = None
        """The fields of our `Seek` while we wait for a quick match."""
        self.found: str | None = None
        """The room of the quick match."""
        self.memory = Memory()
        self.inbox: deque[Json] = deque(maxlen=KEPT)
        self.talk = Conversation(address, token, pace, patience, self._hear, self._sit_down_again)
        # Python warns if `parlour_client.verify` is run after the package has imported it.
        from parlour_client.luck import Luck

        self._luck = Luck()
        self._gone_because = ""
        self._catching_up = False

    @property
    def is_ready(self) -> bool:
        """Whether our state is up to date: connected, with all events so far."""
        return self.talk.is_open and self.memory.ready

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until `holds` is true at our table.

        Raise Misused if we are at no table. Raise the error that ended the conversation if it has
        ended.
        """
        if self.room is None and not self.talk.is_over:
            raise Misused("Join a table first, or host one.")
        await self.talk.until(lambda: self.is_ready and holds())

    def forget(self) -> None:
        """Reset the state after leaving a table."""
        self._luck.left()
        self.room, self._gone_because, self.is_leaving = None, "", False
        self.memory = Memory()

    def _hear(self, packet: Json, is_answer: bool) -> None:
        """Process a packet from the server."""
        self._note(packet)
        self.memory.take(packet)
        if self.memory.data:
            for answer in self._luck.answers(self.memory.data, self.memory.data.get("you")):
                self.talk.keep(self._add_luck(answer))
        if self.memory.missing is not None and not self._catching_up:
            self._catching_up = True
            self.talk.keep(self._catch_up())
        if not is_answer:
            self.inbox.append(packet)

    def _note(self, packet: Json) -> None:
        match packet["type"]:
            case "GameCreated" | "GameJoined" | "GameRejoined":
                self.room, self.me = packet["room"], packet["username"]
                self.talk.token = packet.get("token", self.talk.token)
                self.talk.address = replace(self.talk.address, room=self.room)
            case "Matched":
                self.found = packet["room"]
                self.talk.token = packet.get("token", self.talk.token)
            case "LuckVoid":
                self._luck.voided(packet)
            case "GameStarted":
                self._luck.begun(packet.get("fairness"))
            case "GameDataSync":
                self._luck.synced(packet["data"])
            case "PlayerLeft" if packet["username"] == self.me and not self.is_leaving:
                self._gone_because = packet["reason"]
                if packet["reason"] == "left":
                    self._sent_away("You have left the table through another connection.")
            case "ShowAlert":
                log.warning("The server says: %s", packet["message"])
                if self._gone_because:
                    self._sent_away(packet["message"])

    def _sent_away(self, sentence: str) -> None:
        """End the conversation after a removal, so that waiting callers get an error."""
        because = self._gone_because
        self.talk.end(Ended(4003 if because in FINAL else because, sentence))
        self.forget()

    async def _sit_down_again(self, ask: Ask) -> None:
        self._luck.reconnected()
        if self.room is not None:
            await ask({"type": "JoinGame", "room": self.room, **self.wishes})
            log.info("back at table %s", self.room)
        elif self.seeks is not None and self.found is None:
            await ask({"type": "Seek", **self.seeks})

    async def _add_luck(self, packet: Json) -> None:
        try:
            await self.talk.request(packet)
            self._luck.confirmed(packet)
        except ParlourError as error:
            log.debug("%s was not accepted: %s", packet["type"], error)

    async def _catch_up(self) -> None:
        """Request the missing events. Decisions wait for these events."""
        try:
            while (since := self.memory.missing) is not None:
                self.memory.fill(await self.talk.request({"type": "LogRequest", "since": since}))
        except ParlourError as error:
            log.debug("the history of the match was not received: %s", error)
        finally:
            self._catching_up = False
        self.talk.wake()
