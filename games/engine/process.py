"""The name of this process, which tells the processes of a server apart."""

from __future__ import annotations

import secrets


class Process:
    """A process of the server. Its name is random, and changes with every start."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(8)


process = Process()
