"""Users with and without accounts, and browsers in which they are logged in."""

from __future__ import annotations

import time
from typing import Any

from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts import authentication, mail_addresses, resets
from accounts.models import User
from tests.kit.factories import AccountFactory, PersonFactory

PASSWORD = "correct horse 7"


def account(name: str, /, email: str = "", confirmed: bool = True, **more: Any) -> User:
    """A registered user with a password, and an address if given."""
    user = AccountFactory(**{"username": name, "name": name, "email": email, **more})
    user.set_password(PASSWORD)
    user.save()
    if email and confirmed:
        mail_addresses.give(user, email)
    elif email:
        EmailAddress.objects.create(user=user, email=email, primary=True)
    return user


def as_guest(name: str = "Ann") -> tuple[Client, User]:
    """A guest's browser, and the guest."""
    guest = PersonFactory(name=name)
    return as_user(guest), guest


def as_user(user: User, minutes_ago: int = 0) -> Client:
    """A browser in which this user logged in by password `minutes_ago`."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    session = client.session
    then = time.time() - 60 * minutes_ago
    session[authentication.KEY] = authentication.Record(
        user=user.pk, first=then, last=then, methods=["password"]
    )
    session.save()
    return client


def signing_up(name: str, **more: str) -> dict[str, str]:
    """Return the fields of a filled-in registration form."""
    return {"username": name, "password1": PASSWORD, "password2": PASSWORD, **more}


def who(client: Client) -> User | None:
    """Return the user logged in in this browser."""
    return User.objects.filter(pk=client.session.get("_auth_user_id")).first()


def mails() -> list[Any]:
    """Return all sent emails, including those sent in the background."""
    resets.line.run(lambda: None)
    return list(mail.outbox)
