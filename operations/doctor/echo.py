"""/doctor/: tells `manage.py doctor` how the server sees a request.

The command signs its request with the secret key. Everybody else gets a 404.
"""

from __future__ import annotations

import os
import resource
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.signing import BadSignature, TimestampSigner
from django.http import Http404, HttpRequest, JsonResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.views.decorators.http import require_safe

from accounts import addresses

HEADER = "X-Parlour-Doctor"
MAX_AGE = 60
_signer = TimestampSigner(salt="operations.doctor")


def sign() -> str:
    """Return the signature of a request, valid for a minute."""
    return _signer.sign("doctor")


def of_database() -> str:
    """Return a hash that identifies the database in use, to compare it between processes."""
    used = settings.DATABASES["default"]
    where = "|".join(str(used.get(part, "")) for part in ("ENGINE", "HOST", "PORT", "NAME"))
    return salted_hmac("operations.doctor", where, algorithm=sha256().name).hexdigest()


@login_not_required
@require_safe
def echo(request: HttpRequest) -> JsonResponse:
    """Return how this request looks to the server."""
    try:
        _signer.unsign(request.headers.get(HEADER, ""), max_age=MAX_AGE)
    except BadSignature:
        raise Http404 from None
    return JsonResponse(_seen(request))


def _seen(request: HttpRequest) -> dict[str, Any]:
    return {
        "https": request.is_secure(),
        "host": request.get_host(),
        "forwarded": request.headers.get("X-Forwarded-For", ""),
        "counted": addresses.of_request(request),
        "database": of_database(),
        "files": resource.getrlimit(resource.RLIMIT_NOFILE)[0],
        "open": _open_files(),
        "pid": os.getpid(),
        "now": timezone.now().timestamp(),
    }


def _open_files() -> int:
    try:
        return len(list(Path("/proc/self/fd").iterdir()))
    except OSError:
        return 0
