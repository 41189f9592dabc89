"""Choosing the next game of a table, with the options last used for that game."""

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
"""Options of the table that are kept when the table switches to a game it has not played yet."""


@carries_out(commands.SetGame)
def set_game(
    room: Room,
    host: Member,
    game: str,
    options: Mapping[str, Any] | None = None,
    instead: str | None = None,
) -> None:
    """Set the next game of the table, at the host's request.

    Raise Refused with code `bad_game`, `bad_options` or `chosen_already`.
    """
    if instead not in (None, room.game):
        raise Refused("chosen_already", game=game_of(room.game).name)
    choose(room, host, game, options or {})


def choose(room: Room, chooser: Member, slug: str, options: Mapping[str, Any]) -> None:
    """Switch the table to this game. The table then has no match, as before its first one.

    If the table already has this game, only its options change. If the member who chose the game is
    a program, it is assumed to play it.
    """
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
    """Return the options last used for this game at this table.

    For a new game, return the options that carry over.
    """
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
    """Make programs spectators if they do not play this game, and players if they do."""
    programs = room.members.filter(left_at=None, at_page=False, plays__isnull=False)
    for program in programs.exclude(pk=chooser.pk):
        plays = program.plays or ()
        chose_to = program.spectator and room.game in plays
        program.spectator = chose_to or slug not in plays
        program.save(update_fields=["spectator"])


def _seat_bots(room: Room, game: AnyGame) -> None:
    """Seat bots in the seats that human players leave free. The other bots watch."""
    free = game.seats[1] - members.players_now(room).filter(bot="").count()
    bots = room.members.filter(left_at=None).exclude(bot="").order_by("joined_at", "pk")
    for at, bot in enumerate(bots):
        bot.spectator = at >= free
        bot.bot = bot.bot if bot.bot in game.bots.levels else game.bots.usual_level
        bot.save(update_fields=["spectator", "bot"])
