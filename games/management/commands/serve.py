"""Runs the server: uvicorn, or daphne where somebody prefers it."""

from __future__ import annotations

import contextlib
import socket
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.module_loading import import_string

from games import stopping
from games.background import background


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Serves Parlour. The clock runs inside, and Mia over UDP where MIA_UDP_PORT is set."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.HOST)
        parser.add_argument("--port", type=int, default=settings.PORT)
        parser.add_argument("--server", choices=("uvicorn", "daphne"), default="uvicorn")
        parser.add_argument("--lan", action="store_true", help="listen for phones on the network")

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
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
            _uvicorn(host, port)


def lan_address() -> str:
    """The address other machines of the network reach this one by."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only picks a way out
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _must_be_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            raise CommandError(
                f"Port {port} is taken. Set another one: PORT={port + 1} make run"
            ) from None


def _qr(url: str) -> str:
    import io

    import segno

    out = io.StringIO()
    segno.make_qr(url).terminal(out, compact=True)
    return out.getvalue()


def _uvicorn(host: str, port: int) -> None:
    import uvicorn

    from games.hub import hub
    from games.protocols import PatientH11

    class Server(uvicorn.Server):
        """Says that it goes, because uvicorn closes every socket (with 1012) first of all."""

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            await hub().api_clients.tell_all("warning", "restart", stopping.share(0.1))
            await super().shutdown(sockets)

        async def serve(self, sockets: list[socket.socket] | None = None) -> None:
            await super().serve(sockets)
            stopping.leave()  # the loop would wait for its threads, however long

        def handle_exit(self, *args: Any) -> None:
            """Where no thread of ours takes the signals (`stopping.on_signal`)."""
            stopping.limit()
            super().handle_exit(*args)

        def stop(self) -> None:
            """The clock first; the port is closed when nothing is played any more."""
            stopping.within(stopping.share(0.3), "the clock", background.stop)
            self.should_exit = True

    config = uvicorn.Config(
        "config.asgi:application",
        host=host,
        port=port,
        lifespan="on",
        http=PatientH11,
        ws="websockets-sansio",
        ws_max_size=1 << 20,
        ws_per_message_deflate=False,
        proxy_headers=False,  # addresses and https are ours to read (TRUSTED_PROXIES)
        log_level=settings.LOG_LEVEL.lower(),
        access_log=False,
        timeout_keep_alive=max(1, min(5, int(settings.REQUEST_SECONDS))),
        timeout_graceful_shutdown=max(1, int(stopping.share(0.3))),
    )
    server = Server(config)
    stopping.on_signal(server.stop)
    with contextlib.suppress(KeyboardInterrupt):
        server.run()


def _daphne(host: str, port: int) -> None:
    """Daphne knows no lifespan, so what runs beside the sockets is started here."""
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
        # Who sends too much is told so (1009) instead of being cut off.
        server.ws_factory.setProtocolOptions(failByDrop=False)
        server.http_factory.timeOut = settings.REQUEST_SECONDS

    reactor.callWhenRunning(set_up)
    server.run()
    stopping.leave()
