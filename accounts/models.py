"""Models of guests and registered users, and of the data that belongs to them."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.likeness import login_key, looks_key
from accounts.names import valid_user_name
from accounts.word_filter import WordFilter as WordFilter

LONGEST_USER_NAME = 150


class People(UserManager["User"]):
    """Manager of the user model."""

    def create_superuser(
        self, username: str, email: str | None = None, password: str | None = None, **more: Any
    ) -> "User":
        """Create a superuser. The e-mail address counts as confirmed."""
        from accounts import mail_addresses  # imports the models of this module

        user = super().create_superuser(username, email, password, **more)
        if user.email:
            mail_addresses.give(user, user.email)
        return user


class User(AbstractUser):
    """A guest or registered user. A guest has a name, an unusable password and a generated
    username.

    A guest has no name keys, because a guest's name is only unique at one table. A preference that
    is None is stored in the browser.
    """

    class Theme(models.TextChoices):
        SYSTEM = "", _("as my device has them")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    class SeenBy(models.TextChoices):
        NOBODY = "", _("Nobody")
        FOLLOWED = "followed", _("People I follow")
        FOLLOWERS = "followers", _("Everyone who follows me")

    username = models.CharField(
        "user name", max_length=LONGEST_USER_NAME, unique=True, validators=[valid_user_name]
    )
    name = models.CharField("shown name", max_length=20, blank=True)
    is_guest = models.BooleanField(default=False)
    confirms = models.BooleanField("asks once more before risky moves", default=True)
    sounds = models.BooleanField("a sound calls the turn", null=True, blank=True)
    covers = models.BooleanField("secrets are covered on leaving", null=True, blank=True)
    passes = models.BooleanField("questions to everybody pass", null=True, blank=True)
    quiet_bots = models.BooleanField("bots make no small talk", null=True, blank=True)
    no_hints = models.BooleanField("first matches are without hints", null=True, blank=True)
    lists_matches = models.BooleanField(
        "everybody can find their matches by name", default=False, db_default=False
    )
    seen_by = models.CharField(
        "who sees where they are",
        max_length=9,
        choices=SeenBy,
        default=SeenBy.NOBODY,
        blank=True,
        db_default="",
    )
    is_program = models.BooleanField("a program on the ladder", default=False, db_default=False)
    face = models.CharField(max_length=20, blank=True, default="", db_default="")
    """Chosen face (`accounts.faces`), or "" for the default of the name."""
    theme = models.CharField(max_length=5, choices=Theme, default=Theme.SYSTEM, blank=True)
    language = models.CharField(max_length=10, blank=True)
    login_key = models.CharField(max_length=80, null=True, blank=True, unique=True, editable=False)
    """Lookup key of the user name.

    The key is None if an older account has the same one. This user must then type the exact
    spelling to log in.
    """
    shown_login_key = models.CharField(
        max_length=80, blank=True, default="", db_default="", editable=False, db_index=True
    )
    key = models.CharField(max_length=80, blank=True, editable=False, db_index=True)
    """Look-alike key of the user name."""
    shown_key = models.CharField(max_length=80, blank=True, editable=False, db_index=True)
    """Look-alike key of the display name."""

    objects: ClassVar[People] = People()
    replaces_password = False
    """Whether `set_password` replaced a password. False for an account's first password."""

    def __str__(self) -> str:
        return self.name or self.username

    def set_password(self, raw_password: str | None) -> None:
        """Set the password, and record whether it replaces one (`accounts.credentials`)."""
        self.replaces_password = bool(self.password) and self.has_usable_password()
        super().set_password(raw_password)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the user. If a name has changed, also update the keys that detect equal and similar
        names.
        """
        fields: Iterable[str] | None = kwargs.get("update_fields")
        if fields is None or {"username", "name", "is_guest"} & set(fields):
            self._set_keys()
            if fields is not None:
                kwargs["update_fields"] = {*fields, *KEYS}
        super().save(*args, **kwargs)

    def _set_keys(self) -> None:
        if self.is_guest:
            self.login_key, self.shown_login_key, self.key, self.shown_key = None, "", "", ""
            return
        self.shown_login_key = login_key(str(self))
        self.key, self.shown_key = looks_key(self.username), looks_key(str(self))
        key = login_key(self.username)
        if self.login_key != key:
            others = User.objects.exclude(pk=self.pk)
            self.login_key = None if others.filter(login_key=key).exists() else key


KEYS = ("login_key", "shown_login_key", "key", "shown_key")


def why_not_free(name: str, by_other_than: User | None = None) -> str:
    """Return why this name cannot be taken, or "" if it is available.

    UsernameTaken: a registered user has this user name or display name. UsernameLookalike: it looks
    like such a name.
    """
    people = User.objects.filter(is_guest=False)
    if by_other_than is not None and by_other_than.pk is not None:
        people = people.exclude(pk=by_other_than.pk)
    same, looks = login_key(name), looks_key(name)
    if people.filter(Q(login_key=same) | Q(shown_login_key=same) | Q(username=name)).exists():
        return "UsernameTaken"
    alike = people.filter(Q(key=looks) | Q(shown_key=looks))
    return "UsernameLookalike" if alike.exists() else ""


def account_of(user_name: str, among: models.QuerySet[User] | None = None) -> User | None:
    """Return the registered user with this name, or None.

    The exact spelling is preferred to one that differs in case. `among` is the query to
    search, for example one with annotations.
    """
    if len(user_name) > LONGEST_USER_NAME or "\0" in user_name:  # (PostgreSQL refuses zero bytes)
        return None
    named = Q(username=user_name) | Q(login_key=login_key(user_name))
    users = User.objects.all() if among is None else among
    found = list(users.filter(named, is_guest=False)[:2])
    exact = (person for person in found if person.username == user_name)
    return next(exact, found[0] if found else None)


class Token(models.Model):
    """An access token of a program. The token itself was shown once and is not stored.

    A token without a name was issued at a table. A token without an expiry is valid until it is
    revoked.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=40, blank=True)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"token of {self.user}"


