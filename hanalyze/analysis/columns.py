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
from hanalyze.store.mistakes import FAMILIES, SEVERITIES
from hanalyze.tables import Column

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FRAMES", "GROUPS", "QUANTILES", "SHARE", "SYSTEMS", "FrameColumn", "dtype", "finished", "schema"]

SHARE: Final = "share"
"""The unit of what people read in per cent."""

QUANTILES: Final = {"p10": 0.1, "p25": 0.25, "median": 0.5, "p75": 0.75, "p90": 0.9}

SYSTEMS: Final = ("h_group", "sieve", "hat_guessing", "none", "unknown")
"""What a guess can be. Beginners who save their chop and play what is clued count as h_group."""


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
            FrameColumn(f"{begin}{end}", _NUMBER, unit, values, f"{which} end of its interval", is_end=True)
            for end, which in (("low", "lower"), ("high", "upper"))
        ),
    )


def _text(name: str, meaning: str, words: Sequence[str] = ()) -> FrameColumn:
    return FrameColumn(name, "str", "", "", meaning, tuple(words))


GROUPS: Final = {
    column.name: column
    for column in (
        _count("game_id", "key of the game"),
        _text("game", "number of the game on its site, or its seed, or its key"),
        _text("player", "name of the player"),
        _text("partner", "name of the other player of a pair"),
        FrameColumn("seat", "int8", "seat", "0..5", "seat of the player, 0 the first"),
        FrameColumn("players", "int8", "players", "2..6", "team size"),
        _text("variant", "name of the variant"),
        _text("edition", "the rules that were played by"),
        _text("source", "where the log says that the game comes from"),
        _text("turn", "turns, by tens, from 0"),
        FrameColumn("rank", "int8", "rank", "1..5, 7 START", "rank of the card"),
        FrameColumn("suit", "int8", "suit", "0..5", "suit of the card"),
        _text("phase", "part of the game", PHASES),
        _text("score", "final score as a share of the full score", SCORES),
        _text("severity", "what the player could know, or what came of it", tuple(SEVERITIES)),
        _text("kind", "kind of clue", ("colour", "rank")),
        FrameColumn("level", "int32", "", "1..25", "the H-Group's level of the conventions"),
        _text("convention", "the convention"),
    )
}
"""The columns of groups, by name; `rates` and `convention_stats` say which groupings have which."""

