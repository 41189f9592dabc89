"""An updated page equals a reloaded one, and updates contain only changes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import translation

from games import rooms
from games.models import Member
from games.pages import of_match, regions
from games.pages.templating import render
from games.pages.viewpoint import viewpoint_of
from games.registry import GAMES
from games.sockets.pages import TableConsumer
from games.tables.table import Table
from tests.kit.costs import Audience
from tests.kit.quick import quick

pytestmark = pytest.mark.django_db(transaction=True)

ACTS = 30
PARTIAL = re.compile(
    r'<hx-partial hx-target="#([\w-]+)" hx-swap="outerMorph">(.*?)</hx-partial>', re.DOTALL
)


@pytest.fixture(autouse=True)
def _no_limit(settings: Any) -> None:
    settings.WS_BURST = 0


class Shown:
    """The regions a page shows after the frames it was sent."""

    def __init__(self, table: Audience, at: int) -> None:
        self.socket, self.user_id = table.sockets[at], table.people[at].pk
        self.socket.language = "de" if at % 2 else "en"
        self.socket.shown = None  # the page has just been opened
        self.socket.put_update = self.put_update
        self.html: dict[str, str] = {}
        self.socket.show(None, table.shown, {})

    def put_update(self, frames: list[str]) -> None:
        for name, html in PARTIAL.findall("".join(frames)):
            self.html[name] = html
            if name == "seats":  # this frame contains every seat
                self.html = {of: it for of, it in self.html.items() if "seat-" not in of}

    def compare(self, now: Table) -> None:
        """Compare the page with its content after a reload."""
        with translation.override(self.socket.language):
            for region in regions(now, self.user_id):
                if not region.items:
                    assert self.html[region.id] == render(now, region, self.socket.language)
                for item in region.items:
                    html = render(now, item, self.socket.language)
                    alone = self.html.get(item.id)
                    assert html == alone if alone is not None else html in self.html[region.id]


@pytest.mark.parametrize("slug", quick(GAMES, "cards", "coup"))
def test_updated_page_equals_a_reloaded_one(slug: str) -> None:
    table = Audience(slug, TableConsumer)
    pages = [Shown(table, at) for at in (0, 1, 2, 8, 9)]  # host, players, spectators
    for act in range(ACTS):
        if not table.move():
            break
        if act % 10 == 5:
            away = Member.objects.get(room=table.room, user_id=table.people[1 + act % 4].pk)
            rooms.gone_away([away.pk]).result()
        table.show()
        for page in pages:
            page.compare(table.shown)
    assert act > 5


def test_hand_is_never_shared_between_viewers() -> None:
    table = Audience("coup", TableConsumer)
    assert table.move()
    table.show()
    hands = [
        region
        for person in table.people[:6]
        for region in of_match(table.shown, viewpoint_of(table.shown, person.pk, "en"))
        if region.id == "hand"
    ]
    assert len({id(hand) for hand in hands if hand.part["view"]}) == 6 - _alike(hands)
    gallery = of_match(table.shown, viewpoint_of(table.shown, table.people[9].pk, "en"))
    assert next(region for region in gallery if region.id == "hand").part["view"] == {}


def _alike(hands: list[Any]) -> int:
    """Return the number of players whose cards equal those of another player."""
    parts = [repr(hand.part) for hand in hands]
    return len(parts) - len(set(parts))


def test_failed_page_update_is_included_in_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Audience("mia", TableConsumer, lives=9)
    page = Shown(table, 0)
    with monkeypatch.context() as patched:
        patched.setattr("games.sockets.pages.page_diff", _fails)
        assert table.move()
        with pytest.raises(ZeroDivisionError):
            table.show()
    assert table.move()
    table.show()
    page.compare(table.shown)


def _fails(*args: Any) -> str:
    raise ZeroDivisionError
