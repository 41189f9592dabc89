"""Prepares the data and then starts the server, so that one command is enough to play."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

MIA_UDP_PORT = "9000"


class Command(BaseCommand):
    requires_system_checks = ()
    help = (
        "Migrates the database, collects the static files and serves this machine, or with --lan"
        " the local network. For permanent servers, see docs/operate.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", help=f"address to listen on ({settings.HOST})")
        parser.add_argument("--port", type=int, help=f"the port ({settings.PORT})")
        parser.add_argument("--lan", action="store_true", help="listen on the local network")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"All data are in {settings.DATA_DIR}.")
        self.stdout.flush()
        call_command("prepare")
        # Use exec, so that the server gets the signals. The server reads the settings file itself.
        env = {k: v for k, v in os.environ.items() if k not in settings.FROM_ENV_FILE}
        env |= {name.upper(): str(options[name]) for name in ("host", "port") if options[name]}
        if "MIA_UDP_PORT" not in os.environ:
            env["MIA_UDP_PORT"] = MIA_UDP_PORT
        lan = ["--lan"] if options["lan"] else []
        os.execve(sys.executable, [sys.executable, sys.argv[0], "serve", *lan], env)
