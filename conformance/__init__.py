"""Programs that judge a server from outside, by what is written down and not by our code.

`wire` plays any server that speaks the JSON wire (`manage.py wire_check URL`), `mia` any server of
Mia over UDP (`manage.py mia_check HOST PORT`). Nothing here imports anything of the house: what a
packet is stands in `wire_words` once more, a line in `mia.lines`, from what is written down.
"""
