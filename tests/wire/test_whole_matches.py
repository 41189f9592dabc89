"""Programs that know only offers play every game with as few players as possible. No frame reveals
a secret. In simulated evenings (docs/simulation.md), they play with more.
"""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest
from channels.db import database_sync_to_async

from games.engine.told import told_acts_since
from games.models import Room
from games.registry import GAMES
from games.tables.loading import load
from tests.kit.client import QUICK, Program, seated, together


@pytest.mark.parametrize(("slug", "n"), [(slug, game.seats[0]) for slug, game in GAMES.items()])
async def test_programs_can_play_to_the_end_using_only_offers(slug: str, n: int) -> None:
    async with AsyncExitStack() as stack:
        programs = [await stack.enter_async_context(Program(seed=at)) for at in range(n)]
        await seated(*programs, game=slug, options=QUICK.get(slug, {}))
        await programs[0].send("StartGame")
        await together(*(program.play() for program in programs))
        for program in programs:
            end = await program.had("GameEnd")  # the answer to a late move may follow it
            placed = [name for group in end["places"] for name in group]
            assert sorted(placed) == sorted(f"p{at}" for at in range(n))
            failed = [p["code"] for p in program.packets if p["type"] == "ActionFailed"]
            # A move that arrives after the end of the match is ignored.
            assert set(failed) <= {"stale", "ignored"}, failed
        await database_sync_to_async(check_told)(programs)
        check_seeds(programs)


async def test_programs_and_bots_share_a_table(clock: None) -> None:
    async with Program() as ann:
        await ann.host(options={"lives": 2})
        for level in ("random", "easy", "normal"):
            await ann.ask("AddBot", level=level)
        await ann.ask("StartGame")
        await ann.play()
        assert ann.data["outcome"]["reason"] == "last_alive"
        await ann.ask("PlayAgain")
        while ann.data["status"] != "playing":
            await ann.until("GameDataSync")
        await ann.play()
        assert sum(ann.data["standings"].values()) == 2


def check_told(programs: list[Program]) -> None:
    """Check that each program received exactly what its seat may know of the log, in order."""
    room = Room.objects.get(code=programs[0].data["gameId"])
    match = load(room.pk).match
    assert match is not None
    story = list(told_acts_since(match, 0))
    for program in programs:
        seat = int(program.data["you"][1:])
        kinds = {plain["type"] for told_act in story for plain, _, _ in told_act.told}
        heard = [p for p in program.packets if p["type"] in kinds and "version" in p]
        due = [
            (told_act.version, plain["type"])
            for told_act in story
            for plain, to, _ in told_act.told
            if to is None or seat in to
        ]
        assert [(p["version"], p["type"]) for p in heard] == due
    apart = [p for p in programs[0].packets if p["type"] == "GameStarted"]
    assert len(apart) == 1


def check_seeds(programs: list[Program]) -> None:
    """Check that nobody receives the seed before the end."""
    for program in programs:
        for packet in program.packets:
            if packet["type"] == "GameEnd":
                break
            text = str(packet)
            assert "serverSeed" not in text or "'outcome': {" in text
