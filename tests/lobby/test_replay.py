"""The pages of replays: who sees which seat, what a step returns, and bad addresses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games import rooms
from games.contract.core import Change
from games.contract.data import Seat
from games.contract.luck import Luck
from games.engine.snapshots import cache
from games.history import replay
from games.history.replay import Moment, unfold
from games.models import Match, Player, Room
from games.registry import GAMES
from tests.kit.acting import act, change_rules, on_turn
from tests.kit.cases import secrets
from tests.kit.corpus import play_on
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import as_user
from tests.kit.quick import quick

pytestmark = pytest.mark.django_db(transaction=True)

STEP = {"HX-Request": "true"}
SHORT: dict[str, dict[str, Any]] = {
    "mia": {"lives": 1},
    "chamber": {"startLives": 1},
    "cards": {"maxRounds": 2},
}


def finished(
    slug: str = "mia", visibility: str = "unlisted", **options: Any
) -> tuple[Match, list[User]]:
    """Play a short match to its end. Return it with its players by seat."""
    people: list[User] = [PersonFactory() for _ in range(max(3, GAMES[slug].seats[0]))]
    room = open_table(*people, game=slug, **SHORT.get(slug, {}), **options)
    rooms.set_room(room.pk, room.host_id, visibility).result()
    match = start_match(Room.objects.get(pk=room.pk))
    play_on(match.pk, Luck(b"looked at again", 0))
    match.refresh_from_db()
    return match, people


def get(match: Match, user: User | None, at: Any = 3, through: str = "", **more: Any) -> Any:
    """Return the response to this user for one version of a match."""
    return (as_user(user) if user else Client()).get(f"/matches/{match.pk}/{at}/{through}", **more)


def step(match: Match, user: User | None, at: int = 3, through: str = "") -> str:
    answer = get(match, user, at, through, headers=STEP)
    assert answer.status_code == 200
    text: str = answer.content.decode()
    return text


def hide(match: Match) -> None:
    """Make it a match whose table was not told that all seats can be looked through."""
    Match.objects.filter(pk=match.pk).update(revealed=False)
    cache.evict(match.pk)
    replay._replays.clear()


class TestSeats:
    def test_players_look_through_their_own_seat_and_strangers_from_the_gallery(self) -> None:
        match, people = finished(visibility="public")
        at = next(a.number for a in match.acts.all() if any(e["to"] for e in a.told))
        roller = match.acts.get(number=at).seat
        seen = [step(match, user, at) for user in (people[roller], PersonFactory(), None)]
        assert seen[0] == step(match, people[roller], at, f"?as={roller}")
        assert seen[1] == seen[2] == step(match, people[roller], at, "?as=gallery")
        assert seen[0] != seen[1]

    def test_every_seat_may_be_looked_through_if_the_table_was_told(self) -> None:
        match, people = finished("coup")
        through = [step(match, people[0], 5, f"?as={seat}") for seat in range(len(people))]
        assert len(set(through)) == len(people)
        assert f'href="?as={len(people) - 1}"' in get(match, people[0]).content.decode()

    def test_only_the_own_seat_may_be_looked_through_in_earlier_matches(self) -> None:
        match, people = finished("coup", visibility="public")
        hide(match)
        assert get(match, people[1], through="?as=1").status_code == 200
        assert get(match, people[1], through="?as=gallery").status_code == 200
        for user in (people[0], None):
            assert get(match, user, through="?as=1").status_code == 404
        assert 'href="?as=0"' not in get(match, people[1]).content.decode()

    def test_seat_that_was_given_up_shows_no_more_than_the_gallery(self) -> None:
        people = [PersonFactory() for _ in range(4)]
        room = open_table(*people, onLeave="substitute", lives=1)
        match = start_match(room)
        player = on_turn(match)
        act(match, player, "Roll")
        user = User.objects.get(pk=player.user_id)
        rooms.leave(room.pk, user.pk).result()
        play_on(match.pk, Luck(b"without them", 0))
        match.refresh_from_db()
        hide(match)
        gone_at = Player.objects.get(match=match, seat=player.seat).gone_at
        assert gone_at is not None
        own = f"?as={player.seat}"
        hands = [step(match, user, at, own) for at in (gone_at - 1, gone_at)]
        assert hands[0] != step(match, user, gone_at - 1, "?as=gallery")
        assert 'id="hand" hidden' in hands[1].replace(' aria-label="Only you see this"', "")

    @pytest.mark.parametrize("slug", quick(GAMES, "coup", "chamber"))
    def test_hidden_information_changes_no_byte_of_a_page(self, slug: str) -> None:
        """8: what a viewer may not know makes no difference to their replay."""
        match, people = finished(slug, visibility="public")
        hide(match)
        found = unfold(match)
        assert found is not None
        dice, last = Luck(b"scrambled", 0), match.version
        for user, seat in ((people[0], Seat(0)), (None, None)):
            pages = {at: get(match, user, at).content for at in range(1, last, 1 + last // 12)}
            moments = [
                Moment(secrets(GAMES[slug]).scramble(state, seat, dice), players)
                for state, players in found.moments[:-1]
            ]
            other = replace(found, moments=[*moments, found.moments[-1]])
            replay._replays.put((match.pk, match.revision), other)
            for at, page in pages.items():
                assert timeless(get(match, user, at).content) == timeless(page)
            replay._replays.put((match.pk, match.revision), found)


def timeless(page: bytes) -> str:
    """Return a page without tokens and times, which differ at every request."""
    lines = page.decode().splitlines()
    return "\n".join(
        line for line in lines if "csrfmiddlewaretoken" not in line and "served-at" not in line
    )


class TestAddresses:
    @pytest.mark.parametrize(
        "through", ["?as=9", "?as=", "?as=-1", "?as=01", "?as=0&as=0", "?as=all", "?to=0", "?as=²"]
    )
    def test_bad_parameters_lead_nowhere(self, through: str) -> None:
        match, people = finished()
        assert get(match, people[0], through=through).status_code == 404

    def test_versions_end_with_the_match(self) -> None:
        match, people = finished()
        for at, status in ((0, 404), (1, 200), (match.version, 200), (match.version + 1, 404)):
            assert get(match, people[0], at).status_code == status

    def test_replay_is_there_for_those_who_may_view_the_match(self) -> None:
        match, people = finished()
        assert get(match, people[0]).status_code == 200
        assert get(match, PersonFactory()).status_code == 404
        assert get(match, None).status_code == 404

    def test_running_match_has_no_replay(self) -> None:
        people = [PersonFactory(), PersonFactory()]
        room = open_table(*people)
        rooms.set_room(room.pk, room.host_id, "public").result()
        match = start_match(Room.objects.get(pk=room.pk))
        assert get(match, people[0], 1).status_code == 404

    def test_too_many_steps_are_refused(self, settings: Any) -> None:
        settings.LIMITS = {**settings.LIMITS, "replays": (2, 60)}
        match, people = finished()
        browser = as_user(people[0])
        answers = [browser.get(f"/matches/{match.pk}/1/", headers=STEP) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]


class TestSteps:
    def test_step_returns_the_five_regions(self) -> None:
        match, people = finished()
        answer = get(match, people[0], headers=STEP)
        text = answer.content.decode()
        assert text.count("<section id=") == 5
        assert all(f'id="{name}"' in text for name in ("status", "seats", "board", "hand"))
        assert "HX-Request" in answer.headers["Vary"]

    @pytest.mark.parametrize("slug", GAMES)
    def test_step_is_small_and_reads_little(
        self, slug: str, django_assert_max_num_queries: Any
    ) -> None:
        match, people = finished(slug)
        browser = as_user(people[0])
        browser.get(f"/matches/{match.pk}/1/")
        for at in range(1, match.version + 1, 1 + match.version // 8):
            with django_assert_max_num_queries(7):
                answer = browser.get(f"/matches/{match.pk}/{at}/", headers=STEP)
            assert len(answer.content) <= 15_000

    def test_controls_of_the_table_do_nothing_in_a_replay(self) -> None:
        match, people = finished()
        page = get(match, people[0], 1).content.decode()
        stage, _, rest = page.partition('class="controls"')
        assert "<form hx-ws:send" not in rest
        seats, _, board = stage.partition('<fieldset class="as-shown" disabled>')
        assert '<fieldset class="as-then" disabled>' in board
        assert "<button" not in seats.partition('class="stage"')[2]

    def test_log_ends_at_the_moment_shown_and_leads_to_the_others(self) -> None:
        match, people = finished()
        page = get(match, people[0], 2, "?as=gallery").content.decode()
        assert 'href="../1/?as=gallery"' in page
        lines = [line for line in page.splitlines() if 'class="moment"' in line]
        later = [line for line in lines if " hidden>" in line.partition("<a")[0]]
        assert lines
        assert all("../1/" not in line and "../2/" not in line for line in later)
        assert len(later) == sum("../1/" not in line and "../2/" not in line for line in lines)

    def test_board_gives_way_to_a_note_where_the_rules_have_changed(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match, people = finished()
        apply = GAMES["mia"].rules.apply
        change_rules(monkeypatch, "mia", apply=lambda *given: Change(apply(*given).state, ()))
        cache.evict(match.pk)
        note = "The rules have changed since. From here on you see the log only."
        assert note not in step(match, people[0], 1)
        assert note in step(match, people[0], 2)
        assert 'id="board" hidden' in step(match, people[0], 2)
        assert 'class="moment"' in get(match, people[0], match.version).content.decode()


def test_match_and_its_end_offer_to_watch_it_again() -> None:
    match, people = finished()
    page = as_user(people[0]).get(f"/matches/{match.pk}/").content.decode()
    assert '<a class="button main" href="1/">Watch it again</a>' in page
    assert '<a class="moment" href="2/">' in page
    table = as_user(people[0]).get(f"/t/{match.room.code}/").content.decode()
    assert f'<a class="button watch-again" href="/matches/{match.pk}/1/">Watch' in table
