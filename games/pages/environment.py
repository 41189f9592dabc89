"""A faster Jinja environment for regions, which are rendered at every act.

Templates are compiled for each language: `_("…")` becomes constant text in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, MutableMapping
from functools import wraps
from typing import Any

from jinja2 import Environment, Template, Undefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, Macro
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

from games.engine.bounded_cache import BoundedCache

METHODS = frozenset(dir(dict))
"""Names that always mean the method of a mapping, even if it has such a key."""
SPECIAL = re.compile("[&<>'\"]")
MOST_BYTES = 8 << 20
"""Maximum bytes of cached macro renderings."""
_ARGUMENTS = 1_000
"""Estimated bytes of a rendering's arguments."""
_drawn: BoundedCache[tuple[Any, ...], str] = BoundedCache(
    MOST_BYTES, lambda html: len(html) + _ARGUMENTS
)


class Generator(CodeGenerator):
    """Generates the Python code of a template."""

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        """Generate a plain call.

        Jinja checks at each call whether the function wants the context. None of ours does, and our
        macros need no autoescape flag.
        """
        if forward_caller or node.dyn_args is not None or node.dyn_kwargs is not None:
            super().visit_Call(node, frame, forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for arg in (*node.args, *node.kwargs):
            self.visit(arg, frame)
            self.write(", ")
        self.write(")")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        """Generate a direct lookup for mappings, which are most of what is rendered."""
        if node.attr in METHODS:
            super().visit_Getattr(node, frame)
            return
        one = self.temporary_identifier()
        self.write(f"({one}[{node.attr!r}] if type({one} := ")
        self.visit(node.node, frame)
        self.write(f") is dict and {node.attr!r} in {one} else ")
        self.write(f"environment.getattr({one}, {node.attr!r}))")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.escaped(")


class Sentences(NodeTransformer):
    """Replaces messages in a template by their translations."""

    def __init__(self, catalogue: Mapping[str, str]) -> None:
        self._catalogue = catalogue

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        """Replace `_("…")` by its translation."""
        match node:
            case nodes.Call(node=nodes.Name(name="_"), args=[nodes.Const(value=str(message))]):
                return nodes.Const(self._catalogue[message], lineno=node.lineno)
        return self.generic_visit(node)


def kept(macro: Macro) -> Callable[..., str]:
    """Return a macro that caches its renderings by hashable arguments.

    Imported macros depend only on their arguments and on constants.
    """

    @wraps(macro.__call__)
    def call(*args: Any, **kwargs: Any) -> str:
        given = (*args, *kwargs.values())
        key = (macro, *given, *map(type, given), *kwargs)
        try:
            drawn = _drawn.get(key)
        except TypeError:  # an argument is not hashable
            return macro(*args, **kwargs)
        if drawn is None:
            made: str = macro(*args, **kwargs)  # plain str or Markup
            _drawn.put(key, made)
            return made
        return drawn

    return call


class Given(Context):
    """Context of a rendering, without Jinja's copy of all globals for each one."""

    def __init__(
        self,
        environment: Environment,
        parent: dict[str, Any],
        name: str | None,
        blocks: dict[str, Any],
        globals: MutableMapping[str, Any] | None = None,
    ) -> None:
        self.parent, self.environment, self.name = parent, environment, name
        self.vars, self.exported_vars, self.globals_keys = {}, set(), set()
        self.eval_ctx, self.blocks = EvalContext(environment, name), {}


class Piece(Template):
    """A template that shares its globals with all others. It has no blocks."""

    def _get_default_module(self, context: Context | None = None) -> TemplateModule:
        return super()._get_default_module()

    def make_module(self, *args: Any, **options: Any) -> TemplateModule:
        """Return the module for imports, with cached macros."""
        module = super().make_module(*args, **options)
        for name, macro in vars(module).items():
            if isinstance(macro, Macro):
                setattr(module, name, kept(macro))
        return module


class Regions(Environment):
    """Jinja environment whose globals are a plain dict."""

    code_generator_class = Generator
    template_class = Piece
    context_class = Given

    def __init__(self, catalogue: Mapping[str, str] | None, **options: Any) -> None:
        """`catalogue` has the messages of a language. None: use the active one when rendering."""
        self.catalogue = catalogue
        self.loaded: dict[tuple[type[Undefined], str], Template] = {}
        super().__init__(**options)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template.

        Jinja uses chained maps and compares them at each import of a template, which took a tenth
        of the rendering time.
        """
        return {**self.globals, **(d or {})}

    def _load_template(self, name: str, globals: MutableMapping[str, Any] | None) -> Template:
        """Return a template from the cache, except during development."""
        if self.auto_reload or globals:
            return super()._load_template(name, globals)
        found = self.loaded.get((self.undefined, name))
        if found is None:
            found = self.loaded[self.undefined, name] = super()._load_template(name, globals)
        return found

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Look up a name in a mapping first. Jinja would try an attribute first, mostly in vain."""
        if type(obj) is dict and attribute in obj and attribute not in METHODS:
            return obj[attribute]
        return super().getattr(obj, attribute)

    @staticmethod
    def escaped(value: Any) -> str:
        """Return a value as HTML. Most need no escaping."""
        kind = type(value)
        if kind is Markup or (kind is str and not SPECIAL.search(value)):
            text: str = value
            return text
        return escape(value)

    def _generate(self, source: nodes.Template, *args: Any, **options: Any) -> str:
        if self.catalogue is not None:
            source = Sentences(self.catalogue).visit(source)
        return super()._generate(source, *args, **options)
