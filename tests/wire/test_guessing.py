"""Guesses of a room's password are limited without slowing down other people."""

from __future__ import annotations

import asyncio
import threading
from contextlib import AsyncExitStack
from typing import Any

from accounts import hashing
from games.rooms import passwords
from tests.kit.client import Program


async def test_twenty_wrong_passwords_in_a_row_close_the_connection() -> None:
    async with Program() as ann, Program() as eve:
        created = await ann.host(password="dragon")
        for guess in range(20):
            asked = {"room": created["room"], "username": "eve", "password": f"guess {guess}"}
            assert (await eve.ask("JoinGame", **asked))["reason"] == "WrongPassword"
        assert await eve.closing() == 4008


async def test_others_can_join_and_play_while_passwords_are_guessed(monkeypatch: Any) -> None:
    may_go_on = threading.Event()

    def slow(password: str, stored: str) -> bool:
        return not may_go_on.wait(20)

    async with AsyncExitStack() as stack:
        ann, bob, late = [await stack.enter_async_context(Program()) for _ in range(3)]
        locked = await ann.host(password="dragon")
        monkeypatch.setattr(passwords, "check_password", slow)
        asked = {"room": locked["room"], "password": "guess"}
        guesses = []
        for number in range(hashing.MOST_WAITING + 1):
            eve = await stack.enter_async_context(Program())
            guesses.append(asyncio.create_task(eve.ask("JoinGame", username=f"e{number}", **asked)))
        try:
            done, _ = await asyncio.wait(guesses, return_when=asyncio.FIRST_COMPLETED)
            assert [(await guess)["code"] for guess in done] == ["busy"]
            assert (await ann.ask("GameDataRequest"))["type"] == "GameDataSync"
            open_room = await bob.host(name="bob")
            assert (await late.join(open_room["room"], "late"))["type"] == "GameJoined"
        finally:
            may_go_on.set()
            await asyncio.gather(*guesses)
