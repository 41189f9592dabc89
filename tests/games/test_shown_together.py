"""Simultaneous actions of several players are shown together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.contract.choices import random_move
from games.contract.luck import Luck
from games.engine import matches
from games.engine.reading import in_thread
from games.engine.snapshots import load_snapshot
from games.models import Match
from games.sockets import hub
from games.tables.table import Table
from tests.kit.costs import gentle
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.sent import wire_packet
from tests.kit.waiting import wait_for_async

pytestmark = pytest.mark.django_db(transaction=True)


class Onlooker:
    """A socket that records which acts it is shown together."""

    user_id = 0
    is_page = False

    def __init__(self) -> None:
        self.shown: list[list[int]] = []

    def show(self, before: Table | None, now: Table, memo: dict[Any, Any]) -> None:
        if before is not None:
            self.shown.append([act.version for act in now.acts])


class Later:
    """A replacement for the loop's timers, which fire only when the test fires them."""

    def __init__(self, loop: Any) -> None:
        self.loop, self.due = loop, list[Callable[[], None]]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loop, name)

    def call_later(self, seconds: float, call: Callable[..., None], *args: Any) -> Any:
        self.due.append(lambda: call(*args))
        return self.loop.call_later(1000, call, *args)


async def test_acts_in_quick_succession_are_shown_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, onlooker = _match(), Onlooker()
    our_hub = hub.hub()
    await our_hub.enter(match.room_id, onlooker)
    monkeypatch.setattr(hub, "SHOWN_EVERY", 1000.0)
    timers = Later(our_hub._loop)
    monkeypatch.setattr(our_hub, "_loop", timers)
    try:
        for _ in range(3):
            await _act(match)
        await wait_for_async(lambda: bool(timers.due), "nothing waits")
        assert onlooker.shown == []
        assert len(timers.due) == 1
        timers.due.pop()()
        assert onlooker.shown == [[2, 3, 4]]
    finally:
        await hub.close_hub()


async def test_act_after_a_pause_is_shown_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    match, onlooker = _match(), Onlooker()
    await hub.hub().enter(match.room_id, onlooker)
    monkeypatch.setattr(hub, "SHOWN_EVERY", 0.0)
    try:
        for version in (2, 3):
            await _act(match)
            await wait_for_async(lambda v=version: [v] in onlooker.shown, "it is not shown")
        assert onlooker.shown == [[2], [3]]
    finally:
        await hub.close_hub()


def _match() -> Match:
    people = [PersonFactory() for _ in range(3)]
    return start_match(open_table(*people, game="mia", pace="none"))


async def _act(match: Match) -> None:
    seen = await in_thread(load_snapshot, match.pk)
    (seat,) = seen.game.rules.awaited(seen.state)
    made = random_move(seen.game.rules.moves, gentle(seen, seat)[:1], Luck(b"onlooker", 1))
    packet, prompt = wire_packet(made, seen.names), seen.state.prompts[seat]
    await matches.move(match.room_id, seen.players[seat].user_id, packet, prompt)
