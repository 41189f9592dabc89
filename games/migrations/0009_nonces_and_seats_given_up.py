"""A nonce is for one match; a seat knows by which act it was given up."""

from typing import Any

from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def fill(apps: Any, schema_editor: Any) -> None:
    """Nonces so far were made by the server, or are published; seats given up say so in the log."""
    apps.get_model("games", "Member").objects.exclude(nonce="").update(nonce="")
    left = apps.get_model("games", "Act").objects.filter(
        match=OuterRef("match"), seat=OuterRef("seat"), kind="leave"
    )
    last = left.order_by("-number").values("number")[:1]
    given_up = apps.get_model("games", "Player").objects.exclude(gone="")
    given_up.update(gone_at=Subquery(last))


class Migration(migrations.Migration):
    dependencies = [("games", "0008_asked_at")]

    operations = [
        migrations.AlterField(
            "member",
            "nonce",
            models.CharField("own part in the next match's luck", max_length=64, blank=True),
        ),
        migrations.AddField(
            "match",
            "nonces_derived",
            models.BooleanField("those who gave none have one from the secret", default=False),
        ),
        migrations.AddField(
            "player",
            "gone_at",
            models.PositiveIntegerField("given up by act", null=True, blank=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
