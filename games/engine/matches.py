"""The commands for moves: read the state, ask the rules, commit state and log together.

Functions marked `@command` run in the writer's thread; the others are called from within such a
job.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import F

from games.contract.core import Change, Ignored, Move, Refused
from games.contract.data import Seat, Viewer, encode, pack, unpack
from games.contract.game import AnyGame
from games.contract.luck import Luck
from games.contract.reasons import Reason, outweighs
from games.engine import fairness, figures, pauses, shows, state_parts, timing
from games.engine.acts import PlayerChanges, Step, commit, end_without_result
from games.engine.catalogs import finder
from games.engine.memory import memory
from games.engine.newcomers import newcomers
from games.engine.snapshots import (
    MatchSnapshot,
    Parked,
    cache,
    decode_snapshot,
    load_readable,
    load_snapshot,
    seed_of,
)
from games.engine.table_policy import policy_of
from games.engine.writer import command, move_command
from games.models import Act, Match, Member, Player, Room
from games.registry import GAMES
from games.wire.wire import read_form, read_move

log = logging.getLogger(__name__)

_GIVEN_BACK: Mapping[str, Any] = {"bot": "", "substitute": False, "idle": 0}
"""What changes of a player whose person takes the place of a bot."""


@move_command
def move(
    room_id: int,
    user_id: int | None,
    packet: Mapping[str, Any],
    prompt: int | None = None,
    form: bool = False,
) -> int:
    """A person's move in the running match of a room; return the version it is known from.

    `packet`: `{"type": …, arguments}`; with `form`, every value is text. Raise BadPacket, Ignored,
    Refused (`stale` for an old prompt), TooSoon (`games.engine.pauses`). The identical move for a
    prompt already answered is done, and the version that of the answer.
    """
    asked = _Asked(user_id, packet, prompt, read_form if form else read_move)
    match = running(room_id)
    if match is not None:
        try:
            return _move(match, asked)
        except (Ignored, Refused, pauses.TooSoon) as refused:
            if is_newest(match):
                _count(match.row.game, refused)
                raise
            memory.evict(room_id)
    match_id, status, game = Room.objects.values_list("match_id", "status", "game").get(pk=room_id)
    if match_id is None:
        asked.read(GAMES[game], packet, ())  # what no game has is wrong here, too
        raise Ignored
    try:
        return _move(_played_by(match_id, user_id), asked, playing=status == Room.Status.PLAYING)
    except (Ignored, Refused) as refused:
        _count(game, refused)
        raise


def _count(game: str, refused: Exception) -> None:
    """A move that is too soon is made when it is time, and not refused."""
    if not isinstance(refused, pauses.TooSoon):
        figures.refused_moves.labels(game, getattr(refused, "code", "ignored")).inc()


@dataclass(frozen=True)
class _Asked:
    """What a person asks for: a move, maybe for a prompt, and how to read it."""

    user_id: int | None
    packet: Mapping[str, Any]
    prompt: int | None
    read: Callable[[AnyGame, Mapping[str, Any], Sequence[str]], Move]


def _move(match: MatchSnapshot, asked: _Asked, playing: bool = True) -> int:
    """In this order: a repeat, somebody with no move here, an old prompt, then the rules."""
    made = asked.read(match.game, asked.packet, match.names)
    seat, prompt = match.seat_of(asked.user_id), asked.prompt
    known = _answered(match, seat, prompt, made)
    if known is not None:
        return known
    if seat is None or not playing or seat in match.game.rules.out(match.state):
        raise Ignored
    if prompt is not None and prompt != match.state.prompts[seat]:
        raise Refused("stale")
    pauses.check(match, seat, made)
    return _act(match, seat, made, Act.By.HAND)


def running(room_id: int) -> MatchSnapshot | None:
    """The running match of a room, where it is at hand; maybe behind what others have written."""
    room = memory.get(room_id)
    if room is None or room.match is None or room.match.over:
        return None
    return room.match


def is_newest(match: MatchSnapshot) -> bool:
    """Whether this is the running match as it is stored."""
    row = match.row
    stored = Room.objects.filter(pk=row.room_id, match=row.pk, status=Room.Status.PLAYING)
    newest = stored.values_list("match__version", "match__revision").first()
    return newest == (row.version, row.revision)


@move_command
def bot_move(
    match_id: int, seat: Seat, prompt: int, made: Move, reason: Reason | None = None
) -> int:
    """A built-in bot's move, thought out for this prompt, and why it made it where it says so.
    Raise Ignored when the prompt has passed."""
    match = load_snapshot(match_id)
    if match.over or match.state.prompts[seat] != prompt or not match.players[seat].bot:
        raise Ignored
    return program_move(match, seat, made, reason)


@command
def give_up(match_id: int) -> None:
    """End a match that cannot go on (its rules or its state failed). It has no result."""
    match = Match.objects.get(pk=match_id)
    if match.ended_at is None:
        end_without_result(match, broken=True)


def program_move(match: MatchSnapshot, seat: Seat, made: Move, reason: Reason | None = None) -> int:
    """A move that no person made; return the version it is known from."""
    return _act(match, seat, made, Act.By.BOT, reason)


def begin(
    room: Room, members: Sequence[Member], patience: float | None = None, lesson: bool = False
) -> MatchSnapshot:
    """Start a match of these members, seated in this order. Raise Refused (options, numbers).

    `patience`: seconds for every question, where the table has its own idea of it; `lesson`: the
    secret of the room was prepared for the lesson of its game.
    """
    game = GAMES[room.game]
    options = unpack(room.options, game.rules.options)
    least, most = game.seats[0], policy_of(room).most_seats(game.seats[1])
    if not least <= len(members) or (most is not None and len(members) > most):
        raise Refused("not_enough_players", needed=least, have=len(members))
    stocked = game.rules.stock(options, finder(game, room.host_id))
    game.rules.check(stocked, len(members))
    match = Match(
        room=room,
        game=room.game,
        game_version=game.rules.version,
        options=pack(options),
        secret=room.secret,
        nonces=fairness.nonces(room.secret, members),
        nonces_derived=True,
        patience=patience,
        version=0,
        public=anybody_may_watch(room),
        lesson=lesson,
    )
    if shows.deal_wait(game, options.pace) and _looks_at_the_deal(match, members):
        match.dealt = []
    new = newcomers(room.game, [member.user_id for member in members])
    if patience is None and not lesson and _breathes(members, new):
        match.pace = timing.NO_CLOCK
    luck = Luck(seed_of(match), 1)
    change = game.rules.setup(len(members), stocked, luck)
    match.state = encode(change.state).decode()
    match.save()
    state_parts.keep(match, change.state)
    idle = _idle_before(room)
    Player.objects.bulk_create(
        Player(
            match=match,
            seat=at,
            user_id=member.user_id,
            name=member.name,
            bot=member.bot,
            idle=idle.get(member.user_id, 0),
            newcomer=member.user_id in new,
        )
        for at, member in enumerate(members)
    )
    room.match, room.status = match, Room.Status.PLAYING
    room.vote = room.vote_until = None  # it was about what comes next: that is here
    fairness.commit_anew(room)
    room.save()
    # Saved as version 0, which nobody sees: committing the setup makes it version 1.
    step = Step(Act.Kind.SETUP, draws=luck.draws)
    return commit(decode_snapshot(match), change, step, new_clock=True)


def _looks_at_the_deal(match: Match, members: Sequence[Member]) -> bool:
    """Whether somebody who plays has a page open, on which their secret is still to be seen."""
    if match.lesson or match.patience is not None:
        return False
    people = {member.user_id for member in members if not member.bot}
    return not people.isdisjoint(shows.looking(match.room_id))


def _breathes(members: Sequence[Member], new: Collection[int | None]) -> bool:
    """Whether a newcomer plays alone with bots on a page: their turns have no clock then."""
    people = [member for member in members if not member.bot]
    return len(people) == 1 and people[0].at_page and people[0].user_id in new


def anybody_may_watch(room: Room) -> bool:
    """Whether the table is open to everybody, at least to watch."""
    is_open = room.visibility == Room.Visibility.PUBLIC and not room.password
    return is_open and room.options.get("spectators") != "none"


def lapse(match: MatchSnapshot) -> tuple[MatchSnapshot, tuple[Seat, ...]]:
    """Let the clock run out; also returns the seats that have been idle once too often."""
    idle = match.game.rules.idle(match.state)
    luck = match.luck()
    change = match.game.rules.lapse(match.state, luck)
    counted = {int(seat): {"idle": match.players[seat].idle + 1} for seat in idle}
    after = commit(
        match,
        change,
        Step(Act.Kind.LAPSE, Act.By.CLOCK, draws=luck.draws),
        players=counted,
    )
    limit = match.options.idle_kick
    gone = tuple(seat for seat in idle if limit and after.players[seat].idle >= limit)
    return after, gone


def leave(match: MatchSnapshot, seat: Seat, because: str) -> MatchSnapshot:
    """A seat is given up: by the rules of the game, or to a bot where the table wants that."""
    luck = match.luck()
    changes: dict[str, Any] = {"gone": because, "gone_at": match.row.version + 1}
    if seat in match.game.rules.out(match.state):
        change = Change(match.state, ())
    elif match.options.on_leave == "substitute":
        change = Change(match.state, ())
        changes |= {"bot": _substitute(match), "substitute": True}
    else:
        change = match.game.rules.leave(match.state, seat, luck)
    step = Step(Act.Kind.LEAVE, seat=seat, draws=luck.draws)
    return commit(match, change, step, players={int(seat): changes})


def keep_warm(match: MatchSnapshot, seat: Seat) -> MatchSnapshot:
    """A bot plays a seat whose person is away, until they act there again. It stays theirs."""
    warm: dict[str, Any] = {"bot": _substitute(match), "substitute": True}
    step = Step(Act.Kind.JOIN, Act.By.CLOCK, seat=seat)
    return commit(match, Change(match.state, ()), step, players={int(seat): warm})


def give_back(match: MatchSnapshot, user_id: int) -> MatchSnapshot | None:
    """The bot that keeps this person's seat warm goes; None where none does."""
    seat = match.seat_of(user_id)
    if match.over or seat is None or not match.players[seat].is_warm:
        return None
    step = Step(Act.Kind.JOIN, seat=seat)
    return commit(match, Change(match.state, ()), step, players={int(seat): dict(_GIVEN_BACK)})


