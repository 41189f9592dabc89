"""Look up static files once per worker, not for every browser of every test.

WhiteNoise stats all files when the middleware is created. A server does that once. Each
`django.test.Client` creates the middleware again, which was most of the cost of its first page.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from whitenoise.middleware import WhiteNoiseMiddleware

WHERE = ("STATIC_ROOT", "STATIC_URL", "STATICFILES_DIRS", "STORAGES")
"""Settings that locate the files. If they change, the files are looked up again."""


def look_once() -> None:
    """From now on, let every new middleware share the files found by the first."""
    found: dict[str, dict[str, Any]] = {}
    look = WhiteNoiseMiddleware.add_files_from_finders

    def add_files_from_finders(middleware: Any) -> None:
        where = repr([getattr(settings, name) for name in WHERE])
        if where not in found:
            look(middleware)
            found[where] = dict(middleware.files)
        middleware.files = found[where]

    WhiteNoiseMiddleware.add_files_from_finders = add_files_from_finders
