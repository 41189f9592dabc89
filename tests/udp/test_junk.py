"""The server plays on, whatever it receives."""

from __future__ import annotations

import logging
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.udp import lines
from games.udp.server import UdpServer
from tests.kit.udp import Player, Program, wait_until

Serve = Callable[..., UdpServer]
Make = Callable[..., Program]
Play = Callable[[str], Player]


@given(st.binary(max_size=200))
@example(b"REGISTER;\xed\xa0\x80")
@example(b"ANNOUNCE;5,3;" + b";" * 4000)
@example("ANNOUNCE;٣,١;t".encode())
def test_any_bytes_parse_without_an_error(data: bytes) -> None:
    said = lines.read(data)
    if isinstance(said, lines.Answer):
        for phase in ("turn", "announce"):
            lines.move_of(said.fields, phase)
    elif said is not None:
        lines.is_name(said.name)


@given(st.text(max_size=25))
def test_valid_name_survives_a_round_trip(name: str) -> None:
    if lines.is_name(name):
        assert lines.read(f"REGISTER;{name}".encode()) == lines.Register(name)
        assert lines.score({name: 3}).split(";")[1].split(",")[0].split(":") == [name, "3"]


def test_flood_of_junk_does_not_stop_the_game(
    serve: Serve, program: Make, player: Play, caplog: pytest.LogCaptureFixture
) -> None:
    serve()
    one, _two = player("one"), player("two")
    wait_until(lambda: len(one.scores) > 5)
    dice, strangers = Random(3), [program(f"stranger{at}", f"127.0.0.{at + 5}") for at in range(4)]
    heard = len(one.scores)
    for _ in range(3000):
        line = dice.choice(one.program.lines)
        # Never registers: a registered program that is silent would hold up every round.
        data = bytearray(line.replace("REGISTERED", "REGISTER;").encode())
        for _again in range(dice.randrange(4)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        stranger = dice.choice(strangers)
        stranger.send(bytes(data[: dice.randrange(1, len(data) + 1)]))
        stranger.send(f"{dice.choice(('ROLL', 'JOIN', 'SEE', 'FOO'))};{line.split(';')[-1]}")
    wait_until(lambda: len(one.scores) > heard + 20, 60)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
