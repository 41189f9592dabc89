"""What has changed between two loadings of a table, as packets (design/wire.md 2 and 4).

Nothing is remembered but the table before: whoever missed a notification learns the same from the
next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from games.models import Member
from games.packets import parts, server
from games.rules.core import Refused
from games.sentences import refusal
from games.serializers import (
    committed,
    new_message,
    options,
    outcome,
    pause,
    player,
    serialize_table,
    told_to,
)
from games.table import Table

ALERTS: Mapping[str, parts.Level] = {
    "idle": "warning",
    "watching": "info",
    "broken": "error",
    "parked": "error",
}


def packets(before: Table, now: Table, user_id: int, lang: str = "en") -> list[server.Sent]:
    """Everything this member is to be sent, in order; the sync stands after the events."""
    if now.between is not None:
        end = _packets(before, now.between, user_id, lang)
        return [*end, *_packets(now.between, now, user_id, lang)]
    return _packets(before, now, user_id, lang)


def _packets(before: Table, now: Table, user_id: int, lang: str) -> list[server.Sent]:
    people = list(_people(before, now))
    room = [*_room(before, now), *_pause(before, now)]
    match = [*_started(before, now), *_events(now, user_id)]
    sent: list[server.Sent] = [*people, *room, *match]
    shown_anew = _displayed(before) != _displayed(now)
    changed = _version(before) != _version(now) or before.parked != now.parked
    if sent or shown_anew or changed:
        sent.append(server.GameDataSync(serialize_table(now, user_id, lang)))
    sent += [*_turns(before, now), *_ended(before, now)]
    if warned := warning(before, now, user_id):
        message = refusal(warned, language=lang)
        sent.append(server.ShowAlert(ALERTS[warned.code], message))
    return [*sent, *_chat(before, now, user_id)]


def warning(before: Table, now: Table, user_id: int) -> Refused | None:
    """What this member is told aside: the seat is at stake, or taken; the match has failed."""
    if now.parked and not before.parked:
        return Refused("parked")
    return _idle(before, now, user_id) or _watching(before, now, user_id) or _broken(before, now)


def _idle(before: Table, now: Table, user_id: int) -> Refused | None:
    """Who has been silent, but not once too often (conventions C5)."""
    seat = now.acting(user_id)
    if seat is None or now.match is None or before.match is None:
        return None
    limit, idle = now.match.options.idle_kick, now.match.players[seat].idle
    same = before.match.row.pk == now.match.row.pk and seat < len(before.match.players)
    if not limit or not same or idle <= before.match.players[seat].idle:
        return None
    return Refused("idle", left=limit - idle)


def _watching(before: Table, now: Table, user_id: int) -> Refused | None:
    """Who wanted to play, but there were more people than seats."""
    began = now.match is not None and before.match_id != now.match_id
    member = now.member(user_id)
    if not began or member is None or member.spectator or now.viewer(user_id) is not None:
        return None
    return Refused("watching", most=now.game.seats[1])


def _broken(before: Table, now: Table) -> Refused | None:
    if now.match is None or not now.match.row.broken or before.match_id != now.match_id:
        return None
    return Refused("broken") if before.match and not before.match.row.broken else None


def left(now: Table, user_id: int) -> Member | None:
    """The member row of somebody who had come in, where they are not in any more."""
    if now.member(user_id) is not None:
        return None
    return next((m for m in now.gone if m.user_id == user_id), None)


def is_somebody_else(now: Table, user_id: int) -> bool:
    """Whether the membership of a guest who had come in is an account's now
    (`games.account_merge`)."""
    return now.member(user_id) is None and left(now, user_id) is None


def _people(before: Table, now: Table) -> Iterator[server.Sent]:
    old = {m.pk: m for m in before.members}
    for member in now.gone:
        if member.pk in old:
            # Who is erased has another name by now.
            yield server.PlayerLeft(old[member.pk].name, member.left_because)
    for member in now.members:
        known = old.get(member.pk)
        if known is None:
            yield server.PlayerJoined(player(now, member))
            continue
        if known.spectator != member.spectator or _is_guest(known) != _is_guest(member):
            yield server.PlayerChanged(player(now, member))
        if (known.away_since is None) != (member.away_since is None):
            yield server.PlayerConnection(member.name, member.away_since is None)


def _is_guest(member: Member) -> bool:
    return member.user is not None and member.user.is_guest


def _room(before: Table, now: Table) -> Iterator[server.Sent]:
    if before.host != now.host and now.host is not None:
        yield server.HostSet(now.host)
    if before.room.options != now.room.options:
        yield server.OptionsSet(options(now))
    old, new = before.room, now.room
    if (old.visibility, old.password) != (new.visibility, new.password):
        yield server.RoomSet(new.visibility, bool(new.password))


def _pause(before: Table, now: Table) -> Iterator[server.Sent]:
    """A pause that is over, or has begun; it ends with the match without a word."""
    if before.parked or now.parked or not now.playing:  # while it is parked nobody can tell
        return
    was, there = before.pause, pause(now)
    if was is not None and there is None and before.match_id == now.match_id:
        yield server.Resumed()
    if was is None and there is not None and there.by is not None:
        yield server.Paused(there.by)


def _started(before: Table, now: Table) -> Iterator[server.Sent]:
    if now.match is not None and before.match_id != now.match.row.pk:
        yield server.GameStarted(now.match.row.pk, 1, committed(now.match))


def _events(now: Table, user_id: int) -> Iterator[server.Sent]:
    seat = now.viewer(user_id)
    for act in now.acts:
        if act.match_id != now.match_id:
            continue
        if act.kind == "nudge":
            yield server.Nudged(act.version)
        yield from told_to(act, seat)


def _turns(before: Table, now: Table) -> Iterator[server.Sent]:
    if now.parked:  # it is still the same turn, for all we know
        return
    if before.parked:
        before = replace(before, match=before.last, parked=False)
    old, new = before.turn, now.turn
    was = old.seat if old else None
    now_on = new.seat if new else None
    changed = (was, old.count if old else 0) != (now_on, new.count if new else 0)
    same_match = before.match_id == now.match_id
    if not changed and same_match:
        return
    if was is not None:
        yield server.TurnEnd(before.names[was], _version(now))
    if now_on is not None:
        yield server.TurnStart(now.names[now_on], _version(now))


def _ended(before: Table, now: Table) -> Iterator[server.Sent]:
    ended = outcome(now)
    was_over = before.match_id == now.match_id and before.match and before.match.over
    if ended is not None and not was_over:
        yield server.GameEnd(
            version=_version(now),
            winners=ended.winners,
            places=ended.places,
            reason=ended.reason,
            fairness=ended.fairness,
        )


def _chat(before: Table, now: Table, user_id: int) -> Iterator[server.Sent]:
    last = before.chat[-1].pk if before.chat else 0
    for message in now.in_chat(user_id):
        if message.pk > last:
            yield new_message(now, message)


def _displayed(table: Table) -> int | None:
    return table.display.number if table.display else None


def _version(table: Table) -> Any:
    return table.match.row.version if table.match else None
