"""Pages show what a person has done in all matches, with links to the best moments."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.history import counting
from games.models import Match, Player, PlayerStat, Room
from games.registry import GAMES
from lobby.statistics import ENOUGH, Statistics, statistics
from tests.kit.acting import play_out
from tests.kit.factories import AccountFactory, PersonFactory, open_table
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)

STATEMENTS = 6
"""Maximum statements of a profile with statistics, ratings and a page of matches.

Every page also looks for an announcement.
"""


def page_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def links_in(page: str) -> set[str]:
    return set(map(unescape, re.findall(r'href="(/matches/\d+/\d+/\?as=[^"]+)"', page)))


def table(*people: User, visibility: str = "unlisted") -> Room:
    room = open_table(*people, lives=1)
    Room.objects.filter(pk=room.pk).update(visibility=visibility)
    return room


def played(*people: User, visibility: str = "unlisted") -> Match:
    match = play_out(table(*people, visibility=visibility))
    counting.run()
    return match


def have_played(user: User, game: str, matches: int, **more: int) -> None:
    """Store rows as if the user had played so many matches of a game."""
    for key, count in {"played": matches, **more}.items():
        PlayerStat.objects.update_or_create(
            defaults={"count": count, "best": count, "best_version": 1},
            user=user,
            game=game,
            key=key,
        )


def lines_of(found: Statistics) -> list[str]:
    return [figure.text for game in found.games for figure in game.lines]


def test_person_without_matches_is_told_so() -> None:
    assert "No finished matches yet." in page_of(as_user(AccountFactory()), "/you/")


def test_numbers_of_a_game_appear_after_ten_matches() -> None:
    ann = AccountFactory()
    have_played(ann, "mia", ENOUGH - 1, bluffs=3)
    page = page_of(as_user(ann), "/you/")
    assert "Mia: 1 match to go" in page
    assert "3 bluffs<" not in page
    have_played(ann, "mia", ENOUGH)
    page = page_of(as_user(ann), "/you/")
    assert "to go" not in page
    assert "3 bluffs<" in page


def test_shares_and_greatest_feats_are_numbers_of_their_lines() -> None:
    ann = AccountFactory()
    have_played(ann, "cards", ENOUGH, votes=14, answers=4)
    have_played(ann, "mia", ENOUGH, believed=1)
    PlayerStat.objects.filter(key="believed").update(count=9, best=4)
    lines = lines_of(statistics(ann, ann))
    assert "3.5 votes per answer" in lines
    assert "biggest bluff believed: 4 values too high" in lines
    PlayerStat.objects.filter(key="answers").delete()
    assert not [line for line in lines_of(statistics(ann, ann)) if "per answer" in line]


def test_game_without_a_tally_or_no_longer_installed_has_results_only(monkeypatch: Any) -> None:
    ann = AccountFactory()
    have_played(ann, "mia", ENOUGH, bluffs=1)
    monkeypatch.delitem(GAMES, "mia")
    (game,) = statistics(ann, ann).games
    assert (game.game, game.played.text, game.lines, game.missing) == ("mia", "10", [], "")


def test_every_number_leads_to_its_best_moment() -> None:
    ann, bob = AccountFactory(), AccountFactory()
    match = played(ann, bob)
    PlayerStat.objects.filter(key="played").update(count=ENOUGH)
    for user in (ann, bob):
        links = links_in(page_of(as_user(user), "/you/"))
        seat = Player.objects.get(match=match, user=user).seat
        assert {link.partition("?")[2] for link in links} == {f"as={seat}"}
        assert f"/matches/{match.pk}/{match.version}/?as={seat}" in links, "the end"
        for link in links:
            page_of(as_user(user), link)
    for row in PlayerStat.objects.filter(key="bluffs"):  # unless the last roll really was Mia
        assert match.acts.get(number=row.best_version).move["type"] == "Announce"


class TestOthers:
    def test_people_who_do_not_list_matches_show_results_only(self) -> None:
        ann = AccountFactory(username="ann")
        played(ann, PersonFactory(), visibility="public")
        PlayerStat.objects.filter(key="played").update(count=ENOUGH)
        page = page_of(Client(), "/people/ann/")
        assert links_in(page) == set()
        assert "bluffs called" not in page
        assert f"<td>{ENOUGH}</td>" in page

    @pytest.mark.parametrize("revealed", [True, False])
    def test_links_lead_through_seats_that_may_be_looked_through(self, revealed: bool) -> None:
        ann, bob = AccountFactory(username="ann", lists_matches=True), AccountFactory()
        match = played(ann, bob, visibility="public")
        Match.objects.filter(pk=match.pk).update(revealed=revealed)
        seat = Player.objects.get(match=match, user=ann).seat
        for client in (Client(), as_user(bob)):
            links = links_in(page_of(client, "/people/ann/"))
            eyes = {link.partition("?")[2] for link in links}
            assert eyes == {f"as={seat}" if revealed else "as=gallery"}
            for link in links:
                page_of(client, link)

    def test_matches_that_a_viewer_does_not_find_are_not_linked(self) -> None:
        ann, bob = AccountFactory(username="ann", lists_matches=True), AccountFactory()
        played(ann, bob, visibility="unlisted")
        assert links_in(page_of(as_user(bob), "/people/ann/"))
        for client in (Client(), as_user(AccountFactory())):
            assert links_in(page_of(client, "/people/ann/")) == set()


def test_profile_costs_few_statements() -> None:
    ann = AccountFactory(username="ann", lists_matches=True)
    room = table(ann, PersonFactory(), visibility="public")
    for _ in range(3):
        play_out(Room.objects.get(pk=room.pk))
    counting.run()
    for game in GAMES:
        have_played(ann, game, ENOUGH)
    page_of(Client(), "/people/ann/")  # caches are filled
    with CaptureQueriesContext(connection) as found:
        page_of(Client(), "/people/ann/")
    assert 0 < len(found) <= STATEMENTS, [query["sql"] for query in found]
