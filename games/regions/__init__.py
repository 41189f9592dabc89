"""The regions of a table page: what one viewer sees, part by part, ready for a template.

First paint, reconnect and push are `regions` and `log_lines`. A region is (id, template, part); two
viewers with the same part are rendered once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from games import nudging
from games.claims import unsaid
from games.members import to_fill
from games.models import Member
from games.recap import recap_data
from games.regions import forms, manual, pause, people
from games.rules.core import Ignored
from games.rules.data import Viewer
from games.rules.luck import commitment
from games.sentences import PLATFORM, say
from games.serializers import iso, outcome_data, players_data, view_data
from games.table import Json, Table, ToldAct


@dataclass(frozen=True)
class Region:
    """A part of the page: the id of its element, its template, and all the template is given."""

    id: str
    template: str
    part: Json


def regions(table: Table, user_id: int) -> Iterator[Region]:
    """Every region of the page as this person sees it, in the language that is active."""
    yield Region("status", "status", _status(table, user_id))
    yield Region("seats", "seats", _seats(table, user_id))
    yield Region("board", "board", _board(table))
    yield Region("standings", "standings", _standings(table))
    yield Region("hand", "hand", _hand(table, user_id))
    yield Region("actions", "actions", forms.actions(table, user_id))
    yield Region("setup", "setup", _setup(table, user_id))
    yield Region("manual", "manual", manual.region(table))
    yield Region("people", "people", people.region(table, user_id))
    yield Region("asking", "asking", people.asking(table, user_id))


def log_lines(table: Table, acts: Sequence[ToldAct], seat: Viewer) -> list[Json]:
    """The events of these acts as sentences; lines for this viewer alone are marked."""
    if table.match is None:
        return []
    lines = []
    for act in acts:
        if act.kind == "lapse" and act.told:
            lines.append({"text": gettext("Time is up."), "private": False})
        if act.kind == "nudge":
            text = gettext("There are 60 seconds to answer now.")
            lines.append({"text": text, "private": False})
        for _, to, event in act.told:
            if to is None or (seat is not None and seat in to):
                text = say(table.words.event(event), table.names)
                lines.append({"text": text, "private": to is not None})
    return lines


def _status(table: Table, user_id: int) -> Json:
    seat, match = table.acting(user_id), table.match
    mine = seat is not None and seat in table.awaited and table.pause is None
    deadline = match.row.deadline if match and table.playing else None
    names = table.names
    return {
        "sentence": _sentence(table, user_id),
        "covered": _sentence(table, None),
        "mine": mine,
        "deadline": iso(deadline),
        "waiting": [names[at] for at in table.awaited],
        "playing": table.playing,
        "phase": match.phase if match and table.playing else "",
        "nudge": _nudge_from(table, user_id) if table.pause is None else None,
        "pause": pause.region(table, user_id),
    }


def _nudge_from(table: Table, user_id: int) -> str | None:
    """From when on this person may nudge those we wait for; None where there is nothing to."""
    match, member = table.match, table.member(user_id)
    if match is None or member is None or not table.playing or match.row.deadline is not None:
        return None
    seat = table.acting(user_id)
    if not any(at != seat and not match.players[at].bot for at in table.awaited):
        return None  # bots answer by themselves
    try:
        return iso(nudging.may_nudge_from(match, seat, table.is_host(member)))
    except Ignored:
        return None


def _sentence(table: Table, user_id: int | None) -> str:
    match = table.match
    if table.parked:
        return say(PLATFORM["parked"])
    if match is not None and match.row.broken:
        return say(PLATFORM["broken"])
    if table.pause is not None:
        return pause.sentence(table)
    if match is not None and table.playing:
        seat = table.viewer(user_id)
        return say(table.words.prompt(match.game.view(match.state, seat), seat), table.names)
    if match is not None:
        winners = (outcome_data(table) or {}).get("winners", [])
        if not winners:
            return gettext("The match is over. Nobody has won.")
        together = ngettext("%(who)s has won.", "%(who)s have won.", len(winners))
        return together % {"who": ", ".join(winners)}
    if table.display is not None:
        return table.display.sentence(table.words)
    if table.host is None:
        return gettext("Nobody is here to start a match.")
    return _before_the_match(table, table.member(user_id))


def _before_the_match(table: Table, member: Member | None) -> str:
    """Who has been away for a minute watches, and is told how to sit down again."""
    watches = member is not None and member.spectator
    if member is not None and member.user_id == table.room.host_id:
        if watches:
            return gettext("You only watch your table. To sit down, press “I want to play”.")
        return gettext("Your table is ready. Invite people or add bots, then start.")
    if watches:
        sentence = gettext("We wait for %(host)s to start the match. You will watch it.")
    else:
        sentence = gettext("We wait for %(host)s to start the match.")
    return sentence % {"host": table.host}


def _seats(table: Table, user_id: int) -> Json:
    """Everybody who plays, from whoever sits after the viewer round to the viewer."""
    turn, match = table.turn, table.match
    on_turn = table.names[turn.seat] if turn and turn.seat is not None else None
    up_next = table.names[turn.next] if turn and turn.next is not None else None
    you = (m := table.member(user_id)) and m.name
    players = [p for p in players_data(table) if not p["isSpectator"] or p["seat"] is not None]
    waiting = [table.names[at] for at in table.awaited]
    present = {m.name: m.pk for m in table.members if people.has_sheet(table, m, user_id)}
    seats = [
        {
            "name": player["username"],
            "facts": forms.facts_of(player),
            "turn": player["username"] == on_turn,
            "next": player["username"] == up_next,
            "awaited": player["username"] in waiting,
            "out": player["isSpectator"],
            "away": not player["connected"],
            "bot": player["isBot"],
            "you": player["username"] == you,
            "sheet": present.get(player["username"]),
        }
        for player in players
    ]
    at = next((i for i, seat in enumerate(seats) if seat["you"]), -1)
    return {"seats": seats[at + 1 :] + seats[: at + 1], "started": match is not None}


def _standings(table: Table) -> Json:
    """What a table of its own kind shows besides its match."""
    if table.display is None:
        return {"shown": False}
    return {"shown": True, **table.display.region(table.words)}


def _board(table: Table) -> Json:
    return {
        "view": view_data(table, None),
        "awaited": [table.names[at] for at in table.awaited],
        "outcome": outcome_data(table) if table.match and table.match.over else None,
        "recap": recap_data(table.recap, table.names) if table.recap else None,
        "looks": list(table.looks),
        "match": table.match.row.pk if table.match else None,
        "link": table.policy.archived,
        "claims": [{"name": said.name, **(said.claim or {})} for said in table.claims],
        "newest": _told_to_all(table.newest) if table.newest else [],
    }


def _told_to_all(act: ToldAct) -> list[Json]:
    return [event for event, to, _event in act.told if to is None]


def _hand(table: Table, user_id: int) -> Json:
    """What this viewer sees and the gallery does not."""
    seat = table.viewer(user_id)
    if table.match is None or seat is None or not table.playing:
        return {"view": {}, "claims": []}
    own, public = view_data(table, seat) or {}, view_data(table, None) or {}
    acting = table.acting(user_id)
    claims = unsaid(table.match, acting, table.claims) if acting is not None else []
    return {
        "view": {name: value for name, value in own.items() if public[name] != value},
        "claims": [{"kind": c.kind, "size": c.size, "values": list(c.values)} for c in claims],
    }


def _setup(table: Table, user_id: int) -> Json:
    """What can be done before a match: options, bots, starting."""
    room, member, policy = table.room, table.member(user_id), table.policy
    if member is None or (table.playing and not policy.continuous):
        return {"open": False}
    least, most = table.game.seats
    count = sum(not m.spectator and m.away_since is None for m in table.members)
    return {
        "open": True,
        "commitment": commitment(bytes.fromhex(room.secret)),
        "continuous": policy.continuous,
        "seats": policy.may_sit(room),
        "host": table.is_host(member),
        "again": table.match is not None,
        "spectator": member.spectator,
        "count": count,
        "least": least,
        "most": most,
        "fill": 0 if policy.continuous else to_fill(table.room.game, count),
        "levels": people.levels(table),
        "fields": [
            field
            for field in forms.option_form(table.game, room.options, table.choices)
            if field["name"] not in policy.hidden_options
        ],
        "visibility": room.visibility,
        "locked": bool(room.password),
    }
