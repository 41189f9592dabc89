from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0022_lesson'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='reason',
            field=models.JSONField(blank=True, editable=False, null=True, verbose_name='why its bot played so'),
        ),
    ]
