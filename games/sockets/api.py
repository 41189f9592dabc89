"""Handlers for packets of programs. Each calls a command of the rooms or of the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from msgspec import UNSET

from accounts import address_locks, limits, tokens
from accounts.limits import Asker, TooOften
from accounts.models import User
from games import rooms
from games.contract.choices import move_types
from games.contract.core import Ignored, Refused
from games.engine import matches
from games.engine.options import options_schema
from games.engine.reading import in_thread
from games.engine.snapshots import load_snapshot
from games.engine.told import told_acts_since
from games.models import Invitation, Room
from games.registry import GAMES
from games.rooms import ladder, members, passwords, seeking
from games.sockets.api_clients import open_invitations
from games.sockets.dispatch import carry_out
from games.sockets.hub import hub
from games.tables.loading import load as load_table
from games.tables.sentences import spoken
from games.tables.serializers import serialize_table, told_to
from games.wire import commands as packets
from games.wire import parts, server
from games.wire.declaration import Command


@dataclass
class Client:
    """The user of a connection, and the room that the user is in."""

    user_id: int | None = None
    name: str | None = None
    room_id: int | None = None
    lang: str = "en"
    syncs: parts.Syncs = "whole"
    token: str | None = None
    new_token: str | None = None
    """Token of a guest who was created by `Seek` and has not been sent it yet."""
    address: str | None = None

    @property
    def asker(self) -> Asker:
        """The client's user and address, for rate limits."""
        return Asker(self.user_id, self.address)


def welcome(client: Client) -> server.Welcome:
    """Return the first message: the client's name and the list of games."""
    return server.Welcome(protocol=1, username=client.name, games=_games())


@cache
def _games() -> tuple[parts.GameInfo, ...]:
    return tuple(
        parts.GameInfo(
            slug=game.slug,
            name=game.name,
            min_players=game.seats[0],
            max_players=game.seats[1],
            bot_levels=tuple(game.bots.levels),
            options=options_schema(game),
        )
        for game in GAMES.values()
    )


async def enter(client: Client, packet: packets.HostGame | packets.JoinGame) -> server.Answer:
    """Open or join a room. The response contains the client's name in that room.

    Raise Refused if that is not possible.
    """
    if client.room_id is not None:
        raise Refused("already_in_room")
    client.lang, client.syncs = spoken([packet.lang]), packet.syncs
    try:
        if isinstance(packet, packets.HostGame):
            joined = await _host(client, packet)
        else:
            joined = await _join(client, packet)
    except TooOften:
        raise Refused("too_often") from None
    client.user_id, client.name, client.room_id = joined.user_id, joined.name, joined.room_id
    client.token = joined.token or client.token
    if joined.again:
        return server.GameRejoined(joined.code, joined.name)
    kind = server.GameCreated if isinstance(packet, packets.HostGame) else server.GameJoined
    return kind(joined.code, joined.name, joined.token or UNSET)


async def seek(client: Client, packet: packets.Seek) -> None:
    """Look for a quick match. Raise Refused if that is not possible."""
    if client.room_id is not None:
        raise Refused("already_in_room")
    seeking.count_seek(client.asker)
    try:
        await _count_guest(client)
    except TooOften:
        raise Refused("too_often") from None
    joined = await seeking.seek(
        client.user_id,
        packet.game,
        packet.username or client.name or "",
        packet.seats,
        packet.pace,
        rated=packet.rated,
        programs=packet.programs,
        language=spoken([packet.lang]),
    )
    _note_guest(client, joined)
    client.user_id, client.name = joined.user_id, joined.name
    client.token = joined.token or client.token
    client.new_token = joined.token or client.new_token


async def cancel_seek(client: Client, packet: packets.CancelSeek) -> server.Done:
    """Stop looking for a quick match."""
    if client.user_id is not None:
        await seeking.cancel(client.user_id, packet.game)
    return server.Done()


async def set_available(client: Client, packet: packets.SetAvailable) -> server.Done:
    """Store which games a program plays on the ladder. Raise Refused if it cannot."""
    if client.room_id is not None:
        raise Refused("already_in_room")
    await ladder.set_available(client.user_id, packet.games, packet.tables)
    return server.Done()


async def leave_for_new_game(
    client: Client, packet: packets.LeaveForNewGame
) -> tuple[server.Answer, int]:
    """Leave a match for a new game. The client must be eliminated or only watching.

    Return the response and the id of the new room. Raise Refused if the client cannot leave.
    """
    assert client.room_id is not None
    assert client.user_id is not None
    joined = await rooms.leave_for_new_game(client.room_id, client.user_id, packet.room)
    kind = server.GameCreated if joined.is_host else server.GameJoined
    return kind(joined.code, joined.name), joined.room_id


