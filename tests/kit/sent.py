"""What is sent, as whoever gets it reads it: plain JSON."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from games import diff, serializers
from games.table import Table
from games.wire import to_wire

Json = dict[str, Any]


def packets(before: Table, now: Table, user_id: int, lang: str = "en") -> list[Json]:
    """Everything this member is sent of what is new."""
    return [plain(packet) for packet in diff.packets(before, now, user_id, lang)]


def sync_data(table: Table, user_id: int | None) -> Json:
    """`GameDataSync.data` for this person."""
    return plain(serializers.serialize_table(table, user_id))


def plain(packet: Any) -> Json:
    read: Json = json.loads(msgspec.json.encode(packet))
    return read


def wire_packet(move: Any, names: tuple[str, ...]) -> Json:
    """A move as a program sends it."""
    packet: Json = {k: v for k, v in to_wire(move, names).items() if v is not None}
    return packet
