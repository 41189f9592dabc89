"""Cards: style checks of the built-in texts (voice, repetition, grammar)."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from games.cards import GAME
from games.cards.rules.packs import BLANK, BUILT_IN, VOICES
from games.cards.rules.state import Options
from games.cards.telling.log import filled
from games.contract.luck import Luck

OWN = pytest.mark.parametrize("slug", ["own", "own-de"])
BEFORE_A_NOMINATIVE = re.compile(r"(?:^|: |„|„Achtung! |, etwas Nebel und |, die Kirche und )$")
"""Text allowed before a gap. It governs no case and agrees with no particular noun."""
SUBJECT = re.compile(r"\b[Ww]as (?:ist|war|steht|hält|liegt|treibt|fehlt)\b")
"""Questions whose answer is the subject."""


def answers(slug: str) -> list[str]:
    return [answer.text for answer in BUILT_IN[slug].answers]


GONE = {
    "own": (
        "124 134 138 140 142 147 152 155 164 166 174 175 176 177 184 189 190 196 202 203 205 210 "
        "213 218 220 222 223 228 229 231 234 235 242 249 252 254 257 259 260 262 268 269 272 273 "
        "274 275 281 282 283 284 288 289 291 293 299 301 304 308 309 311 313 314 316 317 318 319 "
        "324 328 333 336 338 339 345 346 347 348 349 353 355 356 357 359 366 368 369 371 373 376 "
        "378 379 382 385 388 389 391 396 397 398 401 402 403 404 408 409 410 411 412 414 417 419 "
        "421 426 430 432 433 434 435 437 442 443 446 447 449 452 455 456 457 458 466 474 475 478 "
        "480 484 497 501 509 "
    ),
    "own-de": (
        "75 81 91 96 103 105 109 114 118 123 124 132 135 138 141 142 147 149 153 155 156 158 160 "
        "164 166 167 170 171 179 180 181 188 194 199 203 209 213 214 217 218 223 225 228 231 236 "
        "238 239 240 241 243 "
    ),
}
"""Numbers of removed answers. They are never reused, so that no veto hits another answer."""


@OWN
def test_numbers_of_removed_answers_are_not_reused(slug: str) -> None:
    gone = {int(number) for number in GONE[slug].split()}
    assert gone.isdisjoint(card.number for card in BUILT_IN[slug].cards)


def test_table_with_a_removed_answer_vetoed_still_plays() -> None:
    options = Options(vetoed=("own:124", "own:125"))
    state = GAME.rules.setup(3, options, Luck(b"vetoed", 0)).state
    piles = (*state.hands.values(), state.white_deck)
    cards = [card.id for pile in piles for card in state.stock.whites(pile)]
    assert len(cards) == len(BUILT_IN["own"].answers) - 1
    assert "own:125" not in cards


@OWN
def test_every_answer_has_one_voice_and_voices_are_balanced(slug: str) -> None:
    voices = [[tag for tag in card.tags if tag in VOICES] for card in BUILT_IN[slug].answers]
    assert {len(found) for found in voices} == {1}
    share = Counter(found[0] for found in voices)
    assert all(share[voice] > len(voices) / 8 for voice in VOICES)


@OWN
def test_prompts_have_no_voice(slug: str) -> None:
    assert not any({*card.tags} & {*VOICES} for card in BUILT_IN[slug].prompts)


@OWN
def test_quotations_begin_with_a_capital(slug: str) -> None:
    opened = re.compile("“(.)" if slug == "own" else "„(.)")
    for card in BUILT_IN[slug].cards:
        for first in opened.findall(card.text):
            assert first == BLANK or first.isupper() or first.isdigit(), card.text


@OWN
def test_blank_at_the_start_of_a_quotation_is_filled_with_a_capital(slug: str) -> None:
    mark = "“" if slug == "own" else "„"
    quoting = [card for card in BUILT_IN[slug].prompts if mark + BLANK in card.text]
    assert quoting
    for card in quoting:
        assert f"{mark}Tea" in filled(card.text, ("tea",) * card.cards_to_pick)


def test_german_blanks_require_a_nominative() -> None:
    """Every answer fits every prompt, because no blank requires another case or number."""
    for card in BUILT_IN["own-de"].prompts:
        befores, afters = card.text.split(BLANK)[:-1], card.text.split(BLANK)[1:]
        assert all(BEFORE_A_NOMINATIVE.search(before) for before in befores), card.text
        assert befores or SUBJECT.search(card.text), card.text
        # The text after the gap closes a relative clause in the answer.
        assert all(after[0] in ".,!?“" for after in afters), card.text


def test_german_answers_are_nominatives() -> None:
    """No article of an answer is in the accusative, genitive or dative."""
    for text in answers("own-de"):
        assert not re.match(r"(?:einen|einem|einer|eines|den|dem|des)\b", text), text
