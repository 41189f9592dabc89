"""A server that controls everything but an honest page cannot choose the luck unseen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract.mixing import Share, code_of, share_of
from tests.kit.garbled import ANY_SPEED, garbled
from tests.kit.honest_page import SENTENCES, HonestPage, Storage, agreed, listed

FIRST, SECOND = "c1" * 32, "c2" * 32
SECRET = "b2" * 32


def friend(commitment: str, secret: str = SECRET) -> Share:
    """Return a seat of a friend of the server, with its secret."""
    return Share("Bär", share_of(commitment, "Bär", secret), secret)


@pytest.fixture
def page() -> Iterator[HonestPage]:
    with HonestPage() as page:
        yield page


@pytest.fixture(scope="module")
def garbling() -> Iterator[HonestPage]:
    with HonestPage() as page:
        yield page


def opened(page: HonestPage, commitment: str = FIRST) -> tuple[Share, Share]:
    """Return the seats of a match, once the page has opened its share."""
    mine, other = page.share(commitment), friend(commitment)
    secret = page.open(commitment, mine, other)
    assert secret is not None
    return mine._replace(secret=secret), other


def test_honest_server_raises_no_alarm(page: HonestPage) -> None:
    seats = opened(page)
    page.show(agreed=agreed(FIRST, *seats))
    page.show()
    opened(page, SECOND)
    assert page.alarms == []


@pytest.mark.parametrize("storage", ["works", "absent", "full"])
def test_void_list_is_followed_by_another_share(storage: Storage) -> None:
    with HonestPage(storage=storage) as page:
        seats = opened(page)
        void = {"list": listed(FIRST, *seats)["list"], "missing": ["Bär"]}
        (sent,) = page.show(SECOND, voids=[void])
        assert sent["do"] == "CommitLuck"
        mine = Share("Ann", sent["share"])
        (sent,) = page.show(SECOND, listed(SECOND, mine, Share("Bär")), [void])
        final = [mine._replace(secret=sent["secret"]), Share("Bär")]
        page.show(voids=[void], agreed=agreed(SECOND, *final))
        assert page.alarms == []


def test_second_list_for_a_commitment_is_not_opened(page: HonestPage) -> None:
    mine, _ = opened(page)
    assert page.open(FIRST, mine, friend(FIRST, "b3" * 32)) is None
    assert page.alarms == ["twice"]


@pytest.mark.parametrize("reload", [False, True])
def test_other_name_does_not_allow_a_second_list(page: HonestPage, reload: bool) -> None:
    opened(page)
    for page.name in ("Anna", "Ann"):
        assert page.show(FIRST, reload=reload) == []


@pytest.mark.parametrize("reload", [False, True])
def test_many_commitments_do_not_allow_a_second_list(page: HonestPage, reload: bool) -> None:
    opened(page)
    for at in range(50):
        page.show(f"{at:064x}")
    assert page.show(FIRST, reload=reload) == []


def test_list_cannot_be_dropped_in_silence(page: HonestPage) -> None:
    opened(page)
    page.show(SECOND)
    assert page.alarms == ["thrown"]


def test_list_cannot_be_dropped_after_another_void(page: HonestPage) -> None:
    opened(page)
    page.show(SECOND, voids=[{"list": "00" * 32, "missing": ["Bär"]}])
    assert page.alarms == ["thrown"]


def test_page_that_has_answered_says_so(page: HonestPage) -> None:
    seats = opened(page)
    page.show(SECOND, voids=[{"list": listed(FIRST, *seats)["list"], "missing": ["Ann"]}])
    assert page.alarms == ["slandered"]


def test_page_that_missed_a_void_learns_of_it_when_the_match_begins(page: HonestPage) -> None:
    seats = opened(page)
    void = {"list": listed(FIRST, *seats)["list"], "missing": ["Bär"]}
    page.show(voids=[void], agreed=agreed(SECOND, Share("Ann"), Share("Bär")), again=True)
    assert page.alarms == ["late"]


def test_list_with_another_hash_is_not_opened(page: HonestPage) -> None:
    mine = page.share(FIRST)
    for change in ({"options": {"lives": 5}}, {"game": "coup"}, {"list": "00" * 32}):
        assert page.show(FIRST, {**listed(FIRST, mine, friend(FIRST)), **change}) == []
    assert page.alarms == ["leftOut"]


def test_replaced_share_is_not_opened(page: HonestPage) -> None:
    page.share(FIRST)
    assert page.open(FIRST, Share("Ann", friend(FIRST).share)) is None
    assert page.alarms == ["other"]


def test_other_secret_than_the_one_on_the_list_is_noticed(page: HonestPage) -> None:
    mine, other = opened(page)
    said = agreed(FIRST, mine, other._replace(secret="b3" * 32))
    page.show(agreed={**said, "list": listed(FIRST, mine, other)["list"]})
    assert page.alarms == ["leftOut"]


def test_secret_cannot_be_dropped_at_the_start(page: HonestPage) -> None:
    mine, other = opened(page)
    page.show(agreed=agreed(FIRST, mine, other._replace(secret=None)))
    assert page.alarms == ["leftOut"]


def test_match_with_another_list_is_noticed(page: HonestPage) -> None:
    mine, _ = opened(page)
    page.show(agreed=agreed(FIRST, mine, friend(FIRST, "b3" * 32)))
    assert page.alarms == ["leftOut"]


@pytest.mark.parametrize("seats", [[Share("Ann"), friend(FIRST)], [friend(FIRST)], [Share("Ann")]])
def test_match_without_the_share_is_noticed(page: HonestPage, seats: list[Share]) -> None:
    page.share(FIRST)
    page.show(FIRST)
    page.show(agreed=agreed(FIRST, *seats))
    assert page.alarms == ["leftOut"]


def test_share_left_out_of_the_list_is_noticed(page: HonestPage) -> None:
    page.share(FIRST)
    page.open(FIRST, Share("Ann"), friend(FIRST))
    assert page.alarms == ["leftOut"]


def test_who_watches_is_not_left_out(page: HonestPage) -> None:
    page.plays = False
    page.share(FIRST)
    assert page.open(FIRST, friend(FIRST)) is None
    page.show(agreed=agreed(FIRST, friend(FIRST)))
    assert page.alarms == []


def test_share_is_sent_again_after_a_reconnect(page: HonestPage) -> None:
    share = page.share(FIRST).share
    (sent,) = page.show(FIRST, again=True)
    assert sent["share"] == share


def test_share_and_secret_are_sent_once_a_connection(page: HonestPage) -> None:
    """After a reconnect, the region may stay the same for long."""
    mine, other = opened(page)
    for again, count in [(False, 0), (True, 1), (False, 0), (False, 0), (True, 1), (False, 0)]:
        assert len(page.show(FIRST, listed(FIRST, mine, other), again=again)) == count
    page.share(SECOND)
    for again, count in [(False, 0), (True, 1), (False, 0)]:
        assert len(page.show(SECOND, again=again)) == count


def forged(commitment: str, mine: Share, other: Share) -> dict[str, Any]:
    """Return a match with the list that was opened, and another secret of the friend."""
    shown = agreed(commitment, mine, friend(commitment))
    rows = [one._asdict() for one in (mine, other)]
    return {**shown, "code": code_of(shown["list"], [mine, other]), "seats": rows}


def later(begun: dict[str, Any]) -> dict[str, Any]:
    """Return what is shown of a match after its first act."""
    shown = {key: value for key, value in begun.items() if key != "seats"}
    return {**shown, "secrets": [one["secret"] for one in begun["seats"]]}


RIGHT, WRONG = "right", "00" * 32
BAD = [{"list": WRONG, "missing": ["B\u00e4r"]}]
VOID = [{"list": RIGHT, "missing": ["B\u00e4r"]}]
BLAMED = [{"list": RIGHT, "missing": ["Ann"]}]


@pytest.mark.parametrize("how", ["again", "reload"])
@pytest.mark.parametrize(
    ("commitment", "more", "alarms"),
    [
        ("", {"agreed": "match"}, []),
        ("", {"agreed": "forged"}, ["leftOut"]),
        ("", {"agreed": "later"}, []),
        ("", {"agreed": "forged later"}, ["leftOut"]),
        ("", {"agreed": {"commitment": FIRST, "list": RIGHT, "secrets": [7, "x"]}}, ["leftOut"]),
        ("", {"agreed": {"commitment": FIRST, "list": RIGHT}}, ["leftOut"]),
        ("", {"agreed": {"commitment": FIRST, "list": WRONG}}, ["leftOut"]),
        ("", {"agreed": {"commitment": FIRST}}, ["leftOut"]),
        ("", {}, ["away"]),
        ("", {"agreed": {"commitment": SECOND, "list": WRONG}}, ["away"]),
        ("", {"more": {"parked": "yes"}}, []),
        (SECOND, {"agreed": "match"}, ["brief"]),
        (SECOND, {"agreed": "forged"}, ["leftOut"]),
        (SECOND, {"agreed": {"commitment": FIRST, "list": WRONG}}, ["leftOut"]),
        (SECOND, {"voids": VOID}, []),
        (SECOND, {"voids": BLAMED}, ["slandered"]),
        (SECOND, {"voids": BAD}, ["away"]),
        (SECOND, {}, ["away"]),
        (FIRST, {}, []),
        ("", {"voids": VOID, "agreed": {"commitment": SECOND, "list": WRONG}}, []),
    ],
)
def test_start_is_compared_by_a_page_that_comes_back(
    page: HonestPage, how: str, commitment: str, more: dict[str, Any], alarms: list[str]
) -> None:
    mine, other = opened(page)
    shown = listed(FIRST, mine, other)["list"]
    given = json.loads(json.dumps(more).replace(f'"{RIGHT}"', f'"{shown}"'))
    match given.get("agreed"):
        case "match":
            given["agreed"] = agreed(FIRST, mine, other)
        case "later":
            given["agreed"] = later(agreed(FIRST, mine, other))
        case "forged later":
            given["agreed"] = later(forged(FIRST, mine, other._replace(secret="77" * 32)))
        case "forged":
            given["agreed"] = forged(FIRST, mine, other._replace(secret="77" * 32))
    page.show(commitment, **given, **{how: True})
    assert page.alarms == alarms


@pytest.mark.parametrize("shown", [{}, {"agreed": {"commitment": SECOND, "list": WRONG}}])
def test_match_that_begins_without_an_agreement_is_noticed(
    page: HonestPage, shown: dict[str, Any]
) -> None:
    opened(page)
    page.show(**shown)
    assert page.alarms == ["leftOut"]


def test_page_that_has_just_come_raises_no_alarm(page: HonestPage) -> None:
    page.show(agreed=agreed(FIRST, Share("Ann"), friend(FIRST)))
    page.show()
    page.show(SECOND, agreed={"commitment": FIRST, "list": WRONG})
    assert page.alarms == []


def test_page_that_was_away_for_long_raises_no_alarm(page: HonestPage) -> None:
    opened(page)
    page.time += 300_000
    page.show(SECOND, agreed={"commitment": WRONG, "list": WRONG}, reload=True)
    assert page.alarms == []


def test_alarm_is_shown_again_after_a_reload(page: HonestPage) -> None:
    opened(page)
    page.show(SECOND)
    for _ in range(2):
        page.alarms.clear()
        page.show(SECOND, reload=True)
        assert page.alarms == ["thrown"]


def test_tabs_share_what_they_opened(page: HonestPage) -> None:
    mine, other = page.share(FIRST), friend(FIRST)
    assert page.show(FIRST, reload=True)[0]["share"] == mine.share
    assert page.open(FIRST, mine, other)
    assert page.show(FIRST, listed(FIRST, mine, other), reload=True)[0]["do"] == "RevealLuck"
    assert page.show(FIRST, listed(FIRST, other, mine), reload=True) == []
    assert page.alarms == ["twice"]


def test_tab_opens_its_own_share_though_another_has_stored_one(page: HonestPage) -> None:
    mine = page.share(FIRST)
    theirs = Share("Ann", share_of(FIRST, "Ann", SECRET), SECRET)
    part = {"at": 0, "name": "Ann", "share": theirs.share, "secret": SECRET}
    page.show(FIRST, stores={f"luck:{FIRST}": json.dumps(part)})
    assert page.open(FIRST, mine, friend(FIRST)) not in (None, SECRET)
    assert page.alarms == []


def test_storage_is_bounded(page: HonestPage) -> None:
    garbage = {f"luck:{at}": text for at, text in enumerate(("", "null", "7", "{", "[]", '"x"'))}
    page.show(FIRST, stores={**garbage, "luck:part": '{"at": "x", "list": 7}', "draft": "kept"})
    for at in range(60):
        page.share(f"{at:064x}")
    assert len([key for key in page.stored if key.startswith("luck:")]) == 40
    assert page.stored["draft"] == "kept"
    assert sum(map(len, page.stored.values())) < 20_000


@pytest.mark.parametrize("garbage", ["", "null", "7", "{", "[]", '{"list": 7, "secret": ""}'])
def test_garbage_in_storage_is_ignored(page: HonestPage, garbage: str) -> None:
    stores = {f"luck:{FIRST}": garbage, "luck:x": garbage}
    (sent,) = page.show(FIRST, stores=stores)
    assert page.open(FIRST, Share("Ann", sent["share"]), friend(FIRST))
    assert page.alarms == []


@pytest.mark.parametrize("garbage", ["{", "null", "7", "[]", '[{"list": 7}]', '{"seats": [null]}'])
def test_malformed_values_hide_no_cheating(page: HonestPage, garbage: str) -> None:
    page.share(SECOND)
    assert page.show(SECOND, garbage, garbage, garbage) == []
    assert page.alarms == ["leftOut"]
    opened(page)
    page.show("", None, garbage, garbage)
    assert page.alarms == ["leftOut", "thrown", "leftOut"]  # SECOND was dropped, then FIRST


@pytest.mark.slow
@ANY_SPEED
@given(data=st.data())
def test_garbled_values_stop_no_page(garbling: HonestPage, data: st.DataObject) -> None:
    commitment = data.draw(st.binary(min_size=32, max_size=32)).hex()
    sent = garbling.show(commitment)
    mine = Share("Ann", sent[0]["share"] if sent else friend(commitment).share)
    found = listed(commitment, mine, friend(commitment))
    garbling.show(
        commitment,
        json.dumps(data.draw(garbled(found))),
        json.dumps(data.draw(garbled([{"list": found["list"], "missing": ["Ann"]}]))),
        json.dumps(data.draw(garbled(agreed(FIRST, mine, friend(FIRST))))),
    )
    garbling.show("", agreed=json.dumps(data.draw(garbled(agreed(FIRST, friend(FIRST))))))


def test_name_that_is_said_to_have_changed_frees_no_secret(page: HonestPage) -> None:
    """The server knows this page's secret before it reports another one for its friend."""
    mine, other = opened(page)
    page.show(agreed=forged(FIRST, mine, Share(None, other.share, "77" * 32)))
    assert page.alarms == ["leftOut"]


