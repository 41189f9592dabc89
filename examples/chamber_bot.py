"""A Chamber player who counts the rounds, and shoots when the next one is likely to be live.

python -m examples.chamber_bot --host --bots 3
"""

from parlour_client import Decision, Json, Move, command


def bot(decision: Decision) -> Move | None:
    if decision.phase == "rebalance":
        return decision.choose("PassRebalance")
    return use_an_item(decision) or shoot(decision)


def danger(decision: Decision) -> float:
    """How likely the next round is live; certain after a look into the chamber."""
    view = decision.view
    if view["knownNext"] is not None:
        return float(view["knownNext"] == "live")
    return float(view["live"] / (view["live"] + view["blank"]))


def use_an_item(decision: Decision) -> Move | None:
    """The first item that helps now: our own or, with a Steal, somebody else's."""
    live, left = danger(decision), decision.view["live"] + decision.view["blank"]
    after_us = decision.data["next"]
    skip = {"target": after_us} if after_us != decision.me else {}
    helpful: list[tuple[bool, str, Json]] = [
        (True, "AddLife", {}),
        (0 < live < 1, "ChamberCheck", {}),
        (left > 1 and bool(skip), "Skip", skip),
        (live >= 0.5, "DoubleDamage", {}),
        (live >= 0.4 and left > 1, "Quickshot", {}),
    ]
    for now, item, args in helpful:
        if now and (move := decision.maybe(f"Use{item}Item", **args) or steal(decision, item)):
            return move
    return None


def steal(decision: Decision, item: str) -> Move | None:
    """That item, out of anybody's hand; a Skip is thrown at who comes next."""
    slug = {"AddLife": "add_life", "ChamberCheck": "chamber_check", "DoubleDamage": "double_damage"}
    whom = {"skipTarget": decision.data["next"]} if item == "Skip" else {}
    return decision.maybe("UseStealItem", item=slug.get(item, item.lower()), **whom)


def shoot(decision: Decision) -> Move:
    """At ourselves when that is (nearly) free, for the turn goes on; else who dies or is rich."""
    live, hurt = danger(decision), 2 if decision.view["doubleDamage"] else 1
    if live == 0 or (live < 0.2 and decision.player(decision.me)["lives"] > hurt):
        return decision.choose("ShootPlayer", username=decision.me)

    def worth(other: Json) -> tuple[bool, int, int]:
        return other["lives"] <= hurt, len(other["items"]), -other["lives"]

    return decision.choose("ShootPlayer", username=max(decision.others, key=worth)["username"])


if __name__ == "__main__":
    command(bot, "Chamber, by the rounds that are left.", game="chamber", name="Counter")
