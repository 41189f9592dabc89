"""Runs the server with uvicorn or daphne."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import sys
import tempfile
from argparse import SUPPRESS, ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.module_loading import import_string

from accounts.own_address import lan_address
from games.runtime import stopping
from games.runtime.background import background


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Serves Parlour. The clock runs inside, and Mia over UDP where MIA_UDP_PORT is set."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.HOST)
        parser.add_argument("--port", type=int, default=settings.PORT)
        parser.add_argument("--server", choices=("uvicorn", "daphne"), default="uvicorn")
        parser.add_argument(
            "--workers", type=int, default=settings.WORKERS, help="so many processes share the port"
        )
        parser.add_argument("--handed", type=int, help=SUPPRESS)
        parser.add_argument("--lan", action="store_true", help="listen for phones on the network")

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        if options["handed"] is not None:
            _uvicorn(host, port, options["handed"])
            return
        _must_have_what_workers_need(options["workers"], options["server"])
        given = _given_by_systemd()
        if given is None:
            _must_be_free(host, port)
        url = f"http://{lan_address()}:{port}" if options["lan"] else settings.PUBLIC_URL
        self.stdout.write(f"Parlour is at {url}  (Ctrl-C stops it)")
        if settings.MIA_UDP_PORT is not None:
            where = f"{lan_address() if options['lan'] else host}:{settings.MIA_UDP_PORT}"
            self.stdout.write(f"Mia for programs over UDP: {where}")
        if options["lan"]:
            self.stdout.write(_qr(url))
        self.stdout.flush()
        if options["server"] == "daphne":
            _daphne(host, port)
        elif options["workers"] > 1 or given is not None:  # only workers can be reloaded
            _workers(given or socket.create_server((host, port), backlog=2048), options["workers"])
        else:
            _uvicorn(host, port)


def _given_by_systemd() -> socket.socket | None:
    """Return the socket that `parlour.socket` keeps open during restarts (sd_listen_fds(3))."""
    if os.environ.pop("LISTEN_PID", "") != str(os.getpid()):
        return None
    return socket.socket(fileno=3) if os.environ.pop("LISTEN_FDS", "") == "1" else None


def _must_be_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            raise CommandError(
                f"Port {port} is taken. Set another one: PORT={port + 1} {settings.COMMAND} run"
            ) from None


def _must_have_what_workers_need(count: int, server: str) -> None:
    if count < 1:
        raise CommandError("There is at least one worker.")
    if count == 1:
        return
    if server != "uvicorn":
        raise CommandError("Several workers are served by uvicorn only: leave out --server.")
    kept = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql"
    if not kept or not settings.REDIS_URL:
        raise CommandError(
            "Several workers share PostgreSQL and Redis: set DATABASE_URL and REDIS_URL."
        )


def _qr(url: str) -> str:
    import io

    import segno

    out = io.StringIO()
    segno.make_qr(url).terminal(out, compact=True)
    return out.getvalue()


def _uvicorn(host: str, port: int, handed: int | None = None) -> None:
    """Serve on a port, or serve connections passed over the socket with this descriptor."""
    from games.runtime.uvicorn_server import Server, config

    server = Server(config(host, port), None if handed is None else socket.socket(fileno=handed))
    stopping.on_signal(server.stop)
    with contextlib.suppress(KeyboardInterrupt):
        server.run()


def _workers(listener: socket.socket, count: int) -> None:
    """Serve with several worker processes.

    SIGHUP replaces them one by one, with the current code and settings.
    """
    from prometheus_client.multiprocess import mark_process_dead

    from games.runtime.workers import Workers

    def begin(handed: int) -> list[str]:
        return [sys.executable, sys.argv[0], "serve", "--handed", str(handed)]

    env = {k: v for k, v in os.environ.items() if k not in settings.FROM_ENV_FILE}
    folder = env["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="parlour-figures-")

    def forget(pid: int) -> None:
        mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]

    async def run() -> None:
        workers = Workers(listener, count, begin, settings.REQUEST_SECONDS, env, forget)
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGHUP, workers.renew)
        for which in stopping.SIGNALS:
            loop.add_signal_handler(which, workers.stop)
        await workers.run(settings.STOP_SECONDS + 1)

    try:
        asyncio.run(run())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _daphne(host: str, port: int) -> None:
    """Serve with Daphne. It does not support lifespan, so start the background work here."""
    from daphne.server import Server
    from twisted.internet import reactor

    def stop() -> None:
        stopping.within(stopping.share(0.3), "the clock", background.stop)
        reactor.callFromThread(reactor.stop)  # type: ignore[misc]  # (a zope interface)

    stopping.on_signal(stop)
    background.start()
    application = import_string(settings.ASGI_APPLICATION)
    server = Server(application, endpoints=[f"tcp:port={port}:interface={host}"])

    def set_up() -> None:
        # Close with 1009 after a frame that is too large, instead of dropping the connection.
        server.ws_factory.setProtocolOptions(failByDrop=False)
        server.http_factory.timeOut = settings.REQUEST_SECONDS

    reactor.callWhenRunning(set_up)
    server.run()
    stopping.leave()
