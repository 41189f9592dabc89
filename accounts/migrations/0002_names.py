from django.db import migrations, models

import accounts.names


def fill_keys(apps, schema_editor):
    """Those who are registered already get the keys their names are compared by."""
    for user in apps.get_model("accounts", "User").objects.filter(is_guest=False).iterator():
        user.key = accounts.names.name_key(user.username)
        user.shown_key = accounts.names.name_key(user.name or user.username)
        user.save(update_fields=["key", "shown_key"])


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='key',
            field=models.CharField(blank=True, db_index=True, editable=False, max_length=80),
        ),
        migrations.AddField(
            model_name='user',
            name='shown_key',
            field=models.CharField(blank=True, db_index=True, editable=False, max_length=80),
        ),
        migrations.AlterField(
            model_name='user',
            name='username',
            field=models.CharField(max_length=150, unique=True, validators=[accounts.names.valid_user_name], verbose_name='user name'),
        ),
        migrations.RunPython(fill_keys, migrations.RunPython.noop),
    ]
