"""`{{ name|isolated }}` and `{{ names|listed }}`: text of people inside our sentences.

Both are built in (`TEMPLATES`): no template has to load them.
"""

from collections.abc import Iterable

from django import template

from accounts.isolation import isolated as isolate

register = template.Library()


@register.filter
def isolated(text: object) -> str:
    """Return a name, a reason or a message as it can stand inside a sentence."""
    return isolate(str(text))


@register.filter
def listed(names: Iterable[object]) -> str:
    """Return names as a list inside a sentence, each isolated by itself."""
    return ", ".join(isolate(str(name)) for name in names)
