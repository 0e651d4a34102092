"""From plays to people: the one room with clocks, files, sound and sockets.

In the order of the flow: `settings` (file, environment and flags to one value), `watching` (the camera's thread, and
the words of a film's people), `onlooker` (what was seen becomes events) with `places` (where the seats are),
`evidence` (which card it was), `counting` (hands laid open; `counting_place` sees them with a second camera),
`hindsight` (what follows shows what it really was) with `ways` and `arms` (how it may have gone, whose hand it was),
`settled` (cards that play went on over), `revisions` (how the record is put right) and `revising` (the same in
words), `doubts`, `asking` (what is asked when that is not certain), `table` (one table: events in, judge, store, fan
out) with `standing` (where it stands, for whoever asks), `match` (the match in play), `store` (matches on disk),
`snapshot` (the public state) with `possible` (what each seat may do), `senses` (what it sees, how it is heard),
`captions` (what was said last), `fanout` and `subscription` (who listens), `retold` (what a listener missed),
`phrases` with `telling`, `language`, `languages/` and `shapes` (rulings to sentences, and what a file of them must
be), `answers` (to what may be asked), `voice` (who has it spoken) with `waiting` (what is said next), `kinds` (what
may be switched off) and `mouth` (the speaking process from outside), `speech` (that process) with `engines` (what
makes speech: `espeak` with `espeak_data`, `piper`), `earcons` (short sounds before sentences) and `sound` (where the
sound goes), `audible` (whether the settings of all this can be), `voices` (which may be chosen).

How people tell and ask: `commands` (one list for keys, ears, command cards and pages), `hands` (does what they ask),
`opening` (a table set up by keys or by voice), `first` (a card that lay there before), `keys` (keyboard, number
block, presenter) through the `terminal`, `framing` (where the camera should go, in words), `sheets` (command cards to
print) with `braille`, `routes_commands` (the same for pages), `ears` (push to talk, or a wake word) with
`recognisers` (speech to a phrase) and `microphone`.

What people see and touch: `pages/` (plain HTML, CSS, scripts) with their texts put in by `screens`, `preview` (the
camera picture), `pictures` (what it saw before), `actions` (what may be told to the table), `feed` (the event
stream), `matches` (the stored ones) and `steps` (one of them step by step), `reading` (a hand, for its owner alone),
`speaking` (language and voice while a game is on), `piles` (put by hand), `standpoint` (how the camera stood), `kept`
(all that, for the next evening), `links` (and their QR codes), `docs` (the API as a page).

The API: `desk` (what it serves, and who may have it), `routes_state`, `routes_actions`, `routes_commands`,
`routes_camera`, `routes_host` and `routes_pages`, put together by `api` behind `guard` (who may come in) with `tokens`
(who somebody is), `limits` (how much of it) and `connections` (how long they may be silent), `server` (all of it
served, and its quick end), `health` (whether everything works). `run` puts an evening together. `films` watches and
makes films of games, `filmed` is the table of one, `debug_film` draws what was made of them; `demo/` holds one.

`start` is what runs first, `logs` what the program says of itself. `cli` is the `tableref` command; `cli_table`,
`cli_read`, `cli_records`, `cli_films`, `cli_cards`, `cli_decks` and `cli_doctor` are its parts, `sentences` what it
says when it refuses, `refusals` the same in other languages, `outputs` the files that it writes, `version` its number.
"""
