"""Manifest, service worker and offline page, which make the site an installable app."""

from __future__ import annotations

import hashlib
from base64 import b64encode

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

COLOUR = "#150d12"
"""Page background of the dark theme (`static/app.css`)."""
SIZES = (192, 512)
OFFLINE_STYLE = (
    ":root{color-scheme:light dark}"
    "body{margin:0;min-height:100dvh;display:grid;place-content:center;padding:1.5rem;"
    "box-sizing:border-box;text-align:center;font:1.1rem/1.5 system-ui,sans-serif;"
    "background:light-dark(#f8efe2,#1a1116);color:light-dark(#2b1a1d,#f8efe2)}"
    "svg{max-width:100%;height:auto}"
    "h1{margin:.6rem 0;font-size:1.7rem;line-height:1.2}p{margin:.5rem 0}"
    "a{display:inline-block;margin-top:.6rem;padding:.7rem 1.6rem;border-radius:.8rem;"
    "font-weight:650;text-decoration:none;background:linear-gradient(#f6cb7c,#e0a94a);color:#2b1a1d}"
    "@media(max-height:32rem){svg{height:5.5rem}}"
)
"""Styles that are inlined, because nothing else can be loaded without a network."""


@login_not_required
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the site's name, icons and colours (W3C Web Application Manifest)."""
    icons = [
        {"src": static(f"icons/{purpose}-{size}.png"), "sizes": f"{size}x{size}", **more}
        for size in SIZES
        for purpose, more in (
            ("icon", {"type": "image/png", "purpose": "any"}),
            ("maskable", {"type": "image/png", "purpose": "maskable"}),
        )
    ]
    said = {
        "id": "/",
        "name": settings.SITE_NAME,
        "short_name": settings.SITE_NAME[:12],
        "description": gettext("Five bluffing games in the browser, with friends and bots."),
        "lang": get_language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": COLOUR,
        "theme_color": COLOUR,
        "categories": ["games", "social"],
        "icons": icons,
        "shortcuts": [{"name": gettext("Your tables"), "url": "/tables/"}],
    }
    answer = JsonResponse(said, content_type="application/manifest+json")
    answer["Cache-Control"] = "public, max-age=3600"
    answer["Vary"] = "Accept-Language, Cookie"
    return answer


@login_not_required
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker.

    It is served from the root because its path limits the pages that it can control.
    """
    path = finders.find("service-worker.js")
    if path is None:
        raise Http404
    with open(path, encoding="utf-8") as file:
        answer = HttpResponse(file.read(), content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    # The worker may only send requests.
    answer["Content-Security-Policy"] = "default-src 'none'; connect-src 'self'"
    return answer


@login_not_required
@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page that the service worker caches and shows without a network."""
    facts = {"style": OFFLINE_STYLE, "site_name": settings.SITE_NAME}
    answer = HttpResponse(render_to_string("offline.html", facts))
    digest = b64encode(hashlib.sha256(OFFLINE_STYLE.encode()).digest()).decode()
    answer["Content-Security-Policy"] = f"default-src 'none'; style-src 'sha256-{digest}'"
    return answer
