"""URLs of user-made decks for Cards."""

from django.urls import path, re_path

from lobby import decks
from moderation.views import report_deck

urlpatterns = [
    path("", decks.shelf, name="decks"),
    path("new/", decks.new_deck, name="new-deck"),
    path("<slug:slug>/", decks.one, name="deck"),
    path("<slug:slug>/file/", decks.replace, name="replace-deck"),
    path("<slug:slug>/report/", report_deck, name="report-deck"),
    path("<slug:slug>/change/", decks.change, name="change-deck"),
    re_path(r"^(?P<slug>[-a-z0-9]+)\.(?P<kind>json|csv)$", decks.download, name="deck-file"),
]
