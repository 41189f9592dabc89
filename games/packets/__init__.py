"""The vocabulary of the wire: `client` is what may be sent to us, `server` what we send.

`games` derives from the types of each game what it adds to both.
"""
