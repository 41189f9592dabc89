"""`manage.py doctor` finds planted faults, gives advice, and reports nothing else."""

from __future__ import annotations

import io
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from django.test import Client
from django.utils import timezone

from accounts.second_step import Authenticator
from games.models import Heartbeat, Match
from operations.doctor import (
    address,
    database,
    echo,
    examination,
    machine,
    services,
    settings_used,
    staff,
)
from operations.doctor.database import connections_finding
from operations.doctor.findings import Finding, Look, error, of, warning
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.moderators import superuser
from tests.kit.passkeys import passkey
from tests.kit.served import ROOT, free_port, free_udp_port

pytestmark = pytest.mark.django_db(transaction=True)


def worst(look: Look) -> Finding:
    """Return the most severe finding of a check."""
    return max(of(look, "test"), key=lambda f: ("ok", "warning", "error").index(f.level))


def with_settings(**values: Any) -> Callable[[Any], None]:
    """Override settings."""

    def plant(settings: Any) -> None:
        for name, value in values.items():
            setattr(settings, name, value)

    return plant


def heartbeat(age: timedelta) -> Callable[[Any], None]:
    def plant(settings: Any) -> None:
        at = timezone.now() - age
        Heartbeat.objects.update_or_create(pk=1, defaults={"at": at, "leader": "somebody"})

    return plant


def a_hole_in_a_log(settings: Any) -> None:
    match = start_match(open_table(PersonFactory(), bots=1))
    Match.objects.filter(pk=match.pk).update(version=99)


def static_file_missing(settings: Any) -> None:
    root = Path(settings.STATIC_ROOT)
    (root / "staticfiles.json").write_text(json.dumps({"paths": {"app.css": "app.1.css"}}))


