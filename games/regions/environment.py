"""Jinja as regions need it: what a template asks for again and again at every act, in fewer steps.

Templates are compiled for a language: what they say by `_("…")` is text in them, not a call.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

from jinja2 import Environment, Template, Undefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.visitor import NodeTransformer
from markupsafe import escape

METHODS = frozenset(dir(dict))
"""What `.items()` and the like mean of a mapping, also where it has something of that name."""


class Generator(CodeGenerator):
    """Python as it is made of a template."""

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        """Call what stands there. Jinja looks each time whether it wants to be given the context:
        nothing that our templates know does, and macros need not be told that all is escaped."""
        if forward_caller or node.dyn_args is not None or node.dyn_kwargs is not None:
            super().visit_Call(node, frame, forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for arg in (*node.args, *node.kwargs):
            self.visit(arg, frame)
            self.write(", ")
        self.write(")")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.escaped(")


class Sentences(NodeTransformer):
    """Put what is said in a language into a template."""

    def __init__(self, catalogue: Mapping[str, str]) -> None:
        self._catalogue = catalogue

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        """`_("…")` becomes the sentence."""
        match node:
            case nodes.Call(node=nodes.Name(name="_"), args=[nodes.Const(value=str(message))]):
                return nodes.Const(self._catalogue[message], lineno=node.lineno)
        return self.generic_visit(node)


class Regions(Environment):
    """Jinja's environment, with names for all templates that are a plain mapping."""

    code_generator_class = Generator

    def __init__(self, catalogue: Mapping[str, str] | None, **options: Any) -> None:
        """`catalogue`: the sentences of its language; None: whichever is active is asked at each
        drawing."""
        self.catalogue = catalogue
        self.loaded: dict[tuple[type[Undefined], str], Template] = {}
        super().__init__(**options)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """What every template knows. Jinja chains maps, so that they may change, and then compares
        the chains whenever a template imports another: a tenth of what drawing cost."""
        return {**self.globals, **(d or {})}

    def _load_template(self, name: str, globals: MutableMapping[str, Any] | None) -> Template:
        """A template that was loaded once stays as it is, but where it is being worked on."""
        if self.auto_reload or globals:
            return super()._load_template(name, globals)
        found = self.loaded.get((self.undefined, name))
        if found is None:
            found = self.loaded[self.undefined, name] = super()._load_template(name, globals)
        return found

    def getattr(self, obj: Any, attribute: str) -> Any:
        """What stands under this name. Jinja asks for an attribute first, and of most that is drawn
        here, which are mappings, in vain."""
        if type(obj) is dict and attribute in obj and attribute not in METHODS:
            return obj[attribute]
        return super().getattr(obj, attribute)

    @staticmethod
    def escaped(value: Any) -> str:
        """A value as text in HTML. Among letters and digits there is nothing to escape."""
        return value if type(value) is str and value.isalnum() else escape(value)

    def _generate(self, source: nodes.Template, *args: Any, **options: Any) -> str:
        if self.catalogue is not None:
            source = Sentences(self.catalogue).visit(source)
        return super()._generate(source, *args, **options)
