"""The environment that draws regions says and escapes what Jinja's own would."""

from __future__ import annotations

import pytest
from jinja2 import Environment, StrictUndefined, UndefinedError
from jinja2.loaders import DictLoader
from markupsafe import Markup

from games.language.sentences import catalogue
from games.regions.environment import Regions

TEMPLATES = {
    "page": """{% from "macros" import twice %}
{{ plain }} {{ hard }} {{ safe }} {{ number }} {{ none }} {{ twice(hard) }}
{{ thing.name }} {{ thing.deep.er }} {% for key, value in thing.items() %}{{ key }},{% endfor %}
{{ hard | replace("<", "(") }} {% set kept %}<i>{{ hard }}</i>{% endset %}{{ kept }}
{% for one in many if one != "b" %}{{ loop.index }}{{ one }}{% endfor %}{{ said("x") }}""",
    "macros": "{% macro twice(text) %}<b>{{ text }}{{ text }}</b>{% endmacro %}",
}
GIVEN = {
    "plain": "plain1",
    "hard": "<b>&'\"",
    "safe": Markup("<hr>"),
    "number": 7,
    "none": None,
    "thing": {"name": "<", "items": ["hound"], "deep": {"er": "&"}},
    "many": ["a", "b", "c"],
    "said": lambda text: f"<{text}>",
}
OPTIONS = {"autoescape": True, "undefined": StrictUndefined}


def _drawn(environment: Environment, source: str = TEMPLATES["page"]) -> str:
    environment.loader = DictLoader(TEMPLATES)
    return environment.from_string(source).render(GIVEN)


def test_it_draws_and_escapes_as_any_environment_does() -> None:
    assert _drawn(Regions(None, **OPTIONS)) == _drawn(Environment(**OPTIONS))


def test_what_is_not_there_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        _drawn(Regions(None, **OPTIONS), "{{ thing.missing }}")


def test_sentences_are_in_the_language_of_the_environment_and_escaped() -> None:
    german = Regions({"Your <turn>": "Du bist <dran>"}, **OPTIONS)
    assert _drawn(german, '{{ _("Your <turn>") }}') == "Du bist &lt;dran&gt;"
    source = "{{ _('Invite') }}"
    assert _drawn(Regions(catalogue("de"), **OPTIONS), source) == "Einladen"


def test_a_laxer_copy_has_its_own_templates() -> None:
    strict = Regions(None, loader=DictLoader({"one": "{{ missing }}!"}), **OPTIONS)
    strict.auto_reload = False
    with pytest.raises(UndefinedError):
        strict.get_template("one").render()
    lax = strict.overlay(undefined=type("Lax", (StrictUndefined,), {"__str__": lambda self: ""}))
    assert lax.get_template("one").environment is not strict
