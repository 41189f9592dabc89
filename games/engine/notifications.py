"""Notifications to listeners in this process, sent after a commit that changed a room.

A notification contains only the id of the room, and whether the change was an act of its match,
which lists of rooms do not show. Listeners get the room from `games.engine.memory`, or read it from
the database. Notifications may be lost, so hubs also compare versions with the database every two
seconds. The hub forwards notifications to other processes over Redis.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from django.db import transaction

from games.engine.memory import ServedRoom, memory

log = logging.getLogger(__name__)

EVERYBODY = 0
"""Reserved id that belongs to no room. It means that something changed that concerns everybody."""

SEEKS = -1
"""Reserved id that belongs to no room. It means that people have begun or stopped to wait for a
quick match.
"""

LADDER = -2
"""Reserved id that belongs to no room. It means that tables of the ladder have been opened or
closed, or that a match there has ended.
"""

Listener = Callable[[int, bool], None]

_listeners: set[Listener] = set()
_lock = threading.Lock()


def notify_room_changed(room_id: int, room: ServedRoom | None = None) -> None:
    """Notify all listeners of this process once the running transaction is committed.

    `room` is the room after the commit. None means that it must be read. A failing listener affects
    neither other listeners nor the commit.
    """
    memory.stage(room_id, room)
    transaction.on_commit(lambda: _notify(room_id, room), robust=True)


def notify_everybody() -> None:
    """After the commit, notify the sockets that show announcements and moderators' decisions
    (`games.sockets.announcements`).
    """
    notify_room_changed(EVERYBODY)


def subscribe(listener: Listener) -> None:
    """Call `listener(room_id, by_act)` from the writer's thread after each commit that changed a
    room. `by_act` says that an act has changed only its match.
    """
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
            listener(room_id, room is not None)
        except Exception:
            log.exception("a listener failed")
