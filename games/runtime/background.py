"""Starts the background work of a process: the clock, and Mia over UDP if a port is set."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from django.conf import settings

from games.contract.data import prepare_types
from games.registry import GAMES
from games.runtime.clock import Clock
from games.runtime.garbage import Garbage

if TYPE_CHECKING:
    from games.udp.server import UdpServer


class Background:
    """Starts and stops the background work. Only the first call of `stop` has an effect."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._garbage = Garbage()
        self._clock: Clock | None = None
        self._udp: UdpServer | None = None

    def start(self) -> None:
        prepare_types()  # again, for modules that were imported after `ready` ran
        self._garbage.start()
        with self._lock:
            self._clock = Clock()
            self._clock.start()
            if settings.MIA_UDP_PORT is not None and "mia" in GAMES:
                from games.udp.server import UdpServer

                self._udp = UdpServer(settings.MIA_UDP_HOST, settings.MIA_UDP_PORT)
                self._udp.start()

    def stop(self) -> None:
        """Halt the clock first, so that it starts no work while the rest is being stopped."""
        with self._lock:
            clock, udp = self._clock, self._udp
            self._clock = self._udp = None
        if clock is not None:
            clock.halt()
        if udp is not None:
            udp.stop()
        if clock is not None:
            clock.stop()
            self._garbage.stop()


background = Background()
"""The background work of this process."""
