"""Signals for other packages: a guest has registered or logs in."""

from django.dispatch import Signal

registered = Signal()
"""A guest has become an account (same row). Sent with the argument `user`."""

returned = Signal()
"""A guest logs in to an account.

Sent with the arguments `guest` and `user`, before the session changes. A receiver returns the
number of the guest's rows that have not been moved yet. If it raises Refused, the guest stays
logged in.
"""
