"""From plays to people: the one room with clocks, files, sound and sockets.

In the order of the flow: `settings` (file, environment and flags to one value), `store` (matches on disk), `table` (one table:
events in, judge, store, fan out), `camera` (what was seen becomes events), `phrases` with `languages/` (rulings to
sentences), `voice` (what is said when), `speech` (the process that speaks) with `espeak` (its engine) and `sound` (where
the sound goes).

What people see and touch: `pages/` (plain HTML, CSS, scripts) with their texts put in by `screens`, `preview` (the camera
picture), `actions` (what may be told to the table), `feed` (the event stream), `docs` (the API as a page), `api` (all
routes) behind `guard` (who may come in). `watching` and `run` put camera, table, voice and pages together. `version` is
its number, `cli` the `tableref` command; `cli_table`, `cli_read`, `cli_records`, `cli_films` and `cli_doctor` are its parts, `sentences` what it
says when it refuses.
"""
