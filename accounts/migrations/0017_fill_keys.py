"""Give every account its login key and its look-alike keys (UTS 39)."""

from django.db import migrations

from accounts.likeness import login_key, looks_key

AT_ONCE = 500
KEYS = ["login_key", "shown_login_key", "key", "shown_key"]


def fill_keys(apps, schema_editor):
    """Fill the keys in batches. The older of two accounts with the same login key keeps it."""
    users = apps.get_model("accounts", "User").objects.using(schema_editor.connection.alias)
    people, last = users.filter(is_guest=False).order_by("pk"), 0
    while portion := list(people.filter(pk__gt=last)[:AT_ONCE]):
        keys = [login_key(user.username) for user in portion]
        taken = set(users.filter(login_key__in=keys).values_list("login_key", flat=True))
        own = {user.login_key for user in portion}
        for user, key in zip(portion, keys, strict=True):
            if key not in taken:
                user.login_key = key
                taken.add(key)
            elif key not in own:
                user.login_key = None
            shown = user.name or user.username
            user.shown_login_key = login_key(shown)
            user.key, user.shown_key = looks_key(user.username), looks_key(shown)
        users.bulk_update(portion, KEYS)
        last = portion[-1].pk


class Migration(migrations.Migration):

    atomic = False  # batches are short, so others can write in between

    dependencies = [
        ("accounts", "0016_login_key"),
    ]

    operations = [migrations.RunPython(fill_keys, migrations.RunPython.noop)]
