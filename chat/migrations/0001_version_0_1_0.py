"""The tables of version 0.1.0, whose migrations this one replaces."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('chat', '0001_initial'),
        ('chat', '0002_claims'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('thread', models.CharField(max_length=40)),
                ('chapter', models.PositiveBigIntegerField(blank=True, null=True)),
                ('audience', models.CharField(default='table', max_length=10)),
                ('name', models.CharField(max_length=20)),
                ('text', models.CharField(blank=True, max_length=500)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('hidden', models.BooleanField(default=False, verbose_name='removed')),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('claim', models.JSONField(blank=True, null=True)),
            ],
            options={
                'ordering': ['pk'],
                'indexes': [models.Index(fields=['thread', 'id'], name='chat_messag_thread_31092f_idx')],
            },
        ),
    ]
