"""`{{ name|isolated }}` and `{{ names|listed }}`: user text inside sentences.

Both filters are built in (`TEMPLATES`), so templates need not load them.
"""

from collections.abc import Iterable

from django import template

from accounts.isolation import isolated as isolate

register = template.Library()


@register.filter
def isolated(text: object) -> str:
    """Return a name, reason or message made safe for use inside a sentence."""
    return isolate(str(text))


@register.filter
def listed(names: Iterable[object]) -> str:
    """Return names as a comma-separated list, each isolated."""
    return ", ".join(isolate(str(name)) for name in names)
