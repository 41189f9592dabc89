"""The regions of a table page: what one viewer sees, part by part, ready for a template.

First paint, reconnect and push are `regions` and `log_lines`. A region is (id, template, part); two
viewers with the same part are rendered once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import get_language, gettext, ngettext

from games.claiming import unsaid
from games.decks import Choices
from games.members import to_fill
from games.models import Member, Room, UdpRound
from games.options import allowed, option_fields
from games.retrospect import points, recap_data
from games.rules.core import AnyGame, Offer, OneOf, Refused, Some
from games.rules.data import Seat, Viewer
from games.rules.mia.state import PlayerLost, Reason
from games.rules.words import Text, Words
from games.sentences import PLATFORM, refusal, say
from games.sync import iso, outcome_data, players_data, view_data
from games.table import Json, News, Table
from games.udp.shown import CHARTED
from games.udp.standings import UDP_OPTIONS
from games.wire import to_wire

UDP_FIXED = {*UDP_OPTIONS, "lives", "miaCosts", "pace"}
"""Options that mean nothing at the UDP table, or cannot be chosen there."""
FORMER = 12
"""So many who were here can be asked back by a tap."""
SEATS_APART = ("username", "joinTime", "seat", "inGame", "isSpectator", "isBot", "isGuest")


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
    yield Region("actions", "actions", _actions(table, user_id))
    yield Region("setup", "setup", _setup(table, user_id))
    yield Region("people", "people", _people(table, user_id))
    yield Region("asking", "asking", _asking(table, user_id))


def log_lines(table: Table, news: Sequence[News], seat: Viewer) -> list[Json]:
    """The events of these acts as sentences; lines for this viewer alone are marked."""
    if table.match is None:
        return []
    lines = []
    for act in news:
        if act.kind == "lapse" and act.told:
            lines.append({"text": gettext("Time is up."), "private": False})
        for _, to, event in act.told:
            if to is None or (seat is not None and seat in to):
                text = say(table.words.event(event), table.names)
                lines.append({"text": text, "private": to is not None})
    return lines


def term(words: Words[Any], word: Any) -> str:
    """The word people read for a field, an argument or a value."""
    if isinstance(word, bool):
        return gettext("yes") if word else gettext("no")
    if isinstance(word, str) and word in words.terms:
        return say(words.terms[word])
    if isinstance(word, str) and word in SHARED:
        return say(SHARED[word])
    return spaced(str(word))


def spaced(name: str) -> str:
    """`faceUp` and `face_up` as "face up"."""
    spread = "".join(f" {c.lower()}" if c.isupper() else c for c in name)
    return spread.replace("_", " ").strip() if name[:1].islower() else name


def _status(table: Table, user_id: int) -> Json:
    seat, match = table.acting(user_id), table.match
    mine = seat is not None and seat in table.awaited
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
    }


def _sentence(table: Table, user_id: int | None) -> str:
    match = table.match
    if match is not None and match.row.broken:
        return say(PLATFORM["broken"])
    if match is not None and table.playing:
        seat = table.viewer(user_id)
        return say(table.words.prompt(match.game.view(match.state, seat), seat), table.names)
    if match is not None:
        winners = (outcome_data(table) or {}).get("winners", [])
        if not winners:
            return gettext("The match is over. Nobody has won.")
        together = ngettext("%(who)s has won.", "%(who)s have won.", len(winners))
        return together % {"who": ", ".join(winners)}
    if table.udp is not None:
        if not table.udp.latest:
            return gettext("Programs play here. We wait for the first of them to register.")
        return _round(table, table.udp.latest[0])
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
    present = {m.name: m.pk for m in table.members if _has_sheet(table, m, user_id)}
    seats = [
        {
            "name": player["username"],
            "facts": _facts(player),
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


def _facts(player: Json) -> Json:
    """The game's public facts of an entry of `players`."""
    return {k: v for k, v in player.items() if k not in (*SEATS_APART, "connected")}


def _board(table: Table) -> Json:
    return {
        "view": view_data(table, None),
        "awaited": [table.names[at] for at in table.awaited],
        "outcome": outcome_data(table) if table.match and table.match.over else None,
        "recap": recap_data(table.recap, table.names) if table.recap else None,
        "looks": list(table.looks),
        "match": table.match.row.pk if table.match else None,
        "link": table.udp is None,
        "claims": [{"name": said.name, **(said.claim or {})} for said in table.claims],
        "newest": _told_to_all(table.newest) if table.newest else [],
    }


def _standings(table: Table) -> Json:
    """The UDP table's names and points, how they went lately, and the newest rounds."""
    udp = table.udp
    if udp is None:
        return {"udp": False}
    top = max((line[-1] for line in udp.gains.values()), default=0)
    return {
        "udp": True,
        "address": udp_address(),
        "names": [
            {"name": one.name, "points": one.points, "rounds": one.rounds, "paused": one.paused}
            for one in udp.standings
        ],
        "top": top,
        "charted": CHARTED,
        "lines": [
            {"label": name, "values": list(line), "points": points(line, top)}
            for name, line in udp.gains.items()
        ],
        "latest": [
            {"number": one.number, "order": one.order, "sentence": _round(table, one)}
            for one in udp.latest
        ],
    }


