"""Drop the index on an act's match: the index on match and number makes it superfluous."""

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
