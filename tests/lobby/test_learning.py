"""Lessons: a private table, prepared random draws, and a coach."""

from __future__ import annotations

import re

import msgspec
import pytest
from django.core.management import call_command
from django.test import Client

from games import rooms
from games.contract.data import Seat, pack
from games.contract.lesson import LEARNER, Lesson
from games.contract.luck import commitment
from games.engine import matches
from games.engine.snapshots import load_snapshot
from games.history import counting
from games.history.verify import commitment_of, differences
from games.mia.rules.state import MIA, Announce, Continue, Roll
from games.models import Match, Room
from games.registry import GAMES
from games.rooms.evening import evening_of
from lobby.history import past
from lobby.listing import mine, own_tables
from lobby.statistics import statistics
from tests.kit.acting import act, change_rules, on_turn, play_out, ticking
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import as_guest, as_user
from tests.kit.waiting import patiently

pytestmark = pytest.mark.django_db(transaction=True)

SENTENCE = "and nobody else has seen the dice"


def learn(client: Client, game: str = "mia") -> Match:
    """Return the match to which the button leads."""
    answer = client.post("/learn/", {"name": "Ann", "game": game})
    assert answer.status_code == 302
    room = Room.objects.get(code=answer["Location"].strip("/").split("/")[-1])
    assert room.match_id is not None
    return Match.objects.get(pk=room.match_id)


def page_of(client: Client, match: Match) -> str:
    return client.get(f"/t/{match.room.code}/").content.decode()


def lie_about_mia_to_the_end(match: Match) -> Match:
    """Let everybody announce Mia, mostly falsely, until one is left."""
    while (seen := load_snapshot(match.pk)).row.ended_at is None:
        goes_on = seen.phase == "result"
        asked = (
            [Seat(p.seat) for p in seen.players] if goes_on else seen.game.rules.awaited(seen.state)
        )
        seat = next(at for at in asked if seen.game.rules.offers(seen.state, at))
        made = Continue() if goes_on else Roll() if seen.phase == "turn" else Announce(MIA)
        if seat == LEARNER:
            packet = {"type": type(made).__name__, **msgspec.structs.asdict(made)}
            matches.move(match.room_id, seen.players[seat].user_id, packet).result()
        else:
            matches.bot_move(match.pk, seat, seen.state.prompts[seat], made).result()
    match.refresh_from_db()
    return match


def test_lesson_is_a_private_match_with_a_prepared_seed(client: Client) -> None:
    match = learn(client)
    lesson = GAMES["mia"].telling.lesson
    assert lesson is not None
    assert match.lesson
    assert match.room.visibility == Room.Visibility.UNLISTED
    assert match.players.count() == lesson.seats
    assert match.players.get(bot="").seat == LEARNER
    assert commitment_of(match) == commitment(bytes.fromhex(lesson.secret("mia")))
    assert match.deadline is None
    assert 'id="coach"' in page_of(client, match)


def test_bots_follow_the_script_and_only_the_learner_sees_the_coach(client: Client) -> None:
    match = learn(client)
    eve = PersonFactory(name="Eve")
    rooms.join(match.room.code, eve.pk, "Eve", spectate=True).result()
    with ticking():
        for _ in patiently("the bot says nothing"):
            if on_turn(match).seat == LEARNER:
                break
    assert load_snapshot(match.pk).row.deadline is None, "one may read as long as one likes"
    assert SENTENCE in page_of(client, match)
    assert SENTENCE not in page_of(as_user(eve), match)


def test_abandoned_lesson_is_resumed(client: Client) -> None:
    match = learn(client)
    assert learn(client) == match
    assert learn(client, "secret_hitler") != match
    assert learn(as_guest("Bob")[0]) != match


