"""The packets as an AsyncAPI 3 document: which packets clients and server send, and the
responses.
"""

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
the commit. Without an `id`, success is only visible in the broadcasts. Packets that you may not
send are ignored. With an `id`, they are answered with `ActionFailed` and the code `ignored`.

After the events of an act comes a `GameDataSync` with your own view and `offers`. A program that
picks any offer and any allowed value of each argument plays legally in every game.

Close codes: 4001 bad token, 4003 removed from the room, 4008 flood, 1012 the server restarts. After
1001, 1006 or 1012, connect again."""


def asyncapi(games: Iterable[AnyGame] | None = None, made: Schema | None = None) -> Json:
    """Return an AsyncAPI 3.0 document of these games (default: all).

    `made`: their schema, if it has been generated already.
    """
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
        "description": "A Parlour server. Use `wss` if it is served over https. "
        "Without a token or cookie, you become a guest by sending a `username`.",
        "variables": {"host": {"default": "127.0.0.1:8000", "description": "Name and port."}},
        "security": [{"$ref": schemes + "token"}, {"$ref": schemes + "cookie"}],
    }


def _security() -> Json:
    return {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "Token of a guest or of a user. An unknown token closes with 4001.",
        },
        "cookie": {
            "type": "httpApiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "A browser session. Requires an `Origin` of this site or a trusted one.",
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
    """Return all packets by their names in the schema."""
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
    """Return the operations: `receive` from clients, `send` from the server without a request."""
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
        "description": f"Who may: {who_may(packet)}." + (f" Broadcast: {told}." if told else ""),
        "reply": {"channel": CHANNEL, "messages": answers},
    }


def _operation(
    action: str, summary: str, packets: Iterable[type[Struct]], words: list[Vocabulary]
) -> Json:
    messages = _references(packets, words)
    return {"action": action, "channel": CHANNEL, "summary": summary, "messages": messages}


def _references(packets: Iterable[type[Struct]], words: list[Vocabulary]) -> list[Json]:
    """Return references to these packets. Packets that differ per game appear once per game."""
    return [
        {"$ref": f"#/channels/table/messages/{name}"}
        for packet in packets
        for name in dict.fromkeys(name_of(packet, each) for each in words)
    ]


def _first_line(packet: type[Struct]) -> str:
    return (packet.__doc__ or "").partition("\n")[0]


def _moved(defs: dict[str, Schema]) -> dict[str, Schema]:
    """Return the schemas with references that point into the AsyncAPI document."""
    moved: dict[str, Schema] = json.loads(json.dumps(defs).replace(REFERENCE, SCHEMAS))
    return moved
