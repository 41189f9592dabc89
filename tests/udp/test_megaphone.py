"""Source addresses can be forged, so a REGISTER must not cause much traffic to a victim."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from games.models import UdpName
from games.udp import allowance, listeners
from games.udp.allowance import MOST_BYTES, Allowance, Allowances
from games.udp.server import UdpServer
from tests.kit.udp import Player, Program, points, token, wait_until

Serve = Callable[..., UdpServer]
Make = Callable[..., Program]
Play = Callable[[str], Player]


@pytest.fixture
def busy(serve: Serve, player: Play, settings: Any) -> Player:
    """One of two programs that play round after round."""
    settings.MIA_ANSWER_MS = 100
    serve()
    one, _two = player("one"), player("two")
    wait_until(lambda: one.scores and "two" in one.scores[-1])
    return one


def rounds_pass(busy: Player, rounds: int) -> None:
    heard = len(busy.scores)
    wait_until(lambda: len(busy.scores) >= heard + rounds)


def test_registering_again_does_not_renew_the_allowance_for_a_minute(
    busy: Player, program: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    forged = program("forged", "127.0.0.9")
    next_door = program("forged", "127.0.0.9")
    forged.register()
    rounds_pass(busy, 50)
    for one in (forged, next_door):
        for name in ("forged", "other", "third"):
            one.send(f"REGISTER;{name}")
            rounds_pass(busy, 1)
    rounds_pass(busy, 10)
    assert forged.received() <= MOST_BYTES
    monkeypatch.setattr(allowance, "RENEWED", 0.0)
    assert forged.register() == "REGISTERED"


def test_program_that_answers_receives_everything_afterwards(
    busy: Player, program: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(allowance, "MOST_BYTES", 500)
    slow = program("slow", "127.0.0.9")
    slow.register()
    asked = token(slow.until("ROUND STARTING"))
    rounds_pass(busy, 10)
    assert slow.received() <= 500
    slow.send(f"JOIN;{asked}")  # far too late for that round
    slow.until("ROUND STARTING")
    rounds_pass(busy, 5)
    assert slow.received() > 1000


def test_rounds_do_not_wait_for_a_program_no_longer_invited(
    busy: Player, program: Make, settings: Any
) -> None:
    program("gone", "127.0.0.9").register()
    rounds_pass(busy, 5)
    settings.MIA_ANSWER_MS = 3_600_000
    rounds_pass(busy, 5)


def test_name_that_never_played_is_replaced_by_a_seventeenth(
    serve: Serve, program: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve()
    made = [program(f"n{at}") for at in range(17)]
    made[0].register()
    made[0].join()
    assert points(made[0].until("SCORE")) == {"n0": 1}
    assert {one.register() for one in made[1:16]} == {"REGISTERED"}
    assert made[16].register() == "REJECTED"
    monkeypatch.setattr(listeners, "SETTLED", 0.0)
    assert made[16].register() == "REGISTERED"
    left = set(UdpName.objects.values_list("name", flat=True))
    assert left == {f"n{at}" for at in range(17)} - {"n1"}


def test_registrations_within_a_minute_share_an_allowance(monkeypatch: pytest.MonkeyPatch) -> None:
    allowances, here, there = Allowances(), ("192.0.2.1", 1), ("192.0.2.1", 2)
    first = allowances.grant(here)
    assert first.take(4000)
    assert allowances.grant(here) is first
    assert allowances.grant(there, first) is first
    assert allowances.grant(there) is first
    assert not first.take(97)
    assert not first.take(1)
    monkeypatch.setattr(allowance, "RENEWED", 0.0)
    assert allowances.grant(here, first).spent == 0


def test_registration_flood_uses_bounded_memory_and_blocks_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(allowance, "MOST_KEPT", 3)
    allowances, flood = Allowances(), Allowance(time.monotonic(), MOST_BYTES)
    for port in range(5):
        assert allowances.grant(("192.0.2.1", port), flood) is flood
    newcomer = allowances.grant(("192.0.2.2", 1))
    assert not newcomer.used_up
    assert allowances.grant(("192.0.2.2", 1)) is newcomer
    assert len(allowances._kept) == 3
