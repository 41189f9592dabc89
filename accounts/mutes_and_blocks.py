"""Mutes (hide a user's messages) and blocks (keep a user out of the blocker's own tables)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import Exists, OuterRef, Q

from accounts.models import Follow, MuteOrBlock, User


def keep(
    user_id: int, other: User, name: str, mutes: bool | None = None, blocks: bool | None = None
) -> None:
    """Set whether one user mutes or blocks another. None keeps the current value.

    A user who blocks somebody stops following them. The blocked user keeps following, because
    otherwise they would notice the block (`accounts.following`). Call this function inside a
    command.
    """
    found, _made = MuteOrBlock.objects.get_or_create(
        user_id=user_id, other=other, defaults={"name": name}
    )
    found.name = name
    found.mutes = found.mutes if mutes is None else mutes
    found.blocks = found.blocks if blocks is None else blocks
    if found.blocks:
        Follow.objects.filter(user_id=user_id, other=other).delete()
    if found.mutes or found.blocks:
        found.save()
    else:
        found.delete()


def blocks(user_id: int | None, other_id: int | None) -> bool:
    """Whether the first user blocks the second."""
    if user_id is None or other_id is None:
        return False
    return MuteOrBlock.objects.filter(user_id=user_id, other_id=other_id, blocks=True).exists()


def apart(user_ids: Collection[int]) -> frozenset[tuple[int, int | None]]:
    """Return pairs of one of these users and another user, of whom one blocks the other."""
    either = Q(user_id__in=user_ids) | Q(other_id__in=user_ids)
    rows = MuteOrBlock.objects.filter(either, blocks=True).values_list("user_id", "other_id")
    blocked = ((one, other) for one, other in rows if one in user_ids)
    blocking = ((other, one) for one, other in rows if other in user_ids)
    return frozenset([*blocked, *blocking])


def among(user_ids: Collection[int]) -> frozenset[tuple[int, int, bool, bool]]:
    """Return the mutes and blocks set by these users: (user, other, mutes, blocks)."""
    rows = MuteOrBlock.objects.filter(user_id__in=user_ids)
    return frozenset(rows.values_list("user_id", "other_id", "mutes", "blocks"))


def has_set_any() -> Exists:
    """Return the condition that the user of a row has set any mutes or blocks."""
    return Exists(MuteOrBlock.objects.filter(user=OuterRef("user")))


def move(rows: Iterable[MuteOrBlock], guest_id: int, user_id: int) -> None:
    """Move the mutes and blocks set by or against a guest to the guest's account
    (`games.history.account_merge`).
    """
    for kept in rows:
        keeper = user_id if kept.user_id == guest_id else kept.user_id
        other = user_id if kept.other_id == guest_id else kept.other_id
        if keeper != other:
            _merge(keeper, other, kept)
        kept.delete()


def _merge(user_id: int, other_id: int, kept: MuteOrBlock) -> None:
    found, made = MuteOrBlock.objects.get_or_create(
        user_id=user_id,
        other_id=other_id,
        defaults={"name": kept.name, "mutes": kept.mutes, "blocks": kept.blocks},
    )
    if not made:
        found.mutes, found.blocks = found.mutes or kept.mutes, found.blocks or kept.blocks
        found.save()
