"""User text cannot control terminals or forge log lines, and keeps its order in emails."""

from __future__ import annotations

import json
import logging
import re
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
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


def said_by(*args: str, **given: object) -> str:
    """Return what a command prints, or its error."""
    out = StringIO()
    try:
        call_command(*args, stdout=out, **given)
    except CommandError as error:
        return f"{out.getvalue()}\n{error}"
    return out.getvalue()


RANDOM = "def bot(decision):\n    return decision.random()\n"
RAISES = "def bot(decision):\n    raise ValueError('a\\x1b[31m\\u202eb')\n"
QUICK = {"game": "mia", "games": 1, "against": "random", "seats": 2}


def test_workbench_escapes_what_bots_and_their_files_are_called(tmp_path: Path) -> None:
    old, new = tmp_path / "[b]\x1b[31m\u202e.py", tmp_path / "new\x9b.py"
    old.write_text(RANDOM)
    new.write_text(RAISES)
    missing = str(tmp_path / "no\x1b[31m.py")
    for said in (
        said_by("arena", str(old), **QUICK),
        said_by("arena", str(new), **QUICK),
        said_by("arena", missing, **QUICK),
        said_by("compare", str(old), str(new), **QUICK),
    ):
        assert r"\u001b" in said or r"\u009b" in said
        assert is_plain(said.replace("\n", "").replace("\t", ""))


def test_replay_escapes_names_in_a_file(tmp_path: Path) -> None:
    bot, lost = tmp_path / "bot.py", tmp_path / "lost"
    bot.write_text("def bot(decision):\n    return None\n")
    said_by("arena", str(bot), save=str(lost), **{**QUICK, "games": 5})
    file = min(lost.iterdir())
    head, rest = file.read_text().split("\n", 1)
    match = json.loads(head)
    for seat in match["seats"]:
        seat["name"] = HOSTILE + str(seat["seat"])
    file.write_text(f"{json.dumps(match)}\n{rest}")
    said = said_by("replay", str(file))
    assert r"a\u001b[31m" in said
    assert is_plain(said.replace("\n", ""))


def test_every_mail_isolates_user_names() -> None:
    folder = Path(settings.BASE_DIR) / "templates/account/email"
    facts = {"name": HEBREW, "user": {"username": HEBREW}, "accounts": [(HEBREW, "/link")]}
    seen = 0
    for path in sorted(folder.glob("*.txt")):
        text = render_to_string(f"account/email/{path.name}", {**facts, "days": 1})
        seen += text.count(HEBREW)
        assert text.count(HEBREW) == text.count(f"{OPENS}{HEBREW}{CLOSES}"), path.name
    assert seen >= 3
