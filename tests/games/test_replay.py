"""Replays of finished matches: the states computed again, and what they show."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from games import rooms
from games.contract.choices import random_move
from games.contract.core import Change
from games.contract.data import Seat, Viewer
from games.contract.luck import Luck
from games.engine import matches
from games.engine.seats import to_take_back
from games.engine.snapshots import cache, load_snapshot
from games.engine.writer import command
from games.history import replay
from games.history.erasure import erase
from games.history.replay import Replay, unfold
from games.models import Act, Match, Member, StatePart
from games.registry import GAMES
from games.rooms.cleanup import Cleanup
from games.tables.loading import load
from tests.kit.acting import change_rules, move_deadline_to_now
from tests.kit.corpus import play_on, restore, stored
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.laws import is_replayed, shown
from tests.kit.quick import quick
from tests.kit.sent import wire_packet

pytestmark = pytest.mark.django_db(transaction=True)

SHORT: dict[str, dict[str, Any]] = {
    "mia": {"lives": 2},
    "chamber": {"startLives": 2},
    "cards": {"maxRounds": 3, "allowLateJoin": True},
}
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))]
CORPUS = [pytest.param(path, id=f"{path.parent.name}-{path.stem}") for path in stored()]
MOST_ACTS = 120
Seen = dict[tuple[int, Viewer], dict[str, Any]]


class Troubled:
    """A match in which people leave, return, are replaced by bots and run out of time."""

    def __init__(self, slug: str, seed: int) -> None:
        self.dice = Luck(f"replayed {slug} {seed}".encode(), seed)
        least, most = GAMES[slug].seats
        self.people = [PersonFactory() for _ in range(min(max(4, least), most))]
        options = {"onLeave": ("leave", "substitute")[seed % 2], "keepWarm": "30s"}
        options |= SHORT.get(slug, {}) | ({"pace": "none"} if seed % 3 == 2 else {})
        self.room = open_table(*self.people, game=slug, bots=1, **options)
        self.match = start_match(self.room)
        self.seen: Seen = {}

    def play(self) -> Match:
        for _ in range(MOST_ACTS):
            self.look()
            if load_snapshot(self.match.pk).over:
                break
            self.step()
        else:
            matches.give_up(self.match.pk).result()
        self.match.refresh_from_db()
        return self.match

    def look(self) -> None:
        """Note what every seat and the gallery see now."""
        table = load(self.room.pk, with_story=True)
        assert table.match is not None
        for seat in (None, *(Seat(p.seat) for p in table.match.players)):
            self.seen[table.match.row.version, seat] = shown(table, seat)

    def step(self) -> None:
        here = list(Member.objects.filter(room=self.room, left_at=None, bot="", away_since=None))
        trouble = self.dice.draw("trouble", 14)
        if trouble == 0 and len(here) > 2:
            rooms.leave(self.room.pk, self.dice.pick("leaver", here).user_id).result()
        elif trouble == 1:
            self.come_back({member.user_id for member in here})
        elif trouble == 2 and len(here) > 2:
            member, since = self.dice.pick("absent", here), timezone.now() - timedelta(seconds=40)
            Member.objects.filter(room=self.room).update(
                seen_at=timezone.now()
            )  # all others are here
            Member.objects.filter(pk=member.pk).update(away_since=since)
            Cleanup().run()
            rooms.join(self.room.code, member.user_id, member.name).result()
        elif trouble == 3:
            self.wait()
        else:
            self.move()

    def come_back(self, here: set[int | None]) -> None:
        """Let somebody return to their seat or join late. The log has nobody who only watches."""
        match = load_snapshot(self.match.pk)
        gone = [p for p in self.people if p.pk not in here and to_take_back(match, p.pk)]
        if gone or self.room.game == "cards":
            person = self.dice.pick("back", gone) if gone else PersonFactory()
            rooms.join(self.room.code, person.pk, str(person)).result()

    def wait(self) -> None:
        seen = load_snapshot(self.match.pk)
        if seen.row.deadline is None:
            command(lambda: matches.nudge(load_snapshot(self.match.pk)))().result()
        else:
            move_deadline_to_now(self.match)
            rooms.time_is_up(self.match.pk, seen.state.clock).result()

    def move(self) -> None:
        seen = load_snapshot(self.match.pk)
        game, state = seen.game, seen.state
        if not (awaited := game.rules.awaited(state)):
            return self.wait()
        seat = self.dice.pick("who", awaited)
        made = random_move(game.rules.moves, game.rules.offers(state, seat), self.dice)
        player = seen.players[seat]
        if player.bot and not (player.is_warm and self.dice.draw("takes over", 2)):
            matches.bot_move(self.match.pk, seat, state.prompts[seat], made).result()
        else:
            matches.move(self.room.pk, player.user_id, wire_packet(made, seen.names)).result()
        return None


def unfolded(match: Match) -> Replay:
    found = unfold(match)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 6))]
)
@pytest.mark.parametrize("slug", quick(GAMES, "mia", "cards"))
def test_replay_shows_each_moment_as_it_was_shown(slug: str, seed: int) -> None:
    troubled = Troubled(slug, seed)
    found = unfolded(troubled.play())
    assert not found.has_changed
    for (version, seat), then in troubled.seen.items():
        table = found.table(version)
        assert table is not None
        is_replayed(then, shown(table, seat))


@pytest.mark.slow
@pytest.mark.parametrize("path", CORPUS)
def test_matches_of_earlier_versions_are_replayed_while_rules_agree(path: Path) -> None:
    number = restore(json.loads(path.read_text(encoding="utf-8")))
    play_on(number, Luck(b"replayed", 0))
    match = Match.objects.get(pk=number)
    found = unfolded(match)
    assert found.moments
    if not found.has_changed:  # some were begun with other rules
        assert found.moments[-1].state == load_snapshot(number).state


def finished(slug: str = "mia", seed: int = 0) -> Match:
    """Play a short match to its end."""
    people = [PersonFactory() for _ in range(max(3, GAMES[slug].seats[0]))]
    match = start_match(open_table(*people, game=slug, **SHORT.get(slug, {})))
    play_on(match.pk, Luck(b"finished", seed))
    match.refresh_from_db()
    return match


def test_replay_ends_where_the_rules_have_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    match = finished()
    apply = GAMES["mia"].rules.apply
    fifth = match.acts.filter(kind=Act.Kind.MOVE)[4]

    def tells_less(state: Any, seat: Seat, move: Any, luck: Luck) -> Change[Any]:
        change = apply(state, seat, move, luck)
        return Change(change.state, ()) if state.prompts[seat] == fifth.prompt else change

    change_rules(monkeypatch, "mia", apply=tells_less)
    cache.evict(match.pk)
    found = unfolded(match)
    assert found.has_changed
    assert 1 <= len(found.moments) < fifth.number
    assert found.table(len(found.moments)) is not None
    assert found.table(len(found.moments) + 1) is None
    assert len(found.told) == match.version


def test_replay_ends_where_a_draw_differs_from_the_log() -> None:
    match = finished()
    act = next(act for act in match.acts.filter(number__gt=3) if act.draws)
    act.draws[0]["value"] = (act.draws[0]["value"] + 1) % act.draws[0]["size"]
    act.save()
    assert len(unfolded(match).moments) == act.number - 1


def test_cards_are_replayed_with_the_texts_they_were_played_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = finished("cards")

    def gone(options: Any, find: Any) -> Any:
        raise LookupError("the deck was deleted")

    change_rules(monkeypatch, "cards", stock=gone)
    cache.evict(match.pk)
    assert StatePart.objects.exists()
    assert not unfolded(match).has_changed


def test_replays_are_kept_until_people_of_the_match_change() -> None:
    match = finished()
    found = unfolded(match)
    assert unfolded(match) is found
    match.revision += 1
    match.save()
    assert unfolded(match) is not found


def test_only_twenty_replays_are_kept() -> None:
    replay._replays.clear()
    match = finished()
    for revision in range(replay.MOST + 5):
        match.revision = revision
        match.save()
        unfold(match)
    assert len(replay._replays) == replay.MOST


def test_steps_read_nothing_that_was_read_already(django_assert_max_num_queries: Any) -> None:
    match = finished("coup")
    with django_assert_max_num_queries(8):
        found = unfolded(match)
    with django_assert_max_num_queries(0):
        table = found.table(match.version // 2)
        assert table is not None
        shown(table, Seat(0))


def test_erased_player_is_not_replayed_as_one_who_returned() -> None:
    """Erasing a player changes a seat without giving it back."""
    ann, bob, cat = PersonFactory(), PersonFactory(), PersonFactory()
    match = start_match(room := open_table(ann, bob, cat, onLeave="substitute"))
    rooms.leave(room.pk, bob.pk).result()
    erase(bob.pk)
    rooms.leave(room.pk, cat.pk).result()
    erase(cat.pk)
    rooms.leave(room.pk, ann.pk).result()
    matches.give_up(match.pk).result()
    match.refresh_from_db()
    players = unfolded(match).moments[-1].players
    assert [one.bot for one in players] == [one.bot for one in match.players.order_by("seat")]
