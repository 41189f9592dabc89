"""`{% drawn "tables" tables=tables %}`: long lists, whose templates are Jinja (decision 135)."""

from typing import Any

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.pages.templating import environment

register = template.Library()


@register.simple_tag
def drawn(name: str, **given: Any) -> SafeString:
    """Render a template of `templates/regions/lists/`. It escapes user text."""
    found = environment(get_language() or "en").get_template(f"lists/{name}.html.jinja")
    return SafeString(found.render(given))
