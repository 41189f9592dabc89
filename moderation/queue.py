"""The queue of reports: a list with open reports first, and a page to decide each report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, F, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.timesince import timesince
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import sanctions
from accounts.isolation import isolated
from accounts.models import User
from games.contract.core import Refused
from games.registry import GAMES
from moderation import actions, bulk
from moderation.action_forms import action_request_for, line_field, say_why_not
from moderation.actions import ACTIONS, LENGTHS
from moderation.audit_log import DONE
from moderation.models import Report

FITTING = {
    Report.Kind.MESSAGE: ("remove", "remove_all", "warn", "mute", "lock", "end", "close"),
    Report.Kind.NAME: ("rename", "warn", "lock", "end", "close"),
    Report.Kind.DECK: ("take_out", "warn", "lock"),
    Report.Kind.BEHAVIOUR: ("warn", "remove_all", "rename", "mute", "lock", "end", "close"),
}
"""Actions for each kind of report, mildest first."""


class DecideForm(forms.Form):
    """Form for a moderator's decision: action, duration and reason."""

    action = forms.ChoiceField(label=_("Action"))
    length = forms.ChoiceField(
        label=_("For how long (mute and lock-out)"),
        choices=LENGTHS.items(),
        initial="day",
        required=False,
    )
    reason = line_field(_("Reason (shown to the person)"), required=False)
    others = forms.BooleanField(required=False)

    def __init__(self, data: Any, allowed: list[str], others: int) -> None:
        super().__init__(data)
        words = {name: ACTIONS[name].label for name in allowed}
        self.fields["action"].choices = [  # type: ignore[attr-defined]
            ("", "—"),
            *words.items(),
            ("nothing", _("Nothing to do")),
        ]
        if others:
            text = ngettext(
                "Settle the other open report about this person too",
                "Settle the %(count)s other open reports about this person too",
                others,
            )
            self.fields["others"].label = text % {"count": others}
        else:
            del self.fields["others"]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("action") not in (None, "nothing") and not given.get("reason"):
            self.add_error("reason", gettext("Say why: the person will see it."))
        lasting = given.get("action") in ACTIONS and ACTIONS[given["action"]].lasts
        if lasting and not given.get("length"):
            self.add_error("length", gettext("Say for how long."))
        return given


