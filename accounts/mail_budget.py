"""Limits on sent emails, so that nobody can flood others' mailboxes or exhaust their limits.

Every email counts for its recipient's address and for the account it is about. Emails to
unconfirmed addresses also count for the requesting network address, and for the whole server.
"""

from __future__ import annotations

from django.conf import settings

from accounts import limits

HOUR, DAY = 3600, 24 * 3600
PER_CONFIRMED_ADDRESS = ((3, HOUR), (10, DAY))
PER_UNCONFIRMED_ADDRESS = ((3, HOUR), (6, DAY))
PER_ACCOUNT = ((5, HOUR), (15, DAY))
PER_ASKER = ((10, HOUR),)

Rates = tuple[tuple[int, int], ...]


def take_confirmed(email: str, user_id: int) -> bool:
    """Count an email to a confirmed address. Return False if a limit is exceeded."""
    to_address = _take(f"mail-to:{limits.hidden(email.lower())}", PER_CONFIRMED_ADDRESS)
    return to_address and _take(f"mail-of:{user_id}", PER_ACCOUNT)


def take_unconfirmed(email: str, user_id: int, asker: str | None) -> bool:
    """Count an email to an unconfirmed address. Return False if a limit is exceeded.

    These are counted separately from emails to confirmed addresses. Entering somebody else's
    address therefore cannot keep its owner from resetting a password.
    """
    named = _take(f"mail-to-named:{limits.hidden(email.lower())}", PER_UNCONFIRMED_ADDRESS)
    if not (named and _take(f"mail-named-by:{user_id}", PER_ACCOUNT)):
        return False
    if asker is not None and not _take(f"mail-asked-by:{limits.hidden(asker)}", PER_ASKER):
        return False
    whole_server = settings.LIMITS["mails"]
    return whole_server is None or _take("mail-to-unconfirmed", (whole_server,))


def _take(key: str, rates: Rates) -> bool:
    return all(limits.take_one(key, most, seconds) for most, seconds in rates)
