"""Tables that are no longer shown are freed without a garbage collection."""

from __future__ import annotations

import gc
import weakref

import pytest

from games.models import Room
from games.pages.page_diff import page_diff
from games.registry import GAMES
from games.tables.loading import load
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("slug", GAMES)
def test_table_is_freed_after_its_regions_were_rendered(slug: str) -> None:
    """A move replaces the table and everything rendered for it, so cycles would cost a lot."""
    person = PersonFactory()
    room = open_table(person, game=slug, bots=GAMES[slug].seats[0] - 1)
    start_match(room)
    gc.collect()
    gc.disable()
    try:
        table = load(Room.objects.get(pk=room.pk).pk, with_story=True)
        gone = weakref.ref(table)
        assert page_diff(None, table, person.pk, "en", {})
        del table
        assert gone() is None
    finally:
        gc.enable()