class PushSubscription(models.Model):
    """A browser that gets push messages about turns (`accounts.push`)."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField("address at the push service", max_length=1000)
    digest = models.CharField(max_length=64, unique=True)
    p256dh = models.CharField("public key of the browser", max_length=100)
    auth = models.CharField("secret shared with the browser", max_length=40)
    session = models.CharField(
        "session it was sent in",
        max_length=40,
        blank=True,
        default="",
        db_default="",
        db_index=True,
    )
    """A logout or hand-off of this session deletes the subscription."""
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"browser of {self.user}"


class HandOff(models.Model):
    """A single-use code to continue in another browser within two minutes (`accounts.handoff`)."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    session = models.CharField("the session it moves", max_length=40, db_index=True)
    table = models.CharField("code of the table it was made at", max_length=5, blank=True)
    made_at = models.DateTimeField(default=timezone.now, db_index=True)
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"hand-off of {self.user}"


class SentForm(models.Model):
    """A form that must be processed only once (`accounts.sent_forms`).

    The row is kept for a day.
    """

    digest = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="+")
    browser = models.CharField("mark of the browser that sent it", max_length=64, blank=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)
    done = models.BooleanField(default=False)
    logs_in = models.BooleanField("somebody was logged in by it", default=False)
    location = models.TextField("where it led to", blank=True)

    def __str__(self) -> str:
        return f"form of {self.user}"


class RegistrationLink(models.Model):
    """A link that lets one person register if REGISTRATION=invite (`accounts.invitations`)."""

    note = models.CharField(_("for whom"), max_length=80, blank=True)
    made_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(_("made"), default=timezone.now)
    used_at = models.DateTimeField(_("used"), null=True, blank=True)
    used_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("registration link")
        verbose_name_plural = _("registration links")
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return self.note or f"{self.made_at:%Y-%m-%d}"


class AddressLock(models.Model):
    """Temporary block on guests from an address (`accounts.address_locks`)."""

    digest = models.CharField(max_length=64, blank=True, db_index=True)
    """Hash of the address, keyed with the secret key. It becomes "" when the lock ends."""
    reason = models.CharField(_("reason"), max_length=300)
    made_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(_("when"), default=timezone.now)
    until = models.DateTimeField(_("until"))
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)

    class Meta:
        verbose_name = _("locked address")
        verbose_name_plural = _("locked addresses")
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d}: {self.reason}"


class Sanction(models.Model):
    """A moderator's decision about a user, with the reason shown to that user.

    Mutes and bans are in force until their end, or until they are lifted. An end of None means for
    ever. Everything but a ban is shown on every page until the user marks it as read.
    """

    class Kind(models.TextChoices):
        WARNING = "warning", _("warning")
        MUTE = "mute", _("mute")
        LOCK = "lock", _("lock-out")
        MESSAGE = "message", _("message removed")
        MESSAGES = "messages", _("all messages removed")
        NAME = "name", _("name taken away")
        DECK = "deck", _("deck taken out")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sanctions")
    kind = models.CharField(max_length=8, choices=Kind)
    reason = models.CharField(max_length=300)
    about = models.CharField(_("the message, name or deck"), max_length=500, blank=True)
    at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True, blank=True)
    lifted_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(_("read"), null=True, blank=True)
    address_lock = models.ForeignKey(
        AddressLock, null=True, blank=True, on_delete=models.SET_NULL, related_name="sanctions"
    )

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.user}"

    @property
    def in_force(self) -> bool:
        """Whether a mute or ban is in force now."""
        return self.lifted_at is None and (self.until is None or self.until > timezone.now())


class MuteOrBlock(models.Model):
    """One user's mute or block of another.

    `mutes` hides the other's messages. `blocks` keeps the other out of tables and invitations.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="mutes_and_blocks")
    other = models.ForeignKey(User, on_delete=models.CASCADE, related_name="muted_or_blocked_by")
    name = models.CharField("what the other was called", max_length=20)
    mutes = models.BooleanField(default=False)
    blocks = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "other"], name="one_distance")]

    def __str__(self) -> str:
        return f"{self.user} from {self.other}"


class Follow(models.Model):
    """An account that follows another one. It needs no consent.

    Where the other is, is shown only if `User.seen_by` allows it (`accounts.following`).
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="follows")
    other = models.ForeignKey(User, on_delete=models.CASCADE, related_name="followed_by")
    at = models.DateTimeField(_("when"), default=timezone.now)

    class Meta:
        verbose_name = _("follow")
        verbose_name_plural = _("follows")
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["user", "other"], name="follows_once")]

    def __str__(self) -> str:
        return f"{self.user} follows {self.other}"