@pytest.mark.parametrize("commitment", [FIRST, SECOND])
def test_share_of_another_under_our_name_is_never_silent(page: HonestPage, commitment: str) -> None:
    page.share(FIRST)
    page.show(FIRST)
    forged = Share("Ann", share_of(commitment, "Ann", "77" * 32), "77" * 32)
    page.show(agreed=agreed(commitment, forged, friend(commitment)))
    assert page.alarms == (["other"] if commitment == FIRST else ["leftOut", "late"])


def test_our_share_with_another_secret_is_noticed(page: HonestPage) -> None:
    mine = page.share(FIRST)
    page.show(FIRST)
    page.show(agreed=agreed(FIRST, mine._replace(secret="77" * 32), friend(FIRST)))
    assert page.alarms == ["leftOut"]


def test_void_without_a_list_hides_nothing(page: HonestPage) -> None:
    mine = page.share(FIRST)
    page.show(FIRST)
    begun = agreed(FIRST, mine._replace(secret="77" * 32), friend(FIRST))
    page.show(voids=[{"missing": []}], agreed=begun)
    assert page.alarms == ["leftOut"]


def test_void_list_cannot_begin_with_the_same_commitment(page: HonestPage) -> None:
    void = {"list": listed(FIRST, *opened(page))["list"], "missing": ["Bär"]}
    page.show(voids=[void], agreed=agreed(FIRST, Share("Ann"), friend(FIRST)))
    assert page.alarms == ["twice"]


