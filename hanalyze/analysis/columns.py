"""Every column of the frames that `hanalyze.analysis` returns: name, type, unit, range, meaning, heading.

A frame has the columns of its groups (`GROUPS`), if it is grouped, and then its own (`FRAMES`). The functions
make their frames by these lists, and the commands take headings and per cent from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hanalyze.analysis.allowed_values import (
    CALIBRATED,
    LOSSES,
    OUTCOME_NAMES,
    QUANTILES,
    SYSTEMS,
    TURNS_AFTER,
)
from hanalyze.analysis.comparison_columns import COMPARISONS
from hanalyze.analysis.difficulty_columns import DEAL_DIFFICULTY
from hanalyze.analysis.frame_column import (
    COUNT,
    NUMBER,
    SHARE,
    FrameColumn,
    count,
    ended,
    estimate,
    text,
    value,
)
from hanalyze.analysis.grouping import PHASES, SCORES
from hanalyze.analysis.points_lost_columns import LOST_POINTS
from hanalyze.analysis.research_columns import RESEARCH
from hanalyze.game.rules import EndCondition
from hanalyze.lazy import polars as pl
from hanalyze.store.definitions import FAMILIES
from hanalyze.store.mistakes import SEVERITIES
from hanalyze.tables import Column

GROUPS: Final = {
    column.name: column
    for column in (
        count("game_id", "key of the game"),
        text("game", "the game's number on its site, or its seed, or its key"),
        text("player", "name of the player"),
        text("partner", "name of the other player of a pair"),
        text("receiver", "name of the player whom the message calls first, or else of the one it is for"),
        FrameColumn("seat", "int8", "seat", "0..5", "seat of the player, from 0"),
        FrameColumn("players", "int8", "players", "2..6", "team size"),
        text("variant", "name of the variant"),
        text("edition", "edition of the rules"),
        text("source", "origin of the game, according to the log"),
        text("turn", "range of ten turns, counted from 0"),
        FrameColumn("rank", "int8", "rank", "1..5, 7 START", "rank of the card"),
        FrameColumn("suit", "int8", "suit", "0..5", "suit of the card"),
        text("phase", "part of the game", PHASES),
        text("score", "final score as a share of the full score", SCORES),
        text("severity", "what the player could know, or how it turned out", tuple(SEVERITIES)),
        text("kind", "kind of clue", ("colour", "rank")),
        FrameColumn("level", "int32", "", "1..25", "H-Group level of the conventions"),
        text("convention", "the convention"),
    )
}
"""The columns of groups, by name; `rates` and `convention_stats` say which groupings have which."""

_GAMES: Final = count("games", "games counted", "games")
_MEAN: Final = estimate("mean", "points", "mean final score", "mean score")
_PERFECT: Final = estimate("perfect", SHARE, "share of games with the full score")

FRAMES: Final[dict[str, tuple[FrameColumn, ...]]] = {
    "overview": (
        _GAMES,
        *_MEAN,
        *_PERFECT,
        *(
            column
            for family in FAMILIES
            for column in estimate(
                family,
                SHARE,
                f"share of the opportunities for a {family} mistake in which one was made",
                f"{family} mistakes",
            )
        ),
    ),
    "rates": (
        text("kind", "kind of mistake, or family of kinds"),
        count("found", "decisions with this mistake", "decisions"),
        count("opportunities", "decisions in which this mistake was possible", "decisions"),
        count("games", "games with at least one opportunity", "games"),
        *estimate("rate", SHARE, "found / opportunities", ends=""),
        value("p_value", "probability", "two-sided p-value of the difference from all other groups"),
        value(
            "q_value",
            "probability",
            "p_value adjusted for the number of rows (Benjamini & Hochberg 1995)",
            "q",
        ),
        value(
            "shrunk",
            SHARE,
            "by player: rate drawn towards that of all players (empirical Bayes), the more the less is known;"
            " null where fewer than three players have a rate, and for other groups",
        ),
        FrameColumn("points", COUNT, "points", "0..", "points of the maximum score lost by these mistakes"),
    ),
    "scores": (
        _GAMES,
        *_MEAN,
        value("p_value", "probability", "two-sided p-value of the mean's difference from all other groups"),
        value(
            "q_value",
            "probability",
            "p_value adjusted for the number of rows (Benjamini & Hochberg 1995)",
            "q",
        ),
        value("median", "points", "median final score"),
        count("finished_games", "games that were played to their end", "games"),
        *estimate("finished", "points", "mean final score of the games that were played to their end"),
        count("perfect_games", "games with the full score", "games"),
        *_PERFECT,
        *(
            column
            for end in EndCondition
            for column in ended(end.label, f"share of games whose end condition is {end.label}")
        ),
    ),
    "losses": (
        text(
            "kind",
            "kind of mistake; `forfeited`: lost with the game; `unplayed`: still possible at its end",
        ),
        count("games", "games in the group", "games"),
        count("points", "points lost", "points"),
        *estimate("per_game", "points/game", "points lost per game", ends=""),
    ),
    "lost_points": LOST_POINTS,
    "deal_difficulty": DEAL_DIFFICULTY,
    "clue_values": (
        count("clues", "clues given", "clues"),
        count("games", "games with at least one clue", "games"),
        *estimate(
            "gotten",
            "cards/clue",
            "cards first touched by the clue that count as gotten at the end of the game",
            "cards gotten",
        ),
        *estimate(
            "followed",
            "cards/clue",
            "cards that the receiver played onto a stack on their next turn",
            "plays followed",
        ),
        *estimate("saves", SHARE, "share of clues that newly touched a chop and touched a critical card"),
        *estimate("bits", "bits/clue", "information that the receiver gained about their hand"),
        *estimate(
            "bad_touch",
            SHARE,
            "share of touched cards that were trash or duplicates of clued cards",
            "bad touch",
        ),
    ),
    "card_origins": (
        count("cards", "cards played onto a stack", "cards"),
        count("games", "games with at least one such card", "games"),
        *estimate("blind", SHARE, "share of these cards that were never clued"),
        *estimate("known", SHARE, "share of the never clued cards that their holder had deduced"),
        *estimate("once", SHARE, "share of the cards touched by exactly one clue"),
        *estimate("more", SHARE, "share of the cards touched by several clues"),
    ),
    "efficiency_curve": (
        FrameColumn("turn", "int16", "turn", "0..", "number of the turn, from 0"),
        count("games", "games that reached this turn", "games"),
        *(
            value(f"{what}_{name}", "cards/clue", f"{quantile:.0%} quantile over games: {meaning}")
            for what, meaning in (
                ("achieved", "cards gotten per clue given or lost up to this turn"),
                ("needed", "cards still to get per clue left"),
            )
            for name, quantile in QUANTILES.items()
        ),
    ),
    "wasted_tokens": (
        text("kind", "kind of mistake; `any` counts each decision once, by its costliest mistake"),
        count("found", "mistakes that cost tokens; for `any`, decisions"),
        FrameColumn("tokens", NUMBER, "tokens", "0..", "clue tokens lost by them"),
        count("games", "games in the group", "games"),
        *estimate("per_game", "tokens/game", "clue tokens lost per game", ends=""),
    ),
    "system_guess": (
        count("games", "games in the group", "games"),
        text("system", "system of conventions, guessed from the moves", SYSTEMS),
        value("margin", "", "share by which the weakest evidence exceeds its threshold"),
        text("grounds", "the weakest evidence, or what is missing"),
        count(
            "discards",
            "discards of unclued cards not known to be trash, from hands with other such cards",
            "cards",
        ),
        value("oldest", SHARE, "share of these that were the oldest such card"),
        value("leftmost", SHARE, "share of these that were the newest such card"),
        count("clues", "clues given", "clues"),
        value("focus", SHARE, "share of clues touching a new card that were about a card to play or save"),
        value("only_trash", SHARE, "share of clues that touched only trash"),
        count("plays", "cards played", "cards"),
        value("trusted", SHARE, "share of plays of cards not known to be playable"),
        value("right", SHARE, "share of trusted plays that succeeded"),
        value("odds", "probability", "mean chance that trusted plays succeed, as the players saw it"),
        value("lift", "", "(right - odds) / (1 - odds)"),
        value("blind", SHARE, "share of plays that were trusted plays of unclued cards"),
        value(
            "called", SHARE, "share of blind plays that followed a clue given since the player's last turn"
        ),
    ),
    "calibration": (
        text(
            "question",
            "which cards of the hand to move, and what they were: on the chop, other unclued ones, clued"
            " ones, those discarded or played",
            CALIBRATED,
        ),
        FrameColumn("tenth", "int8", "", "0..9", "tenth of the chance that was said; null for all cards"),
        count("cards", "cards whose odds by the cards alone are neither 0 nor 1", "cards"),
        count("games", "games with at least one such card", "games"),
        value("said_cards", SHARE, "mean odds by the cards alone", "by the cards alone"),
        value("said_state", SHARE, "mean chance by the state model", "by the model"),
        value(
            "said_act",
            SHARE,
            "mean chance by the act layer, which takes account of the decision; null for all cards in hands",
            "by the act",
        ),
        value("was", SHARE, "share of these cards that were so"),
        value("standard_error", SHARE, "standard error of `was`, with cards of one game dependent"),
        count(
            "fitted", "cards in such a place and with a chance in this tenth that the model rests on", "cards"
        ),
        value("loss_cards", "nats/card", "log loss of the odds by the cards alone, cut at 0.003"),
        value("loss_state", "nats/card", "log loss of the state model"),
        value("loss_act", "nats/card", "log loss of the act layer; null for all cards in hands"),
        text("method", "how the model was made", ("shipped", "adjusted", "refitted")),
        text("model", "the shipped model that it is or began with"),
        text(
            "features", "whether what messages say is used, or only the context", ("conventions", "context")
        ),
        text("corpus", "the games that it was fitted on"),
    ),
    "luck": (
        text("loss", "what was lost: critical cards by discards, plays that did not fit, points", LOSSES),
        count("games", "games with at least one play or discard of the group", "games"),
        count("decisions", "discards, plays, or both, whose chances are known", "decisions"),
        value("counted", "", "losses that came: cards, or points of the maximum score"),
        value("expected", "", "losses that such plays and discards bring on average, by the act layer"),
        *estimate("luck", "per game", "expected - counted, per game; above 0 is good luck", "luck per game"),
        text("method", "how the chances were made", ("shipped", "adjusted")),
        text("model", "the shipped model that they are from, in most of the games"),
        text("corpus", "the games that it was fitted on"),
    ),
    "convention_coverage": (
        count("games", "games read for conventions", "games"),
        FrameColumn("level", "int8", "", "1..25", "highest H-Group level that was read"),
        count("actions", "actions in these games", "actions"),
        value("unexplained", SHARE, "share of actions that no convention explains; null without actions"),
        value(
            "uncertain", SHARE, "share of actions with more than one possible reading; null without actions"
        ),
    ),
    "convention_stats": (
        count("uses", "actions that used this convention", "actions"),
        count("games", "games with at least one use", "games"),
        FrameColumn("per_100", NUMBER, "uses/100 actions", "0..100", "uses per 100 actions in the group"),
        count(
            "opportunities",
            "turns on which it was used or a legal clue could have used it; null for stalls and for"
            " conventions that are not clues",
            "turns",
        ),
        *estimate("taken", SHARE, "share of opportunities in which it was used"),
        count("settled", "uses that later turns showed to have worked or not", "uses"),
        count("cut_off", "uses cut off by the end of the game", "uses"),
        count("superseded", "uses made unnecessary by another copy of the card", "uses"),
        *estimate("read", SHARE, "share of settled uses in which the called players did their part"),
        *estimate("success", SHARE, "share of settled uses in which everything called for happened"),
        *estimate(
            "cards",
            "cards/token",
            "cards that its clues newly promised: touched, called or saved",
            "promised",
        ),
        *estimate(
            "played",
            "cards/token",
            "cards that were played because of its clues: those that they touched or called, if they were"
            " played within two rounds, before another clue touched them",
        ),
        *estimate(
            "cards_more",
            "cards/token",
            "played cards per token, compared with other clues at the same need",
            "more",
        ),
        *estimate("strikes", "strikes/use", "misplays of called cards per use"),
        *estimate("points", "points", "mean final score of the games with a use"),
        *estimate("points_without", "points", "mean final score of the group's other games"),
        value("null_random", "uses/100 actions", "uses by chance, in games of the agent `random`"),
        value(
            "null_cautious", "uses/100 actions", "uses by chance, in games of the agent `cautious`", "null"
        ),
        value("null_success", SHARE, "success by chance, in games of both agents"),
    ),
    "convention_effects": (
        text("convention", "the convention"),
        text(
            "outcome",
            f"what came after: points and plays of the turn itself and the next {TURNS_AFTER}, or the final"
            " score; a strikeout that forfeits the score takes it from the points, too",
            OUTCOME_NAMES,
        ),
        count("taken", "turns that offered the convention and took it", "turns"),
        count("declined", "turns that offered it and did something else", "turns"),
        count("games", "games with a turn that took it", "games"),
        *estimate(
            "effect", "points or plays", "what taking it brought, against declining it in like positions"
        ),
        value(
            "p_value",
            "probability",
            "the largest of the p-values that the effect is 0, and that it is the placebo's or a"
            " control's; 1 where"
            " these do not point one way",
        ),
        value("q_value", "probability", "p_value adjusted for the number of rows", "q"),
        text(
            "verdict",
            "whether it brings more, or less, than declining it: said only where q is below 0.05",
            ("more", "less", "undecided"),
        ),
        text(
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
        value("unadjusted", "points or plays", "difference of the plain means, taken less declined"),
        *estimate(
            "placebo",
            "points or plays",
            "the same estimate for a word put on such turns at random, in the same positions as often",
        ),
        *(
            column
            for agent in ("random", "cautious")
            for column in estimate(
                agent,
                "points or plays",
                f"the same estimate in games of the agent `{agent}`, who knows no conventions",
                {"cautious": "by chance"}.get(agent, ""),
            )
        ),
        value("overlap", SHARE, "share of the taken turns with like positions in which it was declined"),
        value("effective", "turns", "how many equally weighted declined turns the weighted ones are worth"),
        value(
            "balance",
            "standard deviations",
            "largest difference that is left between taken and weighted declined turns in any variable of the"
            " position, before the outcome model; small up to 0.1",
        ),
        value("within", SHARE, "share of the taken turns whose players are compared with themselves"),
        value("sampled", SHARE, "share of the games that was looked at"),
    ),
    "detector_stats": (
        text("detector", "name of the detector"),
        text("version", "version of the detector"),
        text("label", "what the detector found"),
        count("uses", "actions with this label", "actions"),
        count("games", "games with at least one such card", "games"),
        count("opportunities", "actions that could have had it; null if the detector names none", "actions"),
        *estimate("taken", SHARE, "share of opportunities with this label"),
        count("settled", "uses for which the detector said whether they worked", "uses"),
        *estimate("success", SHARE, "share of settled uses that worked"),
    ),
    **COMPARISONS,
    **RESEARCH,
}
"""The columns of each function's frame, by the function's name, after those of the groups.

`family_rates` returns those of `rates`; `compare` has its frame in `Comparison.frame`.
"""


def dtype(column: Column) -> pl.DataType:
    """Return the type that a column has in a frame."""
    if column.words:
        return pl.Enum(column.words)
    kinds = {"str": pl.String, "int8": pl.Int8, "int16": pl.Int16, "int32": pl.Int32, COUNT: pl.Int64}
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
    return frame.select(pl.col(column).cast(kind) for column, kind in schema(name, groups).items())
