"""An evening: tables and users drawn from one seed, played in simulated time."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import random
import shutil
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

from games.engine.options import options_schema
from games.models import Act
from games.registry import GAMES
from games.sockets import hub, outbox
from games.wire.commands import GameDataRequest
from tests.sim.checks import (
    LOOKS_EVERY,
    matches_are_counted_once,
    nothing_is_left,
    nothing_was_logged,
    replays_lead_to_what_is_stored,
    the_log_is_whole,
    watch,
)
from tests.sim.faults import KINDS, PLANNED, Faults
from tests.sim.machine import Loop, machine, real
from tests.sim.moderator import Moderator
from tests.sim.people import DRAWN, Person
from tests.sim.planted import FAULTS
from tests.sim.server import OUTSIDE, Killed, Server
from tests.sim.visitor import Visitor

STORAGE_FAILS = 503
"""Status of pages while the storage fails. The visitor checks that it works otherwise."""
SHOWN_AWAY_AFTER = 3.0
"""Seconds until people who have gone are shown as away. The evening ends after that."""
MOST_ACTS = 150
"""Acts after which people leave. Bots that play alone would store thousands."""
PEOPLE = (2, 2, 3, 3, 4, 5, 6, 8, 10)
SECONDS = (5, 6, 8, 10, 12, 15, 20, 30)
"""Numbers of people and seconds from which evenings draw. In small evenings, it is easier to see
what happened.
"""
NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ida", "joe")


@dataclass(frozen=True)
class Shape:
    """The size of an evening. Values that are not given are drawn from the seed."""

    seed: int
    tables: int
    people: int
    until: float
    """Seconds after which users leave."""
    processes: int
    faults: tuple[str, ...]
    """Kinds of faults that happen (`tests.sim.faults`)."""
    planted: str = ""
    """A fault to plant in the product (`tests.sim.planted`)."""

    @classmethod
    def drawn(cls, seed: int, **given: Any) -> Shape:
        dice = Random(f"shape {seed}")
        people = given.get("people") or dice.choice(PEOPLE)
        drawn = {
            "people": people,
            "tables": dice.randint(1, max(1, people // 3)),
            "until": float(dice.choice(SECONDS)),
            "processes": dice.choice((1, 1, 2, 3)),
            "faults": tuple(kind for kind in KINDS if dice.random() < 0.5),
        }
        return cls(seed, **drawn | given)


class Evening:
    """An evening being played."""

    def __init__(self, shape: Shape, migrated: Path) -> None:
        self.shape = shape
        if shape.planted:
            FAULTS[shape.planted].plant()
        machine.dice.seed(f"machine {shape.seed}")
        random.seed(f"libraries {shape.seed}")
        self.dice = Random(f"evening {shape.seed}")
        self.games = [
            {"slug": game.slug, "options": options_schema(game)} for game in GAMES.values()
        ]
        known = [one for one in DRAWN if self.dice.random() < 0.6]
        self.commands = {GameDataRequest, *known}
        """Commands of this evening. With fewer of them, unusual sequences are more likely."""
        self.rooms: list[str] = []
        self.acknowledged: list[tuple[str, str, int, int]] = []
        self.people: list[Person] = []
        self.log = _Log()
        self.accepted: set[str] = set()
        """The types of all packets that the server accepted."""
        self.story: list[str] = []
        """Packets that users sent and faults that happened, in order."""
        self.ends_at = machine.now + shape.until
        self.ends_late = self.dice.random() < 0.3
        """Whether the server may notice only later that the last users have gone."""
        self._began, self._cpu = machine.now, real.process_time()
        self._frames = hashlib.sha256()
        self._copy = _open_database(migrated)
        self.faults = Faults(self)

    @property
    def is_over(self) -> bool:
        """Whether it is time to leave."""
        return self._end.done()

    def play(self) -> None:
        """Play the evening to its end. Raise Broken if a check fails."""
        OUTSIDE.context.run(Loop().run_until_complete, self._begin(connections[DEFAULT_DB_ALIAS]))

    async def _begin(self, database: Any) -> None:
        OUTSIDE.connect(database)
        await OUTSIDE.run(self._play())

    async def _play(self) -> None:
        """Let everybody play and leave. Then wait until the last users are shown as away."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(_on_exception)
        self._end = loop.create_future()
        dice = Random(f"server {self.shape.seed}")
        self.server = Server(self.shape.processes, dice, self.faults.may_hit)
        self.people = [Person(self, name) for name in NAMES[: self.shape.people]]
        running = [one.spend_the_evening() for one in self.people]
        running += [watch(self), self.faults.strike()]
        running += [one(self).spend_the_evening() for one in (Moderator, Visitor)]
        tasks = [asyncio.ensure_future(one) for one in running]
        await self._let_play(tasks)
        self._end.set_result(None)
        await asyncio.gather(*tasks)
        gone_at = max(machine.now, *(one.gone_at for one in self.people))
        over_at = max(self.faults.calm_at, gone_at + SHOWN_AWAY_AFTER + 1)
        await asyncio.sleep(over_at - machine.now)
        nothing_was_logged(self)
        nothing_is_left(self)
        the_log_is_whole(self)
        replays_lead_to_what_is_stored()
        matches_are_counted_once()

    async def _let_play(self, tasks: list[asyncio.Future[None]]) -> None:
        """Wait until it is time to leave, enough acts are stored, or a check has failed."""
        done: set[asyncio.Future[None]] = set()
        while machine.now < self.ends_at and not any(one.exception() for one in done):
            if self.faults.acts > MOST_ACTS:
                self.ends_at = machine.now
            seconds = min(LOOKS_EVERY, max(0.0, self.ends_at - machine.now))
            done, _ = await asyncio.wait(
                tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION
            )

    async def rest(self, seconds: float) -> None:
        """Wait, but not longer than the evening lasts."""
        await asyncio.wait([self._end], timeout=seconds)

    def tell(self, text: str) -> None:
        """Add a line to the story."""
        self.story.append(f"{machine.now - self._began:.3f} {text}")

    def note(self, who: str, frame: str) -> None:
        """Add a received frame to the hash."""
        self._frames.update(f"{machine.now!r} {who} {frame}\n".encode())

    def figures(self) -> dict[str, Any]:
        """Return the results of the evening, with a hash over all acts and received frames."""
        rows = Act.objects.order_by("match", "number")
        acts = list(
            rows.values_list("match", "number", "kind", "seat", "move", "told", "draws", "at")
        )
        digest = hashlib.sha256(repr(acts).encode() + self._frames.digest())
        return {
            "acts": len(acts),
            "matches": len({act[0] for act in acts}),
            "seconds": round(machine.now - self._began, 1),
            "cpu": round(real.process_time() - self._cpu, 1),
            "hash": digest.hexdigest()[:16],
        }

    def clear(self) -> None:
        """Delete the database."""
        connections.close_all()
        for path in self._copy.parent.glob(f"{self._copy.name}*"):
            path.unlink()


