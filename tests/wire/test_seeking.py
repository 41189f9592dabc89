"""Quick match over the wire: programs wait, are told who waits, and come to their table."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

from asgiref.sync import sync_to_async
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from games.models import Match, Room, Seek
from games.rooms import seeking
from games.sockets import hub, seekers
from tests.kit.client import Program, answer_of, program_of, together
from tests.kit.factories import AccountFactory, PersonFactory
from tests.kit.waiting import wait_for
from tests.kit.writing import PATIENCE

PAIR = {"game": "mia", "programs": True, "seats": [2, 2]}


async def advance() -> None:
    await seeking.advance()


async def matched(program: Program) -> str:
    """Wait for the table of a program, and come to it. Return its code."""
    found = await program.had("Matched")
    await program.join(found["room"], None)
    return str(found["room"])


async def test_two_programs_find_each_other_and_play() -> None:
    async with Program() as ann, Program() as bob:
        answer = await ann.ask("Seek", username="ann", **PAIR)
        assert (answer["game"], answer["waiting"], answer["wanted"]) == ("mia", 1, 2)
        assert (await bob.ask("Seek", username="bob", **PAIR))["type"] == "Seeking"
        assert (await ann.had("Matched"))["token"]
        assert await matched(ann) == await matched(bob)
        await advance()
        await together(ann.play(), bob.play())
    assert await Match.objects.aget()
    assert not await Seek.objects.aexists()


async def test_waiting_program_is_told_of_every_change() -> None:
    async with Program() as ann, Program() as bob:
        await ann.ask("Seek", game="cards", username="ann", programs=True)
        await bob.ask("Seek", game="cards", username="bob", programs=True)
        told = await ann.until(lambda p: p["type"] == "Seeking" and p["waiting"] == 2)
        assert (told["game"], told["wanted"]) == ("cards", 3)
        assert (await bob.ask("CancelSeek", game="cards"))["type"] == "Done"
        await ann.until(lambda p: p["type"] == "Seeking" and p["waiting"] == 1)


async def test_match_made_by_another_process_is_found_by_polling(monkeypatch: Any) -> None:
    monkeypatch.setattr(hub, "POLL", 0.05)
    monkeypatch.setattr(hub.notifications, "subscribe", lambda listener: None)
    async with Program() as ann:
        await ann.ask("Seek", username="ann", **PAIR)
        other = await sync_to_async(PersonFactory)()
        await seeking.seek(other.pk, "mia", str(other), (2, 2), programs=True)
        assert await ann.until("Matched")


async def test_socket_renews_the_wait_and_its_end_shortens_it(monkeypatch: Any) -> None:
    monkeypatch.setattr(seekers.Seekers, "renewed_every", 0.05)
    lost = timedelta(seconds=26)

    async def lasts_long() -> bool:
        return bool(await Seek.objects.filter(until__gt=F("since") + lost).aexists())

    async with Program() as ann:
        await ann.ask("Seek", username="ann", **PAIR)
        await Seek.objects.aupdate(until=F("since") + timedelta(seconds=20))  # it must not expire
        async with asyncio.timeout(PATIENCE):
            while not await lasts_long():
                await ann.quiet(0.05)
        monkeypatch.setattr(seekers.Seekers, "renewed_every", 60)
    await sync_to_async(wait_for)(lambda: not Seek.objects.filter(until__gt=F("since") + lost))


async def test_cancelling_after_the_match_leaves_the_table() -> None:
    async with Program() as ann, Program() as bob:
        await ann.ask("Seek", username="ann", **PAIR)
        await bob.ask("Seek", username="bob", **PAIR)
        await bob.had("Matched")
        await bob.ask("CancelSeek", game="mia")
        room = await Room.objects.aget()
        left = room.members.filter(left_at=None).values_list("name", flat=True)
        assert [name async for name in left] == ["ann"]


async def test_account_may_look_for_a_rated_match() -> None:
    people = [await sync_to_async(member)() for _ in range(2)]
    async with Program() as guest:
        answer = await guest.ask("Seek", username="gil", rated=True, **PAIR)
        assert answer_of(answer) == "cannot_be_rated"
    programs = [await program_of(person, None) for person in people]
    for program in programs:
        await program.ask("Seek", rated=True, **PAIR)
    for program in programs:
        await matched(program)
        assert program.data["rated"] == "yes"
    for program in programs:
        await program.__aexit__()


def member() -> User:
    return AccountFactory(date_joined=timezone.now() - timedelta(days=2))


async def test_bad_requests_are_refused() -> None:
    async with Program() as ann:
        for fields, code in (
            ({"game": "chess"}, "bad_game"),
            ({"game": "mia", "seats": [5, 2]}, "bad_seats"),
            ({"game": "mia", "seats": [2]}, "bad_packet"),
            ({"game": "mia", "seats": [0, 2]}, "bad_packet"),
            ({"game": "mia", "pace": "days"}, "bad_packet"),
        ):
            assert answer_of(await ann.ask("Seek", username="ann", **fields)) == code, fields
        answer = await ann.ask("Seek", game="mia", username="\u200b")
        assert answer["type"] == "PlayerJoinRejected"


async def test_seeks_are_limited(settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "seeks": (3, 86_400)}
    person = await sync_to_async(PersonFactory)()
    program = await program_of(person, None)
    answers = [answer_of(await program.ask("Seek", game="mia")) for _ in range(4)]
    assert answers == [*["Seeking"] * 3, "too_often"]
    await program.__aexit__()
