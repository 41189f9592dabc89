"""What is sent of a table: plain data about it, its people and its match, for packets and pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from chat.models import Message
from games.live import Live
from games.models import Member, Player
from games.rules.data import Viewer
from games.rules.luck import commitment, mix
from games.table import Table
from games.wire import to_wire

Json = dict[str, Any]


def sync_data(table: Table, user_id: int | None, lang: str = "en") -> Json:
    """`GameDataSync.data` for this person (design/wire.md 5)."""
    room, match, member = table.room, table.match, table.member(user_id)
    seat, turn = table.viewer(user_id), table.turn
    acting = table.acting(user_id)
    view = view_data(table, seat)
    offers = match.game.offers(match.state, acting) if match and acting is not None else ()
    names = table.names
    deadline = match.row.deadline if match and table.playing else None
    return {
        "gameId": room.code,
        "game": room.game,
        "options": room.options,
        "status": room.status,
        "gameStarted": table.playing,
        "visibility": room.visibility,
        "locked": bool(room.password),
        "allowsUdp": room.udp,
        "gameHost": table.host,
        "you": member.name if member else None,
        "matchId": match.row.pk if match else None,
        "version": match.row.version if match else None,
        "prompt": match.state.prompts[acting] if match and acting is not None else None,
        "awaited": [names[at] for at in table.awaited],
        "turn": names[turn.seat] if turn and turn.seat is not None else None,
        "next": names[turn.next] if turn and turn.next is not None else None,
        "turnCount": turn.count if turn else 0,
        "turnOrder": [names[at] for at in turn.order] if turn else [],
        "deadline": iso(deadline),
        "secondsLeft": _seconds_left(deadline),
        "fairness": {"commitment": commitment(bytes.fromhex(_secret(table)))},
        "players": players_data(table),
        "view": view,
        "offers": to_wire(offers, names),
        "chat": [message_data(table, message) for message in table.in_chat(user_id)],
        "standings": table.udp.points if table.udp else room.standings,
        "outcome": outcome_data(table),
    }


def view_data(table: Table, seat: Viewer) -> Json | None:
    """The view of a seat (None: the gallery) without the facts that stand in `players`."""
    if table.match is None:
        return table.udp.view if table.udp else None
    view: Json = to_wire(table.match.game.view(table.match.state, seat), table.names)
    view.pop("players")
    return view


def players_data(table: Table) -> list[Json]:
    """`players`: in seat order, then whoever watches, by time of joining."""
    facts: Sequence[Json] = ()
    match = table.match
    if match is not None:
        facts = to_wire(match.game.view(match.state, None).players, table.names)
    by_name = {member.name: member for member in table.members}
    seated = [_seated(table, p, by_name.get(p.name), facts[p.seat]) for p in _in_match(match)]
    names = {entry["username"] for entry in seated if table.playing}
    watching = [member_data(table, m) for m in table.members if m.name not in names]
    return (seated if table.playing else []) + watching


def member_data(table: Table, member: Member) -> Json:
    """A member who holds no seat in a running match."""
    return {
        "username": member.name,
        "joinTime": iso(member.joined_at),
        "seat": None,
        "inGame": False,
        "isSpectator": member.spectator or table.playing,
        "isBot": bool(member.bot),
        "isGuest": member.name in _guests(table),
        "connected": bool(member.bot) or member.away_since is None,
    }


def player_data(table: Table, name: str) -> Json | None:
    """The entry of `players` with this name."""
    return next((p for p in players_data(table) if p["username"] == name), None)


def message_data(table: Table, message: Message) -> Json:
    """A chat message as it is sent."""
    return {
        "message": message.text,
        "player": player_data(table, message.name) or {"username": message.name},
        "timestamp": iso(message.at),
        "audience": message.audience,
        **({"claim": message.claim} if message.claim else {}),
    }


def outcome_data(table: Table) -> Json | None:
    """How the match ended, and everything its luck can be recomputed from."""
    match = table.match
    if match is None or not match.over:
        return None
    ended = match.game.outcome(match.state)
    plain: Json = (
        to_wire(ended, table.names)
        if ended is not None
        else {"winners": [], "places": [list(table.names)], "points": None, "reason": "aborted"}
    )
    return {**plain, "fairness": fairness_data(match)}


def fairness_data(match: Live) -> Json:
    """What was committed to before the match, revealed. Only after its end."""
    secret, nonces = bytes.fromhex(match.row.secret), match.row.nonces
    return {
        "commitment": commitment(secret),
        "serverSeed": match.row.secret,
        "nonces": [
            {"username": name, "nonce": nonce}
            for name, nonce in zip(match.names, nonces, strict=False)
        ],
        "seed": mix(secret, nonces).hex(),
    }


def iso(moment: datetime | None) -> str | None:
    """A time on the wire: UTC with milliseconds."""
    if moment is None:
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def _seated(table: Table, player: Player, member: Member | None, facts: Json) -> Json:
    program = table.room.udp and player.user_id is None
    connected = bool(player.bot or program) or (member is not None and member.away_since is None)
    return {
        "username": player.name,
        "joinTime": iso(member.joined_at) if member else None,
        "seat": player.seat,
        "inGame": not player.gone or player.substitute,
        "isSpectator": player.out,
        "isBot": bool(player.bot),
        "isGuest": player.name in _guests(table),
        "connected": connected,
        **facts,
    }


def _in_match(match: Live | None) -> Sequence[Player]:
    return match.players if match else ()


def _guests(table: Table) -> frozenset[str]:
    return frozenset(m.name for m in table.members if m.user is not None and m.user.is_guest)


def _secret(table: Table) -> str:
    return table.match.row.secret if table.match and table.playing else table.room.secret


def _seconds_left(deadline: datetime | None) -> float | None:
    if deadline is None:
        return None
    return max(0.0, round((deadline - timezone.now()).total_seconds(), 1))
