"""Access to pages for guests and registered users."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache

from accounts.models import User

View = Callable[..., HttpResponseBase]


def for_somebody(view: View) -> View:
    """Decorator that asks anonymous visitors to log in first, then returns to the page."""

    @wraps(view)
    def enter(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not isinstance(request.user, User):
            return redirect_to_login(
                request.get_full_path() if request.method != "POST" else "/you/"
            )
        return view(request, *args, **kwargs)

    return never_cache(enter)


def user_of(request: HttpRequest) -> User | None:
    """Return the guest or account of a request, or None for anonymous visitors."""
    return request.user if isinstance(request.user, User) else None


def somebody(request: HttpRequest) -> User:
    """Return the request's user. Only for views decorated with `for_somebody`."""
    assert isinstance(request.user, User)
    return request.user
