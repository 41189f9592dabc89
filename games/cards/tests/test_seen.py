"""Cards: who may know what, row by row of the table in docs/rules/cards.md §4."""

from __future__ import annotations

import pytest

from games.cards import GAME
from games.cards.rules.state import AuthorsShown, HandDrawn, RoundResult, View
from games.cards.tests.table import A, B, C, D, Table, replaced, w
from games.contract.data import BySeat, Viewer, encode
from games.contract.luck import ScriptedLuck

EVERYBODY: tuple[Viewer, ...] = (None, A, B, C, D)


def seen(table: Table, viewer: Viewer) -> str:
    """Return everything a viewer currently receives, as text."""
    return encode(table.view(viewer)).decode()


def authors(table: Table, viewer: Viewer) -> list[Viewer]:
    view: View = table.view(viewer)
    return [play.author for play in view.plays]


def test_a_hand_is_seen_by_its_seat_alone_and_its_size_by_all() -> None:
    table = Table()
    for owner in (A, B, C, D):
        mine = set(table.hand(owner))
        for viewer in EVERYBODY:
            text = seen(table, viewer)
            assert all((f'"{id_}"' in text) == (viewer == owner) for id_ in mine)
            assert table.view(viewer).players[owner].hand_size == 7


def test_a_hand_is_seen_at_any_time_in_the_order_drawn() -> None:
    table = Table()
    assert [card.id for card in table.view(A).hand] == [w(at) for at in range(1, 8)]
    table.play(A, w(3)).play(B).play(C).play(D)
    assert [card.id for card in table.view(A).hand] == [w(at) for at in (1, 2, 4, 5, 6, 7)]
    assert len(table.lapse().view(A).hand) == 6


def test_new_cards_are_told_to_their_seat_alone() -> None:
    table = Table()
    drawn = [told for told in table.told if isinstance(told.event, HandDrawn)]
    assert [told.to for told in drawn] == [(A,), (B,), (C,), (D,)]
    assert drawn[1].event.cards == table.state.stock.whites(table.state.hands[B])


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_the_prompt_and_the_scores_are_seen_by_all(viewer: Viewer) -> None:
    table = Table().scored(1, 2, 3, 4)
    black = table.view(viewer).black
    assert (black.id, black.text, black.cards_to_pick, black.cards_to_draw) == (
        "t:1",
        "prompt 1",
        1,
        0,
    )
    assert [facts.score for facts in table.view(viewer).players] == [1, 2, 3, 4]
    assert table.all_play().lapse().view(viewer).black is None


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_who_has_played_voted_and_gone_on_is_seen_by_all(viewer: Viewer) -> None:
    table = Table().play(C).play(A)
    assert table.view(viewer).played == (A, C)
    assert [facts.has_played for facts in table.view(viewer).players] == [True, False, True, False]
    table.play(B).play(D).vote(D, A).vote(B, A)
    assert table.view(viewer).voted == (B, D)
    assert [facts.has_voted for facts in table.view(viewer).players] == [False, True, False, True]
    table.lapse().set(continued=(C,))
    assert table.view(viewer).continued == (C,)


def test_7_a_play_is_hidden_until_all_have_played() -> None:
    table = Table().play(A, w(2)).play(B).play(C)
    mine = table.view(A).plays
    assert [(p.play_id, p.mine, p.author) for p in mine] == [(None, True, A)]
    assert [card.id for card in mine[0].cards] == [w(2)]
    for viewer in (None, B, C, D):
        assert f'"{w(2)}"' not in seen(table, viewer)
    assert table.view(D).plays == table.view(None).plays == ()
    table.play(D)
    for viewer in EVERYBODY:
        plays = table.view(viewer).plays
        assert [play.play_id for play in plays] == [0, 1, 2, 3]
        assert [play.cards for play in plays] == [p.cards for p in table.view(None).plays]
        assert [play.author for play in plays if not play.mine] == [None] * (3 + (viewer is None))
        assert [play.author for play in plays if play.mine] == ([] if viewer is None else [viewer])


def test_8_the_own_vote_shows_the_authors() -> None:
    table = Table()
    table.luck = ScriptedLuck(plays=[(1, 3, 0, 2)])
    table.all_play().vote(A, C)
    assert authors(table, A) == [B, D, A, C]
    assert authors(table, B) == [B, None, None, None]
    assert authors(table, None) == [None] * 4


