"""Mia over UDP (docs/rules/mia.md §2): programs play round after round, and human players may join.

* `lines`: the protocol
* `names`: registered names
* `rounds`: one round
* `standings`: stored rounds and points
* `table`: the loop that plays rounds
* `server`: the thread that runs the loop
* `lock`: ownership of the port
* `shown`: data for pages and packets
"""
