"""Checks of rooms: joining, leaving, the host, options, chat and absence."""

from __future__ import annotations

import asyncio
import hashlib

from conformance.wire_desk import GAME, Desk, begin, check
from conformance.wire_luck import commit, reveal, secret_of
from conformance.wire_program import brief
from conformance.wire_talk import ignored
from conformance.wire_words import Json


@check("joining gives GameJoined and a token, an event for everybody, and a sync")
async def joining(desk: Desk) -> None:
    host, guest = await desk.pair()
    for program in (host, guest):
        await program.synced(lambda d: len(d["players"]) == 2, "a sync with both players")
        names = [p["username"] for p in program.data["players"]]
        desk.expect(names == ["ann", "bob"], f"players of {program.name} are {names}")
        joined = [p["player"]["username"] for p in program.heard("PlayerJoined")]
        desk.expect("bob" in joined, f"{program.name} did not receive PlayerJoined of bob")
        desk.expect(program.data["you"] == program.name, f"you is {program.data['you']!r}")
        desk.expect(program.data["gameHost"] == "ann", "the creator is not the host")
        desk.expect(bool(program.entered.get("token")), f"{program.name} got no token")
    made = [p["username"] for p in host.heard("HostSet")]
    desk.expect(made == ["ann"], f"the creator of a room received HostSet of {made}")
    kinds = [p["type"] for p in guest.frames[1:]]
    desk.expect(kinds[:1] == ["GameJoined"], f"after JoinGame came {kinds}")
    for key in ("matchId", "version", "view", "prompt", "turn", "deadline", "outcome"):
        desk.expect(guest.data[key] is None, f"{key} is not null before the first match")
    await guest.refused("already_in_room", "JoinGame", room=host.entered["room"])
    await guest.refused("already_in_room", "HostGame", game=GAME)
    nobody = await desk.program("nobody")
    await nobody.refused("bad_game", "HostGame", game="no such game", username="x")


@check("refused joins have the right reason")
async def rejections(desk: Desk) -> None:
    host = await desk.host(password="dragon")
    room = host.entered["room"]
    await desk.rejected("?????", "InvalidRoom")
    await desk.rejected(room, "WrongPassword")
    await desk.rejected(room, "WrongPassword", password="wrong")
    await desk.rejected(room, "BadToken", password="dragon", token="no-such-token")
    for name, reason in (
        ("ANN", "UsernameTaken"),
        ("аnn", "UsernameLookalike"),
        ("x" * 21, "UsernameTooLong"),
        ("  ", "UsernameEmpty"),
        ("a\nb", "UsernameInvalid"),
        ("a\u202eb", "UsernameInvalid"),
    ):
        await desk.rejected(room, reason, username=name, password="dragon")
    trimmed = await desk.guest(host, "  " + "ü" * 20 + " ", password="dragon")
    name = trimmed.entered["username"]
    desk.expect(name == "ü" * 20, f"a name was not trimmed, or was changed otherwise: {name!r}")
    closed = await desk.host(visibility="invited")
    await desk.rejected(closed.entered["room"], "NotInvited")


@check("a token brings the same person back to the same seat, without a password")
async def rejoining(desk: Desk) -> None:
    host = await desk.host(password="dragon")
    guest = await desk.guest(host, "bob", password="dragon")
    await begin(host, guest)
    token, room = guest.entered["token"], host.entered["room"]
    again = await desk.program("bob again")
    answer = await again.ask("JoinGame", room=room, token=token, username="other")
    sentence = f"rejoining was answered {brief(answer)}"
    desk.expect(answer["type"] == "GameRejoined" and answer.get("username") == "bob", sentence)
    await again.until("GameDataSync")
    for key in ("you", "prompt", "offers", "view"):
        same = again.data[key] == guest.data[key]
        desk.expect(same, f"{key} differs between two connections of one person")
    await guest.drop()
    await again.settle()
    desk.expect(again.code is None, "the second connection was closed with the first")
    await again.ask("SendNewChatMessage", message="still here")
    heard = await host.until("NewChatMessageSent")
    desk.expect(heard["player"]["username"] == "bob", "a rejoined player chats under another name")
    elsewhere = await desk.program("bob elsewhere", token)
    other = await elsewhere.ask("HostGame", game=GAME, visibility="unlisted")
    desk.expect(other["type"] == "GameCreated", "a person cannot join a second room")
    await elsewhere.until("GameDataSync")


