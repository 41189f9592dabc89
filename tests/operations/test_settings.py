"""Invalid settings are reported in one sentence with their name."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.places import CODE
from config.reading import Env, read_address

Read = Callable[[Env], Any]


@pytest.mark.parametrize(
    ("written", "read", "said"),
    [
        ("many", lambda env: env.int("ODD"), "ODD must be a number, not 'many'"),
        ("soon", lambda env: env.float("ODD", 1.0), "ODD must be a number, not 'soon'"),
        (
            "perhaps",
            lambda env: env.one_of("ODD", "yes", "no"),
            "ODD must be yes or no, not 'perhaps'",
        ),
        (
            "postgres",
            lambda env: env.database("ODD", ""),
            "ODD must be sqlite:///… or postgres://…",
        ),
        ("-1", lambda env: env.int("ODD", 2), "ODD must be 0 or more, not -1"),
        ("maybe", lambda env: env.flag("ODD", True), "ODD must be on or off, not 'maybe'"),
        ("70000", lambda env: env.port("ODD", 8000), "ODD must be a port up to 65535, not 70000"),
        (
            "slow",
            lambda env: env.seconds("ODD", "1"),
            "ODD must be seconds, like 2 or 1-4, not 'slow'",
        ),
        ("4-1", lambda env: env.seconds("ODD", "1"), "ODD must have the smaller number first"),
        ("localhost", lambda env: env.redis("ODD"), "ODD must be redis://… .*, not 'localhost'"),
        ("mysql://x", lambda env: env.database("ODD", ""), "not 'mysql'"),
    ],
)
def test_invalid_value_is_reported(monkeypatch: Any, written: str, read: Read, said: str) -> None:
    monkeypatch.setenv("ODD", written)
    with pytest.raises(ImproperlyConfigured, match=said):
        read(Env())


def test_error_does_not_show_the_password(monkeypatch: Any) -> None:
    monkeypatch.setenv("ODD", "mysql://me:hidden@host/name")
    with pytest.raises(ImproperlyConfigured) as told:
        Env().database("ODD", "")
    assert "hidden" not in str(told.value)


def test_empty_value_means_the_default(monkeypatch: Any) -> None:
    monkeypatch.setenv("ODD", "")
    assert Env().one_of("ODD", "yes", "no") == "yes"
    usual = Env().database("ODD", "sqlite:////srv/parlour.sqlite3")
    assert usual["NAME"] == "/srv/parlour.sqlite3"
    assert Env().flag("ODD", True) is True
    assert Env().port("ODD", None) is None
    assert Env().redis("ODD") == ""


def test_valid_values_are_parsed(monkeypatch: Any) -> None:
    for written, read in {"1-4": (1, 4), "0.5": (0.5, 0.5)}.items():
        monkeypatch.setenv("ODD", written)
        assert Env().seconds("ODD", "0") == read
    for written, on in {"on": True, "No": False, "1": True, "off": False}.items():
        monkeypatch.setenv("ODD", written)
        assert Env().flag("ODD", not on) is on


@pytest.mark.parametrize("written", ["play.example.org", "https://", "https://example.org/games"])
def test_invalid_public_url_is_rejected(written: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="PUBLIC_URL must be like https"):
        read_address(written)


def test_public_url_has_no_trailing_slash() -> None:
    assert read_address("https://play.example.org/") == "https://play.example.org"
    assert read_address("") == ""


@pytest.mark.parametrize("workers", [1, 2, 8, 10])
def test_processes_open_fewer_connections_than_postgresql_allows(workers: int) -> None:
    """Debian's PostgreSQL allows 97 connections. Each thread of a process keeps one."""
    env = {**os.environ, "DATABASE_URL": "postgres://x@localhost/x", "WORKERS": str(workers)}
    code = "from config import settings as s; print(s.PAGE_THREADS + s.READ_THREADS + 6)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=CODE, capture_output=True, text=True
    )
    assert 0 < workers * int(done.stdout) <= 97, done.stderr
