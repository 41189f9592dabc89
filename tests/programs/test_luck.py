"""An honest program notices if a server tries to choose the luck."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract.mixing import Share, share_of
from parlour_client.luck import Luck
from parlour_client.offers import Json
from tests.kit.garbled import ANY_SPEED, garbled
from tests.kit.honest_page import GAME, agreed, listed

FIRST, SECOND = "c1" * 32, "c2" * 32
OPEN = {"gameId": "K7QX2", "status": "open", "fairness": {"commitment": FIRST}}
BOB = Share("Bob", share_of(FIRST, "Bob", "b2" * 32), "b2" * 32)
OTHER = "The match began with values that we did not agree to."
TWICE = "This server tried to mix the same luck twice."
LEFT_OUT = "This server left us out of the luck."
AWAY = "While we were disconnected, the luck that we had agreed to was replaced."
SLANDERED = "This server says that we did not answer. We did."
EXPELLED = "This server says that we have left. We have not."
THROWN = "This server threw away a deal and gave no good reason."
LATE = "The luck was mixed without us, because our answer came too late."
RENAMED = "This server says that we have left or changed our name."


class Program:
    """A program named Ann, and what it warns of."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self.luck, self._log = Luck(), caplog
        caplog.set_level(logging.WARNING, "parlour_client")

    @property
    def warnings(self) -> list[str]:
        said = [one.getMessage() for one in self._log.records]
        return [one.removesuffix(" Do not trust this server.") for one in said]

    def show(self, commitment: str, mixing: Json | None = None, name: str = "Ann") -> list[Json]:
        """Show this to the program. Return what it sends."""
        data = self.data("open", commitment)
        if mixing is not None:
            data["mixing"] = {"list": mixing["list"], "seats": mixing["seats"]}
        self.luck.synced(data)
        sent = list(self.luck.answers(data, name))
        for one in sent:
            self.luck.confirmed(one)
        return sent

    def data(self, status: str, commitment: str, **more: Any) -> dict[str, Any]:
        fairness = {"commitment": commitment, **more.pop("fairness", {})}
        return {**OPEN, "status": status, "fairness": fairness, **GAME, **more}

    def opened(self, *others: Share) -> tuple[Share, ...]:
        """Return the seats of a match, once the program has opened its share."""
        (sent,) = self.show(FIRST)
        mine = Share("Ann", sent["share"])
        (answer,) = self.show(FIRST, listed(FIRST, mine, *others))
        return mine._replace(secret=answer["secret"]), *others

    def plays(self, commitment: str, *seats: Share) -> None:
        """Show a running match with these seats."""
        fairness = {
            "list": agreed(commitment, *seats)["list"],
            "secrets": [s.secret for s in seats],
        }
        self.luck.synced(self.data("playing", commitment, fairness=fairness))

    def begin(self, *seats: Share, **said: object) -> None:
        found = agreed(FIRST, *seats)
        fairness = {one: found[one] for one in ("list", "code", "seats")}
        self.luck.begun({"luck": 2, "commitment": FIRST, **fairness, **said})


@pytest.fixture
def program(caplog: pytest.LogCaptureFixture) -> Program:
    return Program(caplog)


def test_honest_server_causes_no_warning(program: Program) -> None:
    seats = program.opened(BOB)
    program.begin(*seats)
    program.plays(FIRST, *seats)
    program.show(SECOND)
    assert program.warnings == []


def test_other_name_does_not_allow_a_second_list(program: Program) -> None:
    program.opened(BOB)
    for name in ("Anna", "Ann"):
        assert program.show(FIRST, name=name) == []


def test_many_commitments_do_not_allow_a_second_list(program: Program) -> None:
    program.opened(BOB)
    for at in range(50):
        program.show(f"{at:064x}")
    assert program.show(FIRST) == []


def test_share_and_secret_are_sent_again_after_a_reconnect(program: Program) -> None:
    first = program.show(FIRST)
    assert program.show(FIRST) == []
    program.luck.reconnected()
    assert program.show(FIRST) == first
    found = listed(FIRST, Share("Ann", first[0]["share"]), BOB)
    opened = program.show(FIRST, found)
    assert program.show(FIRST, found) == []
    program.luck.reconnected()
    assert program.show(FIRST, found) == opened != []
    program.luck.reconnected()
    assert program.show(FIRST, listed(FIRST, BOB)) == []


