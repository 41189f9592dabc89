"""Moderators with exactly their permissions, and their actions."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import User
from moderation import actions
from tests.kit.people import account, as_user

make_group = import_module("moderation.migrations.0002_moderators").make_group
let_see = import_module("moderation.migrations.0005_locked_addresses").let_see


def moderator(name: str = "Mod") -> User:
    """A member of the moderators group, as the migration creates it."""
    make_group(apps, None)
    let_see(apps, None)
    user = account(name, is_staff=True)
    user.groups.add(Group.objects.get(name="Moderators"))
    return user


def superuser() -> User:
    """The superuser, created on first use."""
    root = User.objects.filter(username="Root").first()
    return root or account("Root", is_staff=True, is_superuser=True)


def admin_client(name: str = "Mod") -> Client:
    """A moderator's browser."""
    return as_user(moderator(name))


def decide(action: str, reason: str = "that was rude", length: str = "day", **to: Any) -> None:
    """Take an action as a superuser."""
    by = superuser()
    end = actions.until(length) if actions.ACTIONS[action].lasts else None
    actions.do(action, actions.ActionRequest(by=by.pk, reason=reason, until=end, **to)).result()
