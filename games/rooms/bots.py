"""Built-in bots at a table. The host adds them one by one, or up to a comfortable number of
players.
"""

from __future__ import annotations

from collections.abc import Sequence

from accounts.likeness import keys, keys_of, looks_key
from games.contract.core import Refused
from games.engine.table_policy import BOT, TablePolicy, policy_of
from games.models import Member, Room
from games.registry import GAMES
from games.rooms import members
from games.rooms.authorization import carries_out
from games.wire import commands

COMFORTABLE = 4
"""Number of players that makes a good round. Bots fill tables up to it first."""
BOT_NAMES = (
    "Ada",
    "Bela",
    "Cato",
    "Dora",
    "Enzo",
    "Fay",
    "Gus",
    "Hedy",
    "Ivo",
    "Juno",
    "Kit",
    "Lux",
    "Mona",
    "Nils",
    "Otto",
    "Pia",
)
MORE_BOT_NAMES = ("Rosa", "Sven", "Tilda", "Vera")


@carries_out(commands.AddBot)
def add_bot(room: Room, host: Member, level: str | None = None) -> None:
    """Seat a built-in bot for the host. By default it has the usual level."""
    level = _level(room, level)
    if members.players_now(room).count() >= GAMES[room.game].seats[1]:
        raise Refused("table_full", most=GAMES[room.game].seats[1])
    seat_bot(room, level)
    members.changed(room)


@carries_out(commands.FillWithBots)
def fill(room: Room, host: Member, level: str | None = None, up_to: int | None = None) -> None:
    """Add bots up to a comfortable number of players. If there are enough already, fill all free
    seats.

    `up_to` is the resulting number of players, as announced by the page. With it, repeated requests
    are harmless.
    """
    level = _level(room, level)
    present = members.players_now(room).count()
    many = to_fill(room.game, present)
    if many == 0:
        raise Refused("table_full", most=GAMES[room.game].seats[1])
    for _each in range(many if up_to is None else min(many, up_to - present)):
        seat_bot(room, level)
    members.changed(room)


@carries_out(commands.SetBotLevel)
def set_level(room: Room, host: Member, username: str, level: str) -> None:
    """Change the level of a bot, starting with the next match."""
    bot = room.members.filter(left_at=None, name=username).exclude(bot="").first()
    if bot is None:
        raise Refused("bad_target")
    bot.bot = _level(room, level)
    bot.save(update_fields=["bot"])
    members.changed(room)


def _level(room: Room, level: str | None) -> str:
    """Return this level, or the usual one for None. Raise Refused("bad_level") if the game has no
    such level.
    """
    game = GAMES[room.game]
    if level is not None and level not in game.bots.levels:
        raise Refused("bad_level", allowed=", ".join(game.bots.levels))
    return level or game.bots.usual_level


def seat_bot(room: Room, level: str) -> None:
    name = _new_name(room)
    Member.objects.create(room=room, name=name, key=looks_key(name), bot=level)


def step_aside(room: Room, here: Sequence[Member]) -> None:
    """Rename bots that have the name of a human member, unless a match is running or its luck is
    mixed. `here` are the members who have not left.
    """
    bots = [member for member in here if member.bot]
    if not bots or room.status == Room.Status.PLAYING or room.mixing_until is not None:
        return
    people = keys_of(member.name for member in here if not member.bot)
    for bot in bots:
        if not keys(bot.name.removesuffix(BOT)).isdisjoint(people):
            members.call(room, bot, _new_name(room))


def _new_name(room: Room) -> str:
    """Return an unused name for a bot, with or without “(bot)”."""
    present = room.members.filter(left_at=None).values_list("name", flat=True)
    taken = keys_of(present)
    policy = policy_of(room)
    numbered = [f"Bot {number}" for number in range(len(present) + 1)]
    names = (BOT_NAMES, MORE_BOT_NAMES, numbered)
    free = next(filter(None, (_free(policy, some, taken) for some in names)))
    return free[room.members.count() % len(free)]


def to_fill(game: str, present: int) -> int:
    """Return how many bots to add to reach a comfortable number of players, or to fill all free
    seats if there are enough players already.
    """
    least, most = GAMES[game].seats
    enough = min(most, max(least, COMFORTABLE))
    return (enough if present < enough else most) - min(present, most)


def _free(policy: TablePolicy, names: Sequence[str], taken: set[tuple[str, str]]) -> list[str]:
    unused = [name for name in names if keys(name).isdisjoint(taken)]
    free = [name for name in policy.bot_names(unused) if keys(name).isdisjoint(taken)]
    return [name for name in free if policy.refuse_name(name, None) is None]
