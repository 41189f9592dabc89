"""A single connection: open it, read the `Welcome`, and explain why it was closed."""

from __future__ import annotations

import json
import ssl

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidStatus,
    WebSocketException,
)

from parlour_client.address import Address
from parlour_client.errors import ConnectionLost, Ended, ParlourError, Unreachable
from parlour_client.offers import Json

PROTOCOL = 1
MOST_BYTES = 16 * 1024 * 1024
COME_BACK = (1001, 1006, 1011, 1012, 1013)
"""Close codes after which reconnecting may help: going away, broken, no response, restart, busy."""
MEANT = {
    4001: "The token is unknown or has expired.",
    4003: "You were removed from the table.",
    4008: "The server closed the connection: too many packets, or too slow reading.",
}


async def open_link(address: Address, token: str | None) -> tuple[ClientConnection, Json]:
    """Open a connection. Return it together with its `Welcome`.

    Raise ConnectionLost if another attempt may help, or else Unreachable or Ended.
    """
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        socket = await connect(
            address.endpoint,
            additional_headers=headers,
            compression=None,
            max_size=MOST_BYTES,
            close_timeout=2,
            proxy=None if address.is_local else True,
        )
    except ssl.SSLCertVerificationError as error:
        why = f"The certificate of {address.site} is not trusted: {error.verify_message}."
        raise Unreachable(why) from error
    except InvalidStatus as error:
        raise _by_status(address, error.response.status_code) from error
    except InvalidMessage as error:
        raise ConnectionLost(
            f"{address.site} does not speak HTTP like a Parlour server."
        ) from error
    except InvalidHandshake as error:
        raise Unreachable(
            f"{address.site} does not answer like a Parlour server: {error}."
        ) from error
    except (OSError, TimeoutError, WebSocketException) as error:
        why = f"No Parlour server answers at {address.site} ({_reason(error)})."
        raise ConnectionLost(why) from error
    return socket, await _greeted(socket, address)


async def read(socket: ClientConnection) -> Json:
    """Return the next packet.

    Raise ConnectionLost or Ended if the connection is closed, or ValueError if the frame is not a
    packet.
    """
    try:
        packet = json.loads(await socket.recv())
    except ConnectionClosed as closed:
        raise meaning(closed) from closed
    if not isinstance(packet, dict):
        raise ValueError(f"{packet!r} is not an object")
    return packet


async def write(socket: ClientConnection, packet: Json) -> None:
    """Send a packet. Raise ConnectionLost or Ended if the connection is closed."""
    text = json.dumps(packet, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which the server refuses
        text = json.dumps(packet, separators=(",", ":"))
    try:
        await socket.send(text)
    except ConnectionClosed as closed:
        raise meaning(closed) from closed


def meaning(closed: ConnectionClosed) -> ParlourError:
    """Return the error for a closed connection.

    It is ConnectionLost if reconnecting may help, else Ended.
    """
    code = closed.rcvd.code if closed.rcvd else 1006
    if code in COME_BACK:
        return ConnectionLost(f"The connection was lost ({code}).")
    said = closed.rcvd.reason if closed.rcvd else ""
    return Ended(code, MEANT.get(code) or said or f"The server closed the connection ({code}).")


async def _greeted(socket: ClientConnection, address: Address) -> Json:
    try:
        welcome = await read(socket)
    except ValueError:
        welcome = {}
    if welcome.get("type") == "Welcome" and welcome.get("protocol") == PROTOCOL:
        return welcome
    await socket.close()
    said = welcome.get("protocol")
    what = f"speaks protocol {said}, not {PROTOCOL}" if said else "is not a Parlour server"
    raise Unreachable(f"{address.site} {what}.")


def _by_status(address: Address, status: int) -> ParlourError:
    if status >= 500:
        return ConnectionLost(f"{address.site} is not ready (HTTP {status}).")
    return Unreachable(f"There is no Parlour server at {address.site} (HTTP {status}).")


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it took too long"
    strerror = getattr(error, "strerror", None)
    if isinstance(error, ConnectionRefusedError) or "Multiple exceptions" in str(error):
        return "connection refused"
    return str(strerror or error) or type(error).__name__
