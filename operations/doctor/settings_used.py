"""Checks that the settings are safe for a public server, and that others cannot read them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from difflib import get_close_matches
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import WARNING, run_checks
from django.http.request import validate_host

from operations.deployment import env_text
from operations.deployment.answers import is_private
from operations.doctor.findings import Finding, error, ok, warning

OF_LIBRARIES = ("PG", "PYTHON", "SSL_", "SENTRY_", "LC_", "TZ")
"""Prefixes of variables that libraries read."""


def settings_are_safe() -> Iterator[Finding]:
    """Run Django's deployment checks and Parlour's own."""
    if settings.DEBUG:
        yield error("settings", "DEBUG is on: error pages reveal settings.", "Unset DEBUG.")
    host = urlsplit(settings.PUBLIC_URL).hostname or ""
    if not validate_host(host, settings.ALLOWED_HOSTS):
        do = f"Add {host} to ALLOWED_HOSTS, or leave it unset."
        yield error("settings", f"ALLOWED_HOSTS lacks {host}, the host of PUBLIC_URL.", do)
    if not settings.HTTPS and not is_private(host):
        do = "Get a certificate (docs/operate.md) and write https:// in PUBLIC_URL."
        yield error("settings", "PUBLIC_URL is http: passwords are sent unencrypted.", do)
    found = run_checks(include_deployment_checks=True)
    found = [m for m in found if m.level >= WARNING and not m.is_silenced()]
    known = {"security.W018"} | (set() if settings.HTTPS else {"security.W004", "security.W008"})
    known |= set() if settings.HTTPS else {"security.W012", "security.W016"}
    serious = [message for message in found if message.id not in known]
    for message in serious:
        yield warning("settings", str(message.msg).splitlines()[0], f"See {message.id}.")
    if not serious:
        yield ok("settings", "Django's deployment checks found no problems.")


def removed_settings() -> Iterator[Finding]:
    """Warn about settings of earlier versions, which have no effect."""
    for name in settings.REMOVED:
        if name in os.environ:
            yield warning("settings", f"{name} is no longer a setting and is ignored.", "Unset it.")


ALMOST, SHORT = 0.85, 5
"""Minimum similarity of a misspelt setting, and length of names that are too short to compare."""


def unknown_settings() -> Iterator[Finding]:
    """Warn about unknown names in the settings file, and misspelt settings in the environment."""
    path = settings.ENV_FILE
    written = set(env_text.read(path.read_text(encoding="utf-8"))) if path else set()
    found = {*written, *(name for name in os.environ if len(name) > SHORT)}
    for name in sorted(found - settings.KNOWN):
        meant = get_close_matches(name, settings.KNOWN, 1, ALMOST)
        if meant:
            do = f"Did you mean {meant[0]}?"
            yield warning("settings", f"{name} is not a setting and is ignored.", do)
        elif name in written and not name.startswith(OF_LIBRARIES):
            do = "Remove it, or correct its name (docs/settings.md)."
            yield warning("settings", f"{name} is not a setting and is ignored.", do)


def settings_file() -> Iterator[Finding]:
    """Check that other users of this machine cannot read the secret key."""
    path = settings.ENV_FILE or settings.VAR / "secret_key"
    if not path.exists():
        yield ok("settings", "The settings come from the environment.")
        return
    about = path.stat()
    if about.st_mode & 0o077:
        yield error("settings", f"Other users can read {path}.", f"chmod 600 {path}")
    else:
        yield ok("settings", f"Only its owner can read {path}.")
    if os.geteuid() == 0:
        do = "Use a separate account: sudo -u parlour …"
        yield warning("settings", "This runs as root, and may create files owned by root.", do)
