"""Registration: who may take or use a name, and what happens to silent programs."""

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
from tests.kit.udp import Program

Serve = Callable[..., UdpServer]
Make = Callable[..., Program]


def test_at_most_sixteen_of_many_concurrent_names_are_registered(
    serve: Serve, program: Make
) -> None:
    serve()
    many = [program(f"n{at}") for at in range(24)]
    for one in many:
        one.send(f"REGISTER;{one.name}")
    replies = [one.until("REGISTERED", "REJECTED") for one in many]
    assert replies.count("REGISTERED") == UdpName.objects.count() == 16


def test_round_number_stops_rising_if_nobody_answers(
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


def test_name_unused_for_a_month_is_released(serve: Serve, program: Make, settings: Any) -> None:
    long_ago = timezone.now() - timedelta(days=31)
    UdpName.objects.create(name="old", address="127.0.0.9", registered_at=long_ago, points=3)
    recent = UdpName.objects.create(name="seldom", address="127.0.0.9", registered_at=long_ago)
    UdpName.objects.filter(pk=recent.pk).update(played_at=timezone.now(), rounds=1)
    commands.drop_unused_names().result()
    assert list(UdpName.objects.values_list("name", flat=True)) == ["seldom"]
    serve()
    assert program("old").register() == "REGISTERED"


def test_name_without_a_round_is_released_after_an_hour(transactional_db: None) -> None:
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


@pytest.mark.parametrize("name", ["bot", "BOT"])
def test_a_person_cannot_take_the_name_of_a_program(transactional_db: None, name: str) -> None:
    room = udp_room()
    UdpName.objects.create(name="bot", address="127.0.0.1")
    with pytest.raises(Rejected, match="UsernameTaken"):
        rooms.join(room.code, person(name).pk, name).result()


def test_names_of_people_must_be_one_word(transactional_db: None) -> None:
    room = udp_room()
    with pytest.raises(Rejected, match="UsernameOneWord"):
        rooms.join(room.code, person("Ann Bo").pk, "Ann Bo").result()


def test_a_program_cannot_take_the_name_of_a_person(serve: Serve, program: Make) -> None:
    room = udp_room()
    rooms.join(room.code, person("Ann").pk, "Ann").result()
    serve()
    assert program("Ann").register() == "REJECTED"
    assert program("ann").register() == "REGISTERED"


def test_name_stored_in_the_meantime_counts_as_taken(
    serve: Serve, program: Make, caplog: pytest.LogCaptureFixture
) -> None:
    serve()
    program("first").register()
    UdpName.objects.create(name="ann", address="127.0.0.9")
    assert program("ann").register() == "REJECTED"
    assert not [one for one in caplog.records if one.levelname == "ERROR"]