async def act(
    room_id: int, user_id: int, body: Mapping[str, Any], prompt: int | None
) -> server.Done:
    """Make a move. The response contains the version of its act."""
    return server.Done(await matches.move(room_id, user_id, body, prompt))


def is_a_move(type_: str) -> bool:
    """Whether any game has a move with this name."""
    return any(type_ in move_types(game.rules.moves) for game in GAMES.values())


async def obey(client: Client, packet: Command) -> server.Answer:
    """Carry out any packet except a move, sent by a member of a room. Return the response."""
    room_id, user_id = client.room_id, client.user_id
    assert room_id is not None
    assert user_id is not None
    match packet:
        case packets.GameDataRequest():
            return server.GameDataSync(await _data(client))
        case packets.LogRequest(since):
            return await in_thread(_log, room_id, user_id, since)
        case packets.HostGame() | packets.JoinGame() | packets.Seek() | packets.CancelSeek():
            raise Refused("already_in_room")
    await carry_out(room_id, user_id, packet, client.address)
    return server.Done()


async def _host(client: Client, packet: packets.HostGame) -> rooms.Joined:
    await _count_guest(client)
    joined = await rooms.open_room(
        client.user_id,
        packet.game,
        packet.username or client.name or "",
        packet.options,
        packet.visibility,
        await passwords.hashed(packet.password),
        invite=packet.invite,
        plays=packet.plays or (),
    )
    if packet.invite:
        await hub().api_clients.poll()
    return _note_guest(client, joined)


async def _join(client: Client, packet: packets.JoinGame) -> rooms.Joined:
    if packet.token is not None:
        user = await in_thread(holder, packet.token, client.address)
        if user is None:
            raise members.Rejected("BadToken")
        client.user_id, client.name, client.token = user.pk, str(user), packet.token
    limits.check("codes", client.asker)
    if packet.password:
        limits.check("passwords", client.asker)
    known = await passwords.proof(packet.room, packet.password)
    name = packet.username or client.name or ""
    await _count_guest(client)
    try:
        joined = await rooms.join(
            packet.room,
            client.user_id,
            name,
            known,
            packet.spectate,
            plays=packet.plays or (),
            address=client.address,
        )
    except members.Rejected as rejected:
        if rejected.code == "InvalidRoom":
            limits.count("codes", client.asker)
        elif rejected.code == "WrongPassword" and packet.password:
            limits.count("passwords", client.asker)
        raise
    return _note_guest(client, joined)


def holder(token: str, address: str | None) -> User | None:
    """Return the user who holds this token, if any. Ban a guest who comes from a locked address."""
    user = tokens.holder(token)
    if user is not None and user.is_guest:
        address_locks.hold(user, address)
    return user


async def _count_guest(client: Client) -> None:
    """If the client has no user yet, count the guest to be created towards the limit of its
    address.

    Raise TooOften if there are too many, and Rejected if guests are not allowed.
    """
    if client.user_id is None:
        limits.take("guests", Asker(address=client.address))
        if (lock := await in_thread(address_locks.lock_on, client.address)) is not None:
            raise members.Rejected("Banned", **members.why(lock))


def _note_guest(client: Client, joined: rooms.Joined) -> rooms.Joined:
    if client.user_id is None:
        address_locks.note(joined.user_id, client.address)
    return joined


async def _data(client: Client) -> parts.GameData:
    """Return the current state of the room, after sending all earlier changes to this client."""
    assert client.room_id is not None
    table = await hub().current(client.room_id)
    if table is None:
        table = await in_thread(load_table, client.room_id, for_pages=False)
    if table.member(client.user_id) is None:
        raise Ignored
    return serialize_table(table, client.user_id, client.lang, with_chat=True)


def _log(room_id: int, user_id: int, since: int) -> server.Log:
    """Return at most 500 acts of the running or last match, with the events that this user was
    told.
    """
    match_id = Room.objects.values_list("match_id", flat=True).get(pk=room_id)
    if match_id is None:
        return server.Log(None, ())
    match = load_snapshot(match_id)
    acts = [
        server.LoggedAct(act.version, tuple(told_to(act, match.seat_of(user_id, act.version))))
        for act in told_acts_since(match, since, 500)
    ]
    return server.Log(match_id, tuple(acts))


async def received(user: User | None) -> tuple[Refused | None, Sequence[Invitation]]:
    """Return the reason why this user is locked out, if any, and otherwise their open invitations.

    Both are read in a single call to a thread.
    """
    return (None, ()) if user is None else await in_thread(_received, user)


def _received(user: User) -> tuple[Refused | None, Sequence[Invitation]]:
    locked = members.locked_out(user)
    return (None, open_invitations([user.pk])) if locked is None else (locked, ())


def client_of(user: User | None) -> Client:
    """Return the client of a user, or one without a user."""
    return Client(user.pk, str(user)) if user is not None else Client()
