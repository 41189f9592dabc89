"""The pages about packets, and the schema documents for tools."""

from __future__ import annotations

import gzip
import json
import re

import pytest
from django.test import Client

from games.registry import GAMES
from games.wire import server
from games.wire.asyncapi import asyncapi
from games.wire.commands import PACKETS
from games.wire.games import vocabulary
from games.wire.schema import schema
from lobby import reference

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _documents_are_made_anew() -> None:
    """Regenerate the documents, because earlier tests may have changed the games."""
    for made_once in (reference._text, reference._packed, reference._schema):
        made_once.cache_clear()


def anchors(html: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', html)


def test_every_packet_of_the_platform_is_documented(client: Client) -> None:
    html = client.get("/api/").content.decode()
    packets = [*PACKETS, *server.PACKETS]
    assert {packet.__name__ for packet in packets} <= set(anchors(html))
    assert "anybody who is in no room with this connection" in html
    assert "&quot;type&quot;: &quot;HostGame&quot;" in html


@pytest.mark.parametrize("slug", GAMES)
def test_every_type_of_a_game_is_documented(client: Client, slug: str) -> None:
    html = client.get(f"/api/{slug}/").content.decode()
    words = vocabulary(GAMES[slug])
    types = (*words.moves.values(), *words.events.values(), words.view, words.player, words.options)
    names = {of.__name__.removeprefix(f"{slug}.") for of in types}
    assert names <= set(anchors(html))


def test_anchors_are_unique_and_links_resolve(client: Client) -> None:
    pages = ["/api/", *(f"/api/{slug}/" for slug in GAMES)]
    read = {page: client.get(page).content.decode() for page in pages}
    there = {page: anchors(html) for page, html in read.items()}
    for page, html in read.items():
        assert len(there[page]) == len(set(there[page])), f"{page} has an id twice"
        for path, anchor in re.findall(r'href="(/api/[^"#]*|)#([^"]+)"', html):
            assert anchor in there[path or page], f"{page}: {path}#{anchor}"


def test_schema_documents_are_public(client: Client) -> None:
    for name, made in (("schema", schema), ("asyncapi", asyncapi)):
        answer = client.get(f"/api/{name}.json")
        assert answer["Content-Type"] == "application/json"
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert json.loads(answer.content) == made()


@pytest.mark.django_db(transaction=True)
def test_front_page_links_to_the_reference(client: Client) -> None:
    assert 'href="/api/"' in client.get("/").content.decode()


def test_unknown_game_has_no_reference_page(client: Client) -> None:
    assert client.get("/api/chess/").status_code == 404


@pytest.mark.parametrize("name", ["schema", "asyncapi"])
def test_schema_documents_are_compressed_on_request(client: Client, name: str) -> None:
    plain = client.get(f"/api/{name}.json")
    packed = client.get(f"/api/{name}.json", headers={"accept-encoding": "gzip, br"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 5
    assert plain["Vary"].startswith("Accept-Encoding")
