"""The rules shown at a table match its options, and change with them."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from games import rooms
from games.models import Room
from games.pages import regions
from games.pages.templating import render
from games.registry import GAMES
from games.tables.loading import load
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)


def drawer(room: Room, person: User) -> str:
    """Return the rules on the table's page for this user."""
    table = load(room.pk)
    (region,) = [one for one in regions(table, person.pk) if one.id == "manual"]
    return render(table, region, "en")


def test_rules_at_a_table_follow_its_options() -> None:
    ann = PersonFactory()
    room = open_table(ann, game="mia", lives=7)
    assert "Everybody has 7 lives" in drawer(room, ann)
    rooms.set_options(room.pk, ann.pk, {"lives": 1, "littleMia": True}).result()
    html = drawer(room, ann)
    assert "Everybody has 1 life." in html
    assert "<strong>Little Mia:</strong> 3-1" in html


def test_rules_at_a_table_follow_its_size() -> None:
    ann = PersonFactory()
    room = open_table(ann, game="secret_hitler", bots=3)
    html = drawer(room, ann)  # too few players for a match
    assert re.search("<th[^>]*>5 players</th>.*?3 liberals", html)
    rooms.add_bot(room.pk, ann.pk, "random").result()
    assert "<strong>At this table:</strong> 3 liberals, 1 fascist and Hitler." in drawer(room, ann)
    for _ in range(2):
        rooms.add_bot(room.pk, ann.pk, "random").result()
    start_match(room)
    html = drawer(room, ann)
    assert "<strong>At this table:</strong> 4 liberals, 2 fascists and Hitler." in html
    power = 'data-part="power_investigate power_special power_execute power_ack"'
    second = "Fascist policy 2</th>.*?The president sees a player&#39;s party card."
    assert re.search(f"<tr {power}><th[^>]*>{second}", html)


def test_only_deviations_from_the_standard_rules_are_marked() -> None:
    ann = PersonFactory()
    room = open_table(ann, game="mia")
    assert "At this table" not in drawer(room, ann)
    rooms.set_options(room.pk, ann.pk, {"lives": 5}).result()
    html = drawer(room, ann)
    assert "At this table" in html
    assert re.findall('<ul class="differs">(.*?)</ul>', html) == [
        "<li>Lives <strong>5</strong></li>"
    ]


@pytest.mark.parametrize("slug", GAMES)
def test_rules_page_shows_the_rules_of_a_new_table(client: Client, slug: str) -> None:
    html = client.get(f"/rules/{slug}/").content.decode()
    assert "These are the standard rules." in html
    assert html.count("data-part=") > 1
    assert 'action="/learn/"' in html
    assert f'name="game" value="{slug}"' in html
