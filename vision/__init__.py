"""From pixels to plays: knows cards, not rules and not seats.

In the order of the flow: `frames` (pictures with their times, from files), `cameras` (from cameras and streams, the
newest wins), `motion` (what moves, which hands are there), `zones` (where discard and draw pile lie), `detections` (one
value for what a model saw), `finder` (where cards lie), `reader` (which face each shows), `eyes` (both together),
`sight` (the protocol they fulfil), `observation` (the pile read while it is still), `plays` (what changed between two
still piles), `hands` (what hands did at the draw pile), `changes` (the words that leave this room), `pipeline` (all of
it composed).
"""
