"""Hosts as network namespaces, each with a link to its visitors and one to its database.

Only root can create them, with `ip` of Linux (`can_make_hosts`). A link that is taken down loses
all packets without an answer, as a cable does that is pulled. The clock of a host can be set if
there is a C compiler (`clock.c`).
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from tests.kit.served import Served, free_port

PUBLIC, PRIVATE = "198.18", "198.19"
"""Networks for tests (RFC 2544): of visitors, and of the database."""


def ip(*args: str) -> None:
    """Run `ip` from iproute2."""
    subprocess.run(["ip", *args], check=True, capture_output=True)


@cache
def can_make_hosts() -> bool:
    """Return whether this machine lets us create network namespaces."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    name = f"parlour-try-{os.getpid()}"
    if subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode:
        return False
    ip("netns", "delete", name)
    return True


@cache
def clock_library() -> Path | None:
    """Return the compiled `clock.c`, or None without a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    library = Path(tempfile.mkdtemp(prefix="parlour-clock-")) / "clock.so"
    source = Path(__file__).with_name("clock.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


class Network:
    """The namespace of a host with two links to this machine, which runs database and visitors."""

    def __init__(self, number: int) -> None:
        tag = free_port()  # unique among all tests that run now
        self.name = f"parlour-{tag}"
        self.links = {PUBLIC: f"pub{tag}", PRIVATE: f"prv{tag}"}
        third, fourth = tag // 64 % 256, tag % 64 * 4
        self.outer = {net: f"{net}.{third}.{fourth + 1}" for net in self.links}
        """Addresses of this machine."""
        self.inner = {net: f"{net}.{third}.{fourth + 2}" for net in self.links}
        """Addresses of the host."""
        self.number = number

    def create(self) -> None:
        """Create the namespace and its links."""
        ip("netns", "add", self.name)
        ip("-n", self.name, "link", "set", "lo", "up")
        for net, link in self.links.items():
            peer = f"{link}h"
            ip("link", "add", link, "type", "veth", "peer", "name", peer, "netns", self.name)
            ip("address", "add", f"{self.outer[net]}/30", "dev", link)
            ip("-n", self.name, "address", "add", f"{self.inner[net]}/30", "dev", peer)
            ip("link", "set", link, "up")
            ip("-n", self.name, "link", "set", peer, "up")

    def set(self, state: str, *nets: str) -> None:
        """Take links `up` or `down`, by default both."""
        for net in nets or self.links:
            ip("link", "set", self.links[net], state)

    def remove(self) -> None:
        """Delete the namespace, and with it the links."""
        subprocess.run(["ip", "netns", "delete", self.name], capture_output=True)


class Host(Served):
    """A server in its own network namespace, with workers and its own clock."""

    def __init__(self, folder: Path, network: Network, **env: str) -> None:
        super().__init__(folder, **env)
        self.network, self.address = network, network.inner[PUBLIC]
        self.prefix = ("ip", "netns", "exec", network.name)
        self.url = self.asked = f"http://{self.address}:{self.port}"
        self.env |= {"HOST": self.address, "PUBLIC_URL": self.url}
        self.has_own_clock = clock_library() is not None
        self._ahead = folder / "ahead"
        self.set_clock(0)
        self.env["PARLOUR_CLOCK"] = str(self._ahead)
        if library := clock_library():
            self.env["LD_PRELOAD"] = str(library)

    def set_clock(self, seconds: int) -> None:
        """Set the clock of this host ahead by this many seconds."""
        with self._ahead.open("r+b" if self._ahead.exists() else "wb") as file:
            file.write(seconds.to_bytes(8, "little", signed=True))

    def lose_power(self) -> None:
        """Cut both links, and kill all processes. Nobody is told."""
        self.network.set("down")
        assert self.process is not None
        for pid in (self.process.pid, *self.workers()):
            os.kill(pid, signal.SIGKILL)
        self.process.wait()
        self.process = None
        self.log.close()
