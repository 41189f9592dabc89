"""A mostly honest Iron Throne (Coup) player: it rarely bluffs, and doubts what cannot be true.

python -m examples.coup_bot --host --bots 3
"""

from parlour_client import Decision, Json, Move, command

KEEP = ["melisandre", "jaqen", "arya", "hound", "baelish"]
"""Roles from the least to the most useful."""
PROBABLY = 0.05
"""Probability of doubting a claim that may well be true."""


def bot(decision: Decision) -> Move | None:
    if decision.can("LoseInfluence"):
        return decision.choose("LoseInfluence", card=worst(decision))
    if decision.can("ExchangeKeep"):
        return exchange(decision)
    if decision.can("Pass"):
        return answer(decision)
    return act(decision)


def held(decision: Decision) -> list[str]:
    """Our own roles that are still face down."""
    return [card["role"] for card in decision.view["hand"] if not card["faceUp"]]


def worst(decision: Decision) -> int:
    hidden = [at for at, card in enumerate(decision.view["hand"]) if not card["faceUp"]]
    return min(hidden, key=lambda at: KEEP.index(decision.view["hand"][at]["role"]))


def exchange(decision: Decision) -> Move:
    """The best roles, each of them once if possible."""
    pool: list[str] = decision.view["pool"]
    order = sorted(
        range(len(pool)), key=lambda at: (pool.index(pool[at]) != at, -KEEP.index(pool[at]))
    )
    return decision.choose("ExchangeKeep", keep=order[: len(held(decision))])


def act(decision: Decision) -> Move:
    """Coup as soon as one can, then what our roles are good for, then an income or a bluff."""
    mine = held(decision)
    leader = max(decision.others, key=lambda other: (other["influence"], other["coins"]))
    richest = max(decision.others, key=lambda other: int(other["coins"]))
    wanted: list[tuple[bool, str, Json]] = [
        (True, "Coup", {"target": leader["username"]}),
        ("hound" in mine, "Assassinate", {"target": leader["username"]}),
        ("baelish" in mine, "Tax", {}),
        ("arya" in mine and richest["coins"] > 1, "Steal", {"target": richest["username"]}),
        (decision.dice.random() < 0.25, "Tax", {}),
    ]
    for now, name, args in wanted:
        if now and (move := decision.maybe(name, **args)):
            return move
    return decision.choose("Income")


def answer(decision: Decision) -> Move:
    """Doubt what cannot be true; block with what we hold, or when there is nothing to lose."""
    view, mine = decision.view, held(decision)
    for role in ("baelish", "melisandre", "jaqen", "arya"):
        desperate = role == "melisandre" and len(mine) == 1
        if (role in mine or desperate) and (block := decision.maybe("Block", role=role)):
            return block
    seen = mine + [card["role"] for p in decision.players for card in p["cards"] if card["faceUp"]]
    claimed = view["block"] or view["claim"]
    doubt = seen.count(claimed) == 3 or (len(mine) > 1 and decision.dice.random() < PROBABLY)
    return (decision.maybe("Challenge") if doubt else None) or decision.choose("Pass")


if __name__ == "__main__":
    command(bot, "Iron Throne, honestly.", game="coup", name="Ned")
