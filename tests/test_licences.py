"""Everything installed may be used and redistributed."""

from __future__ import annotations

from tests import licences


def test_nothing_is_installed_under_an_odd_licence() -> None:
    assert len(list(licences.licences())) > 30
    assert not licences.odd()
