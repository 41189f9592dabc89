"""One answer per id, which packets are answered, and the order of repeat, ignored and stale."""

from __future__ import annotations

import json
from typing import Any

from games.models import Act
from tests.kit.client import Json, Program, on_turn, seated, silent, started


async def test_packets_are_answered_once_and_only_if_they_have_an_id() -> None:
    async with Program() as ann, Program() as bob:
        await seated(ann, bob)
        asked: list[tuple[str, Json]] = [
            ("SetOptions", {"options": {"lives": 2}}),
            ("SetRoom", {"visibility": "unlisted"}),
            ("SetNonce", {"nonce": "n"}),
            ("SetSpectating", {"spectating": True}),
            ("SetSpectating", {"spectating": False}),
            ("SendNewChatMessage", {"message": "hi"}),
            ("SetHost", {"username": "p0"}),
            ("AddBot", {}),
            ("LogRequest", {"since": 0}),
            ("GameDataRequest", {}),
            ("StartGame", {}),
        ]
        for at, (kind, fields) in enumerate(asked):
            await ann.send(kind, id=f"a{at}", **fields)
        await ann.until(lambda p: p.get("id") == f"a{len(asked) - 1}")
        await silent(ann)
        assert [p["id"] for p in ann.packets if str(p.get("id"))[0] == "a"] == [
            f"a{at}" for at in range(len(asked))
        ]
        before = len(ann.packets)
        await ann.send("SetRoom", visibility="public")
        await ann.until("RoomSet")
        await silent(ann)
        assert not [p for p in ann.packets[before:] if p["type"] == "Done" or "id" in p]


async def test_rejection_is_sent_even_without_an_id() -> None:
    async with Program() as ann:
        await ann.host()
        await silent(ann)
        await ann.send("StartGame")
        answer = await ann.read()
        assert (answer["type"], answer["code"]) == ("ActionFailed", "not_enough_players")
        assert "id" not in answer


async def test_repeats_take_precedence_over_ignored_and_ignored_over_stale() -> None:
    async with Program() as ann, Program() as bob, Program() as eve:
        room = await started(ann, bob, options={"lives": 1})
        await eve.join(room, "eve")
        me = on_turn(ann, bob)
        prompt = me.data["prompt"]
        await me.ask("Roll", prompt=prompt)
        await me.ask("Announce", dice="2,1")
        await me.had("GameEnd")
        # After the end a repeat is still answered; anything else is ignored, whatever its prompt.
        assert (await me.ask("Roll", prompt=prompt))["type"] == "Done"
        assert (await me.ask("See", prompt=prompt))["code"] == "ignored"
        assert (await eve.ask("Roll", prompt=prompt))["code"] == "ignored"
        assert await Act.objects.filter(kind="move").acount() == 2


async def test_moves_are_validated_by_the_rooms_game_before_a_match() -> None:
    async with Program() as ann:
        await ann.read()
        assert (await ann.ask("Roll"))["code"] == "ignored"
        assert (await ann.ask("Nonsense"))["code"] == "bad_packet"
        await ann.host("mia")
        assert (await ann.ask("Roll"))["code"] == "ignored"
        for kind in ("Nonsense", "Challenge"):
            assert (await ann.ask(kind))["code"] == "bad_packet"
        assert (await ann.ask("Roll", more=1))["code"] == "bad_packet"


async def test_packets_after_the_connection_is_closed_are_ignored(caplog: Any) -> None:
    async with Program() as ann:
        await ann.read()
        for _ in range(60):
            await ann.raw(json.dumps({"type": "Nonsense"}))
        assert await ann.closing() == 4008
        assert len([p for p in ann.packets if p["type"] == "ActionFailed"]) == 20
    assert not [record for record in caplog.records if record.exc_info]


async def test_claim_has_exactly_two_fields_and_is_about_ones_own_hand() -> None:
    async with Program() as ann, Program() as bob:
        await started(ann, bob)
        claim = {"kind": "drawn", "policies": ["liberal"]}
        answer = await ann.ask("SendNewChatMessage", message="I had one", claim=claim)
        assert answer["code"] == "not_your_hand"
        for bad in ({"kind": "drawn"}, {**claim, "more": 1}, "drawn", {**claim, "policies": 3}):
            answer = await ann.ask("SendNewChatMessage", message="I had one", claim=bad)
            assert answer["code"] == "bad_packet"
