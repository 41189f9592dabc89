"""A Cards player who cannot read: short answers, and words this table has voted for before.

python -m examples.cards_bot --host --bots 3
"""

import re
from collections import defaultdict

from parlour_client import Decision, Json, Move, command

SHORT = 40
"""An answer up to so many characters reads well inside a sentence."""


def bot(decision: Decision) -> Move | None:
    view, liked = decision.view, taste(decision)
    if decision.can("PlayWhiteCards"):
        best = sorted(view["hand"], key=lambda card: worth(card, liked))
        played = best[-view["black"]["cardsToPick"] :]  # the last blank is the punch line
        return decision.choose("PlayWhiteCards", cards=[card["id"] for card in played])
    if vote := decision.offer("Vote"):
        plays = [play for play in view["plays"] if play["playId"] in vote["playId"]]
        best_play = max(plays, key=lambda play: sum(worth(card, liked) for card in play["cards"]))
        return vote.choose(playId=best_play["playId"])
    return decision.maybe("Continue")  # a discard costs a point: we keep what we have


def taste(decision: Decision) -> defaultdict[str, float]:
    """The words of every play so far, by the votes it got beyond a fair share."""
    words: defaultdict[str, float] = defaultdict(float)
    for event in decision.heard:
        if event["type"] == "RoundResult":
            fair = sum(play["votes"] for play in event["plays"]) / len(event["plays"])
            for play in event["plays"]:
                for word in {word for card in play["cards"] for word in words_of(card)}:
                    words[word] += play["votes"] - fair
    return words


def words_of(card: Json) -> set[str]:
    return set(re.findall(r"\w{4,}", card["text"].lower()))


def worth(card: Json, liked: defaultdict[str, float]) -> float:
    learned = sum(liked[word] for word in words_of(card))
    return (len(card["text"]) <= SHORT) + max(-1.0, min(1.0, learned / 4))


if __name__ == "__main__":
    command(bot, "Cards, by what was laughed at.", game="cards", name="Parrot")
