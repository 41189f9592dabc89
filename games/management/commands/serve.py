"""Runs the server with uvicorn or daphne."""

from __future__ import annotations

import os
import signal
import socket
import tempfile
from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.module_loading import import_string

from accounts.own_address import lan_address
from games.runtime import stopping
from games.runtime.background import background


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Serves Parlour, and Mia over UDP if MIA_UDP_PORT is set."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.HOST)
        parser.add_argument("--port", type=int, default=settings.PORT)
        parser.add_argument("--server", choices=("uvicorn", "daphne"), default="uvicorn")
        share = "number of processes that share the port"
        parser.add_argument("--workers", type=int, default=settings.WORKERS, help=share)
        parser.add_argument("--lan", action="store_true", help="listen on the local network")

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        _must_have_what_workers_need(options["workers"], options["server"])
        fd = _given_by_systemd()
        if fd is None:
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
        else:
            _uvicorn(host, port, fd, options["workers"])


def _given_by_systemd() -> int | None:
    """Return the socket that `parlour@.socket` keeps open during restarts, if there is one.

    See sd_listen_fds(3).
    """
    if os.environ.pop("LISTEN_PID", "") != str(os.getpid()):
        return None
    return 3 if os.environ.pop("LISTEN_FDS", "") == "1" else None


def _must_be_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            raise CommandError(
                f"Port {port} is in use. Set another one: PORT={port + 1} {settings.COMMAND} run"
            ) from None


def _must_have_what_workers_need(count: int, server: str) -> None:
    if count < 1:
        raise CommandError("--workers must be at least 1.")
    if count == 1:
        return
    if server != "uvicorn":
        raise CommandError("Only uvicorn supports several workers. Leave out --server.")
    kept = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql"
    if not kept or not settings.REDIS_URL:
        raise CommandError(
            "Several workers need PostgreSQL and Redis: set DATABASE_URL and REDIS_URL."
        )


def _qr(url: str) -> str:
    import io

    import segno

    out = io.StringIO()
    segno.make_qr(url).terminal(out, compact=True)
    return out.getvalue()


def _uvicorn(host: str, port: int, fd: int | None, workers: int) -> None:
    """Serve with one process, or with several that uvicorn supervises.

    SIGHUP replaces workers one by one, with the current code and settings.
    """
    import uvicorn

    from games.runtime.uvicorn_server import APPLICATION, options

    for which in stopping.SIGNALS:  # uvicorn raises the signal again after its shutdown
        signal.signal(which, lambda *_: stopping.leave())
    run = partial(uvicorn.run, APPLICATION, host=host, port=port, fd=fd, workers=workers)
    if workers == 1:
        run(**options())
        return
    with tempfile.TemporaryDirectory(prefix="parlour-figures-") as figures:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = figures
        for name in settings.FROM_ENV_FILE:  # new workers read the file again
            os.environ.pop(name, None)
        run(**options())


def _daphne(host: str, port: int) -> None:
    """Serve with Daphne. It does not support lifespan, so start the background work here."""
    from daphne.server import Server
    from twisted.internet import reactor

    def stop() -> None:
        stopping.within(stopping.share(0.3), "the clock", background.stop)
        reactor.callFromThread(reactor.stop)  # type: ignore[misc]  # (a zope interface)

    background.start()
    application = import_string(settings.ASGI_APPLICATION)
    endpoint = f"tcp:port={port}:interface={host}"
    server = Server(application, endpoints=[endpoint], signal_handlers=False)

    def set_up() -> None:
        # Close with 1009 after a frame that is too large, instead of dropping the connection.
        server.ws_factory.setProtocolOptions(failByDrop=False)
        server.http_factory.timeOut = settings.REQUEST_SECONDS

    reactor.callWhenRunning(set_up)
    stopping.on_signal(stop)
    server.run()
    stopping.leave()
