"""Addresses of forms lead to a page when somebody types or reloads them."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.kit.factories import PersonFactory, open_table
from tests.kit.moderators import superuser
from tests.kit.people import as_guest, as_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("address", ["/code/", "/play/", "/watch/", "/language/", "/forget-me/"])
def test_address_of_a_form_leads_to_the_front_page(client: Client, address: str) -> None:
    assert client.get(address).url == "/"


def test_address_of_a_form_at_a_table_leads_to_the_table(client: Client) -> None:
    code = open_table(PersonFactory()).code
    assert client.get(f"/t/{code}/leave/").url == f"/t/{code}/"


def test_address_of_a_form_about_oneself_leads_to_ones_page() -> None:
    ann, _ = as_guest()
    for address in ("/you/name/", "/you/meet/1/", "/you/calls/end/"):
        assert ann.get(address, follow=True).redirect_chain[-1] == ("/you/", 302)


def test_logout_address_of_the_back_office_leads_to_the_back_office() -> None:
    assert as_user(superuser()).get("/admin/logout/").url == "/admin/"


def test_form_sent_to_a_page_that_takes_none_is_still_refused(client: Client) -> None:
    assert client.post("/tables/").status_code in (302, 405)
    assert as_guest()[0].post("/tables/").status_code == 405
