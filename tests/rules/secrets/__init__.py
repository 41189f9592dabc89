"""What each game hides, a file per game, for the laws all of them keep.

`OPTIONS`: the corners of the options, default first. `scramble(state, viewer, luck)`: a legal state
that differs in what this viewer may not know, and only in that. `invariants(state)`: what always
holds. `REVEALS`: the events by which something hidden comes to light for whoever is told of them.
`PRIVATE`: the events that only some may hear, with a function `(event, change, seat)` that says
whether this seat may. `DRAWN`: the events that tell everybody what was just drawn.
"""