@check("all learn who leaves, and the longest-present person, not a bot, becomes host")
async def leaving(desk: Desk) -> None:
    host = await desk.host()
    await host.done("AddBot")
    bob, eve = await desk.guest(host, "bob"), await desk.guest(host, "eve")
    await host.done("LeaveGame")
    told = {"type": "PlayerLeft", "username": "ann", "reason": "left"}
    for program in (host, bob, eve):
        left = await program.until("PlayerLeft")
        desk.expect(left == told, f"{program.name} received {brief(left)}")
    for program in (bob, eve):
        heir = (await program.until("HostSet"))["username"]
        desk.expect(heir == "bob", f"the new host is {heir}")
    await bob.done("SetOptions", options={})
    await ignored(desk, host, "GameDataRequest")
    answer = await host.ask("HostGame", game=GAME, visibility="unlisted")
    desk.expect(answer["type"] == "GameCreated", "after leaving, the same connection cannot host")
    await host.until("GameDataSync", since=host.frames.index(answer))


@check("a kicked player gets an alert and code 4003, and cannot come back")
async def kicking(desk: Desk) -> None:
    host, guest = await desk.pair()
    await host.refused("bad_target", "KickPlayer", username="nobody here")
    await host.refused("bad_target", "KickPlayer", username="ann")
    await host.done("KickPlayer", username="bob")
    code = await guest.closing()
    desk.expect(code == 4003, f"the kicked player was closed with {code} instead of 4003")
    desk.expect(bool(guest.heard("ShowAlert")), "the kicked player got no ShowAlert")
    left = await host.until("PlayerLeft")
    desk.expect(left["reason"] == "kicked", f"a kick has the reason {left['reason']!r}")
    token = guest.entered["token"]
    for spectate in (False, True):
        room = host.entered["room"]
        await desk.rejected(room, "Kicked", token=token, spectate=spectate)
    other = await desk.guest(host, "eve")
    await begin(host, other)
    await host.refused("not_allowed_now", "KickPlayer", username="eve")


@check("options have the ranges of Welcome and reach all, and errors name the option")
async def options(desk: Desk) -> None:
    host, guest = await desk.pair()
    games = {game["slug"]: game["options"]["properties"] for game in desk.welcome["games"]}
    defaults = {name: schema["default"] for name, schema in games[GAME].items()}
    desk.expect(host.data["options"] == defaults, "the options of a new room are not the defaults")
    await host.done("SetOptions", options={"lives": 2, "pace": "fast"})
    told = (await guest.until("OptionsSet"))["options"]
    desk.expect(told == {**defaults, "lives": 2, "pace": "fast"}, f"OptionsSet has {told}")
    for wrong in wrong_options(games[GAME]):
        answer = await host.refused("bad_options", "SetOptions", options=wrong)
        name = next(iter(wrong))
        desk.expect(name in answer["reason"], f"{answer['reason']!r} does not name {name}")
    since = len(guest.frames)
    await guest.settle()
    desk.expect(not guest.heard("OptionsSet", since), "refused options were announced")
    await begin(host, guest)
    await host.refused("not_allowed_now", "SetOptions", options={"lives": 3})


def wrong_options(schemas: Json) -> list[Json]:
    """Return options just outside each range, or options of a wrong type."""
    wrong: list[Json] = [{"noSuchOption": 1}]
    for name, schema in schemas.items():
        if "maximum" in schema:
            wrong += [{name: schema["maximum"] + 1}, {name: schema["minimum"] - 1}, {name: "3"}]
        elif "enum" in schema:
            wrong.append({name: "no such value"})
        elif schema.get("type") == "boolean":
            wrong.append({name: 1})
    return wrong


