"""Standings and rounds of the table at which programs play Mia over UDP."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.models.matches import Match


class UdpName(models.Model):
    """A name in the standings of the UDP table. It belongs to a program or to a user who played
    there.

    A program's name is tied to the address that registered it, and a user's name to the user.
    """

    name = models.CharField(max_length=20, unique=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    address = models.GenericIPAddressField(null=True, blank=True)
    port = models.PositiveIntegerField(null=True, blank=True)
    paused = models.BooleanField("silent, gets nothing", default=False)
    points = models.PositiveIntegerField(default=0)
    rounds = models.PositiveIntegerField("rounds played", default=0)
    registered_at = models.DateTimeField(default=timezone.now)
    played_at = models.DateTimeField("played last", null=True, blank=True)

    class Meta:
        ordering = ["-points", "name"]
        verbose_name = "name at the UDP table"
        verbose_name_plural = "names at the UDP table"

    def __str__(self) -> str:
        return self.name


class UdpRound(models.Model):
    """A round of Mia over UDP, as sent to everybody. Its dice are derived from `seed`."""

    number = models.PositiveIntegerField(unique=True)
    order = models.JSONField("who played, in order")
    losers = models.JSONField(default=list)
    reason = models.CharField(max_length=24, blank=True)
    transcript = models.JSONField("lines sent to all")
    seed = models.CharField(max_length=64, blank=True)
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.SET_NULL)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-number"]
        verbose_name = "round over UDP"
        verbose_name_plural = "rounds over UDP"

    def __str__(self) -> str:
        return f"round {self.number}"
