from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0015_sent_forms"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="login_key",
            field=models.CharField(blank=True, editable=False, max_length=80, null=True, unique=True),
        ),
        migrations.AddField(
            model_name="user",
            name="shown_login_key",
            field=models.CharField(
                blank=True, db_default="", db_index=True, default="", editable=False, max_length=80
            ),
        ),
    ]
