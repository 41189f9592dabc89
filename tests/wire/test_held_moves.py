"""A move that would hide a result from others is executed, and acknowledged, slightly later."""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async

from games import rooms
from games.models import Member
from tests.kit.client import Program


async def until_phase(program: Program, phase: str) -> None:
    while (program.data.get("view") or {}).get("phase") != phase:
        await program.until("GameDataSync")


async def test_last_continue_is_acknowledged_after_the_result_was_shown(settings: Any) -> None:
    settings.RESULT_SECONDS = 0.3
    async with Program() as ann, Program() as bob, Program() as eve:
        created = await ann.host(options={"onFault": "lose"})
        await bob.join(created["room"], "bob")
        await eve.join(created["room"], "eve", spectate=True)
        watching = await sync_to_async(Member.objects.get)(name="eve")
        await rooms.opened_page(watching.pk)
        await ann.ask("StartGame")
        for program in (ann, bob, eve):
            await until_phase(program, "turn")
        first = ann if ann.data["turn"] == "ann" else bob
        await first.ask("See")
        for program in (ann, bob, eve):
            await until_phase(program, "result")
        assert (await ann.ask("Continue"))["type"] == "Done"
        assert (await bob.ask("Continue"))["type"] == "Done"
        await until_phase(eve, "turn")


async def test_held_move_is_ignored_if_its_player_leaves_the_table(settings: Any) -> None:
    settings.RESULT_SECONDS = 60
    async with Program() as ann, Program() as bob, Program() as eve:
        created = await ann.host(options={"onFault": "lose"})
        await bob.join(created["room"], "bob")
        await eve.join(created["room"], "eve", spectate=True)
        watching = await sync_to_async(Member.objects.get)(name="eve")
        await rooms.opened_page(watching.pk)
        await ann.ask("StartGame")
        for program in (ann, bob):
            await until_phase(program, "turn")
        await (ann if ann.data["turn"] == "ann" else bob).ask("See")
        for program in (ann, bob):
            await until_phase(program, "result")
        assert (await ann.ask("Continue"))["type"] == "Done"
        await bob.send("Continue", id="held")
        await bob.send("LeaveGame")
        answer = await bob.until(lambda packet: packet.get("id") == "held")
        assert (answer["type"], answer["code"]) == ("ActionFailed", "ignored")
