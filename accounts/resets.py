"""Password reset emails.

They are sent outside the request. Otherwise the response time would reveal whether an account has
the address, or whether the mail server is slow.
"""

from __future__ import annotations

import logging
from contextvars import copy_context
from functools import partial

from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.db import connection
from django.http import HttpRequest
from django.utils.translation import activate, get_language

from accounts import mail_addresses, mail_budget
from accounts.line import Line
from accounts.models import User

log = logging.getLogger(__name__)

MOST_WAITING = 100
line = Line("resets", lambda: MOST_WAITING)


def ask(request: HttpRequest, email: str) -> None:
    """Queue an email with a link to the owners of this confirmed address.

    Raise Busy if the queue is full.
    """
    # The email uses the language and site of this request.
    language = get_language() or settings.LANGUAGE_CODE
    line.submit(partial(copy_context().run, _send, request, email, language))


def _send(request: HttpRequest, email: str, language: str) -> None:
    try:
        activate(language)
        people = mail_addresses.holders(email)
        if people and mail_budget.take_confirmed(email, people[0].pk):
            accounts = [(person.username, _link(request, person)) for person in people]
            adapter = get_adapter(request)
            adapter.deliver("account/email/password_reset_key", email, {"accounts": accounts})
    except Exception:
        log.exception("a password reset link could not be sent")
    finally:
        connection.close()


def _link(request: HttpRequest, person: User) -> str:
    key = f"{user_pk_to_url_str(person)}-{default_token_generator.make_token(person)}"
    link: str = get_adapter(request).get_reset_password_from_key_url(key)
    return link
