"""Bulk actions: settle reports, remove all messages of a user, ban rings of guests."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.db import models
from django.test import Client
from django.utils import timezone

from accounts import address_locks
from accounts.models import AddressLock, Sanction, User
from accounts.sanctions import lock_of
from chat.models import Message
from games import rooms
from games.sockets.hub import close_hub
from moderation import actions, bulk
from moderation.data_retention import forget_addresses
from moderation.models import Report, StaffAct
from tests.kit.client import Program
from tests.kit.factories import PersonFactory, open_table
from tests.kit.moderators import admin_client, moderator, superuser
from tests.kit.people import account, as_user, signing_up

pytestmark = pytest.mark.django_db(transaction=True)

REPORTS, PEOPLE = "/admin/moderation/report/", "/admin/accounts/user/"
LOCKS = "/admin/accounts/addresslock/"
WHY = {"why": "yes", "reason": "spam", "length": "day"}
AT = "203.0.113.9"


def reported(*people: User) -> list[int]:
    """Create one report about each of these users, messages or tables."""
    made = [
        Report.objects.create(
            kind="behaviour", reason="spam", about=one, about_name=str(one), what=str(one)
        )
        for one in people
    ]
    return [report.pk for report in made]


def choose(client: Client, address: str, action: str, numbers: list[int], **more: str) -> Any:
    chosen = {"action": action, "_selected_action": numbers, **more}
    return client.post(address, chosen, follow=True)


def test_selected_reports_are_settled_and_logged() -> None:
    numbers = reported(*(PersonFactory() for _ in range(3)))
    Report.objects.filter(pk=numbers[0]).update(decided_at=timezone.now(), decision="warn")
    client = admin_client()
    page = choose(client, REPORTS, "settle_all", numbers).content.decode()
    assert page.count("<li dir") == 2
    assert Report.objects.filter(decided_at=None).count() == 2
    page = choose(client, REPORTS, "settle_all", numbers, **WHY).content.decode()
    assert "2 reports settled" in page
    decided = Report.objects.order_by("pk").values_list("decision", flat=True)
    assert list(decided) == ["warn", "nothing", "nothing"]
    logged = StaffAct.objects.values_list("action", "by_name", "reason")
    assert list(logged) == [("nothing", "Mod", "spam")] * 2
    again = choose(client, REPORTS, "settle_all", numbers, **WHY).content.decode()
    assert "There is nothing left to do" in again or "0 reports" in again


@pytest.mark.parametrize("odd", ["x", "-1", "1.5", "٣", "9" * 40])
@pytest.mark.parametrize("address", [REPORTS, "/admin/accounts/user/"])
def test_invalid_row_is_rejected_with_a_message(address: str, odd: str) -> None:
    chosen = {"action": "delete_selected", "_selected_action": odd}
    page = admin_client().post(address, chosen, follow=True)
    assert page.status_code == 200
    assert "That row is not in this list." in page.content.decode()


def test_every_list_has_numeric_keys() -> None:
    for model in admin.site._registry:
        assert isinstance(model._meta.pk, models.AutoField), model


def test_reports_about_staff_can_be_settled_only_by_superusers() -> None:
    clerk = account("Clerk", is_staff=True)
    numbers = reported(clerk)
    mod = moderator()
    choose(as_user(mod), REPORTS, "settle_all", numbers, **WHY)
    assert actions.settle(mod.pk, numbers, "").result() == 0
    assert Report.objects.filter(decided_at=None).exists()


def test_number_of_reports_settled_at_once_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "MOST", 2)
    numbers = reported(*(PersonFactory() for _ in range(3)))
    page = choose(admin_client(), REPORTS, "settle_all", numbers, **WHY).content.decode()
    assert "Too many at once" in page
    assert Report.objects.filter(decided_at=None).count() == 3


def test_removing_all_messages_shows_their_number_first() -> None:
    ann, bob = PersonFactory(name="Ann"), PersonFactory(name="Bob")
    room = open_table(ann, bob)
    for text in ("one", "two", "three"):
        rooms.say(room.pk, ann.pk, text).result()
    rooms.say(room.pk, bob.pk, "four").result()
    client = admin_client()
    numbers = reported(ann)
    page = choose(client, REPORTS, "remove_all", numbers).content.decode()
    assert "3 messages" in page
    assert not Message.objects.filter(hidden=True).exists()
    choose(client, REPORTS, "remove_all", numbers, **WHY)
    assert set(Message.objects.filter(hidden=False).values_list("text", flat=True)) == {"four"}
    logged = StaffAct.objects.get()
    assert (logged.action, logged.whom_name, logged.what) == ("remove_all", "Ann", "3 messages")
    assert Report.objects.get().decision == "remove_all"
    told = as_user(ann).get("/you/").content.decode()
    assert "A moderator removed all your messages: spam" in told
    page = choose(client, PEOPLE, "remove_all", [ann.pk], **WHY).content.decode()
    assert "already done or over" in page


def test_every_bulk_action_needs_its_own_permission() -> None:
    ann = PersonFactory()
    room = open_table(ann)
    rooms.say(room.pk, ann.pk, "one").result()
    clerk = account("Clerk", is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="view_report"))
    for action in ("settle_all", "remove_all", "block"):
        choose(as_user(clerk), REPORTS, action, reported(ann), **WHY)
    assert not StaffAct.objects.exists()


# --- rings of guests -----------------------------------------------------------------------------


def come(name: str, address: str = AT) -> tuple[Client, User]:
    """Return a stranger who has opened a table from this network address."""
    client = Client(REMOTE_ADDR=address)
    client.post("/play/", {"game": "mia", "name": name})
    return client, User.objects.filter(name=name).first()


def block(*guests: User, **more: str) -> Any:
    return choose(as_user(superuser()), PEOPLE, "block", [g.pk for g in guests], **WHY | more)


def test_guests_at_an_address_are_banned_temporarily() -> None:
    (one, ann), (two, bob) = come("Ann"), come("Bob")
    other, cem = come("Cem", "203.0.113.10")
    page = choose(as_user(superuser()), PEOPLE, "block", [ann.pk]).content.decode()
    assert "2 guests" in page
    block(ann)
    for client in (one, two):
        page = client.get("/")
        assert page.status_code == 403
        assert "spam" in page.content.decode()
    assert other.get("/").status_code == 200
    for guest, locked in ((ann, True), (bob, True), (cem, False)):
        assert (lock_of(guest.pk) is not None) == locked
    logged = StaffAct.objects.get()
    assert (logged.action, logged.what) == ("block", "2 guests")
    assert logged.until is not None


def test_banned_address_refuses_new_guests_but_not_accounts() -> None:
    _, ann = come("Ann")
    block(ann)
    client, nobody = come("Eve")
    assert nobody is None
    page = client.post("/play/", {"name": "Eve", "game": "mia"})
    assert page.status_code == 403
    assert "spam" in page.content.decode()
    page = Client(REMOTE_ADDR=AT).post("/account/signup/", signing_up("Eve"))
    assert page.status_code == 403
    assert not User.objects.filter(username="Eve").exists()
    zoe = as_user(account("Zoe"))
    assert zoe.get("/", REMOTE_ADDR=AT).status_code == 200


async def test_banned_address_refuses_programs_without_an_account(settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    by_proxy = {"x-forwarded-for": AT}
    async with Program(by_proxy) as before:
        made = await before.ask("HostGame", game="mia", username="Ann")
        assert made["type"] == "GameCreated"
        ann = await User.objects.aget(name="Ann")
        await sync_to_async(block)(ann)
    async with Program(by_proxy) as after:
        told = await after.ask("JoinGame", room=made["room"], username="Eve")
        assert (told["type"], told["reason"]) == ("PlayerJoinRejected", "Banned")
    assert not await User.objects.filter(name="Eve").aexists()
    await close_hub()


def test_existing_guest_who_returns_from_a_banned_address_is_banned() -> None:
    _, ann = come("Ann")
    block(ann)
    away, bob = come("Bob", "198.51.100.1")
    assert away.get("/").status_code == 200
    away.get("/", REMOTE_ADDR=AT)
    assert away.get("/").status_code == 403
    assert Sanction.objects.filter(user=bob).count() == 1


def test_address_ban_is_listed_and_lifted_with_its_bans() -> None:
    client, ann = come("Ann")
    block(ann)
    lock = AddressLock.objects.get()
    mod = admin_client()
    page = mod.get(LOCKS).content.decode()
    assert "in force" in page
    assert AT not in page
    assert "1 lock lifted" in choose(mod, LOCKS, "lift", [lock.pk], **WHY).content.decode()
    assert client.get("/").status_code == 200
    assert come("Eve")[1] is not None
    lock.refresh_from_db()
    assert lock.digest == ""
    assert StaffAct.objects.first().action == "unblock"


def test_banning_several_guests_of_an_address_creates_one_address_ban() -> None:
    ring, mod = [come(name) for name in ("Ann", "Bob", "Eve")], admin_client()
    choose(mod, PEOPLE, "block", [guest.pk for _, guest in ring], **WHY)
    lock = AddressLock.objects.get()
    assert lock.sanctions.count() == len(ring)
    choose(mod, LOCKS, "lift", [lock.pk], **WHY)
    assert [client.get("/").status_code for client, _ in ring] == [200, 200, 200]


def test_address_ban_expires_and_its_digest_is_deleted() -> None:
    client, ann = come("Ann")
    block(ann, length="hour")
    past = timezone.now() - timezone.timedelta(minutes=1)
    AddressLock.objects.update(until=past)
    Sanction.objects.update(until=past)
    assert client.get("/").status_code == 200
    assert come("Eve")[1] is not None
    forget_addresses(timezone.now()).result()
    assert AddressLock.objects.get().digest == ""


def test_banned_address_is_never_stored() -> None:
    from tests.kit.stored import everything_stored

    _, ann = come("Ann")
    block(ann)
    assert AT not in everything_stored()


def test_unknown_address_is_not_banned() -> None:
    for one in (account("Bob"), PersonFactory(name="Eve"), come("Fay", "127.0.0.1")[1]):
        page = block(one).content.decode()
        assert "address isn" in page
    assert not AddressLock.objects.exists()


def test_address_ban_is_never_permanent() -> None:
    _, ann = come("Ann")
    page = block(ann, length="ever").content.decode()
    assert "Select a valid choice" in page
    assert not AddressLock.objects.exists()
    assert address_locks.guests_beside(ann.pk) == [ann.pk]
