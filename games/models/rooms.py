"""Rooms, their members and invitations."""

import re
import secrets
import unicodedata

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.contract.game import LONGEST_LEVEL, LONGEST_SLUG
from games.contract.mixing import CODE_LETTERS

CODE_LENGTH = 5


def new_code() -> str:
    """Return a random code of characters that are hard to confuse when read aloud."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


LINK = re.compile(r"/t/([^/?#\s]+)")
LONGEST_TYPED = 300


def read_code(typed: str) -> str:
    """Return the table code in a text that a user has typed or pasted.

    The text may be a link to the table, start with `#`, be in lower case, or contain blanks, dashes
    or full stops.
    """
    text = unicodedata.normalize("NFKC", typed[:LONGEST_TYPED])
    link = LINK.search(text)
    return re.sub(r"[\W_]", "", link[1] if link else text).upper()


def is_code(typed: str) -> bool:
    """Whether this text, as typed, has the form of a table code."""
    code = read_code(typed)
    return len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS)


def new_secret() -> str:
    """Return 32 random bytes in hex: the server's share of a match's seed."""
    return secrets.token_hex(32)


def opened_by_people(path: str = "") -> Q:
    """Return a filter for rooms that users opened. `path` is the lookup prefix of the room."""
    return Q(**{f"{path}udp_round": None, f"{path}ladder": False})


class Room(models.Model):
    """A table: who may join, who is host, and the game with its options."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        PLAYING = "playing", _("playing")
        FINISHED = "finished", _("finished")
        CLOSED = "closed", _("closed")

    class Kind(models.TextChoices):
        PEOPLE = "people", "opened by people"
        UDP = "udp", "built-in, where programs play Mia over UDP"
        LADDER = "ladder", "opened by the server for programs on the ladder"

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("public")
        UNLISTED = "unlisted", _("unlisted")
        INVITED = "invited", _("invited only")

    code = models.CharField(max_length=5, unique=True, default=new_code)
    game = models.CharField(max_length=LONGEST_SLUG)
    options = models.JSONField(default=dict)
    # The previous release inserts no value for fields with a `db_default`.
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
    rated = models.BooleanField("its matches are rated", default=False, db_default=False)
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
    mixing = models.JSONField("the newest mixing of the luck", null=True, blank=True)
    mixing_until = models.DateTimeField("when it stops waiting", null=True, blank=True)
    reactions = models.JSONField(
        "the newest reactions",
        default=list,
        db_default=models.Value([], models.JSONField()),
    )
    screen_seen_at = models.DateTimeField("a big screen was there last", null=True, blank=True)
    udp_round = models.PositiveIntegerField(
        "number of the newest round over UDP", null=True, blank=True, editable=False
    )
    ladder = models.BooleanField(
        "a table of the ladder for programs", default=False, db_default=False, editable=False
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
                fields=["mixing_until"],
                condition=Q(mixing_until__isnull=False),
                name="room_mixing_until",
            ),
            models.Index(
                fields=["screen_seen_at"],
                condition=Q(screen_seen_at__isnull=False),
                name="room_screen_seen_at",
            ),
            models.Index(fields=["status"], condition=Q(ladder=True), name="room_ladder"),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def has_screen(self) -> bool:
        """Whether a big screen shows this table (`games.rooms.screens`)."""
        return self.screen_seen_at is not None

    KIND_COLUMNS = ("udp_round", "ladder")
    """The columns that `kind` reads."""

    @property
    def kind(self) -> "Room.Kind":
        """The kind of the room, which has a policy (`games.engine.table_policy`)."""
        if self.ladder:
            return Room.Kind.LADDER
        return Room.Kind.PEOPLE if self.udp_round is None else Room.Kind.UDP


class Member(models.Model):
    """A member of a room: a human or a bot, playing or watching.

    The row is kept after they leave.
    """

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE
    )
    name = models.CharField(max_length=20)
    key = models.CharField("name as compared", max_length=80)
    joined_at = models.DateTimeField(default=timezone.now)
    spectator = models.BooleanField(default=False)
    bot = models.CharField("bot level", max_length=LONGEST_LEVEL, blank=True)
    nonce = models.CharField("own part in the next match's luck", max_length=64, blank=True)
    share = models.CharField(
        "share in the next match's luck", max_length=64, blank=True, default="", db_default=""
    )
    left_at = models.DateTimeField(null=True, blank=True)
    left_because = models.CharField(max_length=12, blank=True)
    left_note = models.CharField("why, as it is told", max_length=300, blank=True)
    kicked_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(default=timezone.now)
    away_since = models.DateTimeField(null=True, blank=True)
    says_was = models.CharField(
        "says that they were this player", max_length=20, blank=True, default="", db_default=""
    )
    says_was_at = models.DateTimeField("when they have said so", null=True, blank=True)
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
        # For the query of `games.rooms.cleanup`, which runs every few seconds on a growing table.
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
    """Query set of invitations."""

    def standing(self) -> "Invitations":
        """Invitations that can still be used. This excludes users who are present or kicked."""
        return self._without(Q(left_at=None) | Q(kicked_at__isnull=False))

    def unanswered(self) -> "Invitations":
        """Usable invitations of users who have not joined since they were invited."""
        return self.standing()._without(Q(joined_at__gte=OuterRef("at")))

    def _without(self, those: Q) -> "Invitations":
        there = Member.objects.filter(room=OuterRef("room"), user=OuterRef("user"))
        return self.exclude(Exists(there.filter(those)))


class Invitation(models.Model):
    """An invitation to a room by its host."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    by = models.CharField(max_length=20)
    at = models.DateTimeField(default=timezone.now)

    objects = Invitations.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["room", "user"], name="invited_once")]
        indexes = [models.Index(fields=["at"], name="invitation_at")]  # for the newest ones

    def __str__(self) -> str:
        return f"{self.user} to {self.room}"
