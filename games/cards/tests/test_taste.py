"""Cards: bots have different tastes, each constant throughout a match."""

from __future__ import annotations

from collections import Counter

import pytest

from games.cards import GAME
from games.cards.bots.levels import SHORT, fit
from games.cards.bots.taste import note, taste_of
from games.cards.rules.packs import BUILT_IN, SUBJECTS, VOICES, Answer, Subject, Voice
from games.cards.rules.state import State, Vote
from games.cards.rules.texts import WhiteCard
from games.cards.tests.table import A, B, C, D, Table
from games.contract.luck import TASTES, BotLuck, Luck, Manner
from games.tables.sentences import say

PACK = BUILT_IN["own"]
ROUNDS = 300


def liking(voice: Voice, subject: Subject = "food") -> Manner:
    """Return the manner of a bot with this taste."""
    tastes = ((taste_of(Manner(taste=at)), at) for at in range(len(VOICES) * len(SUBJECTS)))
    return next(
        Manner(taste=at) for taste, at in tastes if (taste.voice, taste.subject) == (voice, subject)
    )


def favourite(manner: Manner, prompt: str, answers: list[WhiteCard], mood: int) -> str:
    luck = BotLuck(b"mood %d" % mood, 0, manner)
    worth = {card.id: fit(prompt, (card,), luck) for card in answers}
    return max(worth, key=lambda id_: worth[id_])


def short(answer: Answer) -> bool:
    return len(answer.text) <= SHORT


def answers(luck: Luck, count: int = 4) -> list[WhiteCard]:
    found = luck.shuffled("answers", PACK.answers)[:count]
    return [WhiteCard(f"own:{answer.number}", answer.text) for answer in found]


def test_there_are_21_equally_likely_tastes() -> None:
    found = Counter(taste_of(Manner(taste=at)) for at in range(TASTES))
    assert set(found.values()) == {TASTES // 21}


def test_bots_vote_by_their_taste_and_tastes_differ() -> None:
    """Compare two votes of one bot, and the votes of two bots, on four answers.

    Random votes agree in .25 of the cases. Bots without tastes agreed in .67.
    """
    luck, itself, another = Luck(b"rounds", 0), 0, 0
    for at in range(ROUNDS):
        prompt = f"own:{luck.pick('prompt', PACK.prompts).number}"
        offered = answers(luck)
        mine, other = (Manner(taste=n) for n in luck.shuffle("tastes", 21)[:2])
        first = favourite(mine, prompt, offered, 2 * at)
        itself += first == favourite(mine, prompt, offered, 2 * at + 1)
        another += first == favourite(other, prompt, offered, 2 * at + 1)
    assert itself / ROUNDS > 0.67
    assert 0.3 < another / ROUNDS < 0.56


def voted(state: State, manner: Manner, mood: int) -> WhiteCard:
    """Return the answer that a bot with this manner votes for at A."""
    view, offers = GAME.rules.view(state, A), GAME.rules.offers(state, A)
    move = GAME.bots.levels["normal"](A, view, offers, (), (), BotLuck(b"v", mood, manner))
    assert isinstance(move, Vote)
    (card,) = state.stock.whites(state.plays[state.order[move.play_id]])
    return card


@pytest.mark.parametrize("voice", VOICES)
def test_bot_votes_for_its_preferred_voice_among_equally_good_answers(voice: Voice) -> None:
    alike = [a for a in PACK.answers if "abstract" in a.tags and len(a.tags) == 2 and short(a)]
    of_voices = [next(a for a in alike if tag in a.tags) for tag in VOICES]
    table = Table(n=4).all_play()
    for seat, answer in zip((B, C, D), of_voices, strict=True):
        play = table.add(WhiteCard(f"own:{answer.number}", answer.text))
        table.set(plays=table.state.plays.but(seat, play))
    liked = f"own:{of_voices[VOICES.index(voice)].number}"
    chosen = [voted(table.state, liking(voice), at).id for at in range(40)]
    assert chosen.count(liked) > 30


def test_bot_notes_describe_its_taste() -> None:
    text = note("normal", liking("dark", "animal"))
    assert text is not None
    assert say(text, (), "en") == "Likes dark humour best, and animals."
    assert note("random", Manner()) is None
