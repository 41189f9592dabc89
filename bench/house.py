"""The server that is measured, in a process of its own."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType

from tests.kit.served import Served, free_udp_port


class House:
    """A served Parlour without bots' pauses and limits for floods."""

    def __init__(self, folder: Path) -> None:
        self.udp_port = free_udp_port()
        self.served = Served(folder, MIA_UDP_PORT=str(self.udp_port), WS_BURST="0", WS_RATE="0")

    def __enter__(self) -> House:
        self.served.prepare()
        self.served.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.served.stop()

    @property
    def ws_url(self) -> str:
        return self.served.url.replace("http", "ws") + "/api/ws/"

    def cpu(self) -> float:
        """Seconds of processor time the server has used (0 where the system does not say)."""
        assert self.served.process is not None
        try:
            said = Path(f"/proc/{self.served.process.pid}/stat").read_text()
        except OSError:
            return 0.0
        fields = said.rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Bytes of the server that are in memory."""
        assert self.served.process is not None
        try:
            pages = int(Path(f"/proc/{self.served.process.pid}/statm").read_text().split()[1])
        except OSError:
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE")


def row(what: str, *figures: str) -> None:
    """A line of the report."""
    print(f"{what:<44}" + "".join(f"{figure:>16}" for figure in figures), flush=True)


def quantile(values: list[float], share: float) -> float:
    """The value below which this share of the values lies."""
    ordered = sorted(values) or [0.0]
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
