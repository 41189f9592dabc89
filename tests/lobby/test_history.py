"""Finished matches: what players, permitted spectators and other people can see."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.faces import CHOICES, address, address_of
from accounts.models import User
from games import rooms
from games.contract.data import Seat
from games.engine import matches
from games.engine.snapshots import load_snapshot
from games.history import counting, match_history
from games.history.match_history import may_view, story_of
from games.mia.rules.state import Roll
from games.models import Act, Match, Player, Room
from games.rooms import passwords
from lobby.history import past
from lobby.statistics import statistics
from tests.kit import moderation_helpers
from tests.kit.acting import act, on_turn, play_out
from tests.kit.factories import AccountFactory, PersonFactory, open_table, start_match
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)


def table(*people: User, visibility: str = "unlisted", **options: Any) -> Room:
    """A table for a short match, unlisted by default."""
    room = open_table(*people, lives=1, **options)
    rooms.set_room(room.pk, room.host_id, visibility).result()
    return Room.objects.get(pk=room.pk)


def page_of(match: Match, person: User | None = None) -> str:
    """Return the match's page as this user gets it, or "" if there is none."""
    client = as_user(person) if person else Client()
    answer = client.get(f"/matches/{match.pk}/")
    assert answer.status_code in (200, 404)
    return answer.content.decode() if answer.status_code == 200 else ""


def test_match_page_shows_the_chosen_faces_of_the_players() -> None:
    ann, bob = PersonFactory(name="Ann", face=CHOICES[4]), PersonFactory(name="Bob")
    page = page_of(play_out(table(ann, bob)), ann)
    players = page.partition('id="players-heading"')[2].partition("</ul>")[0]
    assert players.count(address(CHOICES[4])) == 1
    assert players.count(address_of(bob.name)) == 1
    for heading in ('class="champions"', 'class="story"'):
        assert heading in page
    assert address_of(ann.name) not in page


class TestAccess:
    def test_only_players_and_spectators_of_a_match_may_view_it(self) -> None:
        ann, bob, eve, stranger = (PersonFactory() for _ in range(4))
        room = table(ann, bob)
        rooms.join(room.code, eve.pk, str(eve), spectate=True).result()
        match = play_out(room)
        late = PersonFactory()
        rooms.join(room.code, late.pk, str(late)).result()
        for person, may in (
            (ann, True),
            (bob, True),
            (eve, True),
            (stranger, False),
            (late, False),
            (PersonFactory(is_staff=True, is_superuser=True), False),
        ):
            assert bool(page_of(match, person)) is may
        assert not page_of(match)

    def test_everybody_may_view_a_match_of_a_public_table(self) -> None:
        match = play_out(table(PersonFactory(), PersonFactory(), visibility="public"))
        assert page_of(match)
        assert page_of(match, PersonFactory())

    @pytest.mark.parametrize("how", ["password", "spectators", "visibility"])
    def test_match_of_a_closed_table_stays_private(self, how: str) -> None:
        options = {"spectators": "none"} if how == "spectators" else {}
        room = table(PersonFactory(), PersonFactory(), visibility="public", **options)
        if how == "password":
            rooms.set_room(
                room.pk, room.host_id, None, passwords.hashed("dragon").result()
            ).result()
        if how == "visibility":
            rooms.set_room(room.pk, room.host_id, "invited").result()
        match = play_out(Room.objects.get(pk=room.pk))
        rooms.set_room(room.pk, room.host_id, "public", "").result()
        assert not page_of(match)

    def test_match_is_private_if_its_table_was_ever_closed_to_spectators(
        self,
    ) -> None:
        room = table(PersonFactory(), PersonFactory(), visibility="public")
        match = start_match(room)
        for visibility in ("unlisted", "public"):
            rooms.set_room(room.pk, room.host_id, visibility).result()
        match.refresh_from_db()
        assert match.public is False
        assert load_snapshot(match.pk).row.public is False

    def test_running_match_cannot_be_viewed(self) -> None:
        ann = PersonFactory()
        match = start_match(table(ann, PersonFactory(), visibility="public"))
        assert not page_of(match, ann)

    def test_kicked_spectator_may_not_view_the_match(self) -> None:
        eve = PersonFactory()
        room = table(PersonFactory(), PersonFactory(), eve)
        rooms.set_spectating(room.pk, eve.pk, True).result()
        match = start_match(room)
        rooms.kick(room.pk, room.host_id, str(eve)).result()
        Match.objects.filter(pk=match.pk).update(ended_at=timezone.now())
        match.refresh_from_db()
        assert not may_view(match, eve.pk)


