"""Registration: who may take a name, who speaks for it, and who falls silent."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games import rooms
from games.models import Room, UdpName
from games.rooms.members import Rejected
from games.udp import commands
from games.udp.server import UdpServer
from tests.kit.factories import PersonFactory
from tests.kit.udp import Player, Program, points, token, wait_until

Serve = Callable[..., UdpServer]
Make = Callable[..., Program]
Play = Callable[[str], Player]


@pytest.mark.parametrize(
    "name", ["a", "Ärger", "x" * 20, "😀", "👨‍👩‍👧", "日本", "a.b|c'\"<b>&", "名" * 20, "0", "-"]
)
def test_a_name_is_anything_that_fits_between_separators(
    serve: Serve, program: Make, name: str
) -> None:
    serve()
    one = program(name)
    assert one.register() == "REGISTERED"
    one.join()
    assert one.until("ROUND STARTED") == f"ROUND STARTED;{name}"


@pytest.mark.parametrize(
    "line",
    [
        "REGISTER",
        "REGISTER;",
        "REGISTER;" + "x" * 21,
        "REGISTER;a b",
        "REGISTER; a",
        "REGISTER;a,b",
        "REGISTER;a:b",
        "REGISTER;a\tb",
        "REGISTER;a\x00",
        "REGISTER;a\u2003b",
        "REGISTER;a\u202eb",
        "REGISTER;a\nREGISTER;b",
        "REGISTER;a\n\n",
        "REGISTER;\x7f",
        "REGISTER;a\r",
        "REGISTER;" + "x" * 60_000,
    ],
)
def test_a_name_that_does_not_fit_is_rejected(serve: Serve, program: Make, line: str) -> None:
    serve()
    one = program("a")
    one.send(line)
    assert one.read() == "REJECTED"
    assert not UdpName.objects.exists()


@pytest.mark.parametrize("line", ["REGISTER;a\n", "REGISTER;a\r\n", "REGISTER;a;password;more"])
def test_a_line_end_and_further_fields_are_passed_over(
    serve: Serve, program: Make, line: str
) -> None:
    serve()
    one = program("a")
    one.send(line)
    assert one.read() == "REGISTERED"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"REGISTER\xff;a",
        b"register;a",
        b"HELLO",
        b"x" * 60000,
        b"JOIN;",
        b";",
        b"\n",
        b"REGISTER_SPECTATOR;a",
        b"JOIN;0123456789abcdef",
        "é".encode("utf-16"),
    ],
)
def test_what_is_no_message_gets_no_answer(serve: Serve, program: Make, data: bytes) -> None:
    serve()
    one = program("a")
    one.send(data)
    assert one.has_nothing()
    assert one.register() == "REGISTERED"


def test_capitals_make_another_name(serve: Serve, program: Make) -> None:
    serve()
    assert program("Ann").register() == "REGISTERED"
    assert program("ann").register() == "REGISTERED"


def test_a_name_belongs_to_its_address(serve: Serve, program: Make) -> None:
    serve()
    assert program("ann").register() == "REGISTERED"
    assert program("ann", "127.0.0.2").register() == "REJECTED"
    assert program("ann").register() == "REGISTERED"


def test_a_new_endpoint_gets_everything_from_now_on(
    serve: Serve, program: Make, settings: Any
) -> None:
    serve()
    before = program("ann")
    before.register()
    asked = token(before.until("ROUND STARTING"))
    now = program("ann")
    assert now.register() == "REGISTERED"
    before.send(f"JOIN;{asked}")
    assert now.has_nothing()
    now.send(f"JOIN;{asked}")
    assert now.until("ROUND STARTED") == "ROUND STARTED;ann"
    assert points(now.until("SCORE")) == {"ann": 1}
    assert before.has_nothing()


def test_an_endpoint_speaks_for_the_name_it_registered_last(
    serve: Serve, program: Make, settings: Any
) -> None:
    settings.MIA_ANSWER_MS = 200
    serve()
    one = program("first")
    one.register()
    one.name = "second"
    one.register()
    one.lines.clear()
    for _ in range(2):
        one.until("ROUND STARTING")
    numbers = [line.split(";")[1] for line in one.lines if line.startswith("ROUND STARTING")]
    assert len(set(numbers)) >= len(numbers) - 1  # one line of the running round may be in transit
    one.join()
    assert points(one.until("SCORE")) == {"first": 0, "second": 1}


def test_sixteen_names_fit_at_one_address(serve: Serve, program: Make) -> None:
    serve()
    assert {program(f"n{at}").register() for at in range(16)} == {"REGISTERED"}
    assert program("n16").register() == "REJECTED"
    assert program("n15").register() == "REGISTERED"
    assert program("n16", "127.0.0.2").register() == "REGISTERED"


def test_no_more_than_sixteen_fit_when_all_come_at_once(serve: Serve, program: Make) -> None:
    serve()
    many = [program(f"n{at}") for at in range(24)]
    for one in many:
        one.send(f"REGISTER;{one.name}")
    replies = [one.until("REGISTERED", "REJECTED") for one in many]
    assert replies.count("REGISTERED") == UdpName.objects.count() == 16


def test_who_is_silent_for_forty_rounds_gets_nothing_until_it_speaks(
    serve: Serve, program: Make, player: Play, settings: Any
) -> None:
    settings.MIA_ANSWER_MS = 100
    quiet = program("quiet")
    serve()
    busy, _other = player("busy"), player("other")
    wait_until(lambda: busy.scores)
    quiet.register()
    quiet.join()
    quiet.until("SCORE")
    quiet.lines.clear()
    wait_until(lambda: UdpName.objects.get(name="quiet").paused)
    quiet.received()
    assert 38 <= len([line for line in quiet.lines if line.startswith("SCORE")]) <= 40
    assert "quiet" in busy.scores[-1]
    quiet.lines.clear()
    quiet.send("x")
    settings.MIA_ANSWER_MS = 2000
    quiet.join()
    assert "quiet" in quiet.until("ROUND STARTED")


def test_with_everybody_silent_the_numbers_stand_still(
    serve: Serve, program: Make, settings: Any
) -> None:
    settings.MIA_ANSWER_MS = 2
    one = program("one").known()
    serve()
    for number in (1, 2, 3):
        assert one.until("ROUND STARTING").split(";")[1] == str(number)
        one.until("ROUND CANCELED")
    assert one.has_nothing()
    assert Room.objects.get().udp_round == 3


def test_the_current_dialect_has_spectators_and_reasons(serve: Serve, program: Make) -> None:
    serve(dialect="current")
    watcher, one = program("watcher"), program("one")
    watcher.send("REGISTER_SPECTATOR;watcher")
    assert watcher.read() == "REGISTERED"
    assert program("a b").register() == "REJECTED;INVALID_NAME"
    assert one.register() == "REGISTERED"
    assert program("one", "127.0.0.2").register() == "REJECTED;NAME_ALREADY_TAKEN"
    starting = one.until("ROUND STARTING").split(";")
    assert len(starting) == 2
    one.send(f"JOIN;{starting[1]}")
    started = watcher.until("ROUND STARTED").split(";")
    assert (started[1].isdecimal(), started[2]) == (True, "one")
    assert watcher.read() == "ROUND CANCELED;ONLY_ONE_PLAYER"
    assert watcher.read() == "SCORE;one:1"
    assert not [line for line in watcher.lines if line.startswith("ROUND STARTING")]


def test_a_forgotten_name_is_free_again(serve: Serve, program: Make, settings: Any) -> None:
    long_ago = timezone.now() - timedelta(days=31)
    UdpName.objects.create(name="old", address="127.0.0.9", registered_at=long_ago, points=3)
    recent = UdpName.objects.create(name="seldom", address="127.0.0.9", registered_at=long_ago)
    UdpName.objects.filter(pk=recent.pk).update(played_at=timezone.now(), rounds=1)
    commands.drop_unused_names().result()
    assert list(UdpName.objects.values_list("name", flat=True)) == ["seldom"]
    serve()
    assert program("old").register() == "REGISTERED"


def test_a_name_nobody_plays_under_is_free_again_after_an_hour(transactional_db: None) -> None:
    names = {"never": (61, 0), "new": (59, 0), "plays": (61, 1)}
    for name, (minutes, rounds) in names.items():
        since = timezone.now() - timedelta(minutes=minutes)
        UdpName.objects.create(
            name=name,
            address="127.0.0.9",
            registered_at=since,
            rounds=rounds,
            played_at=timezone.now() if rounds else None,
        )
    commands.drop_unused_names().result()
    assert set(UdpName.objects.values_list("name", flat=True)) == {"new", "plays"}


def udp_room() -> Room:
    return Room.objects.get(pk=commands.open_table().result()[0])


def person(name: str) -> User:
    return PersonFactory(name=name)


@pytest.mark.parametrize("name", ["bot", "Bot", "BOT"])
def test_a_person_cannot_take_the_name_of_a_program(transactional_db: None, name: str) -> None:
    room = udp_room()
    UdpName.objects.create(name="bot", address="127.0.0.1")
    with pytest.raises(Rejected, match="UsernameTaken"):
        rooms.join(room.code, person(name).pk, name).result()


def test_names_of_people_have_to_fit_into_a_line(transactional_db: None) -> None:
    room = udp_room()
    with pytest.raises(Rejected, match="UsernameOneWord"):
        rooms.join(room.code, person("Ann Bo").pk, "Ann Bo").result()


def test_a_program_cannot_take_the_name_of_a_person(serve: Serve, program: Make) -> None:
    room = udp_room()
    rooms.join(room.code, person("Ann").pk, "Ann").result()
    serve()
    assert program("Ann").register() == "REJECTED"
    assert program("ann").register() == "REGISTERED"


def test_a_name_written_down_meanwhile_is_taken(
    serve: Serve, program: Make, caplog: pytest.LogCaptureFixture
) -> None:
    serve()
    program("first").register()
    UdpName.objects.create(name="ann", address="127.0.0.9")
    assert program("ann").register() == "REJECTED"
    assert not [one for one in caplog.records if one.levelname == "ERROR"]
