"""Data that Cards matches share is stored once, as long as a match refers to it."""

from __future__ import annotations

import gc
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from games.cards import decks
from games.cards.rules.packs import Answer, Pack, Prompt
from games.contract.luck import Luck
from games.engine import state_parts
from games.engine.snapshots import Parked, cache, decode_snapshot, load_snapshot
from games.history import retention
from games.history.verify import differences
from games.models import Deck, Match, StatePart
from tests.kit.corpus import play_on, restore, stored
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "x" * 100


def kept_deck(owner: Any, answers: int = 60) -> Deck:
    pack = Pack(
        slug="x",
        name="Geese",
        language="en",
        prompts=tuple(Prompt(n, f"Why {n} _?") for n in range(1, 21)),
        answers=tuple(Answer(n, f"{LONG} {n}") for n in range(101, 101 + answers)),
    )
    deck: Deck = decks.keep(owner.pk, pack).result()
    return deck


def begun(owner: Any, *slugs: str) -> Match:
    room = open_table(owner, PersonFactory(), PersonFactory(), game="cards", packs=[*slugs])
    return start_match(room)


def forget() -> None:
    """Clear caches as in a new process."""
    for match in Match.objects.all():
        cache.evict(match.pk)
    for part in StatePart.objects.all():
        state_parts._recent.evict(part.pk)
    gc.collect()
    state_parts._in_use.clear()


def test_deck_texts_are_stored_once_for_all_matches() -> None:
    ann = PersonFactory()
    deck = kept_deck(ann)
    matches = [begun(ann, deck.slug) for _ in range(3)]
    for match in matches:
        assert LONG not in match.state
        (part,) = match.parts.all()
        assert part.source.count(LONG) == 60
    assert StatePart.objects.count() == 1
    first, second = (load_snapshot(match.pk).state.stock for match in matches[:2])
    assert first.parts[0] is second.parts[0]


def test_match_keeps_its_texts_if_the_deck_is_deleted() -> None:
    ann = PersonFactory()
    deck = kept_deck(ann)
    match = begun(ann, deck.slug)
    shown = load_snapshot(match.pk)
    Deck.objects.all().delete()
    forget()
    now = decode_snapshot(Match.objects.get(pk=match.pk))
    for seat in (None, 0, 1, 2):
        assert now.game.rules.view(now.state, seat) == shown.game.rules.view(shown.state, seat)
    play_on(match.pk, Luck(b"on", 0))
    assert not list(differences(Match.objects.get(pk=match.pk)))


def test_match_with_missing_texts_is_parked() -> None:
    ann = PersonFactory()
    match = begun(ann, kept_deck(ann).slug)
    forget()
    match.parts.clear()
    StatePart.objects.all().delete()
    with pytest.raises(Parked):
        decode_snapshot(match)


def test_parts_are_deleted_a_day_after_their_last_match() -> None:
    ann = PersonFactory()
    match, other = begun(ann, kept_deck(ann).slug), begun(ann, "own-de")
    soon, later = (timezone.now() + timedelta(hours=hours) for hours in (23, 25))
    retention.prune(later)
    assert StatePart.objects.count() == 2
    Match.objects.get(pk=match.pk).delete()
    retention.prune(soon)
    assert StatePart.objects.count() == 2
    retention.prune(later)
    assert [part.pk for part in StatePart.objects.all()] == [p.pk for p in other.parts.all()]


def test_starting_a_match_renews_parts_due_for_deletion() -> None:
    ann = PersonFactory()
    deck = kept_deck(ann)
    begun(ann, deck.slug).delete()
    StatePart.objects.update(used_at=timezone.now() - timedelta(days=9))
    begun(ann, deck.slug)
    match_again = Match.objects.get()
    match_again.parts.clear()  # as if retention had run before
    retention.delete_unused_parts(timezone.now()).result()
    assert StatePart.objects.exists()


def test_state_of_version_1_is_converted_by_the_next_act() -> None:
    path = next(path for path in stored() if path.stem == "cards")
    number = restore(json.loads(Path(path).read_text(encoding="utf-8")))
    before = Match.objects.get(pk=number)
    assert before.game_version == 1
    assert "I have nothing to declare at customs" in before.state
    play_on(number, Luck(b"on", 0), acts=1)
    shown = load_snapshot(number)
    after = Match.objects.get(pk=number)
    assert after.game_version == 2
    assert "customs" not in after.state
    assert len(after.state) < len(before.state) / 5
    (part,) = after.parts.all()
    assert "I have nothing to declare at customs" in part.source
    forget()
    now = load_snapshot(number)
    assert now is not shown
    for viewer in (None, *now.state.hands):
        assert now.game.rules.view(now.state, viewer) == shown.game.rules.view(shown.state, viewer)
