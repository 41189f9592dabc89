"""Every address of the site, as a stranger, a guest, somebody registered, staff: who gets what."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts import invitations, tokens
from accounts.models import User
from games import rooms
from games.models import Deck, Member
from tests.kit import moderation_helpers
from tests.kit.addresses import GETS
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import account, as_user

pytestmark = pytest.mark.django_db(transaction=True)

PACK = '{"slug":"d","name":"d","language":"en","prompts":[],"answers":[]}'


def addresses(resolver: URLResolver | None = None) -> Iterator[str]:
    """The names of all addresses; the back office counts as one."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLPattern):
            assert pattern.name, pattern
            yield pattern.name
        elif pattern.namespace != "admin":
            yield from addresses(pattern)


def test_every_address_stands_in_the_table() -> None:
    assert {*addresses(), "admin"} == set(GETS)


def match_of(bob: User) -> int:
    """A match of Bob's that is over, at a table of his own."""
    room = open_table(bob, bots=1)
    rooms.set_room(room.pk, bob.pk, "unlisted").result()
    match = start_match(room)
    moderation_helpers.end_match(room.pk).result()
    return match.pk


def path_of(name: str) -> str:
    """An address with things of somebody else's in it."""
    if name == "admin":
        return "/admin/"
    bob = account("Bob")
    room = open_table(bob)
    Deck.objects.create(owner=bob, slug="bobs", name="Bob's", language="en", pack=PACK)
    tokens.make(bob, "bob's")
    known = {
        "new-table": ["mia"],
        "rules": ["mia"],
        "game-reference": ["mia"],
        "table": [room.code],
        "leave-table": [room.code],
        "accept-invitation": [room.code],
        "decline-invitation": [room.code],
        "match": [match_of(bob)],
        "person": ["Bob"],
        "face": ["0123abcd", "4142"],
        "deck": ["bobs"],
        "replace-deck": ["bobs"],
        "change-deck": ["bobs"],
        "report-deck": ["bobs"],
        "meet-again": [1],
        "have-read": [1],
        "deck-file": ["bobs", "json"],
        "revoke-token": [bob.tokens.get().pk],
        "account_invited": [invitations.address(invitations.make_link()).split("/")[-2]],
        "account_confirm_email": ["forged"],
        "account_reset_password_from_key": ["1", "forged"],
    }
    return reverse(name, args=known.get(name, []))


def people() -> list[Client]:
    superuser = account("Root", is_staff=True, is_superuser=True)
    return [Client(), *map(as_user, (PersonFactory(), account("Ann"), superuser))]


@pytest.mark.parametrize("name", GETS)
def test_everybody_gets_what_is_theirs(name: str) -> None:
    address = path_of(name)
    for client, wanted in zip(people(), GETS[name], strict=True):
        answer = client.get(address)
        if isinstance(wanted, int):
            assert answer.status_code == wanted
        else:
            assert answer.status_code == 302
            assert answer.headers["Location"].partition("?")[0] == wanted


@pytest.mark.parametrize("name", GETS)
def test_nothing_posted_to_what_is_anothers_changes_it(name: str) -> None:
    """Empty forms to every address: an answer, never an error, and nothing of Bob's is touched."""
    address = path_of(name)
    for client in people():
        answer = client.post(address, {"do": "delete", "name": "Eve"})
        assert answer.status_code in (200, 204, 302, 403, 404, 405, 422)
    if name != "admin":
        assert Member.objects.filter(user__username="Bob", left_at=None).exists()
        assert Deck.objects.filter(slug="bobs").exists()
        assert tokens.Token.objects.filter(user__username="Bob").exists()
