"""Small HTTP servers behind a proxy, in place of processes of Parlour."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Upstream:
    """A server that answers every path with its port, and counts the connections it accepts."""

    def __init__(self, port: int) -> None:
        self.port, self.status, self.asked = port, 200, list[str]()
        self.connections = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Close the port."""
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        upstream = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"  # keeps connections open

            def setup(self) -> None:
                super().setup()
                upstream.connections += 1

            def do_GET(self) -> None:
                upstream.asked.append(self.path)
                body = str(upstream.port).encode()
                self.send_response(upstream.status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        return Handler


@contextmanager
def upstreams(*ports: int) -> Iterator[list[Upstream]]:
    """Run a server on each port."""
    started = [Upstream(port) for port in ports]
    try:
        yield started
    finally:
        for one in started:
            one.close()
