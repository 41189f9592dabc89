"""What is played next at a table: the game, by the options it was played with here last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.contract.core import Refused
from games.contract.data import pack
from games.contract.game import AnyGame
from games.engine.absent import game_of
from games.engine.catalogs import finder, usable_options
from games.engine.options import option_fields, read_options
from games.engine.table_policy import policy_of
from games.models import Member, Room
from games.registry import GAMES
from games.rooms import members
from games.rooms.authorization import carries_out
from games.wire import commands

KEPT_BY_TABLE = ("pace", "idleKick", "chat", "spectators")
"""What a table has decided for itself, and a game that is new there does not undo."""


@carries_out(commands.SetGame)
def set_game(
    room: Room,
    host: Member,
    game: str,
    options: Mapping[str, Any] | None = None,
    instead: str | None = None,
) -> None:
    """The host chooses what is played next. Raise Refused (bad_game, bad_options,
    chosen_already)."""
    if instead not in (None, room.game):
        raise Refused("chosen_already", game=game_of(room.game).name)
    choose(room, host, game, options or {})


def choose(room: Room, chooser: Member, slug: str, options: Mapping[str, Any]) -> None:
    """The table goes on with this game, as before its first match; of the same game, only options
    change. One who chooses is taken to play it."""
    if policy_of(room).continuous:
        raise Refused("not_allowed_now")
    game = GAMES.get(slug)
    if game is None:
        raise Refused("bad_game")
    known = usable_options(game, _remembered(room, game), room.host_id)
    checked = read_options(game, {**known, **options}, finder(game, room.host_id))
    if slug != room.game:
        room.kept_options = {**room.kept_options, room.game: room.options}
        _let_programs_watch(room, slug, chooser)
        room.game, room.match, room.status = slug, None, Room.Status.OPEN
        _seat_bots(room, game)
    room.options = pack(checked)
    members.changed(room)


def _remembered(room: Room, game: AnyGame) -> Mapping[str, Any]:
    """The options of this game at this table; what the table decided, where it is new here."""
    if game.slug == room.game:
        return dict(room.options)
    if game.slug in room.kept_options:
        return dict(room.kept_options[game.slug])
    usual = option_fields(GAMES[room.game]) if room.game in GAMES else {}
    return {
        name: room.options[name]
        for name in KEPT_BY_TABLE
        if name in usual and room.options.get(name, usual[name]) != usual[name].get("default")
    }


def _let_programs_watch(room: Room, slug: str, chooser: Member) -> None:
    """Programs watch the games they do not play; back at one that they play they are as before."""
    programs = room.members.filter(left_at=None, at_page=False, plays__isnull=False)
    for program in programs.exclude(pk=chooser.pk):
        plays = program.plays or ()
        chose_to = program.spectator and room.game in plays
        program.spectator = chose_to or slug not in plays
        program.save(update_fields=["spectator"])


def _seat_bots(room: Room, game: AnyGame) -> None:
    """Bots take the seats that people leave free; those for whom there is none watch, which no bot
    does otherwise."""
    free = game.seats[1] - members.players_now(room).filter(bot="").count()
    bots = room.members.filter(left_at=None).exclude(bot="").order_by("joined_at", "pk")
    for at, bot in enumerate(bots):
        bot.spectator = at >= free
        bot.bot = bot.bot if bot.bot in game.bots.levels else game.bots.usual_level
        bot.save(update_fields=["spectator", "bot"])
