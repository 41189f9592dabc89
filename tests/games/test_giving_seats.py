"""The host gives an absent player's seat to a visitor who claims to be that player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import rooms
from games.contract.core import Ignored, Refused
from games.engine.snapshots import load_snapshot
from games.engine.time_source import source
from games.models import Announcement, Match, Member, Player, Room
from games.pages.page import first_view, sheet_of
from games.rooms import giving_seats
from games.rooms.passwords import hashed
from games.rooms.vote_kinds import LONG_ABSENT
from games.rooms.votes import cast_vote
from games.tables.decisions import table_vote
from games.tables.loading import load
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.later import moving_on
from tests.kit.people import as_user, who

pytestmark = pytest.mark.django_db(transaction=True)


Later = Callable[[timedelta], None]


@pytest.fixture
def later() -> Iterator[Later]:
    with moving_on() as pass_:
        yield pass_
    source.adopt()


def _match(**options: Any) -> tuple[Room, Match, list[User]]:
    people: list[User] = [PersonFactory(name=name) for name in ("Ann", "Bob", "Cleo")]
    room = open_table(*people, game="mia", pace="none", **options)
    return room, start_match(room), people


def _away(user: User) -> None:
    Member.objects.filter(user=user).update(away_since=timezone.now() - timedelta(seconds=20))


def _at_the_door(room: Room, name: str = "Bob", **more: str) -> tuple[Client, str]:
    browser = Client()
    page = browser.post(f"/t/{room.code}/", {"name": name, **more}, follow=True)
    return browser, page.content.decode()


def _member(room: Room, name: str) -> Member:
    return room.members.get(name=name, left_at=None)


def test_visitor_can_claim_an_absent_players_seat_and_receive_it(later: Later) -> None:
    room, match, (ann, bob, _cleo) = _match()
    _away(bob)
    _browser, entrance = _at_the_door(room)
    assert "Bob plays here and is away. Was that you?" in entrance
    browser, page = _at_the_door(room, was="on")
    assert 'id="table"' in page
    again = _member(room, "Bob 2")
    assert again.spectator
    assert "Give Bob&#39;s seat" in first_view(room, ann.pk, "en")["people"]
    assert "Give Bob" not in first_view(room, again.user_id, "en")["people"]
    later(giving_seats.OWNER_ANSWERS)
    rooms.give_seat(room.pk, ann.pk, "Bob", again.pk).result()
    here = who(browser)
    assert here is not None
    seat = load_snapshot(match.pk).seat_of(here.pk)
    assert seat is not None
    assert load_snapshot(match.pk).players[seat].name == "Bob 2"
    assert not _member(room, "Bob 2").spectator
    told = Announcement.objects.filter(person=None).order_by("pk").values_list("code", "text")
    assert list(told) == [("says_was", "Bob 2 → Bob"), ("seat_given", "Bob 2 → Bob")]
    assert "Bob 2 plays on for Bob." in first_view(room, ann.pk, "en")["log"]


def test_settled_claim_is_no_longer_shown(later: Later) -> None:
    room, match, (ann, bob, _cleo) = _match()
    _away(bob)
    _at_the_door(room, was="on")
    later(giving_seats.OWNER_ANSWERS)
    rooms.give_seat(room.pk, ann.pk, "Bob", _member(room, "Bob 2").pk).result()
    page = as_user(bob).get("/rules/mia/").content.decode()
    assert "claims your seat" not in page
    assert "Your seat was given to Bob 2." in page


def test_owner_has_a_minute_to_refuse_a_claim(later: Later) -> None:
    room, match, (ann, bob, _cleo) = _match()
    later(timedelta(minutes=10))
    Member.objects.filter(user=bob).update(away_since=source.now() - timedelta(minutes=5))
    _at_the_door(room, was="on")
    claimant = _member(room, "Bob 2").pk
    with pytest.raises(Refused, match="owner_asked"):
        rooms.give_seat(room.pk, ann.pk, "Bob", claimant).result()
    assert load_snapshot(match.pk).seat_of(bob.pk) is not None
    page = as_user(bob).get("/rules/mia/").content.decode()
    assert "Bob 2 claims your seat. Open the table to keep it." in page
    assert f'<a href="/t/{room.code}/">It is mine: back to the table</a>' in page
    assert "claims your seat" not in as_user(bob).get(f"/t/{room.code}/").content.decode()
    rooms.join(room.code, bob.pk, "Bob").result()  # they have the page open
    assert "claims your seat" not in as_user(bob).get("/rules/mia/").content.decode()
    assert _member(room, "Bob 2").says_was == ""
    assert Announcement.objects.filter(code="seat_kept", text="Bob").exists()
    _away(bob)
    later(timedelta(minutes=20))
    Member.objects.filter(user=bob).update(away_since=source.now() - timedelta(seconds=90))
    with pytest.raises(Refused, match="absent_soon"):
        rooms.give_seat(room.pk, ann.pk, "Bob", claimant).result()
    assert load_snapshot(match.pk).seat_of(bob.pk) is not None


def test_absence_after_the_claim_gives_the_owner_another_minute(
    later: Later,
) -> None:
    room, _match_, (ann, bob, _cleo) = _match()
    _away(bob)
    _at_the_door(room, was="on")
    later(timedelta(minutes=10))
    Member.objects.filter(user=bob).update(away_since=source.now() - timedelta(seconds=9))
    with pytest.raises(Refused, match="owner_asked"):
        rooms.give_seat(room.pk, ann.pk, "Bob", _member(room, "Bob 2").pk).result()


def _watcher(room: Room, name: str = "Dan") -> tuple[User, int]:
    person = PersonFactory(name=name)
    rooms.join(room.code, person.pk, name, spectate=True).result()
    return person, _member(room, name).pk


def test_giving_a_seat_without_a_claim_needs_a_vote(later: Later) -> None:
    room, match, (ann, bob, cleo) = _match()
    dan, heir = _watcher(room)
    _away(bob)
    with pytest.raises(Refused, match="absent_soon"):
        rooms.give_seat(room.pk, ann.pk, "Bob", heir).result()
    later(LONG_ABSENT)
    rooms.give_seat(room.pk, ann.pk, "Bob", heir).result()
    vote = table_vote(load(room.pk))
    assert vote is not None
    assert (vote.about, vote.username, vote.heir) == ("seat", "Bob", "Dan")
    assert (vote.voters, vote.yes, vote.needed) == (("Cleo",), (), 1)
    for person in (ann, dan):
        with pytest.raises(Refused, match="came_later"):
            cast_vote(room.pk, person.pk, True).result()
    assert load_snapshot(match.pk).seat_of(dan.pk) is None
    cast_vote(room.pk, cleo.pk, True).result()
    seat = load_snapshot(match.pk).seat_of(dan.pk)
    assert seat is not None
    assert load_snapshot(match.pk).players[seat].name == "Dan"
    assert "Dan plays on for Bob." in first_view(room, cleo.pk, "en")["log"]


def test_seat_vote_fails_when_the_owner_is_back(later: Later) -> None:
    room, match, (ann, bob, cleo) = _match()
    dan, heir = _watcher(room)
    _away(bob)
    later(LONG_ABSENT)
    rooms.give_seat(room.pk, ann.pk, "Bob", heir).result()
    rooms.seen([_member(room, "Bob").pk]).result()
    cast_vote(room.pk, cleo.pk, True).result()
    assert load_snapshot(match.pk).seat_of(dan.pk) is None
    assert load_snapshot(match.pk).seat_of(bob.pk) is not None


def test_host_without_other_voters_cannot_give_a_seat_away(later: Later) -> None:
    ann, bob = PersonFactory(name="Ann"), PersonFactory(name="Bob")
    room = open_table(ann, bob, game="mia", pace="none")
    start_match(room)
    _dan, heir = _watcher(room)
    _away(bob)
    later(LONG_ABSENT)
    with pytest.raises(Refused, match="nobody_votes"):
        rooms.give_seat(room.pk, ann.pk, "Bob", heir).result()


def _given(later: Later, **options: Any) -> tuple[Room, Match, list[User], User]:
    """Give Bob's seat to Dan by a vote."""
    room, match, people = _match(**options)
    dan, heir = _watcher(room)
    _away(people[1])
    later(LONG_ABSENT)
    rooms.give_seat(room.pk, people[0].pk, "Bob", heir).result()
    cast_vote(room.pk, people[2].pk, True).result()
    assert load_snapshot(match.pk).seat_of(dan.pk) is not None
    return room, match, people, dan


