"""Precision and recall of the conventions against labelled moves.

    python -m tests.conventions.score [--details] [--both]

In: the cases of `../shared/cases`. Out: per label, on the half that the conventions were developed on and on
the half held out from that: how many moves have the label, how many of our main findings are it, and
precision and recall with Wilson's intervals at 95 %. `--details` lists what differs in the development half.

A label is found (recall) if the main finding of the move, or another one stated, is what `LABELS` gives for
it. For precision only main findings count.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hanalyze.analysis.statistics.intervals import wilson
from hanalyze.game.meanings import Convention, Reason
from tests.conventions.cases import Read, read_sequence, sequences

CASES = Path(__file__).parents[3] / "shared/cases/h-group.jsonl.gz"

FINESSES = (
    Convention.FINESSE,
    Convention.REVERSE_FINESSE,
    Convention.SELF_FINESSE,
    Convention.DOUBLE_FINESSE,
    Convention.PROMPT_FINESSE,
    Convention.HIDDEN_FINESSE,
    Convention.LAYERED_FINESSE,
)

LABELS: dict[str, tuple[Convention, ...]] = {
    "play_clue": (Convention.PLAY_CLUE, Convention.DELAYED_PLAY_CLUE, Convention.TEMPO_CLUE),
    "save_clue": (Convention.FIVE_SAVE, Convention.TWO_SAVE, Convention.CRITICAL_SAVE),
    "finesse": FINESSES,
    "bluff": (Convention.BLUFF, Convention.SELF_BLUFF),
    "prompt": (Convention.PROMPT, Convention.SELF_PROMPT),
    "five_stall": (Convention.FIVE_STALL,),
    "tempo_stall": (Convention.TEMPO_CLUE_STALL,),
    "fill_in_stall": (Convention.FILL_IN,),
    "locked_hand_stall": (Convention.LOCKED_HAND_SAVE,),
    "trash_chop_move": (Convention.TRASH_CHOP_MOVE,),
    "order_chop_move": (Convention.ORDER_CHOP_MOVE,),
    "tempo_clue_chop_move": (Convention.TEMPO_CHOP_MOVE,),
    "fix_clue": (Convention.FIX_CLUE,),
    "distribution_clue": (Convention.DISTRIBUTION_CLUE,),
    "none_clue": (Convention.UNEXPLAINED,),
    "sarcastic_discard": (Convention.SARCASTIC_DISCARD,),
    "gentlemans_discard": (Convention.GENTLEMANS_DISCARD,),
    "baton_discard": (Convention.BATON_DISCARD,),
    "scream_discard": (Convention.SCREAM_DISCARD,),
    "shout_discard": (Convention.SHOUT_DISCARD,),
    "positional_discard": (Convention.POSITIONAL_DISCARD,),
    "positional_misplay": (Convention.POSITIONAL_MISPLAY,),
    "plain_discard": (Convention.PLAIN_DISCARD,),
    "plain_play": (Convention.PLAIN_PLAY,),
    "blind_play": (Convention.BLIND_PLAY,),
    "prompted_play": (Convention.PROMPTED_PLAY,),
    "deferral": (Convention.DEFERRAL,),
    "no_interp": (),
}
"""What we call what the cases call so: the only mapping there is."""


def label_of(case: dict[str, Any]) -> str:
    """Return the key of `LABELS` for the label of a case, which may have several parts."""
    text: str = case["label"]
    if "misplay" in case["tags"] and text == "plain_discard":
        # A card played by mistake: the cases list it among the discards.
        return "plain_play"
    if text.startswith("deferred:"):
        return "deferral"
    if text.startswith("play:"):
        if "finesse" in text:
            return "blind_play"
        return "prompted_play" if "prompt" in text else "plain_play"
    if "finesse" in text:
        return "finesse"
    return "prompt" if text.startswith("prompt") else text


def focus_tag(read: Read) -> int | None:
    """Return the focus that a case names, if it names one."""
    for tag in read.case["tags"]:
        if tag.startswith("focus:"):
            return int(tag[6:])
    return None


@dataclass
class Count:
    """Counts of one label."""

    there: int = 0
    found: int = 0
    claimed: int = 0
    right: int = 0

    @property
    def precision(self) -> float:
        return self.right / self.claimed if self.claimed else 0.0

    @property
    def recall(self) -> float:
        return self.found / self.there if self.there else 0.0


def all_reads(path: Path = CASES) -> list[Read]:
    """Return every labelled move with what was found."""
    return [read for cases in sequences(path) for read in read_sequence(cases)]


def score(reads: Iterable[Read]) -> dict[str, Count]:
    """Return the counts of each label, and of the focus."""
    counts = defaultdict(Count, {label: Count() for label in (*LABELS, "focus")})
    for read in reads:
        label = label_of(read.case)
        counts[label].there += 1
        counts[label].found += any(one in LABELS.get(label, ()) for one in read.found)
        if read.found:
            for other, names in LABELS.items():
                if read.found[0] in names:
                    counts[other].claimed += 1
                    counts[other].right += other == label
        focus = focus_tag(read)
        if focus is not None and read.case["action"]["type"] == "clue":
            counts["focus"].there += 1
            counts["focus"].claimed += 1
            counts["focus"].found += focus == read.focus
            counts["focus"].right += focus == read.focus
    return counts


def table(counts: dict[str, Count]) -> Iterator[str]:
    """Yield the lines of a table of counts."""
    yield f"{'label':22} {'cases':>5} {'claimed':>7}   precision             recall"
    for label, count in counts.items():
        if not count.there and not count.claimed:
            continue
        texts = []
        for right, of in ((count.right, count.claimed), (count.found, count.there)):
            if of:
                low, high = wilson(right, of)[-2:]
                texts.append(f"{right / of:.3f} ({low:.2f} to {high:.2f})")
            else:
                texts.append("   -                ")
        yield f"{label:22} {count.there:5} {count.claimed:7}   {texts[0]}  {texts[1]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--both", action="store_true", help="the measured half, too")
    options = parser.parse_args()
    reads = all_reads()
    half = [read for read in reads if not read.measured]
    if options.details:
        for read in half:
            label = label_of(read.case)
            focus = focus_tag(read)
            wrong = focus is not None and focus != read.focus and read.case["action"]["type"] == "clue"
            if not any(one in LABELS.get(label, ()) for one in read.found) or wrong:
                names = ", ".join(one.label for one in read.found)
                print(
                    f"{read.case['case']} L{read.case['level']} {read.case['tier'][0]}:"
                    f" {read.case['label']} | {names} focus {focus}/{read.focus}"
                    f" {[one.words for one in Reason.among(read.reasons)]}"
                )
    print("development half")
    print("\n".join(table(score(half))))
    if options.both:
        print("\nmeasured half")
        print("\n".join(table(score(read for read in reads if read.measured))))
        print("\nall cases")
        print("\n".join(table(score(reads))))


if __name__ == "__main__":
    main()
