"""URLs of decks that users make."""

from django.urls import path, re_path

from games.cards.decks import pages

urlpatterns = [
    path("decks/", pages.shelf, name="decks"),
    path("decks/new/", pages.new_deck, name="new-deck"),
    path("decks/<slug:slug>/", pages.one, name="deck"),
    path("decks/<slug:slug>/file/", pages.replace, name="replace-deck"),
    path("decks/<slug:slug>/change/", pages.change, name="change-deck"),
    re_path(r"^decks/(?P<slug>[-a-z0-9]+)\.(?P<kind>json|csv)$", pages.download, name="deck-file"),
]
