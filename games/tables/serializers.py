"""What is sent of a table: packets about it, its people and its match, and the same for pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from chat.models import Message
from games.engine import time_source, timing
from games.engine.options import kept_options
from games.engine.snapshots import MatchSnapshot
from games.engine.told import ToldAct
from games.language.sentences import refusal
from games.models import Member, Player
from games.protocol import parts, server
from games.protocol.claims import Claimed
from games.protocol.games import vocabulary
from games.protocol.wire import to_wire
from games.rooms import skipping
from games.rooms.evening import names_now
from games.rules import core
from games.rules.core import Refused
from games.rules.data import Seat, Viewer
from games.rules.luck import commitment, mix
from games.tables.decisions import table_vote
from games.tables.table import Table

Json = dict[str, Any]
M = TypeVar("M", bound=parts.ChatMessage)
M2 = TypeVar("M2")


def serialize_table(
    table: Table, user_id: int | None, lang: str = "en", with_chat: bool = False
) -> parts.GameData:
    """`GameDataSync.data` for this person (design/wire.md 5), sentences in their language.

    `with_chat`: it answers joining or `GameDataRequest`.
    """
    return parts.GameData(
        **settled(table),
        **changing(table),
        **own(table, user_id, lang, with_chat),
        players=players(table),
    )


def settled(table: Table) -> Json:
    """The fields of `GameData` that stay as they are while nothing but acts is added."""
    room = table.room
    return {
        "game_id": room.code,
        "game": room.game,
        "options": options(table),
        "status": room.status,
        "game_started": table.playing,
        "visibility": room.visibility,
        "locked": bool(room.password),
        "allows_udp": table.policy.programs,
        "game_host": table.host,
        "match_id": table.match_id,
        "fairness": parts.Commitment(commitment(bytes.fromhex(_secret(table)))),
        "standings": dict(table.display.points) if table.display else room.standings,
        "evening": names_now(table.evening, table.members),
        "vote": table_vote(table) or UNSET,
    }


def changing(table: Table) -> Json:
    """Those that an act may change, and that are the same for everybody; but for `players`."""
    match, turn = table.match, table.turn
    deadline = match.row.deadline if match and table.playing else None
    return {
        "version": match.row.version if match else None,
        "awaited": tuple(table.names[at] for at in table.awaited),
        "turn": _name(table, turn.seat if turn else None),
        "next": _name(table, turn.next if turn else None),
        "turn_count": match.game.turn(match.state).count if match else 0,
        "turn_order": tuple(table.names[at] for at in turn.order) if turn else (),
        "deadline": iso(deadline),
        "seconds_left": _seconds_left(table, deadline),
        "awaited_from": _awaited_from(table),
        "outcome": outcome(table),
        "paused": pause(table) or UNSET,
        "skip": skip(table) or UNSET,
    }


def own(table: Table, user_id: int | None, lang: str, with_chat: bool) -> Json:
    """Those that are this viewer's."""
    match, member, acting = table.match, table.member(user_id), table.acting(user_id)
    view = view_data(table, table.viewer(user_id))
    return {
        "you": member.name if member else None,
        "prompt": match.state.prompts[acting] if match and acting is not None else None,
        "view": None if view is None else vocabulary(table.game).seen(view),
        "offers": () if table.pause else offers(table, acting),
        "chat": chat(table, user_id) if with_chat else UNSET,
        "parked": refusal(Refused("parked"), language=lang) if table.parked else UNSET,
    }


def pause(table: Table) -> parts.PausedBy | None:
    """Who has paused the match, and since when; None while it runs on."""
    if table.pause is None:
        return None
    names = {member.pk: member.name for member in (*table.members, *table.gone)}
    return parts.PausedBy(names.get(table.pause.by), _iso(table.pause.since))


def skip(table: Table) -> parts.Skip | None:
    """Who asks to skip ahead; None where nobody does, or somebody is still in."""
    match = table.match
    if match is None or not match.only_bots or not (match.row.skip_asked or match.row.pace):
        return None
    here = [m for m in table.members if not m.bot and m.away_since is None]
    by = tuple(m.name for m in here if m.pk in match.row.skip_asked)
    return parts.Skip(by, skipping.enough(len(here)), match.row.pace == timing.INSTANT)


def options(table: Table) -> core.Options:
    """The options of the room, for the running match or the next."""
    return kept_options(table.game, table.room.options)


def view_data(table: Table, seat: Viewer) -> Json | None:
    """The view of a seat (None: the gallery) without the facts that stand in `players`."""
    if table.match is None:
        return table.display.view if table.display else None
    if view_of(table, table.match, seat) == view_of(table, table.match, None):
        seat = None  # as the gallery sees it: seats often know no more
    known: Json | None = table.made.get(("view data", seat))
    if known is None:
        known = to_wire(view_fields(table, table.match, seat), table.names)
        table.made["view data", seat] = known
    return known


def view_difference(table: Table, view: Any, public: Any) -> Json:
    """What stands in a view and not in the gallery's, by the names of the wire."""
    kind: Any = type(view)
    own = {
        sent: value
        for name, sent in _sent_of(kind)
        if (value := getattr(view, name)) is not UNSET and value != getattr(public, name)
    }
    plain: Json = to_wire(own, table.names)
    return plain


