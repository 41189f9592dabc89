"""A table has two pages, and each is updated in its own language."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games.models import Match
from tests.kit.acting import on_turn, prompt_of
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.foreign import foreign
from tests.kit.page_socket import Connection, cookie_of, socket, text


@pytest.fixture(autouse=True)
def _hosts(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]


def _table() -> tuple[Match, dict[int, Connection]]:
    """Ann reads English and Bo German, by cookie. Cy reads German, by browser.

    Each of them has a page open.
    """
    people = [PersonFactory(name=name) for name in ("Ann", "Bo", "Cy")]
    room = open_table(*people, game="mia")
    match = start_match(room)
    path = f"/ws/table/{room.code}/"
    pages = {one.pk: socket(path, cookie_of(one)) for one in people}
    pages[people[1].pk] = socket(path, f"{cookie_of(people[1])}; django_language=de")
    pages[people[2].pk].scope["headers"].append((b"accept-language", b"de-AT,en;q=0.5"))
    return match, pages


def _on_turn(match: Match) -> tuple[int, int]:
    """Return the player who must answer, and the prompt."""
    player = on_turn(match)
    assert player.user_id is not None
    return player.user_id, prompt_of(match, player)


async def test_each_viewer_sees_the_table_in_their_own_language(transactional_db: None) -> None:
    match, pages = await sync_to_async(_table)()
    languages = dict(zip(pages, ("en", "de", "de"), strict=True))
    for page in pages.values():
        assert (await page.connect())[0]
        await text(page, "#status")
    player, prompt = await sync_to_async(_on_turn)(match)
    body = {"do": "move", "move": "Roll", "prompt": str(prompt)}
    await pages[player].send_to(text_data=json.dumps({"headers": {}, "body": body}))
    for person, page in pages.items():
        pushed = await text(page, "#log-lines")
        assert not foreign(pushed, languages[person], ("Ann", "Bo", "Cy")), person
        verb = {"en": "roll", "de": "würfel"}[languages[person]]
        assert verb in pushed, person
    refused = {"do": "move", "move": "Announce", "prompt": "1", "dice": "9,9"}
    for person, page in pages.items():
        for wrong in (json.dumps({"headers": {}, "body": refused}), "junk"):
            await page.send_to(text_data=wrong)
            assert not foreign(await text(page, "#notice"), languages[person], ("Bo",))
        await page.disconnect()
