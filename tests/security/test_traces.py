"""No text column of any model contains traces of an erased user."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import models

from accounts import tokens
from accounts.models import (
    HandOff,
    PushSubscription,
    RegistrationLink,
    SentForm,
    User,
)
from chat.models import Message
from games import rooms
from games.cards import decks
from games.cards.rules.packs import Answer, Pack, Prompt
from games.contract.luck import Luck
from games.history import erasure, export
from games.models import Announcement, Deck, Invitation, Match, Member, Room, UdpName
from games.udp import standings
from tests.kit.corpus import play_on
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.moderators import decide
from tests.kit.people import account, as_user
from tests.kit.reports import report, says
from tests.kit.stored import exported

pytestmark = pytest.mark.django_db(transaction=True)

TEXT = (models.CharField, models.TextField, models.JSONField, models.GenericIPAddressField)
TRACES = (
    *("Zoraida", "Wandalene", "zoraida@", "192.0.2.77"),
    *("my recipe", "my note", "my laptop", "my-service", "zora-deck"),
)
CARDS = ("Why geese _?", "a goose of mine")
"""Texts on cards of the user's deck."""

STAYS = {
    "games.Room.options": "the deck that a table of others is set to",
    "games.Match.options": "the deck a match was played with",
    "games.Match.state": "cards and their deck, as others played with them",
    "games.Match.outcome": "cards and their deck, as others played with them",
    "games.Act.told": "cards and their deck, as others played with them",
    "games.Act.move": "cards and their deck, as others played with them",
    "games.StatePart.source": "cards that matches refer to, deleted after the last of them",
}
"""Columns that intentionally keep cards and deck names.

They must contain no names or addresses.
"""
ON_PURPOSE = ("zora-deck", *CARDS)
"""Data that is kept only in these columns."""


def columns() -> dict[str, str]:
    """Return all stored text by column, with sessions decoded."""
    found = {
        f"{model._meta.label}.{field.name}": "\n".join(
            map(str, model._base_manager.values_list(field.name, flat=True))
        )
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, TEXT)
    }
    sessions = [session.get_decoded() for session in Session.objects.all()]
    return found | {"sessions.Session.session_data": str(sessions)}


def traced(*words: str) -> set[str]:
    """Return the columns that contain one of these words."""
    return {name for name, text in columns().items() if any(word in text for word in words)}


def noted_in_the_admin(row: models.Model) -> None:
    LogEntry.objects.create(
        user=User.objects.get(username="Root"),
        content_type=ContentType.objects.get_for_model(type(row)),
        object_id=str(row.pk),
        object_repr=str(row)[:200],
        action_flag=CHANGE,
    )


def leave_traces(zora: User, bob: User) -> None:
    """Do everything that stores a name, an address or a text."""
    room = open_table(bob, zora)
    rooms.leave(room.pk, zora.pk).result()
    rooms.join(room.code, zora.pk, "Wandalene").result()
    Member.objects.filter(user=zora).update(left_note="Zoraida went")
    Member.objects.filter(room=room, user=bob).update(says_was="Wandalene")
    Room.objects.filter(pk=room.pk).update(standings={"Wandalene": 2, "Bob": 1})
    Announcement.objects.create(room=room, text="Wandalene, calm down!")
    Announcement.objects.create(text="Zoraida has won the cup, says Zoraida.")
    Announcement.objects.create(text="A word to Zoraida", person=zora)
    said = says(room, zora, "my recipe")
    Message.objects.filter(pk=said.pk).update(claim={"text": "my recipe"})
    report(room, bob, "message", said.pk, note="about Zoraida")
    report(room, zora, "message", says(room, bob, "boo").pk, note="my note")
    decide("warn", person=zora.pk)
    decide("mute", person=bob.pk)
    rooms.mute(room.pk, bob.pk, "Wandalene", True).result()
    Invitation.objects.create(room=room, user=account("Cleo"), by="Wandalene")
    match = start_match(room)
    play_on(match.pk, Luck(b"traces", 0))
    deck = played_with_a_deck(zora, bob)
    token = tokens.make(zora, "my laptop")
    assert token
    PushSubscription.objects.create(
        user=zora, endpoint="https://my-service.example/1", digest="a" * 64, session="s"
    )
    HandOff.objects.create(user=zora, digest="b" * 64, session="s", table=room.code)
    SentForm.objects.create(user=zora, digest="c" * 64, location="/people/Zoraida/")
    link = RegistrationLink.objects.create(note="for Zoraida", used_by=zora)
    over_udp(zora, bob, match)
    as_user(zora)
    rows: list[models.Model] = [zora, said, deck, link, zora.tokens.get()]
    for row in [*rows, EmailAddress.objects.get(user=zora)]:
        noted_in_the_admin(row)


