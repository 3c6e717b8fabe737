"""Every column of the frames that `hanalyze.analysis` returns: name, type, unit, range, meaning, heading.

A frame has the columns of its groups (`GROUPS`), if it is grouped, and then its own (`FRAMES`). The functions
make their frames by these lists, and the commands take headings and per cent from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hanalyze.analysis.grouping import PHASES, SCORES
from hanalyze.game.rules import EndCondition
from hanalyze.store.definitions import FAMILIES
from hanalyze.store.mistakes import SEVERITIES
from hanalyze.tables import Column

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "CALIBRATED",
    "FRAMES",
    "GROUPS",
    "LOSSES",
    "OUTCOME_NAMES",
    "QUANTILES",
    "SHARE",
    "SYSTEMS",
    "TURNS_AFTER",
    "FrameColumn",
    "dtype",
    "finished",
    "schema",
]

SHARE: Final = "share"
"""The unit of what people read in per cent."""

QUANTILES: Final = {"p10": 0.1, "p25": 0.25, "median": 0.5, "p75": 0.75, "p90": 0.9}

SYSTEMS: Final = ("h_group", "sieve", "hat_guessing", "none", "unknown")
"""What a guess can be. Beginners who save their chop and play what is clued count as h_group."""

TURNS_AFTER: Final = 6
"""Turns after an act whose points and plays are put down to it, with those of the act's own turn."""

OUTCOME_NAMES: Final = ("points", "plays", "final_score")
"""What an act may have an effect on: the points and the plays of its turn and the next 6, the final score."""

CALIBRATED: Final = (
    "chop_critical",
    "chop_playable",
    "chop_trash",
    "unclued_critical",
    "unclued_playable",
    "unclued_trash",
    "clued_critical",
    "clued_playable",
    "clued_trash",
    "discarded_chop_critical",
    "discarded_chop_trash",
    "discarded_unclued_critical",
    "discarded_unclued_trash",
    "discarded_clued_critical",
    "discarded_clued_trash",
    "played_unclued_playable",
    "played_clued_playable",
)
"""What chances are held against: which cards of the hand to move, and what they were. Unclued cards are those
that are not the chop; of the cards played all unclued ones."""


LOSSES: Final = ("last_copy", "misplay", "points")
"""What `luck` counts: critical cards discarded, plays that did not fit, points that both lost."""


@dataclass(frozen=True, slots=True)
class FrameColumn(Column):
    """A column of a frame of numbers."""

    head: str = ""
    """The heading that people read, where it is not the name."""
    ends: str = ""
    """What begins the names of the columns with the ends of its interval, `low` and `high`."""
    is_end: bool = False

    @property
    def heading(self) -> str:
        """The heading that people read."""
        return self.head or self.name.replace("_", " ")


_COUNT: Final = "int64"
_NUMBER: Final = "float64"


def _count(name: str, meaning: str, unit: str = "") -> FrameColumn:
    return FrameColumn(name, _COUNT, unit, "0..", meaning)


def _value(name: str, unit: str, meaning: str, head: str = "") -> FrameColumn:
    return FrameColumn(
        name, _NUMBER, unit, "0..1" if unit in (SHARE, "probability") else "", meaning, head=head
    )


def _estimate(
    name: str, unit: str, meaning: str, head: str = "", ends: str | None = None
) -> tuple[FrameColumn, ...]:
    """Return a column and the ends of its interval: `NAME_low` and `NAME_high`, or begun with `ends`."""
    begin = f"{name}_" if ends is None else ends
    values = "0..1" if unit == SHARE else ""
    return (
        FrameColumn(name, _NUMBER, unit, values, meaning, head=head, ends=f"{begin}low"),
        *(
            FrameColumn(f"{begin}{end}", _NUMBER, unit, values, f"{which} bound of the interval", is_end=True)
            for end, which in (("low", "lower"), ("high", "upper"))
        ),
    )


def _ended(end: str, meaning: str) -> tuple[FrameColumn, ...]:
    """Return the column of an end condition; that of games lost by strikes has an interval."""
    name = f"ended_{end}"
    if end == EndCondition.STRIKEOUT.label:
        return _estimate(name, SHARE, meaning, ends="strikeout_")
    return (_value(name, SHARE, meaning),)


