"""What happens after a match: finished matches are counted, which puts them in order for lists."""
