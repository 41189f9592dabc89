"""Chat messages, each for one thread and audience.

A thread is only a name, because this app does not know rooms.
"""

from django.conf import settings
from django.db import models
from django.utils import timezone


class Message(models.Model):
    """A chat message. The owner of the thread defines the meaning of `audience` and `chapter`."""

    thread = models.CharField(max_length=40)
    chapter = models.PositiveBigIntegerField(null=True, blank=True)
    audience = models.CharField(max_length=10, default="table")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    name = models.CharField(max_length=20)
    text = models.CharField(max_length=500, blank=True)
    claim = models.JSONField(null=True, blank=True)
    """A claim made with the message. The owner of the thread defines its meaning."""
    after = models.PositiveIntegerField(
        "how much of the chapter had happened", null=True, blank=True
    )
    at = models.DateTimeField(default=timezone.now)
    hidden = models.BooleanField("removed", default=False)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["thread", "id"])]

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"
