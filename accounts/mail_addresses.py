"""E-mail addresses of accounts. Only a confirmed address can be used to recover an account."""

from __future__ import annotations

from allauth.account.models import EmailAddress

from accounts.models import User


def give(user: User, email: str) -> None:
    """Set the address of an account on behalf of staff. It counts as confirmed.

    If another account has already confirmed this address, it is left unconfirmed here.
    """
    address = EmailAddress(user=user, email=email.lower(), primary=True)
    address.verified = address.can_set_verified()
    address.save()


def holders(email: str) -> list[User]:
    """Return the active accounts that have confirmed this address."""
    found = EmailAddress.objects.filter(email=email.lower(), verified=True, user__is_active=True)
    return [address.user for address in found.select_related("user")]


def unconfirmed(user: User) -> str:
    """Return the unconfirmed address of an account, or "" if the account has a confirmed one."""
    addresses = list(EmailAddress.objects.filter(user=user).order_by("-verified", "-pk"))
    if not addresses:
        return user.email
    return "" if addresses[0].verified else addresses[0].email


def end_links(user: User) -> None:
    """Invalidate all links that confirm an address of this account.

    A link is signed with the number of its row, so the row gets a new number.
    """
    for address in EmailAddress.objects.filter(user=user, verified=False):
        address.delete()
        address.pk = None
        address.save(force_insert=True)
