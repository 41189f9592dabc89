"""Dispatches commands of pages and programs to the functions that carry them out."""

from __future__ import annotations

import msgspec

from accounts.limits import Asker
from games import rooms  # noqa: F401  (registers commands)
from games.engine.log_ids import about
from games.engine.reading import in_thread
from games.rooms import choosing, new_game, passwords, reacting, skipping, table_pause, votes  # noqa: F401  (registers commands)
from games.rooms.authorization import ENTRANCES, PREPARED
from games.rooms.hosting import count_start
from games.sockets.hub import hub
from games.wire import commands
from games.wire.declaration import Command

STARTS = commands.StartGame | commands.PlayAgain | commands.Restart


async def carry_out(room_id: int, user_id: int, asked: Command, address: str | None = None) -> None:
    """Carry out a command from a member of a room. Raise Ignored or Refused if it is not accepted.

    `address` is the address of the socket, for limits that are counted per address.
    """
    if isinstance(asked, STARTS):
        count_start(Asker(address=address))
    if isinstance(asked, commands.SetRoom) and asked.password is not None:
        hashed = await passwords.hashed(asked.password)
        asked = msgspec.structs.replace(asked, password=hashed)
    enter, fields = ENTRANCES[type(asked)], msgspec.structs.asdict(asked)
    with about(room=room_id):
        if type(asked) in PREPARED:
            await (await in_thread(enter, room_id, user_id, **fields))
        else:
            await enter(room_id, user_id, **fields)
    if isinstance(asked, commands.Invite | commands.InviteAgain):
        await hub().api_clients.poll()
