"""Check a server of Mia over UDP by playing on it, and report differences from the protocol.

Written from docs/rules/mia.md §1, §2, §3 and §5; nothing here imports the server or its rules.

* `lines`: the protocol
* `bench`: the sockets
* `rounds`: the state of a round
* `judge`: the rules of a round
* `referee`: dispatches every datagram
* `plans`: how the test players answer
* `kit`: plays rounds
* `scenes*`: provoke the behaviour to check
* `run`: the order of scenes
* `chance`: statistics
* `book`: the report
"""
