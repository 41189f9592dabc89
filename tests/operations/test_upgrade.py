"""An upgrade during play: the old version keeps working on the new tables, and a rollback works."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader

from tests.chaos.load import SETTINGS, Load
from tests.chaos.world import World
from tests.kit.served import ROOT, Served
from tests.kit.upgrading import put_previous

RELEASED = {"accounts": 8, "chat": 2, "games": 13, "moderation": 4}
"""The last migration of each app in the previous release. Earlier ones are not checked."""
GOES_ON_WITHIN = 60.0
PARKED_WITHIN = 20.0
"""The old version parks matches that it cannot read, and this version continues them."""

TAKES_AWAY = (
    migrations.RemoveField,
    migrations.DeleteModel,
    migrations.RenameField,
    migrations.RenameModel,
    migrations.AlterModelTable,
)


def new_operations() -> Iterator[
    tuple[str, migrations.Migration, migrations.operations.base.Operation]
]:
    """Return the operations of later migrations."""
    ours = {config.label for config in apps.get_app_configs() if (ROOT / config.label).is_dir()}
    for (app, name), migration in MigrationLoader(None).disk_migrations.items():
        if app in ours and int(name[:4]) > RELEASED.get(app, 0):
            yield from ((f"{app}.{name}", migration, done) for done in migration.operations)


def breaks_old_code(operation: object) -> str:
    """Return why a change breaks the old version, or ""."""
    if isinstance(operation, TAKES_AWAY):
        return "takes away what the version before still reads"
    if isinstance(operation, migrations.AddField):
        field: models.Field[object, object] = operation.field
        has_default = field.null or field.has_db_default() or field.many_to_many
        return "" if has_default else "adds a column that the version before does not fill"
    return ""


def test_migrations_do_not_break_the_previous_version() -> None:
    """Give a new column null=True or a db_default. Remove a column one version after its last use,
    by a migration with `unread_since = "the version"`."""
    found = [
        f"{name} {why}"
        for name, migration, operation in new_operations()
        if (why := breaks_old_code(operation)) and not hasattr(migration, "unread_since")
    ]
    assert not found


async def still(load: Load) -> None:
    assert not await load.everybody_goes_on(GOES_ON_WITHIN)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "workers"])
async def test_matches_of_all_games_survive_an_upgrade_and_a_rollback(
    kind: str, tmp_path: Path
) -> None:
    world, old = World(kind), put_previous(tmp_path)
    (server,) = world.servers
    try:
        server.root = old
        await asyncio.to_thread(_begin, world)
        async with Load(world.urls, len(SETTINGS)) as load:
            await still(load)
            await _prepare(server, ROOT)
            await still(load)
            await _go_on_as(server, ROOT)
            await still(load)
            await _prepare(server, old)
            await _go_on_as(server, old)
            resting = await load.everybody_goes_on(PARKED_WITHIN)
            parked = re.findall(r"match \d+ is parked: it cannot be read here", server.said())
            assert len(resting) <= len(set(parked)), resting
            await _prepare(server, ROOT)
            await _go_on_as(server, ROOT)
            await still(load)
        assert not world.lost(load.account.acknowledged)
        assert not load.account.violations
        assert not world.log_problems()
        assert {table.setting.game for table in load.tables} == {s.game for s in SETTINGS}
    finally:
        await asyncio.to_thread(world.close)


async def _prepare(server: Served, root: Path) -> None:
    """Prepare another version while the present one runs."""
    server.root = root
    await asyncio.to_thread(server.manage, "prepare")


async def _go_on_as(server: Served, root: Path) -> None:
    """Replace the running version by this one."""
    server.root = root
    await asyncio.to_thread(server.stop)
    await asyncio.to_thread(server.start)


def _begin(world: World) -> None:
    world.servers[0].manage("prepare")
    world.servers[0].start()
