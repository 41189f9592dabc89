"""A group of the writer is an `atomic` block, however it is begun and committed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, DatabaseError, IntegrityError, connections, transaction

from games.engine.transactions import Group, here
from games.models import Act, Match, Room

pytestmark = pytest.mark.django_db(transaction=True)


def group() -> Group:
    return Group(connections[DEFAULT_DB_ALIAS])


both = pytest.mark.parametrize("block", [transaction.atomic, group])
Block = Callable[[], Any]


def state() -> tuple[Any, ...]:
    """Return Django's state of its connection."""
    found = connections[DEFAULT_DB_ALIAS]
    found.ensure_connection()
    return (
        found.autocommit,
        found.in_atomic_block,
        found.needs_rollback,
        found.commit_on_exit,
        list(found.savepoint_ids),
        len(found.atomic_blocks),
        len(found.run_on_commit),
        found.errors_occurred,
    )


def a_room(code: str) -> Room:
    return Room.objects.create(code=code, game="mia", options={}, secret="ab" * 32)


def codes() -> set[str]:
    return set(Room.objects.values_list("code", flat=True))


def take(block: Block, *steps: Callable[[], Any]) -> None:
    """Run these steps within one block."""
    with block():
        for step in steps:
            step()


@both
def test_what_is_written_is_committed_and_then_told(block: Block) -> None:
    told: list[tuple[bool, set[str]]] = []
    outside = state()
    with block():
        assert transaction.get_connection().in_atomic_block
        a_room("AAAAA")
        transaction.on_commit(lambda: told.append((state() == outside, codes())))
        with transaction.atomic():
            a_room("BBBBB")
        assert told == []
    assert told == [(True, {"AAAAA", "BBBBB"})]
    assert state() == outside


@both
def test_what_fails_is_rolled_back_and_told_to_nobody(block: Block) -> None:
    told: list[int] = []
    outside = state()
    to_tell = partial(transaction.on_commit, lambda: told.append(1))
    with pytest.raises(ZeroDivisionError):
        take(block, partial(a_room, "AAAAA"), to_tell, lambda: 1 // 0)
    assert (told, codes(), state()) == ([], set(), outside)


@both
def test_a_part_that_fails_takes_nothing_else_with_it(block: Block) -> None:
    told: list[str] = []
    with block():
        a_room("AAAAA")
        transaction.on_commit(lambda: told.append("all of it"))
        to_tell = partial(transaction.on_commit, lambda: told.append("the part"))
        with pytest.raises(IntegrityError):
            take(transaction.atomic, to_tell, partial(a_room, "AAAAA"))
        a_room("BBBBB")
    assert (told, codes()) == (["all of it"], {"AAAAA", "BBBBB"})


@both
def test_what_the_database_refuses_to_commit_is_rolled_back(block: Block) -> None:
    told: list[int] = []
    outside = state()
    to_tell = partial(transaction.on_commit, lambda: told.append(1))
    of_no_match = Act(match=Match(pk=4711), number=1, kind=Act.Kind.SETUP)  # noticed at the commit
    with pytest.raises(IntegrityError):
        take(block, partial(a_room, "AAAAA"), to_tell, of_no_match.save)
    assert (told, codes(), state()) == ([], set(), outside)
    with block():
        a_room("BBBBB")
    assert codes() == {"BBBBB"}


@both
def test_a_connection_that_is_lost_meanwhile_is_made_anew(block: Block) -> None:
    outside = state()
    with pytest.raises(DatabaseError):
        take(block, partial(a_room, "AAAAA"), connections[DEFAULT_DB_ALIAS].close, codes)
    assert (codes(), state()) == (set(), outside)


def test_within_a_group_its_connection_is_at_hand() -> None:
    known = connections[DEFAULT_DB_ALIAS]
    with group():
        assert here() is known
    assert here() is known
