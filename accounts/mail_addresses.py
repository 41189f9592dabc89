"""E-mail addresses of accounts. Only a confirmed address is a way back into its account."""

from __future__ import annotations

from allauth.account.models import EmailAddress

from accounts.models import User


def give(user: User, email: str) -> None:
    """Give an account an address that staff answer for: it counts as confirmed.

    If another account has confirmed it already, this one has to ask its owner.
    """
    address = EmailAddress(user=user, email=email.lower(), primary=True)
    address.verified = address.can_set_verified()
    address.save()


def holders(email: str) -> list[User]:
    """The active accounts that have confirmed this address."""
    found = EmailAddress.objects.filter(email=email.lower(), verified=True, user__is_active=True)
    return [address.user for address in found.select_related("user")]


def unconfirmed(user: User) -> str:
    """The address an account has named if it has confirmed none, else ""."""
    addresses = list(EmailAddress.objects.filter(user=user).order_by("-verified", "-pk"))
    if not addresses:
        return user.email
    return "" if addresses[0].verified else addresses[0].email


def end_links(user: User) -> None:
    """End every link by which an address of this account could still be confirmed.

    A link is signed with the number of its row, so the row gets another one.
    """
    for address in EmailAddress.objects.filter(user=user, verified=False):
        address.delete()
        address.pk = None
        address.save(force_insert=True)
