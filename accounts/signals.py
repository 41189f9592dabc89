"""What other rooms of the house do when a guest turns out to be somebody."""

from django.dispatch import Signal

registered = Signal()
"""A guest has become an account, the same row. Sent with `user`."""

returned = Signal()
"""A guest logs in to an account. Sent with `guest` and `user`, before the session changes hands.

A receiver may raise Refused: then the guest stays a guest, and nothing is lost.
"""

erased = Signal()
"""Somebody is about to be removed. Sent with `user`, in the writer's thread, before the row goes.

For what other rooms of the house keep about people; all of it is committed together.
"""
