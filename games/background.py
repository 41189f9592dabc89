"""What runs beside the sockets: the clock, and Mia over UDP where it has a port."""

from __future__ import annotations

from django.conf import settings

from games.clock import Clock
from games.udp.server import UdpServer


class Background:
    """Both, started and stopped together."""

    def __init__(self) -> None:
        self._clock = Clock()
        self._udp = udp_server() if settings.MIA_UDP_PORT is not None else None

    def start(self) -> None:
        self._clock.start()
        if self._udp is not None:
            self._udp.start()

    def stop(self) -> None:
        if self._udp is not None:
            self._udp.stop()
        self._clock.stop()


def udp_server(port: int | None = None) -> UdpServer:
    """The server for programs' datagrams, on the address the site listens on."""
    host = "0.0.0.0" if settings.LAN else settings.HOST
    return UdpServer(host, port or settings.MIA_UDP_PORT or 9000)
