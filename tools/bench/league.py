"""Measure lists, leaderboards, profiles and replays in a large database: statements and processor
time.

The lists of the back office are read at their first and at their last page.

`python -m tools.bench league` runs it in a process of its own, without sockets. The processor time
of PostgreSQL is not included.
"""

from __future__ import annotations

import gc
import time
from functools import partial
from statistics import median
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client

from accounts.models import User
from games.contract.luck import Luck
from games.history.replay import unfold
from tests.kit.corpus import play_on
from tests.kit.factories import open_table, start_match
from tools.bench.filled import BUSY, STAFF, fill
from tools.bench.server import row

WARM, TIMES = 5, 40
"""Requests before and while an address is measured."""
ADDRESSES = (
    ("", "/"),
    ("", "/api/matches.ndjson"),
    ("", "/api/matches.ndjson?rated=yes"),
    ("", "/api/matches.ndjson?game=coup&rated=yes"),
    ("", f"/api/matches.ndjson?user={BUSY}"),
    (BUSY, "/api/matches.ndjson"),
    ("", "/league/coup/"),
    ("", "/league/coup.json"),
    ("", "/ladder/coup/"),
    ("", f"/people/{BUSY}/"),
    (BUSY, "/you/"),
    (BUSY, "/people/"),
    (BUSY, "/you/?before=500"),
    (STAFF, "/admin/games/match/"),
    (STAFF, "/admin/games/match/?p=1000"),
    (STAFF, "/admin/games/match/?q=Person+77"),
    (STAFF, "/admin/accounts/user/"),
    (STAFF, "/admin/accounts/user/?p=100"),
    (STAFF, "/admin/moderation/report/"),
    (STAFF, "/admin/moderation/report/?p=99"),
    (STAFF, "/admin/chat/message/"),
    (STAFF, "/admin/chat/message/?p=1000"),
    (STAFF, "/admin/operations/"),
)
"""User names, or "" for nobody, and what they ask for."""


def run() -> None:
    """Fill the database of this process, and print what each address costs."""
    row("100,000 matches, 10,000 users", "CPU ms", "statements", "bytes")
    fill()
    settings.LIMITS = {**settings.LIMITS, "matches": None, "replays": None}
    gc.freeze()
    for name, address in ADDRESSES:
        _measure(name, address)
    _measure_replay()


def _measure_replay() -> None:
    """Play a match, and print what its replay costs: all acts at once, then a step."""
    people = list(User.objects.order_by("pk")[:4])
    match = start_match(open_table(*people, game="mia", lives=9))
    play_on(match.pk, Luck(b"bench", 1))
    match.refresh_from_db()
    taken = []
    for match.revision in range(1, TIMES + 1):  # the cache knows only other revisions
        began = time.process_time()
        assert unfold(match) is not None
        taken.append(time.process_time() - began)
    row(f"  unfolding {match.version} acts", f"{1000 * median(taken):.1f}")
    _measure(
        people[0].username, f"/matches/{match.pk}/{match.version // 2}/", {"HX-Request": "true"}
    )


def _measure(name: str, address: str, headers: dict[str, str] | None = None) -> None:
    client = Client(SERVER_NAME="127.0.0.1", headers=headers)
    if name:
        backend = "django.contrib.auth.backends.ModelBackend"
        client.force_login(User.objects.get(username=name), backend=backend)
    for _ in range(WARM):
        answer = client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
    taken = []
    for _ in range(TIMES):
        began = time.process_time()
        client.get(address)
        taken.append(time.process_time() - began)
    made: list[str] = []
    with connection.execute_wrapper(partial(_noted, made)):
        client.get(address)
    who = f" as {name}" if name else ""
    figures = (f"{1000 * median(taken):.1f}", str(len(made)), str(len(answer.content)))
    row(f"  {address}{who}", *figures)


def _noted(made: list[str], execute: Any, sql: str, *more: Any) -> Any:
    made.append(sql)
    return execute(sql, *more)
