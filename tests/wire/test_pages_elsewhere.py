"""A page that lists a table hears of its acts, whichever process stores them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.contrib.auth.models import AnonymousUser

from games.sockets import hub as hubs
from games.sockets.channel_groups import group_of
from lobby.calls import calls
from lobby.parts import PageParts
from tests.kit.waiting import wait_for_async

pytestmark = pytest.mark.django_db(transaction=True)

LISTED, OTHER = 71, 72


@pytest.fixture
async def page(settings: Any) -> AsyncIterator[PageParts]:
    """A page that lists a table and has shown all changes."""
    settings.REDIS_URL = "redis://somewhere"
    page = PageParts(AnonymousUser(), "en")
    page.rooms = frozenset({LISTED})
    stop = calls().listen(page)
    await hubs.hub()._follow_again()
    await wait_for_async(lambda: page._is_behind)
    page._is_behind = False
    yield page
    stop()
    await hubs.close_hub()


async def told(room_id: int) -> None:
    """Tell this process that another has stored an act."""
    message = {"type": "room.changed", "room": room_id, "by": "another", "since": 0.0}
    await get_channel_layer().group_send(group_of(room_id), message)


async def test_page_is_called_after_an_act_at_its_table(page: PageParts) -> None:
    await told(LISTED)
    await wait_for_async(lambda: page._is_behind)


async def test_process_is_not_told_of_acts_at_other_tables(page: PageParts) -> None:
    heard: list[int] = []
    hubs.hub().on_change(heard.append, frozenset)
    await told(OTHER)
    await told(LISTED)
    await wait_for_async(lambda: bool(heard))
    assert heard == [LISTED]


async def test_act_at_another_table_is_not_compared_with_every_page(page: PageParts) -> None:
    """Most tables are on no other page's list. Their acts must not cost more with more pages."""
    calls()._acted.clear()
    hubs.hub()._on_room_changed(OTHER, None)
    hubs.hub()._on_room_changed(LISTED, None)
    assert calls()._acted == {LISTED}
