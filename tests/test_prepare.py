"""`prepare` may run beside a server, and twice at once. Served files stay intact."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import nullcontext
from pathlib import Path

import pytest
from django.db import OperationalError

from games.management.commands import prepare
from games.runtime import static_files
from tests.kit.served import ROOT, Served
from tests.kit.writing import caused

pytestmark = pytest.mark.slow


def preparing(server: Served) -> subprocess.Popen[bytes]:
    command = [sys.executable, "manage.py", "prepare"]
    return subprocess.Popen(
        command, cwd=ROOT, env=server.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def succeed(*processes: subprocess.Popen[bytes]) -> None:
    for process in processes:
        said, _ = process.communicate(timeout=120)
        assert process.returncode == 0, said.decode()


@pytest.mark.parametrize(
    ("state", "deadlocks", "tries"),
    [("40P01", 1, 2), ("40P01", prepare.TRIES, prepare.TRIES), ("42P07", 1, 1)],
    ids=["a deadlock", "deadlocks without end", "another fault"],
)
def test_migration_is_retried_after_a_deadlock_with_a_server(
    state: str,
    deadlocks: int,
    tries: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    tried: list[str] = []

    def deadlocked(command: str, **_: object) -> None:
        tried.append(command)
        if len(tried) <= deadlocks:
            raise caused(OperationalError("deadlock detected"), state)

    monkeypatch.setattr(prepare, "call_command", deadlocked)
    monkeypatch.setattr(prepare, "_alone", nullcontext)
    monkeypatch.setattr(static_files, "collect", lambda: tried.append("collect"))
    works = tries > deadlocks
    with nullcontext() if works else pytest.raises(OperationalError):
        prepare.Command().handle()
    assert tried == ["migrate"] * tries + ["collect"] * works
    assert capsys.readouterr().err.count("Trying again") == tries - 1


def status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            answer.read()
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_two_concurrent_prepares_do_not_disturb_a_running_server(tmp_path: Path) -> None:
    server = Served(tmp_path)
    succeed(preparing(server), preparing(server))
    server.start()
    try:
        page = urllib.request.urlopen(server.url, timeout=20).read().decode()
        addresses = ["/", *sorted(set(re.findall(r"/static/[^\"'\s]+", page)))]
        assert len(addresses) > 3
        again = preparing(server), preparing(server)
        got = []
        while any(process.poll() is None for process in again) or len(got) < 120:
            got.append(status(server.url + addresses[len(got) % len(addresses)]))
        succeed(*again)
        assert set(got) == {200}
    finally:
        server.stop()
    assert "Traceback" not in server.said()


def write(folder: Path, files: dict[str, str]) -> Path:
    """Create a folder of collected files, each in the manifest."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    manifest = {"paths": {name: name for name in files}}
    (folder / static_files.MANIFEST).write_text(json.dumps(manifest))
    return folder


def test_files_of_the_previous_version_are_kept_whatever_their_age(tmp_path: Path) -> None:
    long_ago = time.time() - 2 * static_files.KEPT
    root = write(tmp_path / "root", {"app.1.css": "old"})
    (root / "app.0.css").write_text("older")
    (root / ".prepare.lock").touch()
    for name in ("app.0.css", "app.1.css", ".prepare.lock"):
        os.utime(root / name, (long_ago, long_ago))
    static_files.publish(write(tmp_path / "new", {"app.2.css": "new"}), root)
    left = {path.name for path in root.iterdir()}
    assert left == {"app.1.css", "app.2.css", ".prepare.lock", static_files.MANIFEST}
