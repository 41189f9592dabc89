"""Which process leads."""

from django.db import models


class Heartbeat(models.Model):
    """One row: which process leads, and when it said so last (`games.runtime.heartbeat`)."""

    leader = models.CharField(max_length=16, blank=True)
    at = models.DateTimeField()
    pruned_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.at:%c}"
