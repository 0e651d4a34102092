"""The rules: standard library only, no clock, no randomness, no input or output but text.

In the order of the flow: `cards` (faces, decks, notation), `options` (settings of a match), `events` (what can happen at the
table), `state` (where a match stands), `judge` (state and event to state and rulings), `rulings` (what the referee says to
it), `counting` (points, ends of rounds and matches), `record` (the game record: parse, print, replay, undo, amend).
"""
