"""Every command, as a packet and as a page's form: who may send it, and when."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils.html import escape

from accounts import tokens
from accounts.models import User
from games import rooms
from games.contract.core import Ignored, Refused
from games.engine.snapshots import load_snapshot
from games.models import Match, Room
from games.registry import GAMES
from games.rooms import table_pause
from games.rooms.authorization import ENTRANCES
from games.sockets.command_forms import read_command
from games.sockets.dispatch import carry_out
from games.sockets.hub import close_hub
from games.tables.sentences import refusal
from games.wire import commands
from games.wire.client import PLATFORM, read_platform
from games.wire.commands import COMMANDS
from games.wire.declaration import Command
from tests.kit import moderation_helpers
from tests.kit.client import Program, answer_of, program_of
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.page_socket import Connection, cookie_of, socket, text
from tests.kit.people import account

pytestmark = pytest.mark.django_db(transaction=True)

ROLES = ("outsider", "spectator", "member", "host")
NO, DONE, LATER = "ignored", "Done", "not_allowed_now"
HOST_ONLY = (NO, NO, NO, DONE)
HOST_LATER = (NO, NO, NO, LATER)
ANYBODY_IN = (NO, DONE, DONE, DONE)
NOBODY_NOW = (NO, LATER, LATER, LATER)
IF_ASKED = "Done or not_allowed_now"
"""Accepted from the player asked now, too early from the others."""


@dataclass(frozen=True)
class Row:
    """Answers to an outsider, a spectator, a player and the host: before a match, during one, and
    while it is paused. Written by hand, independently of the declarations."""

    fields: dict[str, Any]
    open: tuple[str, ...]
    playing: tuple[str, ...]
    paused: tuple[str, ...]


def always(fields: dict[str, Any], answers: tuple[str, ...]) -> Row:
    return Row(fields, answers, answers, answers)


def between(fields: dict[str, Any], answers: tuple[str, ...]) -> Row:
    """Return a row of a packet that nobody may send during a match."""
    later = tuple(LATER if answer == DONE else answer for answer in answers)
    return Row(fields, answers, later, later)


ACCESS: dict[str, Row] = {
    "HostGame": always({"game": "mia"}, ("GameCreated", *["already_in_room"] * 3)),
    "JoinGame": always({"room": "CODE"}, ("GameJoined", *["already_in_room"] * 3)),
    "Seek": always({"game": "mia"}, ("Seeking", *["already_in_room"] * 3)),
    "CancelSeek": always({"game": "mia"}, (DONE, *["already_in_room"] * 3)),
    "SetAvailable": always({"games": ["mia"]}, ("programs_only", *["already_in_room"] * 3)),
    "LeaveGame": always({}, ANYBODY_IN),
    "LeaveForNewGame": Row({}, NOBODY_NOW, (NO, DONE, NO, NO), (NO, DONE, NO, NO)),
    "GameDataRequest": always({}, (NO, *["GameDataSync"] * 3)),
    "LogRequest": always({}, (NO, *["Log"] * 3)),
    "SetOptions": between({"options": {"lives": 3}}, HOST_ONLY),
    "SetGame": between({"game": "coup"}, HOST_ONLY),
    "SetRoom": always({"visibility": "unlisted", "password": "x"}, HOST_ONLY),
    "Invite": always({"username": "Cleo"}, HOST_ONLY),
    "InviteAgain": always({"member": "GONE"}, HOST_ONLY),
    "WithdrawInvitation": always({"invitation": "ASKED"}, HOST_ONLY),
    "SetHost": always({"username": "spectator"}, HOST_ONLY),
    "SetSpectating": between({"spectating": False}, ANYBODY_IN),
    "SetOthersSpectating": between({"username": "victim", "spectating": True}, HOST_ONLY),
    "KickPlayer": between({"username": "victim"}, HOST_ONLY),
    "AddBot": between({}, HOST_ONLY),
    "FillWithBots": between({"level": "random", "upTo": 5}, HOST_ONLY),
    "SetBotLevel": between({"username": "BOT", "level": "cautious"}, HOST_ONLY),
    "StartGame": between({}, HOST_ONLY),
    "PlayAgain": between({}, HOST_ONLY),
    "GiveSeat": Row(
        {"username": "victim", "member": "GONE"},
        HOST_LATER,
        (NO, NO, NO, "not_absent"),
        (NO, NO, NO, "not_absent"),
    ),
    "TakeBackSeat": always({}, ANYBODY_IN),
    # The page's script sends this and shows no refusal. Mia deals nothing secret.
    "DealSeen": Row({}, ANYBODY_IN, (NO, NO, NO, NO), (NO, "paused", "paused", "paused")),
    "Nudge": Row({}, HOST_LATER, (NO, NO, LATER, LATER), (NO, NO, "paused", "paused")),
    "MoreTime": Row({}, NOBODY_NOW, (NO, NO, IF_ASKED, IF_ASKED), (NO, *["paused"] * 3)),
    "Pause": Row({}, HOST_LATER, HOST_ONLY, (NO, NO, NO, "paused")),
    "Resume": Row({}, HOST_LATER, HOST_LATER, HOST_ONLY),
    "SkipAhead": Row({}, NOBODY_NOW, NOBODY_NOW, (NO, "paused", "paused", "paused")),
    "Restart": always({}, HOST_LATER),  # human players are still in
    "CallVote": Row(
        {"about": "pause"},
        (NO, NO, LATER, LATER),
        (NO, NO, DONE, "vote_running"),
        (NO, NO, "paused", "paused"),
    ),
    "CastVote": always({"yes": True}, (NO, *["no_vote"] * 3)),
    "CommitLuck": always({"commitment": "0" * 64, "share": "0" * 64}, (NO, *["stale"] * 3)),
    "RevealLuck": always({"list": "0" * 64, "secret": "0" * 64}, (NO, NO, NO, NO)),
    "SetNonce": between({"nonce": "mine"}, ANYBODY_IN),
    "SendNewChatMessage": always({"message": "hello"}, ANYBODY_IN),
    "React": always({"reaction": "laugh"}, ANYBODY_IN),
    "VetoCard": always({"card": "own:1"}, (NO, NO, NO, NO)),  # Mia has no cards
    "Mute": always({"username": "victim", "on": True}, ANYBODY_IN),
    "Block": always({"username": "victim", "on": True}, ANYBODY_IN),
    # The victim is a guest, whom nobody can follow.
    "Follow": always({"username": "victim", "on": True}, (NO, *["follow_needs_account"] * 3)),
    "Report": always({"what": "name", "which": "victim", "reason": "insult"}, ANYBODY_IN),
}
PAGES_ONLY = {
    *("InviteAgain", "WithdrawInvitation", "SetOthersSpectating", "FillWithBots", "SetBotLevel"),
    *("GiveSeat", "TakeBackSeat", "DealSeen", "MoreTime", "VetoCard", "Mute", "Block"),
    "Follow",
    "Report",
}
ENTRANCES_OF_PROGRAMS = ("HostGame", "JoinGame", "Seek", "CancelSeek", "SetAvailable")
"""Packets of connections that are in no room."""
PROGRAMS_ONLY = {
    *ENTRANCES_OF_PROGRAMS,
    *("LeaveGame", "LeaveForNewGame", "GameDataRequest", "LogRequest"),
    "PlayAgain",
}
BY_SOCKET = (*ENTRANCES_OF_PROGRAMS, "GameDataRequest", "LogRequest")
"""Packets that a connection answers directly, without writing to the room."""
PACKETS = [name for name in ACCESS if name not in PAGES_ONLY]
FORMS = [name for name in ACCESS if name not in PROGRAMS_ONLY]
DURING_MATCHES = [
    pytest.param(name, state, marks=pytest.mark.slow if repeats else ())
    for name, row in ACCESS.items()
    if name not in BY_SOCKET
    for state, repeats in (("playing", False), ("paused", row.paused == row.playing))
]
"""Commands that get the same answers while a match is paused are only slow tests then."""


def room_with_every_role() -> tuple[Room, dict[str, User]]:
    """A room with a host, two players and a spectator. Another user is elsewhere."""
    people = {role: PersonFactory(name=role) for role in (*ROLES, "victim")}
    room = open_table(people["host"], people["member"], people["victim"])
    rooms.join(room.code, people["spectator"].pk, "spectator", spectate=True).result()
    rooms.add_bot(room.pk, people["host"].pk, "random").result()
    gone = PersonFactory(name="gone")
    rooms.join(room.code, gone.pk, "gone").result()
    rooms.leave(room.pk, gone.pk).result()
    account("Cleo")
    account("Asked")
    rooms.invite(room.pk, people["host"].pk, "Asked").result()
    return room, people


def filled(given: dict[str, Any], room: Room) -> dict[str, Any]:
    """Fill in the room's code, its bot, a user who left, and the player who must answer."""
    known = {
        "CODE": room.code,
        "BOT": room.members.exclude(bot="").get().name,
        "GONE": room.members.get(name="gone").pk,
        "ASKED": room.invitations.get().pk,
    }
    return {name: known.get(str(value), value) for name, value in given.items()}


