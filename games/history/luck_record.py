"""The record of a match's random draws. Anybody can check it without this server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.contract.luck import commitment
from games.engine.mixed import agreement
from games.engine.snapshots import seed_of
from games.models import Match


def fairness(match: Match, names: Sequence[str]) -> dict[str, Any]:
    """Return what the seed of a finished match is made of, and the seed.

    `names` are the current names of its seats.
    """
    agreed = agreement(match, names)
    return {
        "commitment": commitment(bytes.fromhex(match.secret)),
        "serverSeed": match.secret,
        **({"nonces": match.nonces} if agreed is None else agreed),
        "seed": seed_of(match).hex(),
    }


def luck_record(match: Match) -> dict[str, Any]:
    """Return the record of a finished match. Each draw is `[act, label, size, value]`."""
    names = list(match.players.order_by("seat").values_list("name", flat=True))
    acts = match.acts.order_by("number").values_list("number", "draws")
    return {
        "version": 1 if match.mixed is None else 2,
        "match": match.pk,
        "game": match.game,
        "options": match.options,
        **fairness(match, names),
        "draws": [
            [number, drawn["label"], drawn["size"], drawn["value"]]
            for number, draws in acts
            for drawn in draws
        ],
    }
