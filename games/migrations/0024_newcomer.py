from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0023_bot_reason'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='newcomer',
            field=models.BooleanField(db_default=False, default=False, verbose_name='new to the game'),
        ),
    ]
