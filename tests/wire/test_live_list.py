"""The list of public tables is read once for all viewers, and rendered once per language."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games import rooms
from lobby import listing, live_list, parts
from tests.kit.factories import PersonFactory, open_table
from tests.kit.page_socket import OURS, Connection, application, text

PAGES = 12


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Count reads and renderings of the list, and lookups of a user's own tables."""
    monkeypatch.setattr(parts, "AT_MOST_EVERY", 0.05)
    found = {"read": 0, "drawn": 0, "own": 0}

    def counting(where: Any, name: str, what: str) -> None:
        function = getattr(where, name)

        def counted(*args: Any, **more: Any) -> Any:
            found[what] += 1
            return function(*args, **more)

        monkeypatch.setattr(where, name, counted)

    counting(live_list, "public_tables", "read")
    counting(live_list, "_drawn", "drawn")
    counting(listing, "own_tables", "own")
    return found


async def lobby(language: str = "en", cookie: str = "") -> Connection:
    headers = {"host": "testserver", "origin": OURS, "accept-language": language, "cookie": cookie}
    page = Connection(
        application, "/ws/lobby/", headers=[(k.encode(), v.encode()) for k, v in headers.items()]
    )
    assert (await page.connect())[0]
    await text(page, 'hx-target="#tables"')
    return page


async def test_list_is_read_once_and_rendered_once_per_language(
    counts: dict[str, int],
) -> None:
    pages = [await lobby("de" if at % 2 else "en") for at in range(PAGES)]
    assert (counts["read"], counts["drawn"]) == (1, 2)
    host = await sync_to_async(PersonFactory)(name="Ann")
    room = await sync_to_async(open_table)(host)
    await rooms.set_room(room.pk, host.pk, "public")
    for page in pages:
        await text(page, room.code)
    assert counts["read"] <= 4  # at most once for each command above
    assert counts["drawn"] <= 2 * counts["read"]
    assert counts["own"] == 0
    for page in pages:
        await page.disconnect()


async def test_new_page_shows_changes_made_while_nobody_watched() -> None:
    await (await lobby()).disconnect()
    host = await sync_to_async(PersonFactory)(name="Ann")
    room = await sync_to_async(open_table)(host)
    await rooms.set_room(room.pk, host.pk, "public")
    headers = [(b"host", b"testserver"), (b"origin", OURS.encode())]
    page = Connection(application, "/ws/lobby/", headers=headers)
    assert (await page.connect())[0]
    assert await text(page, room.code)
    await page.disconnect()
