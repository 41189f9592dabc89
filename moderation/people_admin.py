"""The back office: people, e-mail addresses, and groups with permissions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm, UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import credentials, reserved_names
from accounts.models import Follow, User
from accounts.names import BadName, clean_user_name
from accounts.sanctions import was_taken_away
from games.contract.core import Refused
from games.history.erasure import begin
from games.tables.sentences import refusal
from moderation import confirmation, people_actions
from moderation.action_forms import LogForm, all_of, with_reason
from moderation.admin_site import FindsFormerNames, OnlyFilters, ReadOnly, marked
from moderation.audit_log import DONE
from moderation.audited import Audited, reason_of
from moderation.models import StaffAct
from moderation.queue import conduct

RIGHTS = {"is_staff", "is_superuser", "is_active", "groups"}
RARE = {"delete_selected", *people_actions.NAMES}
"""Fields of a user (RIGHTS) and actions (RARE) that need `moderation.confirmation`."""


def is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and getattr(request.user, "is_superuser", False))


def may_touch(request: HttpRequest, person: User | None) -> bool:
    """Whether the user may change this account. Only superusers may change staff accounts."""
    return person is None or not person.is_staff or is_superuser(request)


def done(request: HttpRequest, answer: HttpResponse) -> bool:
    """Return whether a form was saved, in which case Django redirects to another page."""
    location = answer.headers.get("Location")
    return location is not None and location != request.get_full_path()


class _Made(HttpResponse):
    """Placeholder response for a new account. The real response is made after the transaction."""

    def __init__(self, person: User) -> None:
        super().__init__()
        self.person = person


class PersonForm(UserChangeForm):  # type: ignore[type-arg]
    """Form to edit a user. A new user name must pass the same checks as at registration."""

    def clean_username(self) -> str:
        name = str(self.cleaned_data["username"])
        # Checked only if changed: old names may break newer rules.
        if name == self.instance.username:
            return name
        if was_taken_away(self.instance.pk, name):
            raise ValidationError(BadName("UsernameRemoved").sentence)
        try:
            name = clean_user_name(name)
            reserved_names.check(name, self.instance, by_staff=True)
        except BadName as bad:
            raise ValidationError(bad.sentence) from None
        return name


class PasswordForm(AdminPasswordChangeForm, LogForm):  # type: ignore[type-arg]
    """Form to set a user's password, with a reason for the staff log."""


