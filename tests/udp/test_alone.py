"""Rounds with one player (docs/rules/mia.md rule 14): points are not awarded automatically."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.models import Room, UdpName, UdpRound
from games.udp import rest
from games.udp.rest import Rest
from games.udp.server import UdpServer
from tests.kit.udp import Program, points, token, wait_until

Serve = Callable[..., UdpServer]
Make = Callable[..., Program]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which a test may move."""
    moment = [1000.0]
    monkeypatch.setattr(rest.time, "monotonic", lambda: moment[0])
    return moment


def test_pause_doubles_each_time_up_to_a_minute(now: list[float]) -> None:
    pauses, lasted = Rest(), []
    for _ in range(8):
        pauses.begin()
        pauses.after(["ann"])
        lasted.append(pauses.left)
        now[0] += pauses.left
        assert not pauses.left
        pauses.begin()
        pauses.after([])  # a round nobody joins changes nothing
    assert lasted == [1, 2, 4, 8, 16, 32, 60, 60]


def test_registration_during_a_round_skips_the_next_pause(now: list[float]) -> None:
    pauses = Rest()
    pauses.came("bob")
    pauses.begin()
    pauses.after(["ann"])
    assert pauses.left == 1
    pauses.begin()
    pauses.came("bob")
    pauses.after(["ann"])
    assert not pauses.left


def test_lone_player_waits_until_another_registers(
    serve: Serve, program: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rest, "SHORTEST", 60.0)
    serve()
    ann, bob = program("ann"), program("bob")
    ann.register()
    ann.join()
    assert points(ann.until("SCORE")) == {"ann": 1}
    assert ann.register() == "REGISTERED"
    assert ann.has_nothing()
    bob.register()
    ann.join()
    bob.join()
    assert set(bob.until("ROUND STARTED").split(";")[1].split(",")) == {"ann", "bob"}


def test_round_with_one_player_counts_but_is_not_stored(serve: Serve, program: Make) -> None:
    serve()
    ann = program("ann")
    ann.register()
    assert ann.until("ROUND STARTING").split(";")[1] == "1"
    ann.send(f"JOIN;{token(ann.lines[-1])}")
    ann.until("SCORE")
    name = UdpName.objects.get()
    assert (name.points, name.rounds, Room.objects.get().udp_round) == (1, 1, 1)
    assert name.played_at is not None
    assert not UdpRound.objects.exists()


def test_number_of_an_open_round_is_not_reused_after_a_restart(serve: Serve, program: Make) -> None:
    first = serve()
    one = program("one")
    one.register()
    one.until("ROUND STARTING")
    first.stop()
    wait_until(lambda: UdpName.objects.exists())
    serve()
    assert one.until("ROUND STARTING").split(";")[1] == "2"
