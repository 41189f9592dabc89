"""Every change in the back office leaves an entry in the staff log."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import Group
from django.db.models import Model
from django.test import RequestFactory
from django.urls import reverse

from accounts import address_locks
from accounts.models import AddressLock, RegistrationLink, Sanction, User, WordFilter
from chat.models import Message
from games.models import Announcement, Deck, Match, ProgramVersion, Room, UdpName
from games.rooms.programs import make_program, make_version
from moderation.admin_site import ReadOnly
from moderation.audited import Audited
from moderation.models import Report, StaffAct
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.moderators import decide, superuser
from tests.kit.people import account, as_user
from tests.kit.reports import says

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("with_ladder")]

WHY = {"why": "yes", "reason": "stated", "length": "day", "level": "info"}
OWN_FORM = {Announcement: "its form runs the command `announce`", Report: "decided by `do`"}
"""Pages without a model form, with the function that writes their log entry."""


def registered() -> dict[type[Model], ModelAdmin[Any]]:
    return dict(admin.site._registry)


def request() -> Any:
    made = RequestFactory().get("/admin/")
    made.user = superuser()
    return made


def editable() -> Iterator[type[Model]]:
    """Return the models that some form can add, change or delete."""
    for model, of in registered().items():
        asked = request()
        rights = (of.has_add_permission, of.has_change_permission, of.has_delete_permission)
        if model not in OWN_FORM and any(right(asked) for right in rights):
            yield model


def test_every_form_is_audited_or_has_a_stated_reason() -> None:
    for model in editable():
        assert isinstance(registered()[model], Audited), model
    for model, of in registered().items():
        assert isinstance(of, Audited | ReadOnly), model


def _person() -> User:
    return account("Bob")


ROWS: dict[type[Model], tuple[Callable[[], Any], dict[str, Any], dict[str, Any]]] = {
    User: (_person, {"username": "Newcomer", "email": ""}, {"username": "Robert"}),
    Group: (lambda: Group.objects.create(name="Old"), {"name": "Two"}, {"name": "Three"}),
    EmailAddress: (
        lambda: EmailAddress.objects.create(user=_person(), email="b@people.example"),
        {},
        {"email": "c@people.example"},
    ),
    RegistrationLink: (
        lambda: RegistrationLink.objects.create(note="x", made_by=superuser()),
        {"note": "for Eve"},
        {},
    ),
    WordFilter: (
        lambda: WordFilter.objects.create(words="turnip"),
        {"words": "goose"},
        {"words": "goose\nduck"},
    ),
}
"""For each model with a form: how to create a row, and data that adds and changes one."""


def page(model: type[Model], what: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{what}", args=args)


def everything(model: type[Model]) -> list[Any]:
    return sorted(model._default_manager.values_list(), key=str)


def test_every_model_with_a_form_is_tested_here() -> None:
    assert set(editable()) == set(ROWS)


@pytest.mark.parametrize("model", ROWS, ids=lambda model: model.__name__)
@pytest.mark.parametrize("what", ["add", "change", "delete", "delete_selected"])
def test_form_requires_a_reason_and_logs_it(model: type[Model], what: str) -> None:
    make, adds, changes = ROWS[model]
    root, of = as_user(superuser()), registered()[model]
    row = None if what == "add" else make()
    given, address = {
        "add": (adds, page(model, "add")),
        "change": (changes, row and page(model, "change", row.pk)),
        "delete": ({"post": "yes"}, row and page(model, "delete", row.pk)),
        "delete_selected": (
            {"post": "yes", "action": what, "_selected_action": row and row.pk},
            page(model, "changelist"),
        ),
    }[what]
    if what == "add" and model is EmailAddress:
        given = {"email": "new@people.example", "user": account("Eve").pk}
    if what == "change" and model is EmailAddress:
        given = {**given, "user": row.user_id}
    asked = request()
    right = getattr(of, f"has_{what.removesuffix('_selected')}_permission")
    if not (right(asked) if what == "add" else right(asked, row)):
        root.post(address, {**given, "reason": "stated"})
        assert not StaffAct.objects.exists()
        return
    before = everything(model)
    root.post(address, given)
    assert everything(model) == before
    assert not StaffAct.objects.exists()
    root.post(address, {**given, "reason": "stated"})
    assert everything(model) != before
    logged = StaffAct.objects.get()
    assert logged.reason == "stated"
    assert logged.by_name == "Root"
    assert logged.action == what.removesuffix("_selected")


def chosen_for(model: type[Model]) -> Any:
    """Return a row of this model to which every action of its list can be applied."""
    ann, bob = PersonFactory(name="Ann"), PersonFactory(name="Bob")
    room = open_table(ann, bob)
    said = says(room, bob, "spam")
    if model is User:
        return bob
    if model is Room:
        start_match(room)
        return room
    if model is Match:
        match = start_match(room)
        Match.objects.filter(pk=match.pk).update(rated="yes")
        return match
    if model is Message:
        return said
    if model is Sanction:
        decide("mute", person=bob.pk)
        return Sanction.objects.get()
    if model is AddressLock:
        from datetime import timedelta

        from django.utils import timezone

        end = timezone.now() + timedelta(1)
        return AddressLock.objects.create(digest="x", reason="r", until=end)
    made: dict[type[Model], Callable[[], Any]] = {
        Deck: lambda: Deck.objects.create(
            owner=ann, slug="d", name="Geese", language="en", pack="{}"
        ),
        UdpName: lambda: UdpName.objects.create(name="udp", user=bob),
        Announcement: lambda: Announcement.objects.create(text="hush"),
        Report: lambda: Report.objects.create(
            kind="behaviour", reason="spam", about=bob, about_name="Bob", what="Bob"
        ),
        EmailAddress: lambda: EmailAddress.objects.create(user=account("E"), email="e@p.example"),
        ProgramVersion: lambda: version_of(account("E")),
    }
    return made[model]()


def version_of(owner: User) -> ProgramVersion:
    """Return a new version of a new program of this user."""
    program = make_program(owner.pk, "Nemo").result()
    version, _ = make_version(owner.pk, program.pk).result()
    return version


def list_actions() -> list[tuple[type[Model], str]]:
    """Return every action of every list, except deletion, which is tested as a form above."""
    found = []
    for model, of in registered().items():
        for action in of.actions or ():
            found.append((model, action if isinstance(action, str) else action.__name__))
    return found


NEEDS = {"new_link", "withdraw", "no_steps"}


@pytest.mark.parametrize(
    ("model", "action"), list_actions(), ids=lambda one: getattr(one, "__name__", one)
)
def test_action_requires_confirmation_and_is_logged(model: type[Model], action: str) -> None:
    row = chosen_for(model)
    if action in NEEDS:
        row = account("Waiting")
        if action == "no_steps":
            Authenticator.objects.create(user=row, type="totp", data={"secret": "x"})
        else:
            row.set_unusable_password()
            row.save()
    if action == "put_back":
        decide("take_out", deck=row.pk)
    if action == "let_in":
        decide("mute", person=row.pk)
    if action == "block":
        address_locks.note(getattr(row, "about_id", row.pk), "203.0.113.9")
    root, count = as_user(superuser()), StaffAct.objects.count()
    given = {"action": action, "_selected_action": row.pk}
    root.post(page(model, "changelist"), given)
    assert StaffAct.objects.count() == count, "asks first"
    root.post(page(model, "changelist"), {**given, **WHY})
    assert StaffAct.objects.count() == count + 1
    assert StaffAct.objects.order_by("-pk")[0].reason == "stated"


def test_log_can_be_filtered_by_action() -> None:
    decide("warn", person=account("Kim").pk)
    decide("mute", person=account("Lee").pk)
    page = as_user(superuser()).get("/admin/moderation/staffact/?action=warn").content.decode()
    assert re.search(r'href="\?action=mute">\s*muted\s*</a>', page)
    assert ("Kim" in page, "Lee" in page) == (True, False)
