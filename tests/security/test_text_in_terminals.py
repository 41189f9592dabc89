"""User text cannot control terminals or forge log lines, and keeps its order in emails."""

from __future__ import annotations

import json
import logging
import re
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.template.loader import render_to_string

from accounts.isolation import CLOSES, OPENS, for_terminal
from config.log_context import Json, Text
from tests.kit.factories import AccountFactory

HOSTILE = "a\x1b[31m\nERROR forged\r\x9b\u202eb\u2028"
HEBREW = "\u05d3\u05d5\u05d3"


def record(text: str) -> logging.LogRecord:
    return logging.LogRecord("games", logging.INFO, __file__, 1, "for %s", (text,), None)


def is_plain(text: str) -> bool:
    return re.search("[\x00-\x1f\x7f-\x9f\u202e\u2028]", text) is None


@pytest.mark.parametrize("formatter", [Text(), Json()])
def test_a_log_line_has_no_control_characters(formatter: logging.Formatter) -> None:
    assert is_plain(formatter.format(record(HOSTILE)))


def test_json_log_line_keeps_the_whole_text() -> None:
    assert json.loads(Json().format(record(HOSTILE)))["message"] == f"for {HOSTILE}"


def test_text_for_a_terminal_is_plain_and_isolated() -> None:
    assert is_plain(for_terminal(HOSTILE))
    assert for_terminal(HEBREW) == f"{OPENS}{HEBREW}{CLOSES}"


@pytest.mark.django_db
def test_a_command_isolates_a_user_name() -> None:
    AccountFactory(username=HEBREW)
    out = StringIO()
    call_command("second_step", HEBREW, stdout=out)
    assert out.getvalue().startswith(f"{OPENS}{HEBREW}{CLOSES} has ")


def test_every_mail_isolates_user_names() -> None:
    folder = Path(settings.BASE_DIR) / "templates/account/email"
    facts = {"name": HEBREW, "user": {"username": HEBREW}, "accounts": [(HEBREW, "/link")]}
    seen = 0
    for path in sorted(folder.glob("*.txt")):
        text = render_to_string(f"account/email/{path.name}", {**facts, "days": 1})
        seen += text.count(HEBREW)
        assert text.count(HEBREW) == text.count(f"{OPENS}{HEBREW}{CLOSES}"), path.name
    assert seen >= 3
