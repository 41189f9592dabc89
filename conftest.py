"""Fixtures shared by tests: a database per worker, a browser, the server's clock."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from playwright.sync_api import Browser, sync_playwright

from tests import flushing, once, scheduling, static_files
from tests.installed import FLAGS, chromium

pytest.register_assert_rewrite("tests.kit")

MEMORY = Path("/dev/shm")
ENOUGH_MEMORY = 4 << 30
COLLECTED_AFTER = (20_000, 20, 50)
"""Thresholds of the garbage collector (`gc.set_threshold`): with Python's own, it took a twelfth of
the test time."""

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright runs its own event loop
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH_MEMORY:
    # Test servers sync their databases at every commit, which costs nothing in memory.
    os.environ.setdefault("TMPDIR", str(MEMORY))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    return scheduling.number_of_workers()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> scheduling.Scheduling | None:
    """Use our scheduler unless another one is asked for."""
    return scheduling.Scheduling(config, log) if config.option.dist == "load" else None


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        scheduling.be_nice()
    else:
        once.begin()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Exempt modules and collected tests from garbage collection: they live until the end. The
    collector also runs less often than by default."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*COLLECTED_AFTER)
        gc.enable()


class _Playwright:
    """Playwright's loop never finishes a turn, so in its thread it would always count as running.

    It counts only during tests with a browser, so that async tests can follow.
    """

    loop: asyncio.AbstractEventLoop | None = None

    def resume(self) -> None:
        asyncio._set_running_loop(self.loop)

    def pause(self) -> None:
        self.loop = asyncio._get_running_loop()
        asyncio._set_running_loop(None)


_playwright = _Playwright()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    if "browser" not in getattr(item, "fixturenames", ()):
        return (yield)
    _playwright.resume()
    try:
        return (yield)
    finally:
        _playwright.pause()


@pytest.fixture
def with_ladder(settings: Any) -> None:
    """Let programs of users play against each other."""
    settings.LADDER = True


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium per worker; each person gets their own context."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        _playwright.resume()
        started.close()


@pytest.fixture(scope="session", autouse=True)
def _static_files_are_found(django_test_environment: None) -> None:
    """Look up static files once for all browsers (`tests/static_files.py`)."""
    static_files.look_once()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Name the database of this worker in this run; it need not survive a crash."""
    from django.conf import settings

    database = settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        database["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
        quick = database["OPTIONS"]["init_command"].replace("=FULL", "=OFF")
        database["OPTIONS"]["init_command"] = quick


migrated = once.MigratedDatabase()


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest, django_db_modify_db_settings: None) -> bool:
    """Whether this worker's database already has its tables."""
    return migrated.copy() or request.config.option.reuse_db


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Flush only rows between tests (`tests/flushing.py`)."""
    with django_db_blocker.unblock():
        migrated.keep()
        flushing.install()


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _in_the_usual_language() -> None:
    """Reset the language that an earlier test's request may have left active in the thread."""
    translation.deactivate()


@pytest.fixture(autouse=True)
def _storage_works() -> None:
    """Clear a storage fault planted by an earlier test, so that nothing waits for it."""
    from games.engine.storage import storage

    storage.works()


@pytest.fixture(scope="session", autouse=True)
def _the_writer_is_patient() -> Iterator[None]:
    """Raise the writer's timeouts, because a niced worker is slow. Tests of timeouts lower them."""
    from games.engine import committing, long_jobs, writer
    from tests.kit.waiting import PATIENCE

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(committing, "LONGEST_WAIT_S", PATIENCE)
        patch.setattr(writer, "ANSWER_TIMEOUT_S", PATIENCE)
        patch.setattr(long_jobs, "WAITS", PATIENCE)
        yield


@pytest.fixture
def clock(transactional_db: None) -> Iterator[None]:
    """Run the server's clock for the length of a test."""
    from tests.kit.acting import ticking

    with ticking():
        yield
