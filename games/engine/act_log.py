"""Storage of an act: the new state of the match and an entry in its log."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from games.engine import frozen_times, statements, transactions
from games.models import Act, Match

CHANGED = ("version", "state", *frozen_times.FIELDS, "outcome", "ended_at")
LOGGED = ("match", "number", "kind", "seat", "prompt", "move", "told", "draws", "by", "at")

_STEP = statements.step(
    statements.update(Match, dict.fromkeys(CHANGED, "%s"), ("id", "version", "revision")),
    statements.insert(Act, LOGGED),
)


def store(row: Match, kind: str, by: str, at: datetime, **facts: Any) -> bool:
    """Store the match at its new version and log the act.

    Return False if another process has already changed the match. `facts` are data of the rules,
    or plain values.
    """
    found, changed = transactions.here(), row.__dict__
    has_it = statements.as_stored(found)
    number = changed["version"]
    update = [has_it(changed[name]) for name in CHANGED]
    update += map(has_it, (changed["id"], number - 1, changed["revision"]))
    facts |= {"match": changed["id"], "number": number, "kind": kind, "by": by, "at": at}
    logged = [has_it(facts[name]) for name in LOGGED]
    return statements.execute_step(found, _STEP, update, logged)
