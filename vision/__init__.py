"""From pixels to plays: knows cards, not rules and not seats.

In the order of the flow: `frames` (pictures with their times, from files) with `quiet` (what other libraries say of
them), `cameras` (from cameras and streams, the newest wins), `motion` (what moves, which hands are there), `shade`
(what is only a shadow), `zones` (where discard and draw pile lie), `detections` (one value for what a model saw),
`networks` and `engines` (the weights that ship with the program, and what runs them), `pyramid` (a picture and its
halves), `finder` (where cards lie), `aligner` (their corners), `rectify` (each card cut out upright), `reader` (which
face each shows) with `light` (in white light), `indices` (what the corners show, of covered cards, too), `agreement`
(whole card and corners together), `rivals` (where else a card may lie, by its corners), `overlooked` (cards of a hand
that only their corners give away), `overlaps` (how far quads cover each other), `census` (what
else lies there), `decks` and `lessons` (decks that were shown once, and how they are shown) with `laid` (what was
laid on the table since), `memory` (a deck learnt by heart), `signs` (whether two cards show the same sign) and
`twins` (whether they are the same), `confidence` (how sure a reading is), `look` (what the networks say of a
picture), `eyes` (all of these together), `sight` (the protocol they fulfil), `survey` (the whole table, in pieces),
`observation` (when the pile is quiet, and when a reading is believed), `arrival` (the first card of all), `glance` (a
card that lies open with a hand still near), `second` (whether it still is), `prints` (whether two cards show one
sign) and `acquaintance` (the deck learnt while it is played) for an `evening`, `compare` (what changed between two
still pictures), `ground` (where the bare table shows), `plays` (what that means) with `play_settings` (from how much
on) as `readings` (laid, taken back, nudged), `hands` (what hands did at the draw pile) with `stock` (whether a card
is gone) by `alignment` (how exactly the next one lies), `spread` (cards laid open elsewhere), `marks` (command
cards), `knocks` (how the camera was moved), `changes` (the words that leave this room), `pipeline` (all of it
composed).
"""

import os

# Since 1.29 ONNX Runtime sends its maker what it runs, and keeps a number of the computer, unless this is set before
# it is loaded. Nothing leaves the table.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
