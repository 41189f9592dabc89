
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0019_faces'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='lists_matches',
            field=models.BooleanField(db_default=False, default=False, verbose_name='everybody can find their matches by name'),
        ),
    ]
