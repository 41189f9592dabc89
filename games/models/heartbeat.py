"""The lease of the leading process."""

from django.db import models


class Heartbeat(models.Model):
    """Leases of processes, each with its holder and the time of the last renewal.

    Row LEADER is the lease of the leading process (`games.runtime.heartbeat`). Row UDP is that of
    the UDP port in PostgreSQL (`games.udp.lock`).
    """

    LEADER, UDP = 1, 2

    leader = models.CharField(max_length=16, blank=True)
    at = models.DateTimeField()
    pruned_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.at:%c}"
