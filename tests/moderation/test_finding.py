"""Moderators find users by former names, current sanctions, and messages at a table."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Sanction
from games.models import Member
from moderation.models import Report, StaffAct
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.moderators import admin_client, decide, superuser
from tests.kit.people import as_user
from tests.kit.reports import page_of, says

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("listed", ["accounts_user", "accounts_sanction", "chat_message"])
def test_user_is_found_by_a_removed_name(listed: str) -> None:
    person, other = PersonFactory(name="Rude Zebra"), PersonFactory(name="Bob")
    says(open_table(person, other), person, "hello")
    decide("rename", person=person.pk)
    decide("warn", person=other.pk)
    person.refresh_from_db()
    page = admin_client().get(reverse(f"admin:{listed}_changelist"), {"q": "rude zebra"})
    rows = page.context["cl"].result_list
    found = {getattr(row, "author_id", None) or getattr(row, "user_id", row.pk) for row in rows}
    assert found == {person.pk}
    assert str(person) in page.content.decode()


def test_user_page_shows_the_removed_name() -> None:
    person = PersonFactory(name="Rude Zebra")
    decide("rename", person=person.pk)
    page = admin_client().get(reverse("admin:accounts_user_change", args=[person.pk]))
    assert "Rude Zebra" in page.content.decode()


def test_active_sanctions_are_listed_and_can_be_lifted() -> None:
    held, over, warned = (PersonFactory(name=name) for name in ("Held", "Over", "Warned"))
    decide("mute", person=held.pk)
    decide("lock", person=over.pk)
    Sanction.objects.filter(user=over).update(until=timezone.now() - timedelta(1))
    decide("warn", person=warned.pk)
    client, listed = admin_client(), reverse("admin:accounts_sanction_changelist")
    rows = client.get(listed, {"state": "held"}).context["cl"].result_list
    assert [row.user for row in rows] == [held]
    given = {"action": "let_go", "_selected_action": rows[0].pk}
    assert "Reason" in client.post(listed, given).content.decode()
    assert Sanction.objects.filter(user=held, lifted_at=None).exists()
    client.post(listed, {**given, "why": "yes", "reason": "served"})
    assert not client.get(listed, {"state": "held"}).context["cl"].result_list
    logged = StaffAct.objects.get(action="let_in")
    assert (logged.whom, logged.reason) == (held, "served")


def test_messages_are_listed_newest_first_and_can_be_searched_by_table() -> None:
    ann, bob = PersonFactory(name="Ann"), PersonFactory(name="Bob")
    room, other = open_table(ann), open_table(bob)
    says(room, ann, "first", "second")
    says(other, bob, "elsewhere")
    client, listed = admin_client(), reverse("admin:chat_message_changelist")
    rows = client.get(listed).context["cl"].result_list
    assert [row.text for row in rows] == ["elsewhere", "second", "first"]
    page = client.get(listed, {"q": room.code.lower()})
    assert [row.text for row in page.context["cl"].result_list] == ["second", "first"]
    text = page.content.decode()
    assert reverse("admin:accounts_user_change", args=[ann.pk]) in text
    assert reverse("admin:games_room_change", args=[room.pk]) in text
    assert client.get(listed, {"at__gte": "2000-01-01 00:00:00+00:00"}).status_code == 200


def test_lists_show_no_red_cross_for_normal_rows() -> None:
    ann, bob = PersonFactory(name="Ann"), PersonFactory(name="Bob")
    room = open_table(ann, bob)
    says(room, ann, "hello")
    start_match(room)
    client = admin_client()
    names = ("games_room", "games_match", "games_deck", "games_udpname")
    for listed in ("chat_message", "accounts_user", *names):
        page = client.get(reverse(f"admin:{listed}_changelist")).content.decode()
        assert "icon-no" not in page, listed
    page = client.get(reverse("admin:games_room_change", args=[room.pk])).content.decode()
    assert "icon-no" not in page


def test_rules_and_names_of_matches_are_in_the_language_of_staff() -> None:
    room = open_table(PersonFactory(), PersonFactory(), game="coup", pace="fast")
    match = start_match(room)
    client = as_user(superuser())
    client.cookies["django_language"] = "de"
    for row in (room, match):
        page = reverse(f"admin:games_{row._meta.model_name}_change", args=[row.pk])
        html = client.get(page).content.decode()
        assert f"Partie {match.pk}: Iron Throne" in html
        assert "Tempo: Schnell" in html
        assert "onLeave" not in html


def test_index_lists_every_app_under_another_heading() -> None:
    html = as_user(superuser()).get(reverse("admin:index")).content.decode()
    headings = re.findall(r'class="section"[^>]*>\s*([^<]+)', html)
    assert len(headings) > 3
    assert len(set(headings)) == len(headings)
    assert reverse("admin:account_emailaddress_changelist") in html


def test_closing_a_table_shows_the_number_of_people_first() -> None:
    people = [PersonFactory() for _ in range(3)]
    room = open_table(*people)
    Member.objects.filter(user=people[2]).update(spectator=True)
    given = {"action": "close", "_selected_action": room.pk}
    page = admin_client().post(reverse("admin:games_room_changelist"), given).content.decode()
    assert "3 people at the table, 2 seated" in page


@pytest.mark.parametrize("action", ["rename", "remove_all"])
def test_behaviour_report_offers_renaming_and_message_removal(action: str) -> None:
    ann, bob = PersonFactory(name="Ann"), PersonFactory(name="Rude Zebra")
    room = open_table(ann, bob)
    says(room, bob, "spam")
    report = Report.objects.create(
        kind="behaviour", reason="spam", by=ann, about=bob, about_name="Rude Zebra", room=room
    )
    client = admin_client()
    assert f'value="{action}"' in client.get(page_of(report)).content.decode()
    client.post(page_of(report), {"action": action, "reason": "spam"})
    assert StaffAct.objects.get().action == action
