"""The rules of conversation: answers, prompts, bad packets, floods, order."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import pytest

from tests.kit.client import Json, Program, on_turn, seated, silent, started


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "[]",
        '"Roll"',
        "{}",
        '{"type": 1}',
        '{"type": "Nonsense"}',
        '{"type": "JoinGame"}',
        '{"type": "JoinGame", "room": 1}',
        '{"type": "LeaveGame", "more": 1}',
        '{"type": "HostGame", "game": "mia", "visibility": "secret"}',
        '{"type": "AddBot", "id": {}}',
        "[" * 10000,
        '{"type": "HostGame", "game": "' + "x" * 17000 + '"}',
    ],
)
async def test_a_bad_packet_gets_a_sentence_and_the_connection_goes_on(text: str) -> None:
    async with Program() as ann:
        await ann.read()
        await ann.raw(text)
        answer = await ann.read()
        assert (answer["type"], answer["code"]) == ("ActionFailed", "bad_packet")
        assert answer["reason"]
        await ann.host()


async def test_binary_frames_are_bad_packets() -> None:
    async with Program() as ann:
        await ann.read()
        await ann.socket.send_to(bytes_data=b"\x00\xff")
        assert (await ann.read())["code"] == "bad_packet"


async def test_twenty_bad_packets_in_a_row_end_the_connection() -> None:
    async with Program() as ann:
        await ann.read()
        for _ in range(20):
            await ann.raw("nonsense")
        assert await ann.closing() == 4008


async def test_a_flood_ends_the_connection(settings: Any) -> None:
    settings.WS_BURST, settings.WS_RATE = 10, 1
    async with Program() as ann:
        await ann.read()
        for _ in range(15):
            await ann.send("LeaveGame")
        assert await ann.closing() == 4008


async def test_without_an_id_what_is_not_yours_is_passed_over_in_silence() -> None:
    async with Program() as ann, Program() as bob:
        await started(ann, bob)
        other = bob if on_turn(ann, bob) is ann else ann
        await silent(other)
        await other.send("Roll")
        assert await other.quiet()
        assert (await other.ask("Roll"))["code"] == "ignored"


async def test_an_old_prompt_is_stale_and_a_repeat_is_done() -> None:
    async with Program() as ann, Program() as bob:
        await started(ann, bob)
        me = on_turn(ann, bob)
        prompt = me.data["prompt"]
        first = await me.ask("Roll", prompt=prompt)
        assert first["type"] == "Done"
        again = await me.ask("Roll", prompt=prompt)
        assert again["type"] == "Done"
        assert (await me.ask("See", prompt=prompt))["code"] == "stale"
        answer = await me.ask("Announce", dice="7,1")
        assert answer["code"] == "bad_dice"
        assert "7,1" in answer["reason"]
        await me.ask("Announce", dice="6,6")
        late = await me.ask("Roll", prompt=prompt)
        assert (late["type"], late["version"]) == ("Done", first["version"])
        await silent(me)
        rolls = [p for p in me.packets if p["type"] == "PlayerRolls"]
        assert len(rolls) == 1


async def test_an_act_is_told_in_order() -> None:
    async with Program() as ann, Program() as bob:
        await started(ann, bob)
        me = on_turn(ann, bob)
        other = bob if me is ann else ann
        await me.ask("Roll")
        while me.data["version"] < 2:
            await me.until("GameDataSync")
        seen = len(other.packets)
        await me.send("Announce", dice="5,3")
        await other.until(lambda p: p["type"] == "TurnStart" and p["version"] > 2)
        kinds = [p["type"] for p in other.packets[seen:]]
        after = kinds[kinds.index("Announced") :]
        assert after == ["Announced", "GameDataSync", "TurnEnd", "TurnStart"]
        assert "Rolled" not in other.kinds()
        assert "Rolled" in me.kinds()
        versions = [p["version"] for p in other.packets if "version" in p]
        assert versions == sorted(versions)


def check_fairness(end: Json, commitment: str) -> None:
    """Recompute the draws from the packet alone, as anybody can."""
    fair = end["fairness"]
    secret = bytes.fromhex(fair["serverSeed"])
    assert hashlib.sha256(secret).hexdigest() == fair["commitment"] == commitment
    message = b""
    for entry in fair["nonces"]:
        nonce = entry["nonce"].encode()
        message += len(nonce).to_bytes(2, "big") + nonce
    assert hmac.new(secret, message, "sha256").hexdigest() == fair["seed"]


async def test_the_luck_was_committed_to_before_and_is_revealed_at_the_end_only() -> None:
    async with Program() as ann, Program() as bob:
        await seated(ann, bob, options={"lives": 1})
        commitment = ann.data["fairness"]["commitment"]
        await ann.ask("SetNonce", nonce="my own luck")
        await ann.ask("StartGame")
        begun = await ann.had("GameStarted")
        assert begun["fairness"]["commitment"] == commitment
        while ann.data["status"] != "playing" or bob.data["status"] != "playing":
            program = ann if ann.data["status"] != "playing" else bob
            await program.until("GameDataSync")
        me = on_turn(ann, bob)
        await me.ask("Roll")
        await me.ask("Announce", dice="2,1")
        end = await me.had("GameEnd")
        await silent(me)
        assert me.data["status"] == "finished"
        check_fairness(end, commitment)
        nonces = {e["username"]: e["nonce"] for e in end["fairness"]["nonces"]}
        assert nonces["p0"] == "my own luck"
        running = [p for p in me.packets if p.get("data", {}).get("status") != "finished"]
        running.remove(end)
        assert not [p for p in running if end["fairness"]["serverSeed"] in str(p)]


async def test_the_log_tells_again_what_each_was_told() -> None:
    async with Program() as ann, Program() as bob:
        await started(ann, bob)
        me = on_turn(ann, bob)
        other = bob if me is ann else ann
        await me.ask("Roll")
        mine, theirs = await me.ask("LogRequest", since=0), await other.ask("LogRequest", since=0)
        assert [a["version"] for a in mine["acts"]] == [1, 2]
        assert "Rolled" in str(mine["acts"])
        assert "Rolled" not in str(theirs["acts"])
        assert (await me.ask("LogRequest", since=2))["acts"] == []


async def test_a_claim_has_two_fields_and_needs_a_hand() -> None:
    async with Program() as ann, Program() as bob:
        await started(ann, bob)
        claim = {"kind": "drawn", "policies": ["liberal"]}
        answer = await ann.ask("SendNewChatMessage", message="I had one", claim=claim)
        assert answer["code"] == "not_your_hand"
        for bad in ({"kind": "drawn"}, {**claim, "more": 1}, "drawn", {**claim, "policies": 3}):
            answer = await ann.ask("SendNewChatMessage", message="I had one", claim=bad)
            assert answer["code"] == "bad_packet"
