"""Libraries are used as documented: no private parts are imported, read or overridden.

Only names that begin with an underscore and the modules in INTERNAL are found. The decision 152
lists the uses of undocumented names that these tests cannot see.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from string import Formatter
from types import SimpleNamespace

from tests.kit.repository import ROOT, files

OURS = ("accounts", "chat", "conformance", "config", "examples", "games", "lobby", "moderation")
OURS += ("operations", "parlour", "parlour_client", "tests", "tools")

DOCUMENTED = {"_meta", "_default_manager", "_base_manager"}  # docs.djangoproject.com: models
DOCUMENTED |= {"_save"}  # docs.djangoproject.com: writing a custom storage class
DOCUMENTED |= {"_accumulate_rewards", "_was_dead_step"}  # pettingzoo.farama.org: AEC
DOCUMENTED |= {"_exit"}  # docs.python.org: os
DOCUMENTED |= {"_replace", "_asdict", "_fields", "_make"}  # docs.python.org: named tuples
"""Names that are public although they begin with an underscore."""
INTERNAL = {"internal", "_internal"}
INTERNAL |= {"trans_real"}  # docs.djangoproject.com documents only django.utils.translation
INTERNAL |= {"get_handler_name"}  # the docs of Channels describe only its result
"""Parts of module paths that are internal although they do not begin with an underscore."""
BY_NAME = {"getattr", "setattr", "hasattr", "delattr"}

PRODUCT = [name for name in files(".py") if "tests/" not in name and name != "conftest.py"]
IMPORTED = [name for name in PRODUCT if not name.startswith(("examples/", "manage.py", "tools/"))]


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in DOCUMENTED


def imports(name: str, tree: ast.AST) -> Iterator[str]:
    """Find imports from a private or internal part of a third-party package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            continue
        for module in modules:
            first, *rest = module.split(".")
            if first not in OURS and any(part in INTERNAL or is_private(part) for part in rest):
                yield f"{name}: {module}"


def own_names(tree: ast.AST) -> Iterator[str]:
    """List the private names that Parlour defines: functions, classes, variables, attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def reads(name: str, tree: ast.AST, own: set[str]) -> Iterator[str]:
    """Find private attributes that Parlour does not define, and private calls on `super()`.

    Attributes named by a string (`getattr` and the like) count, too.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in BY_NAME:
            match node.args:
                case [_, ast.Constant(value=str(attr)), *_] if is_private(attr) and attr not in own:
                    yield f"{name}: {attr}"
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            to_super = ast.unparse(node.value).startswith("super(")
            if to_super or node.attr not in own:
                yield f"{name}: {node.attr}"


def overrides(name: str, module: object, own: set[str]) -> Iterator[str]:
    """Find methods and attributes of Parlour's classes that override a library's private ones."""
    for cls in vars(module).values():
        if not inspect.isclass(cls) or cls.__module__ != getattr(module, "__name__", None):
            continue
        foreign = [base for base in cls.__mro__ if base.__module__.split(".")[0] not in OURS]
        theirs = {each for base in foreign for each in vars(base)}
        ours = {each for each in vars(cls) if is_private(each) and each in own}
        yield from (f"{name}: {cls.__name__}.{each}" for each in sorted(ours & theirs))


def module_of(name: str) -> object:
    return importlib.import_module(
        name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    )


def test_no_private_library_apis_are_used() -> None:
    trees = {name: ast.parse((ROOT / name).read_text("utf-8")) for name in PRODUCT}
    own = {each for tree in trees.values() for each in own_names(tree)}
    found = {each for name, tree in trees.items() for each in imports(name, tree)}
    found |= {each for name, tree in trees.items() for each in reads(name, tree, own)}
    for name in IMPORTED:
        if not name.endswith("__main__.py"):
            found |= {*overrides(name, module_of(name), own)}
    assert not found


def test_an_internal_import_is_found() -> None:
    source = "from allauth.core.internal import ratelimit\nfrom json._x import y\nimport os.path\n"
    assert list(imports("x.py", ast.parse(source))) == [
        "x.py: allauth.core.internal.ratelimit",
        "x.py: json._x.y",
    ]


def test_an_import_of_an_undocumented_module_is_found() -> None:
    source = "from django.utils.translation.trans_real import catalog\n"
    found = ["x.py: django.utils.translation.trans_real.catalog"]
    assert list(imports("x.py", ast.parse(source))) == found


def test_a_private_attribute_is_found() -> None:
    source = "user._wrapped\nself._ours\nos._exit(1)\nsuper()._ours()\nUser._meta\n"
    assert list(reads("x.py", ast.parse(source), {"_ours"})) == [
        "x.py: _wrapped",
        "x.py: _ours",
    ]


def test_a_private_attribute_named_by_a_string_is_found() -> None:
    source = "setattr(response, '_csp_update', {})\ngetattr(request, '_ours', None)\n"
    source += "getattr(request, 'user', None)\nhasattr(response, name)\n"
    assert list(reads("x.py", ast.parse(source), {"_ours"})) == ["x.py: _csp_update"]


class _Ours(Formatter):
    def _vformat(self) -> None: ...  # type: ignore[override]
    def _mine(self) -> None: ...


class _Heir(_Ours):
    def _mine(self) -> None: ...


def test_an_override_of_a_private_method_is_found() -> None:
    module = SimpleNamespace(__name__=__name__, _Ours=_Ours, _Heir=_Heir)
    assert list(overrides("x.py", module, {"_vformat", "_mine"})) == ["x.py: _Ours._vformat"]