def _on_exception(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    if not isinstance(context.get("exception"), Killed):
        loop.default_exception_handler(context)


class _Log(logging.Handler):
    """Collects errors that the server logs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.errors: list[str] = []
        logging.getLogger().handlers[:] = [self]
        logging.disable(logging.WARNING)
        self.setFormatter(logging.Formatter())

    def emit(self, record: logging.LogRecord) -> None:
        is_planned = getattr(record, "status_code", None) == STORAGE_FAILS
        if PLANNED not in (text := self.format(record)) and not is_planned:
            self.errors.append(text)


def _open_database(migrated: Path) -> Path:
    """Use a copy of the migrated database. It is not synced to disk."""
    copy = migrated.with_name(f"{os.getpid()}.sqlite3")
    shutil.copy(migrated, copy)
    database = connections.settings["default"]
    database["NAME"] = str(copy)
    quick = database["OPTIONS"]["init_command"].replace("=FULL", "=OFF")
    database["OPTIONS"]["init_command"] = quick
    hub.SHOWN_AWAY_AFTER = SHOWN_AWAY_AFTER
    outbox.MARK, outbox.MOST_BYTES = 16 * 1024, 64 * 1024  # so that stalled readers fall behind
    settings.DEBUG, settings.ALLOWED_HOSTS = False, ["testserver"]
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return copy
