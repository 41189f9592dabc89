"""Confirm the addresses of superusers: `createsuperuser` is run on the server itself.

Addresses that have rows already were entered on a page. Their users are asked to confirm them.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations

import accounts.models


def confirm(apps: Any, schema_editor: Any) -> None:
    people = apps.get_model("accounts", "User").objects.filter(is_superuser=True)
    addresses = apps.get_model("account", "EmailAddress").objects
    for person in people.exclude(email="").filter(emailaddress=None).order_by("pk"):
        email = person.email.lower()
        verified = not addresses.filter(email=email, verified=True).exists()
        addresses.create(user_id=person.pk, email=email, primary=True, verified=verified)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0017_fill_keys"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]

    operations = [
        migrations.AlterModelManagers(
            name="user", managers=[("objects", accounts.models.People())]
        ),
        migrations.RunPython(confirm, migrations.RunPython.noop),
    ]
