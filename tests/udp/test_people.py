"""Human players at the UDP table: they play at their own pace, and everybody may watch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission

from accounts.models import User
from games import rooms
from games.contract.core import Ignored, Refused
from games.engine import matches
from games.engine.snapshots import load_snapshot
from games.models import Match, Member, Room, UdpName, UdpRound
from games.pages import regions
from games.rooms import table_pause
from games.tables.loading import load
from games.udp import commands
from games.udp.server import UdpServer
from tests.kit.factories import AccountFactory, PersonFactory
from tests.kit.sent import sync_data
from tests.kit.udp import Player, Program, token, wait_until

Serve = Callable[..., UdpServer]
Play = Callable[[str], Player]


@pytest.fixture
def room(port: int) -> Room:
    return Room.objects.get(pk=commands.open_table().result()[0])


def sit(room: Room, name: str = "Ann", watch: bool = False) -> User:
    person: User = PersonFactory(name=name)
    rooms.join(room.code, person.pk, name, spectate=watch).result()
    return person


def moderator(room: Room) -> User:
    person: User = AccountFactory(name="Mod", is_staff=True)
    person.user_permissions.add(Permission.objects.get(codename="change_room"))
    rooms.join(room.code, person.pk, "Mod", spectate=True).result()
    return person


def running(room: Room) -> Match | None:
    return Match.objects.filter(room=room, ended_at=None).first()


def waits_for(room: Room, person: User) -> bool:
    """Return whether a round is waiting for this player's answer."""
    started = running(room)
    if started is None:
        return False
    match = load_snapshot(started.pk)
    seat = match.seat_of(person.pk)
    return seat is not None and seat in match.game.rules.awaited(match.state)


def play(room: Room, person: User, seconds: float = 20) -> Match:
    """Answer truthfully for this player until a round in which they play is over."""
    started = running(room)

    def is_over() -> bool:
        nonlocal started
        started = started or running(room)
        if started is None:
            return False
        match = load_snapshot(started.pk)
        seat = match.seat_of(person.pk)
        if match.over:
            return True
        if seat is not None and seat in match.game.rules.awaited(match.state):
            safe = [o for o in match.game.rules.offers(match.state, seat) if not o.risky]
            offer = (safe or match.game.rules.offers(match.state, seat))[-1]
            packet: dict[str, Any] = {"type": offer.move}
            for name, choices in offer.args.items():
                packet[name] = choices.one_of[0]
            matches.move(room.pk, person.pk, packet, match.state.prompts[seat]).result()
        return False

    wait_until(is_over, seconds)
    assert started is not None
    return Match.objects.get(pk=started.pk)


def test_seated_person_plays_with_programs(serve: Serve, player: Play, room: Room) -> None:
    serve()
    bots = [player("one"), player("two")]
    ann = sit(room)
    match = play(room, ann)
    assert set(match.players.values_list("name", flat=True)) >= {"Ann", "one"}
    wait_until(lambda: any("Ann" in score for score in bots[0].scores))
    stored = UdpRound.objects.get(match=match)
    assert set(stored.order) == set(match.players.values_list("name", flat=True))
    assert UdpName.objects.get(name="Ann").rounds >= 1


def test_person_is_not_in_the_next_round_after_standing_up(
    serve: Serve, player: Play, room: Room
) -> None:
    ann = sit(room, watch=True)
    serve(pause=1.5)
    one, _two = player("one"), player("two")
    rooms.set_spectating(room.pk, ann.pk, False).result()
    play(room, ann)
    rooms.set_spectating(room.pk, ann.pk, True).result()
    wait_until(lambda: running(room) is None)
    heard = len(one.scores)
    wait_until(lambda: len(one.scores) > heard + 3)
    latest = UdpRound.objects.first()
    assert latest is not None
    assert set(latest.order) == {"one", "two"}


def test_seated_person_is_left_out_if_only_programs_may_play(
    serve: Serve, player: Play, room: Room
) -> None:
    rooms.set_options(room.pk, moderator(room).pk, {"humanMs": 0}).result()
    sit(room)
    serve()
    one, _two = player("one"), player("two")
    wait_until(lambda: len(one.scores) > 3)
    assert not Match.objects.exists()


def test_person_alone_starts_no_round(serve: Serve, room: Room) -> None:
    ann = sit(room)
    number = Room.objects.get(pk=room.pk).udp_round
    serve()
    with pytest.raises(AssertionError):
        wait_until(lambda: running(room), 0.6)
    assert not UdpRound.objects.exists()
    assert Room.objects.get(pk=room.pk).udp_round == number
    assert ann


def test_silent_person_loses_rounds_and_then_the_seat(
    serve: Serve, player: Play, room: Room, clock: None
) -> None:
    rooms.set_options(room.pk, moderator(room).pk, {"humanMs": 1000, "idleKick": 2}).result()
    ann = sit(room)
    serve()
    player("one")
    wait_until(lambda: not Member.objects.filter(user=ann, left_at=None).exists(), 40)
    assert Member.objects.get(user=ann).left_because == "idle"
    reasons = set(UdpRound.objects.filter(losers__icontains="Ann").values_list("reason", flat=True))
    by_luck = {"MIA"}  # the program rolled a Mia: everybody else loses
    assert reasons - by_luck <= {"DID_NOT_TAKE_TURN", "DID_NOT_ANNOUNCE"}


