"""Log lines contain ids, errors are reported once an hour, and neither names people."""

from __future__ import annotations

import json
import logging
import os
import sys
import types
from typing import Any

import pytest
from channels.testing import ApplicationCommunicator
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from redis.exceptions import ConnectionError

from config import error_mail, once_an_hour, sentry
from config.asgi import application
from config.log_context import Json, Text, WithIds, is_in_journal
from config.logs import StorageFaults
from games.engine.log_ids import about, ids
from games.engine.writer import command
from tests.kit.waiting import wait_for
from tests.kit.writing import caused

NAME = "Zwetschge"


def record(text: str = "a word", failed: bool = False, line: int = 1) -> logging.LogRecord:
    """A log record, optionally with an error that contains a name."""
    info: Any = None
    if failed:
        try:
            raise ValueError(NAME)
        except ValueError:
            info = sys.exc_info()
    made = logging.LogRecord("games.there", logging.ERROR, __file__, line, text, (), info)
    WithIds().filter(made)
    return made


def test_log_line_contains_the_ids_of_its_context() -> None:
    with about(room=7), about(match=9):
        one = record("it stumbled")
    assert Text().format(one) == "it stumbled [room=7 match=9]"
    assert Text().format(record("it stumbled")) == "it stumbled"
    line = json.loads(Json().format(one))
    assert (line["level"], line["message"]) == ("ERROR", "it stumbled")
    assert (line["room"], line["match"]) == (7, 9)
    assert "ValueError" in json.loads(Json().format(record(failed=True)))["traceback"]


def test_lines_have_time_and_level_unless_the_journal_adds_them(monkeypatch: Any) -> None:
    one = record("it stumbled")
    one.created = 1_800_000_000.9
    assert Text(timed=True).format(one) == "2027-01-15 08:00:00 ERROR it stumbled"
    stderr = os.fstat(2)
    monkeypatch.setenv("JOURNAL_STREAM", f"{stderr.st_dev}:{stderr.st_ino}")
    assert is_in_journal()
    monkeypatch.setenv("JOURNAL_STREAM", f"{stderr.st_dev}:{stderr.st_ino + 1}")
    assert not is_in_journal()
    monkeypatch.delenv("JOURNAL_STREAM")
    assert not is_in_journal()


@pytest.mark.parametrize(
    "error",
    [
        caused(OperationalError("canceling statement due to lock timeout"), "55P03"),
        caused(OperationalError("deadlock detected"), "40P01"),
        OperationalError("connection refused"),
        TimeoutError("Redis is silent"),
        ConnectionError("Redis has gone"),
    ],
)
def test_faults_of_the_storage_are_one_line_a_minute(error: Exception) -> None:
    lines = []
    for _ in range(2):
        made = logging.LogRecord(
            "there", 40, __file__, 1, "it failed", (), (type(error), error, None)
        )
        if StorageFaults().filter(made):
            lines.append(Text().format(made))
    assert lines == [f"it failed: {type(error).__name__}: {error}"]


def test_ids_are_in_the_first_line_of_a_traceback() -> None:
    with about(room=7):
        first, *rest = Text().format(record("it stumbled", failed=True)).split("\n")
    assert first == "it stumbled [room=7]"
    assert rest[-1] == "ValueError: Zwetschge"


@pytest.mark.django_db(transaction=True)
def test_writer_inherits_the_log_context() -> None:
    with about(room=7):
        seen = command(lambda: dict(ids.get()))().result()
    assert seen == {"room": 7}
    assert command(lambda: dict(ids.get()))().result() == {}


@pytest.mark.django_db(transaction=True)
async def test_every_response_gets_a_server_generated_request_id() -> None:
    headers = [(b"host", b"localhost"), (b"x-request-id", b"mine")]
    scope = {"type": "http", "path": "/robots.txt", "method": "GET", "headers": headers}
    scope |= {"query_string": b"", "server": ("localhost", 80)}
    found = set()
    for _ in range(2):
        asked = ApplicationCommunicator(application, dict(scope))
        await asked.send_input({"type": "http.request", "body": b""})
        start = await asked.receive_output(20)
        await asked.wait()
        found.add(dict(start["headers"])[b"x-request-id"])
    assert len(found) == 2
    assert b"mine" not in found


@pytest.fixture
def handler(settings: Any) -> error_mail.ErrorMail:
    settings.ADMINS = [("", "admin@club.example")]
    return error_mail.ErrorMail()


def sent(count: int) -> list[Any]:
    wait_for(lambda: len(mail.outbox) >= count)
    return mail.outbox


def test_each_kind_of_error_is_mailed_once_an_hour(handler: Any, monkeypatch: Any) -> None:
    for _ in range(3):
        handler.handle(record(failed=True, line=1))
    handler.handle(record(failed=True, line=2))
    assert len(sent(2)) == 2
    monkeypatch.setattr(once_an_hour, "HOUR", -1.0)
    handler.handle(record(failed=True, line=1))
    assert len(sent(3)) == 3


def test_number_of_error_mails_is_limited() -> None:
    told = once_an_hour.OnceAnHour()
    kinds = [f"kind {number}" for number in range(3 * once_an_hour.MOST_KINDS)]
    assert sum(told.is_due(kind) for kind in kinds * 2) == once_an_hour.MOST_KINDS


def test_error_mail_gives_the_location_but_no_names(handler: Any) -> None:
    with about(room=7):
        handler.handle(record("it stumbled over %s", failed=True))
    (told,) = sent(1)
    assert "games.there: ValueError" in told.subject
    assert "room=7" in told.body
    assert __file__ in told.body
    assert NAME not in told.body


def test_no_mail_is_sent_below_error_level_or_without_admins(settings: Any, handler: Any) -> None:
    settings.ADMINS = []
    handler.handle(record())
    assert not mail.outbox
    assert handler.level == logging.ERROR


def test_djangos_error_mails_are_disabled() -> None:
    """Error mails contain the values of forms, cookies and settings."""
    assert logging.getLogger("django").handlers == []


def test_sentry_events_contain_no_values(monkeypatch: Any) -> None:
    given: dict[str, Any] = {}
    monkeypatch.setitem(
        sys.modules, "sentry_sdk", types.SimpleNamespace(init=lambda **more: given.update(more))
    )
    sentry.start_sentry("https://key@sentry.example/1")
    assert given["send_default_pii"] is given["include_local_variables"] is False
    values = [{"type": "ValueError", "value": "Zwetschge"}]
    event = {"logger": "games", "exception": {"values": values}, "user": {"id": 7}, "request": {}}
    told = given["before_send"](event, None)
    assert told is not None
    assert set(told) == {"logger", "exception"}
    assert values == [{"type": "ValueError", "value": ""}]
    assert given["before_send"](dict(event), None) is None


def test_missing_sentry_package_is_reported(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(ImproperlyConfigured, match="pip install sentry-sdk"):
        sentry.start_sentry("https://key@sentry.example/1")
