"""Fields: phones leave the input as typed, times have a zone, and counts have sensible limits."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.utils import translation
from django.utils.formats import date_format

from games import rooms
from games.rooms import passwords
from lobby.listing import public_tables
from tests.kit.addresses import GETS
from tests.kit.around_a_table import PopulatedTable
from tests.kit.factories import PersonFactory, open_table
from tests.kit.quick import quick

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("with_ladder")]

AS_TYPED = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}
WANTED = {
    "name": {**AS_TYPED, "autocapitalize": "words"},
    "code": {**AS_TYPED, "autocapitalize": "characters"},
    **dict.fromkeys(("password", "username", "login"), AS_TYPED),
}
"""Attributes for phones, by field name."""


def fields(page: str) -> list[dict[str, str]]:
    tags = re.findall(r"<input\b[^>]*>", page)
    found = [dict(re.findall(r'([\w-]+)="([^"]*)"', tag)) for tag in tags]
    return [one for one in found if one.get("type") not in ("hidden", "checkbox", "radio")]


def is_apart(address: str, field: dict[str, str]) -> bool:
    """Titles of decks, tokens and passkeys, and account passwords, which password managers type."""
    is_title = (
        address.startswith(("/decks/", "/account/two-step/passkeys/"))
        or field.get("id") == "token_name"
    )
    of_account = {"current-password", "new-password", "one-time-code"}
    return is_title or field.get("autocomplete") in of_account


@pytest.mark.parametrize("who", quick(["stranger", "guest", "host"], "host"))
def test_input_fields_disable_autocorrection_for_names_codes_and_passwords(who: str) -> None:
    populated, seen = PopulatedTable(), set()
    hashed = passwords.hashed("dragon").result()
    rooms.set_room(populated.room.pk, populated.people["host"].pk, password=hashed).result()
    for name in set(GETS) - {"download-me"}:  # a streamed file
        address = populated.address(name)
        for field in fields(populated.browsers[who].get(address).content.decode()):
            kind = field.get("name", "")
            if kind not in WANTED or is_apart(address, field):
                continue
            seen.add(kind)
            given = {key: field.get(key) for key in AS_TYPED}
            assert given == WANTED[kind], (address, field)
    assert seen


def test_listed_player_count_never_exceeds_the_seats() -> None:
    host, *others = (PersonFactory() for _ in range(10))
    room = open_table(host, *others, game="cards")
    rooms.set_game(room.pk, host.pk, "mia").result()
    (listed,) = public_tables()
    assert (listed["people"], listed["most"], listed["free"]) == (8, 8, 0)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", ["DATETIME_FORMAT", "SHORT_DATETIME_FORMAT"])
def test_times_include_their_time_zone(language: str, kind: str) -> None:
    with translation.override(language):
        assert date_format(datetime(2026, 11, 25, 12, tzinfo=UTC), kind).endswith(" UTC")


@pytest.mark.parametrize("language", ["en", "de"])
def test_admin_times_include_their_time_zone(language: str) -> None:
    populated = PopulatedTable()
    browser = populated.browsers["superuser"]
    listed = browser.get("/admin/games/match/", headers={"Accept-Language": language})
    times = re.findall(r'<td class="field-started_at[^"]*">(.*?)</td>', listed.content.decode())
    assert times
    assert all(time.endswith("UTC") for time in times)
