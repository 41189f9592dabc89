"""What is pushed to programs, as text: encoded once, and what one viewer alone sees spliced in.

Ten viewers of a move are sent ten different syncs, of which nine tenths are the same. That part is
encoded once for a table, each seat's own view and offers once for that seat; what is left for a
socket is to put the pieces together.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from games.protocol import parts, server
from games.rules.data import Viewer
from games.tables.diff import Happened, New, Sync, changes
from games.tables.serializers import offers, serialize_table, view_data
from games.tables.table import Table

Memo = dict[Any, Any]

OWN = ("you", "prompt", "view", "offers", "chat", "parked")
"""The fields of `GameData` that are not the same for everybody."""
_SHARED = {
    name: wire
    for name, wire in zip(
        parts.GameData.__struct_fields__, parts.GameData.__struct_encode_fields__, strict=True
    )
    if name not in OWN
}


def frames(before: Table, now: Table, user_id: int, lang: str, memo: Memo) -> list[str]:
    """Everything this member is to be sent of what is new, in order."""
    return [_frame(one, user_id, lang, memo) for one in changes(before, now, user_id, lang, memo)]


def encoded(packet: server.Sent) -> str:
    """A packet as it goes over the line."""
    return _text(packet)


def sync_frame(table: Table, user_id: int, lang: str) -> str:
    """`GameDataSync` as it is pushed to this member."""
    if table.parked:
        return _text(server.GameDataSync(serialize_table(table, user_id, lang)))
    member, acting = table.member(user_id), table.acting(user_id)
    prompt = "null"
    if table.match is not None and acting is not None:
        prompt = str(table.match.state.prompts[acting])
    you = _text(member.name) if member else "null"
    view, offered = _view(table, table.viewer(user_id)), _offers(table, acting)
    return f'{_shared(table)},"you":{you},"prompt":{prompt},"view":{view},"offers":{offered}}}}}'


def _frame(one: New, user_id: int, lang: str, memo: Memo) -> str:
    if isinstance(one, Sync):
        return sync_frame(one.table, user_id, lang)
    key = ("frame", id(one))  # the packet is kept, too, so that no other gets its number
    if key not in memo:
        memo[key] = (_text(_happened(one) if isinstance(one, Happened) else one), one)
    text: str = memo[key][0]
    return text


def _happened(one: Happened) -> Any:
    plain, _to, _event = one.act.told[one.at]
    return {**plain, "version": one.act.version}


def _shared(table: Table) -> str:
    if "shared" not in table.made:
        data = serialize_table(table, None)
        known = ((wire, getattr(data, name)) for name, wire in _SHARED.items())
        plain = {wire: value for wire, value in known if value is not UNSET}
        table.made["shared"] = f'{{"type":"GameDataSync","data":{_text(plain)[:-1]}'
    text: str = table.made["shared"]
    return text


def _view(table: Table, seat: Viewer) -> str:
    key = ("view text", seat)
    if key not in table.made:
        table.made[key] = _text(view_data(table, seat))
    text: str = table.made[key]
    return text


def _offers(table: Table, acting: Viewer) -> str:
    key = ("offers text", acting)
    if key not in table.made:
        table.made[key] = _text(() if table.pause else offers(table, acting))
    text: str = table.made[key]
    return text


def _text(data: Any) -> str:
    return msgspec.json.encode(data).decode()
