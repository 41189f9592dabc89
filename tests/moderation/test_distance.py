"""Users can mute and block others, with no effect on anybody else."""

from __future__ import annotations

import pytest

from accounts.models import MuteOrBlock, User
from games import rooms
from games.contract.core import Refused
from games.history import account_merge
from games.models import Invitation
from games.tables.diff import packets
from games.tables.loading import load
from tests.kit.factories import AccountFactory, PersonFactory, open_table
from tests.kit.people import account, as_user

pytestmark = pytest.mark.django_db(transaction=True)


def test_messages_of_a_muted_user_are_hidden_only_from_the_muting_user() -> None:
    ann, bob, eve = (PersonFactory() for _ in range(3))
    room = open_table(ann, bob, eve)
    rooms.say(room.pk, bob.pk, "before").result()
    rooms.mute(room.pk, ann.pk, str(bob), True).result()
    before = load(room.pk)
    rooms.say(room.pk, bob.pk, "after").result()
    now = load(room.pk, before)

    def reads(user: User) -> list[str]:
        return [message.text for message in now.in_chat(user.pk)]

    assert (reads(ann), reads(eve), reads(bob)) == ([], ["before", "after"], ["before", "after"])
    assert "after" in str(packets(before, now, eve.pk))
    assert "after" not in str(packets(before, now, ann.pk))
    rooms.mute(room.pk, ann.pk, str(bob), False).result()
    now = load(room.pk)
    assert reads(ann) == ["before", "after"]
    assert not MuteOrBlock.objects.exists()


def test_blocked_user_cannot_join_tables_of_that_host() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    shared = open_table(bob, ann)
    rooms.block(shared.pk, ann.pk, str(bob), True).result()
    with pytest.raises(Refused, match="Kicked"):
        rooms.join(open_table(ann).code, bob.pk, str(bob)).result()
    rooms.join(open_table(PersonFactory()).code, bob.pk, str(bob)).result()
    rooms.block(shared.pk, ann.pk, str(bob), False).result()
    rooms.join(open_table(ann).code, bob.pk, str(bob)).result()


def test_blocked_user_cannot_return_after_leaving() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    rooms.block(room.pk, ann.pk, str(bob), True).result()
    rooms.join(room.code, bob.pk, str(bob)).result()  # still at the table: only the host may kick
    rooms.leave(room.pk, bob.pk).result()
    with pytest.raises(Refused, match="Kicked"):
        rooms.join(room.code, bob.pk, str(bob)).result()


def test_blocked_user_cannot_invite_and_cannot_detect_the_block() -> None:
    ann, bob = account("Ann"), AccountFactory()
    shared, room = open_table(bob, ann), open_table(bob)
    rooms.invite(room.pk, bob.pk, "Ann").result()
    rooms.block(shared.pk, ann.pk, str(bob), True).result()
    assert not Invitation.objects.exists()
    with pytest.raises(Refused, match="bad_target"):
        rooms.invite(room.pk, bob.pk, "Ann").result()
    with pytest.raises(Refused, match="bad_target"):
        rooms.invite(room.pk, bob.pk, "Nobody").result()


@pytest.mark.parametrize("name", ["Nobody", "", "self"])
def test_only_other_people_at_the_table_can_be_muted(name: str) -> None:
    ann = PersonFactory()
    room = open_table(ann, bots=1)
    bot = room.members.get(user=None).name
    for wanted in (name, bot, str(ann)):
        with pytest.raises(Refused, match="bad_target"):
            rooms.mute(room.pk, ann.pk, wanted, True).result()


def test_account_page_lists_muted_and_blocked_users_and_can_remove_them() -> None:
    ann, bob, eve = PersonFactory(), PersonFactory(name="B<b>"), PersonFactory()
    room = open_table(ann, bob)
    rooms.mute(room.pk, ann.pk, "B<b>", True).result()
    rooms.block(room.pk, ann.pk, "B<b>", True).result()
    page = as_user(ann).get("/you/").content.decode()
    assert "B&lt;b&gt;" in page
    assert "blocked" in page
    address = f"/you/meet/{MuteOrBlock.objects.get().pk}/"
    as_user(eve).post(address)
    assert MuteOrBlock.objects.exists()
    as_user(ann).post(address)
    assert not MuteOrBlock.objects.exists()


def test_mutes_and_blocks_follow_a_merged_guest() -> None:
    bob, guest, eve = account("Bob"), PersonFactory(), PersonFactory()
    room = open_table(guest, eve, bob)
    rooms.mute(room.pk, guest.pk, str(eve), True).result()
    rooms.block(room.pk, eve.pk, str(guest), True).result()
    rooms.mute(room.pk, eve.pk, str(bob), True).result()
    rooms.mute(room.pk, guest.pk, str(bob), True).result()
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    kept = MuteOrBlock.objects.values_list("user", "other", "mutes", "blocks")
    assert set(kept) == {(bob.pk, eve.pk, True, False), (eve.pk, bob.pk, True, True)}
