"""How sockets react when users register, log in, or revoke a token."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session

from accounts import logins
from accounts import tokens as api_tokens
from accounts.guests import make_guest
from accounts.logins import Login
from accounts.models import Token, User
from games.history import account_merge
from games.sockets import hub
from lobby import parts
from tests.kit.client import Program
from tests.kit.factories import AccountFactory, open_table
from tests.kit.page_socket import closing, logged_in, socket, text


@pytest.fixture(autouse=True)
def _hosts(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]


@pytest.fixture(autouse=True)
def _sockets_look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "POLL", 0.05)
    monkeypatch.setattr(parts, "AT_MOST_EVERY", 0.05)


async def test_pages_and_programs_of_a_merged_guest_reconnect_as_the_account() -> None:
    guest, cookie = await sync_to_async(logged_in)()
    bob = await sync_to_async(AccountFactory)(username="Bob", name="Bob")
    room = await sync_to_async(open_table)(guest)
    token = await sync_to_async(api_tokens.make)(guest)
    page = socket(f"/ws/table/{room.code}/", cookie)
    await page.connect()
    await text(page, "people")
    bearer = {"authorization": f"Bearer {token}"}
    async with Program(bearer) as program, Program() as other:
        await program.ask("JoinGame", room=room.code)
        await program.until("GameDataSync")
        await other.join(room.code, "eve")
        await account_merge.merge_accounts(guest.pk, bob.pk)
        changed = await other.until("PlayerChanged")
        assert (changed["player"]["username"], changed["player"]["isGuest"]) == ("Ann", False)
        assert await closing(page) == 1001
        assert await program.closing() == 1001
    async with Program(bearer) as program:
        welcome = await program.until("Welcome")
        assert welcome["username"] == "Bob"
        again = await program.ask("JoinGame", room=room.code)
        assert (again["type"], again["username"]) == ("GameRejoined", "Ann")


async def test_others_see_at_once_that_a_guest_has_registered() -> None:
    async with Program() as ann, Program() as bob:
        created = await ann.host()
        await bob.join(created["room"], "bob")
        user = await User.objects.aget(name="ann")
        user.is_guest, user.username = False, "ann"
        await user.asave()
        await account_merge.show_registered(user.pk)
        changed = await bob.until("PlayerChanged")
        assert changed["player"]["isGuest"] is False


async def test_programs_need_an_account_token_if_guests_are_disabled(settings: Any) -> None:
    settings.GUESTS = False
    bob = await sync_to_async(AccountFactory)(username="Bob", name="Bob")
    guest = await sync_to_async(make_guest)("Ann")
    tokens = [await sync_to_async(api_tokens.make)(user) for user in (bob, guest)]
    async with Program() as stranger:
        for asked in (
            {"type_": "HostGame", "game": "mia", "username": "ann"},
            {"type_": "JoinGame", "room": "ZZZZZ", "username": "ann"},
            {"type_": "JoinGame", "room": "ZZZZZ", "token": tokens[1]},
        ):
            answer = await stranger.ask(**asked)
            assert (answer["type"], answer["reason"]) == ("PlayerJoinRejected", "LoginRequired")
            assert "account" in answer["message"]
    async with Program({"authorization": f"Bearer {tokens[0]}"}) as program:
        created = await program.ask("HostGame", game="mia")
        assert (created["type"], created["username"]) == ("GameCreated", "Bob")


async def test_pages_of_guests_are_closed_if_guests_are_disabled(settings: Any) -> None:
    guest, cookie = await sync_to_async(logged_in)()
    room = await sync_to_async(open_table)(guest)
    settings.GUESTS = False
    for path, code in ((f"/ws/table/{room.code}/", 4003), ("/ws/lobby/", 4001)):
        page = socket(path, cookie)
        await page.connect()
        assert await closing(page) == code


@pytest.mark.parametrize("by", ["bearer", "join", "given"])
async def test_revoking_a_token_closes_connections_that_use_it(by: str) -> None:
    async with Program() as host:
        created = await host.host()
        guest = await sync_to_async(make_guest)("Bob")
        token = await sync_to_async(api_tokens.make)(guest)
        program = Program({"authorization": f"Bearer {token}"} if by == "bearer" else None)
        async with program:
            with_token = {"token": token} if by == "join" else {}
            name = {"username": "bob"} if by == "given" else {}
            joined = await program.ask("JoinGame", room=created["room"], **with_token, **name)
            assert joined["type"] == "GameJoined"
            await Token.objects.filter(user__name__iexact="bob").adelete()
            assert await program.closing() == 4001
        assert await host.ask("GameDataRequest")


async def test_using_a_token_records_the_time() -> None:
    bob = await sync_to_async(AccountFactory)(username="Bob", name="Bob")
    token = await sync_to_async(api_tokens.make)(bob)
    async with Program({"authorization": f"Bearer {token}"}) as program:
        await program.until("Welcome")
        assert (await Token.objects.aget()).last_used_at is not None


@pytest.mark.parametrize("ending", ["logged out", "another password", "deactivated"])
@pytest.mark.parametrize("path", ["/ws/table/{}/", "/ws/you/", "/ws/lobby/", "/api/ws/"])
async def test_socket_is_closed_when_its_login_ends(path: str, ending: str) -> None:
    person, cookie = await sync_to_async(logged_in)()
    room = await sync_to_async(open_table)(person)
    page = socket(path.format(room.code), cookie)
    assert (await page.connect())[0]
    await page.receive_from()
    if ending == "logged out":
        await Session.objects.all().adelete()
    elif ending == "another password":
        await User.objects.filter(pk=person.pk).aupdate(password="another")
    else:
        await User.objects.filter(pk=person.pk).aupdate(is_active=False)
    assert await closing(page) == (4001 if path.startswith("/api") else 1001)


async def test_login_stays_valid_when_another_login_ends() -> None:
    both = []
    for _each in range(2):
        person, cookie = await sync_to_async(logged_in)()
        both.append(Login(cookie.removeprefix("sessionid="), person.pk, person.password))
    assert await sync_to_async(logins.still_valid)(both) == set(both)
    await Session.objects.filter(pk=both[0].session).adelete()
    assert await sync_to_async(logins.still_valid)(both) == {both[1]}
