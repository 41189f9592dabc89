"""With many reports, rooms and invitations, pages cost only as much as the rows they show."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Announcement, Invitation, Room, UdpName
from lobby import listing
from moderation.models import Report
from tests.kit.factories import PersonFactory
from tests.kit.moderators import superuser
from tests.kit.people import account, as_user

pytestmark = pytest.mark.django_db(transaction=True)


def flood(about: User, many: int) -> None:
    """Let `many` users each report another, open a room, invite that user, and play over UDP."""
    for number in range(many):
        by = PersonFactory()
        room = Room.objects.create(game="mia", host=by)
        Report.objects.create(kind="name", reason="spam", about=about, by=by, what="x", room=room)
        Invitation.objects.create(room=room, user=about, by=str(by))
        Announcement.objects.create(room=room, text="hush")
        UdpName.objects.create(name=f"u{by.pk}", user=by, points=number)


def asked(client: Client, address: str) -> list[str]:
    """Return the queries of a page."""
    with CaptureQueriesContext(connection) as taken:
        assert client.get(address).status_code == 200
    return [query["sql"] for query in taken]


def test_number_of_queries_does_not_grow_with_the_data() -> None:
    victim = account("Bob")
    own, staff = as_user(victim), as_user(superuser())
    pages = dict.fromkeys(("/", "/tables/", "/you/"), own)
    for listed in ("moderation/report", "games/room", "games/announcement", "games/udpname"):
        pages[f"/admin/{listed}/"] = staff
    flood(victim, 2)
    for page, client in pages.items():
        client.get(page)  # the first request stores when this login ends
    few = {page: len(asked(client, page)) for page, client in pages.items()}
    flood(victim, 9)
    assert {page: len(asked(client, page)) for page, client in pages.items()} == few


def test_report_queue_does_not_join_reports_with_each_other() -> None:
    flood(account("Bob"), 3)
    client = as_user(superuser())
    assert client.get("/admin/moderation/report/").content.decode().count("3 times") == 3
    assert not any(
        'JOIN "moderation_report"' in sql for sql in asked(client, "/admin/moderation/report/")
    )


def test_only_the_newest_invitations_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    bob = account("Bob")
    flood(bob, 5)
    monkeypatch.setattr(listing, "MOST", 2)
    newest = Invitation.objects.order_by("-pk").values_list("room__code", flat=True)[:2]
    assert [one["code"] for one in listing.invitations(bob)] == list(newest)
