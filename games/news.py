"""What has happened between two loadings of a table, as packets (design/wire.md 2 and 4).

Nothing is remembered but the table before: whoever missed a hint learns the same from the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.models import Member
from games.rules.core import Refused
from games.sentences import refusal
from games.sync import (
    fairness_data,
    member_data,
    message_data,
    outcome_data,
    player_data,
    sync_data,
)
from games.table import Json, Table, told_to

ALERTS = {"idle": "warning", "watching": "info", "broken": "error"}


def packets(before: Table, now: Table, user_id: int, lang: str = "en") -> list[Json]:
    """Everything this member is to be sent, in order; the sync stands after the events."""
    if now.between is not None:
        end = _packets(before, now.between, user_id, lang)
        return [*end, *_packets(now.between, now, user_id, lang)]
    return _packets(before, now, user_id, lang)


def _packets(before: Table, now: Table, user_id: int, lang: str) -> list[Json]:
    people = list(_people(before, now))
    room = list(_room(before, now))
    match = [*_started(before, now), *_events(now, user_id)]
    sent = [*people, *room, *match]
    round_over = before.room.udp_round != now.room.udp_round
    if sent or round_over or _version(before) != _version(now):
        sent.append({"type": "GameDataSync", "data": sync_data(now, user_id, lang)})
    sent += [*_turns(before, now), *_ended(before, now)]
    if warned := warning(before, now, user_id):
        message = refusal(warned, language=lang)
        sent.append({"type": "ShowAlert", "level": ALERTS[warned.code], "message": message})
    return [*sent, *_chat(before, now, user_id)]


def warning(before: Table, now: Table, user_id: int) -> Refused | None:
    """What this member is told aside: the seat is at stake, or taken; the match has failed."""
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
    began = now.match is not None and _match_id(before) != _match_id(now)
    member = now.member(user_id)
    if not began or member is None or member.spectator or now.viewer(user_id) is not None:
        return None
    return Refused("watching", most=now.game.seats[1])


def _broken(before: Table, now: Table) -> Refused | None:
    if now.match is None or not now.match.row.broken or _match_id(before) != _match_id(now):
        return None
    return Refused("broken") if before.match and not before.match.row.broken else None


def left(before: Table, now: Table, user_id: int) -> Member | None:
    """The member row of somebody who was here before and is not any more."""
    if before.member(user_id) is None or now.member(user_id) is not None:
        return None
    return next((m for m in now.gone if m.user_id == user_id), None)


def is_somebody_else(before: Table, now: Table, user_id: int) -> bool:
    """Whether a guest's membership belongs to an account now (`games.moving`)."""
    was, member = before.member(user_id), now.member(user_id)
    return was is not None and member is None and left(before, now, user_id) is None


def _people(before: Table, now: Table) -> Iterator[Json]:
    old = {m.pk: m for m in before.members}
    new = {m.pk: m for m in now.members}
    for member in now.gone:
        if member.pk in old:
            yield {
                "type": "PlayerLeft",
                "username": old[member.pk].name,  # who is forgotten has another by now
                "reason": member.left_because,
            }
    for pk, member in new.items():
        player = player_data(now, member.name) or member_data(now, member)
        if pk not in old:
            yield {"type": "PlayerJoined", "player": player}
            continue
        if old[pk].spectator != member.spectator or _is_guest(old[pk]) != _is_guest(member):
            yield {"type": "PlayerChanged", "player": player}
        if (old[pk].away_since is None) != (member.away_since is None):
            connected = member.away_since is None
            yield {
                "type": "PlayerConnection",
                "username": member.name,
                "connected": connected,
            }


def _is_guest(member: Member) -> bool:
    return member.user is not None and member.user.is_guest


def _room(before: Table, now: Table) -> Iterator[Json]:
    if before.host != now.host and now.host is not None:
        yield {"type": "HostSet", "username": now.host}
    if before.room.options != now.room.options:
        yield {"type": "OptionsSet", "options": now.room.options}
    old, new = before.room, now.room
    if (old.visibility, old.password) != (new.visibility, new.password):
        yield {
            "type": "RoomSet",
            "visibility": new.visibility,
            "locked": bool(new.password),
        }


def _started(before: Table, now: Table) -> Iterator[Json]:
    if now.match is None or _match_id(before) == now.match.row.pk:
        return
    yield {
        "type": "GameStarted",
        "matchId": now.match.row.pk,
        "version": 1,
        "fairness": {"commitment": fairness_data(now.match)["commitment"]},
    }


def _events(now: Table, user_id: int) -> Iterator[Json]:
    seat = now.viewer(user_id)
    for news in now.acts:
        if news.match_id != _match_id(now):
            continue
        if news.kind == "nudge":
            yield {"type": "Nudged", "version": news.version}
        yield from told_to(news, seat)


def _turns(before: Table, now: Table) -> Iterator[Json]:
    old, new = before.turn, now.turn
    was = old.seat if old else None
    now_on = new.seat if new else None
    changed = (was, old.count if old else 0) != (now_on, new.count if new else 0)
    same_match = _match_id(before) == _match_id(now)
    if not changed and same_match:
        return
    if was is not None:
        yield {"type": "TurnEnd", "username": before.names[was], "version": _version(now)}
    if now_on is not None:
        yield {"type": "TurnStart", "username": now.names[now_on], "version": _version(now)}


def _ended(before: Table, now: Table) -> Iterator[Json]:
    outcome = outcome_data(now)
    was_over = _match_id(before) == _match_id(now) and before.match and before.match.over
    if outcome is None or was_over:
        return
    keys = ("winners", "places", "reason", "fairness")
    yield {"type": "GameEnd", "version": _version(now), **{key: outcome[key] for key in keys}}


def _chat(before: Table, now: Table, user_id: int) -> Iterator[Json]:
    last = before.chat[-1].pk if before.chat else 0
    for message in now.in_chat(user_id):
        if message.pk > last:
            yield {"type": "NewChatMessageSent", **message_data(now, message)}


def _match_id(table: Table) -> int | None:
    return table.match.row.pk if table.match else None


def _version(table: Table) -> Any:
    return table.match.row.version if table.match else None
