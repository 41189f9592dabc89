"""The lease of the leading process."""

from django.db import models


class Heartbeat(models.Model):
    """Single row with the leading process and its last heartbeat (`games.runtime.heartbeat`)."""

    leader = models.CharField(max_length=16, blank=True)
    at = models.DateTimeField()
    pruned_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.at:%c}"