def test_tabs_with_two_names_open_one_list(page: HonestPage) -> None:
    mine = page.share(FIRST)
    other = {"at": 1, "room": "k7qx2", "name": "Anna", "secret": SECRET, "list": "ab" * 32}
    other["share"] = share_of(FIRST, "Anna", SECRET)
    page.show(FIRST, stores={f"luck:{FIRST}": json.dumps(other)})
    assert page.open(FIRST, mine, friend(FIRST)) is None


def test_region_of_the_former_connection_is_nothing_new(page: HonestPage) -> None:
    """When a socket opens again, the page looks at its old region first."""
    mine, other = opened(page)
    page.time += 3_600_000
    page.show(FIRST, listed(FIRST, mine, other), again=True)
    page.show(SECOND, agreed={"commitment": "c3" * 32, "list": "00" * 32})
    assert page.alarms == []


def test_share_that_was_too_late_stays_so(page: HonestPage) -> None:
    """A list may stand for long, for example while another process becomes the leader."""
    page.share(FIRST)
    page.time -= 59_900
    shown = listed(FIRST, Share("Ann"), friend(FIRST))
    page.show(FIRST, shown)
    page.time -= 54_000
    page.show(FIRST, shown)
    page.show(agreed=agreed(FIRST, Share("Ann"), friend(FIRST)))
    assert page.alarms == ["late"]


