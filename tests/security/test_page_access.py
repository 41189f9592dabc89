"""Every URL for every kind of user at a table, and responses that reveal nothing."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts import tokens
from accounts.middleware import BanMiddleware
from accounts.models import MuteOrBlock, Sanction, User
from games import rooms
from games.engine.storage import Storage
from games.models import Deck, Member, Room
from tests.kit import moderation_helpers
from tests.kit.addresses import ABOVE, GETS
from tests.kit.around_a_table import PopulatedTable
from tests.kit.factories import PersonFactory, open_table
from tests.kit.people import PASSWORD, account, as_user
from tests.kit.quick import quick
from tests.kit.stored import CSV, everything_stored

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("with_ladder")]

STRANGER, GUEST, REGISTERED, SUPERUSER = range(4)
KIND = {
    "stranger": STRANGER,
    "guest": GUEST,
    "member": GUEST,
    "spectator": GUEST,
    "registered": REGISTERED,
    "host": REGISTERED,
    "kicked": GUEST,
    "locked out": REGISTERED,
    "staff without right": REGISTERED,
    "moderator": REGISTERED,
    "superuser": SUPERUSER,
}
"""The column of each kind of user in the table of all URLs."""
EVERYBODY = quick(KIND, "stranger", "host")
OTHERS = quick([who for who in KIND if who != "host"], "registered")

# Differences from the table: the host owns the deck, kicked users see that they are kicked, banned
# users see that they are banned and how to log out, and staff can open the back office.
OTHERWISE: dict[tuple[str, str], int | str] = {
    ("deck", "host"): 200,
    ("replace-deck", "host"): 200,
    ("deck-file", "host"): 200,
    ("table", "kicked"): 403,
    ("screen", "kicked"): 403,
    **{("person-sheet", who): ABOVE for who in ("member", "spectator", "host")},
    **{(name, "locked out"): 403 for name in GETS},
    ("account_logout", "locked out"): 200,
    **{(name, "locked out"): 200 for name in BanMiddleware.NOBODYS},
    ("face-of", "locked out"): 302,
    **{("admin", who): 200 for who in ("staff without right", "moderator")},
    **{("operations", who): 403 for who in ("staff without right", "moderator")},
    **{("admin-login", who): "/admin/" for who in ("staff without right", "moderator")},
    **{("style", who): 200 for who in ("staff without right", "moderator")},
}
AT_THE_TABLE = {"member", "spectator", "host"}


OF_THE_MOMENT = {"content-length", "expires", "date"}
"""Headers that differ between two requests for the same page."""


def addresses(resolver: URLResolver | None = None) -> Iterator[str]:
    """Return the names of all URLs. The back office counts as one URL."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLPattern):
            assert pattern.name, pattern
            yield pattern.name
        elif pattern.namespace != "admin":
            yield from addresses(pattern)


def test_every_url_is_listed() -> None:
    assert {*addresses(), "admin"} == set(GETS)


def told(answer: Any) -> tuple[int, dict[str, str]]:
    """Return status and headers."""
    given = {name.lower(): value for name, value in answer.headers.items()}
    return answer.status_code, {k: v for k, v in given.items() if k not in OF_THE_MOMENT}


@pytest.mark.parametrize("who", EVERYBODY)
def test_each_kind_of_user_gets_the_expected_response(who: str) -> None:
    populated = PopulatedTable()
    for name, of_kinds in GETS.items():
        wanted = OTHERWISE.get((name, who), of_kinds[KIND[who]])
        answer = populated.browsers[who].get(populated.address(name))
        if isinstance(wanted, int):
            assert answer.status_code == wanted, name
            if wanted == 200 and answer.headers["Content-Type"].startswith("text/html"):
                assert b"</html>" in answer.content, f"{name} is only a part of a page"
        else:
            assert answer.status_code == 302, name
            target = answer.headers["Location"].partition("?")[0]
            if wanted == ABOVE:
                assert target != (address := populated.address(name)), name
                assert address.startswith(target), name
            else:
                assert target == wanted, name
        assert answer.status_code == 302 or answer.streaming or answer.content, name


@pytest.mark.parametrize("who", quick(["stranger", "host"], "host"))
def test_forms_without_fields_are_refused_without_an_error(who: str) -> None:
    populated = PopulatedTable()
    for name in GETS:
        assert populated.browsers[who].post(populated.address(name)).status_code < 500, name


