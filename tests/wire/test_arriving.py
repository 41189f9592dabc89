"""People join a room while an earlier change to it is being shown."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games import rooms
from games.models import Room
from games.sockets import hub
from games.tables import loading
from games.tables.loading import load
from games.tables.table import Table
from tests.kit.client import Program, on_turn, started
from tests.kit.factories import PersonFactory, open_table

PATIENCE = 20


class Watcher:
    """A socket that records the frames it is shown."""

    is_page = is_screen = False

    def __init__(self, user_id: int) -> None:
        self.user_id = user_id
        self.shown: list[tuple[Table | None, Table]] = []

    def show(self, before: Table | None, now: Table, memo: dict[Any, Any]) -> None:
        self.shown.append((before, now))


async def test_newcomer_is_not_shown_a_state_older_than_their_join(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded, go_on = threading.Event(), threading.Event()

    def slowly(*args: Any) -> Table:
        table = load(*args)
        loaded.set()
        assert go_on.wait(PATIENCE)
        return table

    host = await sync_to_async(PersonFactory)()
    person = await sync_to_async(PersonFactory)()
    room: Room = await sync_to_async(open_table)(host)
    there, first, late = hub.hub(), Watcher(host.pk), Watcher(person.pk)
    monkeypatch.setattr(hub, "load", slowly)
    entering = asyncio.create_task(there.enter(room.pk, first))
    assert await sync_to_async(loaded.wait, thread_sensitive=False)(PATIENCE)
    await rooms.join(room.code, person.pk, "Late")
    following = asyncio.create_task(there.enter(room.pk, late))
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(entering, following)
    (before, now), *_ = late.shown
    assert before is None
    assert now.member(person.pk) is not None
    there.leave(room.pk, first)
    there.leave(room.pk, late)


async def test_slow_response_has_no_older_state_than_already_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded, go_on = threading.Event(), threading.Event()
    quickly = loading._load

    def slowly(*args: Any) -> Table:
        monkeypatch.setattr(loading, "_load", quickly)
        found = quickly(*args)
        loaded.set()
        assert go_on.wait(PATIENCE)
        return found

    async with Program() as ann, Program() as bob:
        await started(ann, bob)
        mover = on_turn(ann, bob)
        other = bob if mover is ann else ann
        heard = asyncio.Event()
        deaf = hub.hub().on_lists(lambda rooms: heard.set())
        monkeypatch.setattr(loading, "_load", slowly)
        asking = asyncio.create_task(other.ask("GameDataRequest"))
        assert await sync_to_async(loaded.wait, thread_sensitive=False)(PATIENCE)
        done = await mover.ask("Roll")
        await asyncio.wait_for(heard.wait(), PATIENCE)
        await asyncio.sleep(hub.SHOWN_EVERY)  # every pending change has been shown by now
        deaf()
        go_on.set()
        answer = await asking
        assert answer["data"]["version"] == done["version"]
        syncs = [p["data"]["version"] for p in other.packets if p["type"] == "GameDataSync"]
        assert syncs == sorted(syncs, key=lambda version: version or 0)
