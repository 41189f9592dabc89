"""Everything installed may be used and redistributed."""

from __future__ import annotations

from tests import licences


def test_installed_packages_have_approved_licences() -> None:
    assert len(list(licences.licences())) > 30
    assert not licences.odd()
