"""Cards: hidden information, tested for each row of the table in docs/rules/cards.md §4."""

from __future__ import annotations

from games.cards.rules.state import AuthorsShown, View
from games.cards.tests.table import A, B, C, D, Table, w
from games.contract.data import BySeat, Viewer, encode
from games.contract.luck import ScriptedLuck

EVERYBODY: tuple[Viewer, ...] = (None, A, B, C, D)


def seen(table: Table, viewer: Viewer) -> str:
    """Return everything a viewer currently receives, as text."""
    return encode(table.view(viewer)).decode()


def authors(table: Table, viewer: Viewer) -> list[Viewer]:
    view: View = table.view(viewer)
    return [play.author for play in view.plays]


def test_7_play_is_hidden_until_all_have_played() -> None:
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


def test_8_authors_are_visible_after_your_own_vote() -> None:
    table = Table()
    table.luck = ScriptedLuck(plays=[(1, 3, 0, 2)])
    table.all_play().vote(A, C)
    assert authors(table, A) == [B, D, A, C]
    assert authors(table, B) == [B, None, None, None]
    assert authors(table, None) == [None] * 4


def test_player_without_a_play_sees_authors_only_after_voting() -> None:
    table = Table().play(A).play(B).play(C).lapse()
    assert authors(table, D) == [None] * 3
    table.vote(D, A)
    assert sorted(authors(table, D)) == [A, B, C]


def test_privately_revealed_authors_stay_in_the_view() -> None:
    table = Table().all_play().vote(A, C)
    shown = next(event for event in table.heard(A) if isinstance(event, AuthorsShown))
    assert list(shown.authors.values()) == authors(table, A)
    assert not [event for event in table.heard(B) if isinstance(event, AuthorsShown)]


def test_reveal_ballots_publishes_the_votes_after_the_round() -> None:
    table = Table(reveal_ballots=True).all_play()
    at = {author: play_id for play_id, author in enumerate(table.state.order)}
    table.vote(C, B).vote(A, B)
    assert table.view(None).last_round is None
    table.lapse()
    assert table.view(None).last_round.ballots == BySeat({A: at[B], C: at[B]})
