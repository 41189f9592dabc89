"""Tells other processes over the channel layer which rooms have changed.

A process joins the group of each room that it shows or lists, and one group for changes of lists.
Acts are not sent to the group for lists. So the load of a process depends on the rooms that it
shows, and hardly on the number of processes. Without Redis there is only one process. It uses one
group for all rooms, because the in-memory layer visits every group for each message.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings

from games.engine import figures

log = logging.getLogger(__name__)

LISTS = "lists"
GATHER = 0.2
"""Seconds during which changes of lists are collected before they are sent in one message."""
MOST_AGAIN, PARTS = 50, 15
"""Up to this many groups are joined again at once. More groups are divided into this many parts."""
PATIENCE = 1.0
"""Timeout in seconds for sending a message or joining a group over Redis."""

Message = dict[str, Any]


def group_of(room_id: int) -> str:
    """Return the name of the channel group that is notified of changes to this room."""
    return f"room.{room_id}" if settings.REDIS_URL else "rooms"


def _patience() -> float | None:
    """Return the timeout of the channel layer. The in-memory layer has none, because only a stalled
    loop could exceed it.
    """
    return PATIENCE if settings.REDIS_URL else None


class ChannelGroups:
    """The channel of this process, and the groups to which it belongs.

    `rooms` returns the ids of all rooms that matter here. `on_room` is called with a changed room
    and the time of the commit (`time.monotonic`). The time is None if another process made the
    commit. `on_lists` is called with the rooms in which more than the match has changed.
    """

    def __init__(
        self,
        rooms: Callable[[], Iterable[int]],
        on_room: Callable[[int, float | None], None],
        on_lists: Callable[[Collection[int]], None],
    ) -> None:
        self._rooms, self._on_room, self._on_lists = rooms, on_room, on_lists
        self._name = secrets.token_hex(4)
        self._channel = ""
        self._joined: set[str] = set()
        self._to_renew: list[str] = []
        self._lock = asyncio.Lock()
        self._is_away = False
        """Whether the last attempt to join groups has failed."""
        self._changed: dict[int, float] = {}
        self._listed: dict[int, None] = {}
        self._sending: asyncio.Task[None] | None = None
        self._listing: asyncio.Task[None] | None = None

    async def follow(self, again: bool = False) -> None:
        """Join the group for lists and those of the rooms that this process shows, and leave all
        others.

        With `again`, also join some groups a second time, because a layer may have dropped a
        membership: others on each call, and all of them if the layer has not responded lately.
        """
        if self._is_away and not again:  # do not wait for a layer that does not respond
            return
        if self._is_away:
            self._joined.clear()
        try:
            async with asyncio.timeout(_patience()), self._lock:
                await self._follow(again)
        except Exception:
            self._is_away = True
            raise
        else:
            self._is_away = False
        finally:
            figures.redis_away.set(self._is_away)

    async def _follow(self, again: bool) -> None:
        layer = get_channel_layer()
        if not self._channel:
            self._channel = await layer.new_channel()
        wanted = {LISTS, *map(group_of, self._rooms())}
        for group in wanted - self._joined | (self._part_of(wanted) if again else set()):
            self._joined.add(group)
            await layer.group_add(group, self._channel)
        for group in self._joined - wanted:
            await layer.group_discard(group, self._channel)
            self._joined.discard(group)

    def _part_of(self, wanted: set[str]) -> set[str]:
        """Return the groups to join again now."""
        self._to_renew = self._to_renew or list(wanted)
        size = max(MOST_AGAIN, len(wanted) // PARTS)
        part, self._to_renew = self._to_renew[:size], self._to_renew[size:]
        return wanted & set(part)

    async def listen(self) -> None:
        """Receive messages until cancelled."""
        while True:
            try:
                self._joined.clear()
                await self.follow(again=True)
                while True:
                    self._hear(await get_channel_layer().receive(self._channel))
            except Exception as error:
                log.warning("notifications are interrupted", exc_info=error)
                await asyncio.sleep(1)

    def publish(self, room_id: int, since: float, by_act: bool) -> None:
        """Tell other processes that this process changed a room at the time `since`, or only its
        match (`by_act`).
        """
        loop = asyncio.get_running_loop()
        self._changed.setdefault(room_id, since)
        if not by_act:
            self._listed[room_id] = None
        if self._sending is None or self._sending.done():
            self._sending = loop.create_task(self._send_rooms())
        if self._listed and (self._listing is None or self._listing.done()):
            self._listing = loop.create_task(self._send_lists())

    async def close(self) -> None:
        """Leave all groups."""
        for task in (self._sending, self._listing):
            if task is not None:
                task.cancel()
        with suppress(Exception):  # Redis may be unreachable
            async with asyncio.timeout(_patience()):
                for group in self._joined:
                    await get_channel_layer().group_discard(group, self._channel)

    async def _send_rooms(self) -> None:
        while self._changed:
            changed, self._changed = self._changed, {}
            works = True
            for room_id, since in changed.items():
                message = {"type": "room.changed", "room": room_id, "by": self._name}
                works = await self._send(group_of(room_id), {**message, "since": since}, works)

    async def _send_lists(self) -> None:
        while self._listed:
            await asyncio.sleep(GATHER)
            listed, self._listed = list(self._listed), {}
            await self._send(LISTS, {"type": "lists.changed", "rooms": listed, "by": self._name})

    async def _send(self, group: str, message: Message, works: bool = True) -> bool:
        """Send a message to a group. Return False if the channel layer fails. The message is then
        handled in this process only.
        """
        try:
            async with asyncio.timeout(_patience() if works else 0):
                await get_channel_layer().group_send(group, message)
        except Exception as error:
            figures.lost_notifications.inc()
            log.warning("a notification was lost", exc_info=error)
            self._hear(message)
            return False
        return works

    def _hear(self, message: Message) -> None:
        if message["type"] == "lists.changed":
            self._on_lists(message["rooms"])
        else:
            is_ours = message["by"] == self._name
            self._on_room(message["room"], message["since"] if is_ours else None)
