"""Links to set the first password of an account that staff created.

Nothing is stored. A link is signed with the state of the account (Django's tokens), so setting a
password invalidates it. Making a new link, or withdrawing one, invalidates earlier links.
"""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.urls import reverse, reverse_lazy
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext

from accounts import mail_budget
from accounts.forms import WelcomeForm
from accounts.isolation import isolated
from accounts.models import User

DAYS = settings.PASSWORD_RESET_TIMEOUT // (24 * 60 * 60)


class _Links(PasswordResetTokenGenerator):
    """Token generator for the links. Because of its salt, password reset links do not work here."""

    key_salt = "parlour.welcome"


links = _Links()


def waits(user: User) -> bool:
    """Whether this account still has no password."""
    return user.is_active and not user.is_guest and not user.has_usable_password()


def make_link(user: User) -> str:
    """Return a new link for an account without a password. Earlier links become invalid."""
    withdraw(user)
    number = urlsafe_base64_encode(force_bytes(user.pk))
    path = reverse("account_welcome", args=[number, links.make_token(user)])
    return f"{settings.PUBLIC_URL}{path}"


def withdraw(user: User) -> None:
    """Invalidate all earlier links of this user."""
    user.set_unusable_password()  # a new random value, which changes the signed state
    user.save(update_fields=["password"])


def send(request: HttpRequest, user: User, link: str) -> bool:
    """Send the link by email.

    Return False if email is off, the account has no address, the mail server fails, or a limit is
    reached.
    """
    if not settings.MAIL or not user.email:
        return False
    if not mail_budget.take_confirmed(user.email, user.pk):
        return False
    context = {"link": link, "name": user.username, "days": DAYS}
    sent: bool = get_adapter(request).deliver("account/email/welcome", user.email, context)
    return sent


class _Welcome(PasswordResetConfirmView):
    """View in which the owner of a link sets a password and is then logged in."""

    token_generator = links
    form_class = WelcomeForm
    template_name = "account/welcome.html"
    success_url = reverse_lazy("account_login")

    def get_user(self, uidb64: str) -> User | None:
        user = super().get_user(uidb64)
        return user if isinstance(user, User) and waits(user) else None

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        text = gettext("Your password is set. Log in as %(name)s.")
        messages.success(self.request, text % {"name": isolated(form.user.username)})
        return answer

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        status = 200 if context.get("validlink") else 404
        return super().render_to_response(context, status=status, **kwargs)


welcome = login_not_required(_Welcome.as_view())
