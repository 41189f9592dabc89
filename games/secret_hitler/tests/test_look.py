"""Rendered regions of Secret Hitler, for states set by hand."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from games.contract.data import Seat
from games.secret_hitler.rules.state import (
    ExecutePlayer,
    PresidentPolicies,
    Vote,
)
from games.secret_hitler.tests.look import Drawn, asked, begun, said
from games.secret_hitler.tests.table import A, B, C, D, E, F, Table
from games.secret_hitler.web.placards import at_seat

pytestmark = pytest.mark.django_db(transaction=True)


def text(html: str) -> str:
    """Return the text without markup."""
    whole = re.sub(r"<span data-s\d+=[^>]*>([^<]*)</span>", r"\1", html)
    return " ".join(re.sub(r"<[^>]*>", " ", whole).split())


def seat(html: str, name: str) -> str:
    """Return the HTML of this player's seat."""
    (found,) = (one for one in html.split("<li ")[1:] if f'class="name">{name}<' in one)
    return found


def at(table: Table, who: Seat) -> dict[str, object]:
    return dict(at_seat(table.view(None), who))


def test_ballots_stay_face_down_until_the_last_vote() -> None:
    table = Table("HFLLL").nominate(C)
    for last, who in pairwise((A, B, C, D, E)):
        table.do(last, Vote(last != B))
        assert at(table, last)["ballot"] == "in"
        assert at(table, who)["ballot"] is None
    table.do(E, Vote(False))
    assert [at(table, who)["ballot"] for who in (A, B, C, D, E)] == [
        *("ja", "nein", "ja", "ja", "nein"),
    ]


def test_no_page_shows_a_vote_before_all_have_voted() -> None:
    drawn, pages = Drawn(), []
    for ja in (True, False):
        table = begun(candidate=F).nominate(E).do(B, Vote(ja))
        pages.append([drawn.at(table, by) for by in (0, 2, None)])
    assert [page["seats"] for page in pages[0]] == [page["seats"] for page in pages[1]]
    assert [page["board"] for page in pages[0]] == [page["board"] for page in pages[1]]
    shown = seat(pages[0][0]["seats"], "Bela")
    assert 'class="sh-ballot in"' in shown
    assert "has voted" in shown
    assert "sh-ballot" not in seat(pages[0][0]["seats"], "Cleo")


def test_seats_show_placards_ballots_and_eliminated_players() -> None:
    drawn = Drawn()
    table = begun(fascist=3).govern(E).do(A, ExecutePlayer(F))
    seats = drawn.at(table)["seats"]
    assert "executed" in text(seat(seats, "Fay"))
    assert "Ja!" in text(seat(seats, "Emil"))
    assert "term limit" in text(seat(seats, "Emil"))
    elected = drawn.at(begun(fascist=3).elect(E))["seats"]
    assert 'sh-office held">Chancellor' in seat(elected, "Emil")
    assert "not Hitler" in text(seat(elected, "Emil"))


def test_private_knowledge_is_shown_only_in_the_players_own_region() -> None:
    drawn, table = Drawn(), begun(candidate=F).nominate(E)
    mine = drawn.at(table, by=0)
    for known in ("You are a Fascist", "Bela is Hitler", "Cleo fascist", "Dora fascist"):
        assert known in text(mine["hand"])
    hitler = text(drawn.at(table, by=1)["hand"])
    assert "You are Hitler" in hitler
    assert "You don&#39;t know them" in hitler
    assert "You are a Liberal" in text(drawn.at(table, by=5)["hand"])
    watching = drawn.at(table, by=None)
    assert "hand" not in watching
    assert mine["board"] == drawn.at(table, by=5)["board"] == watching["board"]
    shared = mine["seats"] + mine["board"]
    rule = "if Hitler is elected"
    assert "Hitler" not in text(shared).replace(rule, "")


def test_investigation_is_public_but_its_result_is_private() -> None:
    drawn, table = Drawn(), asked()["power_ack"]
    assert "Fay liberal" in text(drawn.at(table)["hand"])
    assert "Fay" not in text(drawn.at(table, by=2)["hand"])
    for by in (0, 2, None):
        assert "investigated" in seat(drawn.at(table, by)["seats"], "Fay")


def test_tapping_a_policy_discards_it_and_keeps_the_other_two() -> None:
    drawn, table = Drawn(), begun().elect(E)
    forms = re.findall(r"<form.*?</form>", drawn.at(table)["actions"], re.DOTALL)
    kept = [re.findall(r'name="keep" value="(\d)"', form) for form in forms]
    assert kept == [["1", "2"], ["0", "2"], ["0", "1"]]
    shown = [re.findall(r'class="policy (\w+)"', form) for form in forms]
    assert shown == [[tile] for tile in table.state.hand]
    assert all("throw away" in form and 'class="own"' in form for form in forms)
    for at_, keep in enumerate(kept):
        after = begun().elect(E).do(A, PresidentPolicies(tuple(map(int, keep)))).state
        assert after.discard[-1] == table.state.hand[at_]


