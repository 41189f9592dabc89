"""What runs beside the sockets: the clock, and Mia over UDP where it has a port. The garbage
collector leaves alone what is there before it."""

from __future__ import annotations

import gc
import threading
from typing import TYPE_CHECKING

from django.conf import settings

from games.registry import GAMES
from games.runtime.clock import Clock

if TYPE_CHECKING:
    from games.udp.server import UdpServer


class Background:
    """Both, started and stopped together. The first to stop it does; the others need not wait."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clock: Clock | None = None
        self._udp: UdpServer | None = None

    def start(self) -> None:
        with self._lock:
            self._clock = Clock()
            self._clock.start()
            if settings.MIA_UDP_PORT is not None and "mia" in GAMES:
                from games.udp.server import UdpServer

                self._udp = UdpServer(settings.MIA_UDP_HOST, settings.MIA_UDP_PORT)
                self._udp.start()
        gc.collect()
        gc.freeze()  # modules, models and templates stay: no collection need look at them

    def stop(self) -> None:
        """The clock begins nothing more from the first moment, however long the rest takes."""
        with self._lock:
            clock, udp = self._clock, self._udp
            self._clock = self._udp = None
        if clock is not None:
            clock.halt()
        if udp is not None:
            udp.stop()
        if clock is not None:
            clock.stop()


background = Background()
"""What runs beside the sockets of this process."""