def _text(name: str, meaning: str, words: Sequence[str] = ()) -> FrameColumn:
    return FrameColumn(name, "str", "", "", meaning, tuple(words))


GROUPS: Final = {
    column.name: column
    for column in (
        _count("game_id", "key of the game"),
        _text("game", "the game's number on its site, or its seed, or its key"),
        _text("player", "name of the player"),
        _text("partner", "name of the other player of a pair"),
        _text("receiver", "name of the player whom the message calls first, or else of the one it is for"),
        FrameColumn("seat", "int8", "seat", "0..5", "seat of the player, from 0"),
        FrameColumn("players", "int8", "players", "2..6", "team size"),
        _text("variant", "name of the variant"),
        _text("edition", "edition of the rules"),
        _text("source", "origin of the game, according to the log"),
        _text("turn", "range of ten turns, counted from 0"),
        FrameColumn("rank", "int8", "rank", "1..5, 7 START", "rank of the card"),
        FrameColumn("suit", "int8", "suit", "0..5", "suit of the card"),
        _text("phase", "part of the game", PHASES),
        _text("score", "final score as a share of the full score", SCORES),
        _text("severity", "what the player could know, or how it turned out", tuple(SEVERITIES)),
        _text("kind", "kind of clue", ("colour", "rank")),
        FrameColumn("level", "int32", "", "1..25", "H-Group level of the conventions"),
        _text("convention", "the convention"),
    )
}
"""The columns of groups, by name; `rates` and `convention_stats` say which groupings have which."""

_GAMES: Final = _count("games", "games counted", "games")
_MEAN: Final = _estimate("mean", "points", "mean final score", "mean score")
_PERFECT: Final = _estimate("perfect", SHARE, "share of games with the full score")