async def stored(room: Room) -> list[Any]:
    """Return everything of a room that a packet could change."""
    rows = [row async for row in Room.objects.filter(pk=room.pk).values()]
    fields = ("name", "spectator", "left_at", "nonce", "bot")
    members = [row async for row in room.members.order_by("pk").values(*fields)]
    return [rows, members, await room.invitations.acount(), await room.matches.acount()]


def as_form(fields: dict[str, Any]) -> dict[str, Any]:
    """Convert packet fields to the texts a page sends."""
    plain = {name: str(of).lower() if isinstance(of, bool) else of for name, of in fields.items()}
    options = plain.pop("options", {})
    return {name: str(of) for name, of in plain.items()} | {
        f"option-{name}": str(of) for name, of in options.items()
    }


def test_access_table_covers_every_command() -> None:
    assert set(ACCESS) == {command.__name__ for command in COMMANDS}
    assert set(PACKETS) == PLATFORM == {packet.__name__ for packet in commands.PACKETS}
    assert set(FORMS) == set(commands.FORMS)


def test_every_command_has_a_handler() -> None:
    assert {command.__name__ for command in ENTRANCES} == set(ACCESS) - set(BY_SOCKET)


@pytest.mark.parametrize("packet", PACKETS)
async def test_packet_is_executed_only_if_its_sender_is_allowed(packet: str, settings: Any) -> None:
    given, wanted = ACCESS[packet].fields, ACCESS[packet].open
    room, people = await sync_to_async(room_with_every_role)()
    fields = await sync_to_async(filled)(given, room)
    for role, answer in zip(ROLES, wanted, strict=True):
        program = await program_of(people[role], None if role == "outsider" else room)
        before = await stored(room)
        assert answer_of(await program.ask(packet, **fields)) == answer, role
        if answer in (NO, "already_in_room"):
            assert await stored(room) == before, role
        await program.__aexit__()
    await close_hub()


