"""Permissions in the back office, the immutable log, and viewing secrets."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.contract.core import Refused
from games.models import Look
from moderation import actions
from moderation.models import Fixed, Report, StaffAct
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.moderators import admin_client, decide, moderator, superuser
from tests.kit.people import account, as_guest, as_user
from tests.kit.reports import message_report, page_of

pytestmark = pytest.mark.django_db(transaction=True)

MODERATORS_SEE = {
    *("moderation_report", "accounts_user", "accounts_sanction", "accounts_wordfilter"),
    "accounts_addresslock",
    *("chat_message", "games_room", "games_match", "games_deck", "games_announcement"),
    *("games_udpname", "games_udpround"),
}
LISTS = {
    *MODERATORS_SEE,
    "moderation_staffact",
    "admin_logentry",
    "auth_group",
    "accounts_registrationlink",
}


def test_every_list_requires_its_permission() -> None:
    without = as_user(account("Without", is_staff=True))
    mod, root, guest = admin_client(), as_user(superuser()), as_guest()[0]
    others = (guest, Client(), as_user(account("Bob")))
    for name in LISTS:
        address = reverse(f"admin:{name}_changelist")
        assert without.get(address).status_code == 403, name
        assert mod.get(address).status_code == (200 if name in MODERATORS_SEE else 403), name
        assert root.get(address).status_code == 200, name
        assert {client.get(address).status_code for client in others} == {302}, name


def test_permission_to_view_reports_does_not_allow_decisions() -> None:
    from django.contrib.auth.models import Permission

    one = message_report()
    reader = account("Reader", is_staff=True)
    moderator()  # creates the permissions
    reader.user_permissions.add(Permission.objects.get(codename="view_report"))
    client = as_user(reader)
    assert "but not decide" in client.get(page_of(one)).content.decode()
    assert client.post(page_of(one), {"action": "nothing"}).status_code == 403
    assert Report.objects.filter(decided_at=None).exists()


def test_moderators_cannot_see_emails_set_passwords_or_delete_users() -> None:
    bob = account("Bob", email="bob@parlour.example")
    client = admin_client()
    page = f"/admin/accounts/user/{bob.pk}/change/"
    assert "bob@parlour" not in client.get(page).content.decode()
    found = client.get("/admin/accounts/user/?q=bob@parlour").content.decode()
    assert "0 users" in found
    assert client.get(f"/admin/accounts/user/{bob.pk}/password/").status_code == 403
    assert (
        client.post(
            f"/admin/accounts/user/{bob.pk}/delete/", {"post": "yes", "reason": "x"}
        ).status_code
        == 403
    )
    assert User.objects.filter(pk=bob.pk).exists()


def test_admin_shows_the_site_name() -> None:
    page = admin_client().get("/admin/").content.decode()
    assert "Back office" in page
    assert "Parlour" in page
    assert "Django" not in page


def test_superuser_can_delete_users_but_not_staff() -> None:
    root, bob, mod = as_user(superuser()), account("Bob"), moderator()
    page = f"/admin/accounts/user/{bob.pk}/"
    assert f"{page}delete/" in root.get(f"{page}change/").content.decode()
    assert (
        root.post(f"{page}delete/", {"post": "yes", "reason": "asked to"}).url
        == "/admin/accounts/user/"
    )
    assert not User.objects.filter(pk=bob.pk).exists()
    assert "Bob" not in {entry.object_repr for entry in LogEntry.objects.all()}
    page = f"/admin/accounts/user/{mod.pk}/"
    assert f"{page}delete/" not in root.get(f"{page}change/").content.decode()
    assert root.post(f"{page}delete/", {"post": "yes", "reason": "x"}).status_code == 403
    assert User.objects.filter(pk=mod.pk, is_active=True).exists()


def test_log_is_append_only() -> None:
    decide("warn", person=PersonFactory().pk)
    logged = StaffAct.objects.get()
    logged.reason = "another"
    with pytest.raises(Fixed):
        logged.save()
    with pytest.raises(Fixed):
        logged.delete()
    with pytest.raises(Fixed):
        StaffAct.objects.all().delete()
    with pytest.raises(Fixed):
        StaffAct.objects.update(reason="another")
    root = as_user(User.objects.get(username="Root"))
    page = f"/admin/moderation/staffact/{logged.pk}/"
    assert "that was rude" in root.get(f"{page}change/").content.decode()
    assert root.post(f"{page}change/", {"reason": "another"}).status_code == 403
    assert root.post(f"{page}delete/", {"post": "yes"}).status_code == 403
    assert StaffAct.objects.get().reason == "that was rude"


def test_log_outlives_its_users() -> None:
    person = PersonFactory(name="Eve")
    decide("warn", person=person.pk)
    person.delete()
    User.objects.get(username="Root").delete()
    logged = StaffAct.objects.get()
    assert (logged.by_name, logged.whom_name) == ("Root", "Eve")


def test_viewing_secrets_requires_a_reason_and_is_logged() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory(), game="coup"))
    client = admin_client()
    page = reverse("admin:match-secrets", args=[match.pk])
    assert (
        "View the secrets"
        in client.get(reverse("admin:games_match_change", args=[match.pk])).content.decode()
    )
    for answer in (client.get(page), client.post(page, {"reason": " "})):
        assert "Everything this player sees" not in answer.content.decode()
    assert not Look.objects.exists()
    assert client.post(page, {"reason": "reported for cheating"}).url == page
    shown = client.get(page)
    assert shown.content.decode().count("Everything this player sees") == 2
    assert "no-store" in shown.headers["Cache-Control"]
    assert client.get(page).status_code == 200  # reload the page
    assert Look.objects.get().reason == "reported for cheating"
    logged = StaffAct.objects.values_list("action", "by_name")
    assert list(logged) == [("look", "Mod")]
    another = as_user(superuser()).get(page).content.decode()
    assert "Everything this player sees" not in another, "each gives a reason"


def test_player_cannot_view_the_secrets_of_their_own_match() -> None:
    mod = moderator()
    match = start_match(open_table(PersonFactory(), mod))
    with pytest.raises(Refused, match="own_match"):
        actions.look(mod.pk, match.pk, "curious").result()
    page = reverse("admin:match-secrets", args=[match.pk])
    answer = as_user(mod).post(page, {"reason": "curious"}, follow=True)
    assert "see its secrets" in answer.content.decode()
    assert not Look.objects.exists()


def test_view_of_secrets_is_disclosed_to_the_table_at_the_end() -> None:
    from games.pages import regions
    from games.pages.templating import render
    from games.tables.loading import load

    ann = PersonFactory()
    room = open_table(ann, PersonFactory())
    match = start_match(room)
    actions.look(superuser().pk, match.pk, "a <b>report").result()

    def board() -> str:
        table = load(room.pk)
        region = next(r for r in regions(table, ann.pk) if r.id == "ending")
        return render(table, region, "en")

    assert "report" not in board()
    decide("end", room=room.pk)
    assert "A moderator looked at the secrets of this match: a &lt;b&gt;report" in board()
