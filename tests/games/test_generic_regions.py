"""The generic regions can render every game, including one without its own templates."""

from __future__ import annotations

import pytest
from markupsafe import Markup

from games.contract.choices import random_move
from games.contract.data import Seat
from games.contract.luck import Luck
from games.engine import matches
from games.engine.snapshots import load_snapshot
from games.pages import regions
from games.pages.region import Region
from games.pages.templating import environment
from games.registry import GAMES
from games.tables.loading import load
from games.tables.table import Table
from games.tables.terms import term
from games.tables.views import view_data
from games.wire.wire import to_wire
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.quick import quick

pytestmark = pytest.mark.django_db(transaction=True)


def drawn(table: Table, user_id: int) -> dict[str, str]:
    """Return every region rendered by the generic templates."""
    return {region.id: _drawn(table, region) for region in regions(table, user_id)}


def _drawn(table: Table, region: Region) -> str:
    return (
        environment()
        .get_template(f"generic/{region.template}.html.jinja")
        .render(
            id=region.id,
            game="none",
            term=lambda word: term(table.words, word),
            items=[Markup(_drawn(table, item)) for item in region.items],
            pieces={at: Markup(_drawn(table, piece)) for at, piece in region.pieces.items()},
            **region.part,
        )
    )


@pytest.mark.parametrize("slug", quick(GAMES, "coup", "cards"))
def test_every_state_of_every_game_can_be_rendered(slug: str) -> None:
    least, most = GAMES[slug].seats
    people = [PersonFactory() for _ in range(min(least + 1, most))]
    room = open_table(*people, game=slug)
    match = start_match(room)
    dice = Luck(b"generic", 1)
    for _ in range(40):
        seen = load_snapshot(match.pk)
        if seen.over:
            break
        table = load(room.pk)
        asked = [
            Seat(at) for at in range(len(people)) if seen.game.rules.offers(seen.state, Seat(at))
        ]
        seat = dice.pick("who", asked)
        offers = seen.game.rules.offers(seen.state, seat)
        player = seen.players[seat].user_id
        assert player is not None
        html = drawn(table, player)
        assert html["actions"].count("<form") == len(offers)
        assert all(person.name in html["seats"] for person in people)
        public = view_data(table, None) or {}
        private = {one.id: one for one in regions(table, player)}["hand"].part["view"] or {}
        for name in (name for name in private if not public[name]):
            assert f"<dt>{term(table.words, name)}</dt>" not in html["board"], name
        moves = [offer.move for offer in offers]
        repeated = {move for move in moves if moves.count(move) > 1}
        assert html["actions"].count('class="alike"') == len(repeated)
        move = random_move(seen.game.rules.moves, offers, dice)
        packet = {k: v for k, v in to_wire(move, seen.names).items() if v is not None}
        matches.move(room.pk, player, packet).result()
