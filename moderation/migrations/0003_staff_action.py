from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('moderation', '0002_moderators'),
    ]

    operations = [
        migrations.AlterField('staffact', 'deed', models.CharField(db_column='deed', max_length=10, verbose_name='did')),
        migrations.RenameField('staffact', 'deed', 'action'),
        migrations.AlterModelOptions('staffact', {'ordering': ['-pk'], 'verbose_name': 'staff action', 'verbose_name_plural': 'log of the staff'}),
    ]
