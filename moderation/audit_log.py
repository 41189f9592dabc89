"""Admin pages for the staff log, sanctions, announcements and the word filter."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet, TextField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import sanctions
from accounts.models import AddressLock, Sanction, User, WordFilter
from games.models import Announcement
from moderation import actions
from moderation.action_forms import act, line_field, tell_done, with_reason
from moderation.actions import LENGTHS
from moderation.admin_site import FindsFormerNames, ReadOnly
from moderation.audited import Audited
from moderation.models import StaffAct

DONE = {
    "nothing": _("nothing to do"),
    "warn": _("warned"),
    "mute": _("muted"),
    "lock": _("locked out"),
    "rename": _("name taken away"),
    "let_in": _("mutes and lock-outs lifted"),
    "remove": _("message removed"),
    "take_out": _("deck taken out"),
    "put_back": _("deck put back"),
    "end": _("match ended"),
    "void": _("match taken out of the ratings"),
    "retire": _("program taken off the ladder"),
    "close": _("room closed"),
    "tell": _("message to a table"),
    "say": _("message to everybody"),
    "unsay": _("withdrew an announcement"),
    "look": _("viewed secrets"),
    "words": _("changed the word filter"),
    "remove_all": _("all messages removed"),
    "block": _("address locked out"),
    "unblock": _("address let in again"),
    "new_link": _("link to set a password made"),
    "withdraw": _("links to set a password withdrawn"),
    "no_steps": _("two-step login turned off"),
    "add": _("added"),
    "change": _("changed"),
    "delete": _("deleted"),
    "password": _("password set"),
    "verify": _("address marked as verified"),
    "free": _("freed a name at the UDP table"),
}
"""Names of actions in the log."""


LONGEST_LIST = 20_000
"""Maximum characters of the word filter, because every text is compared with all of it."""


class ByAction(admin.SimpleListFilter):
    """Filter of the staff log by action."""

    title = _("action")
    parameter_name = "action"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        found = StaffAct.objects.order_by("action").values_list("action", flat=True).distinct()
        return [(action, DONE.get(action, action)) for action in found]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset if self.value() is None else queryset.filter(action=self.value())


class Log(ReadOnly):
    """A log that only superusers can see and nobody can change."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)


@admin.register(StaffAct)
class StaffActAdmin(Log):
    """The staff log: who did what, to whom and why."""

    list_display = ("at", "by_name", "did", "whom_name", "what", "reason", "until")
    list_filter = (ByAction, "by_name")
    search_fields = ("by_name__fold", "whom_name__fold", "what__fold", "reason__fold")
    fields = ("at", "by_name", "did", "whom_name", "what", "reason", "until")
    readonly_fields = ("did",)

    @admin.display(description=_("action"))
    def did(self, act: StaffAct) -> str:
        return str(DONE.get(act.action, act.action))


@admin.register(LogEntry)
class LogEntryAdmin(Log):
    """Django's own log of changes made in forms."""

    list_display = ("action_time", "user", "content_type", "object_repr", "is_what")
    list_filter = ("action_flag", "action_time")
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr__fold", "user__username__fold")
    fields = ("action_time", "user", "content_type", "object_repr", "is_what")
    readonly_fields = ("is_what",)
    list_reads = ("change_message",)

    @admin.display(description=_("action"))
    def is_what(self, entry: LogEntry) -> str:
        return f"{entry.get_action_flag_display()} {entry.get_change_message()}".rstrip(". ")


