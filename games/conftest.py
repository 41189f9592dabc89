"""Fixtures shared by the tests of rules."""

from tests.kit.rules_of_games import _bots_search_little, pytest_runtest_call

__all__ = ["_bots_search_little", "pytest_runtest_call"]
