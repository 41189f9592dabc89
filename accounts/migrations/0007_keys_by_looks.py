"""More letters are taken for each other: the keys of those who are registered already follow."""

from django.db import migrations

from accounts.names import name_key


def fill_keys(apps, schema_editor):
    for user in apps.get_model("accounts", "User").objects.filter(is_guest=False).iterator():
        user.key, user.shown_key = name_key(user.username), name_key(user.name or user.username)
        user.save(update_fields=["key", "shown_key"])


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0006_conduct"),
    ]

    operations = [migrations.RunPython(fill_keys, migrations.RunPython.noop)]
