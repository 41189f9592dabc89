"""Error reports to Sentry if SENTRY_DSN is set. The `sentry-sdk` package is optional."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config.once_an_hour import OnceAnHour

_told = OnceAnHour()


def start_sentry(dsn: str) -> None:
    """Start reporting errors. Reports contain no names, addresses, forms or values of variables."""
    try:
        import sentry_sdk
    except ImportError:
        raise ImproperlyConfigured("SENTRY_DSN needs a package: pip install sentry-sdk") from None
    sentry_sdk.init(
        dsn=dsn,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        before_send=once_an_hour,
    )


def once_an_hour(event: dict[str, Any], _about: Any) -> dict[str, Any] | None:
    """Drop events already reported within the hour. Remove personal data from all others."""
    failed = [value.get("type") for value in event.get("exception", {}).get("values", ())]
    kind = f"{event.get('logger')} {failed or event.get('message')}"
    if not _told.is_due(kind):
        return None
    for value in event.get("exception", {}).get("values", ()):
        value["value"] = ""
    for part in ("request", "user", "extra", "breadcrumbs"):
        event.pop(part, None)
    return event
