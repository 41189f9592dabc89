"""Plays a server of Mia over UDP through its protocol and says where it differs.

Written from docs/rules/mia.md §1, §2, §3 and §5 with sockets only: nothing here imports the
server or the rules it judges. `lines` is the protocol, `bench` the sockets, `rounds` what is known
of a round, `judge` the laws of a round, `referee` hears every datagram, `plans` is how our players
answer, `kit` plays, `scenes` provoke what is to be seen, `run` says in which order, `chance` is
statistics, `book` the report.
"""