def played_with_a_deck(zora: User, bob: User) -> Deck:
    pack = Pack(
        slug="x",
        name="Zoraida's zora-deck",
        language="en",
        prompts=tuple(Prompt(n, f"{CARDS[0]} {n}") for n in range(1, 21)),
        answers=tuple(Answer(n, f"{CARDS[1]} {n}") for n in range(101, 161)),
    )
    deck: Deck = decks.keep(zora.pk, pack).result()
    room = open_table(zora, PersonFactory(), bob, game="cards", packs=[deck.slug])
    play_on(start_match(room).pk, Luck(b"deck", 0), acts=8)
    return deck


def over_udp(zora: User, bob: User, match: Match) -> None:
    Room.objects.filter(pk=match.room_id).update(udp_round=1)
    lines = ["ROUND STARTED;1;Bob,Wandalene", "PLAYER ROLLS;Wandalene"]
    order, losers = ["Bob", "Wandalene"], ["Wandalene"]
    played = standings.Played(number=1, order=order, losers=losers, transcript=lines)
    standings.store(played, match)
    standings.ensure_people([("Zoraida", zora.pk), ("Bob", bob.pk)])
    UdpName.objects.filter(user=zora).update(address="192.0.2.77")


def test_erasure_leaves_no_trace_in_any_column() -> None:
    account("Root", is_staff=True, is_superuser=True)
    zora, bob = account("Zoraida", email="zoraida@people.example"), account("Bob")
    leave_traces(zora, bob)
    before = traced(*TRACES)
    assert len(before) > 30, before
    for trace in (*TRACES, *CARDS):
        assert traced(trace), trace
    erasure.erase(zora.pk)
    assert not traced(*(set(TRACES) - set(ON_PURPOSE)))
    assert traced(*ON_PURPOSE) <= set(STAYS)


EXPORTED = {
    "accounts.Token.user": "tokens",
    "accounts.PushSubscription.user": "notifiedBrowsers",
    "accounts.Sanction.user": "decisions",
    "accounts.MuteOrBlock.user": "distances",
    "accounts.Follow.user": "follows",
    "account.EmailAddress.user": "emails",
    "mfa.Authenticator.user": "secondSteps",
    "chat.Message.author": "chat",
    "games.Room.host": "tables",
    "games.Member.user": "tables",
    "games.Invitation.user": "invitations",
    "games.Seek.user": "seeks",
    "games.Deck.owner": "decks",
    "games.Program.owner": "programs",
    "games.ProgramVersion.user": "programs",
    "games.Player.user": "matches",
    "games.PlayerStat.user": "statistics",
    "games.Rating.user": "ratings",
    "games.UdpName.user": "udpNames",
    "moderation.Report.by": "reports",
    "moderation.Report.about": "reported",
}
"""References to a user, with the part of the export that covers them."""
NOT_EXPORTED = {
    "admin.LogEntry.user": "work of the staff, not about a person",
    "accounts.HandOff.user": "a code that is valid for two minutes, a secret",
    "accounts.SentForm.user": "a mark against sending a form twice, for one day",
    "accounts.RegistrationLink.made_by": "work of the staff",
    "accounts.RegistrationLink.used_by": "a note of the staff",
    "accounts.AddressLock.made_by": "work of the staff",
    "accounts.MuteOrBlock.other": "who has muted or blocked somebody is told to nobody",
    "accounts.Follow.other": "shown on the page of people; whom others follow is theirs",
    "games.Announcement.person": "shown on pages for a short time",
    "games.LongJob.person": "work on the person's data that is under way",
    "games.Recount.user": "a mark until the statistics have been computed again",
    "games.Player.owner_before": "the seat belongs to another person now",
    "moderation.Report.decided_by": "work of the staff",
    "moderation.StaffAct.by": "work of the staff",
    "moderation.StaffAct.whom": "told by the decisions and reports it led to",
}
"""References to a user that no part of the export covers, with the reason."""


def test_every_reference_to_a_user_is_exported_or_excluded_for_a_reason() -> None:
    references = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model is User
    }
    assert not set(EXPORTED) & set(NOT_EXPORTED)
    assert references == set(EXPORTED) | set(NOT_EXPORTED)
    assert set(EXPORTED.values()) | {"profile"} == set(export.PARTS)


NOT_PREFERENCES = {
    *("id", "password", "first_name", "last_name", "is_active", "is_program"),
    *("login_key", "shown_login_key", "key", "shown_key"),
}
"""Columns of a user that are derived, secret or always empty."""
PROFILE = {
    *("username", "name", "email", "is_guest", "date_joined", "last_login"),
    *("is_staff", "is_superuser"),
}


def test_every_user_column_is_exported_or_excluded_for_a_reason() -> None:
    preferences = set(exported(PersonFactory())["profile"]["preferences"])
    assert not preferences & NOT_PREFERENCES
    stored = {field.name for field in User._meta.concrete_fields}
    assert stored == PROFILE | preferences | NOT_PREFERENCES
