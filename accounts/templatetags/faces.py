"""Faces in templates: `{% face name %}`, with an optional size in pixels (default 24).

`{{ username|page_of }}` is the path of a user's public page.
"""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.faces import CHOICES, address, address_of, picture_of
from accounts.names import page_of

register = template.Library()


@register.simple_tag
def face(name: object, size: int = 24, bot: bool = False) -> SafeString:
    """Return the image of a face. `alt` is empty because the name is next to it."""
    src = address_of(str(name), bot) if bot else picture_of(name)
    return format_html('<img class="face" src="{}" alt="" width="{}" height="{}">', src, size, size)


@register.simple_tag
def face_address(name: str) -> str:
    """Return the path of the default face for a name, for an image inside an SVG."""
    return address_of(name)


register.filter("page_of", page_of)


@register.inclusion_tag("lobby/choose_face.html")
def choose_face(now: str = "", name: str | None = "") -> dict[str, object]:
    """Render radio buttons for all faces that users can choose. The first is the default face for
    the name, which is None if a form was sent without one.
    """
    faces = [(face, address(face)) for face in CHOICES]
    return {"faces": faces, "now": now, "by_name": address_of(name or "")}
