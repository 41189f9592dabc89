"""Each form of the table page names a command and has its fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from games.contract.choices import move_types
from games.registry import GAMES
from games.sockets.command_forms import read_command
from games.wire import commands
from games.wire.claims import ChatClaim
from games.wire.commands import FORMS
from games.wire.declaration import Command
from games.wire.wire import BadPacket, read_form
from tests.kit.repository import templates


def forms() -> Iterator[tuple[str, str]]:
    """Return every form of the table page: its file, its content, and its buttons outside it."""
    for path in templates():
        text = path.read_text()
        for form in re.findall(r"<form[^>]*hx-ws:send.*?</form>", text, re.DOTALL):
            for name in re.findall(r'^<form[^>]* id="([\w-]+)"', form):
                form += "".join(re.findall(rf'<button form="{name}".*?</button>', text))
            yield path.name, form


def names_of(kind: type[Any], within: str = "") -> Iterator[tuple[str, bool]]:
    """Return the names a form may use for the fields of a command, and whether each is required."""
    for field in msgspec.structs.fields(kind):
        parts = [of for of in getattr(field.type, "__args__", ()) if isinstance(of, type)]
        part = next((of for of in parts if issubclass(of, msgspec.Struct)), None)
        if part is not None:
            yield from ((name, False) for name, _ in names_of(part, f"{field.encode_name}."))
        elif field.name == "options":
            yield "option-{{ field.name }}", field.required
        else:
            yield within + field.encode_name, field.required


def test_every_form_names_a_command_and_has_its_fields() -> None:
    used = set()
    for file, form in forms():
        for do in re.findall(r'name="do" value="(\w+)"', form):
            if do == "move":
                continue
            assert do in FORMS, f"{file}: there is no command {do}"
            used.add(do)
            known = dict(names_of(FORMS[do]))
            given = set(re.findall(r'\bname="([^"]+)"', form)) - {"do", "clear"}
            others = {"upTo", "preset"}  # sent by the buttons for bots and presets
            assert given <= known.keys() | others, f"{file}: {do}"
            assert {name for name, needed in known.items() if needed} <= given, f"{file}: {do}"
    by_scripts = {"CommitLuck", "RevealLuck", "SetNonce"}  # static/luck.js, and that of old pages
    assert used == FORMS.keys() - by_scripts


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ({"do": "KickPlayer", "username": "Bob"}, commands.KickPlayer("Bob")),
        ({"do": "SetSpectating", "spectating": "false"}, commands.SetSpectating(False)),
        ({"do": "AddBot", "level": "", "upTo": "4"}, commands.AddBot()),
        ({"do": "FillWithBots", "level": "easy", "upTo": "4"}, commands.FillWithBots("easy", 4)),
        (
            {"do": "SetRoom", "visibility": "public", "password": ""},
            commands.SetRoom(visibility="public"),
        ),
        (
            {"do": "SetRoom", "visibility": "public", "password": "", "clear": "password"},
            commands.SetRoom(visibility="public", password=""),
        ),
        (
            {"do": "SetRoom", "visibility": "invited", "password": "x"},
            commands.SetRoom(visibility="invited", password="x"),
        ),
        (
            {"do": "SendNewChatMessage", "message": "hello"},
            commands.SendNewChatMessage(message="hello"),
        ),
        (
            {
                "do": "SendNewChatMessage",
                "message": "",
                "claim.kind": "drawn",
                "claim.policies": ["liberal", "fascist"],
            },
            commands.SendNewChatMessage(
                message="", claim=ChatClaim("drawn", ("liberal", "fascist"))
            ),
        ),
        ({"do": "Mute", "username": "Bob", "on": "true"}, commands.Mute("Bob", True)),
    ],
)
def test_form_is_parsed_into_its_command(body: dict[str, Any], asked: Command) -> None:
    assert read_command(body, "mia") == asked


def test_options_are_parsed_by_the_game() -> None:
    body = {"do": "SetOptions", "option-lives": "3", "option-onFault": "lose"}
    asked = read_command(body, "mia")
    assert isinstance(asked, commands.SetOptions)
    assert asked.options["lives"] == 3
    assert asked.options["onFault"] == "lose"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"do": 1},
        {"do": "JoinGame", "room": "K7QX2"},
        {"do": "KickPlayer"},
        {"do": "SetRoom", "visibility": "secret"},
        {"do": "SetRoom", "visibility": "public", "clear": "everything"},
        {"do": "InviteAgain", "member": "9" * 400},
        {"do": "SetSpectating", "spectating": "perhaps"},
        {"do": "SendNewChatMessage", "message": "", "claim.policies": ["liberal"]},
    ],
)
def test_invalid_form_is_rejected_with_a_message(body: dict[str, Any]) -> None:
    with pytest.raises(BadPacket, match=r"^(This page is out of date|That cannot be chosen here)"):
        read_command(body, "mia")


def lists() -> Iterator[tuple[str, str, str]]:
    """Return all arguments of moves that are lists: game, move, argument."""
    for slug, game in GAMES.items():
        for name, move in move_types(game.rules.moves).items():
            for field in inspected(move).fields:
                kind = field.type
                if isinstance(kind, msgspec.inspect.UnionType):
                    kind = next(one for one in kind.types if one != msgspec.inspect.NoneType())
                if isinstance(kind, msgspec.inspect.VarTupleType | msgspec.inspect.ListType):
                    yield slug, name, field.encode_name


def inspected(move: Any) -> msgspec.inspect.StructType:
    found = msgspec.inspect.type_info(move)
    assert isinstance(found, msgspec.inspect.StructType)
    return found


@pytest.mark.parametrize(("slug", "name", "argument"), list(lists()))
def test_one_ticked_box_is_a_list_of_one_value(slug: str, name: str, argument: str) -> None:
    for value in ("0", "own:0", "2,1", "liberal"):
        with suppress(BadPacket):
            move = read_form(GAMES[slug], {"type": name, argument: value}, ())
            assert len(getattr(move, argument)) == 1
            return
    pytest.fail(f"{name} cannot be sent with one box ticked")
