"""`/metrics`: for whoever has the token; counts what happens, and names nobody."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import ApplicationCommunicator
from prometheus_client.parser import text_string_to_metric_families

from games import rooms
from games.rules.core import Refused
from operations.metrics import Metrics, exposition
from tests.kit.acting import play_out
from tests.kit.client import Program, started
from tests.kit.factories import PersonFactory, open_table

pytestmark = pytest.mark.django_db(transaction=True)

DASHBOARD = Path(__file__).parents[2] / "docs" / "grafana.json"


def read(text: bytes) -> dict[str, float]:
    """Every sample, by its name and labels."""
    return {
        f"{sample.name}{json.dumps(sample.labels, sort_keys=True)}": sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


def total(found: dict[str, float], name: str) -> float:
    return sum(value for key, value in found.items() if key.startswith(name))


async def test_what_happens_is_counted() -> None:
    before = read(await exposition())
    async with Program() as ann, Program() as bob:
        await started(ann, bob)
        now = read(await exposition())
        assert now['parlour_connections{"kind": "api"}'] >= 2
        assert now['parlour_matches_running{"game": "mia"}'] == 1
        assert now['parlour_rooms{"status": "playing"}'] == 1
    for name in ("parlour_acts_total", "parlour_command_seconds_count", "parlour_group_size_count"):
        assert total(now, name) > total(before, name), name


def play_and_be_refused() -> None:
    room = open_table(PersonFactory(), PersonFactory(), lives=1)
    play_out(room)
    lonely = open_table(PersonFactory())
    with pytest.raises(Refused):
        rooms.start(lonely.pk, lonely.host_id).result()


async def test_refusals_and_acts_are_counted_by_what_they_are() -> None:
    before = read(await exposition())
    await sync_to_async(play_and_be_refused)()
    now = read(await exposition())
    for key in (
        'parlour_refusals_total{"code": "not_enough_players"}',
        'parlour_acts_total{"by": "hand", "game": "mia", "kind": "move"}',
    ):
        assert now[key] > before.get(key, 0)


async def status(headers: list[tuple[bytes, bytes]]) -> int:
    """What is answered to whoever asks for the figures."""

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 404})

    scope = {"type": "http", "path": "/metrics", "method": "GET", "headers": headers}
    asked = ApplicationCommunicator(Metrics(inner), scope)
    await asked.send_input({"type": "http.request", "body": b""})
    found: int = (await asked.receive_output(20))["status"]
    return found


async def test_only_who_has_the_token_reads_it(settings: Any) -> None:
    settings.METRICS_TOKEN = "right"
    assert await status([(b"authorization", b"Bearer right")]) == 200
    for wrong in ([], [(b"authorization", b"Bearer ")], [(b"authorization", b"Bearer wrong")]):
        assert await status(wrong) == 404


def test_without_a_token_nobody_reads_it(client: Any, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


async def test_the_dashboard_shows_what_is_counted() -> None:
    known = {key.partition("{")[0] for key in read(await exposition())}
    dashboard = json.loads(DASHBOARD.read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]
    assert asked
    words = {word for expr in asked for word in _names(expr)}
    described = {
        name.removesuffix("_total")
        for family in text_string_to_metric_families((await exposition()).decode())
        for name in (family.name,)
    }
    for word in words:
        base = word.removesuffix("_bucket").removesuffix("_sum").removesuffix("_count")
        assert base.removesuffix("_total") in described | known, word


def _names(expr: str) -> list[str]:
    return re.findall(r"\bparlour_\w+", expr)
