"""The specifications in `docs/` name everything that programs can send or receive."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import get_args

import msgspec
import pytest

from games.contract.choices import move_types
from games.contract.core import Options
from games.contract.game import AnyGame
from games.registry import GAMES
from games.wire import server
from games.wire.commands import PACKETS
from games.wire.parts import GameData
from tests.kit.repository import ROOT


@cache
def _words(document: str) -> frozenset[str]:
    """Return the words a document marks as code."""
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    code = re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL)
    return frozenset(re.findall(r"\w+", " ".join(code)))


def _fields(of: type[msgspec.Struct]) -> Collection[str]:
    return of.__struct_encode_fields__


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_every_game_is_specified(game: AnyGame) -> None:
    moves = move_types(game.rules.moves)
    names = {*moves, *_fields(game.rules.view_type)} - {"players"}
    names |= {field for move in moves.values() for field in _fields(move)}
    names |= {str(event.__struct_config__.tag) for event in get_args(game.rules.events)}
    names |= set(_fields(game.rules.options)) - set(_fields(Options))
    for document, named in ((f"rules/{game.slug}.md", names), ("wire.md", {*moves})):
        missing = sorted(named - _words(document))
        assert not missing, f"docs/{document} does not name these of {game.name}: {missing}"


def test_every_packet_is_specified() -> None:
    names = {packet.__name__ for packet in (*PACKETS, *server.PACKETS)}
    names |= {field for packet in PACKETS for field in _fields(packet)}
    assert not (names | set(_fields(GameData))) - _words("wire.md")


def test_every_shared_option_is_specified() -> None:
    assert not set(_fields(Options)) - _words("rules/conventions.md")
