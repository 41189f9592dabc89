"""Data that is deleted over time: inactive guests, old chat, expired tokens and sessions."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts import tokens
from accounts.models import Token, User
from accounts.names import page_of
from chat.models import Message
from games import rooms
from games.engine.acts import end_without_result
from games.engine.snapshots import decode_snapshot
from games.engine.writer import command
from games.history import counting, erasure, rerating, retention, tallies
from games.models import Act, Heartbeat, Match, Member, PlayerStat, ProgramVersion, Room
from games.runtime.clock import Clock
from moderation.models import Report
from tests.kit import ladder as ladder_kit
from tests.kit.acting import play_out
from tests.kit.corpus import restore
from tests.kit.corpus import stored as stored_matches
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import account, as_guest, as_user

pytestmark = pytest.mark.django_db(transaction=True)


def ago(days: float) -> datetime:
    return timezone.now() - timedelta(days=days)


def guest(days: float, **more: Any) -> User:
    """A guest who was last seen this many days ago."""
    person = PersonFactory(**more)
    User.objects.filter(pk=person.pk).update(date_joined=ago(days), last_login=ago(days))
    return person


def names() -> set[str]:
    return set(User.objects.values_list("name", flat=True))


def test_only_inactive_guests_are_erased() -> None:
    guest(31, name="Old")
    guest(29, name="New")
    guest(31, name="Account", is_guest=False)
    back = guest(31, name="Back")
    User.objects.filter(pk=back.pk).update(last_login=ago(2))
    program = guest(31, name="Program")
    tokens.make(program, days=None)
    Token.objects.update(last_used_at=ago(3))
    assert retention.prune().guests == 1
    assert names() == {"New", "Account", "Back", "Program"}


def test_sessions_of_erased_guests_are_deleted() -> None:
    as_user(guest(31, name="Old"))
    as_user(account("Ann"))
    User.objects.filter(name="Old").update(last_login=ago(31))
    retention.prune()
    assert names() == {"Ann"}
    assert Session.objects.count() == 1


def test_failed_erasure_does_not_block_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = guest(31, name="First")
    guest(31, name="Second")
    really = retention.finish

    def stumble(user_id: int) -> None:
        if user_id == first.pk:
            raise RuntimeError
        really(user_id)

    monkeypatch.setattr(retention, "finish", stumble)
    assert retention.prune().guests == 1
    assert names() == {"First"}


def test_guest_seen_recently_at_a_table_is_kept() -> None:
    ann, old = guest(100, name="Ann"), guest(100, name="Old")
    room = open_table(ann)
    other = open_table(old)
    Member.objects.filter(room=room).update(seen_at=ago(29))
    Member.objects.filter(room=other).update(seen_at=ago(31))
    retention.prune()
    assert names() == {"Ann"}
    assert not Member.objects.filter(name="Old").exists()


def test_player_in_a_running_match_is_kept() -> None:
    ann, bob = guest(100, name="Ann"), guest(100, name="Bob")
    match = start_match(open_table(ann, bob))
    Member.objects.update(seen_at=ago(99))
    assert retention.prune().guests == 0
    Match.objects.filter(pk=match.pk).update(ended_at=ago(1))
    assert retention.prune().guests == 2


def test_old_messages_are_deleted_and_new_ones_kept() -> None:
    ann = account("Ann")
    room = open_table(ann)
    for text in ("old", "new"):
        rooms.say(room.pk, ann.pk, text).result()
    Message.objects.filter(text="old").update(at=ago(91))
    assert retention.prune().messages == 1
    assert [message.text for message in Message.objects.all()] == ["new"]


def test_one_run_deletes_more_than_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "AT_ONCE", 2)
    monkeypatch.setattr(retention, "MATCHES_AT_ONCE", 1)
    for n in range(5):
        Message.objects.create(thread="room:1", name="Ann", text=str(n), at=ago(91))
    for _ in range(3):
        stopped(31)
    gone = retention.prune()
    assert (gone.messages, gone.matches) == (5, 3)
    assert not Message.objects.exists()


def test_expired_tokens_and_sessions_are_deleted() -> None:
    ann = account("Ann")
    tokens.make(ann, "good")
    tokens.make(ann, "old", days=1)
    Token.objects.filter(name="old").update(expires_at=ago(1))
    as_user(ann)
    as_user(ann)
    first = Session.objects.first()
    assert first is not None
    Session.objects.filter(pk=first.pk).update(expire_date=ago(1))
    assert retention.prune().tokens == 1
    assert [token.name for token in Token.objects.all()] == ["good"]
    assert Session.objects.count() == 1


def test_nothing_is_deleted_if_retention_is_unlimited(settings: Any) -> None:
    settings.KEEP_GUESTS_DAYS = settings.KEEP_CHAT_DAYS = settings.KEEP_STOPPED_DAYS = 0
    settings.KEEP_LADDER_DAYS = 0
    guest(1000, name="Old")
    Message.objects.create(thread="room:1", name="Old", text="hello", at=ago(1000))
    retention.prune()
    assert names() == {"Old"}
    assert Message.objects.exists()
    match = stopped(1000)
    retention.prune()
    assert Match.objects.filter(pk=match.pk).exists()


def test_interrupted_erasure_is_completed() -> None:
    ann = account("Ann")
    open_table(ann, account("Bob"))
    command(erasure.close)(ann.pk).result()
    assert User.objects.filter(pk=ann.pk).exists()
    retention.prune()
    assert not User.objects.filter(pk=ann.pk).exists()
    assert not Member.objects.filter(name="Ann").exists()


def test_pruning_runs_once_a_day() -> None:
    now = timezone.now()
    Heartbeat.objects.create(pk=1, at=now)
    assert retention.daily(now) is not None
    assert retention.daily(now + timedelta(hours=23)) is None
    assert retention.daily(now + timedelta(hours=25)) is not None


def test_clock_prunes_automatically() -> None:
    guest(31, name="Old")
    clock = Clock()
    clock.start()
    for _ in range(400):
        if not User.objects.filter(name="Old").exists():
            break
        clock._stopped.wait(0.05)
    clock.stop()
    assert not names()


def test_prune_command_reports_the_number_of_removed_items(
    capsys: pytest.CaptureFixture[str],
) -> None:
    client, person = as_guest("Old")
    User.objects.filter(pk=person.pk).update(date_joined=ago(31), last_login=ago(31))
    call_command("prune")
    assert "1 guests" in capsys.readouterr().out
    assert client.get("/you/").status_code == 302


def stopped(days: float, **more: Any) -> Match:
    """A match stopped this many days ago, at a table that is closed now."""
    room = open_table(PersonFactory(), PersonFactory(), **more)
    match = start_match(room)
    command(end_without_result)(match).result()
    Match.objects.filter(pk=match.pk).update(ended_at=ago(days))
    Room.objects.filter(pk=room.pk).update(status=Room.Status.CLOSED)
    return match


def test_old_matches_are_deleted_only_if_they_have_no_result() -> None:
    old, new, open_, won, asked = (stopped(days) for days in (31, 29, 31, 31, 31))
    Room.objects.filter(match=open_).update(status=Room.Status.FINISHED)
    Match.objects.filter(pk=won.pk).update(outcome={"winners": [0]})
    Report.objects.create(kind="name", what="Ann", match=asked, reason="other")
    assert retention.prune().matches == 1
    assert not Act.objects.filter(match=old.pk).exists()
    assert not Room.objects.get(pk=old.room_id).match_id
    assert set(Match.objects.all()) == {new, open_, won, asked}
    assert retention.prune(timezone.now() + timedelta(days=2)).matches == 1


def test_abandoned_match_is_stopped_but_a_waiting_one_is_not() -> None:
    matches = [
        start_match(open_table(PersonFactory(), PersonFactory(), pace="none")) for _ in "123"
    ]
    Match.objects.update(started_at=ago(40))
    Act.objects.update(at=ago(40))
    left, played, watched = matches
    Member.objects.exclude(room=watched.room_id).update(away_since=ago(40), seen_at=ago(40))
    Act.objects.filter(match=played).update(at=ago(3))
    retention.prune()
    running = Match.objects.filter(ended_at=None)
    assert set(running) == {played, watched}
    assert Match.objects.get(pk=left.pk).outcome is None
    assert Room.objects.get(pk=left.room_id).status == Room.Status.FINISHED


def test_finished_matches_of_an_earlier_version_are_compacted() -> None:
    path = next(path for path in stored_matches() if path.stem == "cards")
    number = restore(json.loads(path.read_text(encoding="utf-8")))
    before = Match.objects.get(pk=number)
    damaged = restore(json.loads(path.read_text(encoding="utf-8")))
    Match.objects.filter(pk=damaged).update(state="{}")
    retention.prune()
    assert Match.objects.get(pk=number).state == before.state
    shown = decode_snapshot(before)
    Match.objects.update(ended_at=ago(2))
    retention.prune()
    after = Match.objects.get(pk=number)
    assert len(after.state) < len(before.state) / 5
    assert decode_snapshot(after).game.rules.view(
        decode_snapshot(after).state, None
    ) == shown.game.rules.view(shown.state, None)
    assert Match.objects.get(pk=damaged).state == "{}"


class TestReplaysOfTheLadder:
    def played(self) -> Match:
        """Play a match of two programs on the ladder, and count it."""
        while ProgramVersion.objects.count() < 2:
            ladder_kit.version_of()
        for version in ProgramVersion.objects.all():
            ladder_kit.available(version)
        ladder_kit.open_tables()
        for version in ProgramVersion.objects.all():
            ladder_kit.come(version)
        match = ladder_kit.play_out(ladder_kit.running()[-1])
        counting.run()
        match.refresh_from_db()
        return match

    @pytest.fixture(autouse=True)
    def _ladder(self, settings: Any) -> None:
        settings.LADDER = True

    def test_only_old_matches_on_the_ladder_lose_their_moves(self) -> None:
        self.played()
        new = self.played()
        room = open_table(PersonFactory(), PersonFactory(), lives=1)
        of_people = play_out(room)
        counting.run()
        Match.objects.exclude(pk=new.pk).update(ended_at=ago(31))
        assert retention.prune().replays == 1
        assert retention.prune().replays == 0
        assert set(Act.objects.values_list("match", flat=True)) == {new.pk, of_people.pk}

    def test_mirrors_are_told(self) -> None:
        match = self.played()
        Match.objects.update(ended_at=ago(31))
        retention.prune()
        counting.run()
        answer = Client().get(f"/api/matches.ndjson?order=asc&after={match.no}")
        line, _last = [json.loads(one) for one in answer.content.splitlines()]
        assert (line["id"], line["pruned"], line["revision"]) == (match.pk, True, 1)
        file = Client().get(f"/api/matches/{match.pk}.ndjson?as=all")
        kinds = [json.loads(one)["type"] for one in file.content.splitlines()]
        assert kinds == ["Match", "End"]

    def test_ratings_and_statistics_stay(self) -> None:
        self.played()
        self.played()
        before = list(PlayerStat.objects.order_by("pk").values("user", "game", "key", "count"))
        assert retention.prune(timezone.now() + timedelta(days=31)).replays == 2
        counting.run()
        assert rerating.recompute() == 0
        assert sum(map(tallies.recount, tallies.people())) == 0
        after = PlayerStat.objects.order_by("pk").values("user", "game", "key", "count")
        assert list(after) == before

    def test_pages_say_that_the_moves_are_gone(self) -> None:
        match = self.played()
        address = f"/matches/{match.pk}/"
        assert 'href="1/"' in Client().get(address).content.decode()
        Match.objects.update(ended_at=ago(31))
        retention.prune()
        page = Client().get(address).content.decode()
        assert "The log of this match is no longer available." in page
        assert 'href="1/"' not in page
        assert Client().get(f"{address}1/").status_code == 404
        assert Client().get(f"{address}luck.json").status_code == 404
        counting.run()
        name = match.players.filter(place=1).values_list("user__username", flat=True).get()
        assert f"{address}" in (profile := Client().get(page_of(name)).content.decode())
        assert f"{address}1/" not in profile