@check("all learn visibility and password")
async def room_settings(desk: Desk) -> None:
    host, guest = await desk.pair()
    await host.done("SetRoom", visibility="invited", password="dragon")
    told = await guest.until("RoomSet")
    wanted = {"type": "RoomSet", "visibility": "invited", "locked": True}
    desk.expect(wanted.items() <= told.items(), f"RoomSet has {brief(told)}")
    await guest.synced(lambda d: d["locked"] and d["visibility"] == "invited", "the new settings")
    await desk.rejected(host.entered["room"], "NotInvited", password="dragon")
    await host.done("SetRoom", visibility="unlisted", password="")
    await desk.guest(host, "eve")


@check("unknown names are bad_target; with --token, an invitation arrives and lets in")
async def invitations(desk: Desk) -> None:
    host = await desk.host(visibility="invited", password="dragon")
    await host.refused("bad_target", "Invite", username="no such registered user")
    if desk.token is None:
        return
    user = await desk.program("the user", desk.token)
    name = desk.welcome["username"]
    await host.done("Invite", username=name)
    wanted = {"room": host.entered["room"], "game": GAME, "from": "ann"}
    kept = await desk.program("the user again", desk.token)
    for program in (user, kept):
        told = await program.until(
            lambda p: p["type"] == "Invited" and p["room"] == wanted["room"], "Invited"
        )
        desk.expect(told == {"type": "Invited", **wanted}, f"Invited has {brief(told)}")
    answer = await kept.ask("JoinGame", room=host.entered["room"], username="invited")
    desk.expect(answer["type"] == "GameJoined", f"the invited user was answered {brief(answer)}")
    await kept.until("GameDataSync")


@check("bots of all levels in Welcome can be added up to maxPlayers, and kicked")
async def bots(desk: Desk) -> None:
    host = await desk.host("coup")
    game = next(game for game in desk.welcome["games"] if game["slug"] == "coup")
    await host.refused("bad_level", "AddBot", level="no such level")
    for level in (*game["botLevels"], *[None] * game["maxPlayers"]):
        answer = await host.ask("AddBot", **({"level": level} if level else {}))
        if answer["type"] != "Done":
            break
    full = answer["type"] == "ActionFailed" and answer.get("code") == "table_full"
    desk.expect(full, f"one bot too many was answered {brief(answer)}")
    await host.settle()
    seated = [p for p in host.data["players"] if p["isBot"]]
    desk.expect(len(seated) == game["maxPlayers"] - 1, f"{len(seated)} bots sat down")
    desk.expect(
        len(host.heard("PlayerJoined")) == game["maxPlayers"], "a PlayerJoined of a bot is missing"
    )
    await host.done("KickPlayer", username=seated[0]["username"])
    await host.refused("bad_target", "SetHost", username=seated[1]["username"])


@check("a host can make another person host, even a spectator, with all rights")
async def host_title(desk: Desk) -> None:
    host, guest = await desk.pair()
    await guest.done("SetSpectating", spectating=True)
    changed = (await host.until("PlayerChanged"))["player"]
    desk.expect(changed["isSpectator"] is True, "PlayerChanged does not show the spectator")
    await host.refused("bad_target", "SetHost", username="nobody here")
    await host.done("SetHost", username="bob")
    for program in (host, guest):
        since = program.frames.index(await program.until("PlayerChanged"))
        heir = (await program.until("HostSet", since=since))["username"]
        desk.expect(heir == "bob", f"{program.name} received HostSet of {heir}")
    await ignored(desk, host, "StartGame")
    await guest.refused("not_enough_players", "StartGame")


@check("joining a running match makes a spectator without prompt or offers, if allowed")
async def spectators(desk: Desk) -> None:
    me, _other = await desk.started()
    eve = await desk.guest(me, "eve")
    desk.expect(eve.data["status"] == "playing", f"status is {eve.data['status']}")
    desk.expect(
        eve.data["prompt"] is None and not eve.data["offers"], "a spectator has a prompt or offers"
    )
    entry = eve.data["players"][-1]
    is_right = (entry["username"], entry["isSpectator"], entry["inGame"], entry["seat"])
    desk.expect(
        is_right == ("eve", True, False, None), f"the entry of a spectator is {brief(entry)}"
    )
    alone, _second = await desk.started(options={"spectators": "none"})
    await desk.rejected(alone.entered["room"], "RoomFull")


