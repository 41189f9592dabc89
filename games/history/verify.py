"""Recomputes the random draws of a finished match from the revealed data, without its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from games.contract.data import unpack
from games.contract.luck import Draw, Luck, commitment, derived_nonce, drawn_after
from games.engine.mixed import mixed_of
from games.engine.snapshots import luck_of, seed_of
from games.models import Act, Match

LARGEST = 1 << 32


def differences(match: Match, shown: str | None = None) -> Iterator[str]:
    """Yield a message for each value that does not follow from the seed.

    `shown` is the commitment that a player noted before the match.
    """
    yield from _commitment(match, shown)
    yield from _nonces(match)
    yield from _gaps(match)
    drawn: Mapping[str, int] = {}
    for act in match.acts.order_by("number"):
        luck = luck_of(match, seed_of(match), act.number, drawn)
        yield from _draws(luck, act)
        drawn = drawn_after(drawn, luck.draws)


def commitment_of(match: Match) -> str:
    """Return the commitment shown before the match, recomputed from the server seed."""
    return commitment(bytes.fromhex(match.secret))


def _commitment(match: Match, shown: str | None) -> Iterator[str]:
    recomputed = commitment_of(match)
    if shown is not None and shown.strip().lower() != recomputed:
        yield f"The commitment was {shown}, the server seed gives {recomputed}."


def _nonces(match: Match) -> Iterator[str]:
    """Yield a message if a nonce is missing or wrong.

    Players who joined the running match have no nonce.
    """
    nonces = len(match.nonces)
    joined = match.acts.filter(kind=Act.Kind.JOIN, seat__gte=nonces).values_list("seat", flat=True)
    began = match.players.exclude(seat__in=joined).count()
    if began != nonces:
        yield f"{began} players began the match, but its seed was made for {nonces}."
    if match.nonces_derived:
        for bot in match.players.exclude(bot="").filter(substitute=False, seat__lt=nonces):
            if match.nonces[bot.seat] != _derived(match, bot.seat):
                yield f"The nonce of {bot.name}, a bot, does not follow from the server seed."


def derived(match: Match) -> int:
    """Return the number of seats that added nothing to the luck."""
    if (mixed := mixed_of(match)) is not None:
        return sum(one.secret is None for one in mixed.shares)
    return sum(nonce == _derived(match, seat) for seat, nonce in enumerate(match.nonces))


def _derived(match: Match, seat: int) -> str:
    return derived_nonce(bytes.fromhex(match.secret), seat)


def _gaps(match: Match) -> Iterator[str]:
    """Yield a message for each missing or surplus act.

    The acts of a match are numbered from 1 to its version.
    """
    numbers = set(match.acts.values_list("number", flat=True))
    for missing in sorted(set(range(1, match.version + 1)) - numbers):
        yield f"Act {missing} is missing from the log."
    for extra in sorted(n for n in numbers if not 1 <= n <= match.version):
        yield f"Act {extra} is in the log, but the match has only {match.version} acts."


def _draws(luck: Luck, act: Act) -> Iterator[str]:
    try:
        draws = unpack(act.draws, tuple[Draw, ...])
    except msgspec.ValidationError as error:
        yield f"Act {act.number}: its draws cannot be read ({error})."
        return
    for at, drawn in enumerate(draws, 1):
        which = f"Act {act.number}, draw {at} ({drawn.label}, {drawn.size})"
        if not _is_possible(drawn):
            yield f"{which}: there is no such draw as {drawn.value}."
            return
        value = _again(luck, drawn)
        if value != drawn.value:
            yield f"{which}: the log says {drawn.value}, the seed says {value}."


def _is_possible(drawn: Draw) -> bool:
    """Whether a draw is valid. After an invalid draw, the rest of the act cannot be recomputed."""
    if isinstance(drawn.value, int):
        return 1 <= drawn.size <= LARGEST
    return drawn.size == len(drawn.value)


def _again(luck: Luck, drawn: Draw) -> int | tuple[int, ...]:
    if isinstance(drawn.value, int):
        return luck.draw(drawn.label, drawn.size)
    return luck.shuffle(drawn.label, drawn.size)
