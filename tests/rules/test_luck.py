"""The luck is what the document says it is: the document's own code recomputes it."""

from __future__ import annotations

import re
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from games.rules.luck import Luck, ScriptedLuck, bot_luck, commitment, mix

DOCUMENT = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text()
SEED = bytes(range(32))


def documented() -> dict[str, Any]:
    """The functions of the document."""
    (code,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.S)
    found: dict[str, Any] = {}
    exec(code, found)
    return found


@pytest.mark.parametrize("act", [1, 2, 300, 70000])
def test_the_document_recomputes_every_draw(act: int) -> None:
    ours, theirs = Luck(SEED, act), documented()
    stream = theirs["words"](SEED, act)
    for size in (1, 2, 6, 52, 1000, 2**63 + 1):
        assert ours.draw("x", size) == theirs["draw"](stream, size)
    assert list(ours.shuffle("y", 17)) == theirs["shuffle"](stream, 17)


def test_the_vector_of_the_document_is_right() -> None:
    luck = Luck(SEED, 1)
    draws, shuffle = [luck.draw("x", 6) for _ in range(3)], list(luck.shuffle("y", 5))
    assert f"`{draws}`" in DOCUMENT
    assert f"`{shuffle}`" in DOCUMENT


def test_draws_are_even() -> None:
    luck = Luck(SEED, 7)
    counts = Counter(luck.draw("die", 6) for _ in range(6000))
    assert all(850 < counts[face] < 1150 for face in range(6))
    orders = Counter(luck.shuffle("order", 3) for _ in range(6000))
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())


def test_every_draw_is_noted() -> None:
    luck = Luck(SEED, 1)
    first, order = luck.draw("die", 6), luck.shuffle("order", 3)
    assert [(d.label, d.size, d.value) for d in luck.draws] == [
        ("die", 6, first),
        ("order", 3, order),
    ]


def test_the_commitment_is_the_hash_of_the_servers_bytes() -> None:
    assert commitment(SEED) == sha256(SEED).hexdigest()


def test_nonces_are_told_apart_by_their_length_in_bytes() -> None:
    assert mix(SEED, ["ab", "c"]) != mix(SEED, ["a", "bc"])
    assert mix(SEED, ["ü"]) != mix(SEED, ["u"])


def test_bots_have_a_stream_of_their_own() -> None:
    streams = [Luck(SEED, 1), bot_luck(SEED, 0, 1), bot_luck(SEED, 1, 1), bot_luck(SEED, 0, 2)]
    assert len({stream.draw("x", 2**60) for stream in streams}) == 4


def test_scripted_luck_says_what_is_missing() -> None:
    luck = ScriptedLuck(die=[3], lapse_target=[0])
    assert luck.draw("die", 6) == 3
    assert luck.draw("lapse.target", 2) == 0
    with pytest.raises(AssertionError, match="nothing scripted"):
        luck.draw("die", 6)
