"""Sockets of programs: decode packets and encode changes. Decisions are made in `games.engine`."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import UNSET

from accounts import addresses
from accounts.models import User
from games.contract.core import Ignored, Refused
from games.contract.words import Fact
from games.engine import figures, time_source
from games.engine.pauses import TooSoon
from games.engine.reading import in_thread
from games.engine.storage import is_fault
from games.models import Invitation
from games.rooms import seeking
from games.rooms.ladder import Playing
from games.rooms.members import Rejected
from games.rooms.seeking import Waiting
from games.sockets import api
from games.sockets.announcements import Alert
from games.sockets.api_clients import ApiClients
from games.sockets.connections import connection_limiter
from games.sockets.hub import hub
from games.sockets.origins import is_our_origin
from games.sockets.room_socket import RoomConsumer
from games.tables.diff import is_somebody_else, left
from games.tables.frames import encoded, ready
from games.tables.people import player
from games.tables.sentences import notice, refusal
from games.tables.serializers import serialize_table
from games.tables.table import Json, Table
from games.wire import client as packets
from games.wire import commands, server
from games.wire.parts import Level
from games.wire.wire import BadPacket

log = logging.getLogger(__name__)

BAD_IN_A_ROW = 20


class ApiConsumer(RoomConsumer):
    """A program's connection, which uses JSON packets (docs/wire.md)."""

    bad = 0
    ignored = 0
    hosts_anew = False
    api_clients: ApiClients | None = None
    is_seeking = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.client = api.Client()
        self.seeks: dict[str, int | str] = {}
        """Last value sent for each game: the number of waiting people, or the code of the table."""
        self.tables: list[str] = []
        """Codes of the tables of the ladder that this connection was told of."""
        self.available_since = datetime.max.replace(tzinfo=UTC)
        """When this connection first said that it is available."""

    async def greet(self) -> None:
        self.client = api.client_of(None)
        try:
            user = await self._who()
        except LookupError:
            await self.close(4001)
            return
        if user is not None and not connection_limiter.acquire(self, person=user.pk):
            self.too_many()
            return
        self.client = api.client_of(user)
        hub().broadcaster.listen(self)  # listen before reading, to miss no later sanction
        locked, invitations = await api.received(user)
        if locked is not None:
            self._say("error", refusal(locked, language=self.lang))
            self._end(4003)
            return
        self.client.token = self._bearer()
        self.client.address = addresses.of_scope(self.scope)
        self._register()
        if user is not None and self.client.token is None:
            hub().credentials.register_login(self.scope, self)
        self.user_id = self.client.user_id or 0
        self.heard: set[tuple[int, datetime]] = set()
        self.put_packet(api.welcome(self.client))
        self.api_clients = hub().api_clients
        self.api_clients.add(self, invitations)
        hub().seekers.add(self)

    async def closed(self) -> None:
        if self.api_clients is not None:
            self.api_clients.remove(self)
            hub().seekers.remove(self)
            hub().versions.remove(self)
        if self.ignored:
            log.info("user %s sent %s packets without permission", self.user_id, self.ignored)
        await super().closed()

    async def handle(self, text: str | None) -> None:
        answer_to: Any = UNSET
        bad_before, self.bad = self.bad, 0
        try:
            if text is None:
                raise BadPacket("Packets are text frames, one JSON object each.")
            envelope, body = packets.read(text)
            answer_to = envelope.id
            answer = await self._handle(envelope, body)
            if answer_to is not UNSET and answer is not None:
                self.put_packet(msgspec.structs.replace(answer, id=answer_to))
        except BadPacket as bad:
            figures.refusals.labels("bad_packet").inc()
            self._fail(bad.id if answer_to is UNSET else answer_to, "bad_packet", str(bad))
            self._count_bad(bad_before)
        except Ignored:
            self.ignored += 1
            figures.refusals.labels("ignored").inc()
            if answer_to is not UNSET:
                self._fail(answer_to, "ignored", notice("ignored", self.lang))
        except TooSoon as soon:
            if not self.hold(text, soon.seconds):
                self._refuse(answer_to, Refused("busy"))
        except Rejected as rejected:
            self._reject(answer_to, rejected)
            if rejected.code == "WrongPassword":
                self._count_bad(bad_before)
        except Refused as refused:
            self._refuse(answer_to, refused)
        except Exception as error:
            log.exception("a packet failed")
            self._refuse(answer_to, Refused("busy" if is_fault(error) else "error"))

    @property
    def lang(self) -> str:
        return self.client.lang

    def show(self, before: Table | None, now: Table, memo: dict[Any, Any]) -> None:
        """Send this member everything they have not been sent yet
        (`games.sockets.watched_room.Watcher`).
        """
        if before is None or before.loading is not now.loading:  # acts never remove members
            if (gone := left(now, self.user_id)) is not None:
                self._remove_member(gone.left_because, gone.name, gone.left_note)
                return
            if is_somebody_else(now, self.user_id):
                self.close_for_reconnect()
                return
            if (member := now.member(self.user_id)) is not None:
                self.client.name = member.name  # a moderator may have changed it
        if before is None:
            self._show_all(now)
            return
        of = self.client
        if found := ready(before, now, self.user_id, of.lang, memo, of.syncs):
            self.put_update(found)

    def show_whole(self, now: Table) -> None:
        if now.member(self.user_id) is not None:
            data = serialize_table(now, self.user_id, self.lang, with_chat=True)
            self.put_update([encoded(server.GameDataSync(data, missed=True))])

    def put_packet(self, packet: server.Sent) -> None:
        self.put(encoded(packet))

    async def _handle(self, envelope: packets.Envelope, body: Json) -> server.Answer | None:
        if envelope.type not in packets.PLATFORM:
            return await self._move(envelope, body)
        packet = packets.read_platform(body)
        if isinstance(packet, commands.HostGame | commands.JoinGame):
            await self._enter(await api.enter(self.client, packet), envelope.id)
            return None
        if isinstance(packet, commands.Seek):
            return await self._seek(packet)
        if isinstance(packet, commands.CancelSeek) and self.room_id is None:
            return await api.cancel_seek(self.client, packet)
        if isinstance(packet, commands.SetAvailable):
            self.available_since = min(self.available_since, time_source.now())
            answer: server.Answer = await api.set_available(self.client, packet)
            hub().versions.add(self)
            return answer
        if self.room_id is None:
            raise Ignored
        if isinstance(packet, commands.LeaveForNewGame):
            await self._leave_for(packet, envelope.id)
            return None
        answer = await api.obey(self.client, packet)
        if isinstance(packet, commands.LeaveGame) and self.room_id is not None:
            self._remove_member("left", self.client.name or "")
        if isinstance(answer, server.GameDataSync | server.Log) and envelope.id is UNSET:
            self.put_packet(answer)
            return None
        return answer

    async def _move(self, envelope: packets.Envelope, body: Json) -> server.Answer:
        prompt = envelope.prompt if isinstance(envelope.prompt, int) else None
        if self.room_id is None:
            if api.is_a_move(envelope.type):
                raise Ignored
            raise BadPacket(f"There is no packet {envelope.type!r}.")
        return await api.act(self.room_id, self.user_id, body, prompt)

    async def _seek(self, packet: commands.Seek) -> server.Answer:
        await api.seek(self.client, packet)
        self._register()
        assert self.client.user_id is not None
        self.user_id = self.client.user_id
        if not connection_limiter.acquire(self, person=self.user_id):
            self.too_many()
        found = (await in_thread(seeking.of, [self.user_id])).get(self.user_id, ())
        mine = next((one for one in found if one.game == packet.game and not one.code), None)
        waiting, wanted = (mine.count, mine.least) if mine else (1, 2)
        self.seeks[packet.game] = waiting
        self.is_seeking = True
        hub().seekers.began(self)
        return server.Seeking(packet.game, waiting, wanted)

    def show_seeks(self, found: tuple[Waiting, ...]) -> None:
        """Send what has changed since the last packet (`games.sockets.seekers.Seeker`)."""
        self.is_seeking = bool(found)
        for wait in found:
            if self.seeks.get(wait.game) == (wait.code or wait.count) or self.room_id is not None:
                continue
            if wait.code:
                self.put_packet(
                    server.Matched(wait.code, wait.game, self.client.new_token or UNSET)
                )
                self.client.new_token = None
            else:
                self.put_packet(server.Seeking(wait.game, wait.count, wait.least))
            self.seeks[wait.game] = wait.code or wait.count

    def show_tables(self, found: Sequence[Playing], ended: Mapping[str, int | None]) -> None:
        """Send at which tables of the ladder this program plays, as far as that has changed
        (`games.sockets.versions.Version`).
        """
        now = {table.code: table for table in found}
        for code in self.tables:
            if code not in now:
                self.put_packet(server.TableEnd(code, ended.get(code)))
        for code, table in now.items():
            if code not in self.tables:
                again = table.has_begun or table.opened_at < self.available_since
                self.put_packet(server.TableStart(code, table.game, again=again))
        self.tables = list(now)

    async def _leave_for(self, packet: commands.LeaveForNewGame, id_: Any) -> None:
        answer, room_id = await api.leave_for_new_game(self.client, packet)
        if self.room_id is not None:
            self._remove_member("left", self.client.name or "")
        self.client.room_id = room_id
        await self._enter(answer, id_)

    async def _enter(self, answer: server.Answer, id_: Any) -> None:
        self.hosts_anew = isinstance(answer, server.GameCreated)
        self.put_packet(msgspec.structs.replace(answer, id=id_))
        self._register()
        assert self.client.user_id is not None
        if not connection_limiter.acquire(self, person=self.client.user_id):
            self.client.room_id = None
            self.too_many()
            return
        self.user_id, self.room_id = self.client.user_id, self.client.room_id
        assert self.room_id is not None
        await hub().enter(self.room_id, self)

    def alert(self, level: Level, code: str, **facts: Fact) -> None:
        """Show the message with this code (`games.sockets.api_clients.ApiClient`)."""
        self._say(level, notice(code, self.lang, **facts))

    def invited(self, invitation: Invitation) -> None:
        """Send an invitation unless it has already been sent
        (`games.sockets.api_clients.ApiClient`).
        """
        if (invitation.pk, invitation.at) not in self.heard:
            self.heard.add((invitation.pk, invitation.at))
            room = invitation.room
            self.put_packet(server.Invited(room.code, room.game, invitation.by))

    def _show_all(self, now: Table) -> None:
        member = now.member(self.user_id)
        assert member is not None
        self.put_packet(server.PlayerJoined(player(now, member)))
        if self.hosts_anew:
            self.put_packet(server.HostSet(member.name))
        self.put_packet(server.GameDataSync(serialize_table(now, self.user_id, self.lang, True)))

    def forget_room(self) -> None:
        super().forget_room()
        self.client.room_id = None

    def _remove_member(self, because: str, name: str, note: str = "") -> None:
        """Tell a removed member why they were removed.

        After a kick, a ban or the closing of the room, end the connection.
        """
        self.put_packet(server.PlayerLeft(name, because))
        if because != "left":
            self.alert("warning", f"gone_{because}", reason=note)
        self.forget_room()
        if because in ("kicked", "banned", "closed"):
            self._end(4003)

    def warn(self, code: str) -> None:
        self.alert("error", code)

    @property
    def person(self) -> int | None:
        return self.client.user_id

    def on_announcement(self, alert: Alert) -> None:
        self._say(alert.level, alert.sentence(self.lang))

    def _say(self, level: Level, message: str) -> None:
        self.put_packet(server.ShowAlert(level, message))

    def _fail(self, id_: Any, code: str, reason: str) -> None:
        self.put_packet(server.ActionFailed(code, reason, id=id_))

    def _refuse(self, id_: Any, refused: Refused) -> None:
        table = hub().table(self.room_id) if self.room_id is not None else None
        words, names = (table.words, table.names) if table else (None, ())
        self._fail(id_, refused.code, refusal(refused, words, names, self.lang))

    def _reject(self, id_: Any, rejected: Rejected) -> None:
        message = refusal(rejected, language=self.lang)
        self.put_packet(server.PlayerJoinRejected(rejected.code, message, id=id_))

    def _count_bad(self, before: int) -> None:
        """End the connection after BAD_IN_A_ROW bad packets or wrong passwords in a row."""
        self.bad = before + 1
        if self.bad >= BAD_IN_A_ROW:
            self._end(4008)

    def on_revoked(self) -> None:
        """End the connection, because its token was revoked or its login has ended
        (`games.sockets.credentials.CredentialHolder`).
        """
        self._end(4001)

    def _bearer(self) -> str | None:
        """Return the token with which this connection was opened, or None if it had none."""
        given = dict(self.scope["headers"]).get(b"authorization", b"").decode("latin-1")
        return given[7:].strip() if given.lower().startswith("bearer ") else None

    def _register(self) -> None:
        if self.client.token is not None:
            hub().credentials.register_token(self.client.token, self)

    async def _who(self) -> User | None:
        """Return the user of the token. Without a token, return the session's user if the socket
        was opened by a page of this site, else None.

        Raise LookupError if the token is not valid.
        """
        if (token := self._bearer()) is not None:
            user = await in_thread(api.holder, token, addresses.of_scope(self.scope))
            if user is None:
                raise LookupError
            return user
        user = self.scope.get("user")
        return user if is_our_origin(self.scope) and isinstance(user, User) else None
