"""Tell who listens in this process which room has changed, after the commit.

A notification says no more than which room: what has become of it stands in `games.engine.memory`,
or is read. It may get lost: hubs also compare versions with the database every two seconds. The hub
passes notifications on to other processes by Redis.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from games.engine.memory import ServedRoom, memory
from games.engine.transactions import on_commit

log = logging.getLogger(__name__)

HOUSE = 0
"""The number of no room: something that concerns people wherever they are has changed."""

Listener = Callable[[int], None]

_listeners: set[Listener] = set()
_lock = threading.Lock()


def notify_room_changed(room_id: int, room: ServedRoom | None = None) -> None:
    """Tell every listener of this process, once the running transaction is committed.

    `room`: what it is from then on, where that is known; else it is to be read. A listener that
    fails hurts no other, nor what is committed.
    """
    memory.stage(room_id, room)
    on_commit(lambda: _notify(room_id, room))


def notify_house_changed() -> None:
    """Moderators have said or decided something (`games.sockets.announcements`): told after the
    commit."""
    notify_room_changed(HOUSE)


def subscribe(listener: Listener) -> None:
    """Call `listener(room_id)` from the writer's thread after each commit that changed a room."""
    with _lock:
        _listeners.add(listener)


def unsubscribe(listener: Listener) -> None:
    with _lock:
        _listeners.discard(listener)


def _notify(room_id: int, room: ServedRoom | None) -> None:
    memory.commit(room_id, room)
    with _lock:
        listeners = tuple(_listeners)
    for listener in listeners:
        try:
            listener(room_id)
        except Exception:
            log.exception("a listener failed")
