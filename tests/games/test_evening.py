"""Several games in a row at one table, with a common score."""

from __future__ import annotations

import pytest

from accounts.models import User
from games import rooms
from games.contract.core import Ignored, Refused
from games.history import erasure
from games.models import Match, Room
from games.pages import regions
from games.pages.page_diff import page_diff
from games.rooms.evening import Placed, Score, names_now, scores
from games.tables.loading import load
from games.tables.table import Json
from tests.kit.acting import go_out
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.sent import packets, sync_data

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people() -> list[User]:
    return [PersonFactory(name=name) for name in ("Ann", "Bob", "Cleo")]


def choose(room: Room, person: User, game: str, **more: object) -> Room:
    rooms.set_game(room.pk, person.pk, game, **more).result()
    return Room.objects.get(pk=room.pk)


def sent(room: Room, person: User, before: object) -> list[Json]:
    return packets(before, load(room.pk, before), person.pk)


def end(room: Room, match: Match | None = None) -> None:
    """Play a match of Mia with one life each to its end."""
    match = match or start_match(room)
    first = match.players.get(seat=0).user
    assert first is not None
    go_out(match, first)


def part(room: Room, person: User, name: str) -> Json:
    found = regions(load(room.pk), person.pk)
    return next(region.part for region in found if region.id == name)


def test_table_continues_with_another_game_and_the_same_members(people: list[User]) -> None:
    room = open_table(*people[:2], lives=1)
    rooms.join(room.code, people[2].pk, "Cleo", spectate=True).result()
    rooms.set_room(room.pk, people[0].pk, password="hashed").result()
    rooms.say(room.pk, people[1].pk, "hello").result()
    end(room)
    before = load(room.pk)
    here = [m.name for m in before.members]
    now = choose(room, people[0], "coup")
    assert (now.game, now.status, now.match_id) == ("coup", "open", None)
    assert (now.code, now.password) == (room.code, "hashed")
    told = sent(room, people[1], before)
    assert [p["type"] for p in told] == ["GameSet", "GameDataSync"]
    assert told[0]["game"] == "coup"
    assert told[0]["options"] == now.options
    data = sync_data(load(room.pk), people[1].pk)
    assert (data["game"], data["status"], data["view"]) == ("coup", "open", None)
    assert [p["username"] for p in data["players"]] == here
    assert [m.text for m in load(room.pk).chat] == ["hello"]
    assert start_match(now).game == "coup"


def test_only_the_host_can_choose_a_valid_game_and_only_between_matches(people: list[User]) -> None:
    ann, bob, _cleo = people
    room = open_table(*people)
    with pytest.raises(Ignored):
        choose(room, bob, "coup")
    with pytest.raises(Refused, match="bad_game"):
        choose(room, ann, "chess")
    with pytest.raises(Refused, match="bad_options"):
        choose(room, ann, "coup", options={"lives": 3})
    start_match(room)
    with pytest.raises(Refused, match="not_allowed_now"):
        choose(room, ann, "coup")
    assert Room.objects.get(pk=room.pk).game == "mia"


def test_second_of_two_concurrent_game_choices_is_refused(people: list[User]) -> None:
    ann, bob, _cleo = people
    room = open_table(*people)
    choose(room, ann, "coup", instead="mia")
    rooms.set_host(room.pk, ann.pk, "Bob").result()
    with pytest.raises(Refused) as refused:
        choose(room, bob, "cards", instead="mia")
    assert refused.value.code == "chosen_already"
    assert refused.value.facts == {"game": "Iron Throne"}
    assert Room.objects.get(pk=room.pk).game == "coup"


def test_options_are_remembered_per_game(people: list[User]) -> None:
    ann = people[0]
    room = open_table(*people, lives=7, chat="off")
    room = choose(room, ann, "coup", options={"startCoins": 4})
    assert room.options["startCoins"] == 4
    assert room.options["chat"] == "off"  # the table's own setting
    room = choose(room, ann, "mia")
    assert room.options["lives"] == 7
    assert choose(room, ann, "coup").options["startCoins"] == 4


