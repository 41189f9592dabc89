"""Logins of sockets, and whether they are still valid."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from django.contrib.sessions.models import Session
from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone

from accounts.models import User


class Login(NamedTuple):
    """A user's login in one browser.

    `password` is the stored password hash. Changing the password ends all logins.
    """

    session: str
    user_id: int
    password: str


def login_of(scope: Mapping[str, Any]) -> Login | None:
    """Return the login of a socket, or None for anonymous visitors."""
    user, session = scope.get("user"), scope.get("session")
    if user is None or session is None or not user.is_authenticated:
        return None
    return Login(session.session_key, user.pk, user.password)


def still_valid(logins: Collection[Login]) -> set[Login]:
    """Return the logins that are still valid: not logged out, same password, active account.

    Usually all of them are, so the rows are first counted. Reading them takes five times as long.
    """
    keys, ids = {one.session for one in logins}, {one.user_id for one in logins}
    sessions = Session.objects.filter(session_key__among=keys, expire_date__gt=timezone.now())
    people = User.objects.filter(pk__among=ids, is_active=True)
    passwords = {f"{one.user_id} {one.password}" for one in logins}
    are_current = len(passwords) == len(ids) == _with_password(people, passwords).count()
    if are_current and sessions.count() == len(keys):
        return set(logins)
    lasting = set(sessions.values_list("session_key", flat=True))
    current = dict(people.values_list("pk", "password"))
    return {
        one for one in logins if one.session in lasting and current.get(one.user_id) == one.password
    }


def _with_password(people: QuerySet[User], passwords: Collection[str]) -> QuerySet[User]:
    """Return the users whose id and stored password hash, with a space in between, are listed."""
    pair = Concat(Cast("pk", CharField()), Value(" "), "password", output_field=CharField())
    return people.alias(pair=pair).filter(pair__among=passwords)
