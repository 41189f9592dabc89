"""Invitations reach every open connection at once, and wait for users without one."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts import tokens as api_tokens
from games import rooms
from games.models import Invitation, Room
from games.sockets import hub
from tests.kit.client import Json, Program
from tests.kit.factories import AccountFactory, PersonFactory, open_table


async def account(username: str = "eve") -> tuple[Any, dict[str, str]]:
    """A registered user, and the header of a program that authenticates as this user."""
    person = await sync_to_async(AccountFactory)(username=username, name=username)
    token = await sync_to_async(api_tokens.make)(person)
    return person, {"authorization": f"Bearer {token}"}


async def invited(program: Program) -> Json:
    told = await program.had("Invited")
    return {key: told[key] for key in ("room", "game", "from")}


async def test_invitation_reaches_all_connections_of_the_invitee_only() -> None:
    _, eve = await account()
    async with Program() as ann, Program(eve) as one, Program(eve) as two, Program() as bob:
        await two.host("coup", "eve")  # being at a table makes no difference
        for program in (one, bob):
            await program.until("Welcome")
        created = await ann.host(visibility="invited", password="dragon")
        assert (await ann.ask("Invite", username="EVE"))["type"] == "Done"
        expected = {"room": created["room"], "game": "mia", "from": "ann"}
        assert await invited(one) == await invited(two) == expected
        assert await bob.quiet()
        joined = await one.join(created["room"], "eve")
        assert joined["type"] == "GameJoined"


async def test_invitation_is_kept_until_the_invitee_joins_or_the_room_closes() -> None:
    person, eve = await account()
    async with Program() as ann:
        created = await ann.host(invite=["eve"])
        async with Program(eve) as first:
            assert (await first.read())["type"] == "Welcome"
            assert (await invited(first))["room"] == created["room"]
        async with Program(eve) as second:
            await invited(second)
            await second.join(created["room"], "eve")
        async with Program(eve) as third:
            await third.until("Welcome")
            assert await third.quiet()
            third.packets.clear()
            room = await Room.objects.aget(code=created["room"])
            await rooms.leave(room.pk, person.pk)
        async with Program(eve) as fourth:
            await invited(fourth)
        await Room.objects.filter(pk=room.pk).aupdate(status=Room.Status.CLOSED)
        async with Program(eve) as fifth:
            await fifth.until("Welcome")
            assert await fifth.quiet()


async def test_repeated_invitation_is_not_sent_again_at_once() -> None:
    _, eve = await account()
    async with Program() as ann, Program(eve) as here:
        await ann.host()
        await ann.ask("Invite", username="eve")
        await invited(here)
        assert (await ann.ask("Invite", username="eve"))["type"] == "Done"
        assert await here.quiet()
        earlier = timezone.now() - timedelta(minutes=2)
        await Invitation.objects.aupdate(at=earlier)
        await ann.ask("Invite", username="eve")
        await here.until("Invited")


async def test_invitation_from_another_process_is_found_by_polling(monkeypatch: Any) -> None:
    monkeypatch.setattr(hub, "POLL", 0.05)
    person, eve = await account()
    async with Program(eve) as here:
        await here.until("Welcome")
        host = await sync_to_async(PersonFactory)(name="Host")
        room = await sync_to_async(open_table)(host)
        await rooms.invite(room.pk, host.pk, "eve")
        assert (await invited(here))["from"] == "Host"
        assert await here.quiet()
