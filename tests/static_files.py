"""Static files are looked for once in a worker, not by every browser of every test.

WhiteNoise reads the heads of all files when the middleware is made. A server does that once; each
`django.test.Client` makes the middleware anew, and that was most of what its first page cost.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from whitenoise.middleware import WhiteNoiseMiddleware

WHERE = ("STATIC_ROOT", "STATIC_URL", "STATICFILES_DIRS", "STORAGES")
"""The settings by which files are found: with others, they are looked for again."""


def look_once() -> None:
    """Let all middleware that is made from here on share what the first has found."""
    found: dict[str, dict[str, Any]] = {}
    look = WhiteNoiseMiddleware.add_files_from_finders

    def add_files_from_finders(middleware: Any) -> None:
        where = repr([getattr(settings, name) for name in WHERE])
        if where not in found:
            look(middleware)
            found[where] = dict(middleware.files)
        middleware.files = found[where]

    WhiteNoiseMiddleware.add_files_from_finders = add_files_from_finders