def test_list_is_kept_although_others_seem_newer(page: HonestPage) -> None:
    part = {"at": 10**13, "room": "x", "name": "Ann", "share": "aa" * 32, "list": "cc" * 32}
    kept = {f"luck:{at:064x}": json.dumps({**part, "isOver": True}) for at in range(40)}
    (sent,) = page.show(FIRST, stores=kept)
    assert page.open(FIRST, Share("Ann", sent["share"]), friend(FIRST))
    assert f"luck:{FIRST}" in page.stored


def test_list_is_found_at_any_spelling_of_the_address(page: HonestPage) -> None:
    opened(page)
    page.show(SECOND, reload=True, path="/t/k7qx2")
    assert page.alarms == ["away"]


@pytest.mark.parametrize(
    ("missing", "gone", "alarms"),
    [
        (["Bär"], [], []),
        ([], ["Bär"], []),
        ([], ["Fay"], []),
        ([], [], ["thrown"]),
        (["Nobody"], [], ["thrown"]),
        (["Fay"], [], ["thrown"]),  # silent on the list
        ([], ["Nobody"], ["thrown"]),
        (["Fay"], None, []),  # from the previous version of the server
        ([], ["Ann"], ["removed"]),
    ],
)
def test_void_names_somebody_who_was_on_the_list(
    page: HonestPage, missing: list[str], gone: list[str] | None, alarms: list[str]
) -> None:
    seats = page.share(FIRST), friend(FIRST), Share("Fay")
    assert page.open(FIRST, *seats)
    void = {"list": listed(FIRST, *seats)["list"], "missing": missing}
    page.show(SECOND, voids=[void | ({} if gone is None else {"gone": gone})])
    assert page.alarms == alarms


