"""Address locks: temporary blocks on guests from an address.

No address is stored or shown. The cache keeps a hash of each guest's address for a day, keyed with
the secret key. A lock keeps that hash until it ends. Accounts are not affected.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts import sanctions
from accounts.models import AddressLock, Sanction, User

KNOWN_FOR = 24 * 60 * 60
MOST_GUESTS = 100
"""Maximum number of guests remembered per address."""


class AddressLocked(Exception):
    """The address of the request is locked."""

    def __init__(self, lock: AddressLock) -> None:
        super().__init__(lock.pk)
        self.lock = lock


def check(address: str | None) -> None:
    """Raise AddressLocked if this address is locked for guests."""
    lock = lock_on(address)
    if lock is not None:
        raise AddressLocked(lock)


def lock_on(address: str | None) -> AddressLock | None:
    """Return this address's current lock with the latest end, or None."""
    if address is None:
        return None
    return in_force().filter(digest=_digest(address)).order_by("-until").first()


def in_force() -> QuerySet[AddressLock]:
    """Return all locks that have neither expired nor been lifted."""
    return AddressLock.objects.filter(lifted_at=None, until__gt=timezone.now())


def lasting(digest: str, until: datetime) -> AddressLock | None:
    """Return this address's latest lock if it lasts at least until `until`, else None.

    An existing lock that ends up to a minute earlier is reused, because staff may lock several
    guests of one address in turn.
    """
    long_enough = in_force().filter(digest=digest, until__gte=until - timedelta(minutes=1))
    return long_enough.order_by("-until").first()


def note(guest_id: int, address: str | None) -> bool:
    """Remember a guest's address for a day. Return whether it is new for this guest."""
    if address is None:
        return False
    digest = _digest(address)
    if cache.get(_of_guest(guest_id)) == digest:
        return False
    others = [pk for pk in cache.get(_of_address(digest), []) if pk != guest_id]
    cache.set(_of_address(digest), [guest_id, *others][:MOST_GUESTS], KNOWN_FOR)
    cache.set(_of_guest(guest_id), digest, KNOWN_FOR)
    return True


def hold(guest: User, address: str | None) -> Sanction | None:
    """Record a guest's address. If it is new for the guest and locked, ban the guest."""
    if not note(guest.pk, address) or (lock := lock_on(address)) is None:
        return None
    if sanctions.in_force(guest.pk, Sanction.Kind.LOCK).filter(address_lock=lock).exists():
        return None
    return _hold(guest.pk, lock)


def guests_beside(guest_id: int) -> list[int]:
    """Return this guest and other recent guests from the same address.

    If the address is unknown, return an empty list.
    """
    digest = cache.get(_of_guest(guest_id))
    if digest is None:
        return []
    known = {guest_id, *cache.get(_of_address(digest), [])}
    guests = User.objects.filter(pk__in=known, is_guest=True, is_staff=False)
    return list(guests.order_by("pk").values_list("pk", flat=True))


def digest_of_guest(guest_id: int) -> str | None:
    """Return the hash of a guest's address, or None if it is not known."""
    found: str | None = cache.get(_of_guest(guest_id))
    return found


def lift(numbers: Iterable[int]) -> int:
    """End these locks, and lift the bans of the guests they locked out.

    Return the number of locks.
    """
    now = timezone.now()
    locks = in_force().filter(pk__in=list(numbers))
    held = list(locks.values_list("pk", flat=True))
    Sanction.objects.filter(address_lock__in=held, lifted_at=None).update(lifted_at=now)
    return AddressLock.objects.filter(pk__in=held).update(lifted_at=now, digest="")


def forget_ended() -> int:
    """Delete the address hashes of expired locks. Return the number of deleted hashes."""
    over = AddressLock.objects.filter(until__lte=timezone.now()).exclude(digest="")
    return over.update(digest="")


def _hold(guest_id: int, lock: AddressLock) -> Sanction:
    return Sanction.objects.create(
        user_id=guest_id,
        kind=Sanction.Kind.LOCK,
        reason=lock.reason,
        until=lock.until,
        address_lock=lock,
    )


def _digest(address: str) -> str:
    return salted_hmac("parlour.address", address, algorithm="sha256").hexdigest()


def _of_guest(guest_id: int) -> str:
    return f"address-of-guest:{guest_id}"


def _of_address(digest: str) -> str:
    return f"guests-of-address:{digest}"
