"""The record of a match's random draws. Anybody can check it without this server."""

from __future__ import annotations

from typing import Any

from games.contract.luck import commitment
from games.engine.snapshots import seed_of
from games.models import Match

VERSION = 1
"""Version of the format, which is also that of the derivation in `docs/fairness.md`."""


def fairness(match: Match) -> dict[str, Any]:
    """Return what the seed of a finished match is made of, and the seed."""
    return {
        "commitment": commitment(bytes.fromhex(match.secret)),
        "serverSeed": match.secret,
        "nonces": match.nonces,
        "seed": seed_of(match).hex(),
    }


def luck_record(match: Match) -> dict[str, Any]:
    """Return the record of a finished match. Each draw is `[act, label, size, value]`."""
    acts = match.acts.order_by("number").values_list("number", "draws")
    return {
        "version": VERSION,
        "match": match.pk,
        "game": match.game,
        "options": match.options,
        **fairness(match),
        "draws": [
            [number, drawn["label"], drawn["size"], drawn["value"]]
            for number, draws in acts
            for drawn in draws
        ],
    }
