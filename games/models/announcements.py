"""Announcements of moderators to a table or to everybody."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.rooms import Room


class Announcement(models.Model):
    """An announcement to a table, or to everybody if it has no room
    (`games.sockets.announcements`).

    With a `code`, it is a predefined sentence (`games.tables.sentences`), and `text` is inserted
    into it.
    """

    class Level(models.TextChoices):
        INFO = "info", _("for information")
        WARNING = "warning", _("a warning")
        ERROR = "error", _("something is wrong")

    level = models.CharField(_("how important"), max_length=8, choices=Level, default=Level.INFO)
    text = models.CharField(_("what to say"), max_length=300)
    code = models.CharField(max_length=12, blank=True, editable=False)
    room = models.ForeignKey(Room, null=True, blank=True, on_delete=models.CASCADE)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name="whom it is said to alone",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.CASCADE,
        related_name="+",
    )
    at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(_("shown on pages until"), null=True, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")

    def __str__(self) -> str:
        return self.text
