
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0020_lists_matches'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='seen_by',
            field=models.CharField(blank=True, choices=[('', 'Nobody'), ('followed', 'People I follow'), ('followers', 'Everyone who follows me')], db_default='', default='', max_length=9, verbose_name='who sees where they are'),
        ),
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='when')),
                ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='followed_by', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='follows', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'follow',
                'verbose_name_plural': 'follows',
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(fields=('user', 'other'), name='follows_once')],
            },
        ),
    ]
