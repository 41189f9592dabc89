"""The environment of regions renders and escapes exactly as Jinja's own."""

from __future__ import annotations

import pytest
from jinja2 import Environment, StrictUndefined, UndefinedError
from jinja2.loaders import DictLoader
from markupsafe import Markup

from games.pages.environment import Regions
from games.tables.sentences import catalogue

TEMPLATES = {
    "page": """{% from "macros" import twice %}
{{ plain }} {{ hard }} {{ safe }} {{ number }} {{ none }} {{ twice(hard) }}
{{ thing.name }} {{ thing.deep.er }} {% for key, value in thing.items() %}{{ key }},{% endfor %}
{{ hard | replace("<", "(") }} {% set kept %}<i>{{ hard }}</i>{% endset %}{{ kept }}
{% for one in many if one != "b" %}{{ loop.index }}{{ one }}{% endfor %}{{ said("x") }}
{% for one in many if thing.deep.er %}{{ thing.deep.er }}{{ pair.imag }}{% endfor %}
{% from "macros" import first %}{{ first(many) }}{{ first(many, last=True) }}{{ twice(1) }}
{{ twice(True) }}
{{ twice("<hr>") }}{{ twice(safe) }}{{ twice("<hr>") }}{{ "it's" }}{{ none }}{{ 1.5 }}""",
    "macros": """{% macro twice(text) %}<b>{{ text }}{{ text }}</b>{% endmacro %}
{% macro first(many, last=False) %}{{ many[-1] if last else many[0] }}{% endmacro %}""",
}
GIVEN = {
    "plain": "plain1",
    "hard": "<b>&'\"",
    "safe": Markup("<hr>"),
    "number": 7,
    "none": None,
    "thing": {"name": "<", "items": ["hound"], "deep": {"er": "&"}},
    "pair": 2 + 3j,
    "many": ["a", "b", "c"],
    "said": lambda text: f"<{text}>",
}
OPTIONS = {"autoescape": True, "undefined": StrictUndefined}


def _drawn(environment: Environment, source: str = TEMPLATES["page"]) -> str:
    environment.loader = DictLoader(TEMPLATES)
    return environment.from_string(source).render(GIVEN)


def test_it_draws_and_escapes_as_any_environment_does() -> None:
    assert _drawn(Regions(None, **OPTIONS)) == _drawn(Environment(**OPTIONS))


def test_an_imported_macro_is_drawn_once_for_the_same_arguments() -> None:
    drawn: list[str] = []
    environment = Regions(None, **OPTIONS)
    environment.globals["count"] = lambda text: drawn.append(text) or text
    environment.loader = DictLoader(
        {"macros": "{% macro told(text) %}{{ count(text) }}{% endmacro %}"}
    )
    source = '{% from "macros" import told %}{{ told("a") }}{{ told("b") }}{{ told("a") }}'
    assert environment.from_string(source).render() == "aba"
    assert drawn == ["a", "b"]


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
