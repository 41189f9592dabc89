"""One address cannot fill a table with spectators. Players, local networks and invited guests are
not counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.test import Client, RequestFactory

from accounts import addresses
from games import rooms
from games.contract.core import Refused
from games.models import Room
from games.sockets.hub import close_hub
from tests.kit.client import Program
from tests.kit.factories import AccountFactory, PersonFactory, open_table, start_match
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)

FAR, ELSEWHERE = "203.0.113.7", "203.0.113.8"
MOST = 3


@pytest.fixture(autouse=True)
def _few(settings: Any) -> Iterator[None]:
    settings.SPECTATORS_PER_ADDRESS = MOST
    settings.LIMITS = dict.fromkeys(settings.LIMITS, None)
    settings.ALLOWED_HOSTS = ["testserver", "*"]
    cache.clear()
    yield
    cache.clear()


def comes(room: Room, number: int, address: str = FAR, spectate: bool = True) -> bool:
    """Return whether a new guest from this address can join through the page."""
    form = {"name": f"Guest {number}", **({"spectate": "on"} if spectate else {})}
    Client(REMOTE_ADDR=address).post(f"/t/{room.code}/", form)
    return bool(room.members.filter(name=f"Guest {number}", left_at=None).exists())


def table(**options: Any) -> Room:
    return open_table(*(PersonFactory() for _ in range(2)), game="mia", **options)


def test_spectators_are_limited_per_address() -> None:
    room = table()
    assert [comes(room, n) for n in range(MOST + 2)] == [True] * MOST + [False] * 2
    assert comes(room, 10, ELSEWHERE)


def test_page_explains_the_spectator_limit() -> None:
    room = table()
    for n in range(MOST):
        comes(room, n)
    form = {"name": "Zoe", "spectate": "on"}
    answer = Client(REMOTE_ADDR=FAR).post(f"/t/{room.code}/", form)
    assert answer.status_code == 422
    assert "Too many people from your network" in answer.content.decode()


def test_newcomers_during_a_match_count_as_spectators() -> None:
    room = table()
    start_match(room)
    assert [comes(room, n, spectate=False) for n in range(MOST + 1)] == [True] * MOST + [False]


def test_players_do_not_count_towards_the_limit() -> None:
    room = table()
    assert all(comes(room, n, spectate=False) for n in range(6))  # eight seats
    assert all(comes(room, n) for n in range(10, 10 + MOST))


def test_newcomers_at_a_full_table_count_as_spectators() -> None:
    room = table()
    got_in = [comes(room, n, spectate=False) for n in range(6 + MOST + 2)]
    assert got_in == [True] * (6 + MOST) + [False] * 2


def test_player_cannot_stand_up_if_the_spectator_limit_is_reached() -> None:
    room = table()
    for n in range(MOST):
        comes(room, n)
    assert comes(room, 10, spectate=False)
    member = room.members.get(name="Guest 10")
    assert member.user_id is not None
    with pytest.raises(Refused, match="TooManyWatching"):
        rooms.set_spectating(room.pk, member.user_id, True).result()


def test_former_spectators_do_not_count_towards_the_limit() -> None:
    room = table()
    for n in range(MOST):
        comes(room, n)
    gone = room.members.get(name="Guest 0")
    assert gone.user_id is not None
    rooms.leave(room.pk, gone.user_id).result()
    assert comes(room, 10)


def test_invited_user_is_exempt_from_the_limit() -> None:
    room, guest = table(), AccountFactory(name="Invited")
    for n in range(MOST):
        comes(room, n)
    rooms.invite(room.pk, room.host_id or 0, guest.username).result()
    as_user(guest).post(f"/t/{room.code}/", {"name": "Invited", "spectate": "on"}, REMOTE_ADDR=FAR)
    assert room.members.filter(name="Invited", left_at=None).exists()


def test_former_spectator_can_return() -> None:
    room = table()
    for n in range(MOST):
        comes(room, n)
    member = room.members.get(name="Guest 1")
    assert member.user_id is not None
    rooms.leave(room.pk, member.user_id).result()
    rooms.join(room.code, member.user_id, "Guest 1", spectate=True, address=FAR).result()
    assert room.members.filter(name="Guest 1", left_at=None).exists()


def test_local_network_is_not_limited() -> None:
    room = table()
    assert all(comes(room, n, "192.168.1.7") for n in range(MOST + 2))
    for address in ("10.2.3.4", "172.20.0.1", "100.64.0.1", "fd00::7"):
        counted = addresses.network(address)
        assert counted is not None
        assert addresses.is_local(counted), address
    assert not addresses.is_local(FAR)


def test_limit_can_be_disabled(settings: Any) -> None:
    settings.SPECTATORS_PER_ADDRESS = 0
    room = table()
    assert all(comes(room, n) for n in range(MOST + 2))


async def test_programs_are_counted_like_pages() -> None:
    room = await sync_to_async(table)()
    answers = []
    for n in range(MOST + 1):
        program = Program()
        program.socket.scope["client"] = [FAR, 1]
        async with program:
            joined = await program.ask("JoinGame", room=room.code, username=f"p{n}", spectate=True)
            answers.append(joined.get("reason", joined["type"]))
    assert answers == ["GameJoined"] * MOST + ["TooManyWatching"]
    await close_hub()


@pytest.mark.parametrize(
    ("given", "counted"),
    [
        ("2001:db8::1", "2001:0db8:0000:0000"),
        ("fe80::1%eth0", "fe80:0000:0000:0000"),
    ],
)
def test_ipv6_address_is_reduced_to_its_network(given: str, counted: str | None) -> None:
    assert addresses.network(given) == counted


def test_logins_from_an_ipv6_network_are_counted_together() -> None:
    requests = [RequestFactory().post("/", REMOTE_ADDR=f"2001:db8:0:7::{n}") for n in (1, 2)]
    assert len({get_adapter().get_client_ip(request) for request in requests}) == 1