def to_take_back(match: MatchSnapshot, user_id: int | None) -> Player | None:
    """Return the seat this person gave up and may take back (docs/rules/conventions.md C5)."""
    if user_id is None or match.over:
        return None
    held = (p for p in match.players if p.user_id == user_id and p.gone)
    player = next((p for p in held if p.gone != "kicked" and not p.out), None)
    if player is None or not (player.substitute or match.game.rules.comeback):
        return None
    return player


def come_back(match: MatchSnapshot, user_id: int) -> MatchSnapshot | None:
    """Give a leaver's seat back where that is possible; None where it is not."""
    player = to_take_back(match, user_id)
    if player is None:
        return None
    seat = Seat(player.seat)
    back: dict[str, Any] = {"gone": "", "gone_at": None, "idle": 0}
    luck = match.luck()
    if player.substitute:
        back |= _GIVEN_BACK
        change = Change(match.state, ())
    else:
        made = read_move(match.game, {"type": match.game.rules.comeback}, match.names)
        change = match.game.rules.apply(match.state, seat, made, luck)
    step = Step(Act.Kind.JOIN, seat=seat, draws=luck.draws)
    return commit(match, change, step, players={int(seat): back})


def join_late(match: MatchSnapshot, member: Member) -> MatchSnapshot | None:
    """A seat for somebody who comes during the match, where game and options have one."""
    luck = match.luck()
    change = match.game.rules.join(match.state, luck)
    if change is None:
        return None
    player = Player.objects.create(
        match=match.row,
        seat=len(match.players),
        user_id=member.user_id,
        name=member.name,
        newcomer=member.user_id in newcomers(match.row.game, [member.user_id]),
    )
    joined = replace(match, players=(*match.players, player))
    return commit(joined, change, Step(Act.Kind.JOIN, seat=player.seat, draws=luck.draws))


