"""Commands for moves: load the state, apply the rules, commit state and log together.

Functions decorated with `@command` run in the writer's thread. Call the others from within such a
job.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec

from games.contract.core import Change, Ignored, Move, Options, Refused
from games.contract.data import Seat, Viewer, encode, pack, unpack
from games.contract.game import AnyGame
from games.contract.luck import derived_nonce
from games.contract.reasons import Reason, outweighs
from games.engine import fairness, figures, pauses, rated, seats, state_parts, timing
from games.engine.act_log import Step
from games.engine.acts import commit, end_without_result
from games.engine.catalogs import finder
from games.engine.memory import memory
from games.engine.mixed import Mixed
from games.engine.newcomers import newcomers
from games.engine.snapshots import (
    MatchSnapshot,
    Parked,
    decode_snapshot,
    load_snapshot,
    luck_of,
    seed_of,
)
from games.engine.table_policy import policy_of
from games.engine.writer import command, move_command
from games.models import Act, Match, Member, Player, Room
from games.registry import GAMES
from games.wire.wire import read_form, read_move

log = logging.getLogger(__name__)

STOOD = timedelta(minutes=2)
"""Minimum age of a question before somebody other than the host may nudge."""


@move_command
def move(
    room_id: int,
    user_id: int | None,
    packet: Mapping[str, Any],
    prompt: int | None = None,
    form: bool = False,
) -> int:
    """Make a player's move in the running match of a room. Return the version it created.

    `packet` is `{"type": …, arguments}`. If `form` is set, every value in it is text. Raise
    BadPacket, Ignored, Refused (with code `stale` for an old prompt) or TooSoon
    (`games.engine.pauses`). If the identical move has already answered this prompt, return the
    version of that answer.
    """
    asked = _Asked(user_id, packet, prompt, read_form if form else read_move)
    match = running(room_id)
    if match is not None:
        try:
            return _move(match, asked)
        except (Ignored, Refused, pauses.TooSoon) as refused:
            if is_running(match):
                _count(match.row.game, refused)
                raise
            memory.evict(room_id)
    match_id, status, game = Room.objects.values_list("match_id", "status", "game").get(pk=room_id)
    if match_id is None:
        asked.read(GAMES[game], packet, ())  # raises BadPacket for an unknown move
        raise Ignored
    try:
        return _move(_played_by(match_id, user_id), asked, playing=status == Room.Status.PLAYING)
    except (Ignored, Refused) as refused:
        _count(game, refused)
        raise


def _count(game: str, refused: Exception) -> None:
    """Count a refused move in the metrics. TooSoon does not count, because the move is retried
    later.
    """
    if not isinstance(refused, pauses.TooSoon):
        figures.refused_moves.labels(game, getattr(refused, "code", "ignored")).inc()


@dataclass(frozen=True)
class _Asked:
    """A requested move: its packet, its prompt if it has one, and the function that decodes the
    packet.
    """

    user_id: int | None
    packet: Mapping[str, Any]
    prompt: int | None
    read: Callable[[AnyGame, Mapping[str, Any], Sequence[str]], Move]


def _move(match: MatchSnapshot, asked: _Asked, playing: bool = True) -> int:
    """Check a move and make it, in the order of docs/wire.md §2. Return the version of its act."""
    made = asked.read(match.game, asked.packet, match.names)
    seat, prompt = match.seat_of(asked.user_id), asked.prompt
    if seat is None:
        raise Ignored
    stale = prompt is not None and prompt != match.state.prompts[seat]
    if stale and (known := _answered(match, seat, prompt, made)) is not None:
        return known
    if not playing or seat in match.game.rules.out(match.state):
        raise Ignored
    if stale:
        raise Refused("stale")
    pauses.check(match, seat, made)
    return _act(match, seat, made, Act.By.HAND)


def running(room_id: int) -> MatchSnapshot | None:
    """Return the running match of a room, or None if there is none or the room is not cached.

    The match may lag behind other processes.
    """
    room = memory.get(room_id)
    if room is None or room.match is None or room.match.over:
        return None
    return room.match


def is_running(match: MatchSnapshot) -> bool:
    """Whether this is the newest version of the match running in its room."""
    row = match.row
    stored = Room.objects.filter(pk=row.room_id, match=row.pk, status=Room.Status.PLAYING)
    newest = stored.values_list("match__version", "match__revision").first()
    return newest == (row.version, row.revision)


@move_command
def bot_move(
    match_id: int, seat: Seat, prompt: int, made: Move, reason: Reason | None = None
) -> int:
    """Make a built-in bot's move for this prompt, and store the bot's reason if it gives one.
    Return the version of the act.

    Raise Ignored if the prompt is no longer current.
    """
    match = load_snapshot(match_id)
    if match.over or match.state.prompts[seat] != prompt or not match.players[seat].bot:
        raise Ignored
    return program_move(match, seat, made, reason)


@command
def give_up(match_id: int) -> None:
    """End a match without a result because its rules failed or its state is damaged."""
    match = Match.objects.get(pk=match_id)
    if match.ended_at is None:
        end_without_result(match, broken=True)


def program_move(match: MatchSnapshot, seat: Seat, made: Move, reason: Reason | None = None) -> int:
    """Make a move for a bot or for a program that plays over UDP.

    Return the version of the match that the move created.
    """
    return _act(match, seat, made, Act.By.BOT, reason)


def begin(
    room: Room,
    members: Sequence[Member],
    patience: float | None = None,
    lesson: bool = False,
    mixed: Mixed | None = None,
) -> MatchSnapshot:
    """Start a match between these members, seated in this order.

    `patience` is the time limit in seconds for every question, if the table overrides the default.
    `lesson` means that the room's secret was prepared for the game's lesson. `mixed` is what the
    members have added to the luck. Raise Refused if options or number of players are not allowed.
    """
    game = GAMES[room.game]
    stocked = check_start(room, len(members))
    options = unpack(room.options, game.rules.options)
    new = newcomers(room.game, [member.user_id for member in members])
    match = _new_match(room, members, options, patience, lesson, mixed)
    match.rated = rated.decide(room, members, game, lesson, timed=patience is not None)
    if patience is None and not lesson and _breathes(members, new):
        match.pace = timing.NO_CLOCK
    luck = luck_of(match, seed_of(match), 1, {})
    change = game.rules.setup(len(members), stocked, luck)
    match.state = encode(change.state).decode()
    match.save()
    state_parts.keep(match, change.state)
    _seat(match, members, new, _idle_before(room))
    room.match, room.status = match, Room.Status.PLAYING
    room.vote = room.vote_until = None  # the vote was about the next match, which starts now
    fairness.commit_anew(room)
    room.save()
    # Saved as version 0, which nobody sees: committing the setup makes it version 1.
    step = Step(Act.Kind.SETUP, draws=luck.draws)
    return commit(decode_snapshot(match), change, step, new_clock=True)


def check_start(room: Room, players: int) -> Options:
    """Return the options of the next match with the content they name, such as cards.

    Raise Refused if options or number of players are not allowed.
    """
    game = GAMES[room.game]
    least, most = game.seats[0], policy_of(room).most_seats(game.seats[1])
    if not least <= players or (most is not None and players > most):
        raise Refused("not_enough_players", needed=least, have=players)
    options = unpack(room.options, game.rules.options)
    stocked: Options = game.rules.stock(options, finder(game, room.host_id))
    game.rules.check(stocked, players)
    return stocked


def _new_match(
    room: Room,
    members: Sequence[Member],
    options: Options,
    patience: float | None,
    lesson: bool,
    mixed: Mixed | None,
) -> Match:
    """Return a match that is not saved yet, with the seed that its players have agreed on.

    Without `mixed`, the seed follows from the room's secret alone.
    """
    secret, seats = bytes.fromhex(room.secret), range(len(members))
    return Match(
        room=room,
        game=room.game,
        game_version=GAMES[room.game].rules.version,
        options=pack(options),
        secret=room.secret,
        # The previous version cannot read these nonces, so it parks the match.
        nonces=[derived_nonce(secret, at) if mixed is None else None for at in seats],
        nonces_derived=mixed is None,
        mixed=None if mixed is None else mixed.stored(),
        patience=patience,
        version=0,
        public=anybody_may_watch(room),
        lesson=lesson,
        revealed=True,
    )


def _seat(
    match: Match,
    members: Sequence[Member],
    new: Collection[int],
    idle: Mapping[int | None, int],
) -> None:
    """Store the players of a new match, in the order of their seats."""
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


def _breathes(members: Sequence[Member], new: Collection[int | None]) -> bool:
    """Whether the only human player is a newcomer who plays in a browser. Such a match has no turn
    clock.
    """
    people = [member for member in members if not member.bot]
    return len(people) == 1 and people[0].at_page and people[0].user_id in new


def anybody_may_watch(room: Room) -> bool:
    """Whether the table is open to everybody, if only as spectators."""
    is_open = room.visibility == Room.Visibility.PUBLIC and not room.password
    return is_open and room.options.get("spectators") != "none"


def lapse(match: MatchSnapshot) -> tuple[MatchSnapshot, tuple[Seat, ...]]:
    """Apply a timeout. Return the new snapshot and the seats that have reached the idle limit."""
    idle = match.game.rules.idle(match.state)
    luck = match.luck()
    change = match.game.rules.lapse(match.state, luck)
    players = [match.players[seat] for seat in idle]
    counted = {one.seat: {"idle": one.idle + 1, "lapses": one.lapses + 1} for one in players}
    after = commit(
        match,
        change,
        Step(Act.Kind.LAPSE, Act.By.CLOCK, draws=luck.draws),
        players=counted,
    )
    limit = match.options.idle_kick
    gone = tuple(seat for seat in idle if limit and after.players[seat].idle >= limit)
    return after, gone


def nudge(match: MatchSnapshot, by: Act.By = Act.By.HAND) -> MatchSnapshot:
    """Start a clock of NUDGE seconds for a question without one.

    Raise Refused if the question already has a clock.
    """
    if match.over or match.row.deadline is not None:
        raise Refused("not_allowed_now")
    state = msgspec.structs.replace(match.state, clock=match.state.clock + 1)
    return commit(match, Change(state, ()), Step(Act.Kind.NUDGE, by), patience=timing.NUDGE)


def may_nudge_from(match: MatchSnapshot, seat: Viewer, host: bool) -> datetime | None:
    """Return the earliest time for a nudge: at once for the host, STOOD after the question for
    players who are not out, and None for everybody else.
    """
    asked_at: datetime = match.row.asked_at or match.row.started_at
    if host:
        return asked_at
    if seat is None or seat in match.game.rules.out(match.state):
        return None
    return asked_at + STOOD


def take_more_time(match: MatchSnapshot, seat: Seat) -> MatchSnapshot:
    """Double the time for this seat's current question.

    Allowed once per match. Raise Refused if it is not allowed.
    """
    if not may_take_more_time(match, seat):
        raise Refused("not_allowed_now")
    step = Step(Act.Kind.NUDGE, seat=seat)
    taken = {int(seat): {"more_time": True}}
    return commit(match, Change(match.state, ()), step, taken, longer=usual_time(match))


def may_take_more_time(match: MatchSnapshot, seat: Seat) -> bool:
    """Whether this seat must answer a timed question and has not taken more time yet."""
    player = match.players[seat]
    return (
        match.row.deadline is not None
        and not (match.over or player.more_time or player.bot)
        and seat in match.game.rules.awaited(match.state)
    )


def usual_time(match: MatchSnapshot) -> float:
    """Return the usual time in seconds for the current question, or NUDGE if it has no clock."""
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
        reset[int(seat)] = dict(seats.GIVEN_BACK)
    if reason is not None and outweighs(reason, _kept(player)):
        reset[int(seat)] = {**reset.get(int(seat), {}), "reason": pack(reason)}
    return commit(match, change, step, players=reset).row.version


def _kept(player: Player) -> Reason | None:
    """Return the reason stored for this bot, or None. It is revealed at the end."""
    return unpack(player.reason, Reason) if player.reason else None


def _played_by(match_id: int, user_id: int | None) -> MatchSnapshot:
    """Load the match for a move by this user.

    If it cannot be read, raise Parked for its players and Ignored for everybody else.
    """
    try:
        return load_snapshot(match_id)
    except Parked:
        if not Player.objects.filter(match=match_id, user=user_id or 0, gone="").exists():
            raise Ignored from None
        raise


def _answered(match: MatchSnapshot, seat: Seat, prompt: int | None, made: Move) -> int | None:
    """If this seat has already answered this earlier prompt with the same move, return the number
    of that act. Otherwise return None.

    Moves are compared after decoding, because stored JSON has lists instead of tuples.
    """
    answers = Act.objects.filter(match=match.row, kind=Act.Kind.MOVE, seat=seat, prompt=prompt)
    stored = answers.values_list("number", "move")
    same = (number for number, move in stored if unpack(move, match.game.rules.moves) == made)
    return next(same, None)


def _idle_before(room: Room) -> dict[int | None, int]:
    """Return the idle counts with which a match begins, by user id. They carry over from the
    previous match only if rounds start automatically.
    """
    if not policy_of(room).continuous or room.match_id is None:
        return {}
    before = Player.objects.filter(match_id=room.match_id, user__isnull=False)
    return dict(before.values_list("user_id", "idle"))
