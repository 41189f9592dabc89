"""The server dies, and goes on: numbers rise, points are kept, somebody else takes the port."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from games.models import UdpName, UdpRound
from games.udp.server import UdpServer
from games.udp.standings import MOST_NAMES
from tests.kit.served import Served, free_udp_port
from tests.kit.udp import Player, Program, points, wait_until

Serve = Callable[..., UdpServer]
Make = Callable[..., Program]
Play = Callable[[str], Player]


def test_another_process_takes_over_where_the_owner_ends(
    serve: Serve, player: Play, port: int
) -> None:
    first = serve()
    one, two = player("one"), player("two")
    wait_until(lambda: len(one.scores) > 5)
    second = UdpServer("127.0.0.1", port, pause=0.0)
    second.start()
    try:
        time.sleep(0.5)
        assert not second.listening.is_set()
        first.stop()
        number, kept = max(one.numbers), one.scores[-1]
        assert second.listening.wait(20)
        wait_until(lambda: max(one.numbers) > number + 3)
        assert all(one.scores[-1][name] >= kept[name] for name in kept)
    finally:
        second.stop()
    assert two.scores


def test_a_port_that_is_taken_hurts_nobody(serve: Serve, program: Make, port: int) -> None:
    blocker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    blocker.bind(("127.0.0.1", port))
    server = UdpServer("127.0.0.1", port)
    server.start()
    try:
        time.sleep(0.5)
        assert not server.listening.is_set()
        blocker.close()
        assert server.listening.wait(20)
        assert program("one").register() == "REGISTERED"
    finally:
        blocker.close()
        server.stop()


def test_a_full_score_fits_into_a_datagram(serve: Serve, program: Make) -> None:
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
    UdpName.objects.filter(name__startswith="007").update(paused=True)
    assert program("more").register() == "REGISTERED"
    assert not UdpName.objects.filter(name__startswith="007").exists()
    assert program("and-more").register() == "REJECTED"


def test_only_so_many_rounds_are_kept(serve: Serve, player: Play, settings: object) -> None:
    settings.MIA_KEEP_ROUNDS = 50  # type: ignore[attr-defined]
    serve()
    one, _ = player("one"), player("two")
    wait_until(lambda: max(one.numbers, default=0) > 210, 60)
    assert UdpRound.objects.count() < 250 - 50
    assert UdpRound.objects.earliest("number").number > 100


def test_killed_again_and_again_the_points_are_those_of_the_rounds_kept(tmp_path: Path) -> None:
    port = free_udp_port()
    house = Served(tmp_path, MIA_UDP_PORT=str(port), MIA_ANSWER_MS="1000")
    house.manage("migrate", "-v0")
    house.manage("prepare")
    dice = Random(7)
    house.start()
    players = [Player(name, port) for name in ("one", "two", "three")]
    one = players[0]
    try:
        for _ in range(4):
            heard = len(one.scores)
            wait_until(lambda heard=heard: len(one.scores) > heard + 20, 60)
            time.sleep(dice.random() / 2)
            house.stop(signal.SIGKILL)
            time.sleep(0.3)
            last_number, last_score = max(one.numbers), one.scores[-1]
            kept = standings(house.database)
            assert all(kept[name] >= of for name, of in last_score.items())
            house.start()
            wait_until(lambda number=last_number: one.numbers[-1] > number, 60)
        wait_until(lambda: len(one.scores) > 100, 60)
    finally:
        for player in players:
            player.stop()
        house.stop()
    assert one.numbers == sorted(set(one.numbers))
    assert standings(house.database) == recounted(house.database)
    assert "Traceback" not in house.said()


def standings(database: Path) -> dict[str, int]:
    with sqlite3.connect(database) as connection:
        return dict(connection.execute("select name, points from games_udpname"))


def recounted(database: Path) -> dict[str, int]:
    """The points by what the stored rounds say."""
    total: dict[str, int] = {}
    with sqlite3.connect(database) as connection:
        rows = connection.execute('select "order", losers from games_udpround')
        for order, losers in rows:
            for name in json.loads(order):
                total[name] = total.get(name, 0) + (name not in json.loads(losers))
    return total