def test_former_owner_is_informed_and_returns_as_a_spectator(later: Later) -> None:
    room, match, (_ann, bob, _cleo), _dan = _given(later)
    page = as_user(bob).get("/rules/mia/").content.decode()
    assert "Your seat was given to Dan. You can come back to the table." in page
    rooms.join(room.code, bob.pk, "Bob").result()
    assert _member(room, "Bob").away_since is None
    assert load_snapshot(match.pk).seat_of(bob.pk) is None


def test_former_owner_regains_the_seat_when_the_heir_has_left(later: Later) -> None:
    room, match, (_ann, bob, _cleo), dan = _given(later, onLeave="substitute")
    rooms.leave(room.pk, bob.pk).result()
    rooms.leave(room.pk, dan.pk).result()
    rooms.join(room.code, bob.pk, "Bob").result()
    held = Player.objects.get(match=match, user=bob)
    assert (held.name, held.gone, held.bot, held.owner_before_id) == ("Bob", "", "", None)


def test_former_owner_may_watch_a_table_without_spectators(later: Later) -> None:
    room, match, (_ann, bob, _cleo) = _match()
    dan, heir = _watcher(room)
    Room.objects.filter(pk=room.pk).update(options={**room.options, "spectators": "none"})
    _away(bob)
    later(LONG_ABSENT)
    rooms.give_seat(room.pk, room.host_id or 0, "Bob", heir).result()
    cast_vote(room.pk, _cleo.pk, True).result()
    rooms.leave(room.pk, bob.pk).result()
    rooms.join(room.code, bob.pk, "Bob", spectate=True).result()
    assert _member(room, "Bob")
    assert load_snapshot(match.pk).seat_of(dan.pk) is not None