def test_page_says_why_a_list_is_void_until_it_has_seen_its_match(page: HonestPage) -> None:
    found = listed(FIRST, *opened(page))["list"]
    void = {"list": found, "missing": ["Bär", "Eve"], "gone": ["Fay"]}
    (sent,) = page.show(SECOND, voids=[void])
    assert page.told.split() == ["missing:", "Bär,", "Eve", "gone:", "Fay"]
    page.show(SECOND, agreed={"commitment": WRONG}, voids=[])
    mine = Share("Ann", sent["share"])
    secret = page.open(SECOND, mine)
    match = agreed(SECOND, mine._replace(secret=secret))
    page.show(agreed=match)
    assert page.told != ""
    page.show("c3" * 32, agreed=match)
    assert (page.told, page.alarms) == ("", [])


def test_warning_about_a_void_list_is_shown_again_after_a_reload(page: HonestPage) -> None:
    for at in range(4):
        void_next(page, at, "Bär")
    page.alarms.clear()
    page.show(f"{5:064x}", reload=True)
    assert page.alarms == ["thrown"]


def test_who_was_renamed_may_add_again_under_the_old_name(page: HonestPage) -> None:
    seats = opened(page)
    void = {"list": listed(FIRST, *seats)["list"], "missing": [], "gone": ["Bär"]}
    (sent,) = page.show(SECOND, voids=[void])
    assert page.open(SECOND, Share("Ann", sent["share"]), friend(SECOND))
    assert page.alarms == []