def test_no_form_fails_while_the_writer_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the storage rests, changes are refused. Pages say so, with status 422 or 503."""
    populated = PopulatedTable()
    monkeypatch.setattr(Storage, "is_resting", lambda self: True)
    for name in GETS:
        answer = populated.browsers["host"].post(populated.address(name))
        assert answer.status_code < 500 or b"The server is busy" in answer.content, name
        assert answer.status_code != 500, name


@pytest.mark.slow
def test_head_is_answered_like_get_without_a_body() -> None:
    """Link previews and uptime checks use it."""
    populated = PopulatedTable()
    browser = populated.browsers["host"]
    for name in GETS:
        address = populated.address(name)
        asked, answer = browser.head(address), browser.get(address)
        assert told(asked) == told(answer), name
        assert b"".join(asked) == b"", name


def test_members_see_the_table_and_others_see_the_join_form() -> None:
    populated = PopulatedTable()
    for who, client in populated.browsers.items():
        page = client.get(populated.address("table")).content.decode()
        assert ('id="table"' in page) == (who in AT_THE_TABLE), who
        way_in = who not in {*AT_THE_TABLE, "kicked", "locked out"}
        assert ('name="spectate"' in page) == way_in, who


FORMS: dict[str, dict[str, str]] = {
    "replace-deck": {"name": "x", "language": "en", "text": CSV.decode(), "keep": "yes"},
    "rename": {"name": "Eve"},
    "prefer": {"theme": "dark"},
    "keep-habit": {"habit": "sounds", "on": "yes"},
    "make-token": {"name": "x", "days": "30"},
    "account_change_password": {"oldpassword": "wrong", "password1": "x", "password2": "x"},
    "account_email": {"email": "eve@e.example", "action_add": ""},
    "table": {"name": "Eve"},
    "leave-table": {},
    "delete-account": {"sure": "on", "password": "wrong"},
}
"""Form data that would change something. None of it equals the host's own data.

The last three forms join the table, leave it, and delete the account.
"""


@pytest.mark.parametrize("who", OTHERS)
def test_other_users_cannot_change_data_of_the_host(who: str, settings: Any) -> None:
    """Every POST to any URL gets a response without a server error."""
    settings.LIMITS = dict.fromkeys(settings.LIMITS)
    populated = PopulatedTable()
    bob, person = populated.people["host"], populated.people.get(who)

    def of_bob() -> list[Any]:
        return [
            list(User.objects.filter(pk=bob.pk).values()),
            list(Deck.objects.filter(owner=bob).values("name", "public", "pack")),
            list(tokens.Token.objects.filter(user=bob).values("name", "digest")),
            list(Member.objects.filter(user=bob).values("left_at", "spectator")),
            list(MuteOrBlock.objects.filter(user=bob).values()),
            list(Sanction.objects.filter(user=bob).values()),
            list(bob.programs.values("about", "versions__state")),
            list(tokens.Token.objects.filter(user__is_program=True).values("digest")),
        ]

    before, client = of_bob(), populated.browsers[who]
    for name in (*(name for name in GETS if name not in FORMS), *FORMS):
        if person and "_auth_user_id" not in client.session:  # a form has logged this user out
            client = as_user(person)
        given = FORMS.get(name, {"do": "delete", "name": "Eve"})
        answer = client.post(populated.address(name), given)
        assert answer.status_code in (200, 201, 204, 302, 403, 404, 405, 422), name
        assert of_bob() == before, name


def test_users_can_only_leave_their_own_seat() -> None:
    populated = PopulatedTable()
    for who, client in populated.browsers.items():
        if who != "member":
            present = Member.objects.filter(user=populated.people["member"], left_at=None)
            client.post(populated.address("leave-table"))
            assert present.exists(), who


def words(answer: Any, *own: str) -> tuple[int, str]:
    """Return status and text, without parts that differ between requests."""
    text = re.sub(
        r'((csrfmiddlewaretoken|form_token)" value|served-at" content)="[^"]*"',
        "",
        answer.content.decode(),
    )
    for part in own:
        text = text.replace(part, "…")
    return answer.status_code, text


def test_closed_table_looks_like_a_nonexistent_one() -> None:
    populated = PopulatedTable()
    moderation_helpers.close_room(populated.room.pk).result()
    client = populated.browsers["guest"]
    code = populated.room.code
    closed, none = (client.get(f"/t/{each}/") for each in (code, "ZZZZZ"))
    assert words(closed, code) == words(none, "ZZZZZ")
    closed, none = (client.post("/code/", {"code": each}) for each in (code, "ZZZZZ"))
    assert words(closed, code) == words(none, "ZZZZZ")


def test_uninvited_user_cannot_join_by_the_code() -> None:
    bob = account("Bob")
    joined = rooms.open_room(bob.pk, "mia", "Bob", visibility=Room.Visibility.INVITED).result()
    answers = [
        as_user(person).post(f"/t/{joined.code}/", {"name": "Eve"})
        for person in (account("Eve"), PersonFactory(name="Eve"))
    ]
    for answer in answers:
        assert answer.status_code == 422
        assert not Member.objects.filter(name="Eve").exists()


def test_banned_user_has_no_access_in_any_browser() -> None:
    ann = account("Ann")
    room = open_table(ann, account("Bob"))
    client = as_user(ann)
    moderation_helpers.lock_out(ann.pk).result()
    before = everything_stored()
    for address in ("/", "/you/", "/you/data/", "/you/delete/", "/account/password/change/"):
        assert client.get(address).status_code == 403
    client.post(f"/t/{room.code}/leave/")
    client.post("/you/name/", {"name": "Eve"})
    assert everything_stored() == before
    for browser in (client, Client()):
        browser.post("/account/logout/")
        browser.post("/account/login/", {"login": "Ann", "password": PASSWORD})
        page = browser.get("/")
        assert page.status_code == 403
        assert "locked out" in page.content.decode()


def test_access_functions_named_in_the_documentation_exist() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "access.md").read_text()
    named = re.findall(r"\| `([a-z_]+(?:\.\w+)+)` \|", page)
    assert len(named) > 10
    for name in named:
        assert callable(pkgutil.resolve_name(name)), name
