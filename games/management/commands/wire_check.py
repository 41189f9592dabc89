"""Checks whether a server follows the specification of the JSON protocol."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser
from typing import Any
from urllib.parse import urlsplit

from django.core.management.base import BaseCommand, CommandError

from accounts.isolation import for_terminal
from conformance.wire import Asked, Result, names, results
from conformance.wire_program import Differs
from conformance.wire_words import EVENTS


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Checks any server against the JSON protocol. Exit code 1: something differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", nargs="?", help="http://… or ws://… of the server")
        parser.add_argument("--game", action="append", choices=tuple(EVENTS), help="only this game")
        parser.add_argument("--only", action="append", default=[], help="only this check")
        parser.add_argument("--sizes", choices=("least", "some", "all"), default="some")
        parser.add_argument(
            "--patience", type=float, default=10.0, help="maximum seconds per answer"
        )
        parser.add_argument("--token", help="API token of a registered user, for invitations")
        parser.add_argument("--list", action="store_true", help="only list the checks")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"]:
            for name, sentence in names().items():
                self.stdout.write(f"{name:16} {sentence}")
            return
        asked = _asked(options)
        try:
            count = asyncio.run(self._report(asked, options["verbosity"] > 1))
        except Differs as nobody:
            raise CommandError(f"{nobody}.") from None
        if count:
            lines = "1 check differs" if count == 1 else f"{count} checks differ"
            raise CommandError(f"{lines} from the contract.")

    async def _report(self, asked: Asked, in_full: bool) -> int:
        """Print a line per check. Return the number of failed checks."""
        count = 0
        async for result in results(asked):
            count += bool(result.found)
            self._line(result, in_full)
        return count

    def _line(self, result: Result, in_full: bool) -> None:
        word = "differs" if result.found else "ok"
        sentence = f"  {result.sentence}" if in_full or result.found else ""
        self.stdout.write(f"{word:8}{result.name:16}{sentence}".rstrip())
        for found in result.found:
            self.stdout.write(f"        - {for_terminal(found)}")
        self.stdout.flush()


def _asked(options: dict[str, Any]) -> Asked:
    if not options["url"]:
        raise CommandError("Name a server: manage.py wire_check http://127.0.0.1:8000")
    unknown = [name for name in options["only"] if name not in names()]
    if unknown:
        raise CommandError(f"There is no check {unknown[0]!r}. --list shows all checks.")
    return Asked(
        url=_socket_url(options["url"]),
        only=options["only"],
        games=options["game"] or tuple(EVENTS),
        sizes=options["sizes"],
        patience=options["patience"],
        token=options["token"],
    )


def _socket_url(given: str) -> str:
    """Return the URL of the socket, given the URL of the site or of the socket.

    Raise CommandError if it is neither.
    """
    parts = urlsplit(given)
    scheme = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}.get(parts.scheme)
    if scheme is None or not parts.netloc:
        raise CommandError(f"{given!r} is not an address. Example: http://127.0.0.1:8000")
    path = parts.path if parts.path not in ("", "/") else "/api/ws/"
    return f"{scheme}://{parts.netloc}{path}"
