"""HEAD is answered like GET in the back office and on servers.

`test_page_access` tests the pages.
"""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.urls import reverse

from tests.kit.around_a_table import PopulatedTable
from tests.kit.served import Served

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_head_matches_get_in_the_admin() -> None:
    browser = PopulatedTable().browsers["superuser"]
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
        listed = reverse(name)
        for address in (listed, f"{listed}add/", f"{listed}1/change/"):
            asked, got = browser.head(address), browser.get(address)
            assert asked.status_code == got.status_code, address
            assert asked.headers.keys() == got.headers.keys(), address


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
def test_head_matches_get_on_a_real_server(server: Served, path: str) -> None:
    def ask(method: str) -> tuple[int, set[str], bytes]:
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        line.request(method, path, headers={"Authorization": "Bearer for-tests"})
        answer = line.getresponse()
        names = {name.lower() for name in answer.headers} - {"content-length", "transfer-encoding"}
        body = answer.read()
        # further output would be taken for the next response of a keep-alive connection
        line.request("GET", "/healthz")
        assert line.getresponse().read() == b"ok\n"
        line.close()
        return answer.status, names, body

    got, asked = ask("GET"), ask("HEAD")
    assert asked[:2] == got[:2]
    assert asked[2] == b""
