"""Create the group of moderators with only the permissions they need."""

from django.contrib.auth.management import create_permissions
from django.db import migrations

RIGHTS = {
    "moderation": ("view_report", "change_report"),
    "accounts": (
        *("view_user", "view_sanction", "add_sanction"),
        *("view_wordfilter", "add_wordfilter", "change_wordfilter"),
    ),
    "chat": ("view_message", "change_message"),
    "games": (
        *("view_room", "change_room", "view_match", "see_secrets", "view_deck", "change_deck"),
        *("view_announcement", "add_announcement", "view_udpname", "view_udpround"),
    ),
}
"""The change_... permissions allow moderator actions. Only word filters are edited in forms."""


def make_group(apps, schema_editor):
    Group = apps.get_model("auth", "Group")
    Permission = apps.get_model("auth", "Permission")
    group, made = Group.objects.get_or_create(name="Moderators")
    if not made:
        return
    for label, names in RIGHTS.items():
        # Django would create the permissions only after all migrations.
        config = apps.get_app_config(label)
        before = getattr(config, "models_module", None)
        config.models_module = before or True
        create_permissions(config, apps=apps, verbosity=0)
        config.models_module = before
        found = Permission.objects.filter(content_type__app_label=label, codename__in=names)
        assert len(found) == len(names), label
        group.permissions.add(*found)


class Migration(migrations.Migration):

    dependencies = [
        ("moderation", "0001_version_0_1_0"),
        ("accounts", "0001_version_0_1_0"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(make_group, migrations.RunPython.noop)]