def test_second_list_is_not_opened(program: Program) -> None:
    mine, bob = program.opened(BOB)
    assert program.show(FIRST, listed(FIRST, bob, mine)) == []
    assert program.warnings == [TWICE]


def test_list_cannot_be_dropped_in_silence(program: Program) -> None:
    program.opened(BOB)
    program.show(SECOND)
    assert program.warnings == [THROWN]


@pytest.mark.parametrize("missing", ["Ann", "Bob"])
def test_void_is_reported_if_we_have_answered(program: Program, missing: str) -> None:
    found = listed(FIRST, *program.opened(BOB))["list"]
    program.luck.voided({"list": found, "missing": [missing]})
    program.show(SECOND)
    assert program.warnings == ([SLANDERED] if missing == "Ann" else [])


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
    program.show(FIRST)
    program.begin(Share("Ann"), BOB)
    assert program.warnings == [LEFT_OUT]


def test_who_has_missed_a_list_is_not_left_out(program: Program) -> None:
    program.show(SECOND)
    void = {"list": "00" * 32, "missing": ["Ann"]}
    program.luck.synced(program.data("open", FIRST, luckVoids=[void]))
    program.luck.voided(void)
    data = program.data("open", FIRST, luckVoids=[void])
    assert list(program.luck.answers(data, "Ann"))
    data["mixing"] = listed(FIRST, Share("Ann"), BOB)
    program.luck.synced(data)
    assert not list(program.luck.answers(data, "Ann"))
    program.begin(Share("Ann"), BOB)
    assert program.warnings == [LATE]


def test_list_is_remembered_when_the_connection_is_lost(program: Program) -> None:
    seats = program.opened(BOB)
    program.luck.reconnected()
    program.luck.synced(program.data("open", FIRST, mixing=listed(FIRST, *seats)))
    assert program.warnings == []
    program.show(SECOND)
    assert program.warnings == [THROWN]


def ended(commitment: str, listed: str) -> Json:
    return {"outcome": {"fairness": {"commitment": commitment, "list": listed}}}


def begun(listed: str, *secrets: str) -> Json:
    return {"fairness": {"list": listed, "secrets": list(secrets)}}


RIGHT, WRONG, MINE = "right", "00" * 32, "mine"
FRIEND = "b2" * 32


@pytest.mark.parametrize(
    ("status", "commitment", "more", "warns"),
    [
        ("playing", FIRST, begun(RIGHT, MINE, FRIEND), []),
        ("playing", FIRST, begun(RIGHT, MINE, "77" * 32), [OTHER]),
        ("playing", FIRST, begun(RIGHT), [OTHER]),
        ("playing", FIRST, {"fairness": {"list": RIGHT}}, [OTHER]),
        ("playing", FIRST, begun(WRONG, MINE, FRIEND), [OTHER]),
        ("playing", FIRST, {}, [OTHER]),
        ("playing", SECOND, begun(RIGHT), [AWAY]),
        ("playing", SECOND, {"parked": "A sentence."}, []),
        ("open", SECOND, {}, [AWAY]),
        ("open", FIRST, {}, []),
        ("finished", SECOND, ended(FIRST, WRONG), [OTHER]),
        ("finished", SECOND, ended(SECOND, RIGHT), [AWAY]),
        ("open", SECOND, {"luckVoids": [{"list": RIGHT, "missing": ["Bob"]}]}, []),
        ("playing", SECOND, {"luckVoids": [{"list": RIGHT, "missing": ["Bob"]}]}, []),
        ("open", SECOND, {"luckVoids": [{"list": RIGHT, "missing": ["Ann"]}]}, [SLANDERED]),
        ("open", SECOND, {"luckVoids": [{"list": WRONG, "missing": ["Bob"]}]}, [AWAY]),
        ("open", SECOND, {"luckVoids": [{"list": RIGHT, "missing": ["Eve"]}]}, [AWAY]),
        ("open", SECOND, {"luckVoids": [{"list": RIGHT, "missing": [], "gone": ["Bob"]}]}, []),
    ],
)
def test_start_is_compared_after_a_reconnect(
    program: Program, status: str, commitment: str, more: Json, warns: list[str]
) -> None:
    mine, bob = program.opened(BOB)
    shown = json.dumps(program.data(status, commitment, **more))
    shown = shown.replace(f'"{RIGHT}"', f'"{listed(FIRST, mine, bob)["list"]}"')
    program.luck.reconnected()
    program.luck.synced(json.loads(shown.replace(f'"{MINE}"', f'"{mine.secret}"')))
    assert program.warnings == warns


