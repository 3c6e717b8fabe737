"""Figures about whole games: scores, points short of the full score by cause, and endings."""

from __future__ import annotations

from typing import Final

from hanalyze.report.dashboard.questions.question import (
    MEAN,
    WILSON,
    Question,
    Tally,
    by_game,
    top_words,
)

_SHORT: Final = (*map(str, range(10)), "10+", "struck out", "broken off")
_ENDS: Final = {
    "normal": "Played to the end",
    "strikeout": "Struck out",
    "timeout": "Out of time",
    "terminated_by_player": "Ended by a player",
    "terminated_by_vote": "Ended by a vote",
    "idle_timeout": "Left idle",
    "unfinished": "Not finished",
    "speedrun_fail": "Speedrun failed",
    "softlock": "No legal action",
    "all_or_nothing_fail": "Full score lost",
}
_SHORT_BY: Final = {
    "discard_last_copy": "Last copy discarded",
    "misplay": "Card misplayed",
    "strike_caused": "Teammate led to misplay",
    "play_narrows": "Stack shortened by a play",
    "forfeited": "Forfeited by the ending",
    "unplayed": "Left unplayed at the end",
}


TALLIES: Final = (
    Tally("scores", by_game(_SHORT)),
    Tally(
        "points_short",
        lambda kinds: by_game((*kinds, *(f"{kind} blameless" for kind in kinds), "forfeited", "unplayed")),
        _SHORT_BY,
        of_kinds=True,
        by_turn=True,
    ),
    Tally("endings", by_game(_ENDS), _ENDS),
    *(Tally(name, by_game((name,))) for name in ("perfect", "points", "struck")),
    Tally("short", (("", "short", "finished"),)),
    *(Tally(name, (("", name, "finished"),), fractions=True) for name in ("efficiency", "needed")),
)
# fmt: off
QUESTIONS: Final = (
    Question(
        name="scores", section="",
        title="How close the games came to the full score",
        chart="columns",
        definition="Games by the points that they fell short of the full score of their variant. Games that"
        " struck out or were broken off are counted separately, whatever their score." + WILSON,
        counts=("scores",),
        say={
            "kind": "row", "label": "0", "near": "1 2",
            "clear": "**{value}%** of {y} games were perfect; another **{near}%** ended one or two points"
            " short. 95% interval of the perfect games: {low} to {high}%.",
            "none": "No game of {y} was perfect (95% interval: up to {high}%); **{near}%** ended one or two"
            " points short.",
        },
        span=7, scale=100, decimals=0, unit="% of games", axis="points short of the full score", share=True,
        drop=("broken off",), tones={"0": "good", "struck out": "bad"},
    ),
    Question(
        name="points_short", section="",
        title="Points short of the full score",
        chart="bars",
        definition="Points short of the full score, per game. Each point is counted once: as lost by the"
        " discard or misplay of the last copy of a needed card (charged to the move at fault for it), by a"
        " play that shortened its stack, or by a discard or misplay at zero pace; as forfeited by the ending;"
        " or as still possible at the end. “No mistake”: could not know, forced, or nothing to lose." + MEAN,
        counts=("points_short",),
        say=top_words("Main cause of missing points: **{label}** ({value} a game)"),
        span=5, unit="points a game", sort="value", drop=("*",), tones={"": "bad"},
    ),
    Question(
        name="endings", section="",
        title="How the games ended",
        chart="bars",
        definition="Games by how they ended." + WILSON,
        counts=("endings",),
        say={
            "kind": "row", "label": "Struck out",
            "clear": "**{value}%** struck out: {x} of {y} games. 95% interval: {low} to {high}%.",
            "none": "None of {y} games struck out (95% interval: up to {high}%).",
        },
        span=5, scale=100, decimals=1, unit="% of games", share=True, sort="value", drop=("*",),
        tones={"Struck out": "bad", "Played to the end": "good"},
    ),
    Question(
        name="perfect", section="",
        title="Perfect games by team size and variant",
        chart="own_dots",
        definition="Share of games with the full score of their variant." + WILSON,
        counts=("perfect_by",),
        say=top_words(
            "Most often perfect with **{label}** ({value}% of {n} games)", "{label2} ({value2}%)",
            panel="Team size",
        ),
        span=7, panels=("Team size", "Variant"), scale=100, decimals=0, unit="% perfect", axis="% of games",
        share=True,
    ),
)
# fmt: on
