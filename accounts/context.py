"""What every page knows."""

import time
from typing import Any

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, Any]:
    """The name of this site, and when this page was served (milliseconds since the epoch)."""
    return {"site_name": settings.SITE_NAME, "served_at": int(time.time() * 1000)}
