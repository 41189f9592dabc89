"""Beats pushed to pages: their timing, and speech bubbles beside seats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import count, pairwise
from typing import Any

import pytest

from games import rooms
from games.engine.memory import memory
from games.engine.snapshots import MatchSnapshot, load_snapshot
from games.models import Match
from games.pages import regions
from games.pages.beats import beats_region
from games.pages.page_diff import page_diff
from games.pages.templating import has_own_look, render
from games.pages.viewpoint import viewpoint_of
from games.registry import GAMES
from games.sockets.pages import TableConsumer
from games.tables.loading import load
from games.tables.table import Json, Table
from tests.kit.acting import act, looks, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.later import moving_on
from tests.kit.quick import quick
from tests.kit.staged import Staged

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _what_happens_is_shown(settings: Any) -> None:
    settings.BEATS = 1.0


def watched_match(**options: object) -> Match:
    """A match of two players with a spectator. All of them have a page open."""
    people = [PersonFactory() for _ in range(3)]
    room = open_table(*people, **options)
    rooms.set_spectating(room.pk, people[2].pk, True).result()
    looks(room, *people)
    return start_match(room)


def revealed(match: Match) -> tuple[Table, int, int, int]:
    """Reveal a bluff. Return the table, and the ids of challenger, challenged and spectator."""
    act(match, on_turn(match), "Roll")
    doubted = on_turn(match).user_id
    act(match, on_turn(match), "Announce", dice="6,6")
    before = load(match.room_id)
    doubter = on_turn(match).user_id
    act(match, on_turn(match), "See")
    now = load(match.room_id, before)
    watcher = next(m.user_id for m in now.members if m.spectator)
    assert None not in (doubted, doubter, watcher)
    return now, doubter, doubted, watcher


def shown(table: Table, user_id: int) -> list[Json]:
    return list(beats_region(table, table.acts, viewpoint_of(table, user_id, "en")).part["beats"])


def bubbles(table: Table, user_id: int) -> dict[str, str]:
    """Return the bubble beside each seat, by name."""
    (seats,) = (one for one in regions(table, user_id) if one.id == "seats")
    said = (item.part["seat"] for item in seats.items)
    return {seat["name"]: seat["bubble"].said for seat in said if seat["bubble"]}


def newest(table: Table, user_id: int) -> list[str]:
    """Return the names whose bubble is marked as the newest."""
    (seats,) = (one for one in regions(table, user_id) if one.id == "seats")
    said = (item.part["seat"] for item in seats.items)
    return [seat["name"] for seat in said if seat["bubble"] and seat["bubble"].newest]


def test_dice_shown_at_once_have_the_face_of_the_announcer() -> None:
    match = watched_match()
    act(match, on_turn(match), "Roll")
    before, announcer = load(match.room_id), on_turn(match)
    act(match, announcer, "Announce", dice="2,1")
    now = load(match.room_id, before)
    drawn = render(now, beats_region(now, now.acts, viewpoint_of(now, None, "en")), "en")
    pieces = re.findall(r"<template.*?</template>", drawn, re.DOTALL)
    name = load_snapshot(match.pk).names[announcer.seat]
    for piece in (pieces[0], pieces[-1]):  # before and after the result
        assert re.search(rf"<figcaption><bdi>{re.escape(name)}", piece), piece


def test_beats_are_simultaneous_for_all_and_address_each_viewer() -> None:
    now, doubter, doubted, watcher = revealed(watched_match(lives=2))
    for_each = {user_id: shown(now, user_id) for user_id in (doubter, doubted, watcher)}
    times = [[(beat["from"], beat["ms"]) for beat in beats] for beats in for_each.values()]
    assert times[0] == times[1] == times[2]
    names = {user_id: now.people[user_id].name for user_id in for_each}
    assert for_each[doubter][0]["text"] == "You call the bluff"
    assert for_each[watcher][0]["text"] == f"{names[doubter]} calls the bluff"
    assert [beat["sound"] for beat in for_each[watcher]] == ["knock", "dice", None]
    assert [beat["stage"] for beat in for_each[watcher]] == ["lift", "", ""]


def test_animation_before_the_reveal_does_not_contain_the_result() -> None:
    now, _, _, watcher = revealed(watched_match(lives=2))
    html = render(now, beats_region(now, now.acts, viewpoint_of(now, watcher, "en")), "en")
    first, *_, last = html.split("<template ")[1:]
    assert "data-told" in last
    assert "verdict" in last
    assert "verdict" not in first
    assert "heart-breaks" not in first
    assert "6-6!" in first


def test_act_with_a_reveal_is_sent_in_two_frames_and_others_in_one() -> None:
    match = watched_match(lives=2)
    before = load(match.room_id)
    act(match, on_turn(match), "Roll")
    rolled = load(match.room_id, before)
    watcher = next(m.user_id for m in rolled.members if m.spectator)
    assert len(page_diff(before, rolled, watcher, "en", {})) == 1
    act(match, on_turn(match), "Announce", dice="6,6")
    said = load(match.room_id, rolled)
    act(match, on_turn(match), "See")
    drawing, told = page_diff(said, load(match.room_id, said), watcher, "en", {})
    assert set(re.findall(r'hx-target="#([\w-]+)"', drawing)) == {"beats"}
    assert 'hx-target="#log-lines"' in told
    assert "beats" not in re.findall(r'hx-target="#([\w-]+)"', told)


def _each_act(staged: Staged) -> Iterator[MatchSnapshot]:
    """Play a match. After each act, yield the match as it was before."""
    with moving_on() as pass_:
        for minutes in count(1):
            seen = load_snapshot(staged.match.pk)
            if seen.over:
                return
            pass_(timedelta(minutes=minutes))  # until everything was shown
            staged.move(seen)
            yield seen


@pytest.mark.parametrize("game", quick(GAMES, "coup", "cards"))
def test_nothing_but_a_drawing_is_in_the_first_frame_of_any_game(game: str) -> None:
    staged = Staged(game, players=min(6, GAMES[game].seats[1]))
    looks(staged.room, *staged.people)
    viewers = (None, staged.watcher.pk, *(one.pk for one in staged.people))
    now, drawn = load(staged.room.pk), 0
    for seen in _each_act(staged):
        before, now = now, load(staged.room.pk, now)
        beats = beats_region(now, now.acts, viewpoint_of(now, None, "en")).part["beats"]
        is_drawn = any(beat["stage"] for beat in beats)
        memo: Json = {}
        for user_id in viewers:
            frames = page_diff(before, now, user_id, "en", memo)
            targets = [set(re.findall(r'hx-target="#([\w-]+)"', one)) for one in frames]
            assert sum("beats" in one for one in targets) <= 1
            assert not is_drawn or targets[0] == {"beats"}, (game, seen.phase, targets)
        drawn += is_drawn
    assert drawn or not has_own_look(game, "moment")


def test_beats_follow_each_other_until_an_answer_is_expected() -> None:
    now, _, _, watcher = revealed(watched_match(lives=2))
    beats = shown(now, watcher)
    for beat, after in pairwise(beats):
        assert beat["from"] + beat["ms"] == pytest.approx(after["from"], abs=1)
    assert now.match is not None
    assert now.match.row.awaited_from is not None
    over = now.match.row.awaited_from.timestamp() * 1000
    assert beats[-1]["from"] + beats[-1]["ms"] == pytest.approx(over, abs=1)


def test_batched_acts_are_shown_one_after_another() -> None:
    match = watched_match()
    before = load(match.room_id)
    act(match, on_turn(match), "Roll")
    act(match, on_turn(match), "Announce", dice="3,2")
    now = load(match.room_id, before)
    watcher = next(m.user_id for m in now.members if m.spectator)
    first, second = shown(now, watcher or 0)
    assert first["text"].endswith("rolls")
    assert second["text"].endswith("says 3-2")
    assert first["from"] + first["ms"] == pytest.approx(second["from"], abs=1)


def test_page_receives_only_beats_of_acts_after_it_connected() -> None:
    match = watched_match()
    act(match, on_turn(match), "Roll")
    before = load(match.room_id, with_story=True)
    page: Any = TableConsumer()
    page.user_id, page.room_id = on_turn(match).user_id, match.room_id
    sent: list[str] = []
    page.put_update = sent.extend
    page.show(None, before, {})
    assert "#beats" not in sent.pop()
    act(match, on_turn(match), "Announce", dice="3,2")
    page.show(before, load(match.room_id, before), {})
    assert 'hx-target="#beats" hx-swap="beforeend"><li data-from=' in sent[0]
    assert "You say 3-2</li>" in sent[0]


def test_speech_bubble_stays_until_the_next_player_speaks() -> None:
    match = watched_match()
    act(match, on_turn(match), "Roll")
    first = on_turn(match)
    act(match, first, "Announce", dice="3,2")
    now = load(match.room_id, load(match.room_id, with_story=True))
    assert bubbles(now, first.user_id or 0) == {first.name: "3-2!"}
    memory.put(now, memory.ticket())
    second = on_turn(match)
    act(match, second, "Roll")
    at_hand = memory.get(match.room_id)
    assert isinstance(at_hand, Table)
    assert bubbles(at_hand, first.user_id or 0) == {first.name: "3-2!"}
    act(match, second, "Announce", dice="4,1")
    fresh = load(match.room_id, with_story=True)  # people who join see it too
    assert bubbles(fresh, first.user_id or 0) == {second.name: "4-1!"}


def test_speech_bubble_addresses_its_target_and_has_a_short_form() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory(), game="coup", startCoins=3))
    actor = on_turn(match)
    other = next(name for name in load(match.room_id).names if name != actor.name)
    act(match, actor, "Steal", target=other)
    table = load(match.room_id, with_story=True)
    (seats,) = (one for one in regions(table, actor.user_id or 0) if one.id == "seats")
    (drawn,) = (
        html for html in (render(table, one, "en") for one in seats.items) if "bubble" in html
    )
    you = table.names.index(other)
    assert (
        f'<span data-s{you}="I am Arya, and I steal from you.">'
        f"I am Arya, and I steal from {other}.</span>"
        "<span>Arya</span>"
    ) in drawn


def test_answer_bubbles_stay_until_a_challenge_and_only_one_is_highlighted() -> None:
    match = start_match(open_table(*[PersonFactory() for _ in range(4)], game="coup"))
    actor = on_turn(match)
    act(match, actor, "Tax")
    others = [one for one in match.players.order_by("seat") if one.pk != actor.pk]
    act(match, others[0], "Pass")
    act(match, others[1], "Pass")
    table, viewer = load(match.room_id, with_story=True), actor.user_id or 0
    claimed = bubbles(table, viewer)
    assert claimed == {
        actor.name: "I am Petyr, and I collect taxes.",
        **{one.name: "Allow." for one in others[:2]},
    }
    assert newest(table, viewer) == [actor.name]
    act(match, others[2], "Challenge")
    table = load(match.room_id, with_story=True)
    challenged = bubbles(table, viewer)
    assert not {"Allow."} & set(challenged.values())
    assert challenged[others[2].name] == f"I challenge {actor.name}!"
    assert len(newest(table, viewer)) == 1


def test_challenge_bubble_is_shown_only_with_its_result() -> None:
    match = start_match(open_table(*[PersonFactory() for _ in range(3)], game="coup"))
    actor = on_turn(match)
    bluff = a_bluff(match, actor.seat)
    other = next(one for one in match.players.order_by("seat") if one.pk != actor.pk)
    act(match, actor, bluff, **({"target": other.name} if bluff == "Steal" else {}))
    act(match, other, "Challenge")
    table, viewer = load(match.room_id, with_story=True), actor.user_id or 0
    assert bubbles(table, viewer) == {
        actor.name: "Yes, I was bluffing.",
        other.name: f"I challenge {actor.name}!",
    }
    assert newest(table, viewer) == [actor.name]
    (seats,) = (one for one in regions(table, viewer) if one.id == "seats")
    drawn = [render(table, one, "en") for one in seats.items]
    (past,) = (html for html in drawn if "bubble past" in html)
    assert f'id="seat-{other.seat}"' in past
    act(match, actor, "LoseInfluence", card=0)
    assert bubbles(load(match.room_id, with_story=True), viewer) == {}


def a_bluff(match: Match, seat: int) -> str:
    """Return an action for which this seat lacks the role."""
    held = {card.role for card in load_snapshot(match.pk).state.hands[seat]}
    claims = {"Tax": "baelish", "Exchange": "jaqen", "Steal": "arya"}
    return next(action for action, role in claims.items() if role not in held)
