"""Frames for programs: shared parts are encoded once, and each viewer's own parts are inserted.

Ten viewers of a move get ten different syncs that are 90 % equal. So each part is encoded once and
reused as long as it is valid:

* fields that acts do not change: once per load
* fields that are equal for everybody: once per table
* view and offers: once per seat

Only the name is added per socket. Programs that asked for changes get only the changed fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import cached_property
from msgspec import UNSET

from games.contract.data import Viewer
from games.engine.told import ToldAct
from games.tables.diff import Happened, New, Sync, changes, same_players, told_apart
from games.tables.people import players
from games.tables.serializers import changing, serialize_table, settled
from games.tables.table import Table, per_loading, per_table
from games.tables.views import offers, view_fields, viewer_of
from games.wire import parts, server
from games.wire.wire import to_text

Memo = dict[Any, Any]
Frames = list[str]

_WIRE = dict(
    zip(parts.GameData.__struct_fields__, parts.GameData.__struct_encode_fields__, strict=True)
)


def ready(
    before: Table, now: Table, user_id: int, lang: str, memo: Memo, syncs: parts.Syncs = "whole"
) -> Frames:
    """Return the encoded frames for this member, in order.

    The result is empty if nothing has changed. `syncs` selects full syncs, or only the fields
    changed by acts.
    """
    if now.loading is not before.loading or now.between is not None:
        found = changes(before, now, user_id, lang, memo)
        return [
            sync_frame(one.table, user_id, lang) if isinstance(one, Sync) else _frame(one, memo)
            for one in found
        ]
    acts: _Acts | None = memo.get("acts")
    if acts is None:
        acts = memo["acts"] = _Acts(before, now)
    return acts.sent(user_id, lang, syncs, memo)


class _Acts:
    """Frames for a table that differs from the previous one only by acts.

    Viewers with the same view get the same frames, except for their name.
    """

    def __init__(self, before: Table, now: Table) -> None:
        self._before, self._now = before, now
        self._is_private, self._warns = told_apart(now), not same_players(before, now)
        self._around: dict[Any, tuple[Frames, bool, Frames]] = {}
        self._seen: dict[Any, tuple[Frames, str | None, Frames]] = {}
        self._views: dict[tuple[Viewer, Viewer], str] = {}

    def sent(self, user_id: int, lang: str, syncs: parts.Syncs, memo: Memo) -> Frames:
        """Return all frames for this member, in order.

        `memo` is not kept, because it holds this object: the cycle would keep both tables in
        memory until the next garbage collection.
        """
        seat = self._now.viewer(user_id)
        key = (syncs, seat, lang) if self._warns else (syncs, seat)
        seen = self._seen.get(key)
        if seen is None:
            seen = self._seen[key] = self._seen_by(user_id, seat, lang, syncs, memo)
        first, whole, last = seen
        if whole is None:
            return first
        return [*first, whole + _end(self._now, user_id), *last]

    def _seen_by(
        self, user_id: int, seat: Viewer, lang: str, syncs: parts.Syncs, memo: Memo
    ) -> tuple[Frames, str | None, Frames]:
        """Return the frames before the sync, the sync up to its last part, and the frames after it.

        If there is no sync, all frames are in the first part.
        """
        acting = seat if seat in self._now.in_play else None
        told = (seat if self._is_private else None, (acting, lang) if self._warns else None)
        if told not in self._around:
            found = changes(self._before, self._now, user_id, lang, memo)
            self._around[told] = _around_sync(found, memo)
        first, synced, last = self._around[told]
        if synced and syncs == "whole":
            return first, _sync(self._now, seat, acting), last
        changed = [self._changed(seat, acting)] if synced else []
        return [*first, *changed, *last], None, []

    def _changed(self, seat: Viewer, acting: Viewer) -> str:
        """Return `GameDataChanged` for this viewer."""
        fields = [self._changed_alike, self._changed_view(seat)]
        was = seat if seat in self._before.in_play else None
        for made in (_prompt, _offers):
            text = made(self._now, acting)
            fields.append(text if text != made(self._before, was) else "")
        return f'{{"type":"GameDataChanged","data":{{{",".join(filter(None, fields))}}}}}'

    @cached_property
    def _changed_alike(self) -> str:
        """JSON of the version and of the fields that have changed in the same way for everybody."""
        old, new = _changing(self._before), _changing(self._now)
        changed = {name: of for name, of in new.items() if name == "version" or of != old[name]}
        found = _fields({name: None if of is UNSET else of for name, of in changed.items()})
        known = players(self._before)
        entries = [_player(self._now, one) for one in players(self._now) if one not in known]
        return f'{found},"players":[{",".join(entries)}]' if entries else found

    def _changed_view(self, seat: Viewer) -> str:
        """Return the changed fields of the view as JSON text (`"view":{…}`), or "" if nothing has
        changed."""
        old_viewer, viewer = viewer_of(self._before, seat), viewer_of(self._now, seat)
        made: str | None = self._views.get((old_viewer, viewer))
        if made is None:
            old, new = view_fields(self._before, old_viewer), view_fields(self._now, viewer)
            found = {name: of for name, of in new.items() if of != old.get(name, UNSET)}
            found |= dict.fromkeys(old.keys() - new.keys())
            made = f'"view":{to_text(found, self._now.names)}' if found else ""
            self._views[old_viewer, viewer] = made
        return made


def encoded(packet: server.Sent) -> str:
    """Return a packet as JSON text."""
    return to_text(packet)


def event_frame(act: ToldAct, at: int) -> str:
    """Return the event of the act at index `at`, with the act's version."""
    plain, _to, _event = act.told[at]
    return to_text({**plain, "version": act.version})


