"""Attack a running server as strangers: `python -m tests.chaos.strangers PORT [--history FILE]`.

Each attack used to stall other tables. All are limited in count and time, and target
this machine only. They run in a separate process, so that the load beside them is measured fairly.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
import sys
import time
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import requests
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

LONGEST = 60.0
"""Maximum seconds of an attack."""
MARKS = "".join(chr(mark) for mark in (0x345, 0x315, 0x301, 0x323, 0x31B, 0x334))
"""Combining marks in descending classes. Normalizing a long run of them is quadratic."""
BODY = 40 * 1024 * 1024
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')

Attack = Callable[["Target"], Awaitable[None]]


class Target:
    """The server under attack."""

    def __init__(self, port: int, history: Path | None) -> None:
        self.port, self.history = port, history
        self.url, self.socket = f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}"
        self.problems: list[str] = []

    def expect(self, what: str, status: int, *allowed: int) -> None:
        """Record an answer with an unexpected status."""
        if status not in allowed:
            self.problems.append(f"{what}: status {status}, not one of {allowed}")


async def long_texts(target: Target) -> None:
    """Five users fill every text field with texts that are slow to normalize."""
    await asyncio.gather(*(_long_texts(target, number) for number in range(5)))


async def _long_texts(target: Target, number: int) -> None:
    text = "a" + MARKS * 2_600
    async with _at_a_table(target, f"marks{number}") as program:
        for at in range(43):
            await _send(program, "SendNewChatMessage", id=at, message=text)
        for kind, field in (("SetNonce", "nonce"), ("JoinGame", "username")):
            await _send(program, kind, id=kind, **{field: text, "room": "AAAAA"})
        await _answers(program, {*range(43), "SetNonce", "JoinGame"})


async def deaf_readers(target: Target) -> None:
    """One user opens twenty sockets, requests everything, and reads nothing."""
    async with _at_a_table(target, "deaf") as program:
        welcome = await _until(program, "GameCreated")
        await asyncio.gather(*(_deaf(target, welcome) for _ in range(20)))


async def _deaf(target: Target, welcome: dict[str, Any]) -> None:
    with contextlib.suppress(OSError, WebSocketException, TimeoutError):
        async with connect(f"{target.socket}/api/ws/", max_queue=1, close_timeout=1) as program:
            await _send(program, "JoinGame", room=welcome["room"], token=welcome["token"])
            async with asyncio.timeout(5):
                for number in range(5_000):
                    await _send(program, "GameDataRequest", id=number)


async def many_visitors(target: Target) -> None:
    """Two hundred strangers open the list of tables while tables open and close."""
    async with contextlib.AsyncExitStack() as visitors:
        for _ in range(200):
            page = connect(f"{target.socket}/ws/lobby/", origin=target.url, max_size=None)
            await visitors.enter_async_context(page)
        for number in range(20):
            async with _at_a_table(target, f"here{number}", visibility="public"):
                await asyncio.sleep(0.2)


async def spectators(target: Target) -> None:
    """One machine fills a table with spectators."""
    async with _at_a_table(target, "host", visibility="public") as program:
        room = (await _until(program, "GameCreated"))["room"]
        async with contextlib.AsyncExitStack() as visitors:
            for number in range(60):
                line = connect(f"{target.socket}/api/ws/", close_timeout=1)
                watcher = await visitors.enter_async_context(line)
                await _send(
                    watcher, "JoinGame", room=room, username=f"watcher{number}", spectate=True
                )


async def bodies(target: Target) -> None:
    """Send bodies larger than any form needs, with a Content-Length and chunked."""
    for chunked in (False, True):
        status = await asyncio.to_thread(_large_body, target.port, chunked)
        target.expect(f"a body of {BODY} bytes, chunked: {chunked}", status, 413)


def _large_body(port: int, chunked: bool) -> int:
    """Send a body until it is refused. Return the status."""
    head = "POST /decks/new/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    head += "Transfer-Encoding: chunked\r\n\r\n" if chunked else f"Content-Length: {BODY}\r\n\r\n"
    piece = b"x" * 65_536
    if chunked:
        piece = f"{len(piece):x}\r\n".encode() + piece + b"\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(head.encode())
        with contextlib.suppress(OSError):
            for _ in range(BODY // 65_536):
                line.sendall(piece)
        with contextlib.suppress(OSError):
            return int(line.recv(1000).split(b" ")[1] or 0)
    return 0


async def forms(target: Target) -> None:
    """Post far too long fields to each form open to strangers."""
    await asyncio.to_thread(_forms, target)


def _forms(target: Target) -> None:
    for path, fields in (
        ("/account/login/", ("login", "password")),
        ("/account/signup/", ("username", "password1", "password2")),
        ("/code/", ("code", "name")),
        ("/new/mia/", ("name", "title", "password")),
    ):
        for text in ("x" * 60_000, "a" + MARKS * 8_000):
            visitor = requests.Session()
            page = visitor.get(f"{target.url}{path if path != '/code/' else '/'}", timeout=LONGEST)
            fields_sent = _hidden(page.text) | dict.fromkeys(fields, text)
            answer = visitor.post(f"{target.url}{path}", fields_sent, timeout=LONGEST)
            target.expect(
                f"long fields at {path}", answer.status_code, 200, 302, 400, 403, 422, 429
            )


async def decks(target: Target) -> None:
    """One guest uploads large decks and odd files, and keeps playing with all of them."""
    await asyncio.to_thread(_decks, target)


def _decks(target: Target) -> None:
    visitor = requests.Session()
    status = _post(target, visitor, "/", "/play/", game="cards", name="Decks")
    target.expect("playing as a guest", status, 200)
    for at in range(20):
        cards = [{"text": f"{at} {n} " + "x" * 180} for n in range(4_000)]
        deck = json.dumps(
            {"white": cards[:-50], "black": [{"text": f"Why _ {n}?"} for n in range(50)]}
        )
        status = _post(
            target,
            visitor,
            "/decks/new/",
            "/decks/new/",
            name=f"Large {at}",
            language="en",
            text=deck,
            keep="yes",
        )
        target.expect("a large deck", status, 200, 302, 413, 422, 429)
    for text in ("[],[]," * 100_000, "[" * 100_000, '{"a":' * 100_000, "\n" * 900_000):
        status = _post(
            target, visitor, "/decks/new/", "/decks/new/", name="Odd", language="en", text=text
        )
        target.expect("an odd deck", status, 200, 400, 413, 422, 429)


async def history(target: Target) -> None:
    """A guest with a long history logs in, exports everything stored, and is deleted."""
    if target.history is not None:
        await asyncio.to_thread(_history, target, json.loads(target.history.read_text()))


def _history(target: Target, known: dict[str, str]) -> None:
    visitor = requests.Session()
    visitor.cookies.set("sessionid", known["session"])
    for _ in range(20):
        answer = visitor.get(f"{target.url}/you/data/", timeout=LONGEST)
        target.expect("an export", answer.status_code, 200, 302, 429)
    status = _post(
        target,
        visitor,
        "/account/login/",
        "/account/login/",
        login=known["login"],
        password=known["password"],
    )
    target.expect("logging in", status, 200)


ATTACKS: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        long_texts,
        deaf_readers,
        many_visitors,
        spectators,
        bodies,
        forms,
        decks,
        history,
    )
}


def _post(target: Target, visitor: requests.Session, page: str, path: str, **fields: str) -> int:
    """Submit a page's form with its hidden fields. Return the status."""
    shown = visitor.get(f"{target.url}{page}", timeout=LONGEST)
    answer = visitor.post(f"{target.url}{path}", _hidden(shown.text) | fields, timeout=LONGEST)
    return answer.status_code


