"""The tables of version 0.1.0, whose migrations this one replaces."""

import accounts.names
import django.contrib.auth.models
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('accounts', '0001_initial'),
        ('accounts', '0002_names'),
        ('accounts', '0003_registration_links'),
        ('accounts', '0004_tokens'),
        ('accounts', '0005_preferences'),
        ('accounts', '0006_conduct'),
        ('accounts', '0007_keys_by_looks'),
        ('accounts', '0008_mute_or_block'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(max_length=150, unique=True, validators=[accounts.names.valid_user_name], verbose_name='user name')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('name', models.CharField(blank=True, max_length=20, verbose_name='shown name')),
                ('is_guest', models.BooleanField(default=False)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                ('key', models.CharField(blank=True, db_index=True, editable=False, max_length=80)),
                ('shown_key', models.CharField(blank=True, db_index=True, editable=False, max_length=80)),
                ('confirms', models.BooleanField(default=True, verbose_name='asks once more before risky moves')),
                ('covers', models.BooleanField(blank=True, null=True, verbose_name='secrets are covered on leaving')),
                ('language', models.CharField(blank=True, max_length=10)),
                ('passes', models.BooleanField(blank=True, null=True, verbose_name='questions to everybody pass')),
                ('sounds', models.BooleanField(blank=True, null=True, verbose_name='a sound calls the turn')),
                ('theme', models.CharField(blank=True, choices=[('', 'as my device has them'), ('light', 'light'), ('dark', 'dark')], default='', max_length=5)),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='Token',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('name', models.CharField(blank=True, max_length=40)),
            ],
        ),
        migrations.CreateModel(
            name='WordFilter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('words', models.TextField(blank=True, help_text='One word or phrase a line. Whole words count, whatever their case; letters that look alike are one.', verbose_name='words')),
            ],
            options={
                'verbose_name': 'word filter',
                'verbose_name_plural': 'word filter',
            },
        ),
        migrations.CreateModel(
            name='Sanction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('warning', 'warning'), ('mute', 'mute'), ('lock', 'lock-out'), ('message', 'message removed'), ('name', 'name taken away'), ('deck', 'deck taken out')], max_length=8)),
                ('reason', models.CharField(max_length=300)),
                ('about', models.CharField(blank=True, max_length=500, verbose_name='the message, name or deck')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('lifted_at', models.DateTimeField(blank=True, null=True)),
                ('seen_at', models.DateTimeField(blank=True, null=True, verbose_name='read')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sanctions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='RegistrationLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('note', models.CharField(blank=True, max_length=80, verbose_name='for whom')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='made')),
                ('used_at', models.DateTimeField(blank=True, null=True, verbose_name='used')),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('used_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'registration link',
                'verbose_name_plural': 'registration links',
                'ordering': ['-made_at'],
            },
        ),
        migrations.CreateModel(
            name='MuteOrBlock',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=20, verbose_name='what the other was called')),
                ('mutes', models.BooleanField(default=False)),
                ('blocks', models.BooleanField(default=False)),
                ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='muted_or_blocked_by', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mutes_and_blocks', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'other'), name='one_distance')],
            },
        ),
    ]
