"""HEAD answers like GET without a body: link previews and uptime checks use it."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.urls import reverse

from tests.kit.addresses import GETS
from tests.kit.around_a_table import House
from tests.kit.served import Served

pytestmark = pytest.mark.django_db(transaction=True)

OF_THE_MOMENT = {"content-length", "expires", "date"}
"""Headers that differ between two requests for the same page."""


def told(answer: Any) -> tuple[int, dict[str, str]]:
    """Return status and headers."""
    given = {name.lower(): value for name, value in answer.headers.items()}
    return answer.status_code, {k: v for k, v in given.items() if k not in OF_THE_MOMENT}


@pytest.mark.parametrize("who", ["stranger", "guest", "host", "kicked", "locked out", "superuser"])
def test_head_answers_as_get_does_on_every_page(who: str) -> None:
    house = House()
    browser = house.browsers[who]
    for name in GETS:
        address = house.address(name)
        asked = browser.head(address)
        assert told(asked) == told(browser.get(address)), name
        assert b"".join(asked) == b"", name


def test_head_answers_as_get_does_in_the_back_office() -> None:
    browser = House().browsers["superuser"]
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
        listed = reverse(name)
        for address in (listed, f"{listed}add/", f"{listed}1/change/"):
            assert told(browser.head(address)) == told(browser.get(address)), address


@pytest.fixture(scope="module", params=["uvicorn", "daphne"])
def server(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(
        tmp_path_factory.mktemp("head"), server=request.param, METRICS_TOKEN="for-tests"
    )
    served.prepare()
    served.start()
    yield served
    served.stop()


OUTSIDE_OF_PAGES = [
    *("/healthz", "/readyz", "/metrics", "/api/ws/", "/robots.txt", "/"),
    *("/static/icon.svg", "/static/nothing.css"),
]


@pytest.mark.parametrize("path", OUTSIDE_OF_PAGES)
def test_head_answers_as_get_does_on_a_real_server(server: Served, path: str) -> None:
    def ask(method: str) -> tuple[int, set[str], bytes]:
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        line.request(method, path, headers={"Authorization": "Bearer for-tests"})
        answer = line.getresponse()
        names = {name.lower() for name in answer.headers} - {"content-length", "transfer-encoding"}
        body = answer.read()
        # (further output would be taken for the next response of a keep-alive connection)
        line.request("GET", "/healthz")
        assert line.getresponse().read() == b"ok\n"
        line.close()
        return answer.status, names, body

    got, asked = ask("GET"), ask("HEAD")
    assert asked[:2] == got[:2]
    assert asked[2] == b""