FRAMES: Final[dict[str, tuple[FrameColumn, ...]]] = {
    "overview": (
        _GAMES,
        *_MEAN,
        *_PERFECT,
        *(
            column
            for family in FAMILIES
            for column in _estimate(
                family,
                SHARE,
                f"share of the opportunities for a {family} mistake in which one was made",
                f"{family} mistakes",
            )
        ),
    ),
    "rates": (
        _text("kind", "kind of mistake, or family of kinds"),
        _count("found", "decisions with this mistake", "decisions"),
        _count("opportunities", "decisions in which this mistake was possible", "decisions"),
        _count("games", "games with at least one opportunity", "games"),
        *_estimate("rate", SHARE, "found / opportunities", ends=""),
        _value("p_value", "probability", "two-sided p-value of the difference from all other groups"),
        _value(
            "q_value",
            "probability",
            "p_value adjusted for the number of rows (Benjamini & Hochberg 1995)",
            "q",
        ),
        _value(
            "shrunk",
            SHARE,
            "by player: rate drawn towards that of all players (empirical Bayes), the more the less is known;"
            " null where fewer than three players have a rate, and for other groups",
        ),
        FrameColumn("points", _COUNT, "points", "0..", "points of the maximum score lost by these mistakes"),
    ),
    "scores": (
        _GAMES,
        *_MEAN,
        _value("p_value", "probability", "two-sided p-value of the mean's difference from all other groups"),
        _value(
            "q_value",
            "probability",
            "p_value adjusted for the number of rows (Benjamini & Hochberg 1995)",
            "q",
        ),
        _value("median", "points", "median final score"),
        _count("finished_games", "games that were played to their end", "games"),
        *_estimate("finished", "points", "mean final score of the games that were played to their end"),
        _count("perfect_games", "games with the full score", "games"),
        *_PERFECT,
        *(
            column
            for end in EndCondition
            for column in _ended(end.label, f"share of games whose end condition is {end.label}")
        ),
    ),
    "losses": (
        _text(
            "kind",
            "kind of mistake; `forfeited`: lost with the game; `unplayed`: still possible at its end",
        ),
        _count("games", "games in the group", "games"),
        _count("points", "points lost", "points"),
        *_estimate("per_game", "points/game", "points lost per game", ends=""),
    ),
    "clue_values": (
        _count("clues", "clues given", "clues"),
        _count("games", "games with at least one clue", "games"),
        *_estimate(
            "gotten",
            "cards/clue",
            "cards first touched by the clue that count as gotten at the end of the game",
            "cards gotten",
        ),
        *_estimate(
            "followed",
            "cards/clue",
            "cards that the receiver played onto a stack on their next turn",
            "plays followed",
        ),
        *_estimate("saves", SHARE, "share of clues that newly touched a chop and touched a critical card"),
        *_estimate("bits", "bits/clue", "information that the receiver gained about their hand"),
        *_estimate(
            "bad_touch",
            SHARE,
            "share of touched cards that were trash or duplicates of clued cards",
            "bad touch",
        ),
    ),
    "card_origins": (
        _count("cards", "cards played onto a stack", "cards"),
        _count("games", "games with at least one such card", "games"),
        *_estimate("blind", SHARE, "share of these cards that were never clued"),
        *_estimate("known", SHARE, "share of the never clued cards that their holder had deduced"),
        *_estimate("once", SHARE, "share of the cards touched by exactly one clue"),
        *_estimate("more", SHARE, "share of the cards touched by several clues"),
    ),
    "efficiency_curve": (
        FrameColumn("turn", "int16", "turn", "0..", "number of the turn, from 0"),
        _count("games", "games that reached this turn", "games"),
        *(
            _value(f"{what}_{name}", "cards/clue", f"{quantile:.0%} quantile over games: {meaning}")
            for what, meaning in (
                ("achieved", "cards gotten per clue given or lost up to this turn"),
                ("needed", "cards still to get per clue left"),
            )
            for name, quantile in QUANTILES.items()
        ),
    ),
    "wasted_tokens": (
        _text("kind", "kind of mistake; `any` counts each decision once, by its costliest mistake"),
        _count("found", "mistakes that cost tokens; for `any`, decisions"),
        FrameColumn("tokens", _NUMBER, "tokens", "0..", "clue tokens lost by them"),
        _count("games", "games in the group", "games"),
        *_estimate("per_game", "tokens/game", "clue tokens lost per game", ends=""),
    ),
    "system_guess": (
        _count("games", "games in the group", "games"),
        _text("system", "system of conventions, guessed from the moves", SYSTEMS),
        _value("margin", "", "share by which the weakest evidence exceeds its threshold"),
        _text("grounds", "the weakest evidence, or what is missing"),
        _count(
            "discards",
            "discards of unclued cards not known to be trash, from hands with other such cards",
            "cards",
        ),
        _value("oldest", SHARE, "share of these that were the oldest such card"),
        _value("leftmost", SHARE, "share of these that were the newest such card"),
        _count("clues", "clues given", "clues"),
        _value("focus", SHARE, "share of clues touching a new card that were about a card to play or save"),
        _value("only_trash", SHARE, "share of clues that touched only trash"),
        _count("plays", "cards played", "cards"),
        _value("trusted", SHARE, "share of plays of cards not known to be playable"),
        _value("right", SHARE, "share of trusted plays that succeeded"),
        _value("odds", "probability", "mean chance that trusted plays succeed, as the players saw it"),
        _value("lift", "", "(right - odds) / (1 - odds)"),
        _value("blind", SHARE, "share of plays that were trusted plays of unclued cards"),
        _value(
            "called", SHARE, "share of blind plays that followed a clue given since the player's last turn"
        ),
    ),
    "calibration": (
        _text(
            "question",
            "which cards of the hand to move, and what they were: on the chop, other unclued ones, clued"
            " ones, those discarded or played",
            CALIBRATED,
        ),
        FrameColumn("tenth", "int8", "", "0..9", "tenth of the chance that was said; null for all cards"),
        _count("cards", "cards whose odds by the cards alone are neither 0 nor 1", "cards"),
        _count("games", "games with at least one such card", "games"),
        _value("said_cards", SHARE, "mean odds by the cards alone", "by the cards alone"),
        _value("said_state", SHARE, "mean chance by the state model", "by the model"),
        _value(
            "said_act",
            SHARE,
            "mean chance by the act layer, which takes account of the decision; null for all cards in hands",
            "by the act",
        ),
        _value("was", SHARE, "share of these cards that were so"),
        _value("standard_error", SHARE, "standard error of `was`, with cards of one game dependent"),
        _count(
            "fitted", "cards in such a place and with a chance in this tenth that the model rests on", "cards"
        ),
        _value("loss_cards", "nats/card", "log loss of the odds by the cards alone, cut at 0.003"),
        _value("loss_state", "nats/card", "log loss of the state model"),
        _value("loss_act", "nats/card", "log loss of the act layer; null for all cards in hands"),
        _text("method", "how the model was made", ("shipped", "adjusted", "refitted")),
        _text("model", "the shipped model that it is or began with"),
        _text(
            "features", "whether what messages say is used, or only the context", ("conventions", "context")
        ),
        _text("corpus", "the games that it was fitted on"),
    ),
    "luck": (
        _text("loss", "what was lost: critical cards by discards, plays that did not fit, points", LOSSES),
        _count("games", "games with at least one play or discard of the group", "games"),
        _count("decisions", "discards, plays, or both, whose chances are known", "decisions"),
        _value("counted", "", "losses that came: cards, or points of the maximum score"),
        _value("expected", "", "losses that such plays and discards bring on average, by the act layer"),
        *_estimate("luck", "per game", "expected - counted, per game; above 0 is good luck", "luck per game"),
        _text("method", "how the chances were made", ("shipped", "adjusted")),
        _text("model", "the shipped model that they are from, in most of the games"),
        _text("corpus", "the games that it was fitted on"),
    ),
    "convention_coverage": (
        _count("games", "games read for conventions", "games"),
        FrameColumn("level", "int8", "", "1..25", "highest H-Group level that was read"),
        _count("actions", "actions in these games", "actions"),
        _value("unexplained", SHARE, "share of actions that no convention explains; null without actions"),
        _value(
            "uncertain", SHARE, "share of actions with more than one possible reading; null without actions"
        ),
    ),
    "convention_stats": (
        _count("uses", "actions that used this convention", "actions"),
        _count("games", "games with at least one use", "games"),
        FrameColumn("per_100", _NUMBER, "uses/100 actions", "0..100", "uses per 100 actions in the group"),
        _count(
            "opportunities",
            "turns on which it was used or a legal clue could have used it; null for stalls and for"
            " conventions that are not clues",
            "turns",
        ),
        *_estimate("taken", SHARE, "share of opportunities in which it was used"),
        _count("settled", "uses that later turns showed to have worked or not", "uses"),
        _count("cut_off", "uses cut off by the end of the game", "uses"),
        _count("superseded", "uses made unnecessary by another copy of the card", "uses"),
        *_estimate("read", SHARE, "share of settled uses in which the called players did their part"),
        *_estimate("success", SHARE, "share of settled uses in which everything called for happened"),
        *_estimate(
            "cards",
            "cards/token",
            "cards that its clues newly promised: touched, called or saved",
            "promised",
        ),
        *_estimate(
            "played",
            "cards/token",
            "cards that were played because of its clues: those that they touched or called, if they were"
            " played within two rounds, before another clue touched them",
        ),
        *_estimate(
            "cards_more",
            "cards/token",
            "played cards per token, compared with other clues at the same need",
            "more",
        ),
        *_estimate("strikes", "strikes/use", "misplays of called cards per use"),
        *_estimate("points", "points", "mean final score of the games with a use"),
        *_estimate("points_without", "points", "mean final score of the group's other games"),
        _value("null_random", "uses/100 actions", "uses by chance, in games of the agent `random`"),
        _value(
            "null_cautious", "uses/100 actions", "uses by chance, in games of the agent `cautious`", "null"
        ),
        _value("null_success", SHARE, "success by chance, in games of both agents"),
    ),
    "convention_effects": (
        _text("convention", "the convention"),
        _text(
            "outcome",
            f"what came after: points and plays of the turn itself and the next {TURNS_AFTER}, or the final"
            " score; a strikeout that forfeits the score takes it from the points, too",
            OUTCOME_NAMES,
        ),
        _count("taken", "turns that offered the convention and took it", "turns"),
        _count("declined", "turns that offered it and did something else", "turns"),
        _count("games", "games with a turn that took it", "games"),
        *_estimate(
            "effect", "points or plays", "what taking it brought, against declining it in like positions"
        ),
        _value(
            "p_value",
            "probability",
            "the largest of the p-values that the effect is 0, and that it is the placebo's or a"
            " control's; 1 where"
            " these do not point one way",
        ),
        _value("q_value", "probability", "p_value adjusted for the number of rows", "q"),
        _text(
            "verdict",
            "whether it brings more, or less, than declining it: said only where q is below 0.05",
            ("more", "less", "undecided"),
        ),
        _text(
            "why",
            "why there is no estimate, or no verdict whatever q is; null otherwise",
            (
                "few_taken",
                "few_declined",
                "few_games",
                "no_overlap",
                "no_variation",
                "no_control",
            ),
        ),
        _value("unadjusted", "points or plays", "difference of the plain means, taken less declined"),
        *_estimate(
            "placebo",
            "points or plays",
            "the same estimate for a word put on such turns at random, in the same positions as often",
        ),
        *(
            column
            for agent in ("random", "cautious")
            for column in _estimate(
                agent,
                "points or plays",
                f"the same estimate in games of the agent `{agent}`, who knows no conventions",
                {"cautious": "by chance"}.get(agent, ""),
            )
        ),
        _value("overlap", SHARE, "share of the taken turns with like positions in which it was declined"),
        _value("effective", "turns", "how many equally weighted declined turns the weighted ones are worth"),
        _value(
            "balance",
            "standard deviations",
            "largest difference that is left between taken and weighted declined turns in any variable of the"
            " position, before the outcome model; small up to 0.1",
        ),
        _value("within", SHARE, "share of the taken turns whose players are compared with themselves"),
        _value("sampled", SHARE, "share of the games that was looked at"),
    ),
    "detector_stats": (
        _text("detector", "name of the detector"),
        _text("version", "version of the detector"),
        _text("label", "what the detector found"),
        _count("uses", "actions with this label", "actions"),
        _count("games", "games with at least one such card", "games"),
        _count("opportunities", "actions that could have had it; null if the detector names none", "actions"),
        *_estimate("taken", SHARE, "share of opportunities with this label"),
        _count("settled", "uses for which the detector said whether they worked", "uses"),
        *_estimate("success", SHARE, "share of settled uses that worked"),
    ),
    "compare": (
        _text("measure", "name of the measure"),
        _text("unit", "unit of the measure; empty for a share"),
        _value("a", "", "value for group a, over its matched and weighted games"),
        _value("b", "", "value for group b, over its matched and weighted games"),
        *_estimate("difference", "", "a - b", ends=""),
        *(
            FrameColumn(
                f"matching_{end}",
                _NUMBER,
                "",
                "",
                f"{words} end of the interval adjusted for the number of rows (Benjamini & Yekutieli 2005):"
                " without 0 where q_value is at most 1 - confidence",
                is_end=True,
            )
            for end, words in (("low", "lower"), ("high", "upper"))
        ),
        _value("p_value", "probability", "two-sided p-value of the difference"),
        _value(
            "q_value",
            "probability",
            "p_value adjusted for the number of rows (Benjamini & Hochberg 1995)",
            "q",
        ),
        *(
            FrameColumn(f"{name}_{group}", kind, "", "0..", meaning)
            for group in "ab"
            for name, kind, meaning in (
                ("found", _NUMBER, f"total found in the matched games of group {group}"),
                ("opportunities", _NUMBER, f"total of opportunities in the matched games of group {group}"),
                ("games", _COUNT, f"matched games of group {group} with at least one opportunity"),
            )
        ),
        _value("unmatched", "", "difference over all games, matched or not"),
    ),
}
"""The columns of each function's frame, by the function's name, after those of the groups.

`family_rates` returns those of `rates`; `compare` has its frame in `Comparison.frame`.
"""


def dtype(column: Column) -> pl.DataType:
    """Return the type that a column has in a frame."""
    import polars as pl

    if column.words:
        return pl.Enum(column.words)
    kinds = {"str": pl.String, "int8": pl.Int8, "int16": pl.Int16, "int32": pl.Int32, _COUNT: pl.Int64}
    return kinds.get(column.type, pl.Float64)()


def schema(name: str, groups: Sequence[str] = ()) -> dict[str, pl.DataType]:
    """Return the names and types of the columns of a frame that has these columns of groups.

    >>> list(schema("losses", ["player"]).items())[:3]
    [('player', String), ('kind', String), ('games', Int64)]
    """
    columns = [*(GROUPS[group] for group in groups), *FRAMES[name]]
    return {column.name: dtype(column) for column in columns}


def finished(frame: pl.DataFrame, name: str, groups: Sequence[str] = ()) -> pl.DataFrame:
    """Return a frame with the columns that are declared for it, in their order and of their types."""
    import polars as pl

    return frame.select(pl.col(column).cast(kind) for column, kind in schema(name, groups).items())
