"""The page *Operations* of the back office: the doctor's quick checks, and metrics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib.admin import site
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from operations.doctor.examination import quick_findings
from operations.metrics import database_registry, process_registry

KINDS = ("gauge", "counter")
"""Metric types shown as plain numbers. Histograms are left to dashboards."""


@never_cache
@require_safe
def operations_page(request: HttpRequest) -> HttpResponse:
    """Show the page to superusers only, because it contains details of the machine."""
    if not getattr(request.user, "is_superuser", False):
        raise PermissionDenied
    context = {
        **site.each_context(request),
        "title": gettext("Operations"),
        "findings": list(quick_findings()),
        "figures": list(_figures()),
    }
    return render(request, "admin/operations.html", context)


def _figures() -> Iterator[dict[str, Any]]:
    """Yield a row for each metric: description, labels and value."""
    for registry in (database_registry(), process_registry()):
        for family in registry.collect():
            if family.type not in KINDS:
                continue
            for sample in family.samples:
                if not sample.name.endswith("_created"):
                    labels = " ".join(value for key, value in sample.labels.items() if key != "pid")
                    yield {"said": family.documentation, "of": labels, "value": f"{sample.value:g}"}
