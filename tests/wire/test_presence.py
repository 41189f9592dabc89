"""Users with several connections, absent users, and what the table is told about them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from games import rooms
from games.models import Member
from games.sockets import api
from tests.kit import moderation_helpers
from tests.kit.client import Program, on_turn, seated, silent, started


def bearer(joined: dict[str, Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {joined['token']}"}


async def test_name_in_a_join_request_is_used_only_for_new_members() -> None:
    async with Program() as ann, Program() as host:
        first = await ann.host(name="ann")
        second = await host.host(name="host")
        async with Program() as more:
            token = first["token"]
            joined = await more.join(second["room"], "anna", token=token)
            assert (joined["type"], joined["username"]) == ("GameJoined", "anna")
        async with Program() as more:
            back = await more.join(second["room"], "annette", token=token)
            assert (back["type"], back["username"]) == ("GameRejoined", "anna")


async def test_expired_token_is_rejected() -> None:
    from accounts.models import Token

    async with Program() as ann, Program() as again:
        created = await ann.host()
        await Token.objects.aupdate(expires_at="2001-01-01T00:00:00Z")
        answer = await again.join(created["room"], "x", token=created["token"])
        assert (answer["type"], answer["reason"]) == ("PlayerJoinRejected", "BadToken")
        late = Program(bearer(created))
        async with late:
            assert await late.closing() == 4001


async def test_leaving_is_reported_once_even_if_the_update_comes_first(
    monkeypatch: Any,
) -> None:
    obey = api.obey

    async def slowly(client: api.Client, packet: Any) -> Any:
        answer = await obey(client, packet)
        while client.room_id is not None:
            await asyncio.sleep(0.01)
        return answer

    async with Program() as ann, Program() as bob:
        await seated(ann, bob)
        monkeypatch.setattr(api, "obey", slowly)
        assert (await bob.ask("LeaveGame"))["type"] == "Done"
        await silent(bob)
        assert bob.kinds().count("PlayerLeft") == 1


async def test_connection_is_closed_if_the_user_is_banned_while_connecting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Program() as ann:
        created = await ann.host()
        member = await Member.objects.aget(name="ann")
        received = api.received

        async def locked_right_after(user: Any) -> Any:
            found = await received(user)
            await moderation_helpers.lock_out(member.user_id)
            assert await ann.closing() == 4003
            return found

        monkeypatch.setattr(api, "received", locked_right_after)
        async with Program(bearer(created)) as again:
            assert await again.closing() == 4003


async def test_active_player_cannot_be_kicked_but_an_absent_one_can() -> None:
    async with Program() as ann, Program() as bob:
        await started(ann, bob)
        answer = await ann.ask("KickPlayer", username="p1")
        assert answer["code"] == "not_allowed_now"
        member = await Member.objects.aget(name="p1")
        await rooms.gone_away([member.pk])
        assert (await ann.ask("KickPlayer", username="p1"))["type"] == "Done"
        assert (await ann.had("PlayerLeft"))["reason"] == "kicked"
        assert (await ann.had("GameEnd"))["reason"]


async def test_log_contains_only_events_the_viewer_was_shown() -> None:
    async with Program() as ann, Program() as bob, Program() as eve:
        room = await started(ann, bob)
        await eve.join(room, "eve")
        me = on_turn(ann, bob)
        await me.ask("Roll")
        log = await eve.ask("LogRequest", since=0)
        assert [act["version"] for act in log["acts"]] == [1, 2]
        assert "Rolled" not in str(log["acts"])
        assert "PlayerRolls" in str(log["acts"])
        await me.ask("LeaveGame")
        assert (await me.ask("LogRequest", since=0))["code"] == "ignored"
        await me.join(room, "back")
        assert "Rolled" in str((await me.ask("LogRequest", since=0))["acts"])
        assert "Rolled" not in str((await eve.ask("LogRequest", since=0))["acts"])


async def test_log_response_has_at_most_500_acts() -> None:
    from games.models import Act, Match

    async with Program() as ann, Program() as bob:
        await started(ann, bob)
        match = await Match.objects.aget()
        await Act.objects.abulk_create(
            Act(match=match, number=number, kind=Act.Kind.NUDGE) for number in range(2, 702)
        )
        await Match.objects.aupdate(version=701)
        first = await ann.ask("LogRequest", since=0)
        assert [act["version"] for act in first["acts"]] == list(range(1, 501))
        rest = await ann.ask("LogRequest", since=500)
        assert [act["version"] for act in rest["acts"]] == list(range(501, 702))
