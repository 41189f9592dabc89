"""Checks of requests and responses. Each has its own table."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import websockets

from conformance.wire_desk import Desk, check
from conformance.wire_program import Program, brief
from conformance.wire_words import Json

SLUGS = {"chamber", "secret_hitler", "cards", "mia", "coup"}


@check("Welcome comes first, with protocol, username, and the games and their options")
async def welcome(desk: Desk) -> None:
    program = await desk.program()
    first = program.frames[0]
    desk.expect(first.get("type") == "Welcome", f"the first packet is {brief(first)}")
    desk.expect(desk.welcome.get("protocol") == 1, f"protocol is {desk.welcome.get('protocol')}")
    desk.expect(desk.welcome.get("username") is None, "username is not null without a token")
    games = {game["slug"]: game for game in desk.welcome.get("games", [])}
    desk.expect(games.keys() >= SLUGS, f"games are missing: {sorted(SLUGS - games.keys())}")
    for slug, game in games.items():
        named = game["options"].get("properties", {})
        desk.expect(bool(named), f"{slug} has no options")
        for name, schema in named.items():
            desk.expect("default" in schema, f"{slug}: the option {name} has no default")
        desk.expect(
            1 < game["minPlayers"] <= game["maxPlayers"],
            f"{slug} has wrong minPlayers or maxPlayers",
        )


@check("a token sets the username in Welcome, and a wrong one is closed with 4001")
async def bearer(desk: Desk) -> None:
    host = await desk.host()
    await desk.program("ann again", host.entered["token"])
    name = desk.welcome["username"]
    desk.expect(name == "ann", f"the username for ann's token is {name!r}")
    wrong = Program(desk.url, "wrong", desk.patience, "no-such-token")
    await wrong.open()
    code = await wrong.closing()
    desk.expect(code == 4001, f"a wrong token was closed with {code} instead of 4001")
    desk.expect(not wrong.heard("Welcome"), "a wrong token got Welcome")


@check("an id is a string or number, and is returned unchanged exactly once")
async def ids(desk: Desk) -> None:
    host = await desk.host()
    for id_ in ("x", "ä🎲", 0, 7000, 1.5, -3):
        since = len(host.frames)
        await host.send("SetNonce", nonce="n", id=id_)
        await host.settle(0.1)
        answers = [p for p in host.frames[since:] if p.get("id") == id_ and p["type"] == "Done"]
        same = [p for p in answers if type(p["id"]) is type(id_)]
        sentence = f"the id {id_!r} was returned {len(answers)} times, {len(same)} times unchanged"
        desk.expect((len(answers), len(same)) == (1, 1), sentence)
    since = len(host.frames)
    await host.send("SetNonce", nonce="m")
    await host.settle(0.1)
    heard = [p for p in host.frames[since:] if p["type"] != "GameDataSync"]
    desk.expect(not heard, f"a packet without id was answered: {heard}")
    for no_id in ("null", "true", "{}", "[]"):
        await bad(desk, host, '{"type":"SetNonce","nonce":"n","id":' + no_id + "}")


JUNK: tuple[str | bytes, ...] = (
    *("nonsense", "", "[]", "7", '"Roll"', "null", "{}", '{"type":7}', '{"type":"NoSuchPacket"}'),
    *('{"type":"LeaveGame","more":1}', '{"type":"SetNonce"}', '{"type":"SetNonce","nonce":7}'),
    *('{"type":"LogRequest","since":"0"}', b"\x00\xff", b"{}"),
    *('{"type":"SetRoom","visibility":"secret"}', '{"type":"AddBot","level":[]}'),
    *('{"type":"Roll","more":1}', '{"type":"Announce"}', '{"type":"Announce","dice":[5,3]}'),
    *('{"type":"Challenge"}', "[" * 3000, '{"type":"SetNonce","nonce":"' + "x" * 17000 + '"}'),
)


@check("junk is answered with bad_packet, and the connection stays open")
async def bad_packets(desk: Desk) -> None:
    host = await desk.host()
    for at, junk in enumerate(JUNK):
        if at % 8 == 0:
            await host.settle(0.5)  # not a flood, and not too many in a row
        await bad(desk, host, junk)
    since = len(host.frames)
    await host.raw('{"id":"by-id","type":"SetNonce"}')
    await host.settle(0.1)
    answers = [p for p in host.frames[since:] if p.get("id") == "by-id"]
    desk.expect(len(answers) == 1, "the answer to a bad packet lacks its id")


async def bad(desk: Desk, program: Program, junk: str | bytes) -> None:
    """Check that the response to this frame is bad_packet with a reason."""
    since = len(program.frames)
    await program.raw(junk)
    await program.ask("GameDataRequest" if program.data else "LeaveGame")
    failed = program.heard("ActionFailed", since)
    codes = [p.get("code") for p in failed if p.get("id") != len(program.said)]
    sentence = f"{junk[:60]!r} was answered {codes} instead of one bad_packet"
    desk.expect(codes == ["bad_packet"] and all(p.get("reason") for p in failed), sentence)


@check("twenty bad packets in a row are closed with 4008, nineteen are not")
async def in_a_row(desk: Desk) -> None:
    host = await desk.host()
    for _ in range(19):
        await host.raw("nonsense")
    await host.refused("bad_target", "KickPlayer", username="nobody here")
    await host.settle(1.0)
    for _ in range(20):
        await host.raw("nonsense")
    code = await host.closing()
    desk.expect(code == 4008, f"twenty bad packets in a row were closed with {code}, not 4008")
    back = await desk.program("ann again")
    token, room = host.entered["token"], host.entered["room"]
    answer = await back.ask("JoinGame", room=room, token=token)
    sentence = f"rejoining after 4008 was answered {brief(answer)}"
    desk.expect(answer["type"] == "GameRejoined", sentence)
    await back.until("GameDataSync")


@check("a flood is closed with 4008")
async def flood(desk: Desk) -> None:
    program = await desk.program()
    with contextlib.suppress(websockets.ConnectionClosed):
        for _ in range(10):  # on a busy machine, the first hundreds may be within the limit
            for _ in range(500):
                await program.socket.send('{"type":"LeaveGame"}')
            await asyncio.wait([program.hearing], timeout=0.5)
    code = await program.closing()
    desk.expect(code == 4008, f"a flood of packets was closed with {code} instead of 4008")


@check("a message of more than 1 MiB is closed with 1009")
async def too_big(desk: Desk) -> None:
    program = await desk.program()
    with contextlib.suppress(websockets.ConnectionClosed):
        await program.socket.send("x" * ((1 << 20) + 1))
    code = await program.closing()
    desk.expect(code == 1009, f"more than 1 MiB was closed with {code} instead of 1009")


async def ignored(desk: Desk, program: Program, type_: str, **fields: Any) -> None:
    """Check that a packet gets no response without an id, and `ignored` with an id."""
    since = len(program.frames)
    await program.send(type_, **fields)
    await program.refused("ignored", type_, **fields)
    failed = program.heard("ActionFailed", since)
    sentence = f"{type_} without an id was answered: {[p.get('code') for p in failed]}"
    desk.expect(len(failed) == 1, sentence)


@check("packets without permission are dropped, or answered with ignored if they have an id")
async def ignored_packets(desk: Desk) -> None:
    nobody = await desk.program("nobody")
    for kind in ("LeaveGame", "StartGame", "Roll", "AddBot"):
        await ignored(desk, nobody, kind)
    me, other = await desk.started(options={"lives": 1})
    guest = other if other.name == "bob" else me
    asked: list[tuple[str, Json]] = [
        ("SetOptions", {"options": {}}),
        ("SetRoom", {"visibility": "public"}),
        ("KickPlayer", {"username": "ann"}),
        ("SetHost", {"username": "bob"}),
        ("Invite", {"username": "x"}),
    ]
    for type_, fields in asked:
        await ignored(desk, guest, type_, **fields)
    await ignored(desk, other, "Roll")
    watcher = await desk.guest(me, "eve")
    await ignored(desk, watcher, "Roll")
    await me.done("Roll")
    await me.done("Announce", dice="2,1")
    await me.until("GameEnd")
    await ignored(desk, me, "Roll")


@check("old prompts are stale and repeats are Done, and both have no effect")
async def prompts(desk: Desk) -> None:
    me, _other = await desk.started()
    prompt = me.data["prompt"]
    first = await me.done("Roll", prompt=prompt)
    again = await me.done("Roll", prompt=prompt)
    desk.expect("version" in first and "version" in again, "Done of a move has no version")
    await me.refused("stale", "See", prompt=prompt)
    await me.refused("bad_dice", "Announce", dice="7,1")
    await me.synced(lambda d: d["version"] >= 2, "the sync of its move")
    desk.expect(me.data["prompt"] != prompt, "the prompt did not change after an accepted move")
    await me.settle()
    rolls = len(me.heard("PlayerRolls"))
    desk.expect(rolls == 1, f"a move sent twice with its prompt was made {rolls} times")
    await me.refused("stale", "Announce", prompt=me.data["prompt"] + 100, dice="3,1")