def view_fields(table: Table, match: MatchSnapshot, seat: Viewer) -> Json:
    """The view of a seat by the names of the wire, without the facts that stand in `players`."""
    view = view_of(table, match, seat)
    kind: Any = type(view)
    found = {sent: getattr(view, name) for name, sent in _sent_of(kind)}
    return {sent: of for sent, of in found.items() if of is not UNSET}


@cache
def _sent_of(view: Any) -> tuple[tuple[str, str], ...]:
    """The fields of a view that are sent in it, with their names on the wire."""
    names = zip(view.__struct_fields__, view.__struct_encode_fields__, strict=True)
    return tuple((name, sent) for name, sent in names if name != "players")


def view_of(table: Table, match: MatchSnapshot, seat: Viewer) -> Any:
    """The view of a seat as the game makes it: once for all who look through it."""
    key = ("view", seat)
    view = table.made.get(key)
    if view is None:
        view = table.made[key] = match.game.view(match.state, seat)
    return view


def offers_of(table: Table, match: MatchSnapshot, seat: Seat) -> tuple[core.Offer, ...]:
    """What the game offers a seat: it is asked once for programs and pages."""
    key = ("offered", seat)
    if key not in table.made:
        table.made[key] = match.game.offers(match.state, seat)
    known: tuple[core.Offer, ...] = table.made[key]
    return known


def players(table: Table) -> tuple[parts.Player, ...]:
    """In seat order, then those who watch, by time of joining; most acts leave all as they are."""
    match = table.match if table.playing else None
    held = match.players if match else None
    facts = view_of(table, match, None).players if match else None
    known = table.carried.get("players")
    if known is None or known[0] is not held or known[1] != facts:
        known = table.carried["players"] = (held, facts, tuple(_players(table)))
    listed: tuple[parts.Player, ...] = known[2]
    return listed


def player_data(table: Table, player: parts.Player) -> Json:
    """An entry of `players`, for pages."""
    plain: Json = made_of_player(table, "data", msgspec.to_builtins, player)
    return plain


def made_of_player(table: Table, what: str, make: Callable[[Any], M2], player: parts.Player) -> M2:
    """What is made of an entry of `players`, once for as long as it is the same object."""
    key = (what, player.username)
    known = table.carried.get(key)
    if known is None or known[0] is not player:
        known = table.carried[key] = (player, make(player))
    made: M2 = known[1]
    return made


def player(table: Table, member: Member) -> parts.Player:
    """The entry of `players` for this member."""
    return _named(table, member.name) or _member(table, member)


def chat(table: Table, user_id: int | None) -> tuple[parts.ChatMessage, ...]:
    """The newest messages this person may read."""
    return tuple(chat_message(table, message) for message in table.in_chat(user_id))


def chat_message(table: Table, message: Message) -> parts.ChatMessage:
    """A chat message as it stands in `chat`."""
    return _said(parts.ChatMessage, table, message)


def new_message(table: Table, message: Message) -> server.NewChatMessageSent:
    """A chat message as it is sent when it is new."""
    return _said(server.NewChatMessageSent, table, message)


def message_data(table: Table, message: Message) -> Json:
    """A chat message, for pages."""
    plain: Json = msgspec.to_builtins(chat_message(table, message))
    return plain


def outcome(table: Table) -> parts.Outcome | None:
    """How the match ended, and everything its luck can be recomputed from."""
    match = table.match
    if match is None or not match.over:
        return None
    ended = match.game.outcome(match.state) or _no_result(match)
    plain: Json = to_wire(ended, table.names)
    return msgspec.convert({**plain, "fairness": fairness(match)}, parts.Outcome)


def outcome_data(table: Table) -> Json | None:
    """How the match ended, for pages."""
    ended = outcome(table)
    return None if ended is None else msgspec.to_builtins(ended)


def fairness(match: MatchSnapshot) -> parts.Fairness:
    """What was committed to before the match, revealed. Only after its end."""
    secret, nonces = bytes.fromhex(match.row.secret), match.row.nonces
    return parts.Fairness(
        commitment=commitment(secret),
        server_seed=match.row.secret,
        nonces=tuple(
            parts.Nonce(name, nonce) for name, nonce in zip(match.names, nonces, strict=False)
        ),
        seed=mix(secret, nonces).hex(),
    )


def committed(match: MatchSnapshot) -> parts.Commitment:
    """What was committed to before the match, as it is shown while it runs."""
    return parts.Commitment(commitment(bytes.fromhex(match.row.secret)))


def told_to(act: ToldAct, seat: Viewer) -> list[server.Event]:
    """The events of an act that this viewer was told, each with the act's version."""
    return [
        event_packet(act, at)
        for at, (_, to, _event) in enumerate(act.told)
        if to is None or (seat is not None and seat in to)
    ]


def event_packet(act: ToldAct, at: int) -> server.Event:
    """What the act told at this place, with the act's version."""
    return vocabulary(act.game).told(act.told[at][0], act.version)


