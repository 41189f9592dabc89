"""What outlives a match: finished matches, and what is kept about people.

Personal data is exported, erased, merged with another account, and deleted when it is old.
What happens while a match runs belongs in `engine` and `rooms`.
"""
