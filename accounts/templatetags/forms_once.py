"""`{% form_token %}`: a form that is processed once (`accounts.sent_forms`)."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.sent_forms import FIELD, new_token

register = template.Library()


@register.simple_tag
def form_token() -> SafeString:
    """Return the hidden field with the form's token.

    Without `autocomplete=off`, Firefox would keep its old value on reload.
    """
    field = '<input type="hidden" name="{}" value="{}" autocomplete="off">'
    return format_html(field, FIELD, new_token())