PLANTED: dict[str, tuple[Callable[[Any], None], Look, str, str]] = {
    "debug": (
        with_settings(DEBUG=True),
        settings_used.settings_are_safe,
        "error",
        "DEBUG is on",
    ),
    "host": (
        with_settings(PUBLIC_URL="https://play.example.org", HTTPS=True, ALLOWED_HOSTS=["other"]),
        settings_used.settings_are_safe,
        "error",
        "ALLOWED_HOSTS lacks play.example.org",
    ),
    "plain http": (
        with_settings(PUBLIC_URL="http://play.example.org", ALLOWED_HOSTS=["*"]),
        settings_used.settings_are_safe,
        "error",
        "passwords are sent unencrypted",
    ),
    "no server": (lambda _: None, database.leader, "error", "No server has ever run"),
    "server gone": (
        heartbeat(timedelta(hours=1)),
        database.leader,
        "error",
        "No server has worked on this database since",
    ),
    "log": (a_hole_in_a_log, database.integrity, "error", "has gaps"),
    "redis": (
        with_settings(REDIS_URL="redis://me:hidden@127.0.0.1:1/0"),
        services.redis_answers,
        "error",
        "redis://me:…@127.0.0.1:1/0 does not answer",
    ),
    "workers": (
        with_settings(WORKERS=2, REDIS_URL=""),
        services.redis_answers,
        "error",
        "Several workers need Redis",
    ),
    "mail": (
        with_settings(
            MAIL=True,
            EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend",
            EMAIL_HOST="127.0.0.1",
            EMAIL_PORT=1,
        ),
        services.mail,
        "error",
        "The mail server refused",
    ),
    "no mail": (with_settings(MAIL=False), services.mail, "warning", "No mail is sent"),
    "udp": (
        with_settings(MIA_UDP_PORT=free_udp_port(), MIA_UDP_HOST="127.0.0.1"),
        services.udp,
        "error",
        "Nothing answers at 127.0.0.1",
    ),
    "static": (static_file_missing, machine.static_files, "error", "1 of 1 are missing"),
    "address": (
        with_settings(PUBLIC_URL=f"http://127.0.0.1:{free_port()}"),
        address.reached,
        "error",
        "cannot be reached",
    ),
    "web socket": (
        with_settings(PUBLIC_URL=f"http://127.0.0.1:{free_port()}"),
        address.web_socket,
        "error",
        "ws://127.0.0.1",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_fault_is_found(name: str, settings: Any, tmp_path: Path, monkeypatch: Any) -> None:
    plant, look, level, said = PLANTED[name]
    settings.STATIC_ROOT, settings.HTTPS = tmp_path, False
    monkeypatch.setattr(services, "ANSWERS_WITHIN", 0.2)
    plant(settings)
    found = [finding for finding in of(look, "test") if said in finding.said]
    assert [finding.level for finding in found] == [level]
    assert found[0].do
    assert "hidden" not in str(found)


def seen(**more: Any) -> dict[str, Any]:
    """Return a server's report behind one proxy, with everything correct."""
    return {"forwarded": "198.51.100.7", "counted": "198.51.100.7", "https": True, **more}


@pytest.mark.parametrize(
    ("trusted", "server", "said"),
    [
        (1, seen(), None),
        (1, seen(forwarded="127.0.0.1", counted=None), None),
        (1, seen(forwarded=address.FORGED, counted=address.FORGED), "can choose the address"),
        (0, seen(forwarded=f"{address.FORGED}, 198.51.100.7"), "but TRUSTED_PROXIES is 0"),
        (2, seen(), "have no effect"),
        (1, seen(https=False), "does not know that requests use https"),
    ],
)
def test_proxy_headers_are_checked(
    settings: Any, trusted: int, server: dict[str, Any], said: str | None
) -> None:
    settings.TRUSTED_PROXIES, settings.HTTPS = trusted, True
    (finding,) = address.judge(server)
    assert finding.level == ("ok" if said is None else "error")
    assert said is None or said in finding.said


def test_disk_space_open_files_and_clock_skew_are_checked() -> None:
    sizes = (2 << 30, 500 << 20, 1 << 20)
    assert [database.space_finding(size, Path("/")).level for size in sizes] == [
        *("ok", "warning", "error")
    ]
    assert machine.files_finding(1024, 7).level == "warning"
    now = timezone.now()
    for seconds, level, said in (
        (0.2, "ok", "0.20 s ahead of"),
        (-0.7, "warning", "0.70 s behind"),
        (60, "error", "60.00 s ahead of"),
    ):
        found = machine.skew_finding(now - timedelta(seconds=seconds), now, "another")
        assert (found.level, found.said) == (level, f"It is {said} another.")


def test_database_without_durability_is_reported() -> None:
    """The tests' own databases do not sync (conftest.py)."""
    found = worst(database.durability)
    assert found.level == "error"
    assert "loses confirmed moves" in found.do


def test_database_readable_by_others_is_reported(monkeypatch: Any, tmp_path: Path) -> None:
    file = tmp_path / "parlour.sqlite3"
    file.touch(0o644)
    monkeypatch.setattr(database, "_is_sqlite", lambda: True)
    monkeypatch.setitem(connection.settings_dict, "NAME", str(file))
    tmp_path.chmod(0o755)
    (finding,) = of(database.private, "database")
    assert finding.level == "warning"
    assert finding.do == f"chmod 700 {tmp_path}"
    tmp_path.chmod(0o700)
    assert not of(database.private, "database")


def test_migrations_of_another_version_are_reported() -> None:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("UPDATE django_migrations SET name = '0999_later' WHERE app = 'chat'")
        found = of(database.migrations, "test")
        transaction.set_rollback(True)
    assert [finding.level for finding in found] == ["error", "warning"]
    assert "have not been applied" in found[0].said
    assert "of a later version: chat.0999_later" in found[1].said
    assert worst(database.migrations).level == "ok"


def test_damaged_database_is_reported(monkeypatch: Any) -> None:
    monkeypatch.setattr(database, "_asked", lambda query: "row 7 missing from index")
    if connection.vendor == "sqlite":
        assert "row 7" in worst(database.integrity).said


def test_removed_setting_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(settings_used.removed_settings())
    monkeypatch.setenv("MIA_KEEP_ROUNDS", "5")
    assert "MIA_KEEP_ROUNDS is no longer a setting" in worst(settings_used.removed_settings).said


def test_unknown_settings_are_reported(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ENV_FILE = tmp_path / "parlour.env"
    settings.ENV_FILE.write_text("WORKERS=2\nSITENAME=Club\nCOLOUR=red\nPGPASSWORD=x\n")
    monkeypatch.setenv("DATABASE_CONECTIONS", "9")
    monkeypatch.setenv("OTHERS_COLOUR", "red")
    found = {finding.said.split()[0]: finding.do for finding in settings_used.unknown_settings()}
    assert found == {
        "COLOUR": "Remove it, or correct its name (docs/settings.md).",
        "DATABASE_CONECTIONS": "Did you mean DATABASE_CONNECTIONS?",
        "SITENAME": "Did you mean SITE_NAME?",
    }


def test_every_documented_setting_is_known(settings: Any) -> None:
    table = (ROOT / "docs" / "settings.md").read_text().partition("## Probes")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    documented = {name for cell in cells for name in re.findall(r"`([A-Z_]+)`", cell)}
    assert documented <= settings.KNOWN
    assert len(documented) > 50


def test_settings_file_readable_by_others_is_reported(settings: Any, tmp_path: Path) -> None:
    settings.ENV_FILE = tmp_path / "parlour.env"
    settings.ENV_FILE.touch(0o644)
    assert "Other users can read" in worst(settings_used.settings_file).said
    settings.ENV_FILE.chmod(stat.S_IRUSR)
    assert worst(settings_used.settings_file).level != "error"


def test_package_that_differs_from_its_pin_is_reported(settings: Any, tmp_path: Path) -> None:
    settings.BASE_DIR = tmp_path
    (tmp_path / "requirements.lock").write_text(
        "django==1.0 \\\nnowhere==1 ; sys_platform == 'x'\n"
    )
    assert worst(machine.versions).said == "Packages that differ from requirements.lock: django."


@pytest.mark.parametrize("status", [502, 504])
def test_proxy_without_a_server_is_reported(status: int, monkeypatch: Any) -> None:
    class Answer:
        def __init__(self) -> None:
            self.status, self.text = status, "<html>"

    monkeypatch.setattr(address, "_ask", lambda path, headers=None: Answer())
    assert worst(address.reached).said == f"The proxy answers ({status}), the server does not."


def test_silenced_check_is_not_reported(settings: Any) -> None:
    settings.HTTPS = True
    settings.SECURE_HSTS_SECONDS = 60
    settings.SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    assert not [f for f in of(settings_used.settings_are_safe, "") if "HSTS" in f.said]


def test_missing_or_old_backup_is_reported(settings: Any, tmp_path: Path) -> None:
    settings.VAR = tmp_path
    assert worst(machine.backups).said == "There are no backups in var/backups."
    (tmp_path / "backups").mkdir()
    newest = tmp_path / "backups" / "parlour-20260101-030000.backup"
    newest.touch()
    assert worst(machine.backups).level == "ok"
    os.utime(newest, (0, 0))
    assert "days old" in worst(machine.backups).said


def test_crashing_check_is_reported_as_an_error() -> None:
    def look() -> Iterator[Finding]:
        yield warning("this", "first", "something")
        raise ZeroDivisionError

    assert [finding.level for finding in of(look, "this")] == ["warning", "error"]


def looks(**found: Finding) -> tuple[tuple[str, Look, frozenset[str]], ...]:
    """Replace the doctor's checks by these, each with its findings."""
    return tuple(
        (about, lambda one=found[about]: iter([one]), needs)  # type: ignore[misc]
        for about, _, needs in examination.LOOKS
        if about in found
    )


def test_consequences_of_a_fault_are_not_reported(monkeypatch: Any) -> None:
    """Tables are not reported without a database. Proxies are not reported without an address."""
    away = error("database", "PostgreSQL cannot be reached.", "Does it run?")
    gone = error("address", "It cannot be reached.", "Is the proxy running?")
    fine = dict.fromkeys(("migrations", "integrity", "server", "proxy", "websocket"), gone)
    found = looks(**fine | {"database": away, "address": gone, "mail": warning("mail", "", "")})
    monkeypatch.setattr(examination, "LOOKS", found)
    told = [finding.about for finding in examination.findings()]
    assert told == ["database", "mail", "address"]


def test_unreachable_database_is_reported_with_advice(monkeypatch: Any) -> None:
    def away(query: str) -> str:
        raise OperationalError("connection refused\nIs the server running?")

    monkeypatch.setattr(database, "_asked", away)
    (finding,) = of(database.connects, "database")
    assert finding.said.endswith("cannot be reached: connection refused")
    assert "DATABASE_URL" in finding.do


def test_doctor_endpoint_does_not_redirect_to_https(client: Client, settings: Any) -> None:
    """All other URLs redirect to HTTPS permanently, so the doctor would see nothing else."""
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/rules/mia/").status_code == 301
    told = client.get("/doctor/", headers={echo.HEADER: echo.sign()})
    assert told.json()["https"] is False


def test_doctor_endpoint_requires_a_signed_header(client: Client, settings: Any) -> None:
    assert client.get("/doctor/").status_code == 404
    assert client.get("/doctor/", headers={echo.HEADER: "doctor:forged"}).status_code == 404
    headers = {echo.HEADER: echo.sign(), "X-Forwarded-For": "198.51.100.7"}
    settings.TRUSTED_PROXIES = 1
    told = client.get("/doctor/", headers=headers).json()
    assert (told["counted"], told["forwarded"]) == ("198.51.100.7", "198.51.100.7")
    assert told["database"] == echo.of_database()


def test_doctor_exits_with_1_if_there_are_errors(settings: Any, monkeypatch: Any) -> None:
    from operations.management.commands import doctor

    bad = Finding("error", "this", "It is broken.", "Mend it.")
    monkeypatch.setattr(doctor, "findings", lambda: iter([bad]))
    said = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", stdout=said)
    assert ended.value.code == 1
    assert "ERROR    this          It is broken." in said.getvalue()
    assert "→ Mend it." in said.getvalue()
    monkeypatch.setattr(doctor, "findings", lambda: iter([Finding("ok", "this", "Fine.")]))
    said = io.StringIO()
    call_command("doctor", json=True, stdout=said)
    assert json.loads(said.getvalue()) == [
        {"level": "ok", "about": "this", "said": "Fine.", "do": ""}
    ]
    monkeypatch.setattr(doctor, "findings", lambda: iter([warning("this", "Hm.", "Think.")]))
    with pytest.raises(SystemExit):
        call_command("doctor", strict=True, stdout=io.StringIO())


def test_staff_without_a_second_factor_are_reported(settings: Any) -> None:
    settings.PUBLIC_URL = "https://games.example"
    assert worst(staff.second_step).level == "ok"
    root = superuser()
    found = worst(staff.second_step)
    assert (found.level, found.said[-2:]) == ("warning", "1.")
    passkey(root, "Key")
    assert worst(staff.second_step).level == "ok"
    Authenticator.objects.all().delete()
    settings.STAFF_SECOND_STEP = "required"
    assert worst(staff.second_step).level == "ok"
    settings.STAFF_SECOND_STEP, settings.PUBLIC_URL = "optional", "http://192.168.0.7"
    assert worst(staff.second_step).level == "ok"


@pytest.mark.parametrize(("workers", "level"), [(8, "ok"), (9, "warning")])
def test_more_connections_than_postgresql_allows_are_found(workers: int, level: str) -> None:
    assert connections_finding(workers, each=12, allowed=97).level == level
    assert connections_finding(workers, each=12, allowed=97, others=2).level == "warning"
