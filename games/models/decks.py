"""Decks that users upload."""

from typing import Any

from django.conf import settings
from django.db import models


class OctetLength(models.Func):
    """The number of bytes of a text in UTF-8. `Length` would count characters."""

    function = "OCTET_LENGTH"
    output_field = models.IntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Use the length of a BLOB, because SQLite has `OCTET_LENGTH` only since 3.43."""
        template = "LENGTH(CAST(%(expressions)s AS BLOB))"
        return self.as_sql(compiler, connection, template=template, **context)


class Deck(models.Model):
    """A user's own deck of cards. `pack` is JSON as read by `games.cards.rules.packs`."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="decks"
    )
    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=60)
    language = models.CharField(max_length=10)
    pack = models.TextField()
    highest = models.PositiveIntegerField("highest number ever given", default=0)
    prompts = models.PositiveIntegerField(default=0)
    answers = models.PositiveIntegerField(default=0)
    public = models.BooleanField("everybody may play with it", default=False)
    hidden = models.BooleanField("taken out by staff", default=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "slug"]

    def __str__(self) -> str:
        return f"{self.name} ({self.slug})"