def test_udp_table_has_no_host_and_only_moderators_set_options(room: Room) -> None:
    ann = sit(room)
    for entrance in (
        lambda: rooms.set_options(room.pk, ann.pk, {"humanMs": 0}),
        lambda: rooms.start(room.pk, ann.pk),
        lambda: rooms.set_room(room.pk, ann.pk, "unlisted"),
    ):
        with pytest.raises(Ignored):
            entrance().result()
    mod = moderator(room)
    rooms.set_options(room.pk, mod.pk, {"humanMs": 5000, "scoring": "lives"}).result()
    options = Room.objects.get(pk=room.pk).options
    assert (options["humanMs"], options["scoring"]) == (5000, "points")
    for entrance in (rooms.start, table_pause.pause, table_pause.resume):
        with pytest.raises(Refused, match="not_allowed_now"):
            entrance(room.pk, mod.pk).result()
    assert Room.objects.get(pk=room.pk).host is None


def test_round_interrupted_by_a_crash_is_void(serve: Serve, player: Play, room: Room) -> None:
    ann = sit(room)
    server = serve()
    one = player("one")
    wait_until(lambda: waits_for(room, ann))  # from here on no roll of the program ends the round
    open_round = running(room)
    server.stop()
    number, before = max(one.numbers), dict(UdpName.objects.values_list("name", "points"))
    serve()
    wait_until(lambda: max(one.numbers) > number)
    assert open_round is not None
    void = Match.objects.get(pk=open_round.pk)
    assert (void.ended_at is not None, void.outcome) == (True, None)
    assert not UdpRound.objects.filter(match=void).exists()
    assert dict(UdpName.objects.values_list("name", "points"))["one"] >= before["one"]


def test_the_page_shows_the_newest_round_and_the_standings(
    serve: Serve, player: Play, room: Room
) -> None:
    ann = sit(room, watch=True)
    empty = {region.id: region.part for region in regions(load(room.pk), ann.pk)}
    assert "Waiting for the first" in empty["status"]["sentence"]
    server = serve()
    one, two = player("one"), player("two")
    wait_until(lambda: UdpRound.objects.filter(losers__icontains="o").count() > 5)
    server.stop()
    commands.drop_unused_names().result()  # flush pending writes
    assert one.scores
    assert two.scores
    seen = {region.id: region.part for region in regions(load(room.pk), ann.pk)}
    newest = UdpRound.objects.first()
    assert newest is not None
    assert seen["board"]["view"]["round"] == newest.number
    assert seen["standings"]["latest"][0]["number"] == newest.number
    assert [n["name"] for n in seen["standings"]["names"]][:1][0] in ("one", "two")
    assert seen["standings"]["lines"]
    assert seen["actions"]["forms"] == []


def test_bot_plays_only_while_a_person_does(
    serve: Serve, player: Play, room: Room, clock: None
) -> None:
    ann, mod = sit(room), moderator(room)
    rooms.add_bot(room.pk, mod.pk).result()
    serve()
    one, _two = player("one"), player("two")
    match = play(room, ann)
    names = set(match.players.values_list("name", flat=True))
    (bot,) = names - {"Ann", "one", "two"}
    wait_until(lambda: any(bot in score for score in one.scores))
    assert set(bot.split()) == {bot}
    rooms.leave(room.pk, ann.pk).result()
    wait_until(lambda: running(room) is None, 40)
    heard = len(one.scores)
    wait_until(lambda: len(one.scores) > heard + 3)
    latest = UdpRound.objects.first()
    assert latest is not None
    assert set(latest.order) == {"one", "two"}
    rooms.kick(room.pk, mod.pk, bot).result()
    rooms.add_bot(room.pk, mod.pk).result()


def test_page_has_no_button_for_a_fault(serve: Serve, player: Play, room: Room) -> None:
    ann = sit(room)
    serve()
    player("one")

    def forms() -> list[str]:
        shown = {region.id: region.part for region in regions(load(room.pk), ann.pk)}
        return [form["move"] for form in shown["actions"]["forms"]]

    wait_until(forms)
    assert "Fault" not in forms()
    data = sync_data(load(room.pk), ann.pk)
    assert "Fault" in [offer["move"] for offer in data["offers"]]


def test_round_goes_on_without_a_person_who_leaves_before_its_start(
    serve: Serve, program: Callable[..., Program], room: Room
) -> None:
    ann, one = sit(room), program("one").known()
    serve()
    invited = one.until("ROUND STARTING")
    rooms.leave(room.pk, ann.pk).result()
    one.send(f"JOIN;{token(invited)}")
    assert one.read() == "ROUND STARTED;one"
    assert one.read() == "ROUND CANCELED;only one player"
    assert one.read() == "SCORE;one:1"


def test_points_are_stored_when_a_round_with_people_ends(
    serve: Serve, player: Play, room: Room
) -> None:
    server = serve(pause=5.0)
    player("one")
    match = play(room, sit(room))
    stored = UdpRound.objects.get(match=match)
    assert match.outcome is not None
    for player_ in match.players.all():
        name = UdpName.objects.get(name=player_.name)
        won = player_.name not in stored.losers
        assert player_.points == int(won)
        assert name.points >= int(won)
    server.stop()