@check("chat is trimmed and limited, and players do not get messages of the gallery")
async def chat(desk: Desk) -> None:
    me, other = await desk.started()
    eve, kim = await desk.guest(me, "eve"), await desk.guest(me, "kim")
    await eve.done("SendNewChatMessage", message="from the gallery")
    heard = await kim.until("NewChatMessageSent")
    desk.expect(heard["audience"] == "gallery", f"a spectator wrote to {heard['audience']!r}")
    await me.done("SendNewChatMessage", message="  from the table \n")
    for program in (other, eve, kim):
        said = await program.until(
            lambda p: p["type"] == "NewChatMessageSent" and p["audience"] == "table"
        )
        desk.expect(said["message"] == "from the table", f"the chat message is {said['message']!r}")
    for message in (" ", "x" * 501):
        await me.refused("bad_message", "SendNewChatMessage", message=message)
    await other.settle()
    texts = [p["message"] for p in other.heard("NewChatMessageSent")]
    desk.expect(texts == ["from the table"], f"a player received {texts}")
    kept = [m["message"] for m in other.data["chat"]]
    desk.expect(kept == ["from the table"], f"data.chat of a player has {kept}")
    for at in range(2):  # refused messages count as well
        await me.done("SendNewChatMessage", message="🎲" * 500 if at else "again")
    # The ten seconds may end in the meantime. If so, up to five more messages pass.
    answers = [await me.ask("SendNewChatMessage", message=f"more: {at}") for at in range(6)]
    codes = [answer.get("code") for answer in answers]
    desk.expect("busy" in codes, "eleven messages in a row were not limited to five in ten seconds")


@check("shares are listed before a match, and opened before it begins")
async def shares(desk: Desk) -> None:
    host, guest = await desk.pair()
    if not await commit([host, guest]):  # the luck has version 1
        return
    commitment = host.data["fairness"]["commitment"]
    await guest.refused("stale", "CommitLuck", commitment="0" * 64, share="1" * 64)
    await guest.refused("ignored", "RevealLuck", list="0" * 64, secret="1" * 64)
    await host.done("StartGame")
    data = await guest.synced(lambda d: d.get("mixing", {}).get("list"), "a list of shares")
    listed = data["mixing"]["list"]
    for code, type_, fields in (
        ("too_late", "CommitLuck", {"commitment": commitment, "share": "1" * 64}),
        ("bad_secret", "RevealLuck", {"list": listed, "secret": "1" * 64}),
        ("ignored", "RevealLuck", {"list": "0" * 64, "secret": secret_of(guest.name)}),
    ):
        await guest.refused(code, type_, **fields)
    await host.refused("not_allowed_now", "SetOptions", options={})
    await reveal([host, guest])
    await guest.synced(lambda d: d["status"] == "playing" and "mixing" not in d, "the match")
    await guest.done("RevealLuck", list=listed, secret=secret_of(guest.name))


@check("a list is void if a share on it is not opened, and its seed is revealed")
async def voids(desk: Desk) -> None:
    host, guest = await desk.pair()
    if not await commit([host, guest]):
        return
    committed = host.data["fairness"]["commitment"]
    await host.done("StartGame")
    await reveal([host])
    void = await guest.until("LuckVoid")
    seed = hashlib.sha256(bytes.fromhex(void["serverSeed"])).hexdigest()
    desk.expect(seed == committed, "LuckVoid does not reveal the seed of its list")
    desk.expect(void["missing"] == [guest.name], f"LuckVoid names {void['missing']}")
    desk.expect(not void.get("gone"), f"LuckVoid says that {void.get('gone')} have left")
    await host.synced(lambda d: d["fairness"]["commitment"] != committed, "another commitment")
    await commit([host])
    await reveal([host])
    began = await guest.until("GameStarted")
    silent = [one["secret"] is None for one in began["fairness"]["seats"]]
    desk.expect(silent == [False, True], "the seat that was missing is not silent")


