"""The regions of a table page: what one viewer sees, part by part, ready for a template.

First paint, reconnect and push are `regions` and `log_lines`. A region is (id, template, part). It
is drawn where its part has changed, and once for all viewers who have the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.utils.translation import get_language, gettext

from games.engine.told import ToldAct
from games.language.sentences import PLATFORM, say
from games.models import Member
from games.regions import beats, ending, forms, manual, pause, people, seats, spectating
from games.regions.region import Region
from games.rooms import nudging
from games.rooms.bots import to_fill
from games.rooms.claims import unsaid
from games.rules.core import Ignored
from games.rules.data import Viewer
from games.rules.luck import commitment
from games.tables.serializers import iso, view_data, view_of
from games.tables.table import Json, Table


def regions(table: Table, user_id: int) -> Iterator[Region]:
    """Every region of the page as this person sees it, in the language that is active."""
    yield from of_match(table, user_id)
    yield from of_room(table, user_id)


def of_match(table: Table, user_id: int) -> Iterator[Region]:
    """What an act can change."""
    made = _Made(table, user_id)
    yield Region("status", "status", _status(table, user_id, made))
    yield seats.region(table, user_id)
    yield Region("board", "board", made.once("board", _board))
    yield Region("hand", "hand", made.of_seat("hand", _hand))
    yield Region("actions", "actions", made.of_seat("actions", forms.actions))
    yield Region("spectating", "spectating", spectating.region(table, user_id))
    yield Region("ending", "ending", made.of_seat("ending", ending.region))


def of_room(table: Table, user_id: int) -> Iterator[Region]:
    """What no act changes that leaves the room and its people as they are."""
    yield Region("legend", "legend", _legend(table))
    yield Region("standings", "standings", _standings(table))
    before = _setup(table, user_id)
    yield Region("setup", "setup", before)
    yield Region("options", "options", _options(table, before))
    yield Region("manual", "manual", manual.region(table))
    yield Region("people", "people", people.region(table, user_id))
    yield Region("asking", "asking", people.asking(table, user_id))


class _Made:
    """What has been made of a table, in the active language, shared by all who see the same."""

    def __init__(self, table: Table, user_id: int) -> None:
        self.table, self.user_id = table, user_id
        self.spoken: dict[Any, Json] = table.made.setdefault(("in", get_language()), {})
        self.eyes = (table.viewer(user_id), table.acting(user_id))

    def once(self, name: Any, make: Callable[[Table], Json]) -> Json:
        """What everybody sees alike."""
        if name not in self.spoken:
            self.spoken[name] = make(self.table)
        return self.spoken[name]

    def of_seat(self, name: Any, make: Callable[[Table, int], Json]) -> Json:
        """What everybody sees alike who looks through this seat, or through none."""
        key = (name, self.eyes)
        if key not in self.spoken:
            self.spoken[key] = make(self.table, self.user_id)
        return self.spoken[key]


def log_part(table: Table, acts: Sequence[ToldAct], user_id: int) -> Json:
    """The lines of these acts as this person was told them."""

    def lines(table: Table, user_id: int) -> Json:
        return {"lines": log_lines(table, acts, table.viewer(user_id))}

    return _Made(table, user_id).of_seat(("log", tuple(map(id, acts))), lines)


def beats_part(table: Table, acts: Sequence[ToldAct], user_id: int) -> Json:
    """The beats of these acts as this person is told them."""

    def told(table: Table, user_id: int) -> Json:
        return beats.part(table, acts, table.viewer(user_id))

    return _Made(table, user_id).of_seat(("beats", tuple(map(id, acts))), told)


def log_lines(table: Table, acts: Sequence[ToldAct], seat: Viewer) -> list[Json]:
    """The events of these acts as sentences; lines for this viewer alone are marked."""
    if table.match is None:
        return []
    lines = []
    for act in acts:
        if act.kind == "lapse" and act.told:
            lines.append({"text": gettext("Time's up."), "private": False})
        if act.kind == "nudge":
            text = gettext("60 seconds left to answer.")
            lines.append({"text": text, "private": False})
        if act.kind == "leave" and not act.told and act.seat is not None:
            gone = gettext("%(who)s has left.") % {"who": table.spoken_names[act.seat]}
            lines.append({"text": gone, "private": False})
        for _, to, event in act.told:
            if to is not None and seat not in to:
                continue
            if (said := table.words.event(event)) is not None:
                line = say(said, table.spoken_names, reader=seat)
                lines.append({"text": line, "private": to is not None})
    return lines


def _status(table: Table, user_id: int, made: _Made) -> Json:
    seat = table.acting(user_id)
    alike = table.playing and not table.parked
    return {
        **made.once("status", _status_for_all),
        **(made.of_seat("sentence", _own) if alike else _own(table, user_id)),
        "mine": seat is not None and seat in table.awaited and table.pause is None,
        "nudge": _nudge_from(table, user_id) if table.pause is None else None,
        "pause": pause.region(table, user_id),
    }


def _own(table: Table, user_id: int) -> Json:
    return {"sentence": _sentence(table, user_id)}


def _status_for_all(table: Table) -> Json:
    match = table.match
    deadline = match.row.deadline if match and table.playing else None
    names = table.names
    return {
        "covered": _sentence(table, None),
        "deadline": iso(deadline),
        "waiting": [names[at] for at in table.awaited],
        "playing": table.playing,
        "phase": match.phase if match and table.playing else "",
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
        prompt = table.words.prompt(view_of(table, match, seat), seat)
        return say(prompt, table.spoken_names, reader=seat)
    if match is not None:
        return ending.sentence(table, match, user_id)
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
            return gettext("You're only watching your table. Press “Sit down” to join in.")
        return gettext("Your table is ready. Invite people or add bots, then start.")
    if watches:
        sentence = gettext("Waiting for %(host)s to start the match. You'll be watching.")
    else:
        sentence = gettext("Waiting for %(host)s to start the match.")
    return sentence % {"host": table.host}


def _standings(table: Table) -> Json:
    """What a table of its own kind shows besides its match."""
    if table.display is None:
        return {"shown": False}
    return {"shown": True, **table.display.region(table.words)}


def _board(table: Table) -> Json:
    return {
        "view": view_data(table, None),
        "names": list(table.names),
        "awaited": [table.names[at] for at in table.awaited],
        "match": table.match.row.pk if table.match else None,
        "claims": [{"name": said.name, **(said.claim or {})} for said in table.claims],
        "newest": _told_to_all(table.newest) if table.newest else [],
    }


def _legend(table: Table) -> Json:
    """What does not change while a match is played, and goes with its board."""
    return {"match": table.match.row.pk if table.match else None}


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
        "claims": [
            {"kind": c.kind, "size": c.size, "values": list(c.values), "true": list(c.true)}
            for c in claims
        ],
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
    }


def _options(table: Table, before: Json) -> Json:
    """What the host decides about the room and its matches while none runs; `before`: `_setup`."""
    if not before["open"]:
        return {"open": False}
    room, policy = table.room, table.policy
    return {
        "open": True,
        "host": before["host"],
        "commitment": before["commitment"],
        "fields": forms.option_form(table.game, room.options, table.choices, policy.hidden_options),
        "visibility": room.visibility,
        "locked": bool(room.password),
    }
