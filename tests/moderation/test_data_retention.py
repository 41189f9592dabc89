"""Moderation data about users: its export, its erasure, and how long it is kept."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import MuteOrBlock, Sanction, User
from chat.models import Message
from games import rooms
from games.engine.writer import command
from games.history import account_merge, erasure, retention
from games.models import Invitation
from games.sockets.api_clients import open_invitations
from moderation import data_retention
from moderation.models import Report, StaffAct
from tests.kit.factories import PersonFactory, open_table
from tests.kit.moderators import decide
from tests.kit.people import account
from tests.kit.reports import report, says
from tests.kit.stored import exported

pytestmark = pytest.mark.django_db(transaction=True)


def reported(by: User, about: User, *said: str) -> Report:
    """A report of a user's last message, at a table with the reporter."""
    room = open_table(by, about)
    report(room, by, "message", says(room, about, *said).pk, note="the note of mine")
    return Report.objects.latest("pk")


def stored() -> str:
    rows = (Report.objects.values(), StaffAct.objects.values(), Sanction.objects.values())
    return str([list(of) for of in rows])


def ago(days: int) -> Any:
    return timezone.now() - timedelta(days=days)


def test_no_moderation_data_identifies_an_erased_user() -> None:
    ann, zora = account("Ann"), account("Zoraida")
    one = reported(ann, zora, "a rude word")
    decide("remove", message=one.message_id)
    decide("rename", person=zora.pk)
    decide("mute", person=account("Other").pk)
    rooms.block(one.room_id or 0, ann.pk, str(User.objects.get(pk=zora.pk)), True).result()
    erasure.erase(zora.pk)
    for trace in ("Zoraida", "rude word", f"Player {zora.pk}"):
        assert trace not in stored()
    assert not MuteOrBlock.objects.exists()
    kept = StaffAct.objects.order_by("pk").values_list("action", "whom_name", "reason")
    assert list(kept) == [
        ("remove", "former player", "that was rude"),
        ("rename", "former player", "that was rude"),
        ("mute", "Other", "that was rude"),
    ]


def test_reports_by_an_erased_user_stay_without_name_and_note() -> None:
    ann, bob = account("Mirabel"), account("Bob")
    one = reported(ann, bob, "boo")
    erasure.erase(ann.pk)
    one.refresh_from_db()
    assert (one.by, one.by_name, one.note) == (None, "former player", "")
    assert (one.about, one.what) == (bob, "boo")


def test_erased_users_messages_are_removed_from_report_context() -> None:
    ann, bob, zora = account("Ann"), account("Bob"), account("Zoraida")
    room = open_table(ann, bob, zora)
    says(room, zora, "my recipe")
    report(room, ann, "message", says(room, bob, "boo").pk)
    erasure.erase(zora.pk)
    lines = Report.objects.get().context
    assert [(line["name"], line["text"]) for line in lines] == [
        ("former player", ""),
        ("Bob", "boo"),
    ]


def test_sanctions_of_a_guest_are_erased_with_the_merged_account() -> None:
    guest, ann = PersonFactory(name="Zoraida"), account("Ann")
    decide("warn", person=guest.pk)
    account_merge.merge_accounts(guest.pk, ann.pk).result()
    assert StaffAct.objects.get().whom == ann
    erasure.erase(ann.pk)
    assert "Zoraida" not in stored()


def test_context_messages_of_a_guest_are_erased_with_the_merged_account() -> None:
    guest, ann, bob, eve = (
        PersonFactory(name="Zoraida"),
        account("Ann"),
        account("Bob"),
        account("E"),
    )
    room = open_table(ann, bob, guest)
    says(room, guest, "my recipe")
    report(room, ann, "message", says(room, bob, "boo").pk)
    account_merge.merge_accounts(guest.pk, eve.pk).result()
    assert "my recipe" in stored()
    erasure.erase(eve.pk)
    for trace in ("Zoraida", "my recipe"):
        assert trace not in stored()
    assert "boo" in stored()