async def said(page: Connection, body: dict[str, Any]) -> str:
    """Return a form's answers received before the answer to the next form."""
    frames = ""
    await page.send_to(text_data=json.dumps({"body": body}))
    await page.send_to(text_data=json.dumps({"body": {"do": "no such thing"}}))
    while "out of date" not in frames:
        frames += await page.receive_from()
    for code in (NO, "not_allowed_now", "no_vote", "follow_needs_account", "error"):
        if escape(refusal(Refused(code))) in frames:
            return code
    return DONE


@pytest.mark.parametrize("form", sorted(PAGES_ONLY))
async def test_form_is_executed_only_if_its_sender_is_allowed(
    form: str, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """Commands that programs can also send have the same rules, and are tested as packets."""
    settings.ALLOWED_HOSTS, settings.WS_BURST = ["testserver"], 0
    room, people = await sync_to_async(room_with_every_role)()
    given = as_form(await sync_to_async(filled)(ACCESS[form].fields, room))
    for role, answer in zip(ROLES[1:], ACCESS[form].open[1:], strict=True):
        page = socket(f"/ws/table/{room.code}/", await sync_to_async(cookie_of)(people[role]))
        assert (await page.connect())[0]
        await text(page, "#status")
        before = await stored(room)
        assert await said(page, {"do": form, **given}) == answer, role
        if answer == NO:
            assert await stored(room) == before, role
        await page.disconnect()
    await close_hub()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize(("name", "state"), DURING_MATCHES)
def test_command_during_a_match_is_executed_only_if_allowed(name: str, state: str) -> None:
    room, people = room_with_every_role()
    start_match(room)
    if state == "paused":
        table_pause.pause(room.pk, people["host"].pk).result()
    row = ACCESS[name]
    body = {"do": name, **as_form(filled(row.fields, room))}
    asked = read_command(body, "mia") if name in FORMS else read_platform({"type": name})
    for role, answer in zip(ROLES, getattr(row, state), strict=True):
        if answer == IF_ASKED:
            answer = DONE if is_asked(room, people[role]) else LATER
        assert outcome(room, people[role], asked) == answer, role


def is_asked(room: Room, person: User) -> bool:
    """Return whether the running match waits for this user."""
    match = load_snapshot(Room.objects.get(pk=room.pk).match_id)
    return match.seat_of(person.pk) in match.game.rules.awaited(match.state)


def outcome(room: Room, person: User, asked: Command) -> str:
    try:
        asyncio.run(carry_out(room.pk, person.pk, asked))
    except Ignored:
        return NO
    except Refused as refused:
        return refused.code
    return DONE


async def test_program_cannot_send_page_only_commands(settings: Any) -> None:
    room, people = await sync_to_async(room_with_every_role)()
    program = await program_of(people["host"], room)
    for name in PAGES_ONLY:
        fields = await sync_to_async(filled)(ACCESS[name].fields, room)
        assert answer_of(await program.ask(name, **fields)) == "bad_packet", name
    await program.__aexit__()
    await close_hub()


@pytest.mark.parametrize("who", ["outsider", "kicked", "locked out", "stranger", "superuser"])
async def test_table_socket_is_for_members_only(who: str, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]
    room, people = await sync_to_async(room_with_every_role)()
    cookie = await _cookie_of(who, room, people)
    page = socket(f"/ws/table/{room.code}/", cookie)
    await page.connect()
    output = await page.receive_output()
    code = 4001 if who == "stranger" else 4003
    assert (output["type"], output.get("code")) == ("websocket.close", code)
    await close_hub()


async def _cookie_of(who: str, room: Room, people: dict[str, User]) -> str:
    if who == "stranger":
        return ""
    if who == "superuser":
        root = await sync_to_async(account)("Root", is_staff=True, is_superuser=True)
        return await sync_to_async(cookie_of)(root)
    person = people["outsider" if who == "outsider" else "victim"]
    cookie = await sync_to_async(cookie_of)(person)
    if who == "kicked":
        await rooms.kick(room.pk, people["host"].pk, "victim")
    elif who == "locked out":
        await moderation_helpers.lock_out(person.pk)
    return cookie


async def test_kicked_user_is_disconnected_and_cannot_return() -> None:
    room, people = await sync_to_async(room_with_every_role)()
    program = await program_of(people["victim"], room)
    await rooms.kick(room.pk, people["host"].pk, "victim")
    assert await program.closing() == 4003
    again = await program_of(people["victim"], None)
    for packet in PACKETS:
        if packet not in ENTRANCES_OF_PROGRAMS:
            assert answer_of(await again.ask(packet, **ACCESS[packet].fields)) == NO, packet
    for spectate in (False, True):
        answer = await again.ask("JoinGame", room=room.code, spectate=spectate)
        assert answer["reason"] == "Kicked"
    await again.__aexit__()
    await close_hub()


async def test_banned_user_is_disconnected_and_cannot_return() -> None:
    room, people = await sync_to_async(room_with_every_role)()
    token = await sync_to_async(tokens.make)(people["victim"])
    program = await program_of(people["victim"], room)
    await moderation_helpers.lock_out(people["victim"].pk)
    assert await program.closing() == 4003
    bearer = Program({"authorization": f"Bearer {token}"})
    await bearer.__aenter__()
    assert await bearer.closing() == 4003
    nobody = Program()
    await nobody.__aenter__()
    answer = await nobody.ask("JoinGame", room=room.code, token=token)
    assert answer["reason"] == "Banned"
    await nobody.__aexit__()
    await close_hub()


async def test_anonymous_program_can_only_host_join_and_seek() -> None:
    """Without a name or token you can only host, join and look for a quick match."""
    room, _ = await sync_to_async(room_with_every_role)()
    async with Program() as nobody:
        for packet in PACKETS:
            if packet not in ENTRANCES_OF_PROGRAMS:
                assert answer_of(await nobody.ask(packet, **ACCESS[packet].fields)) == NO, packet
        joined = await nobody.ask("JoinGame", room=room.code, username="new")
        assert joined["type"] == "GameJoined"
    await close_hub()


@pytest.mark.parametrize("game", GAMES)
async def test_move_is_accepted_only_from_the_seat_it_was_offered_to(game: str) -> None:
    """Spectators and outsiders send exactly the move a player could make."""
    room, match, people = await sync_to_async(playing)(game)
    player = await on_turn([await program_of(person, room) for person in people])
    offer = player.data["offers"][0]
    args = {name: _some(of) for name, of in offer["args"].items()}
    watcher = await sync_to_async(PersonFactory)()
    await rooms.join(room.code, watcher.pk, "watcher", spectate=True)
    for who in (await program_of(watcher, room), await program_of(watcher, None)):
        answer = await who.ask(offer["move"], prompt=player.data["prompt"], **args)
        assert answer_of(answer) == NO
        await who.__aexit__()
    version = await Match.objects.values_list("version", flat=True).aget(pk=match.pk)
    assert version == match.version
    answer = await player.ask(offer["move"], prompt=player.data["prompt"], **args)
    assert answer_of(answer) == DONE
    await close_hub()


def playing(game: str) -> tuple[Room, Match, list[User]]:
    people = [PersonFactory() for _ in range(max(3, GAMES[game].seats[0]))]
    room = open_table(*people, game=game)
    return room, start_match(room), people


async def on_turn(programs: list[Program]) -> Program:
    """Return the program that can make a move."""
    for program in programs:
        await program.ask("GameDataRequest")
        data = next(p["data"] for p in program.packets[::-1] if p["type"] == "GameDataSync")
        program.data = data
        if data["offers"]:
            return program
    raise AssertionError("nobody can do anything")


def _some(choices: dict[str, Any]) -> Any:
    return choices["oneOf"][0] if "oneOf" in choices else choices["some"][: choices["least"]]
