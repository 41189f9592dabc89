"""The environments of regions escape, are strict, and translate templates once."""

from __future__ import annotations

import pytest
from jinja2 import UndefinedError
from jinja2.environment import Template
from markupsafe import Markup

from games.pages.templating import environment
from games.pages.translating import Translating


@pytest.mark.parametrize("language", [None, "en", "de"])
def test_user_text_is_escaped(language: str | None) -> None:
    template = environment(language).from_string("{{ text }}{{ safe }}")
    assert template.render(text="<b>&'\"", safe=Markup("<hr>")) == "&lt;b&gt;&amp;&#39;&#34;<hr>"


def test_undefined_variable_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        environment("en").from_string("{{ thing.missing }}").render(thing={})


def test_text_is_in_the_language_of_the_environment() -> None:
    assert environment("de").from_string("{{ _('Invite') }}").render() == "Einladen"


def test_translation_is_escaped_and_compiled_in() -> None:
    words = {"Your <turn>": "Du bist <dran>", "%(who)s rolls": "%(who)s würfelt"}
    german = environment("de").overlay()
    german.catalogue = words  # type: ignore[attr-defined]
    assert any(isinstance(one, Translating) for one in german.extensions.values())
    template: Template = german.from_string(
        '{{ _("Your <turn>") }} {{ _("%(who)s rolls") | format(who=name) }}{{ _(other) }}'
    )
    words.clear()
    drawn = template.render(name="Ann", other="Invite")
    assert drawn == "Du bist &lt;dran&gt; Ann würfeltEinladen"
