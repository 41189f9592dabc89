"""Adapter for django-allauth: registration, user names, guest logins, and emails."""

from __future__ import annotations

import logging
import time
from smtplib import SMTPException
from typing import Any
from urllib.parse import quote

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ImproperlyConfigured, PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import (
    addresses,
    authentication,
    login_limits,
    mail_addresses,
    mail_budget,
    reserved_names,
)
from accounts.devices import remember
from accounts.guests import guest_of
from accounts.hashing import Busy
from accounts.invitations import may_register
from accounts.isolation import isolated
from accounts.languages import keep_language
from accounts.limits import TooOften
from accounts.models import User
from accounts.names import SENTENCES, BadName, clean_user_name
from accounts.sanctions import was_taken_away
from accounts.signals import returned

log = logging.getLogger(__name__)

WRONG = _("Wrong name or password.")
SENT = "account/messages/email_confirmation_sent.txt"
NOT_SENT = "parlour.mail_not_sent"
"""Key in `request.META` that is set if an email of this request could not be sent.

The page then says why.
"""


class Adapter(DefaultAccountAdapter):
    """Parlour's overrides of allauth's account behaviour."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": WRONG,
        "username_password_mismatch": WRONG,
        "too_many_login_attempts": _("Too many tries. Wait a few minutes."),
        "rate_limited": _("Too many tries. Wait a few minutes."),
        "username_taken": _(SENTENCES["UsernameTaken"]),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return may_register(request)

    def new_user(self, request: HttpRequest) -> User:
        """Reuse a guest's row, so that the account keeps the guest's name, tables, matches and
        decks.
        """
        return guest_of(request) or User()

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Create the account. A guest keeps the display name, unless it is reserved for somebody
        else.
        """
        user.is_guest = False
        super().save_user(request, user, form, commit=False)
        user.name = user.name or user.username
        try:
            reserved_names.check(user.name, user)
        except BadName:
            user.name = user.username
        user.save()
        return user

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the cleaned user name. Raise ValidationError if it is not allowed."""
        try:
            name = clean_user_name(username)
            guest = guest_of(self.request)
            if not shallow and guest is not None and was_taken_away(guest.pk, name):
                raise BadName("UsernameRemoved")
            if not shallow:
                by_staff = getattr(self.request.user, "is_staff", False)
                reserved_names.check(name, by_staff=by_staff)
        except BadName as bad:
            raise ValidationError(bad.sentence) from None
        return name

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a login attempt against Parlour's own limits.

        Raise ValidationError if a limit is reached.
        """
        try:
            self._places = login_limits.take(request, self.get_client_ip(request), credentials)
        except TooOften:
            raise self.validation_error("too_many_login_attempts") from None

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Return the user with these credentials, or None.

        Only failed attempts count against the limits. Raise Busy if too many passwords are waiting
        to be checked.
        """
        try:
            user = super().authenticate(request, **credentials)
        except Busy:
            login_limits.give_back(self._places)
            raise
        if user is not None:
            login_limits.give_back(self._places)
        return user

    def login(self, request: HttpRequest, user: User) -> None:
        """Log in, and move the data of the current guest, if any, to the account.

        Slow parts of the move continue in the background.
        """
        guest = guest_of(request)
        if guest is not None and guest.pk != user.pk:
            try:
                answers = returned.send(User, guest=guest, user=user)
            except Exception:
                log.exception("guest %s could not become user %s", guest.pk, user.pk)
                text = gettext("We couldn't log you in just now. Wait a moment, then try again.")
                messages.error(request, text)
                raise ImmediateHttpResponse(
                    HttpResponseRedirect(reverse("account_login"))
                ) from None
            if any(left for _receiver, left in answers):
                text = gettext(
                    "We are still moving your tables and matches to your account. You can "
                    "play in the meantime. Your page shows the progress."
                )
                messages.info(request, text)
        super().login(request, user)

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> Any:
        """Remember this browser, apply the account's language, and show what the user still has to
        do.
        """
        response = super().post_login(request, user, **kwargs)
        remember(request, response, user.pk)
        ask_for_another_name(request, user)
        if (
            settings.MAIL
            and not kwargs.get("signup")
            and (email := mail_addresses.unconfirmed(user))
        ):
            text = gettext("Without it you can't reset a forgotten password.")
            confirm = gettext("Confirm your address %(email)s.") % {"email": email}
            link = format_html('<a href="{}">{}</a> {}', reverse("account_email"), confirm, text)
            messages.warning(request, link)
        if user.language:
            keep_language(response, user.language)
        return response

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Whether the user must authenticate again, because the last time was too long ago.

        A recent login is enough, except to change the e-mail address (app `allauth.account`):
        somebody with brief access to an open browser could take over the account.
        """
        if app == "allauth.account":
            return True
        record = authentication.record_of(self.request)
        long_ago = time.time() - settings.STAFF_CONFIRM_MINUTES * 60
        return record is None or record["last"] <= long_ago

    def send_confirmation_mail(self, request: Any, emailconfirmation: Any, signup: bool) -> None:
        """Email a confirmation link to an address, unless the email limit is reached."""
        address = emailconfirmation.email_address
        asker = addresses.of_request(request)
        if mail_budget.take_unconfirmed(address.email, address.user_id, asker):
            super().send_confirmation_mail(request, emailconfirmation, signup)
            return
        self._not_sent(
            gettext(
                "We have already sent several e-mails. Wait an hour before you ask for another."
            )
        )

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an email. If the mail server is unreachable, show an error on the page."""
        if settings.MAIL and not self.deliver(template_prefix, email, context):
            self._not_sent(
                gettext("We could not send the e-mail just now. Please try again later.")
            )

    def _not_sent(self, text: str) -> None:
        messages.error(self.request, text)
        self.request.META[NOT_SENT] = True

    def add_message(
        self, request: Any, level: int, message_template: str | None = None, *args: Any, **more: Any
    ) -> None:
        """Suppress allauth's "mail sent" message if the mail could not be sent."""
        if message_template != SENT or NOT_SENT not in request.META:
            super().add_message(request, level, message_template, *args, **more)

    def deliver(self, template_prefix: str, email: str, context: dict[str, Any]) -> bool:
        """Send an email. Return False if it could not be sent."""
        try:
            super().send_mail(template_prefix, email, {**context, "site": settings.SITE_NAME})
        except (OSError, SMTPException) as error:
            log.warning("a mail could not be sent: %s", type(error).__name__)
            return False
        return True

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Build the link from the site's own address: the request's host may be forged."""
        named = {"uidb36": "UID", "key": "KEY"}
        path = reverse("account_reset_password_from_key", kwargs=named)
        return f"{settings.PUBLIC_URL}{path.replace('UID-KEY', quote(key))}"

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        path = reverse("account_confirm_email", args=[emailconfirmation.key])
        return f"{settings.PUBLIC_URL}{path}"

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        return resolve_url(settings.LOGIN_REDIRECT_URL)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the key for rate limits: the client's address, or "unknown".

        A browser in which the account has logged in before is counted separately, because many
        people can share an address. If the server is behind a proxy that is not configured, all
        clients share one key.
        """
        if (login := request.POST.get("login", "")).isprintable() and login:
            method = "email" if "@" in login else "username"
            if device := login_limits.known_device(request, {method: login}):
                return device
        try:
            given = str(super().get_client_ip(request))
            return addresses.network(given) or given
        except (ImproperlyConfigured, PermissionDenied, ValueError):
            return str(request.META.get("REMOTE_ADDR") or "unknown")


def ask_for_another_name(request: HttpRequest, user: User) -> None:
    """Ask a user to choose another user name if an older account's name differs only in case."""
    if user.is_guest or user.login_key is not None:
        return
    user.save(update_fields=["username"])  # the key may be free by now
    if user.login_key is None:
        text = gettext(
            "Another account has the same user name, apart from upper and lower case. Yours is only"
            " recognized if you type it exactly like this: %(name)s."
            " Choose another user name on your page."
        )
        messages.warning(request, text % {"name": isolated(user.username)})
