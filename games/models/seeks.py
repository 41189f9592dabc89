"""Users who look for a quick match."""

from django.conf import settings
from django.db import models

from games.contract.game import LONGEST_SLUG


class Seek(models.Model):
    """A user who waits for a quick match of a game (`games.rooms.seeking`).

    Once others are found, `room` is their table. The row is deleted when the match begins.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seeks"
    )
    game = models.CharField(max_length=LONGEST_SLUG)
    name = models.CharField(max_length=20)
    language = models.CharField(max_length=35, default="en")
    least = models.PositiveSmallIntegerField("fewest players")
    most = models.PositiveSmallIntegerField("most players")
    pace = models.CharField(max_length=10, default="normal")
    rated = models.BooleanField(default=False)
    programs = models.BooleanField("plays with programs, too", default=False)
    at_page = models.BooleanField("has come by a page, not as a program", default=False)
    since = models.DateTimeField()
    until = models.DateTimeField("when it expires unless a socket renews it")
    room = models.ForeignKey(
        "Room", null=True, blank=True, on_delete=models.CASCADE, related_name="seeks"
    )
    matched_at = models.DateTimeField(null=True, blank=True)
    arrived = models.BooleanField("has come to the table", default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="one_seek_per_game")]
        indexes = [models.Index(fields=["game", "since"], name="seek_game_since")]

    def __str__(self) -> str:
        return f"{self.name}: {self.game}"
