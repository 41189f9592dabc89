"""No packet from a program raises an error on the server, whatever its fields contain."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

from games.contract.choices import move_types
from games.registry import GAMES
from games.wire.commands import PACKETS
from tests.kit.client import Program, seated

VALUES: list[Any] = [
    *(None, True, 0, -1, 1.5, 2**31, 2**63, 10**30, "", "x", "x" * 300, "\x00", "a\nb", "🎲" * 70),
    *([], ["x"], [["x"]], [None], {}, {"a": {}}, {"lives": 10**30}, {"username": "p1"}, "5,3"),
    *("p0", "p1", "mia", "K7QX2", "en", "public", "\u202e", "'; --", "%s", "<b>", ["own:1"], 1003),
]


def fields_of() -> dict[str, tuple[str, ...]]:
    """Return every packet a program can send, with its fields."""
    kinds: dict[str, type[msgspec.Struct]] = {p.__name__: p for p in PACKETS}
    kinds |= move_types(GAMES["mia"].rules.moves)
    return {kind: packet.__struct_encode_fields__ for kind, packet in kinds.items()}


def junk(dice: random.Random) -> str:
    kind, names = dice.choice(sorted(fields_of().items()))
    packet: dict[str, Any] = {"type": kind}
    for name in (*names, "id", "prompt", "more"):
        likely = 0.95 if name in names else 0.15
        if dice.random() < likely:
            packet[name] = dice.choice(VALUES)
    return json.dumps(packet)


@pytest.mark.parametrize("seed", range(2))
async def test_no_packet_causes_a_server_error(caplog: Any, seed: int) -> None:
    dice = random.Random(seed)
    for start in (False, True):
        async with Program() as ann, Program() as bob:
            await seated(ann, bob)
            if start:
                await ann.ask("StartGame")
            for at in range(150):
                text = junk(dice)
                if any(kind in text for kind in ('"Leave', '"KickPlayer"')):
                    continue
                await ann.raw(text)
                if at % 10 == 9:
                    answer = await ann.ask("GameDataRequest")
                    assert answer["type"] == "GameDataSync", (answer, text)
            codes = {p["code"] for p in ann.packets if p["type"] == "ActionFailed"}
            assert "bad_packet" in codes
            assert "error" not in codes
    assert not [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
