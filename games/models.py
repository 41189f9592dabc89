"""Tables and what happened at them: rooms outlive matches; a match is a snapshot and a log."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


def new_code() -> str:
    """Five characters that are hard to confuse when read aloud."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(5))


def new_secret() -> str:
    """32 random bytes in hex: the server's part of a match's luck."""
    return secrets.token_hex(32)


def opened_by_people(path: str = "") -> Q:
    """Rooms of that kind; `path` leads to the room from what is asked for."""
    return Q(**{f"{path}udp_round": None})


class Room(models.Model):
    """A table: who may come, who is host, what is played by which options."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        PLAYING = "playing", _("playing")
        FINISHED = "finished", _("finished")
        CLOSED = "closed", _("closed")

    class Kind(models.TextChoices):
        PEOPLE = "people", "opened by people"
        UDP = "udp", "the house's own, where programs play Mia over UDP"

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("public")
        UNLISTED = "unlisted", _("unlisted")
        INVITED = "invited", _("invited only")

    code = models.CharField(max_length=5, unique=True, default=new_code)
    game = models.CharField(max_length=20)
    options = models.JSONField(default=dict)
    # (The version before inserts no value for those with a `db_default`.)
    kept_options = models.JSONField(
        "options of the games played here before, by game",
        default=dict,
        db_default=models.Value({}, models.JSONField()),
    )
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="hosted"
    )
    visibility = models.CharField(
        max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC
    )
    password = models.CharField("password (hashed)", max_length=128, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    standings = models.JSONField(default=dict)
    secret = models.CharField(max_length=64, default=new_secret)
    version = models.PositiveIntegerField(default=0)
    match = models.ForeignKey(
        "Match", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    from_match = models.ForeignKey(
        "Match",
        verbose_name="opened by who was out of this match elsewhere",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="new_games",
    )
    created_at = models.DateTimeField(default=timezone.now)
    empty_since = models.DateTimeField(null=True, blank=True)
    vote = models.JSONField("the newest vote of the table", null=True, blank=True)
    vote_until = models.DateTimeField("when the running vote ends", null=True, blank=True)
    reactions = models.JSONField(
        "the newest reactions",
        default=list,
        db_default=models.Value([], models.JSONField()),
    )
    screen_seen_at = models.DateTimeField("a big screen was there last", null=True, blank=True)
    udp_round = models.PositiveIntegerField(
        "number of the newest round over UDP", null=True, blank=True, editable=False
    )

    class Meta:
        indexes = [
            models.Index(fields=["status", "visibility"]),
            models.Index(fields=["status", "empty_since"], name="room_empty_since"),
            models.Index(
                fields=["vote_until"],
                condition=Q(vote_until__isnull=False),
                name="room_vote_until",
            ),
            models.Index(
                fields=["screen_seen_at"],
                condition=Q(screen_seen_at__isnull=False),
                name="room_screen_seen_at",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} ({self.game})"

    @property
    def has_screen(self) -> bool:
        """Whether a big screen shows this table (`games.rooms.screens`)."""
        return self.screen_seen_at is not None

    @property
    def kind(self) -> "Room.Kind":
        """Which policy it has (`games.engine.table_policy`)."""
        return Room.Kind.PEOPLE if self.udp_round is None else Room.Kind.UDP


class Member(models.Model):
    """Somebody in a room: a person or a bot, playing or watching. The row stays after leaving."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE
    )
    name = models.CharField(max_length=20)
    key = models.CharField("name as compared", max_length=80)
    joined_at = models.DateTimeField(default=timezone.now)
    spectator = models.BooleanField(default=False)
    bot = models.CharField("bot level", max_length=10, blank=True)
    nonce = models.CharField("own part in the next match's luck", max_length=64, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)
    left_because = models.CharField(max_length=12, blank=True)
    left_note = models.CharField("why, as it is told", max_length=300, blank=True)
    kicked_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(default=timezone.now)
    away_since = models.DateTimeField(null=True, blank=True)
    says_was = models.CharField(
        "says that they were this player", max_length=20, blank=True, default="", db_default=""
    )
    at_page = models.BooleanField("has come by a page, not as a program", default=False)
    called_for = models.CharField(
        "question a notification was sent for", max_length=40, blank=True, default="", db_default=""
    )
    plays = models.JSONField("the games a program plays (none: all)", null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["room", "key"], condition=Q(left_at=None), name="one_name_per_room"
            ),
            models.UniqueConstraint(fields=["room", "user"], name="one_member_per_person"),
        ]
        # What `games.rooms.cleanup` asks every few seconds, however many people have ever been
        # here.
        indexes = [
            models.Index(
                fields=["bot", "seen_at"],
                condition=Q(left_at=None, away_since=None),
                name="member_present_seen_at",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Invitations(models.QuerySet["Invitation"]):
    """Those of a query."""

    def standing(self) -> "Invitations":
        """Those by which one could come: not of who is there, nor of who was sent away."""
        return self._without(Q(left_at=None) | Q(kicked_at__isnull=False))

    def unanswered(self) -> "Invitations":
        """Those that stand, and that nobody has followed yet."""
        return self.standing()._without(Q(joined_at__gte=OuterRef("at")))

    def _without(self, those: Q) -> "Invitations":
        there = Member.objects.filter(room=OuterRef("room"), user=OuterRef("user"))
        return self.exclude(Exists(there.filter(those)))


class Invitation(models.Model):
    """A person asked to a room by its host."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    by = models.CharField(max_length=20)
    at = models.DateTimeField(default=timezone.now)

    objects = Invitations.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["room", "user"], name="invited_once")]

    def __str__(self) -> str:
        return f"{self.user} to {self.room}"


class Match(models.Model):
    """One match: the newest state (the truth), and when somebody has to look at it again."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="matches")
    game = models.CharField(max_length=20)
    game_version = models.PositiveIntegerField()
    options = models.JSONField()
    secret = models.CharField(max_length=64)
    nonces = models.JSONField()
    nonces_derived = models.BooleanField("whoever gave none has one from the secret", default=False)
    state = models.TextField()
    version = models.PositiveIntegerField(default=1)
    revision = models.PositiveIntegerField(
        "how often its people or its times changed without an act", default=0
    )
    patience = models.FloatField("seconds for every question (else as the game says)", null=True)
    asked_at = models.DateTimeField("since when the question stands", null=True, blank=True)
    awaited_from = models.DateTimeField("when all has been shown", null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    wake_at = models.DateTimeField(null=True, blank=True, db_index=True)
    plans = models.JSONField("when each bot moves", default=dict)
    # (The version before inserts no value for these: tests/operations/test_upgrade.py.)
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
    paused = models.JSONField("who paused it, and what is left of its times", null=True, blank=True)
    outcome = models.JSONField(null=True, blank=True)
    broken = models.BooleanField(default=False)
    public = models.BooleanField("anybody could watch it", default=False)
    lesson = models.BooleanField("its luck was prepared", default=False, db_default=False)
    started_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "matches"
        permissions = [("see_secrets", "Can look at the secrets of running matches")]

    def __str__(self) -> str:
        return f"match {self.pk} of {self.game}"


class Player(models.Model):
    """Who sits where in a match. The name stays when the person goes."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="players")
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    name = models.CharField(max_length=20)
    bot = models.CharField("bot level", max_length=10, blank=True)
    substitute = models.BooleanField(default=False)
    gone = models.CharField("gone because", max_length=12, blank=True)
    gone_at = models.PositiveIntegerField("given up by act", null=True, blank=True)
    out = models.BooleanField(default=False)
    idle = models.PositiveSmallIntegerField(default=0)
    newcomer = models.BooleanField("new to the game", default=False, db_default=False)
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.IntegerField(null=True, blank=True)
    reason = models.JSONField("why its bot played so", null=True, blank=True, editable=False)
    """A decision of its bot (`games.rules.reasons`), told to nobody before the match is over."""

    class Meta:
        ordering = ["seat"]
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_per_seat")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_warm(self) -> bool:
        """Whether a bot plays for somebody who is away, and whose seat it is still."""
        return self.substitute and not self.gone

    def held(self, version: int | None = None) -> bool:
        """Whether the person has this seat: now, or when the act of this version was told."""
        return not self.gone or (
            version is not None and self.gone_at is not None and version < self.gone_at
        )


class Act(models.Model):
    """One step of a match as it was committed. Never changed, never deleted."""

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

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="acts", db_index=False
    )  # found by match and number
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


class Announcement(models.Model):
    """What moderators say to a table, or to everybody (no room); see `games.sockets.announcements`.

    With a `code` it is a sentence of the house (`games.language.sentences`) and `text` the reason
    in it.
    """

    class Level(models.TextChoices):
        INFO = "info", _("for information")
        WARNING = "warning", _("a warning")
        ERROR = "error", _("something is wrong")

    level = models.CharField(_("how important"), max_length=8, choices=Level, default=Level.INFO)
    text = models.CharField(_("what to say"), max_length=300)
    code = models.CharField(max_length=12, blank=True, editable=False)
    room = models.ForeignKey(Room, null=True, blank=True, on_delete=models.CASCADE)
    at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(_("shown on pages until"), null=True, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")

    def __str__(self) -> str:
        return self.text


class Look(models.Model):
    """Somebody of the staff has looked at the secrets of a running match. Told when it ends."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="looks")
    reason = models.CharField(max_length=300)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.reason


class Heartbeat(models.Model):
    """One row: which process leads, and when it said so last (`games.runtime.heartbeat`)."""

    leader = models.CharField(max_length=16, blank=True)
    at = models.DateTimeField()
    pruned_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.at:%c}"


class Deck(models.Model):
    """Cards somebody brought. `pack` is JSON as `games.rules.cards.packs` reads it."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="decks"
    )
    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=60)
    language = models.CharField(max_length=10)
    pack = models.TextField()
    highest = models.PositiveIntegerField("highest number ever given", default=0)
    prompts = models.PositiveIntegerField(default=0)
    answers = models.PositiveIntegerField(default=0)
    public = models.BooleanField("everybody may play with it", default=False)
    hidden = models.BooleanField("taken out by staff", default=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "slug"]

    def __str__(self) -> str:
        return f"{self.name} ({self.slug})"


class UdpName(models.Model):
    """A name in the standings of the UDP table: a program's, or that of a person who sat in.

    A program's name belongs to the address it was registered from, a person's to the person.
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
    """A round of Mia over UDP, as it was told to everybody. `seed` is what its dice came from."""

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