def test_export_contains_own_reports_and_decisions_about_the_user() -> None:
    ann, bob = account("Ann"), account("Bob")
    one = reported(ann, bob, "boo")
    mine, before = exported(ann), exported(bob)
    assert [(r["what"], r["of"], r["note"]) for r in mine["reports"]] == [
        ("boo", "Bob", "the note of mine")
    ]
    assert before["reported"] == []
    decide("mute", person=bob.pk, length="week")
    Report.objects.filter(pk=one.pk).update(decided_at=timezone.now(), decision="mute")
    rooms.mute(one.room_id or 0, bob.pk, "Ann", True).result()
    after = exported(bob)
    assert [(r["what"], r["decision"]) for r in after["reported"]] == [("boo", "mute")]
    assert [(d["kind"], d["reason"]) for d in after["decisions"]] == [("mute", "that was rude")]
    assert after["distances"] == [{"name": "Ann", "mutes": True, "blocks": False}]
    for secret in ("the note of mine", "Root"):
        assert secret not in json.dumps(after)


def test_message_is_kept_while_a_report_about_it_is_open() -> None:
    one = reported(account("Ann"), account("Bob"), "fine", "boo")
    Message.objects.update(at=ago(91))
    assert retention.prune().messages == 1
    assert Message.objects.get().pk == one.message_id
    Report.objects.update(decided_at=timezone.now())
    assert retention.prune().messages == 1
    one.refresh_from_db()
    assert (one.message, one.what) == (None, "boo")


def test_reports_are_kept_after_the_decision_as_long_as_chat(settings: Any) -> None:
    old, new = (reported(account(f"A{n}"), account(f"B{n}"), "boo") for n in range(2))
    Report.objects.update(at=ago(200))
    Report.objects.filter(pk=old.pk).update(decided_at=ago(91))
    settings.KEEP_CHAT_DAYS = 0
    retention.prune()
    assert Report.objects.count() == 2
    settings.KEEP_CHAT_DAYS = 90
    retention.prune()
    assert Report.objects.get() == new


def test_all_expired_reports_are_deleted_in_one_run(monkeypatch: Any) -> None:
    monkeypatch.setattr(data_retention, "AT_ONCE", 1)
    for n in range(3):
        reported(account(f"A{n}"), account(f"B{n}"), "boo")
    Report.objects.update(decided_at=ago(91))
    retention.prune()
    assert not Report.objects.exists()


@pytest.mark.parametrize("action", ["mute", "lock"])
def test_inactive_guest_is_kept_while_muted_or_banned(action: str) -> None:
    eve = PersonFactory(name="Eve")
    decide(action, person=eve.pk, length="ever")
    User.objects.filter(pk=eve.pk).update(date_joined=ago(100), last_login=ago(100))
    assert retention.prune().guests == 0
    Sanction.objects.update(until=ago(1))
    assert retention.prune().guests == 1


@pytest.mark.parametrize("who", ["guest", "host"])
def test_invitation_is_hidden_if_either_side_blocks_the_other(who: str) -> None:
    """This also applies if the table's current host, not the inviter, is the one who is blocked."""
    ann, bob = account("Ann"), account("Bob")
    room = open_table(ann)
    Invitation.objects.create(room=room, user=bob, by="Someone")
    assert len(open_invitations([bob.pk])) == 1
    pair = (bob, ann) if who == "guest" else (ann, bob)
    MuteOrBlock.objects.create(user=pair[0], other=pair[1], name="x", blocks=True)
    assert not open_invitations([bob.pk])
    MuteOrBlock.objects.update(blocks=False, mutes=True)
    assert len(open_invitations([bob.pk])) == 1


def test_lifting_a_ban_does_not_reactivate_an_account_being_erased() -> None:
    """An account being erased stays banned, even if the ban is lifted in the meantime."""
    from games.history import staff

    ann = account("Ann")
    command(erasure.close)(ann.pk).result()
    command(staff.let_in)(ann.pk).result()
    ann.refresh_from_db()
    assert not ann.is_active
