"""Serializes a table, its members and its match as packets, and as plain data for pages."""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from chat.models import Message
from games.contract import core
from games.contract.data import Seat, Viewer
from games.contract.luck import commitment
from games.engine import time_source, timing
from games.engine.mixed import agreement
from games.engine.options import kept_options
from games.engine.snapshots import MatchSnapshot
from games.engine.told import ToldAct
from games.rooms import skipping
from games.rooms.evening import names_now
from games.rooms.mixing_records import Void, mixing_of, running_mixing
from games.tables.decisions import gone_of, table_vote
from games.tables.people import named, players
from games.tables.sentences import notice
from games.tables.table import Table
from games.tables.views import offers, view_data
from games.wire import parts, server
from games.wire.claims import Claimed
from games.wire.games import vocabulary
from games.wire.wire import iso, to_wire

Json = dict[str, Any]
M = TypeVar("M", bound=parts.ChatMessage)


def serialize_table(
    table: Table, user_id: int | None, lang: str = "en", with_chat: bool = False
) -> parts.GameData:
    """Return `GameDataSync.data` for this user (docs/wire.md §5), with sentences in `lang`.

    Set `with_chat` after joining or for `GameDataRequest`.
    """
    return parts.GameData(
        **settled(table),
        **changing(table),
        **own(table, user_id, lang, with_chat),
        players=players(table),
    )


def settled(table: Table) -> Json:
    """Return the fields of `GameData` that acts do not change."""
    room = table.room
    return {
        "game_id": room.code,
        "game": room.game,
        "options": options(table),
        "status": room.status,
        "game_started": table.playing,
        "visibility": room.visibility,
        "locked": bool(room.password),
        "rated": table.rated,
        "allows_udp": table.policy.programs,
        "game_host": table.host,
        "match_id": table.match_id,
        "fairness": _committed(table),
        "standings": dict(table.display.points) if table.display else room.standings,
        "evening": names_now(table.evening, table.members),
        "vote": table_vote(table) or UNSET,
        "mixing": mixing(table) or UNSET,
        "luck_voids": voids(table) or UNSET,
    }


def changing(table: Table) -> Json:
    """Return the fields that an act may change in the same way for everybody, except `players`."""
    match, turn = table.match, table.turn
    deadline = match.row.deadline if match and table.playing else None
    return {
        "version": match.row.version if match else None,
        "awaited": tuple(table.names[at] for at in table.awaited),
        "turn": _name(table, turn.seat if turn else None),
        "next": _name(table, turn.next if turn else None),
        "turn_count": match.game.rules.turn(match.state).count if match else 0,
        "turn_order": tuple(table.names[at] for at in turn.order) if turn else (),
        "deadline": iso(deadline),
        "seconds_left": _seconds_left(table, deadline),
        "awaited_from": _awaited_from(table),
        "outcome": outcome(table),
        "paused": pause(table) or UNSET,
        "skip": skip(table) or UNSET,
    }


def own(table: Table, user_id: int | None, lang: str, with_chat: bool) -> Json:
    """Return the fields that are different for each viewer."""
    match, member, acting = table.match, table.member(user_id), table.acting(user_id)
    view = view_data(table, table.viewer(user_id))
    return {
        "you": member.name if member else None,
        "prompt": match.state.prompts[acting] if match and acting is not None else None,
        "view": None if view is None else vocabulary(table.game).seen(view),
        "offers": () if table.pause else offers(table, acting),
        "chat": chat(table, user_id) if with_chat else UNSET,
        "parked": notice("parked", lang) if table.parked else UNSET,
    }


def pause(table: Table) -> parts.PausedBy | None:
    """Return who paused the match and when, or None if the match is not paused."""
    if table.pause is None:
        return None
    names = {member.pk: member.name for member in (*table.members, *table.gone)}
    return parts.PausedBy(names.get(table.pause.by), iso(table.pause.since))


def skip(table: Table) -> parts.Skip | None:
    """Return who asks to skip ahead, or None if nobody asks or human players are left."""
    match = table.match
    if match is None or not match.only_bots:
        return None
    skipped = match.row.pace == timing.INSTANT
    if not (match.row.skip_asked or skipped):
        return None
    here = [m for m in table.members if not m.bot and m.away_since is None]
    by = tuple(m.name for m in here if m.pk in match.row.skip_asked)
    return parts.Skip(by, skipping.enough(len(here)), skipped)


def options(table: Table) -> core.Options:
    """Return the options of the room for the running or next match."""
    return kept_options(table.game, table.room.options)


def chat(table: Table, user_id: int | None) -> tuple[parts.ChatMessage, ...]:
    """Return the newest messages that this user may read."""
    return tuple(chat_message(table, message) for message in table.in_chat(user_id))


def chat_message(table: Table, message: Message) -> parts.ChatMessage:
    """Return a message as an entry of `chat`."""
    return _said(parts.ChatMessage, table, message)


def new_message(table: Table, message: Message) -> server.NewChatMessageSent:
    """Return the packet of a new message."""
    return _said(server.NewChatMessageSent, table, message)


