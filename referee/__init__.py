"""The rules: standard library only, no clock, no randomness, no input or output but text.

In the order of the flow:

- `cards`: colours, ranks, faces, decks; `options`: what a table agrees on; `header`: the same as text;
- `events`: what can happen at the table; `rulings`: what the referee says to it; `state`: where a match stands;
- `judge`: state and event to state and rulings. The rules themselves are in modules named after them: `openings` (R3),
  `turns` and `plays` (R4, R9), `effects` (R5, R8), `challenges` (R5.6), `uno` (R6), `counting` (R7), `houserules` (R10)
  and `leaving`, on top of `piles` (cards as numbers: R2.3, R4.7) and `order` (whose turn it is);
- `decisions`: what this table decided where the rulebooks are silent; `expectations`: what may come next;
- `record`: the game record, made of `notation` (a line), `ledger` (undo, amend), `plain` (one form), `public` (JSON, as
  `state.schema.json` describes it).
"""
