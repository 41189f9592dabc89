from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0007_keys_by_looks'),
    ]

    operations = [
        migrations.RenameModel('Shun', 'MuteOrBlock'),
        migrations.AlterField('muteorblock', 'user', models.ForeignKey(on_delete=models.CASCADE, related_name='mutes_and_blocks', to=settings.AUTH_USER_MODEL)),
        migrations.AlterField('muteorblock', 'other', models.ForeignKey(on_delete=models.CASCADE, related_name='muted_or_blocked_by', to=settings.AUTH_USER_MODEL)),
    ]
