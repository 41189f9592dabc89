"""A client remembers the whole match exactly once, whatever it missed."""

from __future__ import annotations

from typing import Any

from parlour_client import Json
from parlour_client.memory import Memory


def sync(version: int | None = None, match_id: int | None = 1, **data: Any) -> Json:
    given = {"matchId": match_id, "version": version, "status": "playing", "outcome": None}
    return {"type": "GameDataSync", "data": {**given, **data}}


def event(kind: str, version: int) -> Json:
    return {"type": kind, "version": version}


def told(*packets: Json, memory: Memory | None = None) -> Memory:
    memory = memory or Memory()
    for packet in packets:
        memory.take(packet)
    return memory


def kinds(memory: Memory) -> list[str]:
    return [one["type"] for one in memory.heard]


OPEN = sync(None, None, status="open")
JOINED = {"type": "GameJoined"}
STARTED = {"type": "GameStarted", "matchId": 1, "version": 1}


def test_a_new_match_begins_a_new_story() -> None:
    memory = told(JOINED, OPEN, STARTED, event("Old", 1), sync(1))
    told({**STARTED, "matchId": 2}, event("New", 1), sync(1, 2), memory=memory)
    assert kinds(memory) == ["New"]


def test_what_the_log_has_told_is_not_told_twice() -> None:
    memory = told(JOINED, sync(1), event("E2", 2))
    acts = [{"version": at, "events": [event(f"E{at}", at)]} for at in (1, 2, 3)]
    memory.fill({"matchId": 1, "acts": acts})
    told(event("E3", 3), sync(3), event("E4", 4), sync(4), memory=memory)
    memory.fill({"matchId": 1, "acts": []})
    assert kinds(memory) == ["E1", "E2", "E3", "E4"]


def test_after_an_absence_only_what_was_missed_is_asked_for() -> None:
    memory = told(JOINED, OPEN, STARTED, event("E1", 1), sync(1), event("half of E2", 2))
    told({"type": "GameRejoined"}, sync(4), memory=memory)
    assert memory.missing == 1
    acts = [{"version": at, "events": [event(f"E{at}", at)]} for at in (2, 3, 4)]
    memory.fill({"matchId": 1, "acts": acts})
    memory.fill({"matchId": 1, "acts": []})
    assert kinds(memory) == ["E1", "E2", "E3", "E4"]


def test_a_match_that_was_over_before_we_came_is_no_news() -> None:
    over = {"status": "finished", "outcome": {"winners": []}}
    assert not told(JOINED, sync(9, **over)).ended
    memory = told(JOINED, OPEN, STARTED, sync(1), sync(2, **over), sync(2, **over))
    assert len(memory.ended) == 1


def test_a_match_that_ended_while_we_were_away_is_news() -> None:
    over = {"status": "finished", "outcome": {"winners": []}}
    memory = told(JOINED, OPEN, STARTED, sync(1), {"type": "GameRejoined"}, sync(5, **over))
    assert len(memory.ended) == 1


def test_an_old_log_says_nothing_about_a_new_match() -> None:
    memory = told(JOINED, sync(1, match_id=2))
    memory.fill({"matchId": 1, "acts": []})
    assert not memory.ready


def test_who_read_too_slowly_asks_for_the_story_that_was_left_out() -> None:
    memory = Memory()
    data = {"matchId": 1, "version": 4, "status": "playing", "outcome": None}
    memory.take({"type": "GameJoined"})
    memory.take({"type": "GameDataSync", "data": data})
    memory.fill({"matchId": 1, "acts": []})
    assert memory.ready
    memory.take({"type": "GameDataSync", "data": {**data, "version": 9}, "missed": True})
    assert memory.missing == 4
    memory.fill({"matchId": 1, "acts": [{"version": 7, "events": [{"type": "Rolled"}]}]})
    memory.fill({"matchId": 1, "acts": []})
    assert memory.ready
    assert memory.heard == [{"type": "Rolled"}]
