"""Drawings of the ballots, the Hitler question and an execution do not reveal the outcome."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.db.models import F

from games.engine import matches
from games.engine.snapshots import load_snapshot
from games.models import Match, Player
from games.secret_hitler.rules import government
from games.tables.loading import load
from tests.kit.acting import act, on_turn
from tests.kit.drawings import Drawing, drawing, watched

pytestmark = pytest.mark.django_db(transaction=True)

MOST = 1700
"""Maximum characters of a drawing for five."""
LONG_ENOUGH = 1200
"""Milliseconds for which the result of an election is shown before the Hitler question."""
WHO = re.compile(r"<figure.*?</figure>|<p class=\"sh-asked\">.*?</p>|<i data-seat=\"\d\">.*?</i>")


@pytest.fixture(autouse=True)
def _what_happens_is_shown(settings: Any) -> None:
    settings.BEATS = 1.0


def seats_of(match: Match) -> list[Player]:
    return list(match.players.order_by("seat"))


def name(match: Match, who: Player, type_: str, player: Player) -> None:
    matches.move(match.room_id, who.user_id, {"type": type_, "player": player.name}, None).result()


def with_a_candidate_who_is_not_hitler() -> Match:
    while True:
        match = watched("secret_hitler", 5)
        if load_snapshot(match.pk).state.roles[on_turn(match).seat] != "hitler":
            return match


def voted(match: Match, ballots: str, hitler: bool = False) -> Drawing:
    """Return the drawing of the last vote. `ballots` in seat order, on Hitler or another player."""
    roles, candidate = load_snapshot(match.pk).state.roles, on_turn(match)
    chancellor = next(
        one
        for one in seats_of(match)
        if one.pk != candidate.pk and (roles[one.seat] == "hitler") == hitler
    )
    name(match, candidate, "ChancellorNomination", chancellor)
    *others, last = zip(seats_of(match), ballots, strict=True)
    for player, ballot in others:
        act(match, player, "Vote", ja=ballot == "J")
    before = load(match.room_id)
    act(match, last[0], "Vote", ja=last[1] == "J")
    return drawing(before, match)


def cards(drawn: Drawing) -> list[tuple[int, str]]:
    """Return the pieces drawn before the result, without faces and names."""
    return [(at, WHO.sub("", html)) for at, html in drawn.before]


def test_only_the_last_ballot_reveals_the_result() -> None:
    elected = voted(watched("secret_hitler", 5), "JNJNJ")
    rejected = voted(watched("secret_hitler", 5), "JNJNN")
    assert [beat["stage"] for beat in elected.stages] == ["ballots"]
    assert elected.stages == rejected.stages
    assert [at for at, _ in elected.before] == [at for at, _ in rejected.before]
    assert cards(elected) == cards(rejected)
    for drawn, verdict in ((elected, "Elected"), (rejected, "Rejected")):
        assert verdict in drawn.told
        assert not any(verdict in html for _, html in drawn.before)
        assert drawn.size <= MOST
        at = [at for at, _ in drawn.before]
        assert at == sorted(at)
        assert max(at) <= 1600
    assert '<b class="ja">3</b>' in elected.told
    assert '<b class="nein">3</b>' in rejected.told


def test_every_ballot_is_revealed_once_even_if_the_result_is_clear() -> None:
    for ballots in ("JJJJJ", "NNNNN", "JJNNN", "NJJJN"):
        drawn = voted(watched("secret_hitler", 5), ballots)
        html = "".join(html for _, html in drawn.before)
        assert html.count(">Ja!<") + html.count(">Nein<") == 4
        assert drawn.told.count(">Ja!<") + drawn.told.count(">Nein<") == 1
        seats = re.findall(r"<i class=\"(?:ja|nein)\" data-seat=\"(\d)\"", html + drawn.told)
        assert sorted(seats) == ["0", "1", "2", "3", "4"]
        is_elected = ballots.count("J") > 2
        assert (">Ja!<" in drawn.told) == is_elected


def test_hitler_question_does_not_reveal_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(government, "HITLER_ZONE", 0)
    is_hitler = voted(with_a_candidate_who_is_not_hitler(), "JJJJJ", hitler=True)
    is_not = voted(with_a_candidate_who_is_not_hitler(), "JJJJJ")
    for drawn in (is_hitler, is_not):
        assert [beat["stage"] for beat in drawn.stages] == ["ballots", "elected", "hitler"]
        (elected, stamp), (asked, _), _ = drawn.before[-3:]
        assert "Elected" in stamp
        assert (elected, asked) == tuple(beat["from"] for beat in drawn.stages[1:])
        assert asked - elected >= LONG_ENOUGH
        assert "?" in drawn.before[-2][1]
        assert "sweat" in drawn.before[-2][1]
        for _, html in drawn.before:
            assert "is-hitler" not in html
            assert "Not Hitler" not in html
    plain = {"text": "", "beside": "", "seat": None}
    first = [{**beat, **plain} for beat in is_hitler.stages]
    assert first == [{**beat, **plain} for beat in is_not.stages]
    assert [at for at, _ in is_hitler.before] == [at for at, _ in is_not.before]
    assert cards(is_hitler)[-2:] == cards(is_not)[-2:]
    assert "is Hitler!" in is_hitler.told
    assert "Not Hitler." in is_not.told
    assert is_hitler.below[0] == "The fascists win"
    assert is_not.below == ["The match goes on"]


def executed(monkeypatch: pytest.MonkeyPatch, hitler: bool) -> Drawing:
    monkeypatch.setattr(government, "powers", lambda n: ("execute",) * 5)
    while True:
        match = with_a_candidate_who_is_not_hitler()
        president = on_turn(match)
        voted(match, "JJJJJ")
        act(match, president, "PresidentPolicies", keep=[0, 1])
        hand = load_snapshot(match.pk).state.hand
        if "fascist" in hand:
            break
    act(match, on_turn(match), "ChancellorPolicy", enact=hand.index("fascist"))
    roles, before = load_snapshot(match.pk).state.roles, load(match.room_id)
    target = next(
        one
        for one in seats_of(match)
        if one.seat != president.seat and (roles[one.seat] == "hitler") == hitler
    )
    name(match, president, "ExecutePlayer", target)
    return drawing(before, match)


def test_execution_reveals_only_at_the_end_whether_it_was_hitler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    was, was_not = executed(monkeypatch, hitler=True), executed(monkeypatch, hitler=False)
    for drawn in (was, was_not):
        assert [beat["stage"] for beat in drawn.stages] == ["execution"]
        assert all("is-hitler" not in html for _, html in drawn.before)
    assert was.stages[0]["ms"] == was_not.stages[0]["ms"]
    assert cards(was) == cards(was_not)
    assert "was Hitler!" in was.told
    assert "Not Hitler." in was_not.told
    assert "The liberals win" in was.below
    assert not [one for one in (*was.below, *was_not.below) if "Hitler" in one]


def in_chaos(top: str) -> Drawing:
    """Return the drawing of the third failed vote in a row, with this policy on top of the deck."""
    match = watched("secret_hitler", 5)
    for ballots in ("NNNNN", "NNJNN"):
        voted(match, ballots)
    state = load_snapshot(match.pk).state
    deck = tuple(sorted(state.deck, key=lambda tile: tile != top))
    stored = json.loads(Match.objects.get(pk=match.pk).state) | {"deck": deck}
    Match.objects.filter(pk=match.pk).update(state=json.dumps(stored), version=F("version") + 1)
    return voted(match, "NJNJN")


def test_chaos_turns_the_top_policy_after_the_vote() -> None:
    liberal, fascist = in_chaos("liberal"), in_chaos("fascist")
    assert [beat["stage"] for beat in liberal.stages] == ["ballots", "rejected", "chaos"]
    assert liberal.stages[1]["text"] == "The government is rejected"
    assert [{**beat, "text": ""} for beat in liberal.stages] == [
        {**beat, "text": ""} for beat in fascist.stages
    ]
    assert [at for at, _ in liberal.before] == [at for at, _ in fascist.before]
    assert cards(liberal)[-2:] == cards(fascist)[-2:]
    assert "Rejected" in liberal.before[-3][1]
    for drawn, policy in ((liberal, "liberal"), (fascist, "fascist")):
        label = f"<b>{policy.capitalize()}</b>"
        assert not any(label in html for _, html in drawn.before)
        assert "Chaos!" in drawn.told
        assert label in drawn.told
        assert drawn.below == [
            f"{policy.capitalize()} policy: 1 of {5 if policy == 'liberal' else 6}"
        ]
