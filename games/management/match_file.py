"""Reads a saved match (`games.history.match_lines`), and describes it act by act."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from games.contract.core import Ignored, Refused
from games.contract.data import Seat, Viewer, encode, unpack
from games.contract.mixing import Share
from games.engine.mixed import Mixed
from games.engine.snapshots import Parked, told_in
from games.engine.told import told_act
from games.models import Act
from games.pages.lines import log_lines
from games.registry import GAMES
from games.tables.sentences import say
from games.tables.unsaved import Sitter, UnsavedMatch
from games.tables.views import view_fields, view_of
from games.wire.wire import to_wire

Json = dict[str, Any]
LANGUAGE = "en"


class Unreadable(Exception):
    """The file is not a match that can be shown. The message says why."""


class Step(NamedTuple):
    """An act: its version, its sentences, and the board after it if it can be computed."""

    version: int
    seconds: float
    sentences: Sequence[str]
    board: Sequence[str]


def read_steps(path: str, seat: int | None) -> list[Step]:
    """Return the acts of a saved match, as this seat saw them.

    By default this is the seat of a program, or else the gallery. Raise Unreadable.
    """
    head, *acts, end = _lines(path)
    if head.get("type") != "Match" or end.get("type") != "End":
        raise Unreadable(f"{path} is not a saved match: it begins with Match and ends with End.")
    if head["game"] not in GAMES:
        raise Unreadable(f"{path} is a match of {head['game']!r}. There is no such game here.")
    programs = [one["seat"] for one in head["seats"] if one["kind"] == "program"]
    if seat is not None and not 0 <= seat < len(head["seats"]):
        raise Unreadable(f"There is no seat {seat}. The last one is {len(head['seats']) - 1}.")
    number = programs[0] if seat is None and programs else seat
    try:
        return list(_steps(head, acts, end, None if number is None else Seat(number)))
    except (KeyError, TypeError, ValueError, Parked) as error:
        raise Unreadable(f"{path} cannot be read: {error!r}.") from None


def _lines(path: str) -> list[Json]:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise Unreadable(f"{path} cannot be read: {why}.") from None
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            found.append(json.loads(line))
        except ValueError:
            raise Unreadable(f"{path}, line {number} is not JSON.") from None
    if len(found) < 2 or not all(isinstance(one, dict) for one in found):
        raise Unreadable(f"{path} is not a saved match.")
    return found


def _steps(head: Json, acts: Sequence[Json], end: Json, seat: Viewer) -> Iterator[Step]:
    """Yield all acts. The board is shown as long as the rules lead to the same events."""
    game, fairness = GAMES[head["game"]], end["fairness"]
    sitters = [Sitter(one["name"], "bot" if one["kind"] == "bot" else "") for one in head["seats"]]
    options = unpack(head["options"], game.rules.options)
    secret, nonces = bytes.fromhex(fairness["serverSeed"]), fairness.get("nonces")
    match = UnsavedMatch(game, options, sitters, head["id"], secret, nonces, _mixed(fairness))
    is_known = True
    for act in acts:
        is_known = is_known and _is_done_again(match, act)
        to = act.get("to", [None] * len(act["events"]))
        told = [{"event": one, "to": of} for one, of in zip(act["events"], to, strict=True)]
        events = told_in(game, told)
        shown = told_act(match.match, act["version"], act["kind"], events, act["seat"])
        said = [Markup(line["text"]).striptags() for line in log_lines(match.table, [shown], seat)]
        board = list(_board(match, seat)) if is_known else []
        yield Step(act["version"], act["t"], said, board)


def _mixed(fairness: Json) -> Mixed | None:
    """Return what the seats added to the luck, or None if it has version 1."""
    if "seats" not in fairness:
        return None
    shares = [Share("", one["share"], one["secret"]) for one in fairness["seats"]]
    return Mixed(fairness["list"], shares)


def _is_done_again(match: UnsavedMatch, act: Json) -> bool:
    """Do an act again. Return whether it has led to the same events, if it is known."""
    game, seat = match.match.game, None if act["seat"] is None else Seat(act["seat"])
    try:
        match act["kind"]:
            case "setup":
                pass
            case "move" if "move" in act and seat is not None:
                match.move(seat, unpack(act["move"], game.rules.moves))
            case "lapse":
                match.lapse()
            case "leave" if act["events"] and seat is not None:
                match.leave(seat)
            case "leave" | "join" | "nudge" | "stop" if not act["events"]:
                match.stay(Act.Kind(act["kind"]), seat)
            case _:
                return False
    except (Ignored, Refused):
        return False
    told = [one.event for one in match.log[-1].told]
    return "to" not in act or bool(json.loads(encode(told)) == act["events"])


def _board(match: UnsavedMatch, seat: Viewer) -> Iterator[str]:
    """Yield what a seat sees, in lines: the question, the players, and the rest of its view."""
    table = match.table
    view, names = view_of(table, seat), table.names
    if match.outcome is None:
        yield say(table.words.prompt(view, seat), table.spoken_names, LANGUAGE, seat)
    for at, facts in enumerate(view_of(table, None).players):
        mark = "*" if Seat(at) == seat else " "
        yield f"{mark} {names[at]:<20} {plain_text(to_wire(facts, names))}"
    known = to_wire(view_fields(table, seat), names)
    for name, value in known.items():
        if value not in (None, [], {}, ()):
            yield f"  {name}: {plain_text(value)}"


def plain_text(value: Any) -> str:
    """Return plain data as short text."""
    match value:
        case Mapping():
            return ", ".join(f"{name} {plain_text(of)}" for name, of in value.items())
        case list() | tuple():
            return f"[{'; '.join(map(plain_text, value))}]"
        case bool():
            return "yes" if value else "no"
        case None:
            return "–"
    return str(value)