@admin.register(User)
class PersonAdmin(
    Audited,
    confirmation.DeletedOnceConfirmed,
    FindsFormerNames,
    OnlyFilters,
    UserAdmin,  # type: ignore[type-arg]
):
    """Registered users and guests, with the actions that staff can take on them."""

    list_display = ("username", "name", "guest", "staff", "is_active", "last_login")
    guest = marked("is_guest", _("guest"))
    staff = marked("is_staff", _("staff"))
    person_field = "pk"
    list_filter = ("is_guest", "is_staff", "is_active")
    search_fields = ("username__fold", "name__fold", "email__fold")
    fieldsets = (
        (None, {"fields": ("username", "name", "is_guest", "password")}),
        (_("Rights"), {"fields": ("is_staff", "is_superuser", "groups")}),
        (_("Times"), {"fields": ("last_login", "date_joined")}),
        (_("Conduct"), {"fields": ("conduct",)}),
    )
    form = PersonForm
    change_password_form = PasswordForm
    change_user_password_template = "admin/moderation/password.html"
    readonly_fields = ("conduct", "name", "is_guest", "last_login", "date_joined")
    object_history_template = "admin/moderation/history.html"
    add_form = people_actions.AddPersonForm
    add_fieldsets = ((None, {"fields": ("username", "email")}),)
    actions = (
        *all_of("warn", "mute", "lock", "rename", "let_in", "remove_all", "block"),
        *people_actions.ALL,
    )

    @admin.display(description=_("so far"))
    def conduct(self, user: User) -> SafeString:
        return format_html_join("", "{}<br>", ((line,) for line in conduct(user)))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Hide login data and permissions from staff who may not change users."""
        if obj is None or self.has_change_permission(request, obj):
            return super().get_fieldsets(request, obj)
        fields = ("username", "name", "is_guest", "date_joined", "conduct")
        return ((None, {"fields": fields}),)

    def get_search_fields(self, request: HttpRequest) -> Any:
        """Exclude e-mail addresses from the search of staff who may not change users."""
        may_change = self.has_change_permission(request)
        return self.search_fields if may_change else ("username__fold", "name__fold")

    def has_action_permission(self, request: HttpRequest) -> bool:
        """Whether the user may warn, mute and ban."""
        return bool(request.user.has_perm("accounts.add_sanction"))

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Let only superusers change permissions. Other staff could give themselves all of them."""
        given = super().get_readonly_fields(request, obj)
        return given if is_superuser(request) else (*given, "is_staff", "is_superuser", "groups")

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Refuse to delete staff who still have permissions, so that log entries keep their
        author.
        """
        staff = obj is not None and (obj.is_staff or obj.is_superuser)
        return super().has_delete_permission(request, obj) and not staff

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        """Require reauthentication to change permissions."""
        if request.method == "POST" and object_id:
            person = self.get_object(request, object_id)
            form = self.get_form(request, person, change=True)(request.POST, instance=person)
            if RIGHTS & set(form.changed_data):
                confirmation.require(request)
        return super().changeform_view(request, object_id, *args, **kwargs)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Show the history with moderators' decisions and, to superusers, the actions of staff."""
        person = self.get_object(request, object_id)
        if person is None or not self.has_view_permission(request, person):
            raise PermissionDenied
        acts = StaffAct.objects.filter(whom=person)[:100] if is_superuser(request) else ()
        more = {
            "conduct": list(conduct(person)),
            "done": [(act, DONE.get(act.action, act.action)) for act in acts],
        }
        return super().history_view(request, object_id, {**more, **(extra_context or {})})

    def changelist_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        # A form may name several actions; Django runs the one selected by `index`.
        if RARE & set(request.POST.getlist("action")):
            confirmation.require(request)
        return super().changelist_view(request, *args, **kwargs)

    def user_change_password(
        self, request: HttpRequest, id: str, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        try:
            confirmation.require(request)
        except ReauthenticationRequired:
            if request.method != "POST":
                raise
            # allauth would store a POST, and with it the password.
            return redirect(request.path)
        answer: HttpResponse = super().user_change_password(request, id, *args, **kwargs)
        person = self.get_object(request, id)
        if person is not None and request.method == "POST" and done(request, answer):
            self.record(request, "password", person, reason_of(request))
        if person is not None and not (person.is_guest or person.has_usable_password()):
            credentials.end(person)  # Django has no hook for the removal of a password
        return answer

    def response_add(
        self, request: HttpRequest, obj: User, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Return a placeholder. `add_view` replaces it with the page that shows the link."""
        return _Made(obj)

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Add an account. Create and send its link after the form's transaction.

        Inside the transaction, a slow mail server would block all other writes.
        """
        answer: HttpResponse = super().add_view(request, *args, **kwargs)
        if isinstance(answer, _Made):
            return people_actions.link_page(request, answer.person)
        return answer

    def get_deleted_objects(
        self, objs: Iterable[User], request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Return only the users, because `games.history.erasure` deletes related rows itself."""
        people = list(objs)
        undeletable = [one for one in people if not self.has_delete_permission(request, one)]
        return people, {"people": len(people)}, {"user"} if undeletable else set(), []

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """Delete a user by the same commands that run when users delete their own accounts.

        The commands run after the commit, because the writer cannot write during this form's
        transaction.
        """
        self.record(request, "delete", obj, reason_of(request))
        number = obj.pk
        transaction.on_commit(lambda: self._erase(request, number))

    def _erase(self, request: HttpRequest, number: int) -> None:
        try:
            left = begin(number)
        except Refused as refused:
            self.message_user(request, refusal(refused), messages.ERROR)
            return
        if left:
            text = gettext("Nobody can log in now. Matches and messages are still being removed.")
            self.message_user(request, text, messages.INFO)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for person in queryset:
            self.delete_model(request, person)


admin.site.unregister(EmailAddress)
admin.site.unregister(Group)
admin.site.unregister(Authenticator)  # this page would show the secrets of authenticator apps


@with_reason(_("Mark selected email addresses as verified"), "change")
def make_verified(
    of: Any, request: HttpRequest, chosen: QuerySet[EmailAddress], reason: str
) -> None:
    """Mark addresses as verified, like allauth, and log each address."""
    waiting = list(chosen.filter(verified=False))
    of.make_verified(request, chosen)
    for address in EmailAddress.objects.filter(pk__in=[a.pk for a in waiting], verified=True):
        of.record(request, "verify", address, reason)


@admin.register(EmailAddress)
class AddressAdmin(Audited, OnlyFilters, confirmation.Confirmed, EmailAddressAdmin):
    """E-mail addresses. They give access to an account, so only superusers see those of staff."""

    actions = (make_verified,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[EmailAddress]:
        found: QuerySet[EmailAddress] = super().get_queryset(request)
        return found if is_superuser(request) else found.filter(user__is_staff=False)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if not is_superuser(request):
            kwargs["queryset"] = User.objects.filter(is_staff=False)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: EmailAddress, form: Any, change: bool) -> None:
        """Save an address. It counts as confirmed because staff have entered it."""
        if not change or "email" in form.changed_data:
            obj.verified = obj.verified or obj.can_set_verified()
        super().save_model(request, obj, form, change)


@admin.register(Follow)
class FollowAdmin(ReadOnly):
    """Follows, from one account to another."""

    list_display = ("user", "other", "at")
    fields = ("user", "other", "at")
    search_fields = tuple(
        f"{who}__{name}__fold" for who in ("user", "other") for name in ("username", "name")
    )
    list_select_related = ("user", "other")


@admin.register(Group)
class GroupsAdmin(Audited, confirmation.Confirmed, GroupAdmin):
    """Groups of staff and their permissions."""
