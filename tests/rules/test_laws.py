"""Every game keeps every law and convention, over sizes, options and seeds.

A match is played once for all laws, so the tests of one case run one after the other.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.contract.choices import move_types
from games.contract.core import Refused
from games.contract.game import AnyGame
from games.contract.luck import Luck
from games.contract.recap import MOST_MOMENTS, Recap
from games.contract.words import Text
from tests.kit import conventions, laws, secrecy, showing, wording
from tests.kit.cases import CASES, Played, secrets, subsets
from tests.kit.play import Playthrough

OUT_BUT_KNOWING = {"secret_hitler"}
"""Games whose eliminated players keep their knowledge (docs/rules/secret_hitler.md §6)."""


@pytest.fixture(scope="module", params=CASES)
def played(request: pytest.FixtureRequest) -> Played:
    return Played(*request.param)


@pytest.mark.parametrize("subsets_of_many", [2, pytest.param(9, marks=pytest.mark.long)])
def test_match_ends_even_if_some_players_are_silent_or_leave(
    played: Played, subsets_of_many: int
) -> None:
    game, n, options = played.game, played.n, played.options
    for seed, silent in enumerate(subsets(n, n, subsets_of_many)):
        laws.it_ends(game, n, options, seed, silent)
    laws.silence_ends(game, n, options, 1)
    for seed in range(4):
        laws.leaving_ends(game, n, options, seed)


@pytest.mark.parametrize("matches", [2, pytest.param(4, marks=pytest.mark.long)])
def test_same_seed_produces_the_same_match(played: Played, matches: int) -> None:
    for playthrough in played.ends(matches):
        laws.same_luck_same_match(playthrough)


def test_state_and_events_survive_json(played: Played) -> None:
    for playthrough in played.moments(2):
        laws.survives_json(playthrough)


def test_no_prompt_is_open_twice(played: Played) -> None:
    for playthrough, before in played.steps(3):
        laws.no_question_is_open_twice(playthrough, before)


def test_move_is_accepted_if_and_only_if_it_is_offered(played: Played) -> None:
    for playthrough in played.moments(4):
        laws.accepted_is_offered(playthrough)


@pytest.mark.parametrize("matches", [3, pytest.param(16, marks=pytest.mark.long)])
def test_hidden_information_does_not_affect_other_viewers(played: Played, matches: int) -> None:
    for playthrough in played.moments(matches):
        secrecy.hidden_things_make_no_difference(playthrough, secrets(played.game))


def test_viewers_with_the_same_events_have_the_same_view(played: Played) -> None:
    for playthrough in played.moments(4):
        conventions.told_the_same_is_seen_the_same(playthrough, secrets(played.game))


def test_bots_are_legal_and_deterministic(played: Played) -> None:
    secrecy.bots_are_legal(played.game, played.n, played.options, 2)


def test_private_events_name_their_recipients(played: Played) -> None:
    for playthrough in played.moments(4):
        secrecy.private_events_name_their_recipients(playthrough.change, secrets(played.game))


def test_private_events_are_sent_only_to_active_seats(played: Played) -> None:
    for seed in range(3):
        laws.told_to_whom_it_concerns(played.match(seed)[0], ())
    for playthrough, before in played.steps(3):
        laws.told_to_whom_it_concerns(playthrough, played.game.rules.out(before.state))


def test_no_card_or_other_item_is_lost_or_duplicated(played: Played) -> None:
    for playthrough in played.moments(6):
        secrets(played.game).invariants(playthrough.state)


def test_every_seat_has_a_place_in_the_outcome(played: Played) -> None:
    for playthrough in played.ends(4):
        outcome = played.game.rules.outcome(playthrough.state)
        assert outcome is not None
        seated = sorted(seat for group in outcome.places for seat in group)
        assert seated == list(playthrough.seats)
        assert all(outcome.places), "a place for nobody"
        assert not outcome.winners or outcome.winners == outcome.places[0]


def test_every_event_prompt_and_button_has_a_text(played: Played) -> None:
    words = played.game.telling.words(played.options)
    wording.is_sentence(words.tagline)
    for offered in move_types(played.game.rules.moves):
        wording.is_sentence(words.move(offered))
    for text in words.terms.values():
        wording.is_sentence(text)
    for playthrough in played.moments(2):
        wording.words_are_complete(playthrough)


def test_animations_are_the_same_for_all_and_texts_address_each_viewer(played: Played) -> None:
    for playthrough in played.moments(4):
        showing.is_shown(playthrough)
        showing.is_said_beside_faces(playthrough)


def at_every_moment(played: Played, law: Callable[[Playthrough], None]) -> None:
    for playthrough in played.moments(4):
        law(playthrough)


def test_late_answers_do_not_count(played: Played) -> None:
    at_every_moment(played, conventions.late_answers_do_not_count)


def test_echo_is_the_first_event(played: Played) -> None:
    at_every_moment(played, conventions.first_comes_the_echo)


def test_automatic_moves_are_marked(played: Played) -> None:
    at_every_moment(played, conventions.what_no_hand_did_says_so)


def test_seats_keep_their_type_in_json(played: Played) -> None:
    at_every_moment(played, conventions.seats_stay_seats_in_json)


def test_eliminated_player_sees_what_the_gallery_sees(played: Played) -> None:
    for playthrough in played.moments(4):
        if played.game.slug in OUT_BUT_KNOWING:
            assert playthrough.game.rules.view(playthrough.state, None)
        else:
            conventions.who_is_out_sees_what_the_gallery_sees(playthrough)


def test_answers_do_not_extend_deadlines(played: Played) -> None:
    for playthrough, before in played.steps(4):
        conventions.answers_buy_no_time(playthrough, before)


def without_arguments(game: AnyGame) -> dict[str, object]:
    """Return the moves of a game without arguments, by name."""
    types = move_types(game.rules.moves)
    return {name: type_() for name, type_ in types.items() if not type_.__struct_fields__}


def test_disabled_move_is_not_offered_and_refused_with_the_same_reason(played: Played) -> None:
    game, bare = played.game, without_arguments(played.game)
    for playthrough in played.every_moment(2):
        asked = dict(playthrough.asked())
        for seat in playthrough.seats:
            disabled = game.rules.disabled_moves(playthrough.state, seat)
            assert not set(disabled) & {offer.move for offer in asked.get(seat, ())}
            for name in set(disabled) & set(bare):
                with pytest.raises(Refused) as refused:
                    game.rules.apply(playthrough.state, seat, bare[name], Luck(b"barred", 1))
                assert refused.value.code == disabled[name].code
                assert refused.value.facts == disabled[name].facts


def texts(recap: Recap) -> list[Text]:
    lines = [line.of for line in recap.lines if isinstance(line.of, Text)]
    did = [text for texts in recap.did.values() for text in texts]
    return [recap.measure, *lines, *recap.was.values(), *did, *recap.moments]


def said(text: Text) -> str:
    """Return the text with its placeholders filled in. Raise KeyError if a value is missing."""
    facts = {name: said(f) if isinstance(f, Text) else str(f) for name, f in text.facts.items()}
    return (text.plural if text.plural and text.count != 1 else text.id) % facts


def test_every_finished_match_has_a_recap(played: Played) -> None:
    for playthrough in played.ends(4):
        if played.game.telling.recap is None:
            continue
        found = played.game.telling.recap(playthrough.state, playthrough.told)
        assert all(said(text) for text in texts(found))
        assert len(found.moments) <= MOST_MOMENTS
        assert len({len(line.values) for line in found.lines}) == 1
        assert set(found.did) == set(playthrough.seats)
        assert set(found.was) in (set(), set(playthrough.seats))
