"""Open sockets are authorized again when the access rules change."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts import address_locks, tokens
from accounts.models import AddressLock, User
from accounts.sanctions import decide
from config.asgi import application
from games import rooms
from games.engine import notifications
from games.models import Room
from games.rooms.passwords import hashed
from games.sockets import connections
from tests.kit.client import Program
from tests.kit.factories import AccountFactory, PersonFactory, open_table
from tests.kit.page_socket import Connection, closing, cookie_of, socket, text

Change = Callable[[Room, User], Any]


def sets_password(room: Room, _guest: User) -> None:
    rooms.set_room(room.pk, host_of(room), password=hashed("swordfish").result()).result()


def invites_only(room: Room, _guest: User) -> None:
    rooms.set_room(room.pk, host_of(room), visibility="invited").result()


def wants_no_spectators(room: Room, _guest: User) -> None:
    rooms.set_options(room.pk, host_of(room), {"spectators": "none"}).result()


def blocks_here(room: Room, guest: User) -> None:
    rooms.join(room.code, guest.pk, "Eve", spectate=True).result()
    rooms.block(room.pk, host_of(room), "Eve", True).result()
    rooms.leave(room.pk, guest.pk).result()


def blocks_elsewhere(room: Room, guest: User) -> None:
    assert room.host is not None
    rooms.screen_seen([room.pk]).result()
    other = open_table(room.host, game="mia")
    rooms.join(other.code, guest.pk, "Eve").result()
    rooms.block(other.pk, host_of(other), "Eve", True).result()


def hands_over_to_somebody_who_blocks(room: Room, guest: User) -> None:
    heir = room.members.exclude(user=room.host_id).get()
    assert heir.user is not None
    other = open_table(heir.user, game="mia")
    rooms.join(other.code, guest.pk, "Eve").result()
    rooms.block(other.pk, heir.user.pk, "Eve", True).result()
    rooms.set_host(room.pk, host_of(room), heir.name).result()


def kicks(room: Room, guest: User) -> None:
    rooms.join(room.code, guest.pk, "Eve", spectate=True).result()
    rooms.kick(room.pk, host_of(room), "Eve").result()


def closes(room: Room, _guest: User) -> None:
    Room.objects.filter(pk=room.pk).update(status=Room.Status.CLOSED, version=room.version + 1)
    notifications.notify_room_changed(room.pk)


def locks_out(_room: Room, guest: User) -> None:
    decide(guest.pk, "lock", "spam")


def changes_password(_room: Room, guest: User) -> None:
    guest.set_password("another of theirs")
    guest.save()


CHANGES = [
    sets_password,
    invites_only,
    wants_no_spectators,
    blocks_here,
    blocks_elsewhere,
    hands_over_to_somebody_who_blocks,
    kicks,
    closes,
    locks_out,
    changes_password,
]


def host_of(room: Room) -> int:
    pk = Room.objects.values_list("host_id", flat=True).get(pk=room.pk)
    assert pk is not None
    return pk


def table() -> tuple[Room, User]:
    """A table of two, and a user who is not at it."""
    room = open_table(PersonFactory(), PersonFactory(), game="mia")
    return room, PersonFactory(name="Eve")


async def screen_of(room: Room, person: User | None = None) -> Connection:
    cookie = "" if person is None else await sync_to_async(cookie_of)(person)
    screen = socket(f"/ws/screen/{room.code}/", cookie)
    assert (await screen.connect())[0]
    await text(screen, 'id="seats"')
    return screen


@pytest.mark.parametrize("change", CHANGES)
async def test_screen_is_closed_when_access_is_lost(change: Change) -> None:
    room, eve = await sync_to_async(table)()
    screen = await screen_of(room, eve)
    await sync_to_async(change)(room, eve)
    assert await closing(screen) in (4003, 1001)


@pytest.mark.parametrize("change", [sets_password, invites_only, wants_no_spectators])
async def test_screen_that_loses_access_receives_no_further_update(change: Change) -> None:
    room, eve = await sync_to_async(table)()
    screen = await screen_of(room, eve)

    def change_and_show() -> None:
        change(room, eve)
        rooms.set_game(room.pk, host_of(room), "coup").result()

    await sync_to_async(change_and_show)()
    while (output := await screen.receive_output())["type"] == "websocket.send":
        assert 'hx-target="#seats"' not in output["text"]
    assert output["code"] == 4003


@pytest.mark.parametrize("change", [sets_password, invites_only, wants_no_spectators])
async def test_screens_of_members_stay_open_when_access_is_restricted(change: Change) -> None:
    room, eve = await sync_to_async(table)()
    host = await sync_to_async(host_of)(room)
    screen = await screen_of(room, room.host)
    await sync_to_async(change)(room, eve)
    await rooms.set_game(room.pk, host, "coup")
    assert await text(screen, 'hx-target="#seats"')
    await screen.disconnect()


async def test_screen_of_an_invitee_stays_open_until_the_invitation_is_withdrawn() -> None:
    room, _eve = await sync_to_async(table)()
    guest = await sync_to_async(AccountFactory)()
    host = await sync_to_async(host_of)(room)
    await rooms.invite(room.pk, host, guest.username)
    screen = await screen_of(room, guest)
    await sync_to_async(invites_only)(room, guest)
    await rooms.set_game(room.pk, host, "coup")
    assert await text(screen, 'hx-target="#seats"')
    invitation = await room.invitations.aget()
    await rooms.withdraw(room.pk, host, invitation.pk)
    assert await closing(screen) == 4003


async def test_strangers_do_not_use_up_a_tables_screen_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "SCREENS", 2)
    room, _eve = await sync_to_async(table)()
    strangers = [await screen_of(room) for _ in range(2)]
    own = await screen_of(room, room.host)
    one_more = socket(f"/ws/screen/{room.code}/", "")
    await one_more.connect()
    assert await closing(one_more) == 4008
    for one in (*strangers, own):
        await one.disconnect()


@pytest.mark.parametrize("how", ["header", "packet"])
async def test_guest_with_a_token_is_banned_at_a_blocked_address(how: str) -> None:
    guest = await sync_to_async(PersonFactory)(name="Eve")
    token = await sync_to_async(tokens.make)(guest)
    room = await sync_to_async(open_table)(await sync_to_async(PersonFactory)(), game="mia")
    await sync_to_async(lock_address)("192.0.2.7")
    headers = [(b"host", b"testserver")]
    if how == "header":
        headers.append((b"authorization", f"Bearer {token}".encode()))
    program = Program()
    program.socket = Connection(application, "/api/ws/", headers=headers)
    program.socket.scope["client"] = ["192.0.2.7", 1]
    async with program:
        if how == "packet":
            answer = await program.ask("JoinGame", room=room.code, token=token, username="Eve")
            assert (answer["type"], answer["reason"]) == ("PlayerJoinRejected", "Banned")
        else:
            assert "spam" in (await program.until("ShowAlert"))["message"]
            assert await program.closing() == 4003
    assert not await room.members.filter(user=guest).aexists()


def lock_address(address: str) -> None:
    until = timezone.now() + timedelta(hours=1)
    neighbour = PersonFactory()
    address_locks.note(neighbour.pk, address)
    digest = address_locks.digest_of_guest(neighbour.pk)
    AddressLock.objects.create(digest=digest, until=until, reason="spam")