def test_abandoned_lesson_is_not_listed_as_waiting(client: Client) -> None:
    match = learn(client)
    learner = load_snapshot(match.pk).players[LEARNER].user
    assert learner is not None
    with ticking():
        for _ in patiently("it is never the learner's turn"):
            now = load_snapshot(match.pk)
            if LEARNER in now.game.rules.awaited(now.state):
                break
    assert own_tables(learner)
    assert not mine(learner).waiting


def test_lesson_is_excluded_from_statistics_and_marked_as_prepared(client: Client) -> None:
    match = lie_about_mia_to_the_end(learn(client))
    person = match.players.get(seat=LEARNER).user
    assert not list(differences(match)), "every draw follows from the seed"
    counting.run()
    assert statistics(person, person).games == []
    assert [one["lesson"] for one in past(person).matches] == [True]
    match.room.refresh_from_db()
    assert match.room.standings == {}
    assert evening_of(match.room) == ()
    said = "This was a lesson: we chose the server seed"
    assert said in page_of(client, match)
    assert said in client.get(f"/matches/{match.pk}/").content.decode()
    assert "/learn/" not in page_of(client, match)


def test_verification_explains_the_fixed_seed_of_a_lesson(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    match = lie_about_mia_to_the_end(learn(client))
    call_command("verify_match", str(match.pk))
    said = capsys.readouterr().out
    assert "its seed is fixed and public" in said
    assert "could influence" not in said


def test_match_after_a_lesson_is_an_ordinary_one(client: Client) -> None:
    match = lie_about_mia_to_the_end(learn(client))
    assert match.room.host_id is not None
    again = Match.objects.get(pk=rooms.start(match.room_id, match.room.host_id).result())
    assert not again.lesson
    assert again.options == pack(GAMES["mia"].rules.options())
    assert again.secret != match.secret


def test_lesson_is_offered_once_to_first_time_visitors(client: Client) -> None:
    offer = "Learn Mia in 2 minutes"
    assert offer in client.get("/").content.decode()
    assert offer not in client.get("/").content.decode()
    assert offer not in as_guest("Bob")[0].get("/").content.decode()


def test_game_without_a_lesson_offers_none(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.post("/learn/", {"name": "Ann", "game": "chess"}).status_code == 422
    change_rules(monkeypatch, "mia", lesson=Lesson())
    assert 'formaction="/learn/" name="game" value="mia"' not in client.get("/").content.decode()
    refused = client.post("/learn/", {"name": "Ann", "game": "mia"})
    assert refused.status_code == 422
    assert "There is no lesson of this game yet." in refused.content.decode()
    assert not Room.objects.exists()


def test_hints_appear_in_the_first_two_matches_and_can_be_turned_off() -> None:
    client, ann = as_guest()
    room = open_table(ann, PersonFactory(), lives=1)
    for matches_before in range(3):
        match = start_match(Room.objects.get(pk=room.pk))
        roller = on_turn(match)
        act(match, roller, "Roll")
        page = page_of(as_user(roller.user), match)
        told = re.search(r'<p id="hint"[^>]*>(.*?)</p>', page)
        assert told is not None
        assert bool(told[1]) == (matches_before < 2)
        act(match, roller, "Announce", dice="3,2")
        act(match, on_turn(match), "Roll")
        act(match, on_turn(match), "Announce", dice="2,1")
    assert 'data-unhinted="yes"' not in client.get("/").content.decode()
    client.post("/you/habit/", {"habit": "unhinted", "on": "yes"})
    assert 'data-unhinted="yes"' in client.get("/").content.decode()


def test_only_newcomers_to_the_game_get_hints() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    for _ in range(2):
        play_out(open_table(ann, PersonFactory(), lives=1))
    match = start_match(open_table(ann, bob, bots=1))
    assert [p.newcomer for p in load_snapshot(match.pk).players] == [
        p.user_id == bob.pk for p in load_snapshot(match.pk).players
    ]
    other = start_match(open_table(ann, PersonFactory(), game="chamber"))
    assert all(player.newcomer for player in load_snapshot(other.pk).players)
