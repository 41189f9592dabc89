import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0027_long_jobs"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="member",
            name="says_was_at",
            field=models.DateTimeField(
                blank=True, null=True, verbose_name="when they have said so"
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="owner_before",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="whose seat it was before it was given to another",
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="given_at",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="given by act"
            ),
        ),
        migrations.AddField(
            model_name="announcement",
            name="person",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="whom it is said to alone",
            ),
        ),
    ]
