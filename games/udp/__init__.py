"""Mia over UDP (docs/rules/mia.md §2): programs play round after round, people may sit in.

`lines` is the protocol, `names` who has registered, `rounds` one round, `standings` what is kept,
`table` the loop that plays, `server` the thread it runs in, `lock` who owns the port, `shown` what
pages and packets show of it.
"""
