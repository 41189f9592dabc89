"""A process joins the groups of the rooms it shows, and always receives its own changes."""

from __future__ import annotations

from typing import Any

import pytest
from channels.layers import get_channel_layer

from games.sockets import channel_groups
from games.sockets.channel_groups import LISTS, ChannelGroups
from tests.kit.waiting import wait_for_async

SHARED = "redis://somewhere"


class Process:
    """A process that shows rooms and records its notifications."""

    def __init__(self) -> None:
        self.rooms, self.heard, self.listed = set[int](), list[tuple[int, bool]](), set[int]()
        self.groups = ChannelGroups(
            lambda: self.rooms,
            lambda room, since: self.heard.append((room, since is not None)),
            self.listed.update,
        )

    async def hears(self) -> None:
        """Receive one message."""
        self.groups._hear(await get_channel_layer().receive(self.groups._channel))

    async def shows(self, *rooms: int) -> None:
        self.rooms.clear()
        self.rooms.update(rooms)
        await self.groups.follow()


async def test_only_processes_showing_a_room_receive_its_changes(settings: Any) -> None:
    settings.REDIS_URL = SHARED
    one, other = Process(), Process()
    await one.shows(1, 2)
    await other.shows(2)
    one.groups.publish(1, 0.0, by_act=False)
    one.groups.publish(2, 0.0, by_act=False)
    await one.hears()
    await one.hears()
    await other.hears()
    assert (one.heard, other.heard) == ([(1, True), (2, True)], [(2, False)])
    for process in (one, other):
        await process.groups.close()


async def test_process_receives_no_changes_of_a_room_it_no_longer_shows(settings: Any) -> None:
    settings.REDIS_URL = SHARED
    one = Process()
    await one.shows(1, 2)
    await one.shows(2)
    one.groups.publish(1, 0.0, by_act=False)
    one.groups.publish(2, 0.0, by_act=False)
    await one.hears()
    assert one.heard == [(2, True)]
    await one.groups.close()


async def test_every_process_receives_list_changes_in_one_batch(settings: Any) -> None:
    settings.REDIS_URL = SHARED
    one, other = Process(), Process()
    await other.shows()
    for room_id in (5, 6, 5, 7):
        one.groups.publish(room_id, 0.0, by_act=False)
    await other.hears()
    assert other.listed == {5, 6, 7}
    assert get_channel_layer().channels.get(other.groups._channel) is None
    for process in (one, other):
        await process.groups.close()


async def test_lists_are_not_told_of_acts(settings: Any) -> None:
    settings.REDIS_URL = SHARED
    one, other = Process(), Process()
    await other.shows(5)
    one.groups.publish(5, 0.0, by_act=True)
    one.groups.publish(6, 0.0, by_act=False)
    await other.hears()
    await other.hears()
    assert (other.heard, other.listed) == ([(5, False)], {6})
    for process in (one, other):
        await process.groups.close()


@pytest.mark.usefixtures("caplog")
async def test_process_receives_its_own_change_even_if_the_layer_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fail(*args: Any) -> None:
        raise ConnectionError

    one = Process()
    await one.shows(1)
    monkeypatch.setattr(get_channel_layer(), "group_send", fail)
    one.groups.publish(1, 0.0, by_act=False)
    await wait_for_async(lambda: one.heard == [(1, True)], "nothing is heard")
    await one.groups.close()


async def test_expired_group_membership_is_renewed() -> None:
    one = Process()
    await one.shows(1)
    layer = get_channel_layer()
    for group in (LISTS, channel_groups.group_of(1)):
        await layer.group_discard(group, one.groups._channel)
    await one.groups.follow(again=True)
    one.groups.publish(1, 0.0, by_act=False)
    await one.hears()
    assert one.heard == [(1, True)]
    await one.groups.close()
