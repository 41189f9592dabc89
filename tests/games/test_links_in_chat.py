"""Addresses in chat messages are links, and nothing else in them is markup."""

from __future__ import annotations

import re

import pytest

from chat.models import Message
from games import rooms
from games.pages.lines import chat_region
from games.pages.templating import render
from games.tables.loading import load
from tests.kit.factories import PersonFactory, open_table

REST = 'rel="nofollow noopener ugc" target="_blank"'

pytestmark = pytest.mark.django_db(transaction=True)


def drawn(text: str) -> str:
    """Return the chat of another person after this message."""
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    rooms.say(room.pk, ann.pk, text).result()
    now = load(room.pk)
    return render(now, chat_region(now, Message.objects.all(), bob.pk), "en")


@pytest.mark.parametrize("address", ["https://example.com/a?b=1", "http://localhost:8000/t/ABCDE/"])
def test_address_is_a_link_to_a_new_tab(address: str) -> None:
    html = drawn(f"Look ({address}).")
    link = f'<a href="{address}" {REST}>{address}</a>'
    assert f"Look ({link})." in html


def test_link_is_within_an_element_with_its_own_direction() -> None:
    assert '<span dir="auto">שלום <a href="https://example.com/' in drawn(
        "שלום https://example.com/"
    )


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        'https://example.com/"onclick="alert(1)',
        "<a href=https://example.com/>x</a>",
        "https://example.com/<script>alert(1)</script>",
    ],
)
def test_message_cannot_contain_markup(text: str) -> None:
    html = drawn(text)
    assert "<script" not in html
    for attributes in re.findall(r"<a ([^>]*)>", html):
        assert re.fullmatch(f'href="https://example.com/[^"]*" {REST}', attributes)