_GAMES: Final = _count("games", "games that count here", "games")
_MEAN: Final = _estimate("mean", "points", "mean final score", "mean score")
_PERFECT: Final = _estimate("perfect", SHARE, "games with the full score")

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
                f"decisions with a mistake about a {family}, of those in which one could be made",
                f"{family} mistakes",
            )
        ),
    ),
    "rates": (
        _text("kind", "kind of mistake, or family of kinds"),
        _count("found", "decisions with such a mistake", "decisions"),
        _count("opportunities", "decisions in which it could be made", "decisions"),
        _count("games", "games with an opportunity", "games"),
        *_estimate("rate", SHARE, "found of the opportunities", ends=""),
        _value("p_value", "probability", "of such a difference to all other groups by chance, two-sided"),
        _value("q_value", "probability", "p_value, adjusted for all rows (Benjamini & Hochberg 1995)", "q"),
        FrameColumn(
            "points", _COUNT, "points", "0..", "points of the maximum score that the found ones lost"
        ),
    ),
    "scores": (
        _GAMES,
        *_MEAN,
        _value("median", "points", "median final score"),
        _count("perfect_games", "games with the full score", "games"),
        *_PERFECT,
        *(_value(f"ended_{end.label}", SHARE, f"games that ended so: {end.label}") for end in EndCondition),
    ),
    "losses": (
        _text(
            "kind",
            "kind of mistake, or `forfeited`: lost with the game, or `unplayed`: still possible at its end",
        ),
        _count("games", "all games of the group", "games"),
        _count("points", "points lost", "points"),
        *_estimate("per_game", "points/game", "points lost per game", ends=""),
    ),
    "clue_values": (
        _count("clues", "clues given", "clues"),
        _count("games", "games with a clue", "games"),
        *_estimate(
            "gotten",
            "cards/clue",
            "cards that the clue was the first to touch and that count as gotten at the end of the game",
            "cards gotten",
        ),
        *_estimate(
            "followed",
            "cards/clue",
            "cards that the receiver played onto a stack on their next turn",
            "plays followed",
        ),
        *_estimate("saves", SHARE, "clues that newly touched a chop and touched a critical card"),
        *_estimate("bits", "bits/clue", "what the receiver learned of their own hand"),
        *_estimate(
            "bad_touch",
            SHARE,
            "of the touched cards, those that were trash or copies of clued cards",
            "bad touch",
        ),
    ),
    "card_origins": (
        _count("cards", "cards played onto a stack", "cards"),
        _count("games", "games with one", "games"),
        *_estimate("blind", SHARE, "of these cards, those that no clue ever touched"),
        *_estimate("known", SHARE, "of the blind ones, those that their holder knew without a clue to them"),
        *_estimate("once", SHARE, "of the cards, those that one clue touched"),
        *_estimate("more", SHARE, "of the cards, those that several clues touched"),
    ),
    "efficiency_curve": (
        FrameColumn("turn", "int16", "turn", "0..", "number of the turn, the first is 0"),
        _count("games", "games that had this turn", "games"),
        *(
            _value(f"{what}_{name}", "cards/clue", f"{quantile:.0%} quantile of the games' {meaning}")
            for what, meaning in (
                ("achieved", "cards gotten per clue given or lost up to this turn"),
                ("needed", "cards yet to get per clue left"),
            )
            for name, quantile in QUANTILES.items()
        ),
    ),
    "wasted_tokens": (
        _text("kind", "kind of mistake, or `any`: each decision once, by its dearest mistake"),
        _count("found", "mistakes that cost tokens; of `any`, decisions"),
        FrameColumn("tokens", _NUMBER, "tokens", "0..", "clue tokens that they cost"),
        _count("games", "all games of the group", "games"),
        *_estimate("per_game", "tokens/game", "clue tokens per game", ends=""),
    ),
    "system_guess": (
        _count("games", "games of the group", "games"),
        _text("system", "the guess", SYSTEMS),
        _value("margin", "", "share by which the weakest ground is beyond its threshold"),
        _text("grounds", "the weakest ground, or what is missing"),
        _count(
            "discards", "discards of cards never clued, not known to be trash, with others like them", "cards"
        ),
        _value("oldest", SHARE, "of these, those of the oldest such card"),
        _value("leftmost", SHARE, "of these, those of the newest such card"),
        _count("clues", "clues given", "clues"),
        _value("focus", SHARE, "of clues to a new card, those about a card to play or to save"),
        _value("only_trash", SHARE, "of the clues, those that touched nothing but trash"),
        _count("plays", "cards played", "cards"),
        _value("trusted", SHARE, "of the plays, those not known to be right"),
        _value("right", SHARE, "of the trusted plays, those that were right"),
        _value("odds", "probability", "mean chance that the player had of being right in these"),
        _value("lift", "", "(right - odds) / (1 - odds)"),
        _value("blind", SHARE, "of the plays, those that were trusted and of cards never clued"),
        _value("called", SHARE, "of the blind ones, those with a clue since the player's last turn"),
    ),
    "convention_coverage": (
        _count("games", "games that were read", "games"),
        FrameColumn("level", "int8", "", "1..25", "the H-Group's level up to which they were read"),
        _count("actions", "actions of these games", "actions"),
        _value("unexplained", SHARE, "actions that no convention explains; null without an action"),
        _value("uncertain", SHARE, "actions with more than one reading open; null without an action"),
    ),
    "convention_stats": (
        _count("uses", "actions that were this convention", "actions"),
        _count("games", "games with a use", "games"),
        FrameColumn("per_100", _NUMBER, "uses/100 actions", "0..100", "uses in 100 actions of the group"),
        _count(
            "opportunities",
            "turns on which some legal clue would have been it, or that were used for it; null for what is no"
            " clue, and for stalls",
            "turns",
        ),
        *_estimate("taken", SHARE, "of the opportunities, those that were used for it"),
        _count("settled", "uses of which later turns said whether they worked", "uses"),
        _count("cut_off", "uses that the end of the game cut off", "uses"),
        _count("superseded", "uses that another copy of the card made needless", "uses"),
        *_estimate("read", SHARE, "of the settled uses, those in which the called players did their part"),
        *_estimate("success", SHARE, "of the settled uses, those in which all that was called came about"),
        *_estimate("cards", "cards/token", "cards that a clue newly got: touched, called or saved"),
        *_estimate(
            "cards_more", "cards/token", "how much more than other clues where as much was needed", "more"
        ),
        *_estimate("strikes", "strikes/use", "misplays of called cards"),
        *_estimate("points", "points", "mean final score of the games with a use"),
        *_estimate("points_without", "points", "mean final score of the group's other games"),
        _value("null_random", "uses/100 actions", "the same by chance, in games of the agent `random`"),
        _value("null_cautious", "uses/100 actions", "the same in games of the agent `cautious`", "null"),
        _value("null_success", SHARE, "success by chance, in games of both"),
    ),
    "detector_stats": (
        _text("detector", "name of the detector"),
        _text("version", "its version"),
        _text("label", "what it found"),
        _count("uses", "actions that had it", "actions"),
        _count("games", "games with one", "games"),
        _count(
            "opportunities", "actions that could have had it; null where the detector names none", "actions"
        ),
        *_estimate("taken", SHARE, "of the opportunities, those that had it"),
        _count("settled", "uses of which the detector said whether they worked", "uses"),
        *_estimate("success", SHARE, "of the settled uses, those that worked"),
    ),
    "compare": (
        _text("measure", "name of the measure"),
        _text("unit", "its unit, empty for a share"),
        _value("a", "", "the ratio of the first group's matched and weighted games"),
        _value("b", "", "the same of the second group"),
        *_estimate("difference", "", "a - b", ends=""),
        _value("p_value", "probability", "of such a difference by chance, two-sided"),
        _value("q_value", "probability", "p_value, adjusted for all rows (Benjamini & Hochberg 1995)", "q"),
        *(
            FrameColumn(f"{name}_{group}", kind, "", "0..", f"{meaning} of group {group}")
            for group in "ab"
            for name, kind, meaning in (
                ("found", _NUMBER, "what was found in the matched games"),
                ("opportunities", _NUMBER, "of how much, in the matched games"),
                ("games", _COUNT, "matched games with an opportunity"),
            )
        ),
        _value("unmatched", "", "the difference of all games, matched or not"),
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
