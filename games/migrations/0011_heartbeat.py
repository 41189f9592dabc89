from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0010_lease_and_cleanup'),
    ]

    operations = [
        migrations.RenameModel('Pulse', 'Heartbeat'),
    ]
