"""Write the files of a deployment, and print the commands that remain."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from operations.deployment.answers import PROXIES, Answers, BadAnswer, answers, check, defaults
from operations.deployment.env_text import NAME, read, without_password
from operations.deployment.files import ANSWERS, File, files
from operations.deployment.steps import steps

QUESTIONS = {
    "url": "The address people will use (https://play.example.org)",
    "proxy": "The proxy in front of it: nginx, caddy or none",
    "database": "The database: sqlite, postgres (on this machine), or an address",
    "mail": "The mail server, e.g. smtp+tls://user:password@host:587 (empty: no mail)",
}
NEEDED = """\
Pass the address of the server: --url https://play.example.org
The other flags have defaults, for example --proxy nginx and --database sqlite. See --help."""
HELP = """\
Writes the settings (parlour.env, which only you can read), systemd units, configuration for nginx
and Caddy, and files for containers. Then prints the commands that you must run. Nothing else is
changed. Run it again to change an answer. Previous answers and your additions to parlour.env are
kept, and all differences are shown before they are written. See docs/operate.md."""


def _read(path: Path) -> dict[str, str]:
    """Return the settings in a file, or no settings if it does not exist."""
    try:
        return read(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (OSError, UnicodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}.") from None


def _first_host(path: Path) -> dict[str, str]:
    """Return the settings of the first host, without those that each host chooses by itself."""
    found = _read(path)
    if not found.get("SECRET_KEY"):
        raise CommandError(f"{path} is not a copy of the first host's parlour.env.")
    return {name: value for name, value in found.items() if name not in ("HOST", "MIA_UDP_PORT")}


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
        say("--proxy", help=f"the proxy in front of it: {', '.join(PROXIES)}")
        say("--database", help="sqlite, postgres (on this machine), or postgres://user:…@host/name")
        say("--redis", help="redis://host:6379/0 (with PostgreSQL: on this machine)")
        say("--mail", help="smtp+tls://user:password@host:587 (default: no mail)")
        say("--workers", help="server processes (2 with PostgreSQL, 1 with SQLite)")
        say("--port", help="the port (8000); further processes use the next ones")
        say("--udp-port", help="the port for Mia over UDP (default: off)")
        say("--user", help="the account it runs as (the owner of this folder)")
        say("--certificate", help="path of the TLS certificate (default: where certbot puts it)")
        say("--key", help="path of its private key")
        say("--listen", metavar="ADDRESS", help="address of the processes (127.0.0.1)")
        say("--others", help="processes of other hosts for the proxy: 10.0.0.2:8001,10.0.0.2:8002")
        say(
            "--join",
            type=Path,
            metavar="FILE",
            help="join the server whose parlour.env was copied to FILE (docs/scale.md)",
        )
        say(
            "--env-file",
            type=Path,
            help="path of the settings file (parlour.env in the data folder)",
        )
        say("--into", type=Path, help="the folder for the files (deploy/ in the data folder)")
        say("--dry-run", action="store_true", help="show what would be written, but write nothing")
        say("--yes", action="store_true", help="write without asking any questions")

    def handle(self, *args: Any, **options: Any) -> None:
        base = Path(settings.DATA_DIR)
        env_file = (options["env_file"] or settings.ENV_FILE or base / NAME).resolve()
        folder = (options["into"] or base / "deploy").resolve()
        joins = options["join"] and options["join"].resolve()
        before = _read(env_file) or (_first_host(joins) if joins else {})
        known = defaults(base, before, _read(folder / ANSWERS))
        if joins:
            if before.get("SECRET_KEY") != _first_host(joins)["SECRET_KEY"]:
                raise CommandError(f"{env_file} belongs to another server. Move it away first.")
            known["proxy"] = "remote"
            options["yes"] = True  # all other answers are those of the first host
        given = {
            name: self._answer(name, options[name], default, options)
            for name, default in known.items()
        }
        try:
            found = answers(given, base, folder, env_file, before, joins)
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
        """Return the answer from a flag, or else from a prompt on a terminal, or else the
        default.
        """
        if given is not None:
            return given
        if name not in QUESTIONS or options["yes"] or not sys.stdin.isatty():
            if name == "url" and not default:
                raise CommandError(NEEDED)
            return default
        shown = f" [{without_password(default)}]" if default else ""
        while True:
            answer = _ask(f"{QUESTIONS[name]}{shown}: ") or default
            try:
                check(name, answer, Path(settings.DATA_DIR))
            except BadAnswer as wrong:
                self.stdout.write(str(wrong))
            else:
                return answer

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
            raise CommandError("Existing files differ. Nothing was written. Use --yes to write.")
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
        self.stdout.write("\nNow run these commands in this order (see docs/operate.md):")
        for at, (why, commands) in enumerate(steps(found), 1):
            self.stdout.write(f"\n{at}. {why}")
            for command in commands:
                self.stdout.write(f"   {command}")
