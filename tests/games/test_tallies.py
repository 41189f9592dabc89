"""Statistics of players are counted once, and can be computed again from the log."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import User
from games.contract.data import Seat
from games.contract.tally import Feat, Tally
from games.engine import seat_owners
from games.history import account_merge, counting, erasure, export, tallies
from games.models import Match, Player, PlayerStat, Recount, Room
from tests.kit.acting import change_rules, play_out
from tests.kit.costs import statements
from tests.kit.counted import MOST_STATEMENTS, count_here, killed_at, played, table
from tests.kit.factories import AccountFactory, PersonFactory

pytestmark = pytest.mark.django_db(transaction=True)

Rows = set[tuple[Any, ...]]


def rows(**only: Any) -> Rows:
    return set(PlayerStat.objects.filter(**only).values_list(*tallies.UNIQUE, *tallies.VALUES))


def counts(user: User) -> dict[str, int]:
    return dict(PlayerStat.objects.filter(user=user).values_list("key", "count"))


def recounted() -> str:
    said = StringIO()
    call_command("league", "recount", stdout=said)
    return said.getvalue()


def test_matches_and_places_are_counted_with_the_last_act_of_the_match() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = table(ann, bob)
    matches = [play_out(Room.objects.get(pk=room.pk)) for _ in range(3)]
    counting.run()
    for user in (ann, bob):
        places = list(Player.objects.filter(user=user).values_list("place", flat=True))
        found = counts(user)
        assert found["played"] == 3
        assert [found.get(f"place{at}", 0) for at in (1, 2)] == [places.count(at) for at in (1, 2)]
        last = PlayerStat.objects.get(user=user, key="played")
        assert (last.best_match, last.best_version) == (matches[-1], matches[-1].version)


@pytest.mark.parametrize(
    "change",
    [{"substitute": True}, {"place": None}, {"user": None}, {"match__lesson": True}],
)
def test_bots_substitutes_lessons_and_matches_without_result_are_not_counted(change: Any) -> None:
    ann, match = PersonFactory(), played()
    Player.objects.filter(match=match, seat=0).update(user=ann)
    if change.pop("match__lesson", False):
        Match.objects.filter(pk=match.pk).update(lesson=True)
    else:
        Player.objects.filter(match=match, seat=0).update(**change)
    counting.run()
    assert rows(user=ann) == set()
    assert Match.objects.get(pk=match.pk).no == 1


def test_count_that_is_killed_at_any_statement_adds_the_same_rows_when_repeated() -> None:
    room = table(ann := PersonFactory(), PersonFactory())
    play_out(room)
    counting.run()
    match = play_out(Room.objects.get(pk=room.pk))
    before, kills = rows(), 0
    while Match.objects.filter(pk=match.pk, no=None).exists():
        assert rows() == before, "a killed count left something behind"
        kills += 1
        with killed_at(kills):
            count_here(match, *counting._writes(match.pk))
    assert kills > 4
    assert counts(ann)["played"] == 2
    assert "0 rows were wrong" in recounted()


def test_match_whose_seats_change_while_it_is_counted_is_taken_again() -> None:
    ann, match = PersonFactory(), played()
    seat = match.players.get(seat=0)
    writes = counting._writes(match.pk)
    seat_owners.change_ended([seat], user_id=ann.pk)
    assert count_here(match, *writes) is None
    assert rows() == set()
    counting.run()
    assert counts(ann)["played"] == 1
    assert rows(user=seat.user_id) == set()


def test_recount_changes_no_row_and_repairs_wrong_ones() -> None:
    room = table(AccountFactory(), PersonFactory())
    for _ in range(3):
        play_out(Room.objects.get(pk=room.pk))
    counting.run()
    right = rows()
    assert recounted() == "Statistics of 2 people: 0 rows were wrong.\n"
    assert rows() == right
    first, second, *_rest = PlayerStat.objects.order_by("pk")
    PlayerStat.objects.filter(pk=first.pk).update(count=99)
    PlayerStat.objects.filter(pk=second.pk).update(best=99)
    PlayerStat.objects.create(
        user_id=first.user_id, game="mia", key="nonsense", count=1, best=1, best_version=1
    )
    PlayerStat.objects.filter(key="played").exclude(user=first.user_id).delete()
    assert "4 rows were wrong" in recounted()
    assert rows() == right


def test_recount_starts_again_if_a_match_was_counted_meanwhile(monkeypatch: Any) -> None:
    ann = PersonFactory()
    room = table(ann, PersonFactory())
    play_out(room)
    counting.run()
    play_out(Room.objects.get(pk=room.pk))
    compute, runs = tallies._of_user, []

    def disturbed(user_id: int) -> tallies.Numbers:
        found = compute(user_id)
        runs.append(counting.run())
        return found

    monkeypatch.setattr(tallies, "_of_user", disturbed)
    assert tallies.recount(ann.pk) == 0
    assert runs == [1, 0]
    assert counts(ann)["played"] == 2


def test_merged_guest_is_recounted_with_the_account() -> None:
    guest, account = PersonFactory(), AccountFactory()
    played(guest, PersonFactory())
    played(account, PersonFactory())
    both = table(guest, account)
    play_out(both)
    counting.run()
    guest_id = guest.pk
    account_merge.on_return(None, guest, account)
    assert Recount.objects.get().user == account
    counting.run()
    assert not Recount.objects.exists()
    assert rows(user=guest_id) == set()
    assert counts(account)["played"] == 3
    assert "0 rows were wrong" in recounted()


def test_erasure_deletes_statistics_of_one_person_only() -> None:
    ann, bob = AccountFactory(), AccountFactory()
    played(ann, bob)
    counting.run()
    others = rows(user=bob)
    erasure.erase(ann.pk)
    counting.run()
    assert rows() == others != set()


def test_export_contains_statistics() -> None:
    ann = AccountFactory()
    match = played(ann, PersonFactory())
    counting.run()
    found = {one["key"]: one for one in export.PARTS["statistics"](ann)}
    best = {"size": 1, "match": match.pk, "version": match.version}
    assert found["played"] == {"game": "mia", "key": "played", "count": 1, "best": best}


def feats_of(*made: tuple[int, str, int]) -> list[Feat]:
    return [Feat(Seat(0), key, at, size=size) for at, key, size in made]


def test_best_is_the_greatest_feat_and_the_latest_of_equal_ones(monkeypatch: Any) -> None:
    ann = PersonFactory()
    room = table(ann, PersonFactory())
    made = {0: feats_of((0, "a", 5), (2, "a", 1)), 1: feats_of((1, "a", 5), (3, "a", 5))}
    mine = iter(made.values())
    tally: Tally[Any] = Tally(feats=lambda state, told: next(mine), lines=())
    change_rules(monkeypatch, "mia", tally=tally)
    matches = []
    for _ in made:
        matches.append(play_out(Room.objects.get(pk=room.pk)))
        seats = Player.objects.filter(match=matches[-1])
        seats.exclude(seat=0).update(user=None)
        seats.filter(seat=0).update(user=ann)
        counting.run()
    acts = list(matches[1].acts.order_by("number"))
    told = [act.number for act in acts for _event in act.told]
    row = PlayerStat.objects.get(user=ann, key="a")
    assert (row.count, row.best, row.best_match) == (4, 5, matches[1])
    assert row.best_version == told[3]


def test_match_costs_few_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    played()
    counting.run()
    match = played()
    writes = counting._writes(match.pk)
    with statements(monkeypatch) as made:
        count_here(match, *writes)
    assert len(made) <= MOST_STATEMENTS - 5, made  # some are left for other parts
