"""What runs beside the sockets: the clock, and Mia over UDP where it has a port."""

from __future__ import annotations

from django.conf import settings

from games.clock import Clock
from games.udp.server import UdpServer


class Background:
    """Both, started and stopped together."""

    def __init__(self) -> None:
        self._clock, self._udp = Clock(), None
        if settings.MIA_UDP_PORT is not None:
            self._udp = UdpServer(settings.HOST, settings.MIA_UDP_PORT)

    def start(self) -> None:
        self._clock.start()
        if self._udp is not None:
            self._udp.start()

    def stop(self) -> None:
        if self._udp is not None:
            self._udp.stop()
        self._clock.stop()
