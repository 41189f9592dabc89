"""Bots' claims come in order, once, before the next move, and are heard by other bots."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import pytest

from chat.models import Message
from games import rooms
from games.contract.core import Claim
from games.contract.data import Seat
from games.engine import talk
from games.models import Act, Match
from games.registry import GAMES
from games.secret_hitler.rules.claims import ChatClaim
from tests.kit.acting import change_rules, ticking
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)
LEVELS = ("random", "normal")


def honest(seat: Seat, view: Any, claims: Any, heard: Any, said: Any, luck: Any) -> Any:
    (claim,) = claims
    return ChatClaim(claim.kind, claim.true)


def played(until: Callable[[], object]) -> Match:
    """Play a match among bots until the condition holds or the match is over."""
    host = PersonFactory()
    room = open_table(host, game="secret_hitler", bots=5, onLeave="substitute")
    match = start_match(room)
    with ticking():
        rooms.leave(room.pk, host.pk).result()
        wait_for(lambda: until() or Match.objects.exclude(ended_at=None).exists())
    return match


def enactments(match: Match) -> dict[int, int]:
    """Return the index of each session in the history, by the version that finished it."""
    found, at = {}, -1
    for act in Act.objects.filter(match=match):
        for told in act.told:
            event = told["event"]
            at += event["type"] == "VotesRevealed"
            if event["type"] == "PolicyEnacted" and event["by"] == "government":
                found[at] = act.number
            at += event["type"] == "PolicyEnacted" and event["by"] == "chaos"
    return found


def test_bots_claim_in_order_before_the_next_move_and_hear_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: dict[Seat, list[Any]] = defaultdict(list)
    normal = GAMES["secret_hitler"].bots.levels["normal"]

    def listening(*args: Any) -> Any:
        heard[args[0]].append(args[4])
        return normal(*args)

    change_rules(
        monkeypatch,
        "secret_hitler",
        talks=dict.fromkeys(LEVELS, honest),
        levels=dict.fromkeys(LEVELS, listening),
    )
    match = played(lambda: Message.objects.count() >= 5)
    made = [(m.claim["about"], m.claim["kind"], m.after, m.name) for m in Message.objects.all()]
    assert made
    assert [kind for _about, kind, *_ in made[:2]] == ["drawn", "received"]
    finished = enactments(match)
    for about, kind, after, _name in made:
        if kind != "peeked":
            assert after == finished[about]
    assert Counter(count for count in Counter(made).values()) == {1: len(made)}
    for all_said in heard.values():
        longest = all_said[-1]
        assert all(said == longest[: len(said)] for said in all_said)
        assert [(c.about, c.kind) for c in longest] == [m[:2] for m in made[: len(longest)]]
        assert [c.after for c in longest] == sorted(c.after for c in longest)


def test_bot_that_declines_a_claim_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Seat, Claim]] = []

    def silent(seat: Seat, view: Any, claims: Any, *rest: Any) -> None:
        asked.extend((seat, claim) for claim in claims)

    change_rules(monkeypatch, "secret_hitler", talks=dict.fromkeys(LEVELS, silent))
    played(lambda: len(asked) >= 5)
    assert asked
    assert not Message.objects.exists()
    assert max(Counter(talk.key_of(seat, claim) for seat, claim in asked).values()) == 1


def test_failed_or_illegal_bot_claim_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def cheat(seat: Seat, view: Any, claims: Any, *rest: Any) -> Any:
        asked.append(seat)
        if len(asked) == 1:
            raise ZeroDivisionError
        return ChatClaim(claims[0].kind, ("blue",)) if seat % 2 else ChatClaim("peeked", ())

    change_rules(monkeypatch, "secret_hitler", talks=dict.fromkeys(LEVELS, cheat))
    match = played(lambda: len(asked) >= 4)
    match.refresh_from_db()
    assert not match.broken
    assert not Message.objects.exists()
