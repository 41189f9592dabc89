"""Models of reports and of the staff log."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.tables.report_reasons import REASONS

REASON_CHOICES = [(code, _(text.id)) for code, text in REASONS.items()]


class Report(models.Model):
    """A report to moderators, with a copy of the messages visible at the time.

    `context` is a list of {person, name, text, at, reported}. It contains the reported message and
    the ten messages around it.
    """

    class Kind(models.TextChoices):
        MESSAGE = "message", _("a message")
        NAME = "name", _("a name")
        DECK = "deck", _("a deck")
        BEHAVIOUR = "behaviour", _("behaviour")

    kind = models.CharField(_("about"), max_length=10, choices=Kind)
    reason = models.CharField(_("reason"), max_length=10, choices=REASON_CHOICES)
    note = models.CharField(_("in their words"), max_length=300, blank=True)
    what = models.CharField(_("the message, name or deck"), max_length=500)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="reported"
    )
    by_name = models.CharField(max_length=150)
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="reports"
    )
    about_name = models.CharField(_("who"), max_length=150)
    room = models.ForeignKey("games.Room", null=True, on_delete=models.SET_NULL)
    match = models.ForeignKey("games.Match", null=True, on_delete=models.SET_NULL)
    message = models.ForeignKey("chat.Message", null=True, on_delete=models.SET_NULL)
    deck = models.ForeignKey("games.Deck", null=True, on_delete=models.SET_NULL)
    context = models.JSONField(default=list)
    at = models.DateTimeField(_("when"), default=timezone.now)
    decided_at = models.DateTimeField(_("decided"), null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    decision = models.CharField(_("decision"), max_length=10, blank=True)

    class Meta:
        ordering = [models.F("decided_at").desc(nulls_first=True), "at", "pk"]
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        indexes = [models.Index(fields=["decided_at", "at"])]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.what}"


class Fixed(Exception):
    """Entries of the staff log cannot be changed or deleted."""


class _OnlyAdded(models.QuerySet["StaffAct"]):
    def update(self, **kwargs: Any) -> int:
        raise Fixed

    def delete(self) -> tuple[int, dict[str, int]]:
        raise Fixed


class StaffAct(models.Model):
    """An entry of the staff log. Only the erasure or merge of a user may change it."""

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    by_name = models.CharField(_("who"), max_length=150)
    action = models.CharField(_("did"), max_length=10, db_column="deed")
    whom = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    whom_name = models.CharField(_("to whom"), max_length=150, blank=True)
    what = models.CharField(_("with what"), max_length=500, blank=True)
    reason = models.CharField(_("why"), max_length=300, blank=True)
    until = models.DateTimeField(_("until"), null=True)
    at = models.DateTimeField(_("when"), default=timezone.now)

    objects = _OnlyAdded.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("staff action")
        verbose_name_plural = _("staff log")

    def __str__(self) -> str:
        return f"{self.by_name}: {self.action} {self.whom_name}".rstrip()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save a new entry. Raise Fixed if the entry already exists."""
        if self.pk is not None:
            raise Fixed
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise Fixed
