"""The log is found by match and number: an index by match alone was written at every act for nothing."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0015_skip_ahead'),
    ]

    operations = [
        migrations.AlterField(
            model_name='act',
            name='match',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='acts', to='games.match'),
        ),
    ]
