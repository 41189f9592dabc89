"""Data about many matches: their numbers, and the statistics and ratings of players."""

from django.conf import settings
from django.db import models
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from games.contract.game import LONGEST_SLUG
from games.contract.tally import LONGEST_KEY
from games.models.matches import Match

MU, SIGMA = 25.0, 25.0 / 3
"""The skill of somebody who has not played yet."""
SIGMA_OF_NEXT = 25.0 / 6
"""Standard deviation with which a new version of a program starts. Its mean is that of the version
before it.
"""


class Counter(models.Model):
    """The last number given out under a name. Lock its row to give out the next one."""

    MATCHES = "matches"
    """Name of the counter of matches."""

    name = models.CharField(max_length=20, unique=True)
    value = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"

    @classmethod
    def last(cls, name: str, lock: bool = False) -> int:
        """Return the last number given out under this name, or 0. `lock` locks its row."""
        rows = cls.objects.select_for_update() if lock else cls.objects
        return rows.filter(name=name).values_list("value", flat=True).first() or 0


class PlayerStat(models.Model):
    """A statistic of a user over all finished matches of a game, such as all bluffs in Mia.

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


class Pool(models.TextChoices):
    """Players who are rated against each other."""

    PEOPLE = "people", _("people")
    PROGRAMS = "programs", _("programs on the ladder")


class Skill(models.Model):
    """A rating: the mean and standard deviation of a skill (`games.history.skill`)."""

    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        abstract = True


class Rating(Skill):
    """The rating of a user in a game."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings", db_index=False
    )
    game = models.CharField(max_length=LONGEST_SLUG)
    pool = models.CharField(max_length=8, choices=Pool.choices)
    matches = models.PositiveIntegerField("rated matches")
    last_at = models.DateTimeField("end of the last rated match")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "game", "pool"], name="one_rating_per_game")
        ]
        indexes = [
            models.Index(  # (the order of leaderboards)
                "game", "pool", (F("mu") - F("sigma") - F("sigma")).desc(), name="rating_strength"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.game}: {self.mu:.2f} ± {self.sigma:.2f}"


class SideRating(Skill):
    """Strength of a side in a game with this number of seats, regardless of the players."""

    game = models.CharField(max_length=LONGEST_SLUG)
    seats = models.PositiveSmallIntegerField()
    side = models.CharField(max_length=20)
    pool = models.CharField(max_length=8, choices=Pool.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "seats", "side", "pool"], name="one_rating_per_side"
            )
        ]

    def __str__(self) -> str:
        return f"{self.side} in {self.game} for {self.seats}: {self.mu:.2f} ± {self.sigma:.2f}"


class RatingChange(Skill):
    """The change of a player's rating by a match, by seat."""

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="rating_changes", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "seat"], name="one_rating_change_per_seat")
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of match {self.match_id}: {self.mu_before:.2f} to {self.mu:.2f}"