def iso(moment: datetime | None) -> str | None:
    """A time on the wire: UTC with milliseconds."""
    return None if moment is None else _iso(moment)


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")[:23] + "Z"


def _name(table: Table, seat: Viewer) -> str | None:
    return None if seat is None else table.names[seat]


def offers(table: Table, acting: Viewer) -> tuple[parts.Offer, ...]:
    """Everything this seat may do now."""
    match = table.match
    if match is None or acting is None:
        return ()
    return tuple(
        parts.Offer(
            move=offer.move,
            args={name: _choices(choices, table.names) for name, choices in offer.args.items()},
            risky=offer.risky,
        )
        for offer in offers_of(table, match, acting)
    )


def _choices(choices: core.OneOf | core.Some, names: Sequence[str]) -> parts.OneOf | parts.Some:
    if isinstance(choices, core.OneOf):
        return parts.OneOf(_values(choices.one_of, names))
    return parts.Some(
        some=_values(choices.some, names),
        least=choices.least,
        most=choices.most,
        ordered=choices.ordered,
    )


def _values(values: Sequence[core.Choice], names: Sequence[str]) -> tuple[str | int | bool, ...]:
    return tuple(names[value] if isinstance(value, Seat) else value for value in values)


def _players(table: Table) -> Iterator[parts.Player]:
    match, seated = table.match, set()
    if match is not None and table.playing:
        facts = view_of(table, match, None).players
        by_name = {member.name: member for member in table.members}
        for held in match.players:
            seated.add(held.name)
            yield _seated(table, held, by_name.get(held.name), facts[held.seat])
    for member in table.members:
        if member.name not in seated:
            yield _member(table, member)


def _seated(table: Table, held: Player, member: Member | None, facts: Any) -> parts.Player:
    """Most acts leave most players as they are: these are the same objects then."""
    known = table.carried.get(("seated", held.seat))
    if known is None or known[0] is not held or known[1] != facts:
        known = (held, facts, _seated_anew(table, held, member, facts))
        table.carried["seated", held.seat] = known
    found: parts.Player = known[2]
    return found


def _seated_anew(table: Table, held: Player, member: Member | None, facts: Any) -> parts.Player:
    is_program = table.policy.programs and held.user_id is None
    is_here = member is not None and member.away_since is None
    return vocabulary(table.game).seated(
        facts,
        table.names,
        username=held.name,
        join_time=iso(member.joined_at) if member else None,
        seat=held.seat,
        in_game=not held.gone or held.substitute,
        is_spectator=held.out,
        is_bot=bool(held.bot),
        is_guest=held.name in _guests(table),
        connected=bool(held.bot) or is_program or is_here,
    )


def _member(table: Table, member: Member) -> parts.Member:
    key = ("member", member.pk)
    if key not in table.carried:
        table.carried[key] = _member_anew(table, member)
    known: parts.Member = table.carried[key]
    return known


def watches(table: Table, member: Member) -> bool:
    """Whether somebody watches the next match: because they want to, or there is no seat."""
    return member.spectator or member.pk in table.surplus


def _member_anew(table: Table, member: Member) -> parts.Member:
    return parts.Member(
        username=member.name,
        join_time=_iso(member.joined_at),
        seat=None,
        in_game=False,
        is_spectator=watches(table, member) or (table.playing and not table.parked),
        is_bot=bool(member.bot),
        is_guest=member.name in _guests(table),
        connected=bool(member.bot) or member.away_since is None,
    )


def _named(table: Table, name: str) -> parts.Player | None:
    return next((found for found in players(table) if found.username == name), None)


def _said(kind: type[M], table: Table, message: Message) -> M:
    claim = message.claim
    return kind(
        message=message.text,
        player=_named(table, message.name) or parts.Gone(message.name),
        timestamp=_iso(message.at),
        audience=message.audience,
        claim=msgspec.convert(claim, Claimed) if claim else msgspec.UNSET,
    )


def _no_result(match: MatchSnapshot) -> core.Outcome:
    everybody = tuple(Seat(held.seat) for held in match.players)
    return core.Outcome(winners=(), places=(everybody,), points=None, reason="aborted")


def _guests(table: Table) -> frozenset[str]:
    if "guests" not in table.carried:
        guests = (m.name for m in table.members if m.user is not None and m.user.is_guest)
        table.carried["guests"] = frozenset(guests)
    known: frozenset[str] = table.carried["guests"]
    return known


def _secret(table: Table) -> str:
    return table.match.row.secret if table.match and table.playing else table.room.secret


def _awaited_from(table: Table) -> str | UnsetType:
    """When everything has been shown, while it is; else absent."""
    shown = table.match.row.awaited_from if table.match and table.playing else None
    return UNSET if shown is None or shown <= time_source.now() else _iso(shown)


def _seconds_left(table: Table, deadline: datetime | None) -> float | None:
    if table.pause is not None:
        return None if table.pause.left is None else round(table.pause.left, 1)
    if deadline is None:
        return None
    return max(0.0, round((deadline - time_source.now()).total_seconds(), 1))
