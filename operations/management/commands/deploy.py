"""Write the files of a deployment, and print the commands that remain."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from operations.deployment.answers import PROXIES, Answers, answers, defaults
from operations.deployment.env_text import NAME, read, without_password
from operations.deployment.files import ANSWERS, File, files
from operations.deployment.steps import steps

QUESTIONS = {
    "url": "The address people will use (https://play.example.org)",
    "proxy": "The proxy in front of it: nginx, caddy or none",
    "database": "The database: sqlite, postgres (on this machine), or an address",
    "mail": "How mail is sent, e.g. smtp+tls://user:password@host:587 (empty: not at all)",
}
HELP = """\
Writes the settings (parlour.env, for your eyes only), systemd units, configurations of nginx and
Caddy, and files for containers; then prints the commands that remain. It changes nothing outside
the two places it names. Run it again to change an answer: what you answered before is kept, what
you added to parlour.env by hand as well, and every difference is shown before it is written.
docs/operate.md has the whole way."""


def _read(path: Path) -> dict[str, str]:
    """Return the settings in a file; empty if it does not exist."""
    try:
        return read(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (OSError, UnicodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}.") from None


def _ask(question: str) -> str:
    try:
        return input(question).strip()
    except (EOFError, KeyboardInterrupt):
        raise CommandError("\nNothing was written.") from None


class Command(BaseCommand):
    requires_system_checks = ()
    help = HELP

    def create_parser(self, *args: Any, **kwargs: Any) -> Any:
        return super().create_parser(*args, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        say = parser.add_argument
        say("--url", help="the address people use, e.g. https://play.example.org")
        say("--proxy", help=f"what stands before it: {', '.join(PROXIES)}")
        say("--database", help="sqlite, postgres (on this machine), or postgres://user:…@host/name")
        say("--redis", help="redis://host:6379/0; with PostgreSQL the one on this machine")
        say("--mail", help="smtp+tls://user:password@host:587; without, no mail is sent")
        say("--workers", help="server processes (2 with PostgreSQL, 1 with SQLite)")
        say("--port", help="the port (8000); processes behind a proxy have the next ones")
        say("--udp-port", help="where programs play Mia over UDP; none without")
        say("--user", help="the account it runs as (the owner of this folder)")
        say("--certificate", help="the TLS certificate (where certbot puts it)")
        say("--key", help="the key of the certificate")
        say(
            "--env-file",
            type=Path,
            help="the file for the settings (parlour.env, where its data are)",
        )
        say("--into", type=Path, help="the folder for the files (deploy/, beside it)")
        say("--dry-run", action="store_true", help="show what would be written, and write nothing")
        say("--yes", action="store_true", help="write differences without asking; ask no questions")

    def handle(self, *args: Any, **options: Any) -> None:
        base = Path(settings.DATA_DIR)
        env_file = (options["env_file"] or settings.ENV_FILE or base / NAME).resolve()
        folder = (options["into"] or base / "deploy").resolve()
        known = defaults(base, _read(env_file), _read(folder / ANSWERS))
        given = {
            name: self._answer(name, options[name], default, options)
            for name, default in known.items()
        }
        try:
            found = answers(given, base, folder, env_file)
            wanted = files(found)
        except ValueError as error:
            raise CommandError(str(error)) from None
        self._show(wanted, options["dry_run"])
        if options["dry_run"]:
            self.stdout.write("Nothing was written (--dry-run).")
            return
        self._may_overwrite(wanted, options["yes"])
        self._write(wanted)
        self._tell(found)

    def _answer(self, name: str, given: str | None, default: str, options: dict[str, Any]) -> str:
        """Return the answer from a flag, else from a prompt on a terminal, else the default."""
        if given is not None:
            return given
        if name not in QUESTIONS or options["yes"] or not sys.stdin.isatty():
            return default
        shown = f" [{without_password(default)}]" if default else ""
        return _ask(f"{QUESTIONS[name]}{shown}: ") or default

    def _show(self, wanted: list[File], dry_run: bool) -> None:
        for file in wanted:
            self.stdout.write(f"{file.state:>9}  {file.path}")
            if file.state == "changed" or (dry_run and file.state == "new"):
                for line in file.difference():
                    self.stdout.write(f"           {line}")

    def _may_overwrite(self, wanted: list[File], yes: bool) -> None:
        changed = [file for file in wanted if file.state == "changed"]
        if not changed or yes:
            return
        if not sys.stdin.isatty():
            raise CommandError("Files would change, see above. Nothing was written; --yes does it.")
        if _ask("Write these changes? [y/N] ").lower() not in ("y", "yes"):
            raise CommandError("Nothing was written.")

    def _write(self, wanted: list[File]) -> None:
        for file in wanted:
            if file.state == "unchanged":
                continue
            try:
                file.write()
            except OSError as error:
                raise CommandError(f"{file.path} cannot be written: {error.strerror}.") from None

    def _tell(self, found: Answers) -> None:
        self.stdout.write("\nWhat remains, in this order (docs/operate.md says more):")
        for at, (why, commands) in enumerate(steps(found), 1):
            self.stdout.write(f"\n{at}. {why}")
            for command in commands:
                self.stdout.write(f"   {command}")
