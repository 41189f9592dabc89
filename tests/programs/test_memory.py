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


def test_new_match_clears_earlier_events() -> None:
    memory = told(JOINED, OPEN, STARTED, event("Old", 1), sync(1))
    told({**STARTED, "matchId": 2}, event("New", 1), sync(1, 2), memory=memory)
    assert kinds(memory) == ["New"]


def test_events_known_from_the_log_are_not_repeated() -> None:
    memory = told(JOINED, sync(1), event("E2", 2))
    acts = [{"version": at, "events": [event(f"E{at}", at)]} for at in (1, 2, 3)]
    memory.fill({"matchId": 1, "acts": acts})
    told(event("E3", 3), sync(3), event("E4", 4), sync(4), memory=memory)
    memory.fill({"matchId": 1, "acts": []})
    assert kinds(memory) == ["E1", "E2", "E3", "E4"]


def test_only_missed_events_are_requested_after_an_absence() -> None:
    memory = told(JOINED, OPEN, STARTED, event("E1", 1), sync(1), event("half of E2", 2))
    told({"type": "GameRejoined"}, sync(4), memory=memory)
    assert memory.missing == 1
    acts = [{"version": at, "events": [event(f"E{at}", at)]} for at in (2, 3, 4)]
    memory.fill({"matchId": 1, "acts": acts})
    memory.fill({"matchId": 1, "acts": []})
    assert kinds(memory) == ["E1", "E2", "E3", "E4"]


def test_match_finished_before_joining_is_not_reported() -> None:
    over = {"status": "finished", "outcome": {"winners": []}}
    assert not told(JOINED, sync(9, **over)).ended
    memory = told(JOINED, OPEN, STARTED, sync(1), sync(2, **over), sync(2, **over))
    assert len(memory.ended) == 1


def test_match_finished_during_an_absence_is_reported() -> None:
    over = {"status": "finished", "outcome": {"winners": []}}
    memory = told(JOINED, OPEN, STARTED, sync(1), {"type": "GameRejoined"}, sync(5, **over))
    assert len(memory.ended) == 1


def test_log_of_an_old_match_is_ignored() -> None:
    memory = told(JOINED, sync(1, match_id=2))
    memory.fill({"matchId": 1, "acts": []})
    assert not memory.ready


def test_events_skipped_for_a_slow_reader_are_requested() -> None:
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