def hand_over(match: MatchSnapshot, seat: Seat, user_id: int, name: str) -> MatchSnapshot:
    """A seat is another person's from now on, who plays under their own name; a bot that plays it
    goes where it may. Its owner is remembered, and may have it back once it is free."""
    held = match.players[seat]
    was = None if held.owner_before_id == user_id else held.owner_before_id or held.user_id
    owner = {"user_id": user_id, "name": name, "owner_before_id": was}
    given = {**owner, "given_at": match.row.version + 1}
    _change_people(match.row.pk, {int(seat): given})
    after = load_snapshot(match.row.pk)
    return give_back(after, user_id) or come_back(after, user_id) or after


def free_again(match: MatchSnapshot, user_id: int | None) -> Seat | None:
    """Return the seat this person had before it was given to somebody who has left it since."""
    if user_id is None or match.over:
        return None
    former = (p for p in match.players if p.owner_before_id == user_id and p.gone and not p.out)
    player = next(former, None)
    if player is None or not (player.substitute or match.game.rules.comeback):
        return None
    return Seat(player.seat)


def reseat(match_id: int, owners: Mapping[int, int | None]) -> None:
    """Seat get other owners (seat → person), because two were one. Nothing else changes.

    In a running match it is an act, so that every process hears of it.
    """
    _change_people(match_id, {at: {"user_id": owner} for at, owner in owners.items()})


