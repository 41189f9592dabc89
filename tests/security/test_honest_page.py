"""A server that controls everything but an honest page cannot choose the luck unseen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.contract.mixing import Share, share_of
from tests.kit.honest_page import HonestPage, agreed, listed

FIRST, SECOND = "c1" * 32, "c2" * 32
SECRET = "b2" * 32


def friend(commitment: str, secret: str = SECRET) -> Share:
    """Return a seat of a friend of the server, with its secret."""
    return Share("Bär", share_of(commitment, "Bär", secret), secret)


@pytest.fixture
def page() -> Iterator[HonestPage]:
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


@pytest.mark.parametrize("forgets", [False, True])
def test_void_list_is_followed_by_another_share(forgets: bool) -> None:
    with HonestPage(forgets=forgets) as page:
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
    assert page.alarms == ["twice"]


def test_list_cannot_be_dropped_after_another_void(page: HonestPage) -> None:
    opened(page)
    page.show(SECOND, voids=[{"list": "00" * 32, "missing": ["Bär"]}])
    assert page.alarms == ["twice"]


def test_page_that_has_answered_says_so(page: HonestPage) -> None:
    seats = opened(page)
    page.show(SECOND, voids=[{"list": listed(FIRST, *seats)["list"], "missing": ["Ann"]}])
    assert page.alarms == ["slandered"]


def test_page_that_missed_a_void_learns_of_it_when_the_match_begins(page: HonestPage) -> None:
    seats = opened(page)
    void = {"list": listed(FIRST, *seats)["list"], "missing": ["Bär"]}
    page.show(voids=[void], agreed=agreed(SECOND, Share("Ann"), Share("Bär")), again=True)
    assert page.alarms == []


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
