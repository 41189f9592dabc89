"""Matches. A match has its newest state and a log of acts."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from games.contract.game import LONGEST_LEVEL, LONGEST_SLUG
from games.models.rooms import Room
from games.registry import GAMES


class StatePart(models.Model):
    """A part that the states of many matches share and refer to by key, such as the cards of one
    version of a deck.
    """

    key = models.CharField("SHA-256 of what it holds", max_length=64, primary_key=True)
    source = models.TextField()
    used_at = models.DateTimeField("when a match last referred to it", db_index=True)

    def __str__(self) -> str:
        return self.key[:8]


class Match(models.Model):
    """A match: its newest state, and when the clock must next handle it (`wake_at`)."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="matches")
    game = models.CharField(max_length=LONGEST_SLUG)
    game_version = models.PositiveIntegerField()
    options = models.JSONField()
    secret = models.CharField(max_length=64)
    nonces = models.JSONField()
    nonces_derived = models.BooleanField(
        "those who gave none have one from the secret", default=False
    )
    mixed = models.JSONField("what its seats added to the luck", null=True, blank=True)
    """Shares and secrets (`games.engine.fairness.Mixed`). None if the luck has version 1."""
    drawn = models.JSONField("how often it has drawn, by label", null=True, blank=True)
    state = models.TextField()
    parts = models.ManyToManyField(StatePart, related_name="matches", blank=True, editable=False)
    """Parts the state refers to (`games.engine.state_parts`)."""
    version = models.PositiveIntegerField(default=1)
    revision = models.PositiveIntegerField(
        "how often its people or its times changed without an act", default=0
    )
    patience = models.FloatField("seconds for every question (else as the game says)", null=True)
    asked_at = models.DateTimeField("since when the question stands", null=True, blank=True)
    awaited_from = models.DateTimeField("when all has been shown", null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    wake_at = models.DateTimeField(null=True, blank=True, db_index=True)
    clock = models.CharField(
        "which process looks after its times", max_length=16, blank=True, default="", db_default=""
    )
    """The process that stored the last act (`games.engine.process`), or empty for any process."""
    plans = models.JSONField("when each bot moves", default=dict)
    # The previous release inserts no value for these fields: tests/operations/test_upgrade.py.
    talks = models.JSONField(
        "when each bot claims something",
        default=dict,
        db_default=models.Value({}, models.JSONField()),
    )
    pace = models.CharField(
        "another pace than its options say", max_length=10, blank=True, default="", db_default=""
    )
    skip_asked = models.JSONField(
        "which members ask to skip ahead",
        default=list,
        db_default=models.Value([], models.JSONField()),
    )
    dealt = models.JSONField(
        "which seats have looked at what they were dealt, while others look", null=True, blank=True
    )
    paused = models.JSONField("who paused it, and what is left of its times", null=True, blank=True)
    outcome = models.JSONField(null=True, blank=True)
    broken = models.BooleanField(default=False)
    public = models.BooleanField("anybody could watch it", default=False)
    lesson = models.BooleanField("its luck was prepared", default=False, db_default=False)
    revealed = models.BooleanField(
        "its viewers can look through every seat afterwards", default=False, db_default=False
    )
    pruned = models.BooleanField("its acts have been deleted", default=False, db_default=False)
    rated = models.CharField(
        "whether it is rated, or why not", max_length=12, blank=True, default="", db_default=""
    )
    """A code of `games.engine.rated`. Empty for matches that are older than ratings."""
    started_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    no = models.BigIntegerField("in which order it was counted", null=True, editable=False)
    """Position in lists (`games.history.counting`): None before it is counted, negative if it
    appears in no list.
    """
    counted_at = models.DateTimeField("when it was first counted", null=True, editable=False)

    class Meta:
        verbose_name_plural = "matches"
        indexes = [
            models.Index(
                fields=["ended_at", "id"],
                condition=Q(no__isnull=True, ended_at__isnull=False),
                name="match_uncounted",
            ),
            models.Index(fields=["game"], condition=Q(ended_at__isnull=True), name="match_running"),
            # Lists may be limited to a game or to rated matches, and read only those rows.
            models.Index(
                fields=["no", "game", "rated"], condition=Q(public=True), name="match_listed"
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["no"], condition=Q(no__isnull=False), name="one_match_per_no"
            )
        ]
        permissions = [("see_secrets", "Can look at the secrets of running matches")]

    def __str__(self) -> str:
        return gettext("match %(number)s of %(game)s") % {
            "number": self.pk,
            "game": GAMES[self.game].name if self.game in GAMES else self.game,
        }


class Player(models.Model):
    """A seat in a match and its player. The name is kept when the player leaves."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="players")
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    name = models.CharField(max_length=20)
    bot = models.CharField("bot level", max_length=LONGEST_LEVEL, blank=True)
    substitute = models.BooleanField(default=False)
    gone = models.CharField("gone because", max_length=12, blank=True)
    gone_at = models.PositiveIntegerField("given up by act", null=True, blank=True)
    owner_before = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name="whose seat it was before it was given to another",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    given_at = models.PositiveIntegerField("given by act", null=True, blank=True)
    out = models.BooleanField(default=False)
    idle = models.PositiveSmallIntegerField(default=0)
    lapses = models.PositiveSmallIntegerField(
        "questions without an answer in time", default=0, db_default=0
    )
    newcomer = models.BooleanField("new to the game", default=False, db_default=False)
    more_time = models.BooleanField("has taken more time", default=False, db_default=False)
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.IntegerField(null=True, blank=True)
    reason = models.JSONField("why its bot played so", null=True, blank=True, editable=False)
    """A decision of its bot (`games.contract.reasons`), secret until the match is over."""
    no = models.BigIntegerField("number of its match", null=True, editable=False)

    class Meta:
        ordering = ["seat"]
        indexes = [models.Index(fields=["user", "no"], name="player_user_no")]
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_per_seat")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_warm(self) -> bool:
        """Whether a bot is playing for an absent player who still owns the seat."""
        return self.substitute and not self.gone

    def held(self, version: int | None = None) -> bool:
        """Whether the owner holds this seat, now or at the act of this version."""
        return held_at(self.gone, self.gone_at, version)


def held_at(gone: str, gone_at: int | None, version: int | None = None) -> bool:
    """Whether the owner of a seat holds it now, or at the act of this version."""
    return not gone or (version is not None and gone_at is not None and version < gone_at)


class Act(models.Model):
    """One committed step of a match. Acts are never changed or deleted."""

    class Kind(models.TextChoices):
        SETUP = "setup", "setup"
        MOVE = "move", "move"
        LAPSE = "lapse", "time ran out"
        LEAVE = "leave", "left"
        JOIN = "join", "joined late"
        NUDGE = "nudge", "nudged"
        STOP = "stop", "stopped"

    class By(models.TextChoices):
        HAND = "hand", "hand"
        BOT = "bot", "bot"
        CLOCK = "clock", "clock"
        SERVER = "server", "server"

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="acts", db_index=False
    )  # indexed together with `number`
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=Kind.choices)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    prompt = models.PositiveIntegerField(null=True, blank=True)
    move = models.JSONField(null=True, blank=True)
    told = models.JSONField(default=list)
    draws = models.JSONField(default=list)
    by = models.CharField(max_length=8, choices=By.choices, default=By.HAND)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="one_act_per_number"),
            models.UniqueConstraint(
                fields=["match", "seat", "prompt"],
                condition=Q(kind="move"),
                name="one_move_per_prompt",
            ),
        ]

    def __str__(self) -> str:
        return f"act {self.number} of match {self.match_id}"


class Look(models.Model):
    """Record of a staff member viewing the secrets of a running match.

    The table is informed when the match ends.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="looks")
    reason = models.CharField(max_length=300)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.reason
