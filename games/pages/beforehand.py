"""Actions before a match: sitting down, adding bots, starting, and options."""

from __future__ import annotations

from django.utils.translation import gettext

from games.contract.core import Options
from games.contract.data import pack
from games.contract.luck import commitment
from games.engine.rated import may_ask
from games.pages import forms, people
from games.pages.files import poster_of
from games.pages.names import face_at
from games.pages.viewpoint import Viewpoint
from games.pages.vote import may_call
from games.registry import GAMES
from games.rooms.bots import to_fill
from games.tables.sentences import rating, say
from games.tables.table import Json, Table

MOST_FACES = 3
"""Maximum number of faces beside a sentence."""


def setup(table: Table, viewpoint: Viewpoint) -> Json:
    """Return the controls for sitting down, adding bots and starting."""
    room, policy = table.room, table.policy
    is_closed = table.playing or room.mixing_until is not None
    if viewpoint.spectator is None or (is_closed and not policy.continuous):
        return {"open": False}
    least, most = table.game.seats
    count = len(table.seated) - len(table.surplus)
    return {
        "open": True,
        "commitment": commitment(bytes.fromhex(room.secret)),
        "continuous": policy.continuous,
        "seats": policy.may_sit(room),
        "host": viewpoint.is_host,
        "again": table.match is not None,
        "spectator": viewpoint.spectator,
        "no_seat": viewpoint.no_seat,
        "count": count,
        "least": least,
        "most": most,
        "fill": 0 if policy.continuous else to_fill(table.room.game, count),
        "levels": people.levels(table),
        "games": [] if policy.continuous else _games(),
        "suggests": may_call(table, viewpoint),
        "rules": None if policy.continuous or table.match is not None else _rules(table),
        "rating": rating(table.rated, viewpoint.language) if table.match is None else "",
    }


def _rules(table: Table) -> Json:
    """Return the name of the rules that are set: a preset, the usual rules or house rules."""
    now = pack(table.game.rules.options()) | table.room.options

    def are(options: Options) -> bool:
        meant = pack(options)
        return all(now[name] == meant[name] for name in meant if name not in table.choices)

    for preset in table.game.telling.presets:
        if are(preset.options):
            return {"name": say(preset.name), "about": say(preset.about)}
    usual = are(table.game.rules.options())
    return {"name": gettext("Usual rules") if usual else gettext("House rules"), "about": ""}


def _games() -> list[Json]:
    """Return the games that can be played next."""
    return [
        {
            "slug": game.slug,
            "name": game.name,
            "picture": poster_of(game.slug),
            "least": game.seats[0],
            "most": game.seats[1],
        }
        for game in GAMES.values()
    ]


def options(table: Table, viewpoint: Viewpoint, before: Json) -> Json:
    """Return the controls with which the host changes the room between matches.

    `before` comes from `setup`.
    """
    if not before["open"]:
        return {"open": False}
    room = table.room
    return {
        "open": True,
        "host": before["host"],
        "commitment": before["commitment"],
        "visibility": room.visibility,
        "locked": bool(room.password),
        "revealed": table.policy.archived,
        "rated": room.rated,
        "rating": rating(table.rated, viewpoint.language),
        "may_rate": before["host"] and _may_rate(table),
    }


def _may_rate(table: Table) -> bool:
    """Whether the host may have matches of this table rated."""
    host = table.member(table.room.host_id)
    return host is not None and host.user is not None and may_ask(table.room, host.user)


def ruleset(table: Table, before: Json) -> Json:
    """Return the presets and the individual options for the next match. Only the host gets them."""
    if not (before["open"] and before["host"]):
        return {"open": False}
    game, policy = table.game, table.policy
    given = table.room.options
    fields = forms.option_form(game, given, table.choices, policy.hidden_options)
    near = None if policy.continuous else forms.nearest(game, fields)
    base, changed = near or (None, frozenset())
    for field in fields:
        field["changed"] = field["name"] in changed
    return {
        "open": True,
        "now": repr(sorted(given.items())),
        "presets": [
            {
                "key": one.key,
                "name": say(one.name),
                "about": say(one.about),
                "art": one.art,
                "on": one is base,
            }
            for one in (game.telling.presets if base else ())
        ],
        "base": {"key": base.key, "name": say(base.name)} if base else None,
        "changed": len(changed),
        "groups": forms.grouped(game, fields),
        "differs": forms.differences(game, given, policy.hidden_options),
        "seen_by": _faces_of_others(table),
    }


def _faces_of_others(table: Table) -> list[str]:
    """Return the paths of the pictures of the first human members besides the host."""
    people = [m for m in table.members if m.user_id not in (None, table.room.host_id)]
    return [face_at(table, one.name) for one in people[:MOST_FACES]]
