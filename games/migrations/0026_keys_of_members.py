"""Fill in the keys by which the names of present members are compared (UTS 39)."""

from django.db import migrations

from accounts.likeness import looks_key

AT_ONCE = 500


def fill_keys(apps, schema_editor):
    """Fill in the keys of present members, in portions."""
    members = apps.get_model("games", "Member").objects.using(schema_editor.connection.alias)
    present, last = members.filter(left_at=None).order_by("pk"), 0
    while portion := list(present.filter(pk__gt=last).only("name", "room_id")[:AT_ONCE]):
        for member in portion:
            key = looks_key(member.name)
            others = members.filter(room=member.room_id, left_at=None, key=key)
            if not others.exclude(pk=member.pk).exists():  # members with equal keys stay
                members.filter(pk=member.pk).update(key=key)
        last = portion[-1].pk


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ("games", "0025_state_parts"),
    ]

    operations = [migrations.RunPython(fill_keys, migrations.RunPython.noop)]