def anonymize(match_id: int, seat: int, name: str) -> None:
    """A seat whose person is no more here: it is nobody's, and was played under this name."""
    _change_people(match_id, {seat: {"user_id": None, "name": name}})


def change_ended(seats: Collection[Player], **change: Any) -> None:
    """Change seats of matches that are over, all of them in the same way."""
    Player.objects.filter(pk__in=[seat.pk for seat in seats]).update(**change)
    _revise({seat.match_id for seat in seats})


def _change_people(match_id: int, changes: PlayerChanges) -> None:
    """Change who sits where without a move. Every process hears of it: by an act
    while the match runs, by its revision afterwards, and while it is parked."""
    runs = Match.objects.filter(pk=match_id, ended_at=None).exists()
    match = load_readable(match_id) if runs else None
    if match is not None:
        seat = next(iter(changes))
        commit(match, Change(match.state, ()), Step(Act.Kind.JOIN, seat=seat), players=changes)
        return
    for at, change in changes.items():
        Player.objects.filter(match_id=match_id, seat=at).update(**change)
    _revise({match_id})


def _revise(match_ids: set[int]) -> None:
    """Let every process read these matches again, though their versions are the same."""
    Match.objects.filter(pk__in=match_ids).update(revision=F("revision") + 1)
    for match_id in match_ids:
        transaction.on_commit(partial(cache.evict, match_id), robust=True)


def rename(match_id: int, user_id: int | None, name: str) -> None:
    """Somebody's seat bears another name. In a running match it is an act, as in `reseat`."""
    row = Match.objects.get(pk=match_id)
    held = Player.objects.filter(match=row, user_id=user_id).first() if user_id else None
    if held is None:
        return
    match = load_readable(match_id) if row.ended_at is None else None
    if match is not None:
        step = Step(Act.Kind.JOIN, seat=held.seat)
        commit(match, Change(match.state, ()), step, players={held.seat: {"name": name}})
        return
    Player.objects.filter(pk=held.pk).update(name=name)
    transaction.on_commit(lambda: cache.evict(match_id), robust=True)


