from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0021_says_was'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='lesson',
            field=models.BooleanField(db_default=False, default=False, verbose_name='its luck was prepared'),
        ),
    ]
