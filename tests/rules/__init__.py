"""Tests of the rules. A law that is broken says what differs, as tests do."""

import pytest

pytest.register_assert_rewrite("tests.rules.laws", "tests.rules.conventions", "tests.rules.play")
