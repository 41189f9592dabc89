"""How far long jobs are: the deletion of an account, and the move of a guest into an account."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.people import for_somebody, somebody
from games.engine import long_jobs
from games.models import LongJob
from games.people.account_merge import MERGE

_SALT = "parlour.progress"
_A_DAY = 60 * 60 * 24


@dataclass(frozen=True)
class Progress:
    """Rows that are done, and rows that are left."""

    done: int
    left: int

    @property
    def all(self) -> int:
        """All rows there are to do."""
        return self.done + self.left


def sign(person_id: int) -> str:
    """The part of an address by which a person who is deleted sees how far it is."""
    return signing.dumps(person_id, salt=_SALT)


def merging_into(user: Any) -> Progress | None:
    """How far the move of guests into this account is; None if nothing is moved."""
    return _progress(LongJob.objects.filter(kind=MERGE, facts__into=user.pk or 0))


@login_not_required
@never_cache
@require_safe
def deleting(request: HttpRequest, signed: str) -> HttpResponse:
    """The page after somebody has deleted an account with a long history."""
    try:
        person_id = signing.loads(signed, salt=_SALT, max_age=_A_DAY)
    except signing.BadSignature:
        raise Http404 from None
    found = _progress(LongJob.objects.filter(person=person_id))
    return render(request, "account/deleting.html", {"progress": found, "here": request.path})


@for_somebody
@require_safe
def merging(request: HttpRequest) -> HttpResponse:
    """The part of one's own page that says how far the move of a guest is."""
    return render(request, "account/merging.html", {"merging": merging_into(somebody(request))})


def _progress(jobs: Any) -> Progress | None:
    found = list(jobs)
    if not found:
        return None
    return Progress(sum(job.done for job in found), sum(map(long_jobs.left_of, found)))
