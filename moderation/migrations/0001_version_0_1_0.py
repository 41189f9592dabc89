"""The tables of version 0.1.0, whose migrations this one replaces."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('moderation', '0001_reports'),
        ('moderation', '0003_staff_action'),
        ('moderation', '0004_reasons_in_plain_words'),
    ]

    initial = True

    dependencies = [
        ('chat', '0001_version_0_1_0'),
        ('games', '0001_version_0_1_0'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='StaffAct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('by_name', models.CharField(max_length=150, verbose_name='who')),
                ('action', models.CharField(db_column='deed', max_length=10, verbose_name='did')),
                ('whom_name', models.CharField(blank=True, max_length=150, verbose_name='to whom')),
                ('what', models.CharField(blank=True, max_length=500, verbose_name='with what')),
                ('reason', models.CharField(blank=True, max_length=300, verbose_name='why')),
                ('until', models.DateTimeField(null=True, verbose_name='until')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='when')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('whom', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'staff action',
                'verbose_name_plural': 'log of the staff',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('message', 'a message'), ('name', 'a name'), ('deck', 'a deck'), ('behaviour', 'behaviour')], max_length=10, verbose_name='about')),
                ('reason', models.CharField(choices=[('insult', 'insults or threats'), ('hate', 'hate speech'), ('sexual', 'sexual, or not suitable for children'), ('private', 'shares private information'), ('spam', 'spam or advertising'), ('cheating', 'cheating or spoiling the match'), ('other', 'something else')], max_length=10, verbose_name='reason')),
                ('note', models.CharField(blank=True, max_length=300, verbose_name='in their words')),
                ('what', models.CharField(max_length=500, verbose_name='the message, name or deck')),
                ('by_name', models.CharField(max_length=150)),
                ('about_name', models.CharField(max_length=150, verbose_name='who')),
                ('context', models.JSONField(default=list)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='when')),
                ('decided_at', models.DateTimeField(null=True, verbose_name='decided')),
                ('decision', models.CharField(blank=True, max_length=10, verbose_name='decision')),
                ('about', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports', to=settings.AUTH_USER_MODEL)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reported', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('deck', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to='games.deck')),
                ('match', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to='games.match')),
                ('message', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to='chat.message')),
                ('room', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to='games.room')),
            ],
            options={
                'verbose_name': 'report',
                'verbose_name_plural': 'reports',
                'ordering': [models.OrderBy(models.F('decided_at'), descending=True, nulls_first=True), 'at', 'pk'],
                'indexes': [models.Index(fields=['decided_at', 'at'], name='moderation__decided_769eaa_idx')],
            },
        ),
    ]
