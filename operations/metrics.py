"""Metrics for Prometheus, at /metrics.

A request needs METRICS_TOKEN. Without it, the response is a 404.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.db.models import Count
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from games.engine import figures
from games.engine.time_source import source
from games.history import counting
from games.models import Counter, Heartbeat, Match, Room

App = Callable[[Any, Any, Any], Awaitable[None]]
PATIENCE = 4.0


class Metrics:
    """ASGI middleware that responds to /metrics, and measures all other responses."""

    def __init__(self, inner: App) -> None:
        self._inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"].rstrip("/") != "/metrics" or not _may_read(scope):
            await self._measured(scope, receive, send)
            return
        body = await exposition()
        headers = [
            (b"content-type", CONTENT_TYPE_PLAIN_0_0_4.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _measured(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, and measure how long the response takes."""
        began, status = time.monotonic(), "none"

        async def noted(message: Any) -> None:
            nonlocal status
            status = str(message.get("status", status))
            await send(message)

        try:
            await self._inner(scope, receive, noted)
        finally:
            figures.http_seconds.labels(status).observe(time.monotonic() - began)


async def exposition() -> bytes:
    """Return all metrics of this process.

    Only the leading process includes those from the database, so that each has one source, and only
    if the database responds in time.
    """
    registry = process_registry()
    own = generate_latest(registry)
    if registry is figures.registry:
        own += generate_latest(figures.of_process)
    if not registry.get_sample_value("parlour_leads"):
        return own
    try:
        async with asyncio.timeout(PATIENCE):
            return own + await asyncio.to_thread(_database_exposition)
    except (DatabaseError, TimeoutError):
        return own


def _may_read(scope: Any) -> bool:
    given = dict(scope["headers"]).get(b"authorization", b"")
    wanted = f"Bearer {settings.METRICS_TOKEN}".encode()
    return bool(settings.METRICS_TOKEN) and hmac.compare_digest(given, wanted)


def process_registry() -> CollectorRegistry:
    """Return the metrics of this process, or of all processes that share its port."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return figures.registry
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return together


def database_registry() -> CollectorRegistry:
    """Return the metrics from the database."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_DatabaseCollector())
    return registry


def _database_exposition() -> bytes:
    close_old_connections()
    try:
        return generate_latest(database_registry())
    finally:
        connection.close()


class _DatabaseCollector(Collector):
    """Collects metrics from the database, which are the same for all processes."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        version = GaugeMetricFamily("parlour_info", "Version of Parlour", labels=["version"])
        version.add_metric([settings.VERSION], 1)
        yield version
        rooms = GaugeMetricFamily("parlour_rooms", "Rooms", labels=["status"])
        counted = Room.objects.values_list("status").annotate(Count("pk")).order_by("status")
        for status, count in counted:
            rooms.add_metric([status], count)
        yield rooms
        running = Match.objects.filter(ended_at=None)
        matches = GaugeMetricFamily("parlour_matches_running", "Running matches", labels=["game"])
        for game, count in running.values_list("game").annotate(Count("pk")).order_by("game"):
            matches.add_metric([game], count)
        yield matches
        now = source.wall()
        first = running.exclude(wake_at=None).order_by("wake_at").values_list("wake_at").first()
        late = max(0.0, (now - first[0]).total_seconds()) if first and first[0] else 0.0
        yield GaugeMetricFamily("parlour_clock_lag_seconds", "Oldest overdue timer", value=late)
        counter = Counter.objects.filter(name=Counter.MATCHES).first()
        yield GaugeMetricFamily(
            "parlour_counted_matches",
            "Highest number of a finished match",
            value=counter.value if counter else 0,
        )
        yield GaugeMetricFamily(
            "parlour_uncounted",
            "Finished matches that wait for a number",
            value=counting.uncounted().count(),
        )
        heartbeat = Heartbeat.objects.filter(pk=1).first()
        age = (now - heartbeat.at).total_seconds() if heartbeat else -1.0
        yield GaugeMetricFamily(
            "parlour_heartbeat_age_seconds", "Age of the last heartbeat", value=age
        )
