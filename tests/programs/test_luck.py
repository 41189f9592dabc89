"""An honest program notices if a server tries to choose the luck."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from games.contract.mixing import Share, share_of
from parlour_client.luck import Luck
from parlour_client.offers import Json
from tests.kit.honest_page import GAME, agreed, listed

FIRST, SECOND = "c1" * 32, "c2" * 32
BOB = Share("Bob", share_of(FIRST, "Bob", "b2" * 32), "b2" * 32)
OTHER = "The match began with values that we did not agree to."
TWICE = "This server tried to mix the same luck twice."
LEFT_OUT = "This server left us out of the luck."


class Program:
    """A program named Ann, and what it warns of."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self.luck, self._log = Luck(), caplog
        caplog.set_level(logging.WARNING, "parlour_client")

    @property
    def warnings(self) -> list[str]:
        said = [one.getMessage() for one in self._log.records]
        return [one.removesuffix(" Do not trust this server.") for one in said]

    def look(self, commitment: str, mixing: Json | None = None, name: str = "Ann") -> list[Json]:
        """Show this to the program. Return what it sends."""
        data: dict[str, Any] = {"status": "open", "fairness": {"commitment": commitment}, **GAME}
        if mixing is not None:
            data["mixing"] = {"list": mixing["list"], "seats": mixing["seats"]}
        sent = list(self.luck.answers(data, name))
        for one in sent:
            self.luck.confirmed(one)
        return sent

    def opened(self, *others: Share) -> tuple[Share, ...]:
        """Return the seats of a match, once the program has opened its share."""
        (sent,) = self.look(FIRST)
        mine = Share("Ann", sent["share"])
        (answer,) = self.look(FIRST, listed(FIRST, mine, *others))
        return mine._replace(secret=answer["secret"]), *others

    def begin(self, *seats: Share, **said: object) -> None:
        found = agreed(FIRST, *seats)
        fairness = {one: found[one] for one in ("list", "code", "seats")}
        self.luck.begun({"luck": 2, "commitment": FIRST, **fairness, **said})


@pytest.fixture
def program(caplog: pytest.LogCaptureFixture) -> Program:
    return Program(caplog)


def test_honest_server_causes_no_warning(program: Program) -> None:
    program.begin(*program.opened(BOB))
    program.look(SECOND)
    assert program.warnings == []


def test_other_name_does_not_allow_a_second_list(program: Program) -> None:
    program.opened(BOB)
    for name in ("Anna", "Ann"):
        assert program.look(FIRST, name=name) == []


def test_many_commitments_do_not_allow_a_second_list(program: Program) -> None:
    program.opened(BOB)
    for at in range(50):
        program.look(f"{at:064x}")
    assert program.look(FIRST) == []


def test_share_and_secret_are_sent_again_after_a_reconnect(program: Program) -> None:
    first = program.look(FIRST)
    assert program.look(FIRST) == []
    program.luck.reconnected()
    assert program.look(FIRST) == first
    found = listed(FIRST, Share("Ann", first[0]["share"]), BOB)
    opened = program.look(FIRST, found)
    assert program.look(FIRST, found) == []
    program.luck.reconnected()
    assert program.look(FIRST, found) == opened != []
    program.luck.reconnected()
    assert program.look(FIRST, listed(FIRST, BOB)) == []


def test_second_list_is_not_opened(program: Program) -> None:
    mine, bob = program.opened(BOB)
    assert program.look(FIRST, listed(FIRST, bob, mine)) == []
    assert program.warnings == [TWICE]


def test_list_cannot_be_dropped_in_silence(program: Program) -> None:
    program.opened(BOB)
    program.look(SECOND)
    assert program.warnings == [TWICE]


@pytest.mark.parametrize("missing", ["Ann", "Bob"])
def test_void_is_reported_if_we_have_answered(program: Program, missing: str) -> None:
    found = listed(FIRST, *program.opened(BOB))["list"]
    program.luck.voided({"list": found, "missing": [missing]})
    program.look(SECOND)
    says = "This server says that we did not answer. We did."
    assert program.warnings == ([says] if missing == "Ann" else [])


def test_other_secret_than_the_one_on_the_list_is_noticed(program: Program) -> None:
    mine, bob = program.opened(BOB)
    program.begin(mine, bob._replace(secret="b3" * 32))
    assert program.warnings == [OTHER]


def test_other_share_than_the_one_on_the_list_is_noticed(program: Program) -> None:
    mine, bob = program.opened(BOB)
    secret = "b3" * 32
    forged = bob._replace(share=share_of(FIRST, "Bob", secret), secret=secret)
    program.begin(mine, forged, list=listed(FIRST, mine, bob)["list"])
    assert program.warnings == [OTHER]


def test_secret_cannot_be_dropped_at_the_start(program: Program) -> None:
    mine, bob = program.opened(BOB)
    program.begin(mine, bob._replace(secret=None))
    assert program.warnings == [OTHER]


def test_match_of_version_1_is_noticed_after_a_list(program: Program) -> None:
    program.opened(BOB)
    program.luck.begun({"commitment": FIRST})
    assert program.warnings == [OTHER]


def test_share_that_is_left_out_is_noticed(program: Program) -> None:
    program.look(FIRST)
    program.begin(Share("Ann"), BOB)
    assert program.warnings == [LEFT_OUT]


def test_who_has_missed_a_list_is_not_left_out(program: Program) -> None:
    program.look(SECOND)
    program.luck.voided({"list": "00" * 32, "missing": ["Ann"]})
    program.look(FIRST)
    program.look(FIRST, listed(FIRST, Share("Ann"), BOB))
    program.begin(Share("Ann"), BOB)
    assert program.warnings == []