class IsOpen(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("open", _("open")), ("decided", _("decided"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() is None:
            return queryset
        return queryset.filter(decided_at__isnull=self.value() == "open")


@admin.register(Report)
class ReportAdmin(bulk.ManyAtOnce):
    """Reports. Open reports come first, the oldest on top."""

    list_display = ("what", "state", "kind", "about_name", "times", "reason", "reporter", "at")
    list_display_links = ("what",)
    list_filter = (IsOpen, "kind", "reason")
    search_fields = ("what__fold", "about_name__fold", "by_name__fold", "note__fold", "room__code")
    ordering = (F("decided_at").desc(nulls_first=True), "at", "pk")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        ordering = self.get_ordering(request)
        found = actions.reports_for(cast(User, request.user)).order_by(*ordering)
        return self.defer_large_columns(request, found)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Return the list of reports, with the number of reports about each user.

        Reports are counted only for users on this page, because the queue may be long.
        """
        shown = super().get_changelist_instance(request)
        people = {report.about_id for report in shown.result_list} - {None}
        counted = Report.objects.filter(about__in=people).order_by().values_list("about")
        times = dict(counted.annotate(Count("pk")))
        for report in shown.result_list:
            report.times = times.get(report.about_id, 1)
        return shown

    @admin.display(description=_("reported by"), ordering="by_name")
    def reporter(self, report: Report) -> str:
        """Name of the reporter."""
        return report.by_name

    @admin.display(description=_("reported"))
    def times(self, report: Any) -> str:
        """Number of reports about this user."""
        return _times(report.times)

    @admin.display(description=_("state"))
    def state(self, report: Report) -> str:
        return str(DONE.get(report.decision, report.decision)) or gettext("open")

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a report, with a form for those who may decide it."""
        report = self.get_object(request, object_id)
        if not self.has_view_permission(request, report):
            raise PermissionDenied
        if report is None:
            raise Http404
        form = self._form(request, report)
        if request.method == "POST":
            if not request.user.has_perm("moderation.change_report"):
                raise PermissionDenied
            if form is None:
                say_why_not(request, Refused("already_decided"))
            elif form.is_valid():
                if _decided(request, report, form.cleaned_data):
                    return self._next(request)
                report.refresh_from_db()
                form = self._form(request, report)
        context = {
            **admin.site.each_context(request),
            "title": capfirst(Report._meta.verbose_name),
            "report": report,
            "form": form,
            "summary": _summary(report),
            "when": _when(report),
            "record": list(_record(report)),
            "links": list(_links(request, report)),
            "decided": _decided_by(report),
        }
        status = 422 if form is not None and form.errors else 200
        return render(request, "admin/moderation/report.html", context, status=status)

    def _next(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the next open report, or to the list."""
        following = self.get_queryset(request).filter(decided_at=None)
        left = following.count()
        text = ngettext(
            "Done. %(count)s report is open.", "Done. %(count)s reports are open.", left
        )
        messages.success(request, text % {"count": left})
        report = following.first()
        if report is None:
            return redirect("admin:moderation_report_changelist")
        return redirect("admin:moderation_report_change", report.pk)

    def _form(self, request: HttpRequest, report: Report) -> DecideForm | None:
        if not request.user.has_perm("moderation.change_report") or report.decided_at:
            return None
        allowed = [
            action
            for action in FITTING[Report.Kind(report.kind)]
            if request.user.has_perm(ACTIONS[action].right)
            and (target := _target(report, action)) is not None
            and ACTIONS[action].left(target)
        ]
        return DecideForm(request.POST or None, allowed, _others(report).count())


def _decided(request: HttpRequest, report: Report, given: dict[str, Any]) -> bool:
    """Run the chosen action. If it is refused, show an error and return False."""
    settled = [report.pk]
    if given.get("others"):
        settled += _others(report).values_list("pk", flat=True)
    assert request.user.pk is not None
    try:
        if given["action"] == "nothing":
            action_request = actions.ActionRequest(by=request.user.pk, reason=given["reason"])
            actions.nothing(action_request, settled).result()
        else:
            target = _target(report, given["action"])
            assert target is not None
            action_request = action_request_for(request, given["action"], target, given)
            if given["action"] == "rename":
                worn = report.what if report.kind == Report.Kind.NAME else report.about_name
                action_request = replace(action_request, name=worn)
            actions.do(given["action"], action_request, settled).result()
    except Refused as refused:
        say_why_not(request, refused)
        return False
    return True


def _target(report: Report, action: str) -> int | None:
    """Return the id of the action's target, or None if it was deleted."""
    to = {
        "person": report.about_id,
        "message": report.message_id,
        "deck": report.deck_id,
        "room": report.room_id,
    }
    return to[ACTIONS[action].to]


def _others(report: Report) -> QuerySet[Report]:
    """Return the open reports about the same user, except this one."""
    open_ = Report.objects.filter(decided_at=None).exclude(pk=report.pk)
    return open_.filter(about=report.about) if report.about_id else open_.none()


def _summary(report: Report) -> str:
    texts = {
        Report.Kind.MESSAGE: _("%(by)s reports %(who)s's message “%(what)s”: %(reason)s."),
        Report.Kind.NAME: _("%(by)s reports the name %(who)s: %(reason)s."),
        Report.Kind.DECK: _("%(by)s reports %(who)s's deck “%(what)s”: %(reason)s."),
        Report.Kind.BEHAVIOUR: _("%(by)s reports %(who)s's behaviour: %(reason)s."),
    }
    return texts[Report.Kind(report.kind)] % {
        "by": isolated(report.by_name),
        "who": isolated(report.about_name),
        "what": isolated(report.what),
        "reason": gettext(report.get_reason_display()),
    }


def _when(report: Report) -> str:
    facts = {"at": f"{report.at:%Y-%m-%d %H:%M}", "ago": timesince(report.at)}
    if report.room is None:
        return gettext("That was on %(at)s UTC, %(ago)s ago.") % facts
    game = GAMES.get(report.room.game)
    facts |= {"room": report.room.code, "game": game.name if game else report.room.game}
    return gettext("That was on %(at)s UTC, %(ago)s ago, at table %(room)s (%(game)s).") % facts


def _record(report: Report) -> Iterator[str]:
    """Yield facts about the reported user, as sentences."""
    if report.about is None:
        yield gettext("This person is gone.")
        return
    found = report.about.reports.aggregate(
        all=Count("pk"), people=Count("by", distinct=True), open=Count("pk", Q(decided_at=None))
    )
    people = ngettext("one person", "%(count)s different people", found["people"])
    yield gettext("Reported %(all)s in all, by %(people)s; still open: %(open)s.") % {
        **found,
        "all": _times(found["all"]),
        "people": people % {"count": found["people"]},
    }
    kind = gettext("A guest.") if report.about.is_guest else gettext("Has an account.")
    yield f"{kind} " + gettext("Here since %(day)s.") % {
        "day": f"{report.about.date_joined:%Y-%m-%d}"
    }
    yield from conduct(report.about)


def conduct(user: User) -> Iterator[str]:
    """Yield sentences about moderators' past decisions on a user, newest first."""
    before = user.sanctions.all()[:20]
    if not before:
        yield gettext("No moderator has decided anything about this person before.")
    for sanction in before:
        holds = sanction.kind in sanctions.HOLDING
        ends = f" {sanctions.end_of(sanction)}" if holds else ""
        lifted = f" ({gettext('lifted')})" if sanction.lifted_at else ""
        kind = sanction.get_kind_display()
        about = f" “{isolated(sanction.about)}”" if sanction.about else ""
        reason = isolated(sanction.reason)
        yield f"{sanction.at:%Y-%m-%d}: {kind}{about}{ends}{lifted}. {reason}"


def _links(request: HttpRequest, report: Report) -> Iterator[tuple[str, str]]:
    """Yield links to the reported user, room, match and deck, if the moderator may view them."""
    for text, model, pk in (
        (gettext("the person"), "accounts_user", report.about_id),
        (gettext("the room"), "games_room", report.room_id),
        (gettext("the match"), "games_match", report.match_id),
        (gettext("the deck"), "games_deck", report.deck_id),
    ):
        app, name = model.split("_")
        if pk is not None and request.user.has_perm(f"{app}.view_{name}"):
            yield text, reverse(f"admin:{model}_change", args=[pk])


def _decided_by(report: Report) -> str:
    if report.decided_at is None:
        return ""
    return gettext("%(who)s decided on %(at)s: %(action)s.") % {
        "who": isolated(str(report.decided_by or "?")),
        "at": f"{report.decided_at:%Y-%m-%d %H:%M} UTC",
        "action": DONE.get(report.decision, report.decision),
    }


def _times(count: int) -> str:
    return ngettext("once", "%(count)s times", count) % {"count": count}
