"""Reasons for moves of `hard` in Mia: the odds that an announcement is true, or that it is
called.
"""

from __future__ import annotations

from games.contract.data import Seat
from games.contract.reasons import Reason, is_sure, of_100
from games.mia.rules.state import Dice


def of_call(who: Seat, dice: Dice, true: float, beaten: float) -> Reason | None:
    """Return why an announcement was called: the odds that it is true, and that a roll beats it.

    Return None if either is certain.
    """
    if is_sure(true):
        return None
    return Reason(
        key="call",
        gap=1 - true - beaten,
        seats={"who": who},
        numbers={"true": of_100(true), "beaten": of_100(beaten)},
        words={"said": dice},
    )


def of_bluff(dice: Dice, under: Dice, called: float) -> Reason | None:
    """Return why a bluff was announced: the odds that it is called.

    Return None if it is certain to be called, or certain not to be.
    """
    if is_sure(called):
        return None
    words = {"said": dice, "under": under}
    return Reason(key="bluff", gap=1 - 2 * called, numbers={"called": of_100(called)}, words=words)
