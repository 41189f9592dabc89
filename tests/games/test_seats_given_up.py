"""Former owners of a seat can read what they saw, but not what its bot learns."""

from __future__ import annotations

import msgspec
import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from accounts.models import User
from games import rooms
from games.contract.data import Seat
from games.engine import matches
from games.engine.snapshots import load_snapshot
from games.engine.writer import command
from games.history import staff
from games.history.match_history import story_of
from games.mia.rules.state import Announce, Moves, Roll
from games.models import Match, Member, Room
from games.sockets import api
from games.wire.commands import LogRequest
from tests.kit import moderation_helpers
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.stored import exported

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table() -> tuple[Room, Match, User]:
    """Mia with substitutes. The player whose turn it is has seen dice, and is not the host."""
    room = open_table(*(PersonFactory() for _ in range(4)), onLeave="substitute")
    match = start_match(room)
    while (player := on_turn(match)).user_id == room.host_id:
        act(match, player, "Roll")
        act(match, player, "Announce", dice="3,1")
    act(match, player, "Roll")
    return room, match, User.objects.get(pk=player.user_id)


def let_the_bot_see_dice(match: Match) -> None:
    """The substitute announces, the others pass the cup on, and the substitute rolls."""
    make(match, Announce("3,2"))
    for said in ("4,1", "4,2", "4,3"):
        make(match, Roll())
        make(match, Announce(said))
    assert on_turn(match).substitute
    make(match, Roll())


def make(match: Match, made: Moves) -> None:
    """Make a move for the player whose turn it is, bot or not."""
    seen = load_snapshot(match.pk)
    seat = Seat(on_turn(match).seat)
    if seen.players[seat].bot:
        matches.bot_move(match.pk, seat, seen.state.prompts[seat], made).result()
    else:
        fields = {"dice": made.dice} if isinstance(made, Announce) else {}
        act(match, seen.players[seat], type(made).__name__, **fields)


def dice_in_log(room: Room, person: User) -> int:
    """Count the log lines that show this user dice that only one seat has seen."""
    answer = async_to_sync(api.obey)(api.Client(person.pk, "", room.pk), LogRequest(0))
    return msgspec.json.encode(answer).count(b'"type":"Rolled"')


def dice_in_export(person: User) -> int:
    return msgspec.json.encode(exported(person)["matches"]).count(b'"type":"Rolled"')


def ask_back(room: Room, person: User) -> None:
    member = Member.objects.get(room=room, user=person)
    assert room.host_id is not None
    rooms.invite_again(room.pk, room.host_id, member.pk).result()
    rooms.join(room.code, person.pk, str(person), spectate=True).result()


def kick(room: Room, person: User) -> None:
    Member.objects.filter(room=room, user=person).update(away_since=timezone.now())
    assert room.host_id is not None
    rooms.kick(room.pk, room.host_id, Member.objects.get(room=room, user=person).name).result()


def test_kicked_spectator_does_not_see_what_the_substitute_bot_learns(
    table: tuple[Room, Match, User],
) -> None:
    room, match, person = table
    assert dice_in_log(room, person) == 1
    kick(room, person)
    ask_back(room, person)
    let_the_bot_see_dice(match)
    assert dice_in_log(room, person) == 1
    assert dice_in_export(person) == 1


def test_renamed_user_gains_no_secrets_of_a_former_seat(
    table: tuple[Room, Match, User],
) -> None:
    room, match, person = table
    kick(room, person)
    command(staff.take_name)(person.pk, "enough").result()
    let_the_bot_see_dice(match)
    moderation_helpers.end_match(room.pk).result()
    shown = story_of(match, person.pk).part["lines"]
    assert sum(line["private"] for line in shown) == 1


def test_returning_owner_sees_everything_the_seat_was_shown(
    table: tuple[Room, Match, User],
) -> None:
    room, match, person = table
    rooms.leave(room.pk, person.pk).result()
    let_the_bot_see_dice(match)
    assert dice_in_export(person) == 1
    rooms.join(room.code, person.pk, str(person)).result()
    assert dice_in_log(room, person) == 2
