"""Everything installed may be used and redistributed."""

from __future__ import annotations

from tests import licences


def test_nothing_is_installed_under_an_odd_licence() -> None:
    assert len(list(licences.licences())) > 30
    assert not licences.odd()


def test_an_odd_licence_is_noticed() -> None:
    assert not licences.KNOWN.search("GPL-3.0-only")
    assert licences.KNOWN.search("BSD-3-Clause")
