"""Checks whether a server follows Mia's UDP protocol."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandError

from accounts.isolation import for_terminal
from conformance.mia.book import CHECKS, Book, chosen
from conformance.mia.kit import Silent
from conformance.mia.lines import Dialect
from conformance.mia.run import check


class Command(BaseCommand):
    help = (
        "Checks a server of Mia over UDP against every point of the protocol, and shows where it "
        "differs. Takes one to three minutes. Run it on the server's machine or near it."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("host", nargs="?", help="host of the server")
        parser.add_argument("port", nargs="?", type=int)
        parser.add_argument("--dialect", choices=get_args(Dialect), default="seed")
        parser.add_argument(
            "--answer-ms", type=int, default=250, help="MIA_ANSWER_MS of the server"
        )
        parser.add_argument(
            "--reply-ms",
            type=int,
            default=2000,
            help="milliseconds to wait for REGISTERED (retries wait twice and four times as long)",
        )
        parser.add_argument(
            "--only",
            nargs="+",
            default=[],
            metavar="CHECK",
            help="checks, rules (26), vectors (v13)",
        )
        parser.add_argument("--restart", default="", help="a command that restarts the server")
        parser.add_argument("--list", action="store_true", help="only list the checks")

    def handle(self, *args: Any, **given: Any) -> None:
        try:
            wanted = chosen(given["only"])
        except KeyError as unknown:
            raise CommandError(f"There is no check {unknown}. --list shows all checks.") from None
        if given["list"]:
            self._list(wanted)
            return
        self._judge(given, wanted)

    def _list(self, wanted: set[str]) -> None:
        for one, title in CHECKS.items():
            if one in wanted:
                self.stdout.write(f"{one:<13} {title}")

    def _judge(self, given: dict[str, Any], wanted: set[str]) -> None:
        if given["host"] is None or given["port"] is None:
            raise CommandError("Name a server: mia_check HOST PORT.")
        if min(given["answer_ms"], given["reply_ms"]) < 1 or not 0 < given["port"] < 65536:
            raise CommandError(
                "--answer-ms and --reply-ms must be at least 1, and the port from 1 to 65535."
            )
        book = self._play(given, wanted)
        bad = self._report(book, wanted, given["verbosity"])
        if bad:
            sys.exit(1)

    def _play(self, given: dict[str, Any], wanted: set[str]) -> Book:
        say = self.stderr.write if given["verbosity"] > 1 else lambda text: None
        try:
            return check(
                given["host"],
                given["port"],
                given["dialect"],
                given["answer_ms"] / 1000,
                wanted if given["only"] else None,
                given["restart"],
                say,
                given["reply_ms"] / 1000,
            )
        except OSError as error:
            raise CommandError(f"{given['host']} cannot be reached: {error}.") from None
        except Silent as silent:
            raise CommandError(str(silent)) from None

    def _report(self, book: Book, wanted: set[str], verbosity: int) -> int:
        """Print a line per requested or failed check. Return the number of failed checks."""
        bad = 0
        for one, title in CHECKS.items():
            verdict = book.verdict(one)
            if one not in wanted and verdict != "differs":
                continue
            why = f" ({book.missed[one]})" if one in book.missed and verdict != "ok" else ""
            often = f" [{book.seen[one]}]" if verbosity > 1 and book.seen[one] else ""
            self.stdout.write(f"{one:<13} {verdict}{why}{often}: {title}")
            for found in book.found.get(one, ())[: None if verbosity > 1 else 3]:
                self.stdout.write(f"{'':<13}   {for_terminal(found)}")
            bad += verdict == "differs"
        self.stdout.write(f"{bad} checks differ." if bad else "Nothing differs.")
        return bad
