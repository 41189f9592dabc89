"""Sockets: the endpoints of test players.

They return datagrams in order of arrival, and can delay sends.
"""

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
"""SO_TIMESTAMPNS: the kernel records when datagrams arrive, even if they are read late."""
LARGEST = 65_535
ALLOWANCE = 4096
"""Maximum bytes sent to an endpoint that has not returned a token."""
RENEWED = 50.0
"""Seconds until registering again may renew the allowance.

This is a minute minus clock differences.
"""
LONG = 1200
"""Maximum bytes of a line that is sent to endpoints that have not answered in the round."""


@dataclass(eq=False)
class Endpoint:
    """The socket of a test player. Times are seconds since 1970, like the kernel's timestamps."""

    socket: socket.socket
    server: tuple[str, int]
    address: str
    name: str = ""
    claims: str = ""
    """The requested name. It becomes `name` with REGISTERED."""
    since: float = 0.0
    """Time when the endpoint registered."""
    gone: bool = False
    """Whether the endpoint's name has moved to another endpoint."""
    loose: bool = False
    """Whether the endpoint has registered several names.

    If so, what it receives is not compared.
    """
    watching: bool = False
    invited: int = 0
    """Number of rounds to which the endpoint was invited."""
    told: int = 0
    """Number of rounds whose lines the endpoint received."""
    unheard: int = 0
    """Invitations since the server last answered this endpoint (REGISTERED, or a seat).

    The server may read our datagrams late or never, so only the server's own lines count.
    """
    proved: bool = False
    """Whether the endpoint has returned a token."""
    spoke: float = 0.0
    """Time when the endpoint last returned a token."""
    granted: float = 0.0
    """Time when the allowance of an unproved endpoint started."""
    received: int = 0
    """Bytes received since `granted`."""
    answers: list[str] = field(default_factory=list)
    """Replies to the endpoint's registrations."""

    @property
    def spent(self) -> bool:
        """Whether the endpoint's allowance is used up because it has returned no token."""
        return not self.proved and self.received > ALLOWANCE - LONG

    def send(self, data: bytes) -> float:
        """Send at once. Return the time."""
        self.socket.sendto(data, self.server)
        return time.time()


@dataclass(frozen=True)
class Heard:
    """A received datagram: time, receiving endpoint, data and source."""

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
    """All endpoints of one run. Datagrams are returned in order of arrival."""

    def __init__(self, host: str, port: int) -> None:
        """Raise OSError if the host is unknown."""
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
        """Open a new endpoint. On a local server, each `host` has a different address."""
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
        """Schedule `send` for this time."""
        heapq.heappush(self._due, _Due(at, next(self._numbers), send))

    def next(self, until: float) -> Heard | None:
        """Return the next datagram, or None if none arrives in time.

        Meanwhile, run sends that are due.
        """
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
        """Read all waiting datagrams.

        Datagrams that arrive meanwhile are left in the queue, because an earlier one may still be
        unread.
        """
        begun = time.time()
        found = self._selector.select(patience)
        for key, _ in found:
            for heard in _read(key.data):
                heapq.heappush(self._waiting, (heard.at, next(self._numbers), heard))
        while self._waiting and self._waiting[0][0] <= begun:
            self._ready.append(heapq.heappop(self._waiting)[2])

    def _many(self) -> bool:
        """Whether this machine has all addresses of 127.0.0.0/8, as Linux does."""
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
