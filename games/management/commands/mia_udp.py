"""Plays Mia over UDP in a separate process."""

from __future__ import annotations

import signal
import threading
from argparse import ArgumentParser
from typing import Any, get_args

from django.conf import settings
from django.core.management.base import BaseCommand

from games.udp.lines import Dialect
from games.udp.server import UdpServer


class Command(BaseCommand):
    help = (
        "Plays Mia over UDP in a separate process, if no server does so or as a backup: one "
        "process owns the port, and another takes over if it dies."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.HOST)
        parser.add_argument("--port", type=int, default=settings.MIA_UDP_PORT or 9000)
        parser.add_argument("--dialect", choices=get_args(Dialect), default=settings.MIA_DIALECT)

    def handle(self, *args: Any, **options: Any) -> None:
        ended = threading.Event()
        for sign in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sign, lambda *_: ended.set())
        server = UdpServer(options["host"], options["port"], options["dialect"])
        server.start()
        self.stdout.write(f"Mia over UDP: {options['host']}:{options['port']}  (Ctrl-C stops it)")
        self.stdout.flush()
        ended.wait()
        server.stop()