def test_list_with_too_many_seats_is_malformed(page: HonestPage) -> None:
    mine = page.share(FIRST)
    seats = [mine, *[Share("Bot")] * 200_000]
    rows = [{"username": one.username, "share": one.share} for one in seats]
    page.show(FIRST, {**listed(FIRST, mine), "seats": rows})
    assert page.alarms == ["leftOut"]


def test_who_leaves_and_comes_back_was_not_slandered(page: HonestPage) -> None:
    found = listed(FIRST, *opened(page))["list"]
    void = {"list": found, "missing": [], "gone": ["Ann"]}
    page.show(SECOND, voids=[void], reload=True)
    assert page.alarms == []


def test_who_is_renamed_is_told_so(page: HonestPage) -> None:
    found = listed(FIRST, *opened(page))["list"]
    page.name = "Guest 5"
    page.show(SECOND, voids=[{"list": found, "missing": [], "gone": ["Ann"]}])
    assert page.alarms == ["removed"]
    assert "alarm" not in page.stored[f"luck:{FIRST}"]


def void_next(page: HonestPage, at: int, name: str) -> None:
    """Show a list with the shares of the page and a friend, and then declare it void."""
    first, second = f"{at + 1:064x}", f"{at + 2:064x}"
    share = json.loads(page.stored[f"luck:{first}"])["share"] if at else page.share(first).share
    other = Share(name, share_of(first, name, SECRET))
    assert page.open(first, Share("Ann", share), other)
    found = listed(first, Share("Ann", share), other)["list"]
    page.show(second, voids=[{"list": found, "missing": [name], "gone": []}])


def test_fourth_void_list_before_a_match_is_noticed(page: HonestPage) -> None:
    for at in range(3):  # naming the same player again, who may have come back
        void_next(page, at, "Bär")
    assert page.alarms == []
    void_next(page, 3, "Bär")
    assert page.alarms == ["thrown"]


def lost_lists(page: HonestPage, how: str) -> None:
    """Let a server throw away four lists without an accomplice that the page could name twice."""
    (sent,) = page.show(f"{1:064x}")
    for at in range(1, 5):
        commitment, after = f"{at:064x}", f"{at + 1:064x}"
        mine, other, bot = Share(page.name, sent["share"]), friend(commitment), Share("Ada (bot)")
        secret = page.open(commitment, mine, other, bot)
        assert secret is not None
        void = {"list": listed(commitment, mine, other, bot)["list"], "missing": [], "gone": []}
        match how:
            case "match in one update":
                seats = mine._replace(secret=secret), other, bot
                (sent,) = page.show(after, agreed=agreed(commitment, *seats))
            case "unknown match":
                void["missing"] = ["Bär"]
                (sent,) = page.show(after, voids=[void])
                page.show(after, agreed={"commitment": f"{at + 900:064x}"})
            case "reload":
                void["missing"] = ["Bär"]
                (sent,) = page.show(after, voids=[void])
                page.show(after, reload=True)
            case "another name":
                void["gone"], page.name = [page.name], f"Ann{at}"
                (sent,) = page.show(after, voids=[void])
            case "bot":
                void["gone"] = ["Ada (bot)"]
                (sent,) = page.show(after, voids=[void])
            case "erased":
                void["gone"] = ["former player"]
                (sent,) = page.show(after, voids=[void])
        assert ("thrown" in page.alarms) == (at > 3), at


@pytest.mark.parametrize(
    "how", ["match in one update", "unknown match", "reload", "another name", "bot", "erased"]
)
def test_fourth_lost_list_is_noticed_whatever_the_reason(page: HonestPage, how: str) -> None:
    lost_lists(page, how)


