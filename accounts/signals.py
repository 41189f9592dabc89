"""What other rooms of the house do when a guest turns out to be somebody."""

from django.dispatch import Signal

registered = Signal()
"""A guest has become an account, the same row. Sent with `user`."""

returned = Signal()
"""A guest logs in to an account. Sent with `guest` and `user`, before the session changes hands.

A receiver returns how many rows of the guest's are still to be moved. It may raise Refused: then
the session stays the guest's.
"""
