from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0029_dealt'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='more_time',
            field=models.BooleanField(db_default=False, default=False, verbose_name='has taken more time'),
        ),
    ]
