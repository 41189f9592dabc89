"""Programs at a table that continues with another game, votes and reacts."""

from __future__ import annotations

from tests.kit.client import Program, answer_of, seated, together


async def test_programs_play_vote_and_react_over_several_games() -> None:
    async with Program() as ann, Program(seed=2) as bob, Program(seed=3) as cleo:
        room = (await ann.host("mia", "ann", options={"lives": 1}))["room"]
        await bob.join(room, "bob", plays=["mia", "coup"])
        await cleo.join(room, "cleo")
        assert answer_of(await ann.ask("StartGame")) == "Done"
        await together(*(program.play() for program in (ann, bob, cleo)))
        evening = ann.data["evening"]
        assert sorted(evening.values()) == [0, 1, 2]
        assert answer_of(await ann.ask("SetGame", game="chess")) == "bad_game"
        stale = await ann.ask("SetGame", game="coup", instead="cards")
        assert stale["reason"] == "Mia was just chosen. Choose again if you want another game."
        assert answer_of(await ann.ask("SetGame", game="coup", options={"startCoins": 6})) == "Done"
        for program in (bob, cleo):
            assert (await program.until("GameSet"))["options"]["startCoins"] == 6
            await program.until("GameDataSync")
        assert (cleo.data["game"], cleo.data["matchId"], cleo.data["view"]) == ("coup", None, None)
        assert cleo.data["evening"] == evening
        playing = [p["username"] for p in cleo.data["players"] if not p["isSpectator"]]
        assert playing == ["ann", "bob"]
        assert answer_of(await bob.ask("React", reaction="clap")) == "Done"
        reacted = {"username": "bob", "reaction": "clap", "audience": "table"}
        assert await cleo.until("Reacted") == {"type": "Reacted", **reacted}
        assert answer_of(await cleo.ask("CallVote", about="game", game="mia")) == "ignored"
        assert answer_of(await bob.ask("CallVote", about="host", username="bob")) == "Done"
        called = await ann.until("VoteCalled")
        assert (called["voters"], called["needed"]) == (["ann", "bob"], 2)
        assert answer_of(await cleo.ask("CastVote", yes=True)) == "came_later"
        assert answer_of(await ann.ask("CastVote", yes=True)) == "Done"
        assert (await cleo.until("HostSet"))["username"] == "bob"
        assert answer_of(await bob.ask("StartGame")) == "Done"
        await together(bob.play(), ann.play())
        assert sum(bob.data["evening"].values()) == 4


async def test_moves_are_rejected_after_the_game_has_changed() -> None:
    async with Program() as ann, Program() as bob:
        await seated(ann, bob)
        assert answer_of(await ann.ask("StartGame")) == "Done"
        await bob.until(lambda p: p["type"] == "GameDataSync" and p["data"]["matchId"])
        prompt = bob.data["prompt"]
        assert answer_of(await ann.ask("CallVote", about="end")) == "Done"
        assert answer_of(await bob.ask("CastVote", yes=True)) == "Done"
        assert answer_of(await ann.ask("SetGame", game="coup")) == "Done"
        assert answer_of(await bob.ask("Income", prompt=prompt)) == "ignored"
        assert answer_of(await bob.ask("Roll", prompt=prompt)) == "bad_packet"
