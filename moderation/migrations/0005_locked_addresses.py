"""Let moderators see which addresses are locked."""

from django.contrib.auth.management import create_permissions
from django.db import migrations


def let_see(apps, schema_editor):
    group = apps.get_model("auth", "Group").objects.filter(name="Moderators").first()
    if group is None:
        return
    # Django would create the permissions only after all migrations.
    config = apps.get_app_config("accounts")
    before = getattr(config, "models_module", None)
    config.models_module = before or True
    create_permissions(config, apps=apps, verbosity=0)
    config.models_module = before
    rights = apps.get_model("auth", "Permission").objects
    group.permissions.add(rights.get(content_type__app_label="accounts", codename="view_addresslock"))


class Migration(migrations.Migration):

    dependencies = [
        ("moderation", "0002_moderators"),
        ("accounts", "0009_address_locks"),
    ]

    operations = [migrations.RunPython(let_see, migrations.RunPython.noop)]
