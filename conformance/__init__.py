"""Programs that check any server from outside against the written specifications.

`wire` checks servers of the JSON wire (`manage.py wire_check URL`), and `mia` checks servers of Mia
over UDP (`manage.py mia_check HOST PORT`). Nothing here imports Parlour's code. `wire_words`
(packets) and `mia.lines` (lines) define the protocols independently, from the specifications.
"""
