"""Commands: what people and time change in rooms and matches, as stored in the database."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db.models import F
from django.utils import timezone

from games import rooms
from games.contract.core import Ignored, Refused
from games.engine import matches
from games.engine.snapshots import load_snapshot
from games.engine.writer import command
from games.history import staff
from games.mia.rules.state import Fault
from games.models import Act, Heartbeat, Match, Member, Player, Room
from games.registry import GAMES
from games.rooms import cleanup
from games.runtime import clock as house_clock
from games.runtime import heartbeat
from games.tables.loading import load
from games.wire.wire import BadPacket
from tests.kit.altered import altered
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.sent import packets

pytestmark = pytest.mark.django_db(transaction=True)


def roll(match: Match, **packet: Any) -> int:
    """Roll for the player whose turn it is."""
    seen = load_snapshot(match.pk)
    (seat,) = seen.game.rules.awaited(seen.state)
    user = seen.players[seat].user_id
    return matches.move(match.room_id, user, {"type": "Roll", **packet}).result()


def on_turn(match: Match) -> Player:
    seen = load_snapshot(match.pk)
    (seat,) = seen.game.rules.awaited(seen.state)
    return seen.players[seat]


def test_a_match_is_its_snapshot_and_its_log() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    assert match.version == 1
    assert roll(match) == 2
    acts = list(Act.objects.filter(match=match).values_list("number", "kind", "by"))
    assert acts == [(1, "setup", "hand"), (2, "move", "hand")]
    assert [draw["label"] for draw in Act.objects.get(match=match, number=2).draws] == [
        "die",
        "die",
    ]


def test_a_refused_move_leaves_no_trace() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    player = on_turn(match)
    with pytest.raises(Refused, match="see_before_first_roll"):
        matches.move(match.room_id, player.user_id, {"type": "See"}).result()
    with pytest.raises(BadPacket):
        matches.move(match.room_id, player.user_id, {"type": "Fly"}).result()
    assert Match.objects.get(pk=match.pk).version == 1


def test_two_moves_at_once_are_one_move() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    player = on_turn(match)
    prompt = load_snapshot(match.pk).state.prompts[player.seat]
    moves = [
        matches.move(match.room_id, player.user_id, {"type": "Roll"}, prompt) for _ in range(10)
    ]
    assert {pending.result() for pending in moves} == {2}
    assert Act.objects.filter(match=match).count() == 2


def test_who_leaves_is_out_and_the_last_one_wins() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    match = start_match(room)
    rooms.leave(room.pk, bob.pk).result()
    match.refresh_from_db()
    room.refresh_from_db()
    assert match.ended_at is not None
    assert room.status == Room.Status.FINISHED
    assert room.standings == {str(ann): 1}
    assert Player.objects.get(match=match, user=ann).place == 1


def test_a_bot_takes_the_seat_and_the_person_takes_it_back() -> None:
    ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
    room = open_table(ann, bob, eve, onLeave="substitute")
    match = start_match(room)
    rooms.leave(room.pk, bob.pk).result()
    player = Player.objects.get(match=match, user=bob)
    assert (player.bot, player.substitute, player.gone) == ("normal", True, "left")
    rooms.join(room.code, bob.pk, str(bob)).result()
    player.refresh_from_db()
    assert (player.bot, player.gone) == ("", "")
    assert player.substitute is False


def test_the_kicked_do_not_get_their_seat_back() -> None:
    ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
    room = open_table(ann, bob, eve, onLeave="substitute")
    start_match(room)
    with pytest.raises(Refused, match="not_allowed_now"):
        rooms.kick(room.pk, ann.pk, str(bob)).result()
    Member.objects.filter(user=bob).update(away_since=timezone.now())
    rooms.kick(room.pk, ann.pk, str(bob)).result()
    with pytest.raises(Refused, match="Kicked"):
        rooms.join(room.code, bob.pk, str(bob)).result()


def let_time_run_out(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(
        deadline=timezone.now() - timedelta(seconds=1),
        version=load_snapshot(match.pk).row.version + 1,
    )
    rooms.time_is_up(match.pk, load_snapshot(match.pk).state.clock).result()


def test_who_is_silent_too_often_loses_the_seat() -> None:
    ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
    room = open_table(ann, bob, eve, idleKick=1)
    match = start_match(room)
    silent = on_turn(match)
    let_time_run_out(match)
    assert Member.objects.get(user=silent.user).left_because == "idle"
    assert Player.objects.get(pk=silent.pk).gone == "idle"


def test_time_that_is_not_up_changes_nothing() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    with pytest.raises(Ignored):
        rooms.time_is_up(match.pk, load_snapshot(match.pk).state.clock).result()


def test_without_a_clock_the_host_may_nudge() -> None:
    ann = PersonFactory()
    room = open_table(ann, PersonFactory(), pace="none")
    match = start_match(room)
    assert match.deadline is None
    rooms.nudge(room.pk, ann.pk).result()
    match.refresh_from_db()
    assert match.deadline is not None
    with pytest.raises(Refused, match="not_allowed_now"):
        rooms.nudge(room.pk, ann.pk).result()


def test_absence_makes_a_spectator_then_a_leaver_and_the_host_is_followed() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    now = timezone.now()
    Member.objects.filter(user=ann).update(away_since=now - timedelta(seconds=61))
    cleanup.Cleanup().run(now)
    room.refresh_from_db()
    assert Member.objects.get(user=ann).spectator
    assert room.host == bob
    Member.objects.filter(user=ann).update(away_since=now - timedelta(minutes=11))
    cleanup.Cleanup().run(now)
    assert Member.objects.get(user=ann).left_because == "disconnected"


def test_a_room_nobody_comes_back_to_is_closed() -> None:
    ann = PersonFactory()
    room = open_table(ann)
    rooms.leave(room.pk, ann.pk).result()
    cleanup.Cleanup().run(timezone.now() + timedelta(minutes=29))
    assert Room.objects.get(pk=room.pk).status == Room.Status.OPEN
    cleanup.Cleanup().run(timezone.now() + timedelta(minutes=31))
    assert Room.objects.get(pk=room.pk).status == Room.Status.CLOSED


def test_after_a_dark_house_deadlines_are_put_off() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    past = timezone.now() - timedelta(minutes=5)
    Match.objects.filter(pk=match.pk).update(deadline=past, wake_at=past)
    Heartbeat.objects.create(pk=1, at=past)
    heartbeat.begin("started").result()
    match.refresh_from_db()
    assert match.deadline is not None
    assert match.deadline > timezone.now() + timedelta(seconds=15)


def test_a_match_whose_rules_fail_is_stopped_and_hurts_no_other(
    clock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> Any:
        raise ZeroDivisionError

    whole = open_table(PersonFactory(), game="mia", bots=2, lives=1, idleKick=0)
    broken = open_table(PersonFactory(), game="coup", bots=2)
    monkeypatch.setitem(GAMES, "coup", altered(GAMES["coup"], apply=fail, lapse=fail))
    sad, good = start_match(broken), start_match(whole)
    for _ in range(200):
        house_clock.threading.Event().wait(0.05)
        Match.objects.filter(pk=sad.pk, ended_at=None).update(
            wake_at=timezone.now(), deadline=timezone.now(), version=F("version") + 1
        )
        if Match.objects.get(pk=sad.pk).ended_at:
            break
    assert Match.objects.get(pk=sad.pk).broken
    assert Room.objects.get(pk=broken.pk).status == Room.Status.FINISHED
    assert not Match.objects.get(pk=good.pk).broken


def test_a_forged_draw_is_found() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    match = start_match(room)
    with pytest.raises(CommandError, match="still running"):
        call_command("verify_match", match.pk)
    roll(match)
    rooms.leave(room.pk, bob.pk).result()
    call_command("verify_match", match.pk)
    act = Act.objects.get(match=match, number=2)
    act.draws[0]["value"] = (act.draws[0]["value"] + 1) % 6
    act.save()
    with pytest.raises(CommandError, match="1 difference"):
        call_command("verify_match", match.pk)


def test_staff_close_rooms_lock_people_out_and_remove_messages() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    match = start_match(room)
    rooms.say(room.pk, bob.pk, "something rude").result()
    command(staff.decide)(bob.pk, "lock", "rude").result()
    assert Member.objects.get(user=bob).left_because == "banned"
    with pytest.raises(Refused, match="Banned"):
        rooms.join(room.code, bob.pk, str(bob)).result()
    command(staff.close_room)(room.pk, "enough").result()
    match.refresh_from_db()
    assert match.ended_at is not None
    with pytest.raises(Refused, match="InvalidRoom"):
        rooms.join(room.code, ann.pk, str(ann)).result()


def test_the_silent_are_warned_before_they_lose_the_seat() -> None:
    room = open_table(PersonFactory(), PersonFactory(), idleKick=3)
    match = start_match(room)
    silent = on_turn(match)
    before = load(room.pk)
    let_time_run_out(match)
    now = load(room.pk, before)
    assert silent.user_id is not None
    alerts = [p for p in packets(before, now, silent.user_id) if p["type"] == "ShowAlert"]
    assert [alert["message"] for alert in alerts] == [
        "You missed your turn. Miss 2 more and you lose your seat."
    ]


def test_a_bot_that_fails_or_cheats_plays_at_random_instead(
    clock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> Any:
        raise ZeroDivisionError

    def cheat(*args: Any) -> Any:
        return Fault()

    bots = {**GAMES["mia"].bots.levels, "easy": cheat, "normal": fail}
    monkeypatch.setitem(GAMES, "mia", altered(GAMES["mia"], levels=bots))
    host = PersonFactory()
    room = open_table(host, lives=1, onLeave="substitute")
    for level in ("easy", "normal", "random"):
        rooms.add_bot(room.pk, host.pk, level).result()
    match = start_match(room)
    rooms.leave(room.pk, host.pk).result()
    for _ in range(400):
        match.refresh_from_db()
        if match.ended_at:
            break
        house_clock.threading.Event().wait(0.05)
    assert match.outcome is not None
    assert not match.broken
