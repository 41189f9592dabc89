"""Tables that are no longer shown are freed without a garbage collection."""

from __future__ import annotations

import gc
import weakref
from copy import copy
from dataclasses import replace
from typing import Any

import pytest

from games.pages.page_diff import page_diff
from games.registry import GAMES
from games.tables.frames import ready
from games.tables.loading import load
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("kind", ["page", "whole", "changes"])
def test_table_is_freed_after_it_was_shown(slug: str, kind: Any) -> None:
    """A move replaces the table and everything made for it. Cycles would keep all of it."""
    person = PersonFactory()
    room = open_table(person, game=slug, bots=GAMES[slug].seats[0] - 1)
    start_match(room)
    gc.collect()
    gc.disable()
    try:
        before = load(room.pk, with_story=True)
        assert before.match is not None
        now = replace(before, match=replace(before.match, row=copy(before.match.row)))
        now.match.row.version += 1
        gone = [weakref.ref(before), weakref.ref(now)]
        memo: dict[Any, Any] = {}
        if kind == "page":
            assert page_diff(None, now, person.pk, "en", memo)
        else:
            assert ready(before, now, person.pk, "en", memo, kind)
        del before, now, memo
        assert [one() for one in gone] == [None, None]
    finally:
        gc.enable()
