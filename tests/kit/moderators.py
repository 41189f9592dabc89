"""Moderators with just their rights, and what they do."""

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
    """Somebody of the group of moderators, as the migration makes it."""
    make_group(apps, None)
    let_see(apps, None)
    user = account(name, is_staff=True)
    user.groups.add(Group.objects.get(name="Moderators"))
    return user


def superuser() -> User:
    """Root, made when first asked for."""
    root = User.objects.filter(username="Root").first()
    return root or account("Root", is_staff=True, is_superuser=True)


def admin_client(name: str = "Mod") -> Client:
    """The browser of a moderator."""
    return as_user(moderator(name))


def decide(action: str, reason: str = "that was rude", length: str = "day", **to: Any) -> None:
    """An action of a superuser's."""
    by = superuser()
    end = actions.until(length) if actions.ACTIONS[action].lasts else None
    actions.do(action, actions.ActionRequest(by=by.pk, reason=reason, until=end, **to)).result()
