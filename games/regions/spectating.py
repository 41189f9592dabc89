"""What whoever is not in the running match is told, and can do, ready for a template."""

from __future__ import annotations

from games.models import Member
from games.rooms.new_game import NewGame
from games.tables.serializers import skip
from games.tables.table import Json, Table

NOBODY: Json = {"shown": False}


def region(table: Table, user_id: int) -> Json:
    """Whether this person is out or only watches, and where a new game can be had."""
    member = table.member(user_id)
    if member is None or not table.playing or table.parked or table.acting(user_id) is not None:
        return NOBODY
    match, seat = table.match, table.viewer(user_id)
    free = not table.policy.continuous
    new, asked = _new_game(table, user_id), skip(table)
    return {
        "shown": True,
        "out": match is not None and seat is not None,
        "next": free and not member.spectator,
        "free": free,
        "others": any(_is_free(table, other) for other in table.members if other != member),
        "bots": match is not None and match.only_bots,
        "paused": table.pause is not None,
        "skip": None if asked is None else {"by": len(asked.by), "needed": asked.needed},
        "skipping": asked is not None and asked.granted,
        "host": table.is_host(member),
        "new": None if new is None else {"code": new.code, "host": new.host},
    }


def told_alike(table: Table, user_id: int) -> tuple[object, ...]:
    """Who has the same of this is told the same, among those who only watch."""
    member = table.member(user_id)
    return (member is not None and member.spectator, _new_game(table, user_id))


def _is_free(table: Table, member: Member) -> bool:
    """Whether somebody else could come along."""
    return member.user_id is not None and table.acting(member.user_id) is None


def _new_game(table: Table, user_id: int) -> NewGame | None:
    """The first new game among people of whom none keeps away from the other."""
    apart = table.blocked(user_id)
    return next(
        (
            new
            for new in table.new_games
            if new.host_id not in apart and user_id not in table.blocked(new.host_id)
        ),
        None,
    )
