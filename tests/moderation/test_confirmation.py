"""Rare actions of the back office require authenticating again."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.models import User
from tests.kit.moderators import superuser
from tests.kit.people import PASSWORD, account, as_user

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = "/admin/accounts/user/"
ASKED = "/account/confirm/"


def late() -> Client:
    """The superuser, who logged in eleven minutes ago."""
    return as_user(superuser(), minutes_ago=11)


def page_of(person: User) -> str:
    return f"{PEOPLE}{person.pk}/change/"


def filled_in(person: User, **more: Any) -> dict[str, Any]:
    """Return the fields of a user's form in the back office, unchanged."""
    given = {"username": person.username, "reason": "asked", **more}
    times = {f"{name}_{part}": "" for name in ("last_login",) for part in (0, 1)}
    joined = person.date_joined
    return {
        **times,
        "date_joined_0": f"{joined:%Y-%m-%d}",
        "date_joined_1": f"{joined:%H:%M:%S}",
        **given,
    }


def confirm(client: Client, answer: Any) -> Any:
    """Authenticate again and follow the redirect back."""
    assert answer.url.startswith(ASKED)
    return client.post(answer.url, {"password": PASSWORD})


def test_granting_permissions_requires_authentication_and_then_completes() -> None:
    ann, client = account("Ann"), late()
    answer = client.post(page_of(ann), filled_in(ann, is_staff="on"))
    ann.refresh_from_db()
    assert not ann.is_staff
    wrong = client.post(answer.url, {"password": "wrong"})
    assert 'class="problem"' in wrong.content.decode()
    confirm(client, answer)
    ann.refresh_from_db()
    assert ann.is_staff


def test_recent_authentication_is_not_repeated() -> None:
    ann, client = account("Ann"), late()
    confirm(client, client.post(page_of(ann), filled_in(ann, is_staff="on")))
    assert client.post(page_of(ann), filled_in(ann)).url == PEOPLE
    ann.refresh_from_db()
    assert not ann.is_staff


def test_ordinary_actions_require_no_authentication() -> None:
    ann, client = account("Ann"), late()
    assert client.post(page_of(ann), filled_in(ann, name="Anna")).url == PEOPLE
    assert client.get(PEOPLE).status_code == 200
    warn = {"action": "warn", "_selected_action": [ann.pk]}
    assert client.post(PEOPLE, warn).status_code == 200


def test_deletion_requires_authentication_on_the_page_and_in_the_list() -> None:
    ann, bob, client = account("Ann"), account("Bob"), late()
    answer = client.post(f"{PEOPLE}{ann.pk}/delete/", {"post": "yes", "reason": "y"})
    assert User.objects.filter(pk=ann.pk).exists()
    confirm(client, answer)
    assert not User.objects.filter(pk=ann.pk).exists()
    chosen = {"action": "delete_selected", "_selected_action": [bob.pk], "post": "yes"}
    chosen["reason"] = "asked"
    assert late().post(PEOPLE, chosen).url.startswith(ASKED)
    assert User.objects.filter(pk=bob.pk).exists()


def test_password_change_authenticates_first_and_does_not_store_the_input() -> None:
    ann, client = account("Ann"), late()
    page = f"{PEOPLE}{ann.pk}/password/"
    new = {
        "password1": "secret horse 9",
        "password2": "secret horse 9",
        "reason": "asked",
        "set_password": "x",
    }
    assert client.get(page).url.startswith(ASKED)
    assert client.post(page, new).url == page
    kept = [session.get_decoded() for session in Session.objects.all()]
    assert "secret horse 9" not in str(kept)
    assert confirm(client, client.get(page)).url == page
    client.post(page, new)
    ann.refresh_from_db()
    assert ann.check_password("secret horse 9")


def test_login_links_and_second_factor_removal_require_authentication() -> None:
    ann, client = account("Ann"), late()
    for name in ("new_link", "withdraw", "no_steps"):
        given = {"action": name, "_selected_action": [ann.pk]}
        assert client.post(PEOPLE, given).url.startswith(ASKED)


def test_group_and_email_changes_require_authentication() -> None:
    ann, client = account("Ann"), late()
    group = Group.objects.create(name="Helpers")
    address = EmailAddress.objects.create(user=ann, email="ann@people.example")
    right = Permission.objects.get(codename="delete_user")
    for page, given in (
        (f"/admin/auth/group/{group.pk}/change/", {"name": "x", "permissions": [right.pk]}),
        ("/admin/auth/group/add/", {"name": "x", "reason": "y"}),
        (f"/admin/auth/group/{group.pk}/delete/", {"post": "yes", "reason": "y"}),
        (f"/admin/account/emailaddress/{address.pk}/change/", {"email": "eve@evil.example"}),
        ("/admin/account/emailaddress/", {"action": "make_verified"}),
    ):
        assert client.post(page, given).url.startswith(ASKED), page
    assert Group.objects.get(name="Helpers").permissions.count() == 0


def test_second_action_field_does_not_bypass_authentication() -> None:
    bob = account("Bob")
    chosen = {"_selected_action": [bob.pk], "post": "yes", "index": "0"}
    answer = late().post(PEOPLE, {"action": ["delete_selected", "warn"], **chosen})
    assert answer.url.startswith(ASKED)
    assert User.objects.filter(pk=bob.pk).exists()


def test_post_from_a_filtered_list_is_resubmitted_after_authentication() -> None:
    ann, bob, client = account("Ann"), account("Bob"), late()
    page = f"{page_of(ann)}?_changelist_filters=q%3DAnn"
    sent = filled_in(ann, is_staff="on")
    answer = client.post(page, sent)
    assert "then send the form again" in client.get(answer.url).content.decode()
    assert confirm(client, answer).url == page
    ann.refresh_from_db()
    assert not ann.is_staff
    client.post(page, sent)
    ann.refresh_from_db()
    assert ann.is_staff
    chosen = {"action": "delete_selected", "_selected_action": [bob.pk], "post": "yes"}
    chosen["reason"] = "asked"
    client, narrowed = late(), f"{PEOPLE}?q=Bob"
    assert confirm(client, client.post(narrowed, chosen)).url == narrowed
    assert User.objects.filter(pk=bob.pk).exists()
    client.post(narrowed, chosen)
    assert not User.objects.filter(pk=bob.pk).exists()
