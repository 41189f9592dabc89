"""A match that a stranger may not view looks like one that does not exist, at every address."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from accounts import tokens
from accounts.models import User
from games import rooms
from games.history import counting
from games.models import Match, Room
from tests.kit.acting import play_out
from tests.kit.factories import AccountFactory, PersonFactory, open_table
from tests.kit.ladder import version_of
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)

MISSING = 987_654
STEP = {"HX-Request": "true"}
ADDRESSES: list[tuple[str, dict[str, str]]] = [
    ("/matches/{}/", {}),
    ("/matches/{}/1/", {}),
    ("/matches/{}/1/?as=0", {}),
    ("/matches/{}/1/?as=gallery", STEP),
    ("/matches/{}/1/?as=1", STEP),
    ("/matches/{}/999/", STEP),
    ("/api/matches/{}.ndjson", {}),
    ("/api/matches/{}.ndjson?as=0", {}),
    ("/api/matches/{}.ndjson?as=all", {}),
    ("/matches/{}/luck.json", {}),
]
VARIES = re.compile(r'(csrfmiddlewaretoken" value=|nonce=|X-CSRFToken": )"[^"]*"|"[0-9]{13}"')
"""Tokens, and the time at which a page was made."""
LISTS = ["", "?full=gallery", "?game=mia", "?user=host-of-it", "?rated=no", "?order=asc&after=0"]


def match_of(*people: User) -> Match:
    """Play a match at a table that is not listed, and count it."""
    room = open_table(*people, lives=1)
    rooms.set_room(room.pk, room.host_id, "unlisted").result()
    match = play_out(Room.objects.get(pk=room.pk))
    counting.run()
    return match


def body(answer: Any, number: int) -> str:
    """Return an answer without what differs between two requests for the same address."""
    text = answer.content.decode().replace(f"matches/{number}", "matches/N")
    return VARIES.sub("", text)


def strangers() -> list[tuple[Client, dict[str, str]]]:
    """Return browsers and headers of everybody who has nothing to do with a match."""
    account = AccountFactory()
    bearer = {"Authorization": f"Bearer {tokens.make(account)}"}
    return [
        (Client(), {}),
        (as_user(PersonFactory()), {}),
        (as_user(account), {}),
        (as_user(AccountFactory(is_staff=True)), {}),
        (Client(), bearer),
    ]


def test_match_of_others_looks_like_a_missing_one() -> None:
    host = AccountFactory(username="host-of-it", lists_matches=True)
    match = match_of(host, PersonFactory())
    for browser, bearer in strangers():
        for path, headers in ADDRESSES:
            found, missing = (
                browser.get(path.format(number), headers=headers | bearer)
                for number in (match.pk, MISSING)
            )
            assert found.status_code == missing.status_code == 404, path
            assert body(found, match.pk) == body(missing, MISSING), path
            assert dict(found.headers).keys() == dict(missing.headers).keys(), path


def test_match_of_others_is_in_no_list() -> None:
    host = AccountFactory(username="host-of-it", lists_matches=True)
    match = match_of(host, PersonFactory())
    for browser, bearer in strangers():
        for asked in LISTS:
            answer = browser.get(f"/api/matches.ndjson{asked}", headers=bearer)
            assert answer.content == b'{"type":"Last","after":0}\n', (asked, match.pk)
    mine = as_user(host).get("/api/matches.ndjson?user=host-of-it").content.decode()
    assert f'"id":{match.pk},' in mine


LIMITED = {
    "matches": ("get", "/api/matches.ndjson", {}),
    "replays": ("get", "/matches/{match}/1/", STEP),
    "seeks": ("post", "/seek/", {}),
    "programs": ("post", "/programs/{program}/versions/", {}),
}


@pytest.mark.parametrize("kind", LIMITED)
def test_too_many_requests_are_told_when_to_come_again(settings: Any, kind: str) -> None:
    settings.LADDER = True
    host = AccountFactory()
    match, (version, _token) = match_of(host, PersonFactory()), version_of(host)
    settings.LIMITS = {**settings.LIMITS, kind: (1, 3600)}
    method, path, headers = LIMITED[kind]
    path = path.format(match=match.pk, program=version.program_id)
    browser = as_user(host)
    first, second = (
        getattr(browser, method)(path, {"game": "mia"} if method == "post" else {}, headers=headers)
        for _ in range(2)
    )
    assert first.status_code < 400
    assert second.status_code == 429
    assert 0 < int(second["Retry-After"]) <= 3600
