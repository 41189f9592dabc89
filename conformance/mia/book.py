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
    "2-lines": "each datagram is one line of the protocol, without a line end",
    "2-line-end": "an answer may end with a line end",
    "3-junk": "what fits no message is dropped, without an answer, without harm",
    "4-case": "commands are case-sensitive",
    "4-fields": "fields after the name of REGISTER are ignored",
    "5-register": "a new name, or one from the same address, is REGISTERED",
    "5-rejected": "a name of another address is REJECTED, without a reason in the seed's dialect",
    "6-moved": "after REGISTERED everything goes to the new endpoint, points stay with the name",
    "7-names": "names have 1-20 characters, no white space, ; , : or control characters",
    "8-invited": "a registered name is invited to every round from the next one on",
    "9-last-name": "one endpoint speaks for the name it registered last",
    "10-number": "the number rises by 1 per round, canceled ones included",
    "10-join": "who joins plays, who does not join does not",
    "11-window": "the join window is one answer time",
    "11-late": "a JOIN after the window counts for no round",
    "12-nobody": "nobody joins: ROUND CANCELED;no players, then the next round",
    "13-order": "ROUND STARTED lists each player once",
    "13-fair": "the order is fresh and unbiased in every round",
    "14-alone": "one joins: STARTED, CANCELED;only one player, SCORE with +1 (vector 15)",
    "14-pause": "after a round of one the server pauses 1 s, then longer, until another registers",
    "15-all": "everybody registered is told the same lines, all of them",
    "15-private": "YOUR TURN and ROLLED go to the player on turn only",
    "16-turns": "turns go round in the order of ROUND STARTED",
    "17-roll": "ROLL: PLAYER ROLLS, ROLLED, ANNOUNCED as announced",
    "17-fair": "both dice are fair",
    "18-dice": "dice are larger,smaller whatever was announced (vector 11)",
    "19-equal": "an equal announcement is told and loses (vector 6)",
    "19-lower": "a lower announcement is told and loses (vector 5)",
    "19-higher": "a higher one is accepted, by the ranking of all 21 values (vector 4)",
    "20-mia": "true Mia: shown at once, everybody else loses (vector 7)",
    "20-lie": "false Mia: shown at once, the announcer loses (vector 8)",
    "21-bluff": "SEE of too much: CAUGHT_BLUFFING (vector 2)",
    "21-see": "SEE of the truth: SEE_FAILED (vector 1)",
    "21-little": "SEE of too little: SEE_FAILED (vector 3)",
    "22-first": "SEE first: PLAYER WANTS TO SEE, SEE_BEFORE_FIRST_ROLL, no dice (vector 9)",
    "23-losers": "PLAYER LOST lists several losers with commas",
    "24-time": "silence is waited for one answer time",
    "24-anew": "the time runs anew for each prompt",
    "24-late": "a late answer counts for nothing, also not in the next round (vector 10)",
    "25-turn": "no answer to YOUR TURN: DID_NOT_TAKE_TURN",
    "25-announce": "no answer to ROLLED: DID_NOT_ANNOUNCE",
    "26-token": "tokens are fresh, unguessable, at least 8 characters",
    "26-owner": "a token counts only from the endpoint it was sent to (vector 13)",
    "26-once": "a token counts once (vector 14)",
    "27-ignored": "wrong, missing and old tokens are ignored, not punished",
    "28-invalid": "right token, no such move: INVALID_TURN (vector 23)",
    "29-bad": "right token, no announcement: DID_NOT_ANNOUNCE (vector 12)",
    "30-score": "SCORE ends each round, with an entry for every registered name",
    "31-points": "+1 for who takes part, -1 for losers, nothing else changes",
    "31-bystander": "a bystander keeps its points (vector 16)",
    "32-restart": "number and points outlive the server (vector 24)",
    "33-silent": "after 40 silent rounds an endpoint gets nothing more (vector 25)",
    "33-again": "it is invited again when it sends anything (vector 25)",
    "34-sixteen": "an address has at most 16 names",
    "34a-megaphone": "who has not sent back a token is sent 4 KB at most, renewed after a minute",
    "34a-long": "a SCORE over 1,200 bytes goes only to who has answered in the round",
    "34a-silent": "who answers nothing is invited three times, until it answers or registers",
    "spectator": "a spectator hears everything, is never invited and has no score",
}
LAWS = ("1-port", "2-lines", "10-number", "13-order", "15-all", "15-private", "16-turns")
"""Checks applied to every datagram."""


@dataclass
class Book:
    """The results of each check. `focus` is the check being provoked now."""

    seen: Counter[str] = field(default_factory=Counter)
    found: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    missed: dict[str, str] = field(default_factory=dict)
    """Reasons why checks could not be provoked."""
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
    """Return the checks selected by ids, rule numbers or vectors (v13). Raise KeyError."""
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
