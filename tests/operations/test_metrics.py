"""`/metrics` requires the token, counts events, and names nobody."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from asgiref.sync import sync_to_async
from channels.testing import ApplicationCommunicator
from django.db import OperationalError
from prometheus_client import Histogram
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.parser import text_string_to_metric_families

from config.asgi import application
from games import rooms
from games.contract.core import Refused
from games.engine import figures, matches, reachable, storage, writer
from operations.metrics import Metrics, database_registry, exposition
from tests.kit.acting import play_out
from tests.kit.client import Program, started
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)

DOCS = Path(__file__).parents[2] / "docs"
DASHBOARD, ALERTS = DOCS / "grafana.json", DOCS / "alerts.yaml"
OF_PROMETHEUS = {"instance", "job"}
"""Labels that Prometheus adds to every metric."""


@pytest.fixture(autouse=True)
def _leads() -> Iterator[None]:
    """Let this process lead, so that it exports the metrics of the database."""
    figures.leads.set(1)
    yield
    figures.leads.set(0)


def read(text: bytes) -> dict[str, float]:
    """Return every sample, by name and labels."""
    return {
        f"{sample.name}{json.dumps(sample.labels, sort_keys=True)}": sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


def total(found: dict[str, float], name: str) -> float:
    return sum(value for key, value in found.items() if key.startswith(name))


async def test_metrics_count_connections_matches_and_acts() -> None:
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
    at_turn = open_table(PersonFactory(), PersonFactory())
    start_match(at_turn)
    with pytest.raises(Refused):
        matches.move(at_turn.pk, at_turn.host_id, {"type": "Roll"}, prompt=99).result()
    lonely = open_table(PersonFactory())
    with pytest.raises(Refused):
        rooms.start(lonely.pk, lonely.host_id).result()


async def test_refusals_and_acts_are_counted_by_type() -> None:
    before = read(await exposition())
    await sync_to_async(play_and_be_refused)()
    now = read(await exposition())
    for key in (
        'parlour_refusals_total{"code": "not_enough_players"}',
        'parlour_acts_total{"by": "hand", "game": "mia", "kind": "move"}',
        'parlour_refused_moves_total{"code": "stale", "game": "mia"}',
    ):
        assert now[key] > before.get(key, 0)


async def test_early_refusals_are_counted(monkeypatch: Any) -> None:
    before = read(await exposition())
    async with Program() as ann:
        await ann.raw("no packet")
        await ann.until("ActionFailed")
    await sync_to_async(refused_as_busy)(monkeypatch)
    now = read(await exposition())
    for code in ("bad_packet", "busy"):
        key = f'parlour_refusals_total{{"code": "{code}"}}'
        assert now[key] > before.get(key, 0)


def refused_as_busy(monkeypatch: Any) -> None:
    """Fill the queue so that new jobs are refused."""
    full = writer._Writer()
    monkeypatch.setattr(full, "_ensure_running", lambda: None)
    monkeypatch.setattr(writer, "MOST_WAITING", 1)
    full.submit(lambda: None)
    with pytest.raises(Refused):
        full.submit(lambda: None).result()


async def status(headers: list[tuple[bytes, bytes]]) -> int:
    """Return the status of a request for the metrics."""

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 404})

    scope = {"type": "http", "path": "/metrics", "method": "GET", "headers": headers}
    asked = ApplicationCommunicator(Metrics(inner), scope)
    await asked.send_input({"type": "http.request", "body": b""})
    found: int = (await asked.receive_output(20))["status"]
    return found


async def test_metrics_require_the_token(settings: Any) -> None:
    settings.METRICS_TOKEN = "right"
    assert await status([(b"authorization", b"Bearer right")]) == 200
    for wrong in ([], [(b"authorization", b"Bearer ")], [(b"authorization", b"Bearer wrong")]):
        assert await status(wrong) == 404


def test_metrics_are_unavailable_if_no_token_is_set(client: Any, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


LISTED = {
    "connections by kind": ("parlour_connections", "kind"),
    "rooms": ("parlour_rooms", "status"),
    "acts by game": ("parlour_acts", "game"),
    "lapses": ("parlour_acts", "kind"),
    "moves by result": ("parlour_refused_moves", "code"),
    "how long an act takes": ("parlour_command_seconds", "le"),
    "until the last viewer": ("parlour_shown_seconds", "le"),
    "group sizes": ("parlour_group_size", "le"),
    "the queue": ("parlour_writer_waiting", ""),
    "lost notifications": ("parlour_lost_notifications", ""),
    "how late the clock is": ("parlour_clock_lag_seconds", ""),
    "the clock's skew": ("parlour_clock_skew_seconds", ""),
    "refusals by code": ("parlour_refusals", "code"),
    "the queue of hashes": ("parlour_hashing_waiting", ""),
    "datagrams by reason": ("parlour_datagrams", "reason"),
    "finished matches": ("parlour_counted_matches", ""),
    "matches without a number": ("parlour_uncounted", ""),
    "responses by status": ("parlour_http_seconds", "status"),
    "faults of the database": ("parlour_storage_faults", "what"),
    "the state of Redis": ("parlour_redis_away", ""),
    "the leader": ("parlour_leads", ""),
    "memory": ("process_resident_memory_bytes", ""),
    "processor time": ("process_cpu_seconds", ""),
    "open files": ("process_open_fds", ""),
    "starts": ("process_start_time_seconds", ""),
    "the version": ("parlour_info", "version"),
}
"""The metrics promised to operators, each with its distinguishing label."""


def told_apart() -> dict[str, set[str]]:
    """Return the labels of every metric, including metrics that have counted nothing yet."""
    found = {family.name: set[str]() for family in database_registry().collect()}
    for family in database_registry().collect():
        found[family.name] |= {label for sample in family.samples for label in sample.labels}
    found |= {family.name: set() for family in figures.of_process.collect()}
    for metric in list(figures.registry._collector_to_names):
        assert isinstance(metric, MetricWrapperBase)
        is_histogram = isinstance(metric, Histogram)
        found[metric._name] = {*metric._labelnames, *(["le"] if is_histogram else [])}
    return found


def test_all_documented_metrics_are_exported() -> None:
    open_table(PersonFactory())
    known = told_apart()
    missing = {
        said: name
        for said, (name, label) in LISTED.items()
        if name not in known or (label and label not in known[name])
    }
    assert not missing


def test_dashboard_queries_match_the_exported_metrics() -> None:
    """Check the metric names and labels in each query of the dashboard."""
    start_match(open_table(PersonFactory(), PersonFactory()))
    known = told_apart()
    dashboard = json.loads(DASHBOARD.read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert len(asked) > 15
    for expr in asked:
        (name,) = _names(expr)
        assert name in known, expr
        assert _labels(expr) <= known[name] | OF_PROMETHEUS, expr
    shown = {name for expr in asked for name in _names(expr)}
    ours = {name for name in known if name.startswith("parlour_")}
    assert ours - shown == {"parlour_info"}


def test_alerts_match_the_exported_metrics() -> None:
    known = told_apart()
    groups = yaml.safe_load(ALERTS.read_text())["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    assert len({rule["alert"] for rule in rules}) == len(rules) > 8
    for rule in rules:
        assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}
        assert set(rule["annotations"]) == {"summary", "do"}
        names = _names(rule["expr"])
        assert names or rule["expr"].startswith("up{")
        for name in names:
            assert name in known, rule
            assert _labels(rule["expr"]) <= known[name] | OF_PROMETHEUS, rule


async def test_responses_are_measured_by_status() -> None:
    before = read(await exposition())
    for path, found in (("/robots.txt", 200), ("/nowhere/", 404)):
        scope = {
            "type": "http",
            "path": path,
            "method": "GET",
            "headers": [(b"host", b"localhost")],
        }
        scope |= {"query_string": b"", "server": ("localhost", 80)}
        asked = ApplicationCommunicator(application, scope)
        await asked.send_input({"type": "http.request", "body": b""})
        assert (await asked.receive_output(20))["status"] == found
        await asked.wait()
    now = read(await exposition())
    for status in ("200", "404"):
        key = f'parlour_http_seconds_count{{"status": "{status}"}}'
        assert now[key] == before.get(key, 0) + 1
    assert now["process_open_fds{}"] > 0


async def test_only_the_leading_process_exports_metrics_of_the_database() -> None:
    assert 'parlour_info{"version"' in str(read(await exposition()))
    figures.leads.set(0)
    now = read(await exposition())
    assert not [key for key in now if key.startswith(("parlour_info", "parlour_rooms"))]


def test_faults_of_the_storage_are_counted() -> None:
    def count(what: str) -> float:
        return (
            figures.registry.get_sample_value("parlour_storage_faults_total", {"what": what}) or 0
        )

    before = count("read"), count("write")
    reachable.ReadState().failed(OperationalError("in a test"))
    storage.Storage().failed(OperationalError("in a test"))
    assert (count("read"), count("write")) == (before[0] + 1, before[1] + 1)


def _split(found: re.Match[str] | None) -> list[str]:
    return [label.strip() for label in found[1].split(",")] if found else []


def _labels(expr: str) -> set[str]:
    return {*re.findall(r"(\w+)=", expr), *_split(re.search(r"by \(([^)]*)\)", expr))}


def _names(expr: str) -> list[str]:
    ends = r"(?:_total|_bucket|_sum|_count)?"
    return re.findall(rf"\b((?:parlour|process)_\w+?){ends}\b", expr)