def message_data(table: Table, message: Message) -> Json:
    """Return a message as plain data, for pages."""
    plain: Json = msgspec.to_builtins(chat_message(table, message))
    return plain


def outcome(table: Table) -> parts.Outcome | None:
    """Return how the match ended, with the data that verifies its random numbers, or None before
    its end.
    """
    match = table.match
    if match is None or not match.over:
        return None
    ended = match.game.rules.outcome(match.state) or _no_result(match)
    plain: Json = to_wire(ended, table.names)
    return msgspec.convert({**plain, "fairness": fairness(match)}, parts.Outcome)


def outcome_data(table: Table) -> Json | None:
    """Return how the match ended as plain data for pages, or None before its end."""
    ended = outcome(table)
    return None if ended is None else msgspec.to_builtins(ended)


def fairness(match: MatchSnapshot) -> parts.Fairness:
    """Reveal the secret behind the room's commitment. Call this only after the match."""
    nonces: Any = UNSET
    if match.row.mixed is None:
        pairs = zip(match.names, match.row.nonces, strict=False)
        nonces = tuple(parts.Nonce(name, nonce) for name, nonce in pairs)
    return parts.Fairness(
        **_agreed(match),
        server_seed=match.row.secret,
        nonces=nonces,
        seed=match.seed.hex(),
    )


def mixing(table: Table) -> parts.Mixing | None:
    """Return the list of shares while the luck of the next match is mixed, without any secret."""
    found = running_mixing(table.room)
    if found is None:
        return None
    seats = tuple(parts.ShareOnList(one.name, one.share) for one in found.seats)
    return parts.Mixing(list_=found.listed, seats=seats)


def voids(table: Table) -> tuple[parts.VoidList, ...]:
    """Return the void lists of the newest start, and who was missing or gone.

    Clients that opened their share expect either the match to begin or their list to be here.
    """
    return tuple(
        parts.VoidList(list_=one.listed, missing=one.missing, gone=gone_of(one))
        for one in known_voids(table)
    )


def known_voids(table: Table) -> tuple[Void, ...]:
    """Return the void lists of the newest start, until the match that followed them is over."""
    found = mixing_of(table.room)
    if found is None:
        return ()
    is_over = not (table.playing or found.failed or running_mixing(table.room))
    return () if is_over else found.voids


def started(match: MatchSnapshot) -> parts.StartFairness:
    """Return what everybody agreed on before a match."""
    return parts.StartFairness(**_agreed(match))


def _agreed(match: MatchSnapshot) -> Json:
    known = {"commitment": commitment(bytes.fromhex(match.row.secret))}
    agreed = agreement(match.row, match.names)
    if agreed is None:
        return known
    seats = tuple(parts.LuckSeat(**one) for one in agreed["seats"])
    return {**known, "luck": 2, "list_": agreed["list"], "code": agreed["code"], "seats": seats}


def told_to(act: ToldAct, seat: Viewer) -> list[server.Event]:
    """Return the events of an act that this viewer may see, each with the act's version."""
    return [
        event_packet(act, at)
        for at, (_, to, _event) in enumerate(act.told)
        if to is None or (seat is not None and seat in to)
    ]


def event_packet(act: ToldAct, at: int) -> server.Event:
    """Return the event of the act at index `at`, with the act's version."""
    return vocabulary(act.game).told(act.told[at][0], act.version)


def _name(table: Table, seat: Viewer) -> str | None:
    return None if seat is None else table.names[seat]


def _said(kind: type[M], table: Table, message: Message) -> M:
    claim = message.claim
    return kind(
        message=message.text,
        player=named(table, message.name) or parts.Gone(message.name),
        timestamp=iso(message.at),
        audience=message.audience,
        claim=msgspec.convert(claim, Claimed) if claim else msgspec.UNSET,
    )


def _no_result(match: MatchSnapshot) -> core.Outcome:
    everybody = tuple(Seat(held.seat) for held in match.players)
    return core.Outcome(winners=(), places=(everybody,), points=None, reason="aborted")


def _committed(table: Table) -> parts.Commitment:
    """Return the commitment of the running match with its list, or the commitment of the next.

    Clients that come back compare the list and the secrets with those that they expect.
    """
    if table.match is None or not table.playing:
        return parts.Commitment(commitment(bytes.fromhex(table.room.secret)))
    row = table.match.row
    committed = commitment(bytes.fromhex(row.secret))
    if row.mixed is None:
        return parts.Commitment(committed)
    secrets = tuple(secret for _share, secret in row.mixed["seats"])
    return parts.Commitment(committed, list_=row.mixed["list"], secrets=secrets)


def _awaited_from(table: Table) -> str | UnsetType:
    """Return when pages will have shown all beats, or UNSET if they already have."""
    shown = table.match.row.awaited_from if table.match and table.playing else None
    return UNSET if shown is None or shown <= time_source.now() else iso(shown)


def _seconds_left(table: Table, deadline: datetime | None) -> float | None:
    if table.pause is not None:
        return None if table.pause.left is None else round(table.pause.left, 1)
    if deadline is None:
        return None
    return max(0.0, round((deadline - time_source.now()).total_seconds(), 1))
