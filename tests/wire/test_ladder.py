"""The ladder over the wire: programs are available, are told of their tables, and play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games.models import Match, ProgramVersion
from games.rooms import ladder
from games.sockets import hub
from tests.kit.client import Program, answer_of, program_of, together
from tests.kit.factories import PersonFactory
from tests.kit.ladder import version_of
from tests.kit.waiting import wait_for


@pytest.fixture(autouse=True)
def _ladder(settings: Any) -> None:
    settings.LADDER = True


async def open_tables() -> None:
    await ladder.open_tables(Random(1))


async def two() -> list[tuple[ProgramVersion, dict[str, str]]]:
    found = [await sync_to_async(version_of)() for _ in range(2)]
    return [(version, {"authorization": f"Bearer {token}"}) for version, token in found]


async def play(headers: dict[str, str], room: str) -> None:
    async with Program(headers) as program:
        assert (await program.ask("JoinGame", room=room))["type"] == "GameRejoined"
        await program.play()


async def test_programs_are_told_of_their_table_and_play() -> None:
    (_one, first), (_two, second) = await two()
    async with Program(first) as ann, Program(second) as bob:
        for program in (ann, bob):
            assert (await program.ask("SetAvailable", games=["mia"], tables=2))["type"] == "Done"
        await open_tables()
        told = [await program.until("TableStart") for program in (ann, bob)]
        assert told[0] == told[1] == {**told[0], "game": "mia", "again": False}
        await together(play(first, told[0]["room"]), play(second, told[0]["room"]))
        match = await Match.objects.aget()
        for program in (ann, bob):
            end = await program.until("TableEnd")
            assert (end["room"], end["match"]) == (told[0]["room"], match.pk)


async def test_returning_program_is_told_of_its_tables_again() -> None:
    (_one, first), (_two, second) = await two()
    async with Program(first) as ann, Program(second) as bob:
        for program in (ann, bob):
            await program.ask("SetAvailable", games=["mia"])
        await open_tables()
        told = await ann.until("TableStart")
    async with Program(first) as ann:
        await ann.ask("SetAvailable", games=["mia"])
        assert await ann.until("TableStart") == {**told, "again": True}


async def test_table_of_another_process_is_found_by_polling(monkeypatch: Any) -> None:
    monkeypatch.setattr(hub, "POLL", 0.05)
    monkeypatch.setattr(hub.notifications, "subscribe", lambda listener: None)
    (_one, first), (other, _headers) = await two()
    async with Program(first) as ann:
        await ann.ask("SetAvailable", games=["mia"])
        await ladder.set_available(other.user_id, ["mia"], 1)
        await open_tables()
        assert (await ann.until("TableStart"))["game"] == "mia"


async def test_program_that_disconnects_gets_no_more_tables() -> None:
    (version, headers), _other = await two()
    async with Program(headers) as one, Program(headers) as another:
        for program in (one, another):
            await program.ask("SetAvailable", games=["mia"])
        await one.socket.disconnect()
        await version.arefresh_from_db()
        assert version.available_until is not None
    gone = ProgramVersion.objects.filter(pk=version.pk, available_until=None)
    await sync_to_async(wait_for)(gone.exists)


async def test_program_withdraws() -> None:
    (version, headers), _other = await two()
    async with Program(headers) as program:
        for games in (["mia"], []):
            assert answer_of(await program.ask("SetAvailable", games=games)) == "Done"
        await version.arefresh_from_db()
        assert version.available_until is None


@pytest.mark.parametrize(
    ("fields", "answer"),
    [
        ({"games": ["chess"]}, "bad_game"),
        ({"games": ["mia"], "tables": 0}, "bad_packet"),
        ({"games": ["mia"], "tables": 21}, "bad_packet"),
        ({}, "bad_packet"),
    ],
)
async def test_bad_request_is_refused(fields: dict[str, Any], answer: str) -> None:
    (_version, headers), _other = await two()
    async with Program(headers) as program:
        assert answer_of(await program.ask("SetAvailable", **fields)) == answer


async def test_others_are_told_what_is_wrong() -> None:
    person = await sync_to_async(PersonFactory)()
    program = await program_of(person, None)
    answer = await program.ask("SetAvailable", games=["mia"])
    assert answer_of(answer) == "programs_only"
    assert "token of a program" in answer["reason"]
    await program.__aexit__()
    async with Program() as nobody:
        assert answer_of(await nobody.ask("SetAvailable", games=["mia"])) == "programs_only"


async def test_server_without_a_ladder_refuses(settings: Any) -> None:
    (_version, headers), _other = await two()
    settings.LADDER = False
    async with Program(headers) as program:
        assert answer_of(await program.ask("SetAvailable", games=["mia"])) == "not_allowed_now"


async def test_members_of_a_ladder_table_cannot_change_it() -> None:
    (_one, first), (_two, second) = await two()
    async with Program(first) as ann, Program(second) as bob, Program(first) as player:
        for program in (ann, bob):
            await program.ask("SetAvailable", games=["mia"])
        await open_tables()
        told = await ann.until("TableStart")
        await player.ask("JoinGame", room=told["room"])
        for packet, fields in (
            ("CallVote", {"about": "pause"}),
            ("SetSpectating", {"spectating": True}),
            ("StartGame", {}),
            ("AddBot", {}),
        ):
            assert answer_of(await player.ask(packet, **fields)) == "ignored"