class HoldsNow(admin.SimpleListFilter):
    """Filter for mutes and bans in force."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("held", _("held now"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() is None:
            return queryset
        return queryset.filter(pk__in=sanctions.holding().filter(kind__in=sanctions.HOLDING))


@with_reason(_("Lift mutes and lock-outs of these people"))
def let_go(
    _of: admin.ModelAdmin[Any], request: HttpRequest, chosen: QuerySet[Sanction], reason: str
) -> None:
    """Lift all mutes and bans of the users these decisions are about."""
    people = User.objects.filter(sanctions__in=chosen).distinct().order_by("pk")
    done = sum(act(request, "let_in", person, {"reason": reason}) for person in people)
    if done:
        tell_done(request, done)


@admin.register(Sanction)
class SanctionAdmin(FindsFormerNames, ReadOnly):
    """Warnings, mutes and bans. The current ones can be lifted here."""

    list_display = ("at", "user", "kind", "about", "until", "lifted_at", "seen_at", "reason")
    list_filter = (HoldsNow, "kind")
    list_select_related = ("user",)
    right = "accounts.add_sanction"
    actions = (let_go,)
    search_fields = (
        "user__name__fold",
        "user__username__fold",
        "reason__fold",
        "about__fold",
        "pk",
    )
    fields = ("user", "kind", "about", "reason", "at", "until", "lifted_at", "seen_at")


@with_reason(_("Lift, with the lock-outs it made"))
def lift(
    _of: admin.ModelAdmin[Any], request: HttpRequest, chosen: QuerySet[AddressLock], reason: str
) -> None:
    """Lift address locks, together with the bans that they caused."""
    assert request.user.pk is not None
    numbers = list(chosen.values_list("pk", flat=True))
    done = actions.lift(request.user.pk, numbers, reason).result()
    text = ngettext("%(count)s lock lifted.", "%(count)s locks lifted.", done)
    messages.success(request, text % {"count": done})


@admin.register(AddressLock)
class AddressLockAdmin(ReadOnly):
    """Address locks. The address itself is never shown."""

    list_display = ("at", "reason", "until", "state", "guests")
    fields = ("at", "reason", "made_by", "until", "lifted_at")
    right = "accounts.add_sanction"
    actions = (lift,)

    @admin.display(description=_("state"))
    def state(self, lock: AddressLock) -> str:
        if lock.lifted_at is not None:
            return gettext("lifted")
        return gettext("over") if lock.until <= timezone.now() else gettext("in force")

    @admin.display(description=_("guests"))
    def guests(self, lock: AddressLock) -> int:
        """Number of guests that this lock has banned so far."""
        return lock.sanctions.count()


class EverybodyForm(forms.Form):
    """Form for an announcement to everybody, and for how long newly opened pages show it."""

    text = line_field(_("Message"))
    level = forms.ChoiceField(label=_("How important"), choices=Announcement.Level.choices)
    length = forms.ChoiceField(
        label=_("Shown on pages for"),
        choices=[("", _("only people online now")), *list(LENGTHS.items())[:3]],
        initial="hour",
        required=False,
    )


@with_reason(_("Withdraw: new pages do not show it"))
def retract(
    _of: admin.ModelAdmin[Any], request: HttpRequest, chosen: QuerySet[Announcement], reason: str
) -> None:
    """Stop showing these announcements on newly opened pages."""
    assert request.user.pk is not None
    numbers = list(chosen.values_list("pk", flat=True))
    actions.retract(request.user.pk, numbers, reason).result()
    messages.success(request, gettext("New pages no longer show it."))


@admin.register(Announcement)
class AnnouncementAdmin(ReadOnly):
    """Announcements to everybody. Announcements to one table are made in the list of rooms."""

    list_display = ("text", "level", "room", "at", "until")
    list_select_related = ("room",)
    fields = ("level", "text", "until")
    actions = (retract,)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("games.add_announcement"))

    has_action_permission = has_add_permission

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the form for an announcement, or send the announcement if the form is posted.

        The command runs outside any transaction, so that open pages and programs are notified.
        """
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = EverybodyForm(request.POST or None)
        if form.is_valid():
            assert request.user.pk is not None
            given = form.cleaned_data
            end = actions.until(given["length"]) if given["length"] else timezone.now()
            actions.announce(request.user.pk, given["text"], given["level"], end).result()
            messages.success(request, gettext("Everybody who is online now has been told."))
            return redirect("admin:games_announcement_changelist")
        context = {
            **admin.site.each_context(request),
            "title": gettext("Send a message to everybody"),
            "form": form,
            "submit": gettext("Say it"),
        }
        status = 422 if form.errors else 200
        return render(request, "admin/moderation/why.html", context, status=status)


@admin.register(WordFilter)
class WordFilterAdmin(Audited):
    """The word filter. A site has only one."""

    formfield_overrides = {TextField: {"max_length": LONGEST_LIST}}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not WordFilter.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
