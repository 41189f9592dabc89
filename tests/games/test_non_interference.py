"""Law 8 for everything sent: hidden information changes no byte of JSON or HTML."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from games import rooms
from games.contract.beats import Beats
from games.contract.choices import random_move
from games.contract.data import Seat, encode
from games.contract.luck import Luck
from games.engine import matches
from games.engine.snapshots import load_snapshot
from games.models import Room
from games.pages import regions
from games.pages.beats import moods
from games.pages.lines import log_lines
from games.pages.templating import render
from games.registry import GAMES
from games.tables.loading import load
from games.tables.table import Table
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.quick import quick
from tests.kit.sent import sync_data, wire_packet

pytestmark = pytest.mark.django_db(transaction=True)
STEPS = 25
MOST = 120
"""Maximum steps, if no face had a mood before."""


def everything(table: Table, user_id: int) -> list[str]:
    """Return everything that this user is sent about a table: the sync, every region, the log."""
    seen = [json.dumps({**sync_data(table, user_id), "secondsLeft": None}, sort_keys=True)]
    seen += [render(table, region, "en") for region in regions(table, user_id)]
    seen.append(json.dumps(log_lines(table, table.story, table.viewer(user_id))))
    return seen


def on_a_screen(table: Table) -> list[str]:
    """Return everything that a big screen is sent about a table."""
    return [render(table, region, "en") for region in regions(table, None)]


def scrambled(table: Table, seat: Seat | None, dice: Luck) -> Table:
    """Return the table with everything this viewer may not know changed."""
    assert table.match is not None
    secrets: Any = import_module(f"games.{table.room.game}.tests.secrets")
    state = secrets.scramble(table.match.state, seat, dice)
    row = copy.copy(table.match.row)
    row.state = encode(state).decode()
    return replace(table, match=replace(table.match, state=state, row=row))


def stored(table: Table) -> str:
    assert table.match is not None
    return table.match.row.state


@pytest.mark.parametrize("slug", quick(GAMES, "coup", "cards"))
def test_hidden_information_changes_no_byte_sent_to_others(slug: str) -> None:
    telling = GAMES[slug].telling.beats(GAMES[slug].rules.options())
    has_moods = telling.moods is not Beats.moods
    differed, faces = 0, set[str]()
    for secret in ("ab", "cd", "ef"):  # a match may end before a face has a mood
        differed, faces = _compared(slug, secret)
        if faces or not has_moods:
            break
    assert differed, "no state had a secret"
    assert faces or not has_moods, "no face had a mood"


def _compared(slug: str, secret: str) -> tuple[int, set[str]]:
    """Play a match, and compare what everybody is sent with other secrets. Return how often the
    state differed, and the moods that were shown.
    """
    seats = max(3, GAMES[slug].seats[0])
    people = [PersonFactory(username=f"{secret}{at}") for at in range(seats)]
    watcher = PersonFactory()
    room = open_table(*people, game=slug)
    Room.objects.filter(pk=room.pk).update(secret=secret * 32)
    match = start_match(room)
    rooms.join(room.code, watcher.pk, str(watcher), spectate=True).result()
    dice = Luck(b"scramble", 1)
    differed, faces = 0, set[str]()
    for step in range(MOST):
        table = load(room.pk, with_story=True)
        new = set(moods(table).values())
        for person in (*people, watcher) if step < STEPS or new else ():
            seat = table.viewer(person.pk)
            other = scrambled(table, seat, dice)
            differed += stored(other) != stored(table)
            assert everything(other, person.pk) == everything(table, person.pk)
        assert on_a_screen(scrambled(table, None, dice)) == on_a_screen(table)
        faces |= new
        seen = load_snapshot(match.pk)
        if seen.over or (step >= STEPS and faces):
            break
        asked = [
            (Seat(at), offers)
            for at in range(len(people))
            if (offers := seen.game.rules.offers(seen.state, Seat(at)))
        ]
        seat, offers = dice.pick("who", asked)
        packet = wire_packet(random_move(seen.game.rules.moves, offers, dice), seen.names)
        matches.move(room.pk, seen.players[seat].user_id, packet).result()
    return differed, faces
