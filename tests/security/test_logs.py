"""A server's logs never identify users who join, play, talk or cause errors."""

from __future__ import annotations

import asyncio
import json
import re
import urllib.parse
import urllib.request
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils.log import log_response
from websockets.asyncio.client import connect

from config.logs import ByRoute
from tests.kit.plain_browser import Browser
from tests.kit.served import Served

pytestmark = pytest.mark.slow

NAME, OTHER, WORDS = "Zwetschge", "Quitte", "meet me at the harbour"
MAIL, PASSWORD, WRONG = "zwetschge@people.example", "correct horse 7", "wrong horse 8"
TRACES = (NAME, OTHER, WORDS, MAIL, PASSWORD, WRONG, "Traceback", "127.0.0.1", "forged-key")


async def play(url: str, browser: Browser) -> str:
    """A program and a page at one table play, talk and send junk. Return the token."""
    sockets = url.replace("http", "ws")
    async with connect(f"{sockets}/api/ws/") as program:

        async def ask(**packet: object) -> dict[str, object]:
            await program.send(json.dumps({"id": 1, **packet}))
            while True:
                answer: dict[str, object] = json.loads(await program.recv())
                if answer.get("id") == 1:
                    return answer

        made = await ask(type="HostGame", game="mia", username=OTHER)
        room, token = str(made["room"]), str(made["token"])
        await asyncio.to_thread(browser.post, f"/t/{room}/", name=NAME)
        headers = {"Cookie": browser.cookies()}
        async with connect(
            f"{sockets}/ws/table/{room}/", additional_headers=headers, origin=url
        ) as page:
            await page.send(json.dumps({"body": {"do": "SendNewChatMessage", "message": WORDS}}))
            await page.send(json.dumps({"body": {"do": NAME}}))
            await page.send(WORDS)
            await ask(type="SendNewChatMessage", message=WORDS)
            await ask(type="StartGame")
            await ask(type="Roll")
            await ask(type="KickPlayer", username=NAME)
            await program.send(f"junk of {NAME}")
            await ask(type="Nonsense", username=NAME)
    async with connect(
        f"{sockets}/api/ws/", additional_headers={"Authorization": f"Bearer {token}"}
    ) as again:
        assert OTHER in await again.recv()
    async with connect(
        f"{sockets}/api/ws/", additional_headers={"Authorization": "Bearer forged-key"}
    ) as forged:
        await forged.wait_closed()
    return token


@pytest.fixture(params=["uvicorn", "daphne"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Served:
    return Served(tmp_path, request.param, LOG_LEVEL="INFO", EMAIL_URL="smtp://127.0.0.1:9")


def test_server_log_contains_no_personal_data(server: Served) -> None:
    server.prepare()
    server.start()
    try:
        browser = Browser(server.url)
        token = asyncio.run(play(server.url, browser))
        two = {"password1": PASSWORD, "password2": PASSWORD}
        browser.post("/account/signup/", username=NAME, email=MAIL, **two)
        newcomer = Browser(server.url)
        newcomer.post("/account/login/", login=NAME, password=WRONG)
        newcomer.post("/account/login/", login=MAIL, password=WRONG)
        newcomer.post("/account/password/reset/", email=MAIL)
        newcomer.post("/account/login/", login=NAME, password=PASSWORD)
        made = newcomer.post("/you/", "/you/tokens/", name=NAME, days="30")
        own = re.search(r'id="made"[^>]*value="([^"]+)"', made)
        assert own
        newcomer.get(f"/{NAME}/")
        foreign = {"Host": "not-ours.example"}
        newcomer._open(urllib.request.Request(f"{server.url}/", headers=foreign))
        newcomer.get(f"/account/password/reset/key/1-forged-key/?mail={MAIL}")
        newcomer.get(f"/account/confirm-email/forged-key/?{MAIL}")
        newcomer._open(urllib.request.Request(f"{server.url}/play/", f"name={NAME}".encode()))
        newcomer.post("/decks/new/", name=NAME, language="en", text=WORDS)
        newcomer.post("/you/delete/", password=WRONG, sure="on")
        newcomer.post("/you/delete/", password=PASSWORD, sure="on")
    finally:
        server.stop()
    said = server.said()
    assert "not-ours" not in said
    lines = "\n".join(line for line in said.splitlines() if str(server.port) not in line)
    for trace in (*TRACES, token, own[1]):
        assert trace not in lines, said


@pytest.mark.parametrize("path", ["/people/Zwetschge/", "/people/J\u00f6rg/", "/\u00e4%0A/"])
def test_unknown_path_is_masked_in_the_log(path: str, caplog: pytest.LogCaptureFixture) -> None:
    """Django escapes non-ASCII paths."""
    request, response = RequestFactory().get(path), HttpResponse(status=404)
    with caplog.filtering(ByRoute()), caplog.at_level("WARNING", "django.request"):
        log_response("%s: %s", "Not Found", request.path, response=response, request=request)
    assert caplog.messages == ["Not Found: (unknown page)"]
