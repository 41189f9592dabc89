"""Entry point of `manage.py` and `parlour`: run a command, with short errors for bad settings."""

from __future__ import annotations

import os
import sys

from config.places import DATA, command, version

HELP = """\
Parlour {version}: a game room you run yourself.

  {command} run               play: get everything ready, and serve http://127.0.0.1:8000
  {command} run --lan         for a party: everybody on the network, with a QR code

For a server people rely on (docs/operate.md):
  {command} deploy            write settings, services and a proxy, and say what remains
  {command} doctor            look at everything, and say what to do
  {command} backup FOLDER/    take a backup, while people play
  {command} restore FILE      put one into an empty place
  {command} prepare, serve    get database and static files ready; serve (as services do)
  {command} drain             let running matches end before a restart

People:
  {command} createsuperuser   make an administrator
  {command} changepassword    give somebody a new password
  {command} invite_link       a link by which one person registers
  {command} prune             remove now what is kept for some days only

Programs:
  {command} wire_check URL    judge a server of the JSON wire
  {command} mia_check         judge a server of Mia over UDP
  {command} verify_match N    recompute the luck of a match
  {command} arena GAME        let bots play each other

--data FOLDER (or PARLOUR_DATA) says where this server keeps what it writes. `{command} COMMAND
--help` tells more of a command, `{command} help` lists all that Django knows."""


def main() -> None:
    """Run the command of this process."""
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
    """Return the arguments without `--data FOLDER`, which is stored in PARLOUR_DATA."""
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
        sys.exit(f"The settings cannot be used: {error}")
    except (OperationalError, ProgrammingError) as error:
        said = str(error).splitlines()[0]
        sys.exit(
            f"The database cannot be used: {said}. `{command()} prepare` makes its tables,"
            f" `{command()} doctor` says what is wrong with it."
        )