def udp_address() -> str:
    """Where programs send their datagrams, "" where nobody listens."""
    port = settings.MIA_UDP_PORT
    return f"{urlsplit(settings.PUBLIC_URL).hostname}:{port}" if port else ""


def _round(table: Table, one: UdpRound) -> str:
    """How a round ended, in a sentence."""
    if not one.losers:
        return gettext("Only one player had joined.")
    seats = tuple(Seat(one.order.index(name)) for name in one.losers)
    return say(table.words.event(PlayerLost(seats, cast(Reason, one.reason))), one.order)


def _told_to_all(act: News) -> list[Json]:
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


def _actions(table: Table, user_id: int) -> Json:
    seat, match = table.acting(user_id), table.match
    if match is None or seat is None:
        return {
            "prompt": None,
            "forms": [],
            "barred": [],
            "playing": table.playing,
            "watching": True,
            "view": None,
            "players": {},
        }
    offers = match.game.offers(match.state, seat)
    view = match.game.view(match.state, seat)
    declines = match.game.declines(view, seat)
    drawn = [offer for offer in offers if offer.move not in table.words.undrawn]
    forms = [_form(table, view, seat, offer, at) for at, offer in enumerate(drawn)]
    return {
        "prompt": match.state.prompts[seat],
        "forms": [form | {"declines": form["move"] == declines} for form in forms],
        "barred": [_barred(table, *one) for one in match.game.barred(match.state, seat).items()],
        "playing": table.playing,
        "watching": False,
        "view": view_data(table, seat),
        "players": {p["username"]: _facts(p) for p in players_data(table) if p["seat"] is not None},
    }


def _barred(table: Table, move: str, refused: Refused) -> Json:
    """A button that cannot be pressed, with the reason."""
    why = refusal(refused, table.words, table.names, get_language() or "en")
    return {"move": move, "label": say(table.words.move(move)), "why": why}


def _form(table: Table, view: Any, seat: Seat, offer: Offer, at: int) -> Json:
    """A form for an offer. What there is no choice about is `fixed`, and named on its button."""
    fields = [
        _field(table, view, seat, offer.move, name, choices) for name, choices in offer.args.items()
    ]
    fixed = [f for f in fields if len(fields) > 1 and f["kind"] == "one" and len(f["choices"]) == 1]
    return {
        "key": f"{offer.move.lower()}-{at}",
        "move": offer.move,
        "label": say(table.words.move(offer.move)),
        "risky": offer.risky,
        "fixed": fixed,
        "fields": [field for field in fields if field not in fixed],
    }


def _field(
    table: Table, view: Any, seat: Seat, move: str, name: str, choices: OneOf | Some
) -> Json:
    values = choices.one_of if isinstance(choices, OneOf) else choices.some
    field: Json = {
        "name": name,
        "label": term(table.words, name),
        "choices": [_choice(table, view, seat, move, name, value) for value in values],
        "least": 1,
        "most": 1,
        "kind": "one",
    }
    if isinstance(choices, Some):
        kind = "ordered" if choices.ordered else "some"
        field |= {"least": choices.least, "most": choices.most, "kind": kind}
    return field


def _choice(table: Table, view: Any, seat: Seat, move: str, name: str, value: Any) -> Json:
    plain = to_wire(value, table.names)
    if isinstance(value, Seat):
        text = gettext("yourself") if value == seat else str(plain)
    elif meaning := table.words.choice(view, move, name, value):
        text = say(meaning, table.names)
    else:
        text = term(table.words, value)
    return {"value": str(plain).lower() if isinstance(plain, bool) else str(plain), "text": text}


def _setup(table: Table, user_id: int) -> Json:
    """What can be done before a match: options, bots, starting."""
    room, member = table.room, table.member(user_id)
    if member is None or (table.playing and table.udp is None):
        return {"open": False}
    least, most = table.game.seats
    count = sum(not m.spectator and m.away_since is None for m in table.members)
    return {
        "open": True,
        "udp": table.udp is not None,
        "seats": table.udp is None or bool(room.options.get("humanMs")),
        "host": table.is_host(member),
        "again": table.match is not None,
        "spectator": member.spectator,
        "count": count,
        "least": least,
        "most": most,
        "fill": to_fill(table.room.game, count) if table.udp is None else 0,
        "levels": _levels(table),
        "fields": [
            field
            for field in option_form(table.game, room.options, table.choices)
            if table.udp is None or field["name"] not in UDP_FIXED
        ],
        "visibility": room.visibility,
        "locked": bool(room.password),
    }


def option_form(game: AnyGame, options: Json, choices: Mapping[str, Choices]) -> list[Json]:
    """A form field for every option of a game, its own before those all games share.

    `choices` says what the options that are lists can hold.
    """
    schema = option_fields(game)
    ordered = [n for n in schema if n not in SHARED_OPTIONS]
    ordered += [n for n in SHARED_OPTIONS if n in schema]
    fields = [_option(game, name, schema[name], options, choices.get(name, ())) for name in ordered]
    return [field for field in fields if field["kind"] != "several" or field["choices"]]


