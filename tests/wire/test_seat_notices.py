"""The owner of a seat is notified on every open page and device when somebody claims it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.utils import timezone

from accounts import tokens
from accounts.models import User
from games.models import Member, Room
from tests.kit.client import Program
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.page_socket import cookie_of, socket, text

pytestmark = pytest.mark.django_db(transaction=True)


def _absent_bob() -> tuple[Room, Room, User, str, str]:
    """A table from which Bob is absent, another that he watches, and his credentials."""
    ann, bob, cleo = (PersonFactory(name=name) for name in ("Ann", "Bob", "Cleo"))
    room = open_table(ann, bob, cleo, game="mia", pace="none")
    start_match(room)
    other = open_table(PersonFactory(name="Dan"), bob, game="mia")
    Member.objects.filter(user=bob, room=room).update(
        away_since=timezone.now() - timedelta(seconds=20)
    )
    return room, other, bob, cookie_of(bob), tokens.make(bob, "phone")


def _claim(room: Room) -> None:
    Client().post(f"/t/{room.code}/", {"name": "Bob", "was": "on"}, follow=True)


async def test_browsers_and_programs_of_the_owner_are_told_that_a_seat_is_claimed() -> None:
    room, other, _bob, cookie, token = await sync_to_async(_absent_bob)()
    front = socket("/ws/you/", cookie)
    table = socket(f"/ws/table/{other.code}/", cookie)
    lobby = socket("/ws/lobby/", cookie)
    for page in (front, table, lobby):
        assert (await page.connect())[0]
    await text(table, 'id="seats"')
    async with Program({"authorization": f"Bearer {token}"}) as program:
        await program.until("Welcome")
        await sync_to_async(_claim)(room)
        sentence = "Bob 2 claims your seat."
        for page in (front, table):
            frame = await text(page, sentence)
            assert f'<a href="/t/{room.code}/">It is mine: back to the table</a>' in frame
        alert: dict[str, Any] = await program.until("ShowAlert")
        assert sentence in alert["message"]
    for page in (front, table, lobby):
        await page.disconnect()