def sync_frame(table: Table, user_id: int, lang: str) -> str:
    """Return `GameDataSync` for this member."""
    if table.parked:
        return to_text(server.GameDataSync(serialize_table(table, user_id, lang)))
    viewer = (table.viewer(user_id), table.acting(user_id))
    return _sync(table, *viewer) + _end(table, user_id)


def _around_sync(found: list[New], memo: Memo) -> tuple[Frames, bool, Frames]:
    """Return the frames before `GameDataSync`, whether there is a sync, and the frames after it."""
    at = next((at for at, one in enumerate(found) if isinstance(one, Sync)), len(found))
    first = [_frame(one, memo) for one in found[:at]]
    last = [_frame(one, memo) for one in found[at + 1 :]]
    return first, at < len(found), last


@per_table
def _sync(table: Table, seat: Viewer, acting: Viewer) -> str:
    """Return `GameDataSync` for this viewer, up to the viewer's name."""
    own = f'{_prompt(table, acting)},"view":{_view(table, seat)},{_offers(table, acting)}'
    return f'{_shared(table)},{own},"you":'


@per_loading
def _end(table: Table, user_id: int) -> str:
    """Return the rest of `GameDataSync`: the viewer's name."""
    member = table.member(user_id)
    return f"{to_text(member.name) if member else 'null'}}}}}"


def _frame(one: New, memo: Memo) -> str:
    key = ("frame", id(one))  # keep the packet as well, so that its id is not reused
    if key not in memo:
        memo[key] = (
            event_frame(one.act, one.at) if isinstance(one, Happened) else to_text(one),
            one,
        )
    frame: str = memo[key][0]
    return frame


@per_table
def _shared(table: Table) -> str:
    fields = f'{_settled(table)},{_fields(_changing(table))},"players":[{_players(table)}]'
    return f'{{"type":"GameDataSync","data":{{{fields}'


@per_table
def _changing(table: Table) -> Mapping[str, Any]:
    """Return the shared fields that an act may change, as they were when the table was first
    shown.
    """
    return changing(table)


def _players(table: Table) -> str:
    """Return the entries of `players` as JSON."""
    listed = players(table)
    return table.reuse(
        "players text", (listed,), lambda: ",".join([_player(table, one) for one in listed])
    )


def _player(table: Table, player: parts.Player) -> str:
    return table.reuse(("player text", player.username), (player,), lambda: to_text(player))


@per_loading
def _settled(table: Table) -> str:
    return _fields(settled(table))


def _fields(found: Mapping[str, Any]) -> str:
    """Encode fields of `GameData` as a JSON object without its braces."""
    return to_text({_WIRE[name]: value for name, value in found.items() if value is not UNSET})[
        1:-1
    ]


def _view(table: Table, seat: Viewer) -> str:
    if table.match is None:
        return to_text(table.display.view if table.display else None)
    return _view_text(table, viewer_of(table, seat))


@per_table
def _view_text(table: Table, viewer: Viewer) -> str:
    return to_text(view_fields(table, viewer), table.names)


def _prompt(table: Table, acting: Viewer) -> str:
    match = table.match
    prompt = "null" if match is None or acting is None else match.state.prompts[acting]
    return f'"prompt":{prompt}'


@per_table
def _offers(table: Table, acting: Viewer) -> str:
    offered = () if acting is None or table.pause is not None else offers(table, acting)
    return f'"offers":{to_text(offered) if offered else "[]"}'
