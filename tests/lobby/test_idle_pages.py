"""A page that shows only an empty badge is not read from the database every minute."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from lobby import parts
from lobby.parts import PageParts


async def _is_checked(page: PageParts) -> bool:
    """Whether the page is checked although nothing has called it."""
    page._changed.clear()
    try:
        async with asyncio.timeout(0.2):
            await page.called()
    except TimeoutError:
        return False
    return True


@pytest.fixture(autouse=True)
def seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "AT_LEAST_EVERY", 0.01)
    monkeypatch.setattr(parts, "SELDOM", 3600)


def _page(*names: str) -> PageParts:
    return PageParts(SimpleNamespace(pk=1), "en", names or ("badge",))


async def test_idle_page_is_checked_seldom() -> None:
    assert not await _is_checked(_page())


@pytest.mark.parametrize("shows", ["a table", "a friend", "a list"])
async def test_other_pages_are_checked_often(shows: str) -> None:
    """Notifications from other processes may be lost, and friends see whether somebody is here."""
    page = _page("here") if shows == "a list" else _page()
    page.rooms = frozenset({1} if shows == "a table" else ())
    page.is_shown = shows == "a friend"

    assert await _is_checked(page)
