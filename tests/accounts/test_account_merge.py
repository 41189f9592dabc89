"""A guest who registers or logs in keeps all data."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts import tokens
from accounts.models import User
from games import rooms
from games.contract.core import Ignored, Refused
from games.engine.snapshots import load_snapshot
from games.engine.writer import command
from games.history import account_merge, erasure, staff
from games.history.verify import differences
from games.models import Deck, Invitation, Match, Member, Player, Room
from games.rooms import seeking
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import PASSWORD, account, as_guest, signing_up, who

pytestmark = pytest.mark.django_db(transaction=True)


def log_in(client: Client, name: str, **more: str) -> Any:
    return client.post("/account/login/", {"login": name, "password": PASSWORD, **more})


def deck_of(owner: User, slug: str = "mine") -> Deck:
    return Deck.objects.create(owner=owner, slug=slug, name=slug, language="en", pack="{}")


def test_registering_guest_keeps_the_same_user_row() -> None:
    client, guest = as_guest("Ann")
    room = open_table(guest, PersonFactory())
    match = start_match(room)
    assert b'name="username" value="Ann"' in client.get("/account/signup/").content
    deck, token = deck_of(guest), tokens.make(guest)
    answer = client.post(f"/account/signup/?next=/t/{room.code}/", signing_up("anna"))
    assert answer.url == f"/t/{room.code}/"
    anna = who(client)
    assert anna == guest
    assert anna is not None
    assert (anna.username, anna.name, anna.is_guest) == ("anna", "Ann", False)
    assert anna.check_password(PASSWORD)
    assert deck.owner == anna
    assert tokens.holder(token) == anna
    assert load_snapshot(match.pk).seat_of(anna.pk) is not None
    assert b'id="actions"' in client.get(answer.url).content


def test_guest_with_the_name_of_an_account_is_renamed_on_registration() -> None:
    account("Ann")
    client, guest = as_guest("Ann")
    client.post("/account/signup/", signing_up("Anna Two"))
    guest.refresh_from_db()
    assert str(guest) == "Anna Two"


def test_registering_from_two_tabs_creates_one_account() -> None:
    client, guest = as_guest("Ann")
    client.post("/account/signup/", signing_up("anna"))
    assert client.post("/account/signup/", signing_up("another")).status_code == 302
    guest.refresh_from_db()
    assert guest.username == "anna"


def test_login_moves_the_guests_seats_matches_decks_and_tokens() -> None:
    bob = account("Bob")
    client, guest = as_guest("Ann")
    room = open_table(guest, PersonFactory())
    match = start_match(room)
    deck, token = deck_of(guest), tokens.make(guest)
    rooms.say(room.pk, guest.pk, "hello").result()
    before = load_snapshot(match.pk)
    seat = before.seat_of(guest.pk)
    answer = log_in(client, "Bob", next=f"/t/{room.code}/")
    assert answer.url == f"/t/{room.code}/"
    assert who(client) == bob
    room.refresh_from_db()
    deck.refresh_from_db()
    assert (room.host, deck.owner, tokens.holder(token)) == (bob, bob, bob)
    assert load_snapshot(match.pk).seat_of(bob.pk) == seat
    assert Member.objects.get(room=room, user=bob).name == "Ann"
    assert not User.objects.filter(pk=guest.pk).exists()
    match.refresh_from_db()
    assert list(differences(match)) == []


def test_moved_seat_can_be_played() -> None:
    bob, guest = account("Bob"), PersonFactory(name="Ann")
    match = start_match(open_table(guest, PersonFactory()))
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    for _ in range(4):
        player = on_turn(match)
        offer = load_snapshot(match.pk).game.rules.offers(
            load_snapshot(match.pk).state, player.seat
        )[0]
        args = {name: next(iter(of.one_of)) for name, of in offer.args.items()}
        act(match, player, offer.move, **args)
    assert match.acts.filter(kind="move").values("seat").distinct().count() == 2


def test_merge_moves_finished_matches() -> None:
    bob, guest = account("Bob"), PersonFactory(name="Ann")
    match = start_match(open_table(guest, PersonFactory(), lives=1))
    assert load_snapshot(match.pk).seat_of(guest.pk) is not None
    command(staff.end_match)(match.room_id, "enough").result()
    load_snapshot(match.pk)
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    assert load_snapshot(match.pk).seat_of(bob.pk) is not None
    assert Player.objects.filter(match=match, user=bob, name="Ann").exists()


def both_at(room: Room, guest: User, user: User) -> tuple[Member, Member]:
    members = Member.objects.filter(room=room)
    return members.get(user=guest), members.get(user=user)


def test_guest_and_account_at_one_table_become_one_member() -> None:
    bob, guest = account("Bob"), PersonFactory(name="Ann")
    room = open_table(guest, PersonFactory(name="Eve"), bob)
    mine, _ = both_at(room, guest, bob)
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    room.refresh_from_db()
    mine.refresh_from_db()
    present = room.members.filter(left_at=None)
    assert sorted(present.values_list("name", flat=True)) == ["Bob", "Eve"]
    assert room.host == bob, "the guest's title goes along"
    assert (mine.user, mine.left_because) == (None, "left")


def test_member_with_a_seat_is_kept_when_both_are_at_one_table() -> None:
    bob, guest = account("Bob"), PersonFactory(name="Ann")
    room = open_table(bob, PersonFactory(), guest)
    rooms.set_spectating(room.pk, bob.pk, True).result()
    match = start_match(room)
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    room.refresh_from_db()
    assert room.members.get(user=bob).name == "Ann"
    assert load_snapshot(match.pk).seat_of(bob.pk) is not None
    assert room.host == bob


def test_account_keeps_its_seat_and_the_guests_seat_is_given_up() -> None:
    bob, guest = account("Bob"), PersonFactory(name="Ann")
    room = open_table(bob, guest, PersonFactory())
    match = start_match(room)
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    players = {p.name: p for p in load_snapshot(match.pk).players}
    assert (players["Bob"].user_id, players["Bob"].gone) == (bob.pk, "")
    former = players["former player"]
    assert (former.user_id, former.gone) == (None, "left")
    rooms.leave(room.pk, bob.pk).result()
    rooms.join(room.code, bob.pk, "Bob").result()
    assert load_snapshot(match.pk).seat_of(bob.pk) in (None, players["Bob"].seat)


def test_kicked_account_cannot_return_through_a_guest() -> None:
    bob, guest = account("Bob"), PersonFactory(name="Ann")
    room = open_table(PersonFactory(), bob)
    rooms.kick(room.pk, room.host_id, "Bob").result()
    rooms.join(room.code, guest.pk, "Ann").result()
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    assert not room.members.filter(left_at=None, name="Ann").exists()
    with pytest.raises(Refused) as refused:
        rooms.join(room.code, bob.pk, "Bob").result()
    assert refused.value.code == "Kicked"


def test_kick_of_a_guest_also_applies_to_the_account() -> None:
    bob, guest = account("Bob"), PersonFactory(name="Ann")
    room = open_table(PersonFactory(), guest)
    rooms.kick(room.pk, room.host_id, "Ann").result()
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    with pytest.raises(Refused) as refused:
        rooms.join(room.code, bob.pk, "Bob").result()
    assert refused.value.code == "Kicked"


def test_kick_of_a_guest_applies_even_if_the_account_left_earlier() -> None:
    bob, guest = account("Bob"), PersonFactory(name="Ann")
    room = open_table(PersonFactory(), bob, guest)
    rooms.leave(room.pk, bob.pk).result()
    rooms.kick(room.pk, room.host_id, "Ann").result()
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    with pytest.raises(Refused, match="Kicked"):
        rooms.join(room.code, bob.pk, "Bob").result()


def test_guest_cannot_be_merged_into_an_account_being_erased() -> None:
    bob, guest = account("Bob"), PersonFactory(name="Ann")
    open_table(guest)
    command(erasure.close)(bob.pk).result()
    with pytest.raises(Ignored):
        account_merge.merge_accounts(guest.pk, bob.pk).result()
    erasure.finish(bob.pk)
    assert guest.member_set.get().left_at is None


def test_account_that_left_takes_over_the_guests_membership() -> None:
    bob, guest = account("Bob"), PersonFactory(name="Ann")
    room = open_table(PersonFactory(), bob, guest)
    rooms.leave(room.pk, bob.pk).result()
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    assert room.members.get(user=bob).name == "Ann"
    assert room.members.get(user=bob).left_at is None


def test_invitations_are_moved_without_duplicates() -> None:
    bob, guest = account("Bob"), PersonFactory(name="Ann")
    one, two = open_table(PersonFactory()), open_table(PersonFactory())
    for room, user in ((one, guest), (two, guest), (two, bob)):
        Invitation.objects.create(room=room, user=user, by="Eve")
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    assert sorted(Invitation.objects.values_list("room", "user")) == [
        (one.pk, bob.pk),
        (two.pk, bob.pk),
    ]


def test_search_for_players_goes_on_after_a_login() -> None:
    bob, guest = account("Bob"), PersonFactory(name="Ann")
    for user, game in ((guest, "mia"), (guest, "coup"), (bob, "coup")):
        seeking.seek(user.pk, game, str(user)).result()
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    assert sorted(bob.seeks.values_list("game", flat=True)) == ["coup", "mia"]


def test_only_guests_can_be_merged_and_only_once() -> None:
    bob, eve, guest = account("Bob"), account("Eve"), PersonFactory(name="Ann")
    with pytest.raises(Ignored):
        account_merge.merge_accounts(eve.pk, bob.pk).result()
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    with pytest.raises(Ignored):
        account_merge.merge_accounts(guest.pk, eve.pk).result()


def test_failed_merge_leaves_the_guest_unchanged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    account("Bob")
    client, guest = as_guest("Ann")

    def busy(*args: Any) -> Any:
        raise Refused("busy")

    monkeypatch.setattr(account_merge, "merge_accounts", busy)
    answer = log_in(client, "Bob")
    assert who(client) == guest
    assert b"We couldn&#x27;t log you in just now" in client.get(answer.url).content
    assert Member.objects.filter(user__username="Bob").count() == 0


def test_wrong_password_moves_nothing() -> None:
    account("Bob")
    client, guest = as_guest("Ann")
    client.post("/account/login/", {"login": "Bob", "password": "wrong"})
    assert who(client) == guest


def test_every_relation_to_users_is_handled_by_the_merge() -> None:
    """If a new table refers to users, `games.history.account_merge` must handle it."""
    moved = {
        *("games.Room.host", "games.Member.user", "games.Invitation.user", "games.Player.user"),
        *("games.Player.owner_before", "games.Announcement.person", "games.Seek.user"),
        *("games.Deck.owner", "chat.Message.author", "accounts.Token.user"),
        *("games.UdpName.user", "accounts.Sanction.user", "accounts.MuteOrBlock.user"),
        "accounts.PushSubscription.user",
        *("accounts.MuteOrBlock.other", "moderation.Report.by", "moderation.Report.about"),
    }
    never_a_guests = {
        *("admin.LogEntry.user", "account.EmailAddress.user"),
        *("moderation.Report.decided_by", "moderation.StaffAct.by", "moderation.StaffAct.whom"),
        *("accounts.RegistrationLink.made_by", "accounts.RegistrationLink.used_by"),
        *("accounts.User_groups.user", "accounts.User_user_permissions.user"),
        *("mfa.Authenticator.user", "accounts.AddressLock.made_by"),
        *("accounts.Follow.user", "accounts.Follow.other"),
        *("games.Program.owner", "games.ProgramVersion.user"),
    }
    gone_with_the_guest = {
        "accounts.HandOff.user",  # valid for two minutes
        "accounts.SentForm.user",  # valid for a day
        "games.LongJob.person",  # the job that moves the guest
        "games.PlayerStat.user",  # computed again from the seats
        "games.Rating.user",  # matches with guests are never rated
        "games.Recount.user",
    }
    owned = {
        f"{relation.related_model._meta.label}.{relation.field.name}"  # type: ignore[union-attr]
        for relation in User._meta.get_fields(include_hidden=True)
        if relation.auto_created and not relation.concrete
    }
    assert owned == moved | never_a_guests | gone_with_the_guest


def test_merge_adds_an_act_without_events_to_a_running_match() -> None:
    bob, guest = account("Bob"), PersonFactory(name="Ann")
    match = start_match(open_table(guest, PersonFactory()))
    told = match.acts.count()
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    act_of_merge = match.acts.order_by("-number").first()
    assert act_of_merge is not None
    assert match.acts.count() == told + 1
    assert act_of_merge.told == []
    assert Match.objects.get(pk=match.pk).version == act_of_merge.number
