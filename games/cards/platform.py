"""Platform extensions of Cards: decks made by users."""

from games.cards.decks import vetoes


def connect() -> None:
    """Register the extensions. Called once, when Django is ready."""
    vetoes.connect()
