"""Right-to-left names and texts never reorder the sentences around them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils.translation import override

from accounts.isolation import CLOSES, OPENS, isolated
from chat.models import Message
from games import rooms
from games.contract.core import Refused
from games.contract.data import Seat
from games.contract.words import Text
from games.pages import regions
from games.pages.beats import beats_region
from games.pages.lines import chat_region, log_region
from games.pages.people import sheet
from games.pages.templating import render
from games.pages.viewpoint import viewpoint_of
from games.registry import GAMES
from games.rooms.votes import call_vote
from games.tables.loading import load
from games.tables.sentences import emphasized, refusal, say
from games.tables.table import Table
from moderation.models import Report
from tests.kit.acting import play_out
from tests.kit.addresses import GETS
from tests.kit.around_a_table import PopulatedTable
from tests.kit.factories import PersonFactory, open_table
from tests.kit.isolation import MARK, loose
from tests.kit.people import account, as_user
from tests.kit.quick import quick
from tests.kit.reports import message_report, page_of
from tests.kit.staged import NAMES, Moment, Staged

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("with_ladder")]

SHALOM = "\u05e9\u05dc\u05d5\u05dd!"
SIZES = {"mia": 3, "coup": 3, "chamber": 4, "secret_hitler": 5, "cards": 4}


class RightToLeft(Staged):
    """A match of players whose names are all written from right to left."""

    names = tuple(f"{SHALOM} {name}" for name in NAMES)

    def _drawn(self, now: Table, eyes: str, who: int) -> Moment:
        drawn = {one.id: render(now, one, "en") for one in regions(now, who)}
        seen = viewpoint_of(now, who, "en")
        drawn["log"] = render(now, log_region(now, now.story, seen), "en")
        drawn["beats"] = render(now, beats_region(now, now.story[-3:], seen), "en")
        found = {id: lines for id, html in drawn.items() if (lines := loose(html))}
        assert not found, (eyes, found)
        return Moment(now.match.phase if now.match else "", eyes, False, drawn)


@pytest.mark.parametrize("game", quick(GAMES, "cards", "coup"))
def test_every_region_of_a_match_isolates_names(game: str) -> None:
    staged = RightToLeft(game, players=SIZES.get(game, GAMES[game].seats[0]))
    with override("en"):
        assert len([*staged.moments(examples=(1,))]) > 5


def test_every_region_before_a_match_isolates_names() -> None:
    ann, ben = (PersonFactory(name=f"{SHALOM} {name}") for name in ("Ann", "Ben"))
    room = open_table(ann, ben, bots=1)
    rooms.say(room.pk, ben.pk, f"{SHALOM} (yes)").result()
    call_vote(room.pk, ben.pk, "host", str(ben)).result()
    now = load(room.pk)
    with override("en"):
        for who in (ann.pk, ben.pk, None):
            drawn = {one.id: render(now, one, "en") for one in regions(now, who)}
            drawn["chat"] = render(now, chat_region(now, Message.objects.all(), ann.pk), "en")
            for member in now.members:
                about = sheet(now, ann.pk, member.pk)
                drawn[f"sheet {member}"] = render(now, about, "en") if about else ""
            found = {id: lines for id, html in drawn.items() if (lines := loose(html))}
            assert not found


@pytest.mark.slow
@pytest.mark.parametrize("who", ["host", "member", "guest", "moderator", "stranger"])
def test_every_page_isolates_names(who: str) -> None:
    populated = PopulatedTable(SHALOM)
    found = {
        name: lines
        for name in GETS
        if (answer := populated.browsers[who].get(populated.address(name))).status_code == 200
        and answer.headers["Content-Type"].startswith("text/html")
        and (lines := loose(answer.content.decode()))
    }
    assert not found


def test_finished_matches_and_lists_of_tables_isolate_names() -> None:
    ann, ben = (PersonFactory(name=f"{SHALOM} {name}") for name in ("Ann", "Ben"))
    room = open_table(ann, ben, lives=1)
    match = play_out(room)
    rooms.set_room(room.pk, ann.pk, "public").result()
    browser = as_user(ann)
    pages = ("/", "/you/", "/tables/", f"/matches/{match.pk}/", f"/t/{room.code}/")
    drawn = {page: browser.get(page).content.decode() for page in pages}
    drawn["door"] = Client().get(f"/t/{room.code}/").content.decode()
    assert not {page: lines for page, html in drawn.items() if (lines := loose(html))}
    assert sum(MARK in html for html in drawn.values()) == len(drawn)


def test_reports_isolate_user_text() -> None:
    one = message_report(f"{SHALOM} (b)")
    Report.objects.filter(pk=one.pk).update(by_name=SHALOM, about_name=SHALOM, note=SHALOM)
    html = as_user(account("Mod", is_staff=True, is_superuser=True)).get(page_of(one)).content
    assert MARK in html.decode()
    assert not loose(html.decode())


def test_sentences_isolate_user_text() -> None:
    text = Text("%(who)s says: %(what)s", {"who": Seat(0), "what": SHALOM})
    assert say(text, ["Ann"]) == f"Ann says: {OPENS}{SHALOM}{CLOSES}"
    assert say(text, [f"{MARK}&b"]).startswith(f"{OPENS}{MARK}&b{CLOSES} says")
    assert emphasized(text, [f"{MARK}&b"]).startswith(f"{OPENS}{MARK}&amp;b{CLOSES} says")
    why = refusal(Refused("ended", reason=SHALOM))
    assert why == f"A moderator has ended the match: {OPENS}{SHALOM}{CLOSES}"


@pytest.mark.parametrize("text", ["", "Ann", "Zo\u00eb", "\u5f20\u4f1f", f"{OPENS}{MARK}{CLOSES}"])
def test_left_to_right_text_is_left_unchanged(text: str) -> None:
    assert isolated(text) == text
