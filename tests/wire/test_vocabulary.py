"""The published vocabulary: up to date, valid, complete, and as strict as the server."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from games.registry import GAMES
from games.wire import client as from_clients
from games.wire import commands, parts, server
from games.wire.asyncapi import asyncapi
from games.wire.examples import example
from games.wire.games import vocabulary
from games.wire.schema import schema
from games.wire.wire import BadPacket, read_move
from tests.kit.client import Json
from tests.kit.served import ROOT
from tests.kit.vocabulary import check_sent, published, validator

DEFS = published()["$defs"]
PACKETS = [name for name, of in DEFS.items() if "type" in of.get("properties", {})]
OF_PLATFORM = [packet.__name__ for packet in commands.PACKETS]
MOVES = [(slug, name) for slug in GAMES for name in vocabulary(GAMES[slug]).moves]


def valid(name: str, packet: Any) -> bool:
    return bool(validator(name).is_valid(packet))


def references(of: Any) -> Iterator[str]:
    if isinstance(of, list):
        for each in of:
            yield from references(each)
    elif isinstance(of, dict):
        if isinstance(of.get("$ref"), str):
            yield of["$ref"]
        yield from references(list(of.values()))


def found_at(document: Json, reference: str) -> Any:
    here: Any = document
    for step in reference.removeprefix("#/").split("/"):
        here = here[step]
    return here


def test_published_documents_are_up_to_date() -> None:
    """Run in a separate process, because rules patched by other tests would be visible here."""
    command = [sys.executable, "manage.py", "wire_schema"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "up to date." in done.stdout, "run: python manage.py wire_schema --write"


def test_schema_is_valid_and_self_contained() -> None:
    made = schema()
    jsonschema_rs.Draft202012Validator(made)
    for reference in references(made):
        assert found_at(made, reference)


def test_every_packet_and_part_has_a_description() -> None:
    groups = {name for name, of in DEFS.items() if set(of) == {"anyOf"}}
    assert [n for n in DEFS if n not in groups and not DEFS[n].get("description")] == []


def test_packets_and_parts_allow_no_additional_properties() -> None:
    assert [n for n, of in DEFS.items() if "properties" in of and of["additionalProperties"]] == []


@pytest.mark.parametrize("name", PACKETS)
def test_example_is_valid_only_with_exactly_its_fields(name: str) -> None:
    packet = example(DEFS, name)
    assert valid(name, packet)
    assert not valid(name, {**packet, "stray": 1})
    for field in DEFS[name]["required"]:
        assert not valid(name, {f: value for f, value in packet.items() if f != field})


@pytest.mark.parametrize("name", OF_PLATFORM)
def test_server_accepts_exactly_the_packets_the_schema_allows(name: str) -> None:
    packet = {f: value for f, value in example(DEFS, name).items() if f != "id"}
    assert type(from_clients.read_platform(packet)).__name__ == name
    wrong = [{**packet, "stray": 1}]
    wrong += [{f: v for f, v in packet.items() if f != field} for field in DEFS[name]["required"]]
    wrong += [{**packet, field: ["nonsense", {}]} for field in packet]
    for each in wrong:
        assert not valid(name, each)
        with pytest.raises(BadPacket):
            from_clients.read_platform(each)


@pytest.mark.parametrize(("slug", "move"), MOVES)
def test_server_accepts_exactly_the_moves_the_schema_allows(slug: str, move: str) -> None:
    name = f"{slug}.moves.{move}"
    packet = {f: v for f, v in example(DEFS, name).items() if f not in ("id", "prompt")}
    assert type(read_move(GAMES[slug], packet, ("ann", "bob", "eve"))).__name__ == move
    for wrong in ({**packet, "stray": 1}, *({**packet, f: ["nonsense", {}]} for f in packet)):
        assert not valid(name, wrong)
        with pytest.raises(BadPacket):
            read_move(GAMES[slug], wrong, ("ann", "bob", "eve"))


@pytest.mark.parametrize("slug", GAMES)
def test_game_events_and_moves_do_not_reuse_platform_names(slug: str) -> None:
    ours = {packet.__name__ for packet in server.PACKETS}
    assert not ours & set(vocabulary(GAMES[slug]).events)
    assert not set(OF_PLATFORM) & set(vocabulary(GAMES[slug]).moves)


@pytest.mark.parametrize("slug", GAMES)
def test_public_player_facts_do_not_shadow_platform_fields(slug: str) -> None:
    words = vocabulary(GAMES[slug])
    assert not set(words.facts.__struct_encode_fields__) & set(
        parts.Player.__struct_encode_fields__
    )


def test_sync_is_valid_only_with_the_view_of_its_own_game() -> None:
    packet = example(published()["$defs"], "mia.GameDataSync")
    check_sent(packet, "mia")
    with pytest.raises(AssertionError, match="view"):
        check_sent(packet | {"data": packet["data"] | {"view": {"phase": "turn"}}}, "mia")
    with pytest.raises(AssertionError):
        check_sent(packet, "coup")


def test_asyncapi_document_is_self_contained() -> None:
    document = asyncapi()
    assert document["asyncapi"] == "3.0.0"
    for reference in references(document):
        assert found_at(document, reference)


def test_every_asyncapi_message_is_used_by_an_operation() -> None:
    document = asyncapi()
    named = {
        reference.rpartition("/")[2]
        for operation in document["operations"].values()
        for reference in references([operation["messages"], operation.get("reply", {})])
        if "/messages/" in reference
    }
    assert named == set(document["channels"]["table"]["messages"])
    assert named == set(document["components"]["messages"])


def test_every_client_packet_has_an_operation_with_replies() -> None:
    operations = asyncapi()["operations"]
    for name in (*OF_PLATFORM, *(f"{slug}.moves" for slug in GAMES)):
        operation = operations[name]
        assert operation["action"] == "receive"
        answers = {ref["$ref"].rpartition("/")[2] for ref in operation["reply"]["messages"]}
        assert "ActionFailed" in answers
        assert len(answers) > 1


def test_asyncapi_examples_are_valid() -> None:
    for name, message in asyncapi()["components"]["messages"].items():
        assert message["summary"], name
        for given in message["examples"]:
            assert valid(name, given["payload"]), name
            assert given["payload"]["type"] == message["name"]
