"""Jinja as regions need it: what a template asks for again and again at every act, in fewer steps.

Templates are compiled for a language: what they say by `_("…")` is text in them, not a call.
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
"""What `.items()` and the like mean of a mapping, also where it has something of that name."""
SPECIAL = re.compile("[&<>'\"]")
MOST_BYTES = 8 << 20
"""Maximum memory for cached drawings of macros."""
_ARGUMENTS = 1_000
"""Bytes that the arguments of a drawing take, about."""
_drawn: BoundedCache[tuple[Any, ...], str] = BoundedCache(
    MOST_BYTES, lambda html: len(html) + _ARGUMENTS
)


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

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        """What stands under a name in a mapping, which is most of what is drawn, without a call."""
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
    """Put what is said in a language into a template."""

    def __init__(self, catalogue: Mapping[str, str]) -> None:
        self._catalogue = catalogue

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        """`_("…")` becomes the sentence."""
        match node:
            case nodes.Call(node=nodes.Name(name="_"), args=[nodes.Const(value=str(message))]):
                return nodes.Const(self._catalogue[message], lineno=node.lineno)
        return self.generic_visit(node)


def kept(macro: Macro) -> Callable[..., str]:
    """A macro that is drawn once for the same arguments, as far as they can be looked up.

    Imported macros know nothing but their arguments, and what no drawing changes.
    """

    @wraps(macro.__call__)
    def call(*args: Any, **kwargs: Any) -> str:
        given = (*args, *kwargs.values())
        key = (macro, *given, *map(type, given), *kwargs)
        try:
            drawn = _drawn.get(key)
        except TypeError:  # something in it has no hash
            return macro(*args, **kwargs)
        if drawn is None:
            made: str = macro(*args, **kwargs)  # (marked as HTML, or not)
            _drawn.put(key, made)
            return made
        return drawn

    return call


class Given(Context):
    """What a drawing is given. Jinja looks at everything that all templates know, for each anew."""

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
    """A template among others that all know the same. It has no blocks."""

    def _get_default_module(self, context: Context | None = None) -> TemplateModule:
        return super()._get_default_module()

    def make_module(self, *args: Any, **options: Any) -> TemplateModule:
        """What others import from it."""
        module = super().make_module(*args, **options)
        for name, macro in vars(module).items():
            if isinstance(macro, Macro):
                setattr(module, name, kept(macro))
        return module


class Regions(Environment):
    """Jinja's environment, with names for all templates that are a plain mapping."""

    code_generator_class = Generator
    template_class = Piece
    context_class = Given

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
        """A value as text in HTML. In most there is nothing to escape."""
        kind = type(value)
        if kind is Markup or (kind is str and not SPECIAL.search(value)):
            text: str = value
            return text
        return escape(value)

    def _generate(self, source: nodes.Template, *args: Any, **options: Any) -> str:
        if self.catalogue is not None:
            source = Sentences(self.catalogue).visit(source)
        return super()._generate(source, *args, **options)