def nudge(match: MatchSnapshot, by: Act.By = Act.By.HAND) -> MatchSnapshot:
    """Sixty seconds for a question without a clock. Raise Refused where one is running."""
    if match.over or match.row.deadline is not None:
        raise Refused("not_allowed_now")
    state = msgspec.structs.replace(match.state, clock=match.state.clock + 1)
    return commit(match, Change(state, ()), Step(Act.Kind.NUDGE, by), patience=timing.NUDGE)


def take_more_time(match: MatchSnapshot, seat: Seat) -> MatchSnapshot:
    """As much time again for the question this seat is asked, once a match. Raise Refused."""
    if not may_take_more_time(match, seat):
        raise Refused("not_allowed_now")
    step = Step(Act.Kind.NUDGE, seat=seat)
    taken = {int(seat): {"more_time": True}}
    return commit(match, Change(match.state, ()), step, taken, longer=usual_time(match))


def may_take_more_time(match: MatchSnapshot, seat: Seat) -> bool:
    """Whether this seat is asked something that has a clock, and has had no more time yet."""
    player = match.players[seat]
    return (
        match.row.deadline is not None
        and not (match.over or player.more_time or player.bot)
        and seat in match.game.rules.awaited(match.state)
    )


def usual_time(match: MatchSnapshot) -> float:
    """Seconds that the question put now has by its pace; those of a nudge where it has none."""
    usual = timing.lasts(match.game, match.state, match.pace)
    return match.row.patience or usual or timing.NUDGE


def _act(
    match: MatchSnapshot, seat: Seat, made: Move, by: Act.By, reason: Reason | None = None
) -> int:
    if match.row.paused is not None:
        raise Refused("paused")
    luck = match.luck()
    change = match.game.rules.apply(match.state, seat, made, luck)
    step = Step(Act.Kind.MOVE, by, seat, match.state.prompts[seat], made, luck.draws)
    player = match.players[seat]
    reset: dict[int, dict[str, Any]] = {int(seat): {"idle": 0}} if player.idle else {}
    if by == Act.By.HAND and player.is_warm:
        reset[int(seat)] = dict(_GIVEN_BACK)
    if reason is not None and outweighs(reason, _kept(player)):
        reset[int(seat)] = {**reset.get(int(seat), {}), "reason": pack(reason)}
    return commit(match, change, step, players=reset).row.version


def _kept(player: Player) -> Reason | None:
    """The decision of this bot that is told at the end, as it stands."""
    return unpack(player.reason, Reason) if player.reason else None


def _played_by(match_id: int, user_id: int | None) -> MatchSnapshot:
    """The match for a move of this person. Raise Parked to its players, Ignored to others."""
    try:
        return load_snapshot(match_id)
    except Parked:
        if not Player.objects.filter(match=match_id, user=user_id or 0, gone="").exists():
            raise Ignored from None
        raise


def _answered(match: MatchSnapshot, seat: Viewer, prompt: int | None, made: Move) -> int | None:
    """The act by which this seat has answered an earlier prompt with this very move.

    Moves are compared as the rules read them: JSON knows no tuples, and what is stored has lists.
    """
    if seat is None or prompt is None or prompt == match.state.prompts[seat]:
        return None
    answers = Act.objects.filter(match=match.row, kind=Act.Kind.MOVE, seat=seat, prompt=prompt)
    stored = answers.values_list("number", "move")
    same = (number for number, move in stored if unpack(move, match.game.rules.moves) == made)
    return next(same, None)


def _substitute(match: MatchSnapshot) -> str:
    return "normal" if "normal" in match.game.bots.levels else "random"


def _idle_before(room: Room) -> dict[int | None, int]:
    """How often people were silent in the match before, where matches are only rounds."""
    if not policy_of(room).continuous or room.match_id is None:
        return {}
    before = Player.objects.filter(match_id=room.match_id, user__isnull=False)
    return dict(before.values_list("user_id", "idle"))
