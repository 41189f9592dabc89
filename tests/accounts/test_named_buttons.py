"""Repeated buttons on the account page have distinct names."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts import tokens
from tests.kit.factories import AccountFactory
from tests.kit.named import same_names

pytestmark = pytest.mark.django_db(transaction=True)


def test_each_token_is_revoked_by_a_button_that_names_it() -> None:
    anna, client = AccountFactory(), Client()
    client.force_login(anna)
    for name in ("laptop", "phone"):
        tokens.make(anna, name)
    page = client.get("/you/").content.decode()
    assert page.count(">Revoke</button>") == 2
    assert not same_names(page)
