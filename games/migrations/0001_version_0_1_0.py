"""The tables of version 0.1.0, whose migrations this one replaces."""

import django.db.models.deletion
import django.utils.timezone
import games.models.rooms
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('games', '0001_initial'),
        ('games', '0002_decks'),
        ('games', '0003_udp'),
        ('games', '0004_announcements'),
        ('games', '0005_forgetting_and_pruning'),
        ('games', '0006_match_public'),
        ('games', '0007_member_at_page'),
        ('games', '0008_asked_at'),
        ('games', '0009_nonces_and_seats_given_up'),
        ('games', '0010_lease_and_cleanup'),
        ('games', '0011_heartbeat'),
        ('games', '0012_paused'),
        ('games', '0013_beats'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=20)),
                ('game_version', models.PositiveIntegerField()),
                ('options', models.JSONField()),
                ('secret', models.CharField(max_length=64)),
                ('nonces', models.JSONField()),
                ('state', models.TextField()),
                ('version', models.PositiveIntegerField(default=1)),
                ('deadline', models.DateTimeField(blank=True, null=True)),
                ('wake_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('plans', models.JSONField(default=dict, verbose_name='when each bot moves')),
                ('outcome', models.JSONField(blank=True, null=True)),
                ('broken', models.BooleanField(default=False)),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('patience', models.FloatField(null=True, verbose_name='seconds for every question (else as the game says)')),
                ('public', models.BooleanField(default=False, verbose_name='anybody could watch it')),
                ('asked_at', models.DateTimeField(blank=True, null=True, verbose_name='since when the question stands')),
                ('nonces_derived', models.BooleanField(default=False, verbose_name='those who gave none have one from the secret')),
                ('revision', models.PositiveIntegerField(default=0, verbose_name='how often its people or its times changed without an act')),
                ('paused', models.JSONField(blank=True, null=True, verbose_name='who paused it, and what is left of its times')),
                ('awaited_from', models.DateTimeField(blank=True, null=True, verbose_name='when all has been shown')),
            ],
            options={
                'verbose_name_plural': 'matches',
                'permissions': [('see_secrets', 'Can look at the secrets of running matches')],
            },
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('pruned_at', models.DateTimeField(blank=True, null=True)),
                ('leader', models.CharField(blank=True, max_length=16)),
            ],
        ),
        migrations.CreateModel(
            name='Room',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(default=games.models.rooms.new_code, max_length=5, unique=True)),
                ('game', models.CharField(max_length=20)),
                ('options', models.JSONField(default=dict)),
                ('visibility', models.CharField(choices=[('public', 'public'), ('unlisted', 'unlisted'), ('invited', 'invited only')], default='public', max_length=10)),
                ('password', models.CharField(blank=True, max_length=128, verbose_name='password (hashed)')),
                ('status', models.CharField(choices=[('open', 'open'), ('playing', 'playing'), ('finished', 'finished'), ('closed', 'closed')], default='open', max_length=10)),
                ('standings', models.JSONField(default=dict)),
                ('secret', models.CharField(default=games.models.rooms.new_secret, max_length=64)),
                ('version', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('empty_since', models.DateTimeField(blank=True, null=True)),
                ('host', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='hosted', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.match')),
                ('udp_round', models.PositiveIntegerField(blank=True, editable=False, null=True, verbose_name='number of the newest round over UDP')),
            ],
            options={
                'indexes': [models.Index(fields=['status', 'visibility'], name='games_room_status_b572a4_idx'), models.Index(fields=['status', 'empty_since'], name='room_empty_since')],
            },
        ),
        migrations.CreateModel(
            name='Member',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=20)),
                ('key', models.CharField(max_length=80, verbose_name='name as compared')),
                ('joined_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('spectator', models.BooleanField(default=False)),
                ('bot', models.CharField(blank=True, max_length=10, verbose_name='bot level')),
                ('nonce', models.CharField(blank=True, max_length=64, verbose_name="own part in the next match's luck")),
                ('left_at', models.DateTimeField(blank=True, null=True)),
                ('left_because', models.CharField(blank=True, max_length=12)),
                ('kicked_at', models.DateTimeField(blank=True, null=True)),
                ('seen_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('away_since', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
                ('room', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='games.room')),
                ('left_note', models.CharField(blank=True, max_length=300, verbose_name='why, as it is told')),
                ('at_page', models.BooleanField(default=False, verbose_name='has come by a page, not as a program')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('left_at', None)), fields=('room', 'key'), name='one_name_per_room'), models.UniqueConstraint(fields=('room', 'user'), name='one_member_per_person')],
                'indexes': [models.Index(condition=models.Q(('away_since', None), ('left_at', None)), fields=['bot', 'seen_at'], name='member_present_seen_at')],
            },
        ),
        migrations.AddField(
            model_name='match',
            name='room',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matches', to='games.room'),
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('by', models.CharField(max_length=20)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
                ('room', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='games.room')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('room', 'user'), name='invited_once')],
            },
        ),
        migrations.CreateModel(
            name='Act',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('setup', 'setup'), ('move', 'move'), ('lapse', 'time ran out'), ('leave', 'left'), ('join', 'joined late'), ('nudge', 'nudged'), ('stop', 'stopped')], max_length=8)),
                ('seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('prompt', models.PositiveIntegerField(blank=True, null=True)),
                ('move', models.JSONField(blank=True, null=True)),
                ('told', models.JSONField(default=list)),
                ('draws', models.JSONField(default=list)),
                ('by', models.CharField(choices=[('hand', 'hand'), ('bot', 'bot'), ('clock', 'clock')], default='hand', max_length=8)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='acts', to='games.match')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('match', 'number'), name='one_act_per_number'), models.UniqueConstraint(condition=models.Q(('kind', 'move')), fields=('match', 'seat', 'prompt'), name='one_move_per_prompt')],
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=20)),
                ('bot', models.CharField(blank=True, max_length=10, verbose_name='bot level')),
                ('substitute', models.BooleanField(default=False)),
                ('gone', models.CharField(blank=True, max_length=12, verbose_name='gone because')),
                ('out', models.BooleanField(default=False)),
                ('idle', models.PositiveSmallIntegerField(default=0)),
                ('place', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('points', models.IntegerField(blank=True, null=True)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='games.match')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('gone_at', models.PositiveIntegerField(blank=True, null=True, verbose_name='given up by act')),
            ],
            options={
                'ordering': ['seat'],
                'constraints': [models.UniqueConstraint(fields=('match', 'seat'), name='one_per_seat')],
            },
        ),
        migrations.CreateModel(
            name='UdpName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=20, unique=True)),
                ('address', models.GenericIPAddressField(blank=True, null=True)),
                ('port', models.PositiveIntegerField(blank=True, null=True)),
                ('paused', models.BooleanField(default=False, verbose_name='silent, gets nothing')),
                ('points', models.PositiveIntegerField(default=0)),
                ('rounds', models.PositiveIntegerField(default=0, verbose_name='rounds played')),
                ('registered_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('played_at', models.DateTimeField(blank=True, null=True, verbose_name='played last')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'name at the UDP table',
                'verbose_name_plural': 'names at the UDP table',
                'ordering': ['-points', 'name'],
            },
        ),
        migrations.CreateModel(
            name='UdpRound',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(unique=True)),
                ('order', models.JSONField(verbose_name='who played, in order')),
                ('losers', models.JSONField(default=list)),
                ('reason', models.CharField(blank=True, max_length=24)),
                ('transcript', models.JSONField(verbose_name='lines sent to all')),
                ('seed', models.CharField(blank=True, max_length=64)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to='games.match')),
            ],
            options={
                'verbose_name': 'round over UDP',
                'verbose_name_plural': 'rounds over UDP',
                'ordering': ['-number'],
            },
        ),
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level', models.CharField(choices=[('info', 'for information'), ('warning', 'a warning'), ('error', 'something is wrong')], default='info', max_length=8, verbose_name='how important')),
                ('text', models.CharField(max_length=300, verbose_name='what to say')),
                ('code', models.CharField(blank=True, editable=False, max_length=12)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('until', models.DateTimeField(blank=True, null=True, verbose_name='shown on pages until')),
                ('room', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to='games.room')),
            ],
            options={
                'verbose_name': 'announcement',
                'verbose_name_plural': 'announcements',
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Look',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=300)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='looks', to='games.match')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Deck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=40, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('language', models.CharField(max_length=10)),
                ('pack', models.TextField()),
                ('highest', models.PositiveIntegerField(default=0, verbose_name='highest number ever given')),
                ('prompts', models.PositiveIntegerField(default=0)),
                ('answers', models.PositiveIntegerField(default=0)),
                ('public', models.BooleanField(default=False, verbose_name='everybody may play with it')),
                ('hidden', models.BooleanField(default=False, verbose_name='taken out by staff')),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decks', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['name', 'slug'],
            },
        ),
    ]