def test_new_matches_may_be_looked_through_and_the_table_says_so_before() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = table(ann, bob)
    sentence = "Afterwards everyone who could watch can look through every seat."
    assert sentence in as_user(ann).get(f"/t/{room.code}/").content.decode()
    assert start_match(room).revealed


class TestPage:
    def test_match_page_shows_winner_log_and_verification(self) -> None:
        ann, bob = AccountFactory(name="Ann <b>"), PersonFactory(name="Bob")
        match = play_out(table(ann, bob))
        page = page_of(match, ann)
        assert "Ann &lt;b&gt;" in page
        assert "Ann <b>" not in page
        assert f'href="/people/{ann.username}/"' in page
        assert "Who did what" in page
        assert "rolls." in page
        assert "from the seed: nothing was changed." in page
        assert (
            "Nobody at the table added to the luck, so you have to trust this server."
            in unescape(page)
        )

    def test_verdict_addresses_players_and_names_the_winner_to_others(self) -> None:
        people = [PersonFactory(name=name) for name in ("Ann", "Bob")]
        match = play_out(table(*people, visibility="public"))
        winner, loser = Player.objects.filter(match=match).order_by("place")
        verdicts = [
            re.findall('class="verdict">(.*?)</h2>', page_of(match, person))
            for person in (winner.user, loser.user, PersonFactory(), None)
        ]
        plain = [f"{winner.name} wins!"]
        assert verdicts == [["You win!"], plain, plain, plain]

    def test_viewers_see_only_the_events_they_were_sent(self) -> None:
        people = [PersonFactory(name=name) for name in ("Ann", "Bob")]
        room = table(*people, visibility="public")
        match = start_match(room)
        roller = on_turn(match)
        act(match, roller, "Roll")
        dice = Act.objects.get(match=match, move__type="Roll")
        assert any(told["to"] == [roller.seat] for told in dice.told)
        moderation_helpers.end_match(room.pk).result()
        pages = {person.pk: page_of(match, person) for person in people}
        assert [pk for pk, page in pages.items() if "only you" in page] == [roller.user_id]
        assert "only you" not in page_of(match)

    def test_leaver_does_not_see_later_private_events_of_the_seat(self) -> None:
        ann, bob, cid = (PersonFactory(name=name) for name in ("Ann", "Bob", "Cid"))
        room = table(ann, bob, cid, onLeave="substitute")
        match = start_match(room)
        roller = on_turn(match)
        leaver = User.objects.get(pk=roller.user_id)
        rooms.leave(room.pk, leaver.pk).result()
        seat = Seat(roller.seat)
        prompt = load_snapshot(match.pk).state.prompts[seat]
        matches.bot_move(match.pk, seat, prompt, Roll()).result()
        told = [one for act in Act.objects.filter(match=match) for one in act.told]
        assert any(one["to"] == [roller.seat] for one in told)
        shown = story_of(match, leaver.pk).part["lines"]
        assert shown
        assert not any(line["private"] for line in shown)

    def test_forged_log_is_reported(self) -> None:
        ann = PersonFactory()
        match = play_out(table(ann, PersonFactory()))
        Act.objects.filter(match=match, number=2).update(draws=[])
        Act.objects.filter(match=match, number=3).delete()
        match_history._lucks.clear()
        assert "Act 3 is missing" in page_of(match, ann)

    def test_unreadable_match_still_lists_its_players(self) -> None:
        ann = PersonFactory(name="Ann")
        match = play_out(table(ann, PersonFactory(name="Bob")))
        Match.objects.filter(pk=match.pk).update(state="nonsense", version=99)
        page = page_of(match, ann)
        assert "is no longer available" in page
        assert "Bob" in page

    def test_stopped_match_is_marked(self) -> None:
        ann = PersonFactory()
        room = table(ann, PersonFactory())
        match = start_match(room)
        moderation_helpers.end_match(room.pk).result()
        assert "It was stopped and has no result." in page_of(match, ann)


