"""The vocabulary of the wire: `client` is what may be sent to us, `server` what we send.

`parts` is what both are made of; `games` derives from the types of each game what it adds.
`schema`, `asyncapi` and `examples` make documents of all of it.
"""
