"""The list of checks, and the findings.

Checks are numbered by their rule in docs/rules/mia.md. A vector is an example of §5.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from conformance.mia.lines import shortened

LONGEST = 160

Verdict = Literal["ok", "differs", "could not be provoked"]

CHECKS = {
    "1-port": "everything comes from the server's one port",
    "2-lines": "each datagram is one line of the protocol, without a line break",
    "2-line-end": "answers may end with a line break",
    "3-junk": "unknown messages are ignored, without an answer or other effects",
    "4-case": "commands are case-sensitive",
    "4-fields": "fields after the name of REGISTER are ignored",
    "5-register": "a new name, or one from the same address, is REGISTERED",
    "5-rejected": "a name of another address is REJECTED, without a reason in the seed's dialect",
    "6-moved": "after REGISTERED everything goes to the new endpoint; points stay with the name",
    "7-names": "names have 1-20 characters, no white space, ; , : or control characters",
    "8-invited": "a registered name is invited to every round, starting with the next one",
    "9-last-name": "an endpoint plays for the last name it registered",
    "10-number": "the number rises by 1 per round, including canceled ones",
    "10-join": "exactly those who join take part",
    "11-window": "the join window is one answer time",
    "11-late": "a JOIN after the window is ignored",
    "12-nobody": "nobody joins: ROUND CANCELED;no players, then the next round",
    "13-order": "ROUND STARTED lists each player once",
    "13-fair": "the order is random in every round",
    "14-alone": "one joins: STARTED, CANCELED;only one player, SCORE with +1 (vector 15)",
    "14-pause": "after a round of one the server pauses 1 s, then longer, until another registers",
    "15-all": "everybody registered receives all public lines",
    "15-private": "YOUR TURN and ROLLED go only to the player whose turn it is",
    "16-turns": "turns follow the order of ROUND STARTED",
    "17-roll": "ROLL: PLAYER ROLLS, ROLLED, ANNOUNCED as announced",
    "17-fair": "both dice are fair",
    "18-dice": "dice are sent as larger,smaller, however they were announced (vector 11)",
    "19-equal": "an equal announcement is published and loses (vector 6)",
    "19-lower": "a lower announcement is published and loses (vector 5)",
    "19-higher": "a higher one is accepted, by the ranking of all 21 values (vector 4)",
    "20-mia": "true Mia: shown at once, everybody else loses (vector 7)",
    "20-lie": "false Mia: shown at once, the announcer loses (vector 8)",
    "21-bluff": "SEE of an announcement that is too high: CAUGHT_BLUFFING (vector 2)",
    "21-see": "SEE of a true announcement: SEE_FAILED (vector 1)",
    "21-little": "SEE of an announcement that is too low: SEE_FAILED (vector 3)",
    "22-first": "SEE first: PLAYER WANTS TO SEE, SEE_BEFORE_FIRST_ROLL, no dice (vector 9)",
    "23-losers": "PLAYER LOST separates several losers with commas",
    "24-time": "the server waits one answer time for an answer",
    "24-anew": "each prompt has its own answer time",
    "24-late": "a late answer is ignored, in the next round as well (vector 10)",
    "25-turn": "no answer to YOUR TURN: DID_NOT_TAKE_TURN",
    "25-announce": "no answer to ROLLED: DID_NOT_ANNOUNCE",
    "26-token": "tokens are new, unguessable and at least 8 characters long",
    "26-owner": "a token counts only from the endpoint it was sent to (vector 13)",
    "26-once": "a token counts once (vector 14)",
    "27-ignored": "wrong, missing and old tokens are ignored, not punished",
    "28-invalid": "right token, unknown move: INVALID_TURN (vector 23)",
    "29-bad": "right token, no announcement: DID_NOT_ANNOUNCE (vector 12)",
    "30-score": "SCORE ends each round, with an entry for every registered name",
    "31-points": "+1 for all who take part, -1 for losers, no other changes",
    "31-bystander": "a bystander keeps its points (vector 16)",
    "32-restart": "number and points survive a restart (vector 24)",
    "33-silent": "after 40 silent rounds an endpoint receives nothing (vector 25)",
    "33-again": "a silent endpoint that sends anything is invited again (vector 25)",
    "34-sixteen": "an address has at most 16 names",
    "34a-megaphone": "an endpoint that has not returned a token is sent at most 4 KB per minute",
    "34a-long": "a SCORE over 1,200 bytes goes only to endpoints that answered in the round",
    "34a-silent": "an endpoint is invited three times at most, until it answers or registers",
    "spectator": "a spectator receives everything, is never invited and has no score",
}
LAWS = ("1-port", "2-lines", "10-number", "13-order", "15-all", "15-private", "16-turns")
"""Checks that are applied to every datagram."""


@dataclass
class Book:
    """The results of each check. `focus` is the check that is being provoked now."""

    seen: Counter[str] = field(default_factory=Counter)
    found: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    missed: dict[str, str] = field(default_factory=dict)
    """Reasons why behaviour could not be provoked, by check."""
    focus: str = ""

    def ok(self, *checks: str) -> None:
        for check in checks:
            assert check in CHECKS, check
            self.seen[check] += 1

    def differs(self, check: str, expected: str, came: str) -> None:
        """Record a difference once."""
        assert check in CHECKS, check
        sentence = f"expected {shortened(expected, LONGEST)}; came {shortened(came, LONGEST)}"
        if sentence not in self.found[check]:
            self.found[check].append(sentence)

    def settled(self, check: str) -> bool:
        return bool(self.seen[check] or self.found.get(check))

    def verdict(self, check: str) -> Verdict:
        if self.found.get(check):
            return "differs"
        return "ok" if self.seen[check] else "could not be provoked"


def chosen(only: Iterable[str]) -> set[str]:
    """Return the checks selected by ids, rule numbers or vectors (v13).

    Raise KeyError for an unknown one.
    """
    asked = list(only)
    if not asked:
        return set(CHECKS)
    return {check for one in asked for check in _meant(one)}


def _meant(one: str) -> list[str]:
    vector = f"(vector {one[1:]})" if one.startswith("v") else None
    meant = [
        check
        for check, title in CHECKS.items()
        if one in (check, check.split("-")[0]) or (vector and title.endswith(vector))
    ]
    if not meant:
        raise KeyError(one)
    return meant
