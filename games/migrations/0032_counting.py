
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0031_revealed'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Counter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=20, unique=True)),
                ('value', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.AddField(
            model_name='match',
            name='counted_at',
            field=models.DateTimeField(editable=False, null=True, verbose_name='when it was first counted'),
        ),
        migrations.AddField(
            model_name='match',
            name='no',
            field=models.BigIntegerField(editable=False, null=True, verbose_name='in which order it was counted'),
        ),
        migrations.AddField(
            model_name='player',
            name='no',
            field=models.BigIntegerField(editable=False, null=True, verbose_name='number of its match'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('ended_at__isnull', False), ('no__isnull', True)), fields=['ended_at', 'id'], name='match_uncounted'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('public', True)), fields=['no'], name='match_public_no'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(fields=['user', 'no'], name='player_user_no'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.UniqueConstraint(condition=models.Q(('no__isnull', False)), fields=('no',), name='one_match_per_no'),
        ),
    ]