class TestOnesOwn:
    def test_account_page_lists_game_opponents_and_place(self) -> None:
        ann = PersonFactory(name="Ann")
        match = play_out(table(ann, PersonFactory(name="Bob")))
        page = as_user(ann).get("/you/").content.decode()
        assert f'href="/matches/{match.pk}/"' in page
        assert "with Bob" in page
        place = Player.objects.get(match=match, user=ann).place
        assert ("place 2 of 2" in page) is (place == 2)

    def test_history_is_paginated_newest_first(self) -> None:
        ann = PersonFactory()
        room = table(ann, PersonFactory())
        played = [play_out(Room.objects.get(pk=room.pk)).pk for _ in range(11)]
        counting.run()
        played.append(play_out(Room.objects.get(pk=room.pk)).pk)
        for uncounted in (1, 0):  # a match that has just ended has no number yet
            if not uncounted:
                counting.run()
            assert counting.uncounted().count() == uncounted
            assert [one["number"] for one in past(ann).matches] == played[:1:-1]
        assert past(ann).is_newest
        rest = past(ann, str(past(ann).earlier))
        assert [one["number"] for one in rest.matches] == played[1::-1]
        assert (rest.earlier, rest.is_newest) == (None, False)
        for number in ("0", "99", "-1", "x", "", "9" * 40):
            assert as_user(ann).get("/you/", {"before": number}).status_code == 200

    def test_links_lead_through_all_pages(self) -> None:
        ann = AccountFactory(username="an/na", lists_matches=True)
        room = table(ann, PersonFactory(), visibility="public")
        played = [play_out(Room.objects.get(pk=room.pk)).pk for _ in range(12)]
        counting.run()
        for path, client in (("/you/", as_user(ann)), ("/people/?name=an%2Fna", Client())):
            first = client.get(path).content.decode()
            (link,) = re.findall(r'href="(\?[^"]*before=\d+)#past"', first)
            second = client.get(path.partition("?")[0] + unescape(link)).content.decode()
            found = [re.findall(r'href="/matches/(\d+)/"', page) for page in (first, second)]
            assert [int(pk) for page in found for pk in page] == played[::-1]
            assert "Newest ones" in second

    def test_running_match_is_not_in_the_history(self) -> None:
        ann = PersonFactory()
        start_match(table(ann, PersonFactory()))
        assert past(ann).matches == []


class TestPeople:
    def test_public_profile_shows_only_name_games_and_results(self) -> None:
        ann = AccountFactory(username="annabel", name="Ann", email="ann@example.org")
        room = table(ann, PersonFactory(name="Bob"))
        match = play_out(room)
        rooms.leave(room.pk, ann.pk).result()
        counting.run()
        page = Client().get("/people/ANNABEL/").content.decode()
        assert "Ann" in page
        assert "Mia" in page
        for other in ("example.org", "Bob", room.code, f"/matches/{match.pk}/", "<time"):
            assert other not in page

    def test_profile_lists_the_matches_its_viewer_may_find_if_the_user_wants_that(self) -> None:
        ann, bob = AccountFactory(username="ann"), AccountFactory(username="bob")
        matches = {
            visibility: play_out(table(ann, bob, visibility=visibility)).pk
            for visibility in ("public", "unlisted")
        }
        counting.run()

        def listed(client: Client) -> set[str]:
            page = client.get("/people/ann/").content.decode()
            return {kind for kind, pk in matches.items() if f'href="/matches/{pk}/"' in page}

        assert listed(Client()) == listed(as_user(bob)) == set()
        as_user(ann).post("/you/preferences/", {"lists_matches": "on"})
        assert listed(Client()) == {"public"}
        assert listed(as_user(bob)) == {"public", "unlisted"}
        as_user(ann).post("/you/preferences/", {})
        assert listed(as_user(bob)) == set()

    def test_guests_cannot_list_matches(self) -> None:
        guest = PersonFactory()
        assert "List my matches" not in as_user(guest).get("/you/").content.decode()
        as_user(guest).post("/you/preferences/", {"lists_matches": "on"})
        guest.refresh_from_db()
        assert not guest.lists_matches

    def test_guests_and_banned_users_have_no_profile(self) -> None:
        guest, gone = PersonFactory(), AccountFactory(is_active=False)
        for name in (guest.username, str(guest), gone.username, "nobody", "a/b", "%00", "%F0"):
            assert Client().get(f"/people/{name}/").status_code == 404

    @pytest.mark.parametrize("username", ["a/b", "ä ö?#", "x" * 20, "<b>&'\""])
    def test_every_username_has_a_profile_address(self, username: str) -> None:
        AccountFactory(username=username, name="")
        assert Client().get(reverse("person", args=[username])).status_code == 200

    def test_statistics_count_matches_and_places(self) -> None:
        ann, bob = PersonFactory(), PersonFactory()
        room = table(ann, bob)
        wins = 0
        for _ in range(3):
            match = play_out(Room.objects.get(pk=room.pk))
            wins += Player.objects.get(match=match, user=ann).place == 1
        assert statistics(ann, ann).games == []
        counting.run()
        (line,) = statistics(ann, ann).games
        assert (line.game, line.played.text, line.places[0].text) == ("Mia", "3", str(wins))
