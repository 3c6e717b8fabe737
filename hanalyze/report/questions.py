"""The figures of the dashboard: what each asks, and how its answer is drawn and said.

In: nothing. Out: `QUESTIONS`. A question names a table of `hanalyze.report.tables` and a kind of chart; the
same data drive `hanalyze.report.figures` and the page's JavaScript.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hanalyze.report.tables import KINDS, PHASES

__all__ = ["QUESTIONS", "Question"]

_INTERVAL: Final = (
    " Intervals are 95%: the rate's standard error comes from what each game found and of how much (games are"
    " what is drawn, for what happens within a game depends on itself)."
)
_WILSON: Final = " Intervals are 95%, Wilson's."


@dataclass(frozen=True, slots=True)
class Question:
    """A figure. `scale`: what a rate is shown per; `say`: the sentence, see `hanalyze.report.sentences`."""

    name: str
    section: str
    title: str
    chart: str
    definition: str
    tables: tuple[str, ...]
    say: Mapping[str, str]
    span: int = 6
    labels: tuple[str, ...] = ()
    panels: tuple[str, ...] = ()
    scale: float = 1.0
    decimals: int = 2
    unit: str = ""
    axis: str = ""
    share: bool = False
    wilson: bool = False
    sort: bool = False
    better: int = 0
    tones: Mapping[str, str] = field(default_factory=dict)


def _kinds(kinds: str) -> tuple[str, ...]:
    return tuple(KINDS[kind] for kind in kinds.split())


_MOST_FREQUENT: Final = {
    "kind": "top",
    "text": "Most frequent: **{label}**, in the {panel}: {value} per 100 ({low} to {high}).",
    "tie": "The most frequent cannot be told apart: {label} ({panel}) {value}, {label2} ({panel2})"
    " {value2} per 100.",
}

_LIST: Final = (
    Question(
        name="scores",
        section="",
        title="How close the games came",
        chart="columns",
        definition="Games by what they fell short of the full score of their variant. Games that were"
        " struck out, and"
        " games broken off for another reason, stand apart, whatever they would have scored." + _WILSON,
        tables=("scores",),
        say={"kind": "scores"},
        span=7,
        scale=100,
        decimals=0,
        axis="points short of the full score",
        share=True,
        wilson=True,
        tones={"0": "good", "struck out": "bad"},
    ),
    Question(
        name="losses",
        section="",
        title="Where points were lost",
        chart="bars",
        definition="Points short of the full score, per game, each point counted once: when the last copy"
        " of a"
        " needed card was discarded or misplayed, the points that this made impossible; points on the stacks"
        " that do not count because the game was lost; and what was still possible at the end. Nobody to"
        " blame:"
        " could not know, had no choice, nothing to lose." + _INTERVAL,
        tables=("losses",),
        say={
            "kind": "top",
            "text": "**{label}** costs most: {value} points a game ({low} to {high}).",
            "tie": "What costs most cannot be told apart: {label} {value}, {label2} {value2} points a game.",
        },
        span=5,
        unit="points a game",
        sort=True,
        tones={"": "bad"},
    ),
    Question(
        name="need",
        section="",
        title="Did harder deals cost points?",
        chart="trend",
        definition="Points short of the full score, by the cards per clue that a full score takes from"
        " the deal on"
        " (Hanab Live's minimum efficiency), in steps of 0.1. Struck-out games count as scored." + _INTERVAL,
        tables=("need",),
        say={
            "kind": "trend",
            "up": "Deals that ask for more cards per clue end **further** from the full score: {value1}"
            " points"
            " short at {label1}, {value2} at {label2}.",
            "down": "Deals that ask for more cards per clue end **closer** to the full score: {value1}"
            " points short"
            " at {label1}, {value2} at {label2}.",
            "tie": "Easy and hard deals cannot be told apart: {value1} points short at {label1}, {value2} at"
            " {label2}.",
        },
        span=7,
        decimals=1,
        unit="points short",
        axis="cards per clue needed at the deal",
    ),
    Question(
        name="endings",
        section="",
        title="How the games ended",
        chart="bars",
        definition="Games by the way they ended." + _WILSON,
        tables=("endings",),
        say={
            "kind": "row",
            "label": "Struck out",
            "text": "**{value}%** were struck out ({low} to {high}), {x} of {y} games.",
            "none": "No game of {y} was struck out (at most {high}% are).",
        },
        span=5,
        scale=100,
        decimals=1,
        unit="% of games",
        share=True,
        wilson=True,
        sort=True,
        tones={"Struck out": "bad", "Played to the end": "good"},
    ),
    Question(
        name="perfect",
        section="",
        title="Perfect games, by team size and variant",
        chart="dots",
        definition="Share of games with the full score of their variant." + _WILSON,
        tables=("perfect",),
        say={
            "kind": "top",
            "text": "Most often with **{label}**: {value}% of {n} games ({low} to {high}).",
            "panel": "Team size",
            "tie": "Where perfect games are most frequent cannot be told: {label} {value}%, {label2}"
            " {value2}%.",
        },
        span=12,
        panels=("Team size", "Variant"),
        scale=100,
        decimals=0,
        unit="% perfect",
        axis="% of games",
        share=True,
        wilson=True,
    ),
    Question(
        name="efficiency",
        section="Clues",
        title="Did the clues keep up with the need?",
        chart="bands",
        definition="Cards gotten per clue given or lost so far (achieved), and cards yet to get per clue left"
        " (needed), both as Hanab Live counts them, over the games that had this turn. Line: the median game;"
        " dark band: its 95% interval, by order statistics; light band: the middle half of the games."
        " Turns that less than 20 games, or a tenth of their kind, had are left out. Counted in steps of"
        " 0.05, and interpolated within a step.",
        tables=(),
        say={"kind": "curve"},
        span=12,
        axis="turn",
    ),
    Question(
        name="clue_value",
        section="Clues",
        title="What a clue brought in",
        chart="trend",
        definition="Cards per clue that the clue was the first to touch and that count as gotten at the"
        " end of the"
        " game, by the clue's kind and by its turn." + _INTERVAL,
        tables=("clues",),
        say={
            "kind": "trend",
            "panel": "Turn",
            "up": "Later clues bring in **more**: {value1} cards a clue in turns {label1}, {value2} in"
            " {label2}.",
            "down": "Later clues bring in **less**: {value1} cards a clue in turns {label1}, {value2} in"
            " {label2}.",
            "tie": "Early and late clues cannot be told apart: {value1} cards a clue in turns {label1},"
            " {value2}"
            " in {label2}.",
        },
        span=7,
        panels=("Kind", "Turn"),
        unit="cards a clue",
        axis="cards per clue",
    ),
    Question(
        name="tokens",
        section="Clues",
        title="Clue tokens that came to nothing",
        chart="bars",
        definition="Clue tokens that a mistake of this kind cost, per game. A decision may be of several"
        " kinds." + _INTERVAL,
        tables=("tokens",),
        say={
            "kind": "top",
            "text": "Most: **{label}**, {value} tokens a game ({low} to {high}).",
            "tie": "What wastes most cannot be told apart: {label} {value}, {label2} {value2} tokens a game.",
        },
        span=5,
        unit="tokens a game",
        sort=True,
        tones={"": "warn"},
    ),
    Question(
        name="clue_mistakes",
        section="Clues",
        title="Which clues went wrong, and when",
        chart="dots",
        definition="Clues that were a mistake of each kind, per 100 opportunities: clues for which the kind's"
        " condition holds. Opening: until the first discard; endgame: once the pace is no longer low-risk."
        + _INTERVAL,
        tables=("kinds",),
        say=_MOST_FREQUENT,
        span=7,
        labels=_kinds("clue_bad_touch clue_needless clue_unsaved clue_no_news tokens_wasted"),
        panels=tuple(PHASES.values()),
        scale=100,
        decimals=1,
        unit="per 100",
        axis="per 100 opportunities",
        share=True,
    ),
    Question(
        name="efficient",
        section="Clues",
        title="Games by efficiency",
        chart="ranking",
        definition="Games with at least 8 clues, by cards gotten per clue at the end over what the deal"
        " asked for:"
        " the first and the last.",
        tables=(),
        say={"kind": "ranking"},
        span=5,
    ),
    Question(
        name="discards",
        section="Discards",
        title="Which discards hurt, and when",
        chart="dots",
        definition="Discards that were a mistake of each kind, per 100 opportunities: decisions with more"
        " than one"
        " sensible choice for which the kind's condition holds. What the holder could not know counts in"
        " no rate."
        " Opening: until the first discard; endgame: once the pace is no longer low-risk." + _INTERVAL,
        tables=("kinds",),
        say=_MOST_FREQUENT,
        span=7,
        labels=_kinds(
            "discard_last_copy discard_five discard_playable discard_clued discard_over_play"
            " discard_over_trash discard_out_of_pace discard_double discard_bottom_deck discard_unsaved"
        ),
        panels=tuple(PHASES.values()),
        scale=100,
        decimals=1,
        unit="per 100",
        axis="per 100 opportunities",
        share=True,
    ),
    Question(
        name="known",
        section="Discards",
        title="Could the holder have known?",
        chart="stack",
        definition="Discards of these kinds by what the holder could know of the card, by clues and the cards"
        " seen: knew, certain; could tell, a chance of a half at least; took a chance, of a quarter at"
        " least; no"
        " way to know, less. No choice: the decision had one sensible choice." + _INTERVAL,
        tables=("known",),
        say={
            "kind": "pool",
            "label": "no way to know",
            "text": "In **{value}%** of them ({low} to {high}) there was no way to know.",
        },
        span=5,
        scale=100,
        decimals=0,
        unit="%",
        share=True,
        tones={
            "knew": "bad",
            "could tell": "warn",
            "took a chance": "warn2",
            "no way to know": "plain",
            "no choice": "faint",
        },
    ),
    Question(
        name="discards_by",
        section="Discards",
        title="Discard mistakes by turn, card and seat",
        chart="trend",
        definition="Discards that were a mistake of any kind, per 100 discards that had more than one"
        " sensible"
        " choice; rank and suit are those of the card that went." + _INTERVAL,
        tables=("discards_by",),
        say={
            "kind": "trend",
            "panel": "Turn",
            "up": "They become **more** frequent: {value1} per 100 in turns {label1}, {value2} in {label2}.",
            "down": "They become **less** frequent: {value1} per 100 in turns {label1}, {value2} in"
            " {label2}.",
            "tie": "Early and late cannot be told apart: {value1} per 100 in turns {label1}, {value2} in"
            " {label2}.",
        },
        span=12,
        panels=("Turn", "Rank", "Suit", "Seat"),
        scale=100,
        decimals=1,
        unit="per 100 discards",
        axis="per 100 discards",
        share=True,
    ),
    Question(
        name="costs",
        section="Discards",
        title="What the discards cost",
        chart="bars",
        definition="Per 100 games. Points: maximum score lost by discards of last copies, by what the"
        " holder could"
        " know. Pace: discards that could not be afforded again, by kind." + _INTERVAL,
        tables=("costs",),
        say={
            "kind": "top",
            "panel": "Points of last copies",
            "text": "Most points go with last copies whose holder **{label}**: {value} per 100 games"
            " ({low} to"
            " {high}).",
            "tie": "Whose last copies cost most cannot be told apart: holder {label} {value}, {label2}"
            " {value2}"
            " points per 100 games.",
        },
        span=12,
        panels=("Points of last copies", "Pace"),
        scale=100,
        decimals=0,
        unit="per 100 games",
        tones={"": "bad"},
    ),
    Question(
        name="misplays",
        section="Plays",
        title="Which plays failed",
        chart="bars",
        definition="Misplays, and the points of the maximum score that they lost, per 100 plays, by what"
        " the player"
        " could know: knew, it could not fit; misled, a clued card for which all that was not trash fitted."
        + _INTERVAL,
        tables=("misplays",),
        say={
            "kind": "top",
            "panel": "Misplays",
            "text": "Most: **{label}**, {value} per 100 plays ({low} to {high}).",
            "tie": "The most frequent cannot be told apart: {label} {value}, {label2} {value2} per 100"
            " plays.",
        },
        span=5,
        panels=("Misplays", "Points"),
        scale=100,
        decimals=2,
        unit="per 100 plays",
        tones={"": "bad"},
    ),
    Question(
        name="odds",
        section="Plays",
        title="How sure were the plays?",
        chart="trend",
        definition="Plays by the chance that the card fitted, as the player saw it without reading"
        " anything into"
        " clues, in steps of 10%: the share that did fit. Where it lies above the chance, the players knew"
        " more than the cards said." + _INTERVAL,
        tables=("odds",),
        say={
            "kind": "trend",
            "up": "From **{value1}%** of the plays with a chance of {label1}% to {value2}% at {label2}%.",
            "down": "From **{value1}%** of the plays with a chance of {label1}% to {value2}% at {label2}%.",
            "tie": "Sure and unsure plays cannot be told apart: {value1}% at {label1}%, {value2}% at"
            " {label2}%.",
        },
        span=7,
        scale=100,
        decimals=0,
        unit="%",
        axis="chance that the card fits, as the player saw it, in %",
        share=True,
    ),
    Question(
        name="missed",
        section="Plays",
        title="Sure plays that were not made",
        chart="dots",
        definition="A discard, or a clue that got and saved nothing, in place of a card known to fit, per 100"
        " decisions with such a card; and plays that closed a stack, per 100 plays." + _INTERVAL,
        tables=("kinds",),
        say=_MOST_FREQUENT,
        span=12,
        labels=_kinds("play_missed discard_over_play play_narrows"),
        panels=tuple(PHASES.values()),
        scale=100,
        decimals=1,
        unit="per 100",
        axis="per 100 opportunities",
        share=True,
    ),
    Question(
        name="players",
        section="People",
        title="Players",
        chart="field",
        definition="Mean score of a player's games less that of all other games of the same team size and"
        " variant,"
        " weighed by the player's games. Intervals are 95% each, by the normal distribution: of twenty that"
        " differ in nothing, one stands out by luck.",
        tables=("points",),
        say={"kind": "field"},
        span=6,
        unit="points a game",
        axis="points a game, against the same kind of games",
        better=1,
    ),
    Question(
        name="partners",
        section="People",
        title="Partners",
        chart="matrix",
        definition="Mean score of the games of two players together less that of the games of either"
        " without the"
        " other, of the same team size and variant, weighed by the games together. At most the 14 players"
        " with the most games. A dot: under 25 games."
        " Bold:"
        " more than luck gives among so many pairs (5%, Bonferroni).",
        tables=("points",),
        say={"kind": "matrix"},
        span=6,
        unit="points a game",
        better=1,
    ),
    Question(
        name="player_rates",
        section="People",
        title="Mistakes of each player, and what their clues brought in",
        chart="field",
        definition="A player's own decisions, against those of all players in games of the same team size and"
        " variant: mistakes of any kind per 100 discards, misplays per 100 plays, mistakes per 100 clues"
        " (with"
        " more than one sensible choice, each decision once), and cards per 100 clues. The difference,"
        " weighed"
        " by the player's decisions; intervals are 95% each, and a little wide, for the player is among all.",
        tables=("own_discard", "own_play", "own_clue", "own_value"),
        say={"kind": "field"},
        span=12,
        scale=100,
        decimals=1,
        unit="per 100",
        axis="per 100, against all players",
        panels=("Discard mistakes", "Misplays", "Clue mistakes", "Cards per clue"),
        better=-1,
    ),
    Question(
        name="costliest",
        section="The costliest turns",
        title="The costliest turns",
        chart="turns",
        definition="Decisions after which the maximum score was lower, the most points first; of equals"
        " those that"
        " somebody is to blame for.",
        tables=(),
        say={"kind": "turns"},
        span=12,
    ),
)

QUESTIONS: Final[Mapping[str, Question]] = {one.name: one for one in _LIST}
"""The figures in the order of the page, by name."""
