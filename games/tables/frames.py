"""What is pushed to programs, as text: encoded once, and what one viewer alone sees spliced in.

Ten viewers of a move are sent ten different syncs, of which nine tenths are the same. What stays as
it is while only acts are added is encoded once for a loading; what everybody sees alike, once for a
table; each seat's own view and offers once for that seat. What is left for a socket is its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from games.protocol import parts, server
from games.protocol.wire import to_text
from games.rules.data import Viewer
from games.tables.diff import Happened, New, Sync, changes, same_players, told_apart
from games.tables.serializers import (
    changing,
    made_of_player,
    offers,
    players,
    serialize_table,
    settled,
    view_fields,
    view_of,
)
from games.tables.table import Table

Memo = dict[Any, Any]

_WIRE = dict(
    zip(parts.GameData.__struct_fields__, parts.GameData.__struct_encode_fields__, strict=True)
)


def frames(before: Table, now: Table, user_id: int, lang: str, memo: Memo) -> list[str]:
    """Everything this member is to be sent of what is new, in order."""
    if now.loading is not before.loading or now.between is not None:
        found = changes(before, now, user_id, lang, memo)
        return [
            sync_frame(one.table, user_id, lang) if isinstance(one, Sync) else _frame(one, memo)
            for one in found
        ]
    # Nothing but acts: who looks through the same eyes is sent the same, but for their name.
    seat = now.viewer(user_id)
    eyes = (seat, seat if seat in now.in_play else None)
    told = _told_as(before, now, *eyes, lang, memo)
    if told not in memo:
        memo[told] = _around_sync(changes(before, now, user_id, lang, memo), memo)
    first, synced, last = memo[told]
    return [*first, _sync(now, *eyes) + _end(now, user_id), *last] if synced else first


def _told_as(
    before: Table, now: Table, seat: Viewer, acting: Viewer, lang: str, memo: Memo
) -> tuple[Any, ...]:
    """What decides which frames stand around somebody's sync: mostly all are sent the same."""
    if "told apart" not in memo:
        memo["told apart"] = told_apart(now), not same_players(before, now)
    private, warned = memo["told apart"]
    return "around", seat if private else None, (acting, lang) if warned else None


def encoded(packet: server.Sent) -> str:
    """A packet as it goes over the line."""
    return to_text(packet)


def sync_frame(table: Table, user_id: int, lang: str) -> str:
    """`GameDataSync` as it is pushed to this member."""
    if table.parked:
        return to_text(server.GameDataSync(serialize_table(table, user_id, lang)))
    eyes = (table.viewer(user_id), table.acting(user_id))
    return _sync(table, *eyes) + _end(table, user_id)


def _around_sync(found: list[New], memo: Memo) -> tuple[list[str], bool, list[str]]:
    """What stands before `GameDataSync`, whether there is one, and what stands after it."""
    at = next((at for at, one in enumerate(found) if isinstance(one, Sync)), len(found))
    first, last = ([_frame(one, memo) for one in part] for part in (found[:at], found[at + 1 :]))
    return first, at < len(found), last


def _sync(table: Table, seat: Viewer, acting: Viewer) -> str:
    """`GameDataSync` for these eyes, up to the name of who looks."""
    key = ("sync text", seat, acting)
    if key not in table.made:
        prompt = "null"
        if table.match is not None and acting is not None:
            prompt = str(table.match.state.prompts[acting])
        view, offered = _view(table, seat), _offers(table, acting)
        parts = f'"prompt":{prompt},"view":{view},"offers":{offered},"you":'
        table.made[key] = f"{_shared(table)},{parts}"
    text: str = table.made[key]
    return text


def _end(table: Table, user_id: int) -> str:
    key = ("end", user_id)
    if key not in table.carried:
        member = table.member(user_id)
        table.carried[key] = f"{to_text(member.name) if member else 'null'}}}}}"
    text: str = table.carried[key]
    return text


def _frame(one: New, memo: Memo) -> str:
    key = ("frame", id(one))  # the packet is kept, too, so that no other gets its number
    if key not in memo:
        memo[key] = (to_text(_happened(one) if isinstance(one, Happened) else one), one)
    text: str = memo[key][0]
    return text


def _happened(one: Happened) -> Any:
    plain, _to, _event = one.act.told[one.at]
    return {**plain, "version": one.act.version}


def _shared(table: Table) -> str:
    if "shared" not in table.made:
        seated = ",".join(made_of_player(table, "text", to_text, one) for one in players(table))
        fields = f'{_settled(table)},{_fields(changing(table))},"players":[{seated}]'
        table.made["shared"] = f'{{"type":"GameDataSync","data":{{{fields}'
    text: str = table.made["shared"]
    return text


def _settled(table: Table) -> str:
    if "settled" not in table.carried:
        table.carried["settled"] = _fields(settled(table))
    text: str = table.carried["settled"]
    return text


def _fields(found: Mapping[str, Any]) -> str:
    """Fields of `GameData` as they stand in an object, without its brackets."""
    return to_text({_WIRE[name]: value for name, value in found.items() if value is not UNSET})[
        1:-1
    ]


def _view(table: Table, seat: Viewer) -> str:
    match = table.match
    if match is None:
        return to_text(table.display.view if table.display else None)
    if view_of(table, match, seat) == view_of(table, match, None):
        seat = None  # as the gallery sees it: seats often know no more
    key = ("view text", seat)
    if key not in table.made:
        table.made[key] = to_text(view_fields(table, match, seat), table.names)
    text: str = table.made[key]
    return text


def _offers(table: Table, acting: Viewer) -> str:
    key = ("offers text", acting)
    if key not in table.made:
        table.made[key] = to_text(() if table.pause else offers(table, acting))
    text: str = table.made[key]
    return text
