"""Entry point of `manage.py` and `parlour`.

It runs a command, and prints short errors for bad settings.
"""

from __future__ import annotations

import os
import sys

from config.places import DATA, command, version

HELP = """\
Parlour {version}: a game room you run yourself.

  {command} run               play: prepare everything, and serve http://127.0.0.1:8000
  {command} run --lan         for a party: serve the local network, with a QR code

For a permanent server (docs/operate.md):
  {command} deploy            write settings, services and proxy files, and list the next steps
  {command} doctor            check the server, and say what to do
  {command} backup FOLDER/    take a backup while the server runs
  {command} restore FILE      restore a backup into an empty database
  {command} prepare, serve    migrate and collect static files; serve (as services do)
  {command} drain             let running matches end before a restart

People:
  {command} createsuperuser   create an administrator
  {command} changepassword    set a new password for a user
  {command} invite_link       print a registration link for one person
  {command} prune             remove expired data now

Programs:
  {command} wire_check URL    check a server against the JSON protocol
  {command} mia_check         check a server of Mia over UDP
  {command} verify_match N    recompute the luck of a match
  {command} arena GAME        let bots play each other
  {command} arena FILE        let your bot play 1,000 matches, without a server
  {command} compare OLD NEW   let two versions of your bot play the same deals
  {command} replay FILE       step through a match that arena has saved
  {command} mcp               let a language model play at a server

--data FOLDER (or PARLOUR_DATA) sets the folder for all data of this server.
`{command} COMMAND --help` explains a command, `{command} help` lists all commands."""


def main() -> None:
    """Run the command named on the command line."""
    given = _without_data(sys.argv[1:])
    if given in ([], ["--help"], ["-h"]):
        print(HELP.format(version=version(), command=command()))
        return
    if given == ["--version"]:
        print(f"Parlour {version()}")
        return
    if given[0] in ("run", "serve") and "--lan" in given:
        os.environ.setdefault("LAN", "1")
    _run(given)


def _without_data(given: list[str]) -> list[str]:
    """Return the arguments without `--data FOLDER`. Store the folder in PARLOUR_DATA."""
    left, rest = [], iter(given)
    for word in rest:
        name, equals, folder = word.partition("=")
        if name != "--data":
            left.append(word)
            continue
        folder = folder if equals else next(rest, "")
        if not folder:
            sys.exit("--data takes a folder.")
        os.environ[DATA] = os.path.abspath(os.path.expanduser(folder))
    return left


def _run(given: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, ProgrammingError

    try:
        execute_from_command_line([command().split()[-1], *given])
    except ImproperlyConfigured as error:
        sys.exit(f"Invalid settings: {error}")
    except (OperationalError, ProgrammingError) as error:
        said = str(error).splitlines()[0]
        sys.exit(
            f"The database cannot be used: {said}. `{command()} prepare` creates its tables,"
            f" `{command()} doctor` finds out what is wrong."
        )