@pytest.mark.parametrize(("secret", "warns"), [("b2", []), ("77", [OTHER])])
def test_seats_of_a_finished_match_are_compared_after_a_reconnect(
    program: Program, secret: str, warns: list[str]
) -> None:
    """A name may have changed. The secret under it must still open the share on our list."""
    mine, bob = program.opened(BOB)
    program.luck.reconnected()
    seats = [one._asdict() for one in (mine, bob._replace(username=None, secret=secret * 32))]
    fairness = {"commitment": FIRST, "list": listed(FIRST, mine, bob)["list"], "seats": seats}
    program.luck.synced(program.data("finished", SECOND, outcome={"fairness": fairness}))
    assert program.warnings == warns


def test_table_shown_again_from_memory_is_nothing_new(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = program.data("open", FIRST, mixing=listed(FIRST, *program.opened(BOB)))
    program.luck.reconnected()
    list(program.luck.answers(old, "Ann"))
    monkeypatch.setattr("parlour_client.luck.AWAY_SECONDS", 0)
    program.luck.synced(program.data("playing", SECOND))
    assert program.warnings == []


def test_list_of_a_table_that_was_left_is_forgotten(program: Program) -> None:
    program.opened(BOB)
    program.luck.left()
    other = {**program.data("open", SECOND), "gameId": "OTHER"}
    program.luck.synced(other)
    list(program.luck.answers(other, "Ann"))
    program.begin(Share("Bob"), luck=2, commitment=SECOND)
    assert program.warnings == []


def test_share_of_another_under_our_name_is_never_silent(program: Program) -> None:
    program.show(FIRST)
    forged = Share("Ann", share_of(FIRST, "Ann", "77" * 32), "77" * 32)
    program.begin(forged, BOB)
    assert program.warnings == ["Another program or page added to this match under our name."]


def test_match_without_our_name_is_noticed(program: Program) -> None:
    program.show(FIRST)
    program.begin(Share("Ann2"), BOB)
    assert program.warnings == [LEFT_OUT]


def test_match_that_begins_without_a_packet_is_noticed(program: Program) -> None:
    program.opened(BOB)
    program.luck.synced(program.data("playing", SECOND))
    assert program.warnings == [OTHER]


@pytest.mark.parametrize(
    ("missing", "gone", "warns"),
    [
        (["Bob"], [], []),
        ([], ["Bob"], []),
        ([], ["Cleo"], []),
        ([], [], [THROWN]),
        (["Nobody"], [], [THROWN]),
        (["Cleo"], [], [THROWN]),  # silent on the list
        ([], ["Nobody"], [THROWN]),
        (["Cleo"], None, []),  # from the previous version of the server
    ],
)
def test_void_names_somebody_who_was_on_the_list(
    program: Program, missing: list[str], gone: list[str] | None, warns: list[str]
) -> None:
    found = listed(FIRST, *program.opened(BOB, Share("Cleo")))["list"]
    void = {"list": found, "missing": missing} | ({} if gone is None else {"gone": gone})
    program.luck.voided(void)
    program.show(SECOND)
    assert program.warnings == warns


def void_next(program: Program, at: int, *missing: str, adds: str = "Bob") -> None:
    """Show a list with the shares of the program and another player, and then declare it void."""
    commitment = f"{at + 1:064x}"
    (sent,) = program.show(commitment)
    other = Share(adds, share_of(commitment, adds, "b2" * 32))
    found = listed(commitment, Share("Ann", sent["share"]), other)
    assert program.show(commitment, found)
    program.luck.voided({"list": found["list"], "missing": list(missing), "gone": []})


def test_fourth_void_list_before_a_match_is_noticed(program: Program) -> None:
    for at, name in enumerate(("Bob", "Cleo", "Dan")):
        void_next(program, at, name, adds=name)
    assert program.warnings == []
    void_next(program, 3, "Eve", adds="Eve")
    assert program.warnings == [THROWN]


def test_match_ends_the_count_of_void_lists(program: Program) -> None:
    for at in range(6):
        void_next(program, 2 * at, "Bob")
        commitment = f"{2 * at + 2:064x}"
        (sent,) = program.show(commitment)
        mine, bob = Share("Ann", sent["share"]), Share("Bob")
        (answer,) = program.show(commitment, listed(commitment, mine, bob))
        seats = mine._replace(secret=answer["secret"]), bob
        program.luck.begun({"luck": 2, **agreed(commitment, *seats)})
        program.plays(commitment, *seats)
    assert program.warnings == []


@pytest.mark.parametrize(
    "how",
    [
        "match is over at once",
        "only an outcome",
        "unknown match runs",
        "unknown match begins",
        "erased",
        "another name",
    ],
)
def test_fourth_lost_list_is_noticed_whatever_the_reason(program: Program, how: str) -> None:
    name, more = "Ann", Json()
    for at in range(1, 5):
        commitment = f"{at:064x}"
        program.luck.synced(program.data("open", commitment, you=name, **more))
        (sent,) = program.show(commitment, name=name)
        bob = BOB._replace(share=share_of(commitment, "Bob", "b2" * 32))
        mine = Share(name, sent["share"])
        found = listed(commitment, mine, bob)
        (answer,) = program.show(commitment, found, name)
        begun = agreed(commitment, mine._replace(secret=answer["secret"]), bob)
        void = {"list": found["list"], "missing": ["Bob"], "gone": []}
        more = Json()
        match how:
            case "match is over at once":
                program.luck.begun({"luck": 2, **begun})
            case "only an outcome":
                more = {"outcome": {"fairness": begun}}
            case "unknown match runs":
                program.luck.voided(void)
                program.luck.synced(program.data("playing", f"{at + 900:064x}"))
            case "unknown match begins":
                program.luck.voided(void)
                program.luck.begun({"commitment": f"{at + 900:064x}"})
            case "erased":
                program.luck.voided({**void, "missing": [], "gone": ["former player"]})
            case "another name":
                program.luck.voided({**void, "missing": [], "gone": [name]})
                name = f"Ann{at}"
        program.luck.synced(program.data("open", f"{at + 1:064x}", you=name, **more))
        assert (THROWN in program.warnings) == (at > 3)
        assert program.warnings.count(RENAMED) == (at if how == "another name" else 0)


def test_another_table_is_no_reason_to_drop_a_list(program: Program) -> None:
    program.opened(BOB)
    program.luck.synced({**program.data("open", SECOND), "gameId": "OTHER"})
    assert program.warnings == [THROWN]


def test_invented_lists_are_not_counted(program: Program) -> None:
    seats = program.opened(BOB)
    for at in range(9):
        program.luck.voided({"list": f"{at:064x}", "missing": ["Bob"], "gone": []})
    program.begin(*seats)
    assert program.warnings == []


@pytest.mark.parametrize("is_late", [True, False])
def test_share_that_is_never_confirmed_is_left_out_with_a_warning(
    program: Program, monkeypatch: pytest.MonkeyPatch, is_late: bool
) -> None:
    monkeypatch.setattr("parlour_client.luck.PATIENCE_SECONDS", 5 if is_late else -1)
    for at in range(1, 4):
        commitment = f"{at:064x}"
        for mixing in (None, listed(commitment, Share("Ann"), BOB)):
            data = program.data("open", commitment) | ({"mixing": mixing} if mixing else {})
            program.luck.synced(data)
            list(program.luck.answers(data, "Ann"))
        program.luck.begun({"luck": 2, **agreed(commitment, Share("Ann"), BOB)})
        assert program.warnings == [LATE if is_late else LEFT_OUT] * at


def test_commitment_that_we_never_saw_is_not_silent(program: Program) -> None:
    data = program.data("open", FIRST, mixing=listed(FIRST, Share("Ann"), BOB))
    program.luck.synced(data)
    assert list(program.luck.answers(data, "Ann")) == []
    program.begin(Share("Ann"), BOB)
    assert program.warnings == [LATE]


def test_match_that_runs_without_our_share_is_noticed(program: Program) -> None:
    program.show(FIRST)
    program.luck.synced(program.data("playing", FIRST, fairness={"list": "00" * 32}))
    assert program.warnings == [LEFT_OUT]


def test_who_was_renamed_may_add_again_under_the_old_name(program: Program) -> None:
    void = {"list": listed(FIRST, *program.opened(BOB))["list"], "missing": [], "gone": ["Bob"]}
    program.luck.voided(void)
    (sent,) = program.show(SECOND)
    bob = BOB._replace(share=share_of(SECOND, "Bob", "b2" * 32))
    assert program.show(SECOND, listed(SECOND, Share("Ann", sent["share"]), bob))
    assert program.warnings == []


def test_void_list_cannot_begin(program: Program) -> None:
    seats = program.opened(BOB)
    found = agreed(FIRST, *seats)["list"]
    program.luck.voided({"list": found, "missing": ["Bob"], "gone": []})
    program.begin(*seats)
    assert program.warnings == [TWICE]


def test_program_that_has_not_left_says_so(program: Program) -> None:
    found = listed(FIRST, *program.opened(BOB))["list"]
    program.luck.voided({"list": found, "missing": [], "gone": ["Ann"]})
    program.luck.synced(program.data("open", SECOND, you="Ann"))
    assert program.warnings == [EXPELLED]


@pytest.mark.parametrize("name", ["Ann", "Anna"])
def test_program_that_left_or_was_renamed_was_not_expelled(program: Program, name: str) -> None:
    void = {"list": listed(FIRST, *program.opened(BOB))["list"], "missing": [], "gone": ["Ann"]}
    if name == "Ann":
        program.luck.left()
    else:
        program.luck.voided(void)
    program.luck.synced(program.data("open", SECOND, you=name, luckVoids=[void]))
    assert program.warnings == ([] if name == "Ann" else [RENAMED])


def test_match_of_version_1_is_noticed_after_a_share(program: Program) -> None:
    program.show(FIRST)
    program.luck.begun({"commitment": FIRST})
    assert program.warnings == [LEFT_OUT]


def test_commitment_cannot_be_replaced_in_silence(program: Program) -> None:
    program.show(FIRST)
    program.show(SECOND)
    assert program.warnings == [THROWN]


def test_match_of_an_unknown_commitment_is_noticed(program: Program) -> None:
    program.show(FIRST)
    program.luck.begun({"luck": 2, **agreed(SECOND, Share("Ann"), BOB)})
    assert program.warnings == [OTHER, LATE]


def test_program_that_has_just_come_warns_of_nothing(program: Program) -> None:
    for status in ("open", "playing", "finished"):
        program.luck.synced(program.data(status, FIRST))
    program.luck.begun({"commitment": FIRST})
    program.begin(Share("Ann"), BOB)
    assert program.warnings == []


def test_program_that_was_away_for_long_warns_of_nothing(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.opened(BOB)
    program.luck.reconnected()
    monkeypatch.setattr("parlour_client.luck.AWAY_SECONDS", 0)
    program.luck.synced(program.data("playing", SECOND))
    assert program.warnings == []


def test_another_table_is_not_compared_with_this_one(program: Program) -> None:
    program.opened(BOB)
    program.luck.left()
    program.luck.synced({**program.data("open", SECOND), "gameId": "OTHER"})
    assert program.warnings == []


@pytest.mark.parametrize("is_known", [True, False])
@ANY_SPEED
@given(st.data())
def test_malformed_packets_raise_nothing(is_known: bool, data: st.DataObject) -> None:
    luck = Luck()
    (sent,) = luck.answers(table := {**OPEN, **GAME}, "Ann")
    mine = Share("Ann", sent["share"])
    mixing = listed(FIRST, mine, BOB)
    if is_known:
        luck.confirmed(sent)
    if data.draw(st.booleans()):
        assert list(luck.answers({**table, "mixing": mixing}, "Ann"))
    void = {"list": mixing["list"], "missing": ["Ann"]}
    whole = {**table, "mixing": mixing, "luckVoids": [void], **ended(FIRST, mixing["list"])}
    start = {"luck": 2, "commitment": FIRST, **agreed(FIRST, mine, BOB)}
    luck.synced(shown := data.draw(garbled(whole)))
    list(luck.answers(shown, data.draw(garbled("Ann"))))
    luck.voided(data.draw(garbled(void)))
    luck.begun(data.draw(garbled(start)))
