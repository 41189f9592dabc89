"""Frames as their recipient reads them: plain JSON."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from games.tables import diff, frames, serializers
from games.tables.table import Table
from games.wire.wire import to_wire

Json = dict[str, Any]


def packets(before: Table, now: Table, user_id: int, lang: str = "en") -> list[Json]:
    """Return the packets that a change sends to this member. Check that spliced frames agree."""
    found = [plain(packet) for packet in diff.packets(before, now, user_id, lang)]
    timeless = [_timeless(packet) for packet in found]
    for syncs in ("whole", "changes"):
        known = _data(before, user_id)
        sent = frames.ready(before, now, user_id, lang, {}, syncs)
        spliced = [with_changes(json.loads(frame), known) for frame in sent]
        assert [_timeless(packet) for packet in spliced] == timeless, syncs
    return found


def with_changes(packet: Json, known: Json) -> Json:
    """Apply `GameDataChanged` to known data and return the equivalent full sync."""
    if packet["type"] != "GameDataChanged":
        return packet
    changed = packet["data"]
    entries = {one["username"]: one for one in changed.get("players", ())}
    data = {
        **known,
        **changed,
        "players": [entries.get(one["username"], one) for one in known["players"]],
        "view": {**known["view"], **changed.get("view", {})},
    }
    absent = {name for name in ("awaitedFrom", "paused", "skip") if data.get(name) is None}
    data = {name: value for name, value in data.items() if name not in {*absent, "chat"}}
    return {"type": "GameDataSync", "data": data}


def _timeless(packet: Json) -> Json:
    """Return a packet without the fields that change only with time."""
    if packet["type"] != "GameDataSync":
        return packet
    return {**packet, "data": {**packet["data"], "secondsLeft": None}}


def sync_data(table: Table, user_id: int | None) -> Json:
    """Return `GameDataSync.data` for this user.

    Check that the spliced data agrees, except for the chat.
    """
    data = _data(table, user_id)
    spliced = json.loads(frames.sync_frame(table, user_id or 0, "en"))
    whole = {key: value for key, value in data.items() if key != "chat"}
    assert _timeless(spliced)["data"] == {**whole, "secondsLeft": None}
    return data


def _data(table: Table, user_id: int | None) -> Json:
    return plain(serializers.serialize_table(table, user_id, with_chat=True))


def plain(packet: Any) -> Json:
    read: Json = json.loads(msgspec.json.encode(packet))
    return read


def wire_packet(move: Any, names: tuple[str, ...]) -> Json:
    """Return a move as the packet a program sends."""
    packet: Json = {k: v for k, v in to_wire(move, names).items() if v is not None}
    return packet
