"""What Cards brings to the platform: the decks that people make."""

from games.cards.decks import vetoes


def connect() -> None:
    """Called once, when Django is ready."""
    vetoes.connect()