def test_fourth_lost_list_is_noticed_without_storage() -> None:
    with HonestPage(storage="absent") as page:
        lost_lists(page, "bot")


def test_matches_before_the_count_was_stored_are_not_lost(page: HonestPage) -> None:
    """Scripts before this one did not store whether they saw a match."""
    one = {"room": "k7qx2", "name": "Ann", "share": SECRET, "secret": SECRET, "list": SECRET}
    one |= {"isOver": True}
    page.show(stores={f"luck:{at + 50:064}": json.dumps(one | {"at": at}) for at in range(9)})
    void_next(page, 0, "Bär")
    assert page.alarms == []


@pytest.mark.parametrize("seconds", [1, 9, 11])
def test_match_that_was_over_at_once_is_never_silent(page: HonestPage, seconds: int) -> None:
    match = agreed(FIRST, *opened(page))
    page.show(agreed=match)
    page.time -= 60_000 - seconds * 1000
    page.show(SECOND, agreed=match)
    page.show(SECOND, reload=True)
    assert page.alarms == ([] if seconds > 10 else ["brief"])
    assert page.serious == []


def test_match_seen_in_another_tab_is_not_lost(page: HonestPage) -> None:
    match = agreed(FIRST, *opened(page))
    part = json.loads(page.stored[f"luck:{FIRST}"]) | {"isOver": True, "played": 7}
    page.show(SECOND, agreed=match, again=True, stores={f"luck:{FIRST}": json.dumps(part)})
    assert page.alarms == []
    assert json.loads(page.stored[f"luck:{FIRST}"])["played"] == 7


@pytest.mark.parametrize("names", ["B", None, 7, {"Bär": 1}, [["Bär"]], [7]])
@pytest.mark.parametrize("which", ["missing", "gone"])
def test_names_that_are_no_list_of_texts_are_no_reason(
    page: HonestPage, which: str, names: Any
) -> None:
    void = {"list": listed(FIRST, *opened(page))["list"], "missing": ["Bär"], "gone": ["Bär"]}
    page.show(SECOND, voids=[{**void, which: names}])
    assert page.alarms == ["thrown"]


def test_page_that_never_saw_the_commitment_says_so_each_time(page: HonestPage) -> None:
    page.show()
    for at in range(1, 4):
        commitment = f"{at:064x}"
        seats = Share("Ann"), friend(commitment)
        page.show(commitment, listed(commitment, *seats))
        page.show(agreed=agreed(commitment, *seats))
        assert page.alarms == ["late"] * at


def test_share_that_is_always_too_late_is_never_silent(page: HonestPage) -> None:
    for at in range(1, 4):
        commitment = f"{at:064x}"
        page.show(commitment)
        page.time -= 59_000
        seats = Share("Ann"), friend(commitment)
        page.show(commitment, listed(commitment, *seats))
        page.show(agreed=agreed(commitment, *seats))
        assert page.alarms == ["late"] * at


def test_player_who_is_shown_as_watching_is_not_left_out_in_silence(page: HonestPage) -> None:
    page.share(FIRST)
    page.plays = False
    page.show(FIRST, listed(FIRST, friend(FIRST)))
    page.show(agreed=agreed(FIRST, friend(FIRST)))
    page.plays = True
    page.show(agreed=agreed(FIRST, Share("Ann"), friend(FIRST)))
    assert page.alarms == ["late"]


def test_erased_account_is_a_reason(page: HonestPage) -> None:
    found = listed(FIRST, *opened(page))["list"]
    page.show(SECOND, voids=[{"list": found, "missing": ["former player"], "gone": []}])
    assert page.alarms == []


@pytest.mark.parametrize("plays", [True, False])
def test_page_that_comes_during_a_match_says_nothing_of_old_lists(
    page: HonestPage, plays: bool
) -> None:
    page.plays = plays
    void = {"list": "00" * 32, "missing": ["Bär"], "gone": ["Eve"], "commitment": FIRST}
    page.show(voids=[void], agreed=agreed(SECOND, Share("Fay"), friend(SECOND)))
    assert (page.alarms, page.told) == ([], "")


