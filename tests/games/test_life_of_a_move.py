"""The files and functions that a move passes through until ten pages show it.

`docs/architecture.md` describes them.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games import rooms
from games.engine.snapshots import load_snapshot
from games.models import Match, Room
from games.sockets import channel_groups, hub
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.page_socket import Connection, cookie_of, socket
from tests.kit.repository import ROOT
from tests.kit.writing import PATIENCE, run

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = 10
SEATS = 6
OURS = tuple(f"{ROOT}/{name}/" for name in ("accounts", "chat", "config", "games", "lobby"))
MOVES = {
    "mia": ({"move": "Roll"}, {"move": "Announce", "dice": "3,1"}),
    "coup": ({"move": "Income"}, {"move": "Income"}),
}
"""Two moves by the form of a page. The second is traced: caches are full by then."""
MOST = [("mia", 67, 273), ("coup", 74, 309)]
"""Maximum number of files and functions that a move passes through.

Lambdas and comprehensions are not counted. Only lower these limits.
"""

FOLDERS = ("games/<game>/", "games/contract/", "games/models/", "games/pages/")
"""Folders that the page may name instead of each of their files."""

Called = set[tuple[str, str]]


@pytest.fixture(autouse=True)
def _nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop background tasks, which would also be counted."""
    for module, name in ((hub, "POLL"), (hub, "PRESENCE_EVERY"), (channel_groups, "GATHER")):
        monkeypatch.setattr(module, name, 1000.0)


@contextmanager
def traced() -> Iterator[Called]:
    """Record which functions of Parlour the event loop and the writer call, with their files."""
    called: Called = set()

    def note(frame: Any, event: str, arg: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(OURS) and code.co_name[0] != "<":
            called.add((code.co_filename[len(str(ROOT)) + 1 :], code.co_qualname))

    run(lambda: sys.setprofile(note)).result(PATIENCE)
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield called
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        run(lambda: sys.setprofile(None)).result(PATIENCE)


@pytest.mark.parametrize(("game", "files", "functions"), MOST)
async def test_move_passes_through_few_files_and_the_page_names_each(
    game: str, files: int, functions: int, capsys: pytest.CaptureFixture[str]
) -> None:
    called = await called_by_a_move(game)
    passed = {file for file, _name in called}
    with capsys.disabled():
        print(f"\n{game}: {len(passed)} files, {len(called)} functions")
    assert len(passed) <= files, "\n".join(sorted(passed))
    assert len(called) <= functions, "\n".join(" ".join(each) for each in sorted(called))
    missing = {file for file in passed if not is_named(file, steps(), game)}
    assert not missing, f"docs/architecture.md does not name {sorted(missing)}"


def test_file_counts_as_named_only_with_its_path_or_an_allowed_folder() -> None:
    named = {"games/engine/acts.py", "games/rooms/", "games/<game>/rules/", "games/pages/"}
    files = ("games/engine/acts.py", "games/mia/rules/play.py", "games/pages/seats.py")
    assert all(is_named(file, named, "mia") for file in files)
    others = ("games/rooms/claims.py", "games/mia/bots/odds.py", "games/engine/told.py")
    assert not any(is_named(file, named, "mia") for file in others)


def steps() -> set[str]:
    """Return the files and folders that the page names in its table of steps."""
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    table = page.split("## The life of a move")[1].split("\n\n")[2]
    return set(re.findall(r"`([^`]+)`", table))


def is_named(file: str, named: set[str], game: str) -> bool:
    """Whether the page names this file, or a folder in FOLDERS that contains it."""
    folders = [each.replace("<game>", game) for each in named if each.startswith(FOLDERS)]
    return file in named or any(file.startswith(each) for each in folders if each.endswith("/"))


async def called_by_a_move(game: str) -> Called:
    """Make a move while ten pages watch. Return the functions it calls."""
    match, people = await sync_to_async(playing)(game)
    async with AsyncExitStack() as stack:
        pages = [await page_of(match, person, stack) for person in people]
        first, second = MOVES[game]
        await nothing_more(pages)
        await move(match, pages, first)
        await nothing_more(pages)
        with traced() as called:
            await move(match, pages, second)
    await hub.close_hub()
    return called


def playing(game: str) -> tuple[Match, list[Any]]:
    """Start a match whose seats, names and draws are always the same."""
    people = [PersonFactory(username=f"mover{n}") for n in range(PAGES)]
    room = open_table(*people, game=game, pace="none", idleKick=0)
    Room.objects.filter(pk=room.pk).update(secret="ab" * 32)
    for watcher in people[SEATS:]:
        rooms.set_spectating(room.pk, watcher.pk, True).result(PATIENCE)
    return start_match(room), people


async def page_of(match: Match, person: Any, stack: AsyncExitStack) -> Connection:
    """Open the table's page as this member."""
    page = socket(f"/ws/table/{match.room.code}/", await sync_to_async(cookie_of)(person))
    assert (await page.connect())[0]
    stack.push_async_callback(page.disconnect)
    await page.receive_from()
    return page


async def nothing_more(pages: list[Connection]) -> None:
    """Wait until a round over all pages finds nothing sent to them."""
    silent = 0
    while silent < len(pages):
        page = pages[silent]
        if await page.receive_nothing(timeout=0.05):
            silent += 1
        else:
            await page.receive_from()
            silent = 0


async def move(match: Match, pages: list[Connection], form: dict[str, str]) -> None:
    """Send the form of a page, and wait until every page has been sent something."""
    seen = await sync_to_async(load_snapshot)(match.pk)
    (seat,) = seen.game.rules.awaited(seen.state)
    body = {"do": "move", "prompt": str(seen.state.prompts[seat]), **form}
    await pages[seat].send_to(text_data=json.dumps({"body": body}))
    async with asyncio.timeout(PATIENCE):
        for page in pages:
            await page.receive_from()
