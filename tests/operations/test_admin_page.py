"""*Operations* in the back office: the state of the server, for superusers."""

from __future__ import annotations

import pytest

from tests.kit.acting import play_out
from tests.kit.factories import PersonFactory, open_table
from tests.kit.people import account, as_user

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_superuser_sees_findings_and_figures() -> None:
    play_out(open_table(PersonFactory(), PersonFactory(), lives=1))
    browser = as_user(account("Root", is_staff=True, is_superuser=True))
    page = browser.get("/admin/operations/").content.decode()
    assert "No server has ever run on this database." in page
    assert "<td>Acts committed</td><td>mia move hand</td>" in page
    assert "<td>Rooms</td><td>finished</td><td>1</td>" in page
    assert 'href="/admin/operations/"' in browser.get("/admin/").content.decode()


def test_other_staff_see_neither_page_nor_link() -> None:
    browser = as_user(account("Clerk", is_staff=True))
    assert browser.get("/admin/operations/").status_code == 403
    assert "/admin/operations/" not in browser.get("/admin/").content.decode()
