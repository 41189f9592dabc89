"""Public verdicts on claims. They say which claims contradict each other or the result.

At the end of the match, they say which claims were true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.contract.core import ClaimMade, Verdict
from games.secret_hitler.rules.spoken import Spoken, liberals_in, spoken_of
from games.secret_hitler.rules.state import Session, View


def judged(view: View, said: Sequence[ClaimMade]) -> tuple[Verdict, ...]:
    """Return a verdict for each claim, based on what spectators see."""
    if view.phase == "over":
        return tuple(_truth(view.history[claim.about], claim) for claim in said)
    doubtful = _contradicted(view, spoken_of(said))
    return tuple("contradicted" if (c.kind, c.about) in doubtful else "" for c in said)


def _truth(session: Session, claim: ClaimMade) -> Verdict:
    """Compare a claim with what the player really held, ignoring the order of tiles."""
    held = {"drawn": session.drawn, "received": session.passed_on}.get(claim.kind, session.result)
    real = (held,) if isinstance(held, str) else held or ()
    return "true" if sorted(real) == sorted(claim.values) else "false"


def _contradicted(view: View, spoken: Spoken) -> set[tuple[str, int]]:
    found: set[tuple[str, int]] = set()
    seen_on_top: tuple[int, int] | None = None
    for about, session in enumerate(view.history):
        counts = {
            kind: liberals_in(spoken[kind, about])
            for kind in ("drawn", "received", "peeked")
            if (kind, about) in spoken
        }
        found |= {(kind, about) for kind in _against_the_policy(session, counts)}
        drew, got = counts.get("drawn"), counts.get("received")
        if drew is not None and got is not None and got != min(drew, 2):
            found |= {("drawn", about), ("received", about)}
        if seen_on_top is not None and drew not in (None, seen_on_top[1]):
            found |= {("drawn", about), ("peeked", seen_on_top[0])}
        if session.passed or session.by == "chaos":
            seen_on_top = None
        if "peeked" in counts:
            seen_on_top = about, counts["peeked"]
    return found


def _against_the_policy(session: Session, counts: Mapping[str, int]) -> list[str]:
    """Return the kinds of claims that the enacted policy makes impossible."""
    if session.by != "government":
        return []
    liberal = session.enacted == "liberal"
    impossible = {"drawn": 0 if liberal else 3, "received": 0 if liberal else 2}
    return [kind for kind, count in impossible.items() if counts.get(kind) == count]
