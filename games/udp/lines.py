"""Parses and formats the lines of the protocol (docs/rules/mia.md §2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from accounts.characters import first_hidden, is_seen
from games.contract.core import Event
from games.mia.rules.state import (
    ActualDice,
    Announce,
    Announced,
    Fault,
    Moves,
    PlayerLost,
    PlayerRolls,
    PlayerWantsToSee,
    Roll,
    See,
    ranking,
)

Dialect = Literal["seed", "current"]
"""`seed` is the protocol of docs/rules/mia.md §2. `current` is its later form (§3)."""

LONGEST = 4096
LONGEST_NAME = 20
FORBIDDEN = ";,:"
VALUES = frozenset(ranking(little_mia=False))


@dataclass(frozen=True)
class Register:
    """A registration to play under a name, or only to watch. The name is None if it is missing."""

    name: str | None
    watch: bool = False


@dataclass(frozen=True)
class Answer:
    """An answer to a prompt, consisting of its fields and the token at its end."""

    fields: tuple[str, ...]
    token: str


def read(datagram: bytes, dialect: Dialect = "seed") -> Register | Answer | None:
    """Parse a datagram. Return None if it is not a valid message."""
    if len(datagram) > LONGEST and not datagram.startswith(b"REGISTER"):
        return None
    try:
        line = datagram.decode("utf-8")
    except UnicodeDecodeError:
        return None
    line = line.removesuffix("\r\n") if line.endswith("\r\n") else line.removesuffix("\n")
    command, *rest = line.split(";")
    if command == "REGISTER":
        return Register(rest[0] if rest else None)
    if command == "REGISTER_SPECTATOR" and dialect == "current":
        return Register(rest[0] if rest else None, watch=True)
    return Answer((command, *rest[:-1]), rest[-1]) if rest else None


def is_name(name: str | None) -> bool:
    """Whether a name is valid in this protocol. It must not contain the separators of a line."""
    if name is None or not 1 <= len(name) <= LONGEST_NAME:
        return False
    if any(letter.isspace() or letter in FORBIDDEN for letter in name):
        return False
    return is_seen(name) and not first_hidden(name)


def move_of(fields: Sequence[str], phase: str) -> Moves:
    """Return the move in an answer whose token is valid.

    If the move does not fit the phase, return `Fault`.
    """
    match (phase, *fields):
        case ("turn", "ROLL"):
            return Roll()
        case ("turn", "SEE"):
            return See()
        case ("announce", "ANNOUNCE", dice):
            announced = Announce(dice)
            return announced if announced.dice in VALUES else Fault()
        case _:
            return Fault()


def registered() -> str:
    return "REGISTERED"


def rejected(dialect: Dialect, taken: bool) -> str:
    """Return the line that rejects a registration. Only the current dialect gives a reason."""
    if dialect == "seed":
        return "REJECTED"
    return "REJECTED;NAME_ALREADY_TAKEN" if taken else "REJECTED;INVALID_NAME"


def round_starting(dialect: Dialect, number: int, token: str) -> str:
    return f"ROUND STARTING;{number};{token}" if dialect == "seed" else f"ROUND STARTING;{token}"


def round_started(dialect: Dialect, number: int, names: Sequence[str]) -> str:
    listed = ",".join(names)
    return f"ROUND STARTED;{listed}" if dialect == "seed" else f"ROUND STARTED;{number};{listed}"


def round_canceled(dialect: Dialect, players: int) -> str:
    """Return the line that cancels a round with fewer than two players."""
    reason = "only one player" if players else "no players"
    return f"ROUND CANCELED;{reason if dialect == 'seed' else reason.upper().replace(' ', '_')}"


def your_turn(token: str) -> str:
    return f"YOUR TURN;{token}"


def rolled(dice: str, token: str) -> str:
    return f"ROLLED;{dice};{token}"


def score(points: Mapping[str, int]) -> str:
    return "SCORE;" + ",".join(f"{name}:{of}" for name, of in points.items())


def told(event: Event, names: Sequence[str]) -> str | None:
    """Return the line that announces this event to everybody, or None if there is none."""
    match event:
        case PlayerRolls(who):
            return f"PLAYER ROLLS;{names[who]}"
        case Announced(who, dice):
            return f"ANNOUNCED;{names[who]};{dice}"
        case PlayerWantsToSee(who):
            return f"PLAYER WANTS TO SEE;{names[who]}"
        case ActualDice(dice):
            return f"ACTUAL DICE;{dice}"
        case PlayerLost(losers, reason):
            return f"PLAYER LOST;{','.join(names[who] for who in losers)};{reason}"
        case _:
            return None
