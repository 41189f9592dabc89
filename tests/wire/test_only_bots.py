"""Programs whose people watch bots: they ask to skip ahead; the host restarts and skips."""

from __future__ import annotations

from tests.kit.client import Program, answer_of, seated


async def test_programs_skip_and_restart_a_match_of_bots() -> None:
    async with Program() as ann, Program() as bob:
        await seated(ann, bob)
        for program in (ann, bob):
            await program.ask("SetSpectating", spectating=True)
        for _ in range(2):
            assert answer_of(await ann.ask("AddBot")) == "Done"
        assert answer_of(await ann.ask("SkipAhead")) == "not_allowed_now"
        assert answer_of(await ann.ask("StartGame")) == "Done"
        assert answer_of(await bob.ask("SkipAhead")) == "Done"
        asked = {"by": ["p1"], "needed": 2, "granted": False}
        assert await ann.had("SkipAsked") == {"type": "SkipAsked", **asked}
        while "skip" not in ann.data:
            await ann.until("GameDataSync")
        assert ann.data["skip"] == asked
        assert answer_of(await bob.ask("Restart")) == "ignored"
        first = ann.data["matchId"]
        assert answer_of(await ann.ask("Restart")) == "Done"
        assert (await bob.until("GameEnd"))["reason"] == "aborted"
        assert (await bob.until("GameStarted"))["matchId"] != first
        await bob.until("GameDataSync")
        assert "skip" not in bob.data
        assert answer_of(await ann.ask("SkipAhead")) == "Done"
        granted = await bob.until("SkipAsked")
        assert (granted["by"], granted["granted"]) == (["p0"], True)
