"""Long jobs, done in portions."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class LongJob(models.Model):
    """An unfinished long job (`games.engine.long_jobs`). It is deleted when done."""

    kind = models.CharField(max_length=12)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="long_jobs"
    )
    facts = models.JSONField(default=dict)
    """Data that the steps need in addition to the user."""
    done = models.PositiveIntegerField("rows done so far", default=0)
    asked_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField("not before", default=timezone.now)
    """Earliest time of the next portion. It is in the future if a portion has failed."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "person"], name="one_long_job_of_a_kind")
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.person_id}"
