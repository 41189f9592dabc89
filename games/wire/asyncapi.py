"""The vocabulary as an AsyncAPI 3 document: who sends what on the one channel, and what answers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from games.contract.game import AnyGame
from games.registry import GAMES
from games.wire import server
from games.wire.commands import PACKETS
from games.wire.declaration import Command, who_may
from games.wire.examples import example
from games.wire.games import Vocabulary, vocabulary
from games.wire.schema import REFERENCE, Schema, is_of_a_game, name_of, schema

Json = dict[str, Any]

CHANNEL = {"$ref": "#/channels/table"}
SCHEMAS = "#/components/schemas/"
ABOUT = """\
Programs play over one WebSocket: text frames, one JSON object each, at most 16 KiB from a client.
The first message is `Welcome`. A packet with an `id` gets exactly one answer with that `id`, after
the commit; without one, a success is seen in what all are told. What is not yours to do is passed
over in silence, or answered `ActionFailed` with the code `ignored` where it had an `id`.

After the events of an act comes a `GameDataSync` with your own view and with `offers`: a program
that picks any offer, and any allowed value of each of its arguments, plays legally in every game.

Close codes: 4001 bad token, 4003 sent away, 4008 flood; 1012 the server restarts. Treat 1001, 1006
and 1012 alike: come back."""


def asyncapi(games: Iterable[AnyGame] | None = None, made: Schema | None = None) -> Json:
    """An AsyncAPI 3.0 document of these games (all of ours where none are named).

    `made`: their schema, where it is made already."""
    words = [vocabulary(game) for game in (GAMES.values() if games is None else games)]
    found = made or schema(each.game for each in words)
    messages = _messages(found["$defs"], words)
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Parlour", "version": "1", "description": ABOUT},
        "defaultContentType": "application/json",
        "servers": {"here": _server()},
        "channels": {"table": _channel(messages)},
        "operations": _operations(words),
        "components": {
            "messages": messages,
            "schemas": _moved(found["$defs"]),
            "securitySchemes": _security(),
        },
    }


def _server() -> Json:
    schemes = "#/components/securitySchemes/"
    return {
        "host": "{host}",
        "protocol": "ws",
        "description": "A Parlour, wherever it is served; `wss` where it is served over https. "
        "Who shows neither a token nor a cookie becomes a guest by naming a `username`.",
        "variables": {"host": {"default": "127.0.0.1:8000", "description": "Name and port."}},
        "security": [{"$ref": schemes + "token"}, {"$ref": schemes + "cookie"}],
    }


def _security() -> Json:
    return {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "A guest's token, or one of the user's own. Unknown: close code 4001.",
        },
        "cookie": {
            "type": "httpApiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "A browser session. Counts only with an `Origin` of our own.",
        },
    }


def _channel(messages: Json) -> Json:
    return {
        "address": "/api/ws/",
        "title": "A seat, or a place to watch from",
        "description": "One connection is in at most one room.",
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
        "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
    }


def _messages(defs: dict[str, Schema], words: list[Vocabulary]) -> Json:
    """Every packet there is, by its name in the schema."""
    names = [packet.__name__ for packet in PACKETS]
    names += [packet.__name__ for packet in server.PACKETS if not is_of_a_game(packet)]
    for each in words:
        names += [name_of(packet, each) for packet in server.PACKETS if is_of_a_game(packet)]
        names += [of.__name__ for of in (*each.moves.values(), *each.events.values())]
    return {name: _message(defs, name) for name in names}


def _message(defs: dict[str, Schema], name: str) -> Json:
    made = example(defs, name)
    summary = defs[name].get("description", "").partition("\n\n")[0]
    return {
        "name": made["type"],
        **({"summary": summary} if summary else {}),
        "payload": {"$ref": SCHEMAS + name},
        "examples": [{"payload": made}],
    }


def _operations(words: list[Vocabulary]) -> Json:
    """`receive` is what we take from a client, `send` what we send unasked."""
    found = {packet.__name__: _received(packet, words) for packet in PACKETS}
    for each in words:
        slug, name = each.game.slug, each.game.name
        answers = _references((server.Done, server.ActionFailed), words)
        moves = _operation("receive", f"A move of {name}.", each.moves.values(), words)
        events = _operation("send", f"What happens in {name}.", each.events.values(), words)
        found[f"{slug}.moves"] = {**moves, "reply": {"channel": CHANNEL, "messages": answers}}
        found[f"{slug}.events"] = events
    for packet in server.PACKETS:
        if packet is server.GameDataSync or not issubclass(packet, server.Answer):
            found[packet.__name__] = _operation("send", _first_line(packet), [packet], words)
    return found


def _received(packet: type[Command], words: list[Vocabulary]) -> Json:
    told = ", ".join(f"`{each.__name__}`" for each in packet.tells)
    answers = _references((*packet.answers, server.ActionFailed), words)
    return {
        **_operation("receive", _first_line(packet), [packet], words),
        "description": f"Who may: {who_may(packet)}." + (f" All are told {told}." if told else ""),
        "reply": {"channel": CHANNEL, "messages": answers},
    }


def _operation(
    action: str, summary: str, packets: Iterable[type[Struct]], words: list[Vocabulary]
) -> Json:
    messages = _references(packets, words)
    return {"action": action, "channel": CHANNEL, "summary": summary, "messages": messages}


def _references(packets: Iterable[type[Struct]], words: list[Vocabulary]) -> list[Json]:
    """These packets in the channel; what is different in every game once for each."""
    return [
        {"$ref": f"#/channels/table/messages/{name}"}
        for packet in packets
        for name in dict.fromkeys(name_of(packet, each) for each in words)
    ]


def _first_line(packet: type[Struct]) -> str:
    return (packet.__doc__ or "").partition("\n")[0]


def _moved(defs: dict[str, Schema]) -> dict[str, Schema]:
    """The same schemas, referring to each other where they stand now."""
    moved: dict[str, Schema] = json.loads(json.dumps(defs).replace(REFERENCE, SCHEMAS))
    return moved
