"""Why `hard` did what it did in Mia: how often a word is true there, and how often it passes."""

from __future__ import annotations

from games.contract.data import Seat
from games.contract.reasons import Reason, is_sure, of_100
from games.mia.rules.state import Dice


def of_call(who: Seat, dice: Dice, true: float, beaten: float) -> Reason | None:
    """Why somebody's word was called: it is true, and beaten by a roll, so often. None where that
    is a sure thing."""
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
    """Why something untrue was said: it is called so often. None where that is a sure thing."""
    if is_sure(called):
        return None
    words = {"said": dice, "under": under}
    return Reason(key="bluff", gap=1 - 2 * called, numbers={"called": of_100(called)}, words=words)
