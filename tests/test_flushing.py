"""After a test the database is as the migrations left it, at little cost."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db.models.signals import post_migrate

from accounts.models import User


@pytest.mark.django_db(transaction=True)
def test_what_the_migrations_have_written_is_put_back_and_nothing_else() -> None:
    before = [list(model.objects.order_by("pk").values()) for model in (ContentType, Permission)]
    assert all(before)
    called: list[object] = []

    def note(**given: object) -> None:
        called.append(given)

    post_migrate.connect(note)
    try:
        User.objects.create(username="somebody")
        Permission.objects.first().delete()
        Permission.objects.update(name="another")
        call_command("flush", interactive=False, verbosity=0)
    finally:
        post_migrate.disconnect(note)
    after = [list(model.objects.order_by("pk").values()) for model in (ContentType, Permission)]
    assert after == before
    assert not User.objects.exists()
    assert not called, "nothing is written anew by signals"
