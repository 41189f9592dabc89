"""Handles registrations of programs and watchers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from games.contract.core import Refused
from games.udp import commands, lines
from games.udp.allowance import Endpoint
from games.udp.lines import Dialect
from games.udp.listeners import Program
from games.udp.names import Names

MOST_REGISTERING = 50


class Reception:
    """Handles the registrations at one table.

    `send` sends a line, and `came` is called with each registered name.
    """

    def __init__(
        self,
        names: Names,
        dialect: Dialect,
        send: Callable[[Endpoint, str], None],
        came: Callable[[str], None],
    ) -> None:
        self.names, self.dialect = names, dialect
        self.newer: set[str] = set()
        """Names that were stored since the table was read."""
        self._send, self._came = send, came
        self._coming: dict[str, tuple[str, asyncio.Task[None]]] = {}

    @property
    def coming(self) -> dict[str, tuple[str, asyncio.Task[None]]]:
        """New names that are being stored, with their address and task."""
        return self._coming

    def register(self, name: str | None, endpoint: Endpoint) -> None:
        """Register a name for this endpoint, or reject it."""
        if name is None or not lines.is_name(name):
            self._reject(endpoint, taken=False)
        elif self.names.is_taken(name, endpoint[0]):
            self._reject(endpoint, taken=True)
        elif name in self.names.programs:
            self._enter(name, endpoint)
        elif name not in self._coming and len(self._coming) < MOST_REGISTERING:
            self._let_in(name, endpoint)

    def watch(self, name: str | None, endpoint: Endpoint) -> None:
        """Register this endpoint as a watcher, or reject it."""
        if lines.is_name(name) and self.names.watch(endpoint) is not None:
            self._send(endpoint, lines.registered())
        else:
            self._reject(endpoint, taken=False)

    def _let_in(self, name: str, endpoint: Endpoint) -> None:
        """Store a new name if there is room, or in place of an unused name. Otherwise reject it."""
        candidates = self.names.eviction_candidates(
            endpoint[0], [address for address, _ in self._coming.values()]
        )
        leaving = None
        if candidates is not None:
            leaving = min(
                (one for one in candidates if one.gives_way),
                key=lambda one: one.since,
                default=None,
            )
            if leaving is None:
                self._reject(endpoint, taken=True)
                return
        task = asyncio.get_running_loop().create_task(self._write(name, endpoint, leaving))
        self._coming[name] = (endpoint[0], task)

    async def _write(self, name: str, endpoint: Endpoint, leaving: Program | None) -> None:
        """Store a name, then confirm or reject the registration."""
        refused = None
        try:
            await commands.register(name, *endpoint, leaving=leaving.name if leaving else None)
        except Refused as why:
            refused = why
        finally:
            del self._coming[name]
        if refused is None:
            if leaving is not None:
                self.names.drop(leaving.name)
            self.newer.add(name)
            self._enter(name, endpoint)
        elif refused.code != "busy":  # if the code is `busy`, the program may register again
            self._reject(endpoint, taken=True)

    def _enter(self, name: str, endpoint: Endpoint) -> None:
        self.names.enter(name, endpoint)
        self._send(endpoint, lines.registered())
        self._came(name)

    def _reject(self, endpoint: Endpoint, taken: bool) -> None:
        self._send(endpoint, lines.rejected(self.dialect, taken))