def test_surplus_players_become_spectators_until_there_is_room() -> None:
    people = [PersonFactory(name=f"P{at}") for at in range(8)]
    room = open_table(*people, game="secret_hitler")
    before = load(room.pk)
    choose(room, people[0], "coup")
    told = sent(room, people[7], before)
    assert {p["player"]["username"] for p in told if p["type"] == "PlayerChanged"} == {"P6", "P7"}
    (alert,) = (p["message"] for p in told if p["type"] == "ShowAlert")
    assert alert == "Iron Throne has 6 seats, and they are taken. You watch this one."
    assert part(room, people[7], "status")["sentence"] == alert
    assert not any(p["type"] == "ShowAlert" for p in sent(room, people[5], before))
    assert len(load(room.pk).members) == 8
    back = load(room.pk)
    choose(room, people[0], "secret_hitler")
    changed = [p["player"] for p in sent(room, people[7], back) if p["type"] == "PlayerChanged"]
    assert [(p["username"], p["isSpectator"]) for p in changed] == [("P6", False), ("P7", False)]


def test_bots_make_room_for_people(people: list[User]) -> None:
    room = open_table(people[0], game="secret_hitler", bots=5)
    for person in people[1:]:
        rooms.join(room.code, person.pk, person.name).result()
    choose(room, people[0], "coup")
    bots = room.members.exclude(bot="").order_by("pk")
    assert [bot.spectator for bot in bots] == [False, False, False, True, True]
    match = start_match(Room.objects.get(pk=room.pk))
    seated = set(match.players.filter(bot="").values_list("name", flat=True))
    assert seated == {"Ann", "Bob", "Cleo"}


def test_bot_level_is_replaced_if_the_new_game_does_not_have_it(people: list[User]) -> None:
    room = open_table(people[0], game="mia")
    rooms.add_bot(room.pk, people[0].pk).result()
    room.members.exclude(bot="").update(bot="mia only")
    choose(room, people[0], "coup")
    assert room.members.exclude(bot="").get().bot == "normal"


def test_programs_are_spectators_in_games_they_do_not_play(people: list[User]) -> None:
    ann, one, other = people
    room = open_table(ann)
    rooms.join(room.code, one.pk, "Bob", plays=()).result()
    rooms.join(room.code, other.pk, "Cleo", plays=("mia", "coup")).result()
    before = load(room.pk)
    choose(room, ann, "coup")
    assert set(room.members.filter(spectator=True).values_list("name", flat=True)) == {"Bob"}
    (changed,) = (p for p in sent(room, one, before) if p["type"] == "PlayerChanged")
    assert changed["player"]["isSpectator"]
    rooms.set_spectating(room.pk, one.pk, False).result()  # Bob decides to play
    assert not room.members.filter(spectator=True).exists()
    choose(room, ann, "cards")
    assert room.members.filter(spectator=True).count() == 2
    choose(room, ann, "mia")
    assert not room.members.filter(spectator=True).exists()


def test_end_of_a_match_is_sent_even_if_a_game_is_chosen_immediately(people: list[User]) -> None:
    ann, bob, _cleo = people
    room = open_table(*people[:2], lives=1)
    match = start_match(room)
    before = load(room.pk)
    end(room, match)
    choose(room, ann, "coup")
    kinds = [p["type"] for p in sent(room, bob, before)]
    assert kinds.index("GameEnd") < kinds.index("GameSet")
    assert kinds[-1] == "GameDataSync"
    assert [p["data"]["game"] for p in sent(room, bob, before) if "data" in p] == ["mia", "coup"]
    assert Match.objects.get(pk=match.pk).ended_at is not None


def test_pages_switch_to_the_next_game(people: list[User]) -> None:
    ann, bob, _cleo = people
    room = open_table(*people[:2], lives=1)
    end(room)
    before = load(room.pk)
    choose(room, ann, "coup")
    (html,) = page_diff(before, load(room.pk, before), bob.pk, "en", {})
    assert 'data-game="coup"' in html
    assert "games/coup" in html
    assert "Rules of Iron Throne" in html


