"""The back office: ratings, and what matches changed about them. Only matches change ratings."""

from __future__ import annotations

from django.contrib import admin

from games.models import Rating, RatingChange, SideRating
from moderation.admin_site import ReadOnly, by_game


@admin.register(Rating)
class RatingAdmin(ReadOnly):
    """Ratings of users."""

    list_display = ("user", "game", "pool", "mu", "sigma", "matches", "last_at")
    fields = list_display
    list_filter = (by_game(), "pool")
    search_fields = ("user__username__fold", "user__name__fold")
    list_select_related = ("user",)


@admin.register(SideRating)
class SideRatingAdmin(ReadOnly):
    """Ratings of sides."""

    list_display = ("game", "seats", "side", "pool", "mu", "sigma")
    fields = list_display
    list_filter = (by_game(), "pool")
    search_fields = ("side__fold",)


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnly):
    """What matches changed. Search accepts the code of a table."""

    list_display = ("match", "seat", "mu_before", "sigma_before", "mu", "sigma")
    fields = list_display
    list_filter = (by_game("match__game"),)
    search_fields = ("match__room__code",)
    list_select_related = ("match",)
