"""Lessons: learning a game by playing it, at an unlisted table whose first match is the lesson."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accounts.limits import Asker
from games.contract.core import Refused
from games.contract.data import pack
from games.engine import draining, matches
from games.engine.lessons import bots_for, lesson_of
from games.engine.writer import command
from games.models import Match, Member, Room
from games.registry import GAMES
from games.rooms import members
from games.rooms.hosting import count_start
from games.rooms.joining import Joined, open_now


@command
def learn(user_id: int, slug: str, name: str, suited: Mapping[str, Any]) -> Joined:
    """Return to this user's unfinished lesson of a game, or start a new one.

    Raise Refused if a lesson cannot be started. `suited` are options that suit the user's language,
    such as decks.
    """
    game = GAMES[slug]
    lesson = lesson_of(game)
    if lesson is None or draining.is_draining():
        raise Refused("not_allowed_now")
    if (left := _unfinished(user_id, slug)) is not None:
        return Joined(left.room_id, left.room.code, user_id, left.name, again=True)
    count_start(Asker(user_id))
    levels = [bots_for(game)] * (lesson.seats - 1)
    visibility = Room.Visibility.UNLISTED
    options = {**suited, **lesson.options}
    joined = open_now(user_id, slug, name, options, visibility, bots=levels)
    room = members.room_of(joined.room_id)
    room.secret = lesson.secret(slug)
    matches.begin(room, list(members.players_now(room)), lesson=True)
    room.options = {**pack(game.rules.options()), **suited}  # for the matches after the lesson
    members.changed(room)
    return joined


def _unfinished(user_id: int, slug: str) -> Member | None:
    """Return this user's membership of a table with a running lesson of this game, or None."""
    running = Match.objects.filter(
        lesson=True, ended_at=None, game=slug, players__user=user_id, players__gone=""
    )
    here = Member.objects.filter(user=user_id, left_at=None, room__match__in=running)
    return here.select_related("room").order_by("-pk").first()
