"""What is said in matches as they happen: each kind of sentence at each level in each language, and how long it takes.

    python -m tests.service.talk [LANGUAGE ...]     a table for each language; English unless said otherwise

The matches are the golden games and the cases of the rulebook, so that every ruling occurs for a reason.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from referee.ledger import Ledger
from referee.record import Record, parse
from service import speech
from service.engines import SpeechSettings
from service.language import LEVELS, Level
from service.phrases import Moment, Phrases
from tests.referee.test_cases import GAMES, cases_in

MORE: Final = (
    '[Players "A;B;C"]\n[Dealer "1"]\ndeal 1\nstart W\n2 colour R\nundo\n',
    '[Players "A;B"]\n[Top "R7"]\n[Turn "1"]\n[Counts "1,2"]\n1 R8\n2 points 20\nundo\n',
    '[Players "A;B;C"]\n[Dealer "1"]\ndeal 1\nstart R5\n2 W4>B\n3 challenge\n3 pass\n9 R7\n',
)
"""What happens in no game and no case: a colour or a score taken back, who challenged gives in, no such seat."""
ALIKE: Final = 3
"""Moments with the same sentences are alike: so many of each are enough."""


def records() -> Iterator[Record]:
    """Matches in which everything happens that a referee has a word for."""
    for file in sorted(GAMES.glob("*.toml")):
        for case in cases_in(file):
            yield parse(case["record"], case["id"])
    for path in sorted(GAMES.glob("*.trn")):
        yield parse(path.read_text(encoding="utf-8"), path.name)
    for text in MORE:
        yield parse(text, "more")


def moments(alike: int | None = ALIKE) -> Iterator[Moment]:
    """The moments of these matches; of those that tell the same only the first `alike`, all if that is None."""
    told, phrases = Counter[tuple[str, ...]](), Phrases.load("en", "full")
    for record in records():
        ledger = Ledger(record.settings)
        for event in record.events:
            if event is None:
                continue
            before, step = ledger.state, ledger.add(event)
            moment = Moment(event, step.rulings, before, step.state, corrected=step.corrected)
            kind = (type(event).__name__, *(one.topic for one in phrases.say(moment)))
            told[kind] += 1
            if alike is None or told[kind] <= alike:
                yield moment


def lengths(code: str, chosen: Iterable[Moment]) -> dict[str, dict[Level, list[str]]]:
    """The sentences of each kind, by its topic and by level."""
    found: dict[str, dict[Level, list[str]]] = defaultdict(lambda: defaultdict(list))
    moments = list(chosen)
    for level in LEVELS:
        phrases = Phrases.load(code, level)
        for moment in moments:
            for one in phrases.say(moment):
                found[one.topic][level].append(one.text)
    return found


def seconds(text: str, settings: SpeechSettings, path: Path) -> float:
    """How long a sentence takes to say."""
    return speech.save(text, path, settings)


def main(codes: list[str]) -> int:
    """Print for each kind of sentence how often it is said, and a middling one in words and seconds at each level."""
    chosen = list(moments(None))
    with tempfile.TemporaryDirectory() as folder:
        for code in codes or ["en"]:
            language = Phrases.load(code).language
            settings = SpeechSettings(espeak_voice=str(language.find("language.espeak")))
            print(f"{code}: sentence, times at normal; words and seconds at {', '.join(LEVELS)}; a middling one")
            whole: dict[Level, float] = dict.fromkeys(LEVELS, 0.0)
            for topic, by_level in sorted(lengths(code, chosen).items()):
                cells = []
                for level in LEVELS:
                    texts = sorted(by_level[level], key=len)
                    if not texts:
                        cells.append("  -    -  ")
                        continue
                    middle = texts[len(texts) // 2]
                    took = seconds(middle, settings, Path(folder) / "said.wav")
                    whole[level] += took * len(texts)
                    words = statistics.median(len(text.split()) for text in texts)
                    cells.append(f"{words:3.0f} {took:4.1f} s")
                example = sorted(by_level["normal"] or by_level["full"], key=len)
                print(f"  {topic:44} {len(by_level['normal']):5}  {'  '.join(cells)}  {example[len(example) // 2]}")
            each = "  ".join(f"{level} {total / len(chosen):.1f} s" for level, total in whole.items())
            print(f"{code}: {len(chosen)} moments; speech for each: {each}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
