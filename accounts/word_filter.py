"""Model of the word filter, in a module that `words` and `models` can both import."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class WordFilter(models.Model):
    """Words not allowed in names, messages and decks: one list, one word per line."""

    words = models.TextField(
        _("words"),
        blank=True,
        help_text=_(
            "One word or phrase a line. Whole words count, whatever their case; letters that look"
            " alike are one."
        ),
    )

    class Meta:
        verbose_name = _("word filter")
        verbose_name_plural = _("word filter")

    def __str__(self) -> str:
        return "word filter"
