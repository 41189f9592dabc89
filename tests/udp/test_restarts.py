"""The server restarts. Round numbers rise, points remain, and a process takes the port."""

from __future__ import annotations

import json
import socket
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from games.models import UdpName, UdpRound
from games.udp import listeners, server
from games.udp.names import MOST_NAMES
from games.udp.server import UdpServer
from tests.kit.udp import Player, Program, points, wait_until
from tests.kit.udp_command import Command

pytestmark = pytest.mark.slow

Serve = Callable[..., UdpServer]
Make = Callable[..., Program]
Play = Callable[[str], Player]


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make servers check often whether they own the port."""
    monkeypatch.setattr(server, "TRY_AGAIN", 0.1)


def test_another_process_takes_over_when_the_owner_stops(
    serve: Serve, player: Play, port: int, eager: None, caplog: pytest.LogCaptureFixture
) -> None:
    first = serve()
    one, two = player("one"), player("two")
    wait_until(lambda: len(one.scores) > 5)
    second = UdpServer("127.0.0.1", port, pause=0.0)
    second.start()
    try:
        wait_until(lambda: "this one waits" in caplog.text)
        assert not second.listening.is_set()
        first.stop()
        number, kept = max(one.numbers), one.scores[-1]
        assert second.listening.wait(20)
        wait_until(lambda: max(one.numbers) > number + 3)
        assert all(one.scores[-1][name] >= kept[name] for name in kept)
    finally:
        second.stop()
    assert two.scores


def test_server_waits_for_a_port_in_use(
    serve: Serve, program: Make, port: int, eager: None, caplog: pytest.LogCaptureFixture
) -> None:
    blocker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    blocker.bind(("127.0.0.1", port))
    started = UdpServer("127.0.0.1", port)
    started.start()
    try:
        wait_until(lambda: "cannot use port" in caplog.text)
        assert not started.listening.is_set()
        blocker.close()
        assert started.listening.wait(20)
        assert program("one").register() == "REGISTERED"
    finally:
        blocker.close()
        started.stop()


def test_a_full_score_fits_into_a_datagram(
    serve: Serve, program: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    UdpName.objects.bulk_create(
        UdpName(name=f"{at:03}" + "\U0001f600" * 17, address="127.0.0.3", points=10**6)
        for at in range(MOST_NAMES - 1)
    )
    serve()
    one = program("one")
    assert one.register() == "REGISTERED"
    one.join()
    assert len(points(one.until("SCORE"))) == MOST_NAMES
    assert program("more").register() == "REJECTED"
    with monkeypatch.context() as later:
        later.setattr(listeners, "SETTLED", 0.0)
        assert program("more").register() == "REGISTERED"
    assert not UdpName.objects.filter(name__startswith="000").exists()
    assert program("and-more").register() == "REJECTED"


def test_number_of_stored_rounds_is_limited(serve: Serve, player: Play, settings: object) -> None:
    settings.MIA_KEEP_ROUNDS = 50  # type: ignore[attr-defined]
    serve()
    one, _ = player("one"), player("two")
    wait_until(lambda: max(one.numbers, default=0) > 210, 60)
    assert UdpRound.objects.count() < 250 - 50
    assert UdpRound.objects.earliest("number").number > 100


def test_points_match_the_stored_rounds_after_repeated_kills(
    command: Callable[..., Command],
) -> None:
    ours = command(answer_ms=1000)
    database = ours.served.database
    dice = Random(7)
    players = [Player(name, ours.port) for name in ("one", "two", "three")]
    one = players[0]
    try:
        for _ in range(4):
            heard = len(one.scores)
            wait_until(lambda heard=heard: len(one.scores) > heard + 20, 60)
            time.sleep(dice.random() / 4)  # anywhere in a round
            ours.kill()
            last_number, last_score = max(one.numbers), one.scores[-1]
            kept = standings(database)
            assert all(kept[name] >= of for name, of in last_score.items())
            ours.start()
            wait_until(lambda number=last_number: one.numbers[-1] > number, 60)
        wait_until(lambda: len(one.scores) > 100, 60)
    finally:
        for player in players:
            player.stop()
    assert "Traceback" not in ours.stop()
    assert one.numbers == sorted(set(one.numbers))
    assert standings(database) == recounted(database)


def standings(database: Path) -> dict[str, int]:
    with sqlite3.connect(database) as connection:
        return dict(connection.execute("select name, points from games_udpname"))


def recounted(database: Path) -> dict[str, int]:
    """Return the points according to the stored rounds. Rounds of one are counted, not stored."""
    with sqlite3.connect(database) as connection:
        total = dict(connection.execute("select name, rounds from games_udpname"))
        rows = connection.execute("select losers from games_udpround")
        for (losers,) in rows:
            for name in json.loads(losers):
                total[name] -= 1
    return total