def test_visitor_is_told_when_to_claim_a_recently_active_seat() -> None:
    room, _match_, (_ann, bob, _cleo) = _match()
    _browser, entrance = _at_the_door(room)
    assert "Try again in half a minute" in entrance
    _away(bob)
    _browser, entrance = _at_the_door(room)
    assert "Try again in half a minute" not in entrance
    Member.objects.filter(name="Cleo").update(name="Dan", key="dan")
    _browser, entrance = _at_the_door(room, "Dan")  # at the table, but not in the match
    assert "Try again in half a minute" not in entrance


def test_seat_held_by_a_substitute_bot_can_be_given_away(later: Later) -> None:
    room, match, (ann, bob, _cleo) = _match(onLeave="substitute")
    rooms.leave(room.pk, bob.pk).result()
    assert Player.objects.get(match=match, name="Bob").bot
    _at_the_door(room, was="on")
    later(giving_seats.OWNER_ANSWERS)
    rooms.give_seat(room.pk, ann.pk, "Bob", _member(room, "Bob 2").pk).result()
    held = Player.objects.get(match=match, name="Bob 2")
    assert (held.bot, held.substitute, held.gone) == ("", False, "")


def test_seat_of_a_present_player_cannot_be_given_away() -> None:
    room, _match_, (ann, bob, cleo) = _match()
    _browser, entrance = _at_the_door(room)
    assert "That name is taken" in entrance
    assert "Was that you" not in entrance
    _browser, entrance = _at_the_door(room, was="on")
    assert "That name is taken" in entrance
    watcher = PersonFactory(name="Dan")
    rooms.join(room.code, watcher.pk, "Dan", spectate=True).result()
    heir = _member(room, "Dan").pk
    with pytest.raises(Refused, match="not_absent"):
        rooms.give_seat(room.pk, ann.pk, "Bob", heir).result()
    _away(bob)
    with pytest.raises(Refused, match="bad_target"):
        rooms.give_seat(room.pk, ann.pk, "Bob", _member(room, "Cleo").pk).result()
    with pytest.raises(Ignored):
        rooms.give_seat(room.pk, cleo.pk, "Bob", heir).result()


