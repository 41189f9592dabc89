"""Progress of long jobs: deleting an account, and merging a guest into an account."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.people import for_somebody, somebody
from games.engine import long_jobs
from games.history.account_merge import MERGE
from games.models import LongJob

_SALT = "parlour.progress"
_A_DAY = 60 * 60 * 24


@dataclass(frozen=True)
class Progress:
    """Progress of a long job: the number of rows done and the number of rows left."""

    done: int
    left: int

    @property
    def all(self) -> int:
        """Total number of rows."""
        return self.done + self.left


def sign(person_id: int) -> str:
    """Return the signed part of the URL that shows the progress of a deletion."""
    return signing.dumps(person_id, salt=_SALT)


def merging_into(user: Any) -> Progress | None:
    """Return the progress of merging guests into this account, or None if none is being merged."""
    return _progress(LongJob.objects.filter(kind=MERGE, facts__into=user.pk or 0))


@login_not_required
@never_cache
@require_safe
def deleting(request: HttpRequest, signed: str) -> HttpResponse:
    """Show the progress of deleting an account with a long history."""
    try:
        person_id = signing.loads(signed, salt=_SALT, max_age=_A_DAY)
    except signing.BadSignature:
        raise Http404 from None
    found = _progress(LongJob.objects.filter(person=person_id))
    return render(request, "account/deleting.html", {"progress": found, "here": request.path})


@for_somebody
@vary_on_headers("HX-Request")
@require_safe
def merging(request: HttpRequest) -> HttpResponse:
    """Show the progress of merging a guest, as a part of the page `/you/`.

    Redirect browsers that open this address directly to that page.
    """
    if not request.headers.get("HX-Request"):
        return redirect("you")
    return render(request, "account/merging.html", {"merging": merging_into(somebody(request))})


def _progress(jobs: Any) -> Progress | None:
    found = list(jobs)
    if not found:
        return None
    return Progress(sum(job.done for job in found), sum(map(long_jobs.left_of, found)))
