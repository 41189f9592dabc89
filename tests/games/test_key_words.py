"""Key words of a sentence are emphasized on pages, and plain everywhere else."""

from __future__ import annotations

import pytest

from games.contract.data import Seat
from games.contract.words import Text, _
from games.pages import regions
from games.pages.lines import log_lines
from games.pages.templating import render, unbroken
from games.tables.loading import load
from games.tables.sentences import emphasized, gist, say
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match

ROLE = _("the **Hound's** claim")
SAID = _("%(who)s claims **%(role)s**: %(all)s & **%(dice)s**.").of(
    who=Seat(0), role="<b>", all=(Seat(0), Seat(1), ROLE), dice="6-5"
)
NAMES = ("<Ann>", "Bo & Co")


def test_key_words_are_emphasized_and_everything_else_is_escaped() -> None:
    assert unbroken(emphasized(SAID, NAMES, "en")) == (
        "&lt;Ann&gt; claims <strong>&lt;b&gt;</strong>: &lt;Ann&gt;, Bo &amp; Co and "
        "the <strong>Hound&#39;s</strong> claim &amp; "
        '<strong><b class="unbroken">6-5</b></strong>.'
    )


def test_single_item_of_a_list_is_escaped_once() -> None:
    assert emphasized(_("%(all)s", all=(ROLE,)), NAMES, "en").count("&") == 1
    assert emphasized(_("%(all)s", all=()), NAMES, "en") == ""


def test_plain_sentence_has_no_markup() -> None:
    plain = "<Ann> claims <b>: <Ann>, Bo & Co and the Hound's claim & 6-5."
    assert say(SAID, NAMES, "en") == plain


def test_gist_is_the_key_words_or_the_whole_sentence() -> None:
    assert gist(SAID, NAMES, "en") == "<b> Hound's 6-5"
    assert gist(_("%(who)s & all", who=Seat(1)), NAMES, "en") == "Bo & Co & all"


def test_translation_chooses_its_own_key_words() -> None:
    asked = Text("Who do you **execute**?")
    assert emphasized(asked, (), "de") == "<strong>Wen</strong> richtest du hin?"


@pytest.mark.django_db(transaction=True)
def test_prompt_and_log_emphasize_the_claim() -> None:
    people = PersonFactory(), PersonFactory()
    match = start_match(open_table(*people, game="coup", startCoins=3))
    actor, table = on_turn(match), load(match.room_id)
    other = next(name for name in table.names if name != actor.name)
    act(match, actor, "Steal", target=other)
    table = load(match.room_id, with_story=True)
    asked = next(person.pk for person in people if person.pk != actor.user_id)
    status = next(one for one in regions(table, asked) if one.id == "status")
    claims = (
        f"{actor.name} claims <strong>Arya</strong> and steals <strong>2 golden dragons</strong>"
    )
    assert f'<p class="sentence own">{claims} from you. Challenge?</p>' in render(
        table, status, "en"
    )
    (line,) = log_lines(table, table.story, table.viewer(asked))
    assert line["text"] == f"{claims.replace(' golden dragons', '')} from you."
