"""Links by which people set the first password of an account that was made for them.

Nothing is stored: a link is signed with what the account is like (Django's tokens), so that it ends
when a password is set. A new link, or one that is withdrawn, ends those before.
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
    """No link out of a mail about a forgotten password is one of these."""

    key_salt = "parlour.welcome"


links = _Links()


def waits(user: User) -> bool:
    """Whether this is an account that nobody has set a password of."""
    return user.is_active and not user.is_guest and not user.has_usable_password()


def make_link(user: User) -> str:
    """A new link for an account that waits; those before it end."""
    withdraw(user)
    number = urlsafe_base64_encode(force_bytes(user.pk))
    path = reverse("account_welcome", args=[number, links.make_token(user)])
    return f"{settings.PUBLIC_URL}{path}"


def withdraw(user: User) -> None:
    """No link that was made so far works any more."""
    user.set_unusable_password()  # (another one, by which what is signed is another)
    user.save(update_fields=["password"])


def send(request: HttpRequest, user: User, link: str) -> bool:
    """Send it by mail. Return False if there is no mail, no address, the mail server is away, or
    there have been too many mails."""
    if not settings.MAIL or not user.email:
        return False
    if not mail_budget.take_confirmed(user.email, user.pk):
        return False
    context = {"link": link, "name": user.username, "days": DAYS}
    sent: bool = get_adapter(request).deliver("account/email/welcome", user.email, context)
    return sent


class _Welcome(PasswordResetConfirmView):
    """Who comes by a link sets the password, and logs in with it."""

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
