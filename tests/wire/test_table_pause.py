"""What programs and pages receive when a match is paused and resumed."""

from __future__ import annotations

from tests.kit.client import Json, Program, answer_of, on_turn, started


async def after(program: Program, kind: str) -> Json:
    """Return the data of the sync that follows this packet, already read or not."""
    at = program.packets.index(await program.had(kind))
    while not any(p["type"] == "GameDataSync" for p in program.packets[at:]):
        await program.read()
    data: Json = next(p["data"] for p in program.packets[at:] if p["type"] == "GameDataSync")
    return data


async def test_pause_is_announced_blocks_moves_and_is_shown_to_newcomers() -> None:
    async with Program() as ann, Program() as bob, Program() as eve:
        room = await started(ann, bob)
        running = ann.data
        assert answer_of(await ann.ask("Pause")) == "Done"
        for program in (ann, bob):
            data = await after(program, "Paused")
            told = next(p for p in program.packets if p["type"] == "Paused")
            assert told == {"type": "Paused", "username": "p0"}
            assert data["paused"]["by"] == "p0"
            assert (data["deadline"], data["offers"]) == (None, [])
            assert 0 < data["secondsLeft"] <= running["secondsLeft"]
            assert data["version"] == running["version"]
            assert data["awaited"] == running["awaited"]
        await eve.join(room, "eve", spectate=True)
        assert eve.data["paused"]["by"] == "p0"
        refused = await on_turn(ann, bob).ask("Roll")
        assert (refused["code"], refused["reason"]) == (
            "paused",
            "The match is paused until the host resumes it.",
        )
        assert answer_of(await bob.ask("Resume")) == "ignored"
        assert answer_of(await ann.ask("Nudge")) == "paused"
        assert answer_of(await bob.ask("SendNewChatMessage", message="tea?")) == "Done"
        assert answer_of(await ann.ask("Resume")) == "Done"
        for program in (ann, bob, eve):
            data = await after(program, "Resumed")
            assert "paused" not in data
            assert data["deadline"] is not None
        assert on_turn(ann, bob).data["offers"]
        assert answer_of(await on_turn(ann, bob).ask("Roll")) == "Done"