@pytest.mark.parametrize(
    ("phase", "says"),
    [
        ("vote", "Fay + Emil? Ja elects them. Nein: failed election 2 of 3."),
        ("president_discard", "Elected, 10 to 0. Emil is not Hitler."),
        ("veto_confirm", "Veto? Emil wants to throw both away."),
        ("power_special", "A fascist policy passes. Ann names the next candidate."),
        ("power_execute", "A fascist policy passes. Ann has to execute somebody."),
    ],
)
def test_banner_shows_the_latest_event(phase: str, says: str) -> None:
    assert says in text(Drawn().at(asked()[phase])["board"])


def test_banner_explains_a_failed_election_and_a_used_power() -> None:
    drawn = Drawn()
    down = text(drawn.at(begun(tracker=1).nominate(E).voted_down())["board"])
    assert "Voted down, 0 to 10. One more, and the top policy passes." in down
    chaos = text(drawn.at(begun(tracker=2).nominate(E).voted_down())["board"])
    assert "Chaos! A fascist policy passes." in chaos or "Chaos! A liberal policy passes." in chaos
    shot = begun(fascist=3).govern(E).do(A, ExecutePlayer(F))
    assert "A fascist policy passes. Ann executed Fay." in text(drawn.at(shot)["board"])
    first = Table("FHFFLLLLLL")
    assert "The first election Ann picks a chancellor." in text(drawn.at(first)["board"])


def test_tracks_show_enacted_policies_and_the_powers_of_the_table_size() -> None:
    large = Drawn().at(begun(fascist=2, liberal=3))["board"]
    assert large.count('class="on') == 5
    assert re.findall(r'title="([^"]*)"', large) == ["special election", "execution", "execution"]
    small = Drawn(("Ann", "Bela", "Cleo", "Dora", "Emil")).at(Table("HFLLL"))["board"]
    assert re.findall(r"href=\"#sh-(\w+)\"/></svg><span>", small) == [
        *("goal", "peek", "execute", "execute", "goal"),
    ]
    assert "Elect Hitler chancellor" not in large
    assert "Elect Hitler chancellor" in Drawn().at(begun(fascist=3))["board"]


def test_claims_are_shown_in_the_scene_until_the_next_policy() -> None:
    drawn, table = Drawn(), begun()
    claims = (said("Ines", "drawn", "FFL", 0), said("Cleo", "received", "FL", 0))
    board = drawn.at(table, claims=claims)["board"]
    row = board[board.index('class="sh-claims"') :]
    assert re.findall(r'class="chip (\w+)"', row)[:5] == [
        *("fascist", "fascist", "liberal", "fascist", "liberal"),
    ]
    assert "Ines: “I drew fascist" in text(row)
    assert text(board).count("Ines") == 2  # as president and in the row of players
    assert "contradicted" not in board
    later = drawn.at(table.govern(E), claims=claims)["board"]
    assert "sh-claims" not in later


def test_claims_are_listed_in_a_table_and_contradictions_are_marked() -> None:
    claims = (said("Ines", "drawn", "FLL", 0), said("Cleo", "received", "FL", 0))
    board = Drawn().at(begun(), claims=claims)["board"]
    table = board[board.index("<table") : board.index("</table>")]
    assert re.findall(r'<th scope="(\w+)">', table)[:4] == ["col"] * 4
    (first, *_rest) = re.findall(r"<tr>(?!<th scope=.col).*?</tr>", table, re.DOTALL)
    assert re.findall(r'class="chip (\w+)"', first) == [
        *("liberal", "fascist", "liberal", "liberal", "fascist", "liberal"),
    ]
    assert text(first).count("contradicted") == 2
    assert table.count("<caption") == 1


def test_any_tiles_can_be_claimed_with_one_tap() -> None:
    table = begun(fascist=4).govern(E, "L")
    hand = Drawn().at(table)["hand"]
    forms = re.findall(r'<form[^>]*id="claim-drawn.*?</form>', hand, re.DOTALL)
    said_ = [re.findall(r'name="claim.policies" value="(\w+)"', form) for form in forms]
    assert [one.count("fascist") for one in said_] == [0, 1, 2, 3]
    assert all(len(one) == 3 for one in said_)


def test_peeked_tiles_are_shown_only_to_the_player_who_peeked() -> None:
    drawn = Drawn(("Ann", "Bela", "Cleo", "Dora", "Emil"))
    table = Table("LHFLL", deck="FFFLFLFLF", fascist=2).govern(C)
    mine, other = drawn.at(table)["hand"], drawn.at(table, by=2)["hand"]
    assert re.findall(r'class="chip (\w+)"', mine[mine.index("sh-next") :])[:3] == [
        *table.state.deck[:3],
    ]
    assert "sh-next" not in other


def test_president_sees_what_a_power_reveals_until_continuing() -> None:
    drawn = Drawn()
    looked = asked()["power_ack"]
    assert "Fay Liberal Continue" in text(drawn.at(looked)["actions"])
    assert "Liberal" not in text(drawn.at(looked, by=1)["actions"])
    peeked = Table("FHLLL", deck="FFFLFLFFF", fascist=2).govern(B)
    found = Drawn(("Ann", "Bela", "Cleo", "Dora", "Emil")).at(peeked)["actions"]
    assert "Liberal Fascist Liberal Continue" in text(found)