def _hidden(page: str) -> dict[str, str]:
    return dict(HIDDEN.findall(page))


@contextlib.asynccontextmanager
async def _at_a_table(target: Target, name: str, **more: Any) -> Any:
    async with connect(f"{target.socket}/api/ws/", max_size=None, close_timeout=1) as program:
        await _send(program, "HostGame", game="mia", username=name, **more)
        yield program


async def _send(program: ClientConnection, kind: str, **fields: Any) -> None:
    await program.send(json.dumps({"type": kind, **fields}, ensure_ascii=False))


async def _until(program: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        packet: dict[str, Any] = json.loads(await program.recv())
        if packet["type"] == kind:
            return packet


async def _answers(program: ClientConnection, ids: set[Any]) -> None:
    """Wait for the answer to each of these packets, or for the connection to close."""
    with contextlib.suppress(WebSocketException):
        while ids:
            ids.discard(json.loads(await program.recv()).get("id"))


async def attack(target: Target, names: Iterator[str] | list[str]) -> dict[str, float]:
    """Run the attacks one after the other. Return the duration of each in seconds."""
    took: dict[str, float] = {}
    for name in names:
        began = time.monotonic()
        try:
            async with asyncio.timeout(LONGEST):
                await ATTACKS[name](target)
        except TimeoutError:
            target.problems.append(f"{name} was not over after {LONGEST:.0f} s")
        except (OSError, WebSocketException) as cut:  # a refusal is fine, silence is not
            target.problems.append(f"{name}: {type(cut).__name__}: {cut}")
        took[name] = round(time.monotonic() - began, 1)
    return took


def main() -> None:
    """Attack the server on a port. Print the findings as JSON."""
    parser = ArgumentParser(prog="python -m tests.chaos.strangers", description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--history", type=Path, help="a file that `seed_history` has written")
    parser.add_argument("--attacks", nargs="+", choices=ATTACKS, default=list(ATTACKS))
    asked = parser.parse_args()
    target = Target(asked.port, asked.history)
    took = asyncio.run(attack(target, asked.attacks))
    json.dump({"took": took, "problems": target.problems}, sys.stdout)


if __name__ == "__main__":
    main()