def test_who_did_not_play_sees_the_authors_only_after_the_own_vote() -> None:
    table = Table().play(A).play(B).play(C).lapse()
    assert authors(table, D) == [None] * 3
    table.vote(D, A)
    assert sorted(authors(table, D)) == [A, B, C]


def test_what_is_learned_in_private_stays_in_the_view() -> None:
    table = Table().all_play().vote(A, C)
    shown = next(event for event in table.heard(A) if isinstance(event, AuthorsShown))
    assert list(shown.authors.values()) == authors(table, A)
    assert not [event for event in table.heard(B) if isinstance(event, AuthorsShown)]


def test_the_own_vote_is_seen_by_its_seat_alone() -> None:
    table = Table().all_play().vote(A, C)
    assert table.view(A).my_vote == table.state.order.index(C)
    assert [table.view(viewer).my_vote for viewer in (None, B, C, D)] == [None] * 4
    other = replaced(table.state, votes=BySeat({A: table.state.order.index(D)}))
    for viewer in (None, B, C, D):
        assert encode(GAME.rules.view(other, viewer)).decode() == seen(table, viewer)


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_after_the_round_authors_and_counts_are_seen_by_all_but_no_ballots(viewer: Viewer) -> None:
    table = Table().all_play().votes(B, C, B, B)
    summary = table.view(viewer).last_round
    assert {play.author: play.votes for play in summary.plays} == {A: 0, B: 3, C: 1, D: 0}
    assert (summary.round, summary.black.id, summary.winners) == (1, "t:1", (B,))
    assert summary.ballots is None
    event = table.heard(viewer)[-1]
    assert isinstance(event, RoundResult)
    assert (event.plays, event.ballots) == (summary.plays, None)
    assert table.view(viewer).plays == ()


def test_reveal_ballots_shows_who_voted_for_what_after_the_round() -> None:
    table = Table(reveal_ballots=True).all_play()
    at = {author: play_id for play_id, author in enumerate(table.state.order)}
    table.vote(C, B).vote(A, B)
    assert table.view(None).last_round is None
    table.lapse()
    assert table.view(None).last_round.ballots == BySeat({A: at[B], C: at[B]})


def test_the_last_round_is_seen_until_the_next_result() -> None:
    table = Table()
    assert table.view(A).last_round is None
    table.all_play().lapse().go_on()
    assert table.view(A).last_round.round == 1


def test_the_plays_of_a_void_round_are_never_shown() -> None:
    table = Table().play(A, w(1)).lapse()
    for viewer in (None, B, C, D):
        assert f'"{w(1)}"' not in seen(table, viewer)
    assert table.view(None).last_round.plays == ()


def test_of_discarded_cards_only_the_number_is_seen() -> None:
    table = Table().scored(1, 0, 0, 0).all_play()
    gone = table.hand(A)[:2]
    table.discard(A, *gone)
    for viewer in EVERYBODY:
        assert not any(f'"{id_}"' in seen(table, viewer) for id_ in gone)
        assert table.view(viewer).players[A].hand_size == 4
        assert table.view(viewer).deck_sizes.white_discard == 2


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_of_the_decks_only_the_sizes_are_seen(viewer: Viewer) -> None:
    table = Table(prompts=((1, 0), (1, 0), (1, 0)))
    sizes = table.view(viewer).deck_sizes
    assert (sizes.black, sizes.black_discard, sizes.white, sizes.white_discard) == (2, 0, 72, 0)
    other = replaced(
        table.state,
        white_deck=table.state.white_deck[::-1],
        black_deck=table.state.black_deck[::-1],
    )
    assert encode(GAME.rules.view(other, viewer)).decode() == seen(table, viewer)


def test_a_leaver_sees_what_the_gallery_sees() -> None:
    table = Table().all_play().vote(C, A).leave(C)
    assert table.view(C) == table.view(None)


def test_who_left_stays_among_those_whose_play_is_shown() -> None:
    table = Table().all_play().leave(C)
    assert table.view(A).played == (A, B, C, D)


def test_the_numbers_of_plays_come_from_one_draw_for_all() -> None:
    one, two = Table().all_play(), Table()
    for seat in (D, B, C, A):
        two.play(seat)
    assert one.state.order == two.state.order


def test_the_view_has_the_fields_of_the_wire() -> None:
    fields = set(View.__struct_encode_fields__)
    assert fields == {
        "phase",
        "players",
        "round",
        "voidRounds",
        "black",
        "hand",
        "plays",
        "myVote",
        "played",
        "voted",
        "continued",
        "lastRound",
        "deckSizes",
    }
