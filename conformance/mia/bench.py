"""Sockets: the endpoints we play from, what they hear in the order it came, what is to be sent."""

from __future__ import annotations

import heapq
import ipaddress
import itertools
import secrets
import selectors
import socket
import struct
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

STAMPS = 35 if sys.platform == "linux" else None
"""SO_TIMESTAMPNS: lets the kernel say when a datagram came, however late we read it."""
LARGEST = 65_535
ALLOWANCE = 4096
"""Bytes for an endpoint that has not sent back a token."""
RENEWED = 50.0
"""Seconds after which registering again may renew them: a minute, for clocks that differ."""
LONG = 1200
"""Longer lines go only to who has answered in the round."""


@dataclass(eq=False)
class Endpoint:
    """A socket of ours. Times are seconds since 1970, as the kernel's are."""

    socket: socket.socket
    server: tuple[str, int]
    address: str
    name: str = ""
    claims: str = ""
    """The name asked for; it becomes `name` with REGISTERED."""
    since: float = 0.0
    """When it was registered."""
    gone: bool = False
    """Its name has moved to another endpoint."""
    loose: bool = False
    """Has registered several names: what it is told is not compared."""
    watching: bool = False
    invited: int = 0
    """Rounds it has been invited to."""
    told: int = 0
    """Rounds it has been told of."""
    unheard: int = 0
    """Those of them since the server last showed that it hears it: by REGISTERED, or a seat.

    What was sent may be read late, or never: only what the server says counts.
    """
    proved: bool = False
    """Has sent back a token."""
    spoke: float = 0.0
    """When it last did."""
    granted: float = 0.0
    """When the allowance of an endpoint that has proved nothing began."""
    received: int = 0
    """Bytes it was sent since then."""
    answers: list[str] = field(default_factory=list)
    """Replies to its registrations."""

    @property
    def spent(self) -> bool:
        """Whether it may be sent nothing more, as it has proved nothing."""
        return not self.proved and self.received > ALLOWANCE - LONG

    def send(self, data: bytes) -> float:
        """Send at once; return when that was."""
        self.socket.sendto(data, self.server)
        return time.time()


@dataclass(frozen=True)
class Heard:
    """A datagram: when it came, to which endpoint of ours, from where."""

    at: float
    by: Endpoint
    data: bytes
    source: tuple[str, int]


@dataclass(order=True)
class _Due:
    at: float
    number: int
    send: Callable[[], None] = field(compare=False)


class Bench:
    """All endpoints of one run. Datagrams are given out in the order in which they came."""

    def __init__(self, host: str, port: int) -> None:
        """Raise OSError when the host is not known."""
        found = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
        self.family, self.server = found[0], (str(found[4][0]), port)
        self.loopback = ipaddress.ip_address(self.server[0]).is_loopback and self._many()
        self._selector = selectors.DefaultSelector()
        self._due: list[_Due] = []
        self._numbers = itertools.count()
        self._waiting: list[tuple[float, int, Heard]] = []
        self._ready: deque[Heard] = deque()
        self._net = f"127.{100 + secrets.randbelow(100)}.{secrets.randbelow(256)}"

    def open(self, host: int = 1) -> Endpoint:
        """A new endpoint; different hosts are different addresses where the server is here."""
        made = socket.socket(self.family, socket.SOCK_DGRAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        if STAMPS:
            made.setsockopt(socket.SOL_SOCKET, STAMPS, 1)
        made.bind((f"{self._net}.{host}" if self.loopback else "", 0))
        made.setblocking(False)
        one = Endpoint(made, self.server, f"{self._net}.{host}" if self.loopback else "")
        self._selector.register(made, selectors.EVENT_READ, one)
        return one

    def close(self) -> None:
        for key in list(self._selector.get_map().values()):
            key.data.socket.close()
        self._selector.close()

    def later(self, at: float, send: Callable[[], None]) -> None:
        """Call this at that time."""
        heapq.heappush(self._due, _Due(at, next(self._numbers), send))

    def next(self, until: float) -> Heard | None:
        """The next datagram; None when none has come until then. Sends meanwhile what is due."""
        while True:
            now = time.time()
            while self._due and self._due[0].at <= now:
                heapq.heappop(self._due).send()
            if self._ready:
                return self._ready.popleft()
            if now >= until and not self._waiting:
                return None
            wake = min(until, self._due[0].at if self._due else until)
            self._sweep(0 if self._waiting else max(0.0, wake - now))

    def _sweep(self, patience: float) -> None:
        """Read all there is. What came while reading waits: an earlier one may be unread."""
        begun = time.time()
        found = self._selector.select(patience)
        for key, _ in found:
            for heard in _read(key.data):
                heapq.heappush(self._waiting, (heard.at, next(self._numbers), heard))
        while self._waiting and self._waiting[0][0] <= begun:
            self._ready.append(heapq.heappop(self._waiting)[2])

    def _many(self) -> bool:
        """Whether this machine has all of 127.0.0.0/8 (Linux does)."""
        if self.family != socket.AF_INET:
            return False
        with socket.socket(self.family, socket.SOCK_DGRAM) as probe:
            try:
                probe.bind(("127.0.0.77", 0))
            except OSError:
                return False
        return True


def _read(endpoint: Endpoint) -> Iterator[Heard]:
    while True:
        try:
            data, extra, _, source = endpoint.socket.recvmsg(LARGEST, 64)
        except (BlockingIOError, ConnectionError):
            return
        yield Heard(_stamp(extra), endpoint, data, (str(source[0]), int(source[1])))


def _stamp(extra: list[tuple[int, int, bytes]]) -> float:
    for level, kind, data in extra:
        if level == socket.SOL_SOCKET and kind == STAMPS:
            seconds, nanoseconds = struct.unpack("@ll", data[: struct.calcsize("@ll")])
            return float(seconds) + float(nanoseconds) / 1e9
    return time.time()
