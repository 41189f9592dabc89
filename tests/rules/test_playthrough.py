"""The moments of a match share its log, and none of them knows later events."""

from __future__ import annotations

from games.registry import GAMES
from tests.kit.cases import Played
from tests.kit.play import Act, Playthrough


def moments() -> list[Playthrough]:
    game = GAMES["mia"]
    return Played(game, 3, game.rules.options()).match(0)


def test_a_moment_knows_its_own_past() -> None:
    last = moments()[-1]
    for made, moment in enumerate(moments()):
        assert len(moment.acts) == moment.made == made
        assert moment.acts == last.acts[:made]
        assert len(moment.draws) == made + 1
        assert moment.told == last.told[: len(moment.told)]
        assert moment.told[len(moment.told) - len(moment.change.told) :] == moment.change.told


def test_what_a_seat_has_heard_is_what_it_was_told_in_whatever_order_moments_are_asked() -> None:
    of_match = moments()
    for moment in (of_match[-1], *of_match):
        for viewer in (None, *moment.seats):
            told = [one.event for one in moment.told if one.to is None or viewer in one.to]
            assert list(moment.heard(viewer)) == told


def test_whoever_goes_on_from_a_moment_leaves_the_match_as_it_was() -> None:
    before, after, *_ = of_match = moments()
    acts, told = of_match[-1].acts, of_match[-1].told
    other = before.apart()
    other.do(Act("lapse"))
    assert other.acts == (Act("lapse"),)
    assert other.told[: len(before.told)] == before.told
    assert (before.made, after.made) == (0, 1)
    assert (of_match[-1].acts, of_match[-1].told) == (acts, told)
