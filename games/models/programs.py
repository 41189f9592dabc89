"""Programs on the ladder, and their versions (docs/programs.md)."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match

LONGEST_NAME = 15
"""Names of versions are longer by a number, such as ` v12`, and have at most 20 characters."""


class Program(models.Model):
    """A program that somebody has written. It plays as one of its versions."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="programs"
    )
    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=LONGEST_NAME)
    key = models.CharField("name as compared", max_length=80, unique=True, editable=False)
    about = models.TextField(max_length=1000, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class ProgramVersion(models.Model):
    """A version of a program. It has an account of its own, which holds its rating and its seats.

    `available_until` is renewed while the version has an open connection and wants to play.
    """

    class State(models.TextChoices):
        CHECKING = "checking", _("being checked")
        ACTIVE = "active", _("active")
        RESTING = "resting", _("resting")
        FAILED = "failed", _("failed its check")
        RETIRED = "retired", _("retired")

    program = models.ForeignKey(Program, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    label = models.CharField("what is new", max_length=60, blank=True)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="program_version"
    )
    state = models.CharField(max_length=8, choices=State, default=State.CHECKING)
    games = models.JSONField("games it plays", default=list)
    tables = models.PositiveSmallIntegerField("tables at once", default=0)
    available_until = models.DateTimeField(null=True, blank=True)
    idle_since = models.DateTimeField("has waited for a table since", null=True, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    judged_from = models.DateTimeField("earlier matches do not count", default=timezone.now)
    """Start of the check, or the time when it was woken up the last time."""
    silent_in = models.ForeignKey(
        Match,
        verbose_name="match in which it gave no answer",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )

    class Meta:
        ordering = ["program", "number"]
        constraints = [
            models.UniqueConstraint(fields=["program", "number"], name="one_version_per_number")
        ]
        indexes = [
            models.Index(
                fields=["available_until"],
                condition=models.Q(available_until__isnull=False),
                name="version_available_until",
            )
        ]

    def __str__(self) -> str:
        return f"{self.program} v{self.number}"

    @property
    def is_available(self) -> bool:
        """Whether the version is connected and wants to play."""
        return self.available_until is not None and self.available_until > timezone.now()
