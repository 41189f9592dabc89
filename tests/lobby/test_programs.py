"""The page of a user's programs: what it shows, its forms, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import tokens
from accounts.models import User
from games.models import Pool, Program, ProgramVersion, Rating
from games.rooms import programs as commands
from tests.kit.costs import statements
from tests.kit.factories import AccountFactory, PersonFactory
from tests.kit.people import as_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("with_ladder")]

MOST_STATEMENTS = 4
"""Programs, versions, tokens and ratings."""
State = ProgramVersion.State


def made(owner: User, name: str = "Nemo", versions: int = 1) -> Program:
    """Return a program of this user."""
    program = commands.make_program(owner.pk, name).result()
    for _ in range(versions):
        commands.make_version(owner.pk, program.pk).result()
    return program


def page_of(user: User) -> str:
    return as_user(user).get("/programs/").content.decode()


def posted(user: User, address: str, **fields: str) -> str:
    """Post a form and return the page that is shown then."""
    answer = as_user(user).post(address, fields, follow=True)
    assert answer.status_code in (200, 201, 422, 429), answer.status_code
    return answer.content.decode()


def test_author_makes_a_program_and_a_version_and_sees_its_token_once() -> None:
    ann = AccountFactory(name="Ann")
    assert "Programs play each other on the ladder" in page_of(ann)
    assert "first version" in posted(ann, "/programs/new/", name="Nemo", about="Never bluffs.")
    program = Program.objects.get(owner=ann)
    assert "Never bluffs." in page_of(ann)
    page = posted(ann, f"/programs/{program.pk}/versions/", label="cautious")
    token = re.search(r'id="made"[^>]*value="([^"]+)"', page)
    assert token is not None
    version = program.versions.get()
    assert f"mybot.py --ladder --url http://testserver --token {token[1]}" in page
    assert version.label == "cautious"
    page = page_of(ann)
    assert token[1] not in page
    assert "never seen yet" in page
    assert tokens.holder(token[1]) == version.user
    assert "last seen 0" in page_of(ann)


def test_new_token_replaces_the_old_one() -> None:
    ann = AccountFactory()
    program = commands.make_program(ann.pk, "Nemo").result()
    version, old = commands.make_version(ann.pk, program.pk).result()
    page = posted(ann, f"/programs/versions/{version.pk}/token/")
    new = re.search(r'id="made"[^>]*value="([^"]+)"', page)
    assert new is not None
    assert tokens.holder(old) is None
    assert tokens.holder(new[1]) == version.user


def test_state_of_a_version_is_explained() -> None:
    ann = AccountFactory()
    version = made(ann).versions.get()
    said = {
        State.CHECKING: "First it plays 3 matches",
        State.FAILED: "It did not answer in time.",
        State.RESTING: "It wakes up when you start it.",
    }
    for state, sentence in said.items():
        ProgramVersion.objects.update(state=state)
        assert sentence in page_of(ann)
    posted(ann, f"/programs/versions/{version.pk}/wake/")
    version.refresh_from_db()
    assert version.state == State.ACTIVE
    page = posted(ann, f"/programs/versions/{version.pk}/retire/")
    assert "Retired versions" in page
    assert "Yes, it plays no more" not in page


def test_ratings_of_versions_are_shown() -> None:
    ann = AccountFactory()
    version = made(ann).versions.get()
    rated = {"game": "mia", "pool": Pool.PROGRAMS, "last_at": timezone.now(), "matches": 30}
    Rating.objects.create(user=version.user, mu=26, sigma=1, **rated)
    page = page_of(ann)
    assert "<strong>1560</strong> ± 60" in page
    assert "30 rated matches" in page


def test_limits_and_bad_names_are_explained(settings: Any) -> None:
    ann, bob = AccountFactory(), AccountFactory()
    program = made(bob, "Nemo", versions=3)
    assert "That name is taken. Choose" in posted(ann, "/programs/new/", name="nemo")
    assert "at most 15" in posted(ann, "/programs/new/", name="A name that is too long")
    assert "at most 3 versions" in posted(bob, f"/programs/{program.pk}/versions/")
    for number in range(4):
        made(bob, f"Number {number}", versions=0)
    assert "already have 5 programs" in posted(bob, "/programs/new/", name="Sixth")
    settings.LIMITS = {**settings.LIMITS, "programs": (1, 60)}
    other = made(ann, "Other", versions=0)
    posted(ann, f"/programs/{other.pk}/versions/")
    assert "Too many tries" in posted(ann, f"/programs/{other.pk}/versions/")
    assert other.versions.count() == 1


@pytest.mark.parametrize("what", ["about", "delete", "versions"])
def test_programs_of_others_cannot_be_changed(what: str) -> None:
    program = made(AccountFactory())
    answer = as_user(AccountFactory()).post(f"/programs/{program.pk}/{what}/")
    assert answer.status_code == 404
    assert program.versions.count() == 1


@pytest.mark.parametrize("what", ["token", "retire", "wake"])
def test_versions_of_others_cannot_be_changed(what: str) -> None:
    version = made(AccountFactory()).versions.get()
    answer = as_user(AccountFactory()).post(f"/programs/versions/{version.pk}/{what}/")
    assert answer.status_code == 404
    assert tokens.Token.objects.filter(user=version.user).count() == 1


def test_program_can_be_described_and_deleted() -> None:
    ann = AccountFactory()
    program = made(ann)
    assert "New words" in posted(ann, f"/programs/{program.pk}/about/", about="New words")
    account = program.versions.get().user
    assert "is deleted" in posted(ann, f"/programs/{program.pk}/delete/")
    assert not Program.objects.exists()
    account.refresh_from_db()
    assert not account.is_active


def test_guests_are_told_to_sign_up() -> None:
    assert "Sign up to have programs" in page_of(PersonFactory())
    assert Client().get("/programs/").status_code == 302


def test_server_without_a_ladder_has_no_pages_of_it(settings: Any) -> None:
    ann = AccountFactory()
    assert "/programs/" in as_user(ann).get("/").content.decode()
    settings.LADDER = False
    assert "/programs/" not in as_user(ann).get("/").content.decode()
    for address in ("/programs/", "/ladder/", "/ladder/mia/", "/ladder/mia.json"):
        assert as_user(ann).get(address).status_code == 404, address


def test_page_runs_as_many_statements_for_many_programs_as_for_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few, many = AccountFactory(), AccountFactory()
    made(few)
    for number in range(5):
        made(many, f"Number {number}", versions=3)
    counts = []
    for client in (as_user(few), as_user(many)):
        with statements(monkeypatch) as said:
            client.get("/programs/")
        counts.append(sum("games_program" in one or "accounts_token" in one for one in said))
    assert counts == [MOST_STATEMENTS, MOST_STATEMENTS]


def test_profile_of_a_version_says_whose_it_is() -> None:
    ann = AccountFactory(username="ann", name="Ann")
    commands.describe(ann.pk, made(ann).pk, "Never bluffs.").result()
    page = Client().get("/people/Nemo%20v1/").content.decode()
    assert "Version 1 of the program" in page
    assert "/people/ann/" in page
    assert "Never bluffs." in page
    assert "Follow" not in page
