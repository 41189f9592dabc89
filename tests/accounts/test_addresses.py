"""The response of every URL of the site to strangers, guests, registered users and staff."""

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


KINDS = ("stranger", "guest", "registered", "superuser")


def addresses(resolver: URLResolver | None = None) -> Iterator[str]:
    """Return the names of all URLs; the back office counts as one."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLPattern):
            assert pattern.name, pattern
            yield pattern.name
        elif pattern.namespace != "admin":
            yield from addresses(pattern)


def test_every_address_stands_in_the_table() -> None:
    assert {*addresses(), "admin"} == set(GETS)


def match_of(bob: User) -> int:
    """A finished match of Bob's, at his own table."""
    room = open_table(bob, bots=1)
    rooms.set_room(room.pk, bob.pk, "unlisted").result()
    match = start_match(room)
    moderation_helpers.end_match(room.pk).result()
    return match.pk


class Bobs:
    """Objects that belong to somebody else, and the URLs that lead to them."""

    def __init__(self) -> None:
        self.bob = account("Bob")
        self.code = open_table(self.bob).code
        Deck.objects.create(owner=self.bob, slug="bobs", name="Bob's", language="en", pack=PACK)
        tokens.make(self.bob, "bob's")

    def address(self, name: str) -> str:
        if name == "admin":
            return "/admin/"
        known = {
            "new-table": ["mia"],
            "rules": ["mia"],
            "game-reference": ["mia"],
            "table": [self.code],
            "screen": [self.code],
            "handoff": ["FORGED"],
            "person-sheet": [self.code, 1],
            "leave-table": [self.code],
            "new-game": [self.code],
            "accept-invitation": [self.code],
            "decline-invitation": [self.code],
            "person": ["Bob"],
            "face": ["01", "teal"],
            "deck": ["bobs"],
            "replace-deck": ["bobs"],
            "change-deck": ["bobs"],
            "report-deck": ["bobs"],
            "meet-again": [1],
            "have-read": [1],
            "deck-file": ["bobs", "json"],
            "progress": ["forged"],
            "account_confirm_email": ["forged"],
            "account_welcome": ["MQ", "forged"],
            "mfa_edit_webauthn": [1],
            "mfa_remove_webauthn": [1],
            "account_reset_password_from_key": ["1", "forged"],
        }
        return reverse(name, args=self._made_for(name) or known.get(name, []))

    def _made_for(self, name: str) -> list[int | str]:
        """Return what only one URL needs."""
        match name:
            case "match":
                return [match_of(self.bob)]
            case "revoke-token":
                return [self.bob.tokens.get().pk]
            case "account_invited":
                return [invitations.address(invitations.make_link()).split("/")[-2]]
        return []


def people() -> dict[str, Client]:
    """Return a browser for each kind of person, in the order of the table."""
    superuser = account("Root", is_staff=True, is_superuser=True)
    persons = (PersonFactory(), account("Ann"), superuser)
    return dict(zip(KINDS, [Client(), *map(as_user, persons)], strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_everybody_gets_what_is_theirs(kind: str) -> None:
    bobs, client = Bobs(), people()[kind]
    for name, of_kinds in GETS.items():
        answer, wanted = client.get(bobs.address(name)), of_kinds[KINDS.index(kind)]
        if isinstance(wanted, int):
            assert answer.status_code == wanted, name
        else:
            assert answer.status_code == 302, name
            assert answer.headers["Location"].partition("?")[0] == wanted, name


@pytest.mark.parametrize("name", GETS)
def test_nothing_posted_to_what_is_anothers_changes_it(name: str) -> None:
    """An empty form posted to any URL gets a response, never an error, and changes nothing of
    Bob's."""
    address = Bobs().address(name)
    for client in people().values():
        answer = client.post(address, {"do": "delete", "name": "Eve"})
        assert answer.status_code in (200, 201, 204, 302, 403, 404, 405, 422)
    if name != "admin":
        assert Member.objects.filter(user__username="Bob", left_at=None).exists()
        assert Deck.objects.filter(slug="bobs").exists()
        assert tokens.Token.objects.filter(user__username="Bob").exists()