def test_page_that_is_reloaded_says_why_its_own_list_is_void(page: HonestPage) -> None:
    void = {"list": listed(FIRST, *opened(page))["list"], "missing": ["Bär"], "gone": []}
    page.show(voids=[void], agreed=agreed(SECOND, Share("Ann"), Share("Bär")), reload=True)
    assert "missing: Bär" in page.told


def test_match_ends_the_count_of_void_lists(page: HonestPage) -> None:
    for at in range(0, 15, 3):
        first, second = f"{at + 1:064x}", f"{at + 2:064x}"
        lost = listed(first, *opened(page, first))["list"]
        void = {"list": lost, "missing": ["Bär"], "gone": []}
        (sent,) = page.show(second, voids=[void])
        mine, bar = Share("Ann", sent["share"]), Share("Bär")
        (answer,) = page.show(second, listed(second, mine, bar), [void])
        begun = agreed(second, mine._replace(secret=answer["secret"]), bar)
        page.show(voids=[void], agreed=begun)
        page.show(f"{at + 3:064x}", agreed=begun)
        page.show(agreed=agreed(f"{at + 3:064x}", Share("Bär")), voids=[])
    assert set(page.alarms) == {"leftOut"}  # of the matches without Ann


@pytest.mark.parametrize(
    "shown",
    [{"commitment": FIRST}, {"commitment": FIRST, "list": "00" * 32}, None],
    ids=["version 1", "no seats", "nothing"],
)
def test_match_without_a_list_is_noticed_after_a_share(page: HonestPage, shown: Any) -> None:
    page.share(FIRST)
    page.show(FIRST)
    page.show(agreed=shown)
    assert page.alarms == ["leftOut"]


def test_commitment_cannot_be_replaced_in_silence(page: HonestPage) -> None:
    page.share(FIRST)
    page.show(SECOND)
    assert page.alarms == ["thrown"]


def test_share_that_came_too_late_is_never_silent(page: HonestPage) -> None:
    """An operator could make another commitment just before the start."""
    page.share(FIRST)
    page.time -= 59_000
    page.open(FIRST, Share("Ann"), friend(FIRST))
    assert page.alarms == ["late"]


def test_void_and_a_match_in_one_update_are_never_silent(page: HonestPage) -> None:
    found = listed(FIRST, *opened(page))["list"]
    void = {"list": found, "missing": ["Bär"], "gone": []}
    page.show(voids=[void], agreed=agreed(SECOND, Share("Ann"), Share("Bär")))
    assert page.alarms == ["late"]


def test_who_was_missing_is_told_so_once_a_match(page: HonestPage) -> None:
    """A phone was asleep while the list was shown."""
    mine = page.share(FIRST)
    found = listed(FIRST, mine, friend(FIRST))["list"]
    void = {"list": found, "missing": ["Ann"], "gone": [], "commitment": FIRST}
    page.show(SECOND, voids=[void])
    page.show(SECOND, listed(SECOND, Share("Ann"), friend(SECOND)), [void])
    page.show(voids=[void], agreed=agreed(SECOND, Share("Ann"), friend(SECOND)))
    assert page.alarms == ["late"]


@pytest.mark.parametrize("blank", ["", " ", "\u200b"])
def test_blank_sentences_hide_no_warning(page: HonestPage, blank: str) -> None:
    blanks = dict.fromkeys(SENTENCES, blank)
    page.show(FIRST, more=blanks)
    page.show(SECOND, more=blanks)
    assert page.alarms == ["Luck warning: thrown "]


def test_list_opened_in_another_tab_is_compared(page: HonestPage) -> None:
    mine, other = page.share(FIRST), friend(FIRST)
    part = json.loads(page.stored[f"luck:{FIRST}"])
    found = listed(FIRST, mine, other)
    theirs = {**part, "list": found["list"], "seats": found["seats"]}
    page.show(FIRST, stores={f"luck:{FIRST}": json.dumps(theirs)})
    mine = mine._replace(secret=part["secret"])
    page.show(agreed=forged(FIRST, mine, other._replace(secret="77" * 32)))
    assert page.alarms == ["leftOut"]
