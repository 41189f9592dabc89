"""What is counted across matches: numbers, and statistics of players."""

from django.conf import settings
from django.db import models

from games.contract.game import LONGEST_SLUG
from games.contract.tally import LONGEST_KEY
from games.models.matches import Match


class Counter(models.Model):
    """The last number given out under a name. Lock its row to give out the next one."""

    MATCHES = "matches"
    """Name of the counter of matches."""

    name = models.CharField(max_length=20, unique=True)
    value = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"


class PlayerStat(models.Model):
    """What a user has done in all finished matches of a game, such as all bluffs in Mia.

    `best` is the size of the greatest of these deeds, in act `best_version` of `best_match`.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="statistics",
        db_index=False,
    )
    game = models.CharField(max_length=LONGEST_SLUG)
    key = models.CharField(max_length=LONGEST_KEY)
    count = models.BigIntegerField()
    best = models.IntegerField()
    best_match = models.ForeignKey(Match, null=True, on_delete=models.SET_NULL, related_name="+")
    best_version = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "game", "key"], name="one_stat_per_key")
        ]

    def __str__(self) -> str:
        return f"{self.key} of {self.user_id} in {self.game}: {self.count}"


class Recount(models.Model):
    """A user whose statistics must be computed again, because seats have changed hands."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="recount"
    )

    def __str__(self) -> str:
        return f"recount of {self.user_id}"