@check("without a clock there is no deadline, and a nudge starts sixty seconds once")
async def nudging(desk: Desk) -> None:
    me, other = await desk.started(options={"pace": "none"})
    host = me if me.name == "ann" else other
    for key in ("deadline", "secondsLeft"):
        desk.expect(host.data[key] is None, f"{key} is {host.data[key]!r} without a clock")
    guest = other if host is me else me
    await guest.refused("not_allowed_now", "Nudge")  # too soon after the prompt
    await host.done("Nudge")
    for program in (me, other):
        version = (await program.until("Nudged"))["version"]
        await program.synced(lambda d, v=version: d["version"] >= v, "the sync of a nudge")  # type: ignore[misc]
        left = program.data["secondsLeft"]
        desk.expect(left is not None and 50 < left <= 60, f"a nudge gave {left} seconds")
    await host.refused("not_allowed_now", "Nudge")


@check("starting needs players, and the next match keeps room, people and standings")
async def again(desk: Desk) -> None:
    host = await desk.host(options={"lives": 1})
    await host.refused("not_enough_players", "StartGame")
    guest = await desk.guest(host, "bob")
    for round_ in (1, 2):
        await begin(host, guest)
        for program in (host, guest):
            started = program.heard("GameStarted")
            desk.expect(len(started) == round_, f"GameStarted came {len(started)} times")
            desk.expect(started[-1]["version"] == 1, "the setup is not version 1")
        await host.refused("not_allowed_now", "PlayAgain")
        me = host if host.data["turn"] == "ann" else guest
        await me.done("Roll")
        await me.done("Announce", dice="2,1")
        await host.synced(lambda d: d["status"] == "finished", "the end of the match")
        won = sum(host.data["standings"].values())
        desk.expect(won == round_, f"standings hold {won} won matches after {round_}")
    matches = [p["matchId"] for p in host.heard("GameStarted")]
    desk.expect(len(set(matches)) == 2, f"two matches have the ids {matches}")


@check("programs that seek the same game get a room, and a seek can be cancelled")
async def seeking(desk: Desk) -> None:
    wanted = {"game": GAME, "seats": [2, 2], "programs": True}
    ann, bob = await desk.program("ann"), await desk.program("bob")
    await ann.refused("bad_seats", "Seek", **{**wanted, "seats": [2, 99], "username": "ann"})
    await ann.refused("cannot_be_rated", "Seek", **wanted, username="ann", rated=True)
    answer = await ann.ask("Seek", **wanted, username="ann")
    facts = (answer["type"], answer.get("game"), answer.get("wanted"))
    desk.expect(facts == ("Seeking", GAME, 2), f"Seek was answered {brief(answer)}")
    await ann.done("CancelSeek", game=GAME)
    await ann.done("CancelSeek", game=GAME)
    for program in (ann, bob):
        answer = await program.ask("Seek", **wanted, username=program.name)
        desk.expect(answer["type"] == "Seeking", f"Seek was answered {brief(answer)}")
    for program in (ann, bob):
        found = await program.until("Matched")
        desk.expect("token" in found, f"{program.name} got no token")
        answer = await program.ask("JoinGame", room=found["room"])
        desk.expect(answer["type"] == "GameRejoined", f"JoinGame was answered {brief(answer)}")
        await program.synced(lambda d: d["gameStarted"], "the start of the match")
    for program in (ann, bob):
        await program.done("LeaveGame")


@check("a lost connection is shown after 8 seconds, and its return as well")
async def absence(desk: Desk) -> None:
    host, guest = await desk.pair()
    since = len(host.frames)
    await guest.drop()
    await asyncio.sleep(6)
    early = host.heard("PlayerConnection", since)
    desk.expect(not early, "a player is shown as disconnected within 6 seconds")
    for connected in (False, True):
        wait, host.patience = host.patience, host.patience + 8
        told = await host.until("PlayerConnection", since=since)
        host.patience = wait
        wanted = {"type": "PlayerConnection", "username": "bob", "connected": connected}
        desk.expect(told == wanted, f"the host received {brief(told)}")
        since = host.frames.index(told) + 1
        if not connected:
            back = await desk.program("bob again")
            await back.ask("JoinGame", room=host.entered["room"], token=guest.entered["token"])
            await back.until("GameDataSync")
