"""A Mia player over UDP: one datagram in, at most one out, and nothing to install.

    python -m examples.mia_udp_bot --server 127.0.0.1:9000 --name odds

It joins every round from now on. Ctrl-C stops it; that is all a server needs to know.
"""

from __future__ import annotations

import argparse
import socket
import sys

PLAIN = [f"{high},{low}" for high in range(3, 7) for low in range(1, high)]
VALUES = [*PLAIN, *(f"{both},{both}" for both in range(1, 7)), "2,1"]
TRUSTED = VALUES.index("6,1")
"""Up to here we believe what is said: something higher is rolled often enough."""
SILENCE = 3.0
"""Seconds without a word after which we say again that we are here."""


class Player:
    """What is remembered between two datagrams: the last announcement of the round."""

    def __init__(self) -> None:
        self.said = -1

    def answer(self, message: str) -> str | None:
        """The datagram to send back, or None."""
        match message.strip().split(";"):
            case ["ROUND STARTING", _, token]:
                self.said = -1
                return f"JOIN;{token}"
            case ["ANNOUNCED", _, dice] if dice in VALUES:
                self.said = VALUES.index(dice)
            case ["YOUR TURN", token]:
                return f"{'SEE' if self.said > TRUSTED else 'ROLL'};{token}"
            case ["ROLLED", dice, token]:
                return f"ANNOUNCE;{self.announcement(dice)};{token}"
        return None

    def announcement(self, dice: str) -> str:
        """The truth where it is high enough, else the smallest lie that is."""
        own = VALUES.index(dice)
        return VALUES[own if own > self.said else min(self.said + 1, len(VALUES) - 1)]


def play(server: tuple[str, int], name: str) -> str:
    """Play until the server does not want us; return why, in a sentence."""
    player, here = Player(), False
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(SILENCE)
        line.connect(server)
        line.send(f"REGISTER;{name}".encode())
        while True:
            try:
                message = line.recv(4096).decode()
                if message.strip() == "REJECTED":
                    return f"The server does not take the name {name!r}: choose another, --name."
                if not here:
                    here = True
                    print(f"{name} plays at {server[0]}:{server[1]}.", flush=True)
                if reply := player.answer(message):
                    line.send(reply.encode())
            except UnicodeDecodeError:
                continue
            except (TimeoutError, ConnectionRefusedError) as error:
                if not here and isinstance(error, ConnectionRefusedError):
                    return f"Nobody plays Mia at {server[0]}:{server[1]}."
                line.send(f"REGISTER;{name}".encode())


def _server(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit():
        raise argparse.ArgumentTypeError("a server is host:port, such as 127.0.0.1:9000")
    return host, int(port)


def main() -> None:
    parser = argparse.ArgumentParser(description="Mia over UDP, by simple odds.")
    parser.add_argument("--server", type=_server, default=("127.0.0.1", 9000), help="host:port")
    parser.add_argument("--name", default="odds", help="1 to 20 characters, no blanks")
    given = parser.parse_args()
    try:
        sys.exit(play(given.server, given.name))
    except OSError as error:
        sys.exit(f"{given.server[0]}:{given.server[1]} cannot be reached: {error.strerror}.")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
