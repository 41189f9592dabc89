"""Helpers shared by tests: people, tables, servers, programs, laws. Contains no tests."""
