"""Programs that know only offers play every game at every size; no frame holds what it must not."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

import pytest

from games.rules import GAMES
from tests.wire.client import Json, Program, seated, together

QUICK: dict[str, Json] = {"mia": {"lives": 1}, "coup": {"startCoins": 6}}
SIZES = [(slug, n) for slug, game in GAMES.items() for n in range(game.seats[0], game.seats[1] + 1)]
PRIVATE = {"Rolled": "dice", "CardDrawn": "role", "PoolDrawn": "pool"}


@pytest.mark.parametrize(("slug", "n"), SIZES)
async def test_programs_that_know_only_offers_play_to_the_end(slug: str, n: int) -> None:
    async with AsyncExitStack() as stack:
        programs = [await stack.enter_async_context(Program(seed=at)) for at in range(n)]
        await seated(*programs, game=slug, options=QUICK.get(slug, {}))
        await programs[0].send("StartGame")
        await together(*(program.play() for program in programs))
        for program in programs:
            end = await program.until("GameEnd")
            assert sorted(name for group in end["places"] for name in group) == [
                f"p{at}" for at in range(n)
            ]
            failed = [p["code"] for p in program.packets if p["type"] == "ActionFailed"]
            assert set(failed) <= {"stale"}, failed
        check_versions(programs)
        check_secrets(programs)


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


def check_versions(programs: list[Program]) -> None:
    """Every act told to all is heard by everybody exactly once, in order."""
    heard: list[list[Any]] = []
    for program in programs:
        events = [p for p in program.packets if "version" in p and p["type"] not in PRIVATE]
        kept = [p for p in events if p["type"] not in ("TurnStart", "TurnEnd", "Done")]
        assert [p["version"] for p in kept] == sorted(p["version"] for p in kept)
        heard.append(
            [(p["version"], p["type"], str(p)) for p in kept if p["type"] != "GameStarted"]
        )
    assert all(other == heard[0] for other in heard[1:])


def check_secrets(programs: list[Program]) -> None:
    """Private events and fields reach their owner alone; the seed nobody before the end."""
    for program in programs:
        for packet in program.packets:
            if packet["type"] == "GameEnd":
                break
            text = str(packet)
            assert "serverSeed" not in text or "'outcome': {" in text
            if packet["type"] != "GameDataSync" or packet["data"]["status"] != "playing":
                continue
            for player in packet["data"]["players"]:
                for card in player.get("cards", []):
                    assert card["faceUp"] or card["role"] is None
    private = [
        (p["version"], program.data["you"], str(p))
        for program in programs
        for p in program.packets
        if p["type"] in PRIVATE
    ]
    assert len(set(private)) == len(private), "an event came twice"
    owners = {version: {you for v, you, _ in private if v == version} for version, *_ in private}
    assert all(len(who) == 1 for who in owners.values()), owners
