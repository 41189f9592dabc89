"""Installed packages, the bill of materials, the lock file and the version agree."""

from __future__ import annotations

import json
import re
from importlib.metadata import packages_distributions
from typing import Any

from django.conf import settings

from config.places import CODE, version
from tests.bill import REGISTRY

Package = tuple[str, str]


def lock(marker: str = "") -> set[Package]:
    """Return the names and versions of packages for every system.

    With `.*`, include the packages for other systems as well.
    """
    text = (CODE / "requirements.lock").read_text()
    found = re.findall(rf"^([-\w.]+)==([^\s;]+){marker} \\$", text, re.M)
    return {(_plain(name), pinned) for name, pinned in found}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def bill() -> Any:
    return json.loads((CODE / "docs" / "sbom.cdx.json").read_text())


def test_bill_of_materials_matches_the_lock_file() -> None:
    """Run `make sbom` to update it."""
    named = {(_plain(c["name"]), c["version"]) for c in bill()["components"]}
    assert len(lock()) > 40
    assert lock() <= named <= lock(".*")


def test_bill_of_materials_lists_licences_and_dependencies() -> None:
    untold = {one["name"] for one in bill()["components"] if not one.get("licenses")}
    assert untold <= {"channels_redis"}  # it says "BSD", which is no licence identifier
    needs = {one["ref"]: one.get("dependsOn", ()) for one in bill()["dependencies"]}
    django = next(ref for ref in needs if ref.startswith("Django=="))
    assert any(ref.startswith("asgiref==") for ref in needs[django])


def test_bill_of_materials_names_no_registry() -> None:
    assert REGISTRY not in (CODE / "docs" / "sbom.cdx.json").read_text()


def test_version_is_the_same_everywhere() -> None:
    assert version() == settings.VERSION == bill()["metadata"]["component"]["version"]
    newest = re.search(r"^## (\d\S*)", (CODE / "CHANGELOG.md").read_text(), re.M)
    assert newest is not None
    assert newest[1] == version()


def test_no_dependency_installs_a_module_named_parlour() -> None:
    """No dependency installs a module with the wheel's name."""
    assert not [name for name in packages_distributions().get("parlour", ()) if name != "parlour"]
