"""A Mia player who counts: is that a lie, and what is the smallest thing worth saying?

python -m examples.mia_bot --host --bots 3
"""

from math import sqrt

from parlour_client import Decision, Move, command

PLAIN = [f"{high},{low}" for high in range(3, 7) for low in range(1, high)]
VALUES = [*PLAIN, *(f"{both},{both}" for both in range(1, 7)), "2,1"]
WAYS = [1 if dice[0] == dice[2] else 2 for dice in VALUES]
"""Of the 36 ways two dice fall, how many show this value."""


def chance_above(dice: str) -> float:
    """How likely one roll is higher."""
    return sum(WAYS[VALUES.index(dice) + 1 :]) / 36


def bot(decision: Decision) -> Move | None:
    if decision.can("Announce"):
        return announce(decision)
    if decision.can("See") and is_to_be_seen(decision):
        return decision.choose("See")
    return decision.choose("Roll") if decision.can("Roll") else decision.random()


def is_to_be_seen(decision: Decision) -> bool:
    """A lie is likely, or there is hardly anything left to say."""
    said = decision.view["announced"]
    if said is None:
        return False
    return lie(decision, said["username"], said["dice"]) > 0.5 or chance_above(said["dice"]) < 0.15


def lie(decision: Decision, who: str, dice: str) -> float:
    """How likely this word is one: by what was said, and by what was seen of this player."""
    unlikely = 1 - sqrt(chance_above(dice) + WAYS[VALUES.index(dice)] / 36)
    caught, seen, speaker, word = 0, 0, "", ""
    for event in decision.heard:
        if event["type"] == "Announced":
            speaker, word = event["username"], event["dice"]
        if event["type"] == "ActualDice" and event["dice"] and speaker == who:
            seen += 1
            caught += VALUES.index(event["dice"]) < VALUES.index(word)
    return (caught + 2 * unlikely) / (seen + 2)


def announce(decision: Decision) -> Move:
    """The truth where it can be said; else a small lie, for it is believed most."""
    own, offer = decision.view["dice"], decision.safe[0]
    higher = sorted((str(dice) for dice in offer["dice"]), key=VALUES.index)
    opening = decision.view["announced"] is None
    if opening and VALUES.index(own) < VALUES.index("4,3"):
        return offer.choose(dice="5,4")
    return offer.choose(dice=own if own in higher else higher[0])


if __name__ == "__main__":
    command(bot, "Mia, by the odds.", game="mia", name="Odds")
