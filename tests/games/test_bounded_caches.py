"""Caches are bounded by bytes, or have few keys and small values."""

from __future__ import annotations

import gc
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import pytest

from games.cards.rules.texts import Texts
from games.contract.game import Game
from games.engine.bounded_cache import BoundedCache
from games.engine.memory import memory
from games.sockets.pages import TableConsumer
from tests.kit.costs import Audience

ROOT = Path(__file__).parents[2]
APPS = ("accounts", "chat", "config", "games", "lobby", "moderation", "operations")
CACHES = re.compile(
    r"@cache\b|[=@] *(?:functools\.)?(?:lru_cache|cache)\b(?:\(|$)|OrderedDict\(\)", re.M
)
ALLOWED = {
    "accounts/faces.py": "names of at most 20 characters; 24 characters in 12 colours",
    "accounts/likeness.py": "one value: the table of characters that look alike",
    "accounts/reserved_names.py": "keys are names of the site: one",
    "accounts/words.py": "two values: the words of the file and of the back office",
    "games/engine/bounded_cache.py": "the bounded cache itself",
    "games/engine/memory.py": "numbers: which rooms have changed lately",
    "games/engine/absent.py": "keys are games",
    "games/engine/reading.py": "one value: the threads for reads",
    "games/engine/figures.py": "keys are games and kinds of acts",
    "games/engine/options.py": "keys are games",
    "games/tables/sentences.py": "keys are languages and sentences of the code",
    "games/wire/schema.py": "keys are types of packets",
    "games/wire/wire.py": "keys are types",
    "games/pages/files.py": "keys are files that come with the code",
    "games/pages/forms.py": "keys are types of options",
    "games/pages/names.py": "names of 20 characters, as they are shown",
    "games/pages/templating.py": "keys are templates, languages, codes and names of 20 characters",
    "games/sockets/api.py": "keys are languages",
    "games/tables/views.py": "keys are types",
    "lobby/reference.py": "pages about games, options and packets, by language",
    "operations/doctor/address.py": "one value, in a command that ends",
    **dict.fromkeys(
        (
            "games/cards/telling/text.py",
            "games/chamber/telling/text.py",
            "games/contract/choices.py",
            "games/contract/core.py",
            "games/contract/luck.py",
            "games/coup/rules/views.py",
            "games/coup/telling/beats.py",
            "games/coup/telling/text.py",
            "games/mia/bots/observing.py",
            "games/mia/bots/odds.py",
            "games/mia/bots/rounds.py",
            "games/mia/bots/tables.py",
            "games/mia/bots/strategies.py",
            "games/mia/telling/text.py",
            "games/secret_hitler/bots/belief.py",
            "games/secret_hitler/bots/likelihood.py",
            "games/secret_hitler/bots/outlook.py",
            "games/secret_hitler/bots/worlds.py",
        ),
        "keys are positions, numbers and texts of the game's own",
    ),
}


def test_caches_of_large_values_are_bounded_by_bytes() -> None:
    """A new cache whose value sizes depend on users must be a `BoundedCache`."""
    found = {
        str(path.relative_to(ROOT))
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        if "tests" not in path.parts[-3:] and CACHES.search(path.read_text(encoding="utf-8"))
    }
    assert found == set(ALLOWED)


@dataclass(frozen=True)
class Part:
    key: str
    size: int


@dataclass(frozen=True)
class Value:
    size: int
    parts: tuple[Part, ...] = ()


def cache(most: int) -> BoundedCache[int, Value]:
    return BoundedCache(most, lambda value: value.size, lambda value: value.parts)


def test_least_recently_used_values_are_evicted_first() -> None:
    kept = cache(100)
    for key in range(50):
        kept.put(key, Value(2))
    assert len(kept) == 50
    kept.get(0)
    kept.put(99, Value(4))
    assert kept.size == 100
    assert kept.get(0) is not None
    assert kept.get(1) is None
    assert kept.get(2) is None
    assert kept.get(3) is not None
    kept.put(100, Value(90))
    assert kept.size <= 100
    assert kept.get(100) is not None


def test_replacing_a_value_updates_the_cache_size() -> None:
    kept = cache(100)
    for size in (60, 70, 80):
        kept.put(1, Value(size))
        assert kept.size == size
    kept.evict(1)
    assert (kept.size, len(kept)) == (0, 0)


def test_value_larger_than_the_cache_is_not_stored() -> None:
    kept = cache(100)
    kept.put(1, Value(101))
    assert kept.get(1) is None
    assert kept.size == 0


def test_shared_parts_count_once_until_the_last_value_is_evicted() -> None:
    kept, deck = cache(100), Part("deck", 60)
    kept.put(1, Value(10, (deck,)))
    kept.put(2, Value(10, (deck,)))
    assert kept.size == 80
    kept.evict(1)
    assert kept.size == 70
    kept.put(3, Value(10, (Part("other", 60),)))
    assert kept.get(2) is None
    assert kept.size == 70


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("slug", ["cards", "mia", "coup"])
def test_reported_size_of_a_table_approximates_its_memory_use(slug: str, settings: Any) -> None:
    settings.WS_BURST = 0
    table = Audience(slug, TableConsumer)
    for _ in range(12):
        assert table.move()
        assert table.show()
    held: Any = memory.get(table.room.pk)
    takes = bytes_of(held)
    assert takes / 2 < held.size < 2 * takes


SHARED = (
    *(type, ModuleType, FunctionType, CodeType, BuiltinFunctionType, MethodType),
    *(Game, Texts),
)
ELSEWHERE = ("jinja2", "django.db.backends", "django.utils", "asgiref", "asyncio", "channels")


def bytes_of(root: Any) -> int:
    """Return the size of an object with everything it refers to, except shared globals."""
    seen: set[int] = set()
    total, todo = 0, [root]
    while todo:
        one = todo.pop()
        there = type(one).__module__.startswith(ELSEWHERE)
        if id(one) in seen or isinstance(one, SHARED) or there:
            continue
        seen.add(id(one))
        total += sys.getsizeof(one)
        todo.extend(gc.get_referents(one))
    return total
