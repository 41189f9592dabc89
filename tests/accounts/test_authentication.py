"""The session records when and how the user authenticated.

Without a record, the user must authenticate again.
"""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.authentication import KEY
from accounts.models import User
from tests.kit.moderators import superuser
from tests.kit.passkeys import passkey
from tests.kit.people import PASSWORD, account, as_user

pytestmark = pytest.mark.django_db

APP = "/account/two-step/app/"
CONFIRM = "/account/confirm/"


def of_the_version_before(user: User) -> Any:
    """A browser whose session has only allauth's own record: a password and a code just now."""
    client = as_user(user)
    session = client.session
    del session[KEY]
    session["account_authentication_methods_user"] = str(user.pk)
    session["account_authentication_methods"] = [
        {"method": method, "at": time.time()} for method in ("password", "mfa")
    ]
    session.save()
    return client


def logged_in(name: str = "Ann") -> Client:
    client = Client()
    client.post("/account/login/", {"login": name, "password": PASSWORD})
    return client


def test_login_is_recorded_and_needs_no_confirmation_for_a_while() -> None:
    ann = account("Ann")
    client = logged_in()
    record = client.session[KEY]
    assert (record["user"], record["methods"]) == (ann.pk, ["password"])
    assert record["first"] == record["last"]
    assert client.get(APP).status_code == 200


def test_confirmation_updates_the_last_authentication_only() -> None:
    client = as_user(account("Ann"), minutes_ago=11)
    first = client.session[KEY]["first"]
    client.post(f"{CONFIRM}?next=/", {"password": PASSWORD})
    record = client.session[KEY]
    assert record["first"] == first
    assert record["last"] >= first + 11 * 60


def test_authentication_record_is_valid_for_its_user_only() -> None:
    ann, bob = account("Ann"), account("Bob")
    client: Any = as_user(bob)
    session = client.session
    session[KEY] = {**session[KEY], "user": ann.pk}
    session.save()
    assert client.get(APP).url.startswith(CONFIRM)


def test_sessions_of_the_previous_version_need_one_confirmation() -> None:
    client = of_the_version_before(account("Ann"))
    assert client.get(APP).url.startswith(CONFIRM)
    client.post(f"{CONFIRM}?next={APP}", {"password": PASSWORD})
    assert client.get(APP).status_code == 200


def test_second_factor_does_not_count_in_sessions_of_the_previous_version(settings: Any) -> None:
    settings.STAFF_SECOND_STEP = "required"
    root = superuser()
    passkey(root, "Key")
    answer = of_the_version_before(root).get("/admin/")
    assert answer.url.startswith(f"{CONFIRM}passkey/")


def test_staff_sessions_of_the_previous_version_end_after_staff_hours() -> None:
    client = of_the_version_before(superuser())
    assert client.get("/you/").status_code == 200
    ends = client.session.get_expiry_date()
    assert abs(ends - timezone.now() - timedelta(hours=12)) < timedelta(minutes=5)
