# Which process leads; what cleanup asks every few seconds.

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0009_nonces_and_seats_given_up'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='pulse',
            name='leader',
            field=models.CharField(blank=True, max_length=16),
        ),
        migrations.AlterField(
            model_name='match',
            name='revision',
            field=models.PositiveIntegerField(default=0, verbose_name='how often its people or its times changed without an act'),
        ),
        migrations.AddIndex(
            model_name='member',
            index=models.Index(condition=models.Q(('away_since', None), ('left_at', None)), fields=['bot', 'seen_at'], name='member_present_seen_at'),
        ),
        migrations.AddIndex(
            model_name='room',
            index=models.Index(fields=['status', 'empty_since'], name='room_empty_since'),
        ),
    ]
