"""Check packets against the published vocabulary."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import jsonschema_rs

from games.registry import GAMES
from games.wire.schema import schema

Json = dict[str, Any]
REFERRED = re.compile(r'"#/\$defs/([^"]+)"')


def check_sent(packet: Json, game: str | None) -> None:
    """Check that the server may send this, in a room of this game (None: no room, or unknown)."""
    groups = [f"{game}.server"] if game in GAMES else ["server"]
    _check(packet, groups)


def check_accepted(packet: Json, game: str | None) -> None:
    """Check that a client may send this, in a room of this game."""
    groups = ["client", *(f"{slug}.moves" for slug in GAMES if slug == game or game is None)]
    _check(packet, groups)


def _check(packet: Json, groups: list[str]) -> None:
    """Raise an AssertionError naming the field if the packet fits none of the groups."""
    names = [name for group in groups for name in _by_type(group).get(packet["type"], ())]
    assert names, f"there is no packet {packet['type']} in {groups}: {packet}"
    problems = [_problem(name, packet) for name in names]
    assert None in problems, "\n".join(str(problem) for problem in problems)


def _problem(name: str, packet: Json) -> str | None:
    error = next(iter(validator(name).iter_errors(packet)), None)
    if error is None:
        return None
    path = "/".join(str(step) for step in error.instance_path)
    return f"{name}: {error.message} at /{path}"


@cache
def published() -> Json:
    return schema()


@cache
def validator(name: str) -> Any:
    """Return a validator for this definition. It gets only the definitions it refers to, because
    each takes time to compile."""
    defs, needed, todo = published()["$defs"], dict[str, Json](), [name]
    while todo:
        at = todo.pop()
        if at not in needed:
            needed[at] = defs[at]
            todo += REFERRED.findall(json.dumps(defs[at]))
    return jsonschema_rs.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": needed})


@cache
def _by_type(group: str) -> dict[str, list[str]]:
    """Index the packets of a group by their `type`."""
    found: dict[str, list[str]] = {}
    for one in published()["$defs"][group]["anyOf"]:
        name = one["$ref"].removeprefix("#/$defs/")
        of = published()["$defs"][name]
        inner = _by_type(name) if "anyOf" in of else {of["properties"]["type"]["const"]: [name]}
        for kind, names in inner.items():
            found.setdefault(kind, []).extend(n for n in names if n not in found.get(kind, []))
    return found
