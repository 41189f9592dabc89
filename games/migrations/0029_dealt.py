from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0028_seats_change_hands")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="dealt",
            field=models.JSONField(
                blank=True,
                null=True,
                verbose_name="which seats have looked at what they were dealt, while others look",
            ),
        ),
    ]
