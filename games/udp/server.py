"""The UDP server: takes ownership of the port, and plays the table in its own thread.

The thread has its own event loop, so that rendering a page does not delay a program.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress

from django.conf import settings
from django.db import connections

from games.contract.core import Refused
from games.engine import notifications
from games.engine.reading import in_thread
from games.udp import commands
from games.udp.lines import Dialect
from games.udp.lock import Lock, lock
from games.udp.table import PAUSE, Table

new_event_loop: Callable[[], asyncio.AbstractEventLoop]
try:
    from uvloop import new_event_loop
except ImportError:  # not available on all systems
    new_event_loop = asyncio.new_event_loop

log = logging.getLogger(__name__)

TRY_AGAIN = 2.0
BUFFER = 1 << 20


class UdpServer:
    """The UDP server, which plays the table whenever it owns the port."""

    def __init__(
        self, host: str, port: int, dialect: Dialect | None = None, pause: float = PAUSE
    ) -> None:
        self.host, self.port, self.pause = host, port, pause
        self.dialect: Dialect = dialect or settings.MIA_DIALECT
        self.listening = threading.Event()
        self._stopped = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, name="udp", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop playing. A running round is void, as after a crash."""
        self._stopped.set()
        for _ in range(20):  # a wait that has just ended can swallow a cancellation
            if self._loop is not None and self._task is not None:
                with suppress(RuntimeError):  # the loop is closed
                    self._loop.call_soon_threadsafe(self._task.cancel)
            self._thread.join(timeout=0.5)
            if not self._thread.is_alive():
                return

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            self._loop = runner.get_loop()
            with suppress(asyncio.CancelledError):
                runner.run(self._main())
        connections.close_all()

    async def _main(self) -> None:
        self._task = asyncio.current_task()
        said, mine = "", lock()
        while not self._stopped.is_set():
            if not await in_thread(mine.acquire):
                said = _say_once(said, "Another process plays Mia over UDP; this one waits.")
                await asyncio.sleep(TRY_AGAIN)
                continue
            try:
                await self._own(mine)
            except OSError as error:
                said = _say_once(said, f"Mia over UDP cannot use port {self.port}: {error}")
            except asyncio.CancelledError:
                raise
            except Refused:  # the writer is busy and has logged the reason
                log.debug("Mia over UDP is waiting for the writer")
            except Exception:
                log.exception("Mia over UDP failed")
            finally:
                self.listening.clear()
                await asyncio.shield(in_thread(mine.release))
            await asyncio.sleep(TRY_AGAIN)

    async def _own(self, mine: Lock) -> None:
        """Bind the port and play until the lock is lost."""
        loop = asyncio.get_running_loop()
        with ExitStack() as unless_used:
            port = unless_used.enter_context(_bound(self.host, self.port))
            room_id, number = await commands.open_table()
            table = Table(room_id, number, self.dialect, self.pause)
            transport, _ = await loop.create_datagram_endpoint(lambda: table, sock=port)
            unless_used.pop_all()
        log.info("Mia over UDP at %s:%s", self.host, self.port)
        notifications.subscribe(table.on_notification)
        self.listening.set()
        try:
            while await in_thread(mine.held):
                await table.play_for(TRY_AGAIN)
        finally:
            notifications.unsubscribe(table.on_notification)
            transport.close()
            await asyncio.sleep(0)  # the socket closes in the next iteration of the loop


def _bound(host: str, port: int) -> socket.socket:
    """Return a socket on this address, with a buffer for bursts.

    Raise OSError if the address is in use.
    """
    family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
    made = socket.socket(family, kind)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        made.bind(address)
    except OSError:
        made.close()
        raise
    return made


def _say_once(said: str, sentence: str) -> str:
    if said != sentence:
        log.warning(sentence)
    return sentence