def placed(match: int, *names: str, together: int = 0) -> list[Placed]:
    """A match with this ranking. The last `together` players share a place."""
    last = len(names) - together + 1
    return [Placed(match, None, n, min(at, last), "") for at, n in enumerate(names, 1)]


def test_player_scores_a_point_per_opponent_beaten() -> None:
    evening = [*placed(1, "ann", "bob", "cleo"), *placed(2, "cleo", "ann", "bob", together=2)]
    assert scores(evening) == (
        Score(None, "ann", 2, 2, 0),
        Score(None, "cleo", 2, 2, 2),
        Score(None, "bob", 1, 2, 0),
    )


def test_player_who_gives_up_a_seat_scores_nothing_for_the_match() -> None:
    evening = placed(1, "ann", "bob")
    assert scores([evening[0]._replace(gone="left"), evening[1]]) == (
        Score(None, "ann", 0, 1, 0),
        Score(None, "bob", 0, 1, 0),
    )


def test_score_covers_all_games_and_uses_current_names(people: list[User]) -> None:
    ann, bob, _cleo = people
    room = open_table(ann, bob, lives=1)
    end(room)
    first = load(room.pk)
    winner = first.match.game.rules.outcome(first.match.state).winners[0] if first.match else 0
    names = ["Ann", "Bob"]
    assert sync_data(first, ann.pk)["evening"] == {names[winner]: 1, names[1 - winner]: 0}
    choose(room, ann, "coup")
    start_match(Room.objects.get(pk=room.pk))
    rooms.leave(room.pk, bob.pk).result()
    total = sync_data(load(room.pk), ann.pk)["evening"]
    assert total["Ann"] == 1 + (winner == 0)
    assert {one.user_id for one in load(room.pk).evening} == {ann.pk, bob.pk}
    rooms.join(room.code, bob.pk, "Robert").result()
    now = load(room.pk)
    assert set(names_now(now.evening, now.members)) == {"Ann", "Robert"}
    assert len(part(room, ann, "ending")["evening"]) == 2
    choose(room, ann, "mia")
    assert [one["newest"] for one in part(room, ann, "evening")["scores"]] in ([1, 0], [0, 1])


def test_score_of_a_match_that_was_never_seen_is_counted(people: list[User]) -> None:
    ann, bob, _cleo = people
    room = open_table(ann, bob, lives=1)
    before = load(room.pk)
    end(room)
    choose(room, ann, "coup")
    now = load(room.pk, before)
    assert (now.room.status, now.match_id) == (before.room.status, before.match_id)
    assert now.evening == load(room.pk).evening != ()


def test_erased_player_of_an_earlier_match_is_renamed_in_the_score(people: list[User]) -> None:
    ann, bob, _cleo = people
    room = open_table(ann, bob, lives=1)
    end(room)
    choose(room, ann, "coup")
    before = load(room.pk)
    erasure.erase(bob.pk)
    now = load(room.pk, before)
    assert {one.user_id for one in now.evening} == {ann.pk, None}


def test_program_receives_the_score_without_an_erased_player_who_had_left(
    people: list[User],
) -> None:
    """Nothing else in the table changes: the erased player is neither a member nor in a match."""
    ann, bob, _cleo = people
    room = open_table(ann, bob, lives=1)
    end(room)
    choose(room, ann, "coup")
    rooms.leave(room.pk, bob.pk).result()
    before = load(room.pk)
    erasure.erase(bob.pk)
    (frame,) = sent(room, ann, before)
    assert set(frame["data"]["evening"]) == {"Ann", "former player"}


def test_bots_return_when_there_is_a_seat_again(people: list[User]) -> None:
    room = open_table(people[0], game="secret_hitler", bots=8)
    choose(room, people[0], "coup")
    assert room.members.exclude(bot="").filter(spectator=True).count() == 3
    choose(room, people[0], "secret_hitler")
    assert not room.members.filter(spectator=True).exists()
