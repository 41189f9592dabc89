"""Changes by another process are shown here too, although this one caches the table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer

from games.engine import notifications
from games.engine.memory import memory
from games.models import Match, Room
from games.sockets import channel_groups, hub
from tests.kit.acting import act, on_turn
from tests.kit.client import Program, program_of
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def another_process(room: Room) -> Iterator[None]:
    """Hide changes inside the block from this process: no notification, no update of its memory."""
    held, listening = memory.get(room.pk), set(notifications._listeners)
    notifications._listeners.clear()
    try:
        yield
    finally:
        notifications._listeners.update(listening)
        memory.commit(room.pk, held)


def playing() -> tuple[Match, list[Any]]:
    people = [PersonFactory(), PersonFactory()]
    return start_match(open_table(*people)), people


def roll_elsewhere(match: Match) -> int:
    with another_process(match.room):
        return act(match, on_turn(match), "Roll")


async def tell_of(room_id: int) -> None:
    """Send the notification that the other process would."""
    message = {"type": "room.changed", "room": room_id, "by": "another", "since": 0.0}
    await get_channel_layer().group_send(channel_groups.group_of(room_id), message)


@pytest.mark.parametrize("how", ["poll", "notification"])
async def test_move_by_another_process_is_shown(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "POLL", 0.05 if how == "poll" else 1000.0)
    match, people = await sync_to_async(playing)()
    program: Program = await program_of(people[0], match.room)
    await program.ask("GameDataRequest")
    assert memory.get(match.room_id) is not None
    version = await sync_to_async(roll_elsewhere)(match)
    if how == "notification":
        await tell_of(match.room_id)
    while (await program.until("GameDataSync"))["data"]["version"] < version:
        pass
    await program.__aexit__()
    await hub.close_hub()


async def test_move_by_this_process_is_not_read_again_by_the_poll(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With many tables, some moves are always stored but not shown yet when the poll runs."""
    monkeypatch.setattr(hub, "POLL", 1000.0)
    match, people = await sync_to_async(playing)()
    program: Program = await program_of(people[0], match.room)
    await program.ask("GameDataRequest")
    listening = set(notifications._listeners)
    notifications._listeners.clear()
    version = await sync_to_async(act)(match, await sync_to_async(on_turn)(match), "Roll")
    notifications._listeners.update(listening)
    monkeypatch.setattr(hub, "load", None)
    await hub.hub()._poll_rooms()
    while (await program.until("GameDataSync"))["data"]["version"] < version:
        pass
    await program.__aexit__()
    await hub.close_hub()