def test_host_finds_the_form_on_the_absent_players_sheet() -> None:
    room, _match_, (ann, bob, _cleo) = _match()
    watcher = PersonFactory(name="Dan")
    rooms.join(room.code, watcher.pk, "Dan", spectate=True).result()
    of_bob = _member(room, "Bob").pk
    assert "GiveSeat" not in (sheet_of(room.pk, ann.pk, of_bob, "en") or "")
    _away(bob)
    sheet = sheet_of(room.pk, ann.pk, of_bob, "en") or ""
    assert "Ask the table to give this seat to" in sheet
    assert ">Dan<" in sheet
    assert ">Cleo<" not in sheet


def test_locked_table_does_not_reveal_absent_players() -> None:
    room, _match_, (_ann, bob, _cleo) = _match()
    _away(bob)
    Room.objects.filter(pk=room.pk).update(password=hashed("swordfish").result())
    stranger = PersonFactory()
    for name in ("Bob", "Nobody"):
        with pytest.raises(Refused) as found:
            rooms.ask_for_seat(room.code, stranger.pk, name).result()
        assert found.value.code == "WrongPassword"
    assert not room.members.filter(user=stranger).exists()


def test_claiming_an_unknown_name_does_not_admit_the_visitor() -> None:
    room, _match_, (_ann, _bob, _cleo) = _match()
    eve = PersonFactory()
    with pytest.raises(Refused) as found:
        rooms.ask_for_seat(room.code, eve.pk, "Nobody").result()
    assert found.value.code == "UsernameTaken"
    assert not room.members.filter(user=eve).exists()


def test_claim_is_hidden_after_the_match() -> None:
    room, _match_, (_ann, bob, _cleo) = _match()
    _away(bob)
    _at_the_door(room, was="on")
    assert "claims your seat" in as_user(bob).get("/rules/mia/").content.decode()
    Room.objects.filter(pk=room.pk).update(status=Room.Status.FINISHED)
    assert "claims your seat" not in as_user(bob).get("/rules/mia/").content.decode()


def test_repeated_claim_is_announced_once() -> None:
    room, _match_, (_ann, bob, _cleo) = _match()
    _away(bob)
    eve = PersonFactory()
    for _time in range(3):
        rooms.ask_for_seat(room.code, eve.pk, "Bob").result()
        rooms.leave(room.pk, eve.pk).result()
    assert Announcement.objects.filter(code="says_was").count() == 1


def test_host_sees_when_a_claimed_seat_can_be_given_away(later: Later) -> None:
    room, match, (ann, bob, _cleo) = _match()
    _away(bob)
    _at_the_door(room, was="on")
    claimant = _member(room, "Bob 2")
    heirs = sheet_of(room.pk, ann.pk, _member(room, "Bob").pk, "en") or ""
    assert "Ask the table" not in heirs  # a claimant needs no vote
    gone, said = _member(room, "Bob").away_since, claimant.says_was_at
    assert gone is not None
    assert said is not None
    assert said > gone
    people = first_view(room, ann.pk, "en")["people"]
    assert f'data-until="{said + giving_seats.OWNER_ANSWERS}"' in people
    assert f'data-from="{said + giving_seats.OWNER_ANSWERS}" hidden' in people
    Member.objects.filter(user=bob).update(away_since=said + timedelta(seconds=20))
    rooms.seen([claimant.pk]).result()
    people = first_view(room, ann.pk, "en")["people"]
    assert f'data-from="{said + timedelta(seconds=80)}" hidden' in people