def _option(game: AnyGame, name: str, schema: Json, options: Json, several: Choices) -> Json:
    value, words = options.get(name, schema.get("default")), game.words(game.options())
    field: Json = {"name": name, "label": term(words, name), "value": value, "kind": "number"}
    if schema.get("type") == "boolean":
        return field | {"kind": "switch"}
    if schema.get("type") == "array":
        listed = [{"value": v, "text": t, "on": v in (value or ())} for v, t in several]
        return field | {"kind": "several", "choices": listed}
    if "enum" in schema:
        listed = [{"value": str(v), "text": term(words, v)} for v in schema["enum"]]
        return field | {"kind": "choice", "choices": listed}
    return field | {
        "min": schema.get("minimum"),
        "max": schema.get("maximum"),
        "allowed": allowed(schema),
    }


def _people(table: Table, user_id: int) -> Json:
    member, room = table.member(user_id), table.room
    return {
        "host": member is not None and table.is_host(member),
        "playing": table.playing,
        "open": not table.playing or table.udp is not None,
        "udp": table.udp is not None,
        "levels": _levels(table),
        "people": [_person(table, other, user_id) for other in table.members],
        "standings": room.standings,
    }


def _levels(table: Table) -> list[Json]:
    return [{"value": level, "text": say(LEVELS[level])} for level in table.game.bots]


def _has_sheet(table: Table, member: Member, user_id: int) -> bool:
    """Whether tapping this person leads anywhere."""
    viewer = table.member(user_id)
    is_host = viewer is not None and table.is_host(viewer)
    return is_host or member.user_id is not None  # people can be muted, blocked and reported


def _page_of(member: Member) -> str:
    """The user name of somebody who has a page of their own, else ""."""
    return member.user.username if member.user is not None and not member.user.is_guest else ""


def _asking(table: Table, user_id: int) -> Json:
    """Whom the host has asked, might ask, and might ask back."""
    member = table.member(user_id)
    invited_only = table.room.visibility == Room.Visibility.INVITED
    if member is None or not table.is_host(member):
        return {"host": False, "only": invited_only, "asked": [], "known": [], "gone": []}
    asked = {one.user_id for one in table.asked}
    left = {m.user_id: m for m in sorted(table.gone, key=_left_at) if m.user_id and not m.bot}
    taken = {_page_of(m) for m in table.members} | {one.user.username for one in table.asked}
    return {
        "host": True,
        "only": invited_only,
        "asked": [{"id": one.pk, "name": str(one.user)} for one in table.asked],
        "known": [
            {"username": one.username, "name": one.name}
            for one in table.known
            if one.username not in taken
        ],
        "gone": [
            {"id": m.pk, "name": m.name, "kicked": m.kicked_at is not None}
            for m in list(left.values())[::-1][:FORMER]
            if m.user_id not in asked
        ],
    }


def _left_at(member: Member) -> Any:
    return member.left_at


def _person(table: Table, member: Member, user_id: int) -> Json:
    plays = table.playing and table.viewer(member.user_id) is not None
    in_match = plays or (member.bot and table.playing)
    return {
        "id": member.pk,
        "name": member.name,
        "sheet": _has_sheet(table, member, user_id),
        "page": _page_of(member),
        "level": member.bot,
        "watches": member.spectator,
        "you": member.user_id == user_id,
        "host": member.user_id is not None and member.user_id == table.room.host_id,
        "bot": say(LEVELS.get(member.bot, Text(member.bot))) if member.bot else "",
        "away": member.away_since is not None,
        "spectator": member.spectator or (table.playing and not in_match),
        "person": member.user_id is not None,
        "muted": member.user_id in table.muted(user_id),
        "blocked": member.user_id in table.blocked(user_id),
        "kickable": not table.playing or member.away_since is not None or not in_match,
    }


def is_open(table: Table) -> bool:
    """Whether a match can be started at this table."""
    return table.room.status in (Room.Status.OPEN, Room.Status.FINISHED)


def _(message: str) -> Text:
    return Text(message)


LEVELS = {
    "random": _("random bot"),
    "easy": _("easy bot"),
    "normal": _("good bot"),
    "hard": _("strong bot"),
}
SHARED_OPTIONS = ("pace", "onLeave", "idleKick", "chat", "spectators")
SHARED = {
    "pace": _("Pace"),
    "onLeave": _("When somebody leaves"),
    "idleKick": _("Turns missed in a row before the seat is given up (0: never)"),
    "chat": _("Chat"),
    "spectators": _("Spectators"),
    "relaxed": _("relaxed (three times as long)"),
    "normal": _("normal"),
    "fast": _("fast (half the time)"),
    "bullet": _("bullet (a tenth)"),
    "none": _("none"),
    "leave": _("they are out"),
    "substitute": _("a bot plays on"),
    "abort": _("the match ends"),
    "open": _("open"),
    "quiet_votes": _("closed while a vote runs"),
    "off": _("off"),
    "lives": _("Lives"),
    "points": _("Points"),
}
