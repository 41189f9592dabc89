"""Convert pasted addresses to the URL of a server's WebSocket."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from parlour_client.errors import Misused

SOCKETS = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
END = "/api/ws/"
TABLE = re.compile(r"(.*)/t/(\w+)/?$")
LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Address:
    """Address of a server, and of a table if one is named.

    `socket` is a ws(s) URL. `room` is the code of the table if the address was a link to one.
    """

    socket: str
    room: str | None

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine, so that no proxy is needed."""
        return urlsplit(self.socket).hostname in LOCAL

    @property
    def endpoint(self) -> str:
        """The URL to connect to. It names the table if the table is known.

        A server with several processes keeps each table in the memory of one of them.
        """
        return f"{self.socket}?room={self.room}" if self.room else self.socket

    @property
    def site(self) -> str:
        """The URL for browsers, without a trailing slash."""
        parts = urlsplit(self.socket)
        scheme = "https" if parts.scheme == "wss" else "http"
        return urlunsplit((scheme, parts.netloc, parts.path.removesuffix(END), "", ""))

    def table(self, room: str) -> str:
        """Return the link with which browsers open a table."""
        return f"{self.site}/t/{room}/"


def read_address(text: str) -> Address:
    """Parse `http://host:port`, `host:port`, a table's link, or the URL of a socket.

    Raise Misused for anything else.
    """
    text = text.strip()
    parts = urlsplit(text if "://" in text else f"http://{text}")
    if parts.scheme not in SOCKETS or not parts.hostname:
        raise Misused(
            f"{text!r} is not the address of a Parlour server. Example: http://host:8000."
        )
    path = parts.path.rstrip("/").removesuffix(END.rstrip("/"))
    link = TABLE.match(path)
    path, room = (link[1], link[2].upper()) if link else (path, None)
    return Address(urlunsplit((SOCKETS[parts.scheme], parts.netloc, path + END, "", "")), room)
