"""Three people watch bots: the host restarts and skips to the end, two leave for a new game."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games import rooms
from games.models import Room
from games.pages import regions
from games.pages.templating import render
from games.tables.loading import load
from tests.kit.browser import join, look, open_table, start
from tests.kit.factories import PersonFactory, start_match
from tests.kit.factories import open_table as table_of
from tests.kit.staged import Moment, see_all

pytestmark = pytest.mark.slow

People = Callable[..., Page]

LONG = "Maximiliane Lovelace"
SKIP, RESTART, GO = "#skip-ahead button", "#restart button", "button[form=to-new-game]"


def moment(room: Room, person: User, eyes: str) -> Moment:
    now = load(room.pk, with_story=True)
    found = {one.id: render(now, one, "en") for one in regions(now, person.pk)}
    return Moment("bots", eyes, person.pk == room.host_id, found)


@pytest.mark.django_db(transaction=True)
def test_skip_restart_and_new_game_are_visible_at_every_size(person: People) -> None:
    ann, bob, eve = (PersonFactory(name=name) for name in ("Ann", "Bob", LONG))
    room = table_of(ann, bob, eve, game="secret_hitler", bots=10)
    for one in (ann, bob, eve):
        rooms.set_spectating(room.pk, one.pk, spectating=True).result()
    start_match(room)
    alone = moment(room, ann, "host")
    rooms.skip_ahead(room.pk, bob.pk).result()
    rooms.leave_for_new_game(room.pk, eve.pk).result()
    page = person()
    open_table(page, "Ann", "secret_hitler")
    moments = [alone, moment(room, ann, "host led"), moment(room, bob, "led")]
    see_all(page, moments, lambda one: (SKIP, *([RESTART] if one.host else []), GO))


def test_spectators_can_leave_for_a_new_game_or_skip_to_the_end(person: People) -> None:
    ann, bob, eve = person(), person(), person()
    code = open_table(ann, "Ann", "chamber", bots=4, startLives="10")
    join(bob, code, "Bob", watch=True)
    join(eve, code, "Eve", watch=True)
    ann.get_by_role("button", name="Watch").click()
    expect(ann.get_by_role("button", name="Sit down")).to_be_visible()
    start(ann)
    click(ann, "#pause button")  # so that the bots do not finish the match
    expect(ann.locator("#resume")).to_be_visible()
    expect(ann.locator("#spectating")).to_contain_text("Only bots are still playing.")
    eve.get_by_role("button", name="New game").click()
    eve.wait_for_url(lambda url: code not in url)
    expect(bob.locator("#spectating")).to_contain_text("Eve has started a new game.")
    look(bob)
    bob.get_by_role("button", name="Join Eve").click()
    bob.wait_for_url(eve.url)
    expect(eve.locator("#people")).to_contain_text("Bob")
    gun = ann.locator("[id^=shot-]").get_attribute("id") or ""
    click(ann, RESTART)
    click(ann, SKIP)
    expect(ann.locator(f"[id^={gun.rsplit('-', 1)[0]}-]")).to_have_count(0)
    expect(ann.locator("#ending")).to_be_visible(timeout=60000)


def click(page: Page, button: str) -> None:
    """Find and click in one page task, because elements move."""
    page.wait_for_function(
        "button => { const one = document.querySelector(button); one?.click(); return !!one; }",
        arg=button,
    )
