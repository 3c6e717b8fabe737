"""Registry of the tables over many games, each with a function, groupings, a title and a note."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Final

from hanalyze import analysis
from hanalyze.analysis.calibration import CALIBRATION_BY
from hanalyze.analysis.effectiveness import CONVENTIONS_BY
from hanalyze.analysis.efficiency import CARDS_BY, CLUES_BY, CURVE_BY
from hanalyze.analysis.hindsight import HINDSIGHT_BY
from hanalyze.analysis.luck import LUCK_BY
from hanalyze.analysis.overview import OVERVIEW_BY
from hanalyze.analysis.rates import BY
from hanalyze.analysis.scores import SCORES_BY
from hanalyze.analysis.systems import SYSTEMS_BY
from hanalyze.errors import UnknownName
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.tables.solved import LOSS_CAUSES
from hanalyze.text import plural
from hanalyze.words import ENOUGH_CARDS

INTERVALS: Final = (
    "[in brackets]: 95% interval, from the variation between whole games (shares: Wilson; means: score"
    " intervals, or Student's if values can be negative, none below 20 games, or below 200 if struck-out"
    " games count as 0)"
)
"""The note on intervals below most tables."""


@dataclass(frozen=True)
class Report:
    """A table over many games. `hanalyze.analysis.FRAMES` lists its columns under the name of its function.

    * `function` of `hanalyze.analysis` returns the table; `options` are its further keyword arguments.
    * `groupings` are the values of `by`, and `default` is the value used if none is given.
    * `subject` describes the table in the help, and `title` the line above the table.
    * `note` and the result of `details` are the text below the table. `empty` is printed instead of a table
      without rows.
    * `selected` returns the rows and columns to print. Of the rows, only those with at least one of the rates
      `rated` are printed; `unit` is the noun for the opportunities that a rate needs.
    * `columns`, if given, are printed with their intervals after the groups; all others are left out.
    * `short`, if given, is the note of the short form, which has one row per group. This form is printed if
      there are several groups and several kinds of mistakes, unless all rows are wanted.
    """

    function: Callable[..., pl.DataFrame]
    subject: str = ""
    _: KW_ONLY
    groupings: Sequence[str] = ()
    default: str | None = None
    options: Sequence[str] = ()
    title: str | Callable[[pl.DataFrame], str] = ""
    note: str = ""
    short: str = ""
    details: Callable[[pl.DataFrame], str] = lambda frame: ""
    empty: str = ""
    rated: Sequence[str] = ()
    unit: str = "opportunities"
    columns: Sequence[str] = ()
    selected: Callable[[pl.DataFrame], pl.DataFrame] = lambda frame: frame

    @property
    def frame(self) -> str:
        """Name of the table in `hanalyze.analysis.FRAMES`, and its key in JSON."""
        return self.function.__name__

    def make(self, db: Database, *kinds: str, by: str | None = None, **options: Any) -> pl.DataFrame:
        """Return the table; `options` that its function does not accept are ignored.

        Raises `UnknownName` for a grouping if the table has no groupings.
        """
        accepted = {name: value for name, value in options.items() if name in self.options}
        if self.groupings:
            accepted["by"] = by or self.default
        elif by is not None:
            raise UnknownName("grouping", by, advice="leave it out: this table has no groupings")
        return self.function(db, *kinds, **accepted)


_FINISHED: Final = "finished (if shown): mean score of the games that were played to their end"
_Q: Final = "q: adjusted p-value of the difference from all other groups (docs/measures.md)"
_MISPLAYS: Final = " (docs/mistakes.md: three rates of misplays)"

_CHANCE_METHODS: Final = {
    "shipped": "as it is shipped",
    "adjusted": "recalibrated for each place and target",
    "refitted": "refitted",
}


def _calibration_details(frame: pl.DataFrame) -> str:
    if frame.is_empty():
        return ""
    first = frame.row(0, named=True)
    used = "messages and context" if first["features"] == "conventions" else "context (no conventions read)"
    return (
        f"cards of the player to move whose card-counting odds are neither 0 nor 1; model of {used}:"
        f' "{first["model"]}", {_CHANCE_METHODS[first["method"]]}\n'
        f"fitted on {first['corpus']}\n"
        "said: by the model; for played or discarded cards, by its act layer, which also uses the decision\n"
        "±: standard error, games as clusters; training cards: those of the model in this tenth"
        f" (about: below {ENOUGH_CARDS})\n"
        "log loss: card counting / model / act; lower is better"
    )


_OF_ALL: Final = "by player and partner: of all players in their games\n"

STATS_REPORTS: Final = {
    "overview": Report(
        analysis.overview,
        "scores and mistakes (default)",
        groupings=OVERVIEW_BY,
        options=("minimum", "folder"),
        note="mistakes: share of the opportunities with a mistake of the family; play mistakes are not only"
        f" misplays{_MISPLAYS}\n{_FINISHED}\n{INTERVALS}",
        rated=("discard", "play", "clue"),
    ),
    "mistakes": Report(
        analysis.rates,
        "each kind",
        groupings=BY,
        options=("minimum", "folder"),
        note="rate: share of the opportunities; shrunk: rate shrunk towards that of all players, more"
        " strongly with less data\nmisplay: misplays that the player is to blame for"
        f"{_MISPLAYS}\n{_Q}\n{INTERVALS}",
        short="games: games with an opportunity, for the kind with the most such games; mistakes: of all"
        " kinds; costliest kinds: points lost (number of mistakes)"
        "\nhigher, lower (if any): kinds whose rate differs clearly from that of all"
        " other groups, q at most 0.05\n--all: every kind, with its rate and interval",
        rated=("rate",),
    ),
    "clues": Report(
        analysis.clue_values,
        "cards gained per clue",
        groupings=CLUES_BY,
        options=("minimum",),
        note="values are per clue, except saves (share of the clues) and bad touch (share of the touched"
        " cards)\n" + INTERVALS,
        rated=("gotten",),
        unit="clues",
    ),
    "wasted-tokens": Report(
        analysis.wasted_tokens,
        "clue tokens wasted by mistakes",
        groupings=SCORES_BY,
        options=("folder",),
        note="clue tokens wasted by mistakes, per game; any: each decision counted once\n"
        f"{_OF_ALL}{INTERVALS}",
    ),
    "cards": Report(
        analysis.card_origins,
        "number of clues on played cards",
        groupings=CARDS_BY,
        options=("minimum",),
        note="share of the cards played: never clued (of these, deduced without a clue), clued once,"
        " clued more often\n" + INTERVALS,
        rated=("blind",),
        unit="cards",
    ),
    "curve": Report(
        analysis.efficiency_curve,
        "efficiency by turn",
        groupings=CURVE_BY,
        note="cards per clue in games that reached the turn: achieved so far, and needed afterwards",
    ),
    "scores": Report(
        analysis.scores,
        "scores and endings",
        groupings=SCORES_BY,
        note=f"points, and end conditions of games\n{_FINISHED}\n{_Q}\n{INTERVALS}",
    ),
    "points-short": Report(
        analysis.points_short,
        "points short of the full score, by kind of loss",
        groupings=SCORES_BY,
        options=("folder",),
        note="points short of the full score, per game; forfeited: lost because the game was lost, for"
        " example by strikes; unplayed: still possible at the end of another game, and not charged to a"
        " mistake\n"
        f"{_OF_ALL}{INTERVALS}",
    ),
    "hindsight-losses": Report(
        analysis.hindsight_losses,
        "points lost in hindsight, with all cards open, after `hanalyze solve`",
        groupings=HINDSIGHT_BY,
        note="points that a move put out of reach, with all cards open: the player could not always know"
        " this\n"
        + "".join(f"cause {name}: {meaning}\n" for name, meaning in LOSS_CAUSES.items())
        + "kind: kind of move; a play is a successful play\n"
        "phase: early until the first discard, late once the pace is no longer low-risk or the deck is"
        " empty\n"
        "struck out: the last strike cost points; finished: points per game in the other games\n"
        "impossible deals: nobody could have won them\n"
        "games still open: part of their losses is unknown; a larger --budget of `hanalyze solve` may"
        " find it\n" + INTERVALS,
        empty="no game was solved: run `hanalyze solve` on this database first",
    ),
    "systems": Report(
        analysis.system_guess,
        "the guessed system of conventions (also by game and source)",
        groupings=SYSTEMS_BY,
        note="a guess from the moves; margin: how far the weakest evidence exceeds its threshold\noldest,"
        " leftmost: shares of the oldest and the newest unclued card in discards of unclued cards\nfocus:"
        " share of clues to new cards that are about a card to play or save\ntrusted: share of plays that"
        " are of cards not known to be playable; right, odds: share of these that succeeded, and their mean"
        " chance of success\nblind: share of plays that are trusted plays of unclued cards; called: share of"
        " these that follow a clue",
    ),
    "conventions": Report(
        analysis.convention_stats,
        "how often each convention was understood and worked (also by receiver)",
        groupings=CONVENTIONS_BY,
        options=("minimum",),
        note="read: share of the settled uses in which the called players responded; success: share in"
        " which everything called for happened; strikes per use\nreceiver: the player who was called first"
        " (for a prompt, the holder of the card)\n" + INTERVALS,
        rated=("success",),
        unit="uses",
        columns=("uses", "settled", "read", "success", "strikes"),
    ),
    "effects": Report(
        analysis.convention_effects,
        "final scores after clues of each convention, and after other clues",
        options=("minimum",),
        note="effect: outcome after a clue that used the convention, less that after other clues in similar"
        " positions that offered it;\n  only the final score is tested, not the points and plays of that turn"
        " and the next 6\nbalance: largest difference between the positions of both, in standard deviations;"
        " up to 0.1 for a verdict\noverlap: share of such clues with similar other clues; q: adjusted p-value"
        " of the hypothesis that the final score differs by at most 0.2 points,\n  as unmeasured differences"
        " between positions can cause\nmore, less: associated with a higher or lower final score, if q is"
        " below 0.005; no verdict on saves, which often replace a discard\n"
        "[in brackets]: 95% interval, games as clusters",
        rated=("effect",),
        unit="clues with it, or without it,",
        columns=(
            *("convention", "outcome", "taken", "declined", "effect", "overlap", "balance"),
            *("q_value", "verdict"),
        ),
    ),
    "experiment": Report(
        analysis.experiment_effects,
        "the effect of each convention in experiments (`simulate --override`)",
        options=("minimum",),
        note="effect: mean outcome where the coin chose the convention, less that where it chose another"
        " clue: the effect for these agents\nq: adjusted p-value of the difference in the final score; more,"
        " less: q is below 0.005\n[in brackets]: 95% interval, games as clusters",
        empty="no coin tosses between clues: simulate games with `--override`",
        rated=("effect",),
        unit="tosses for each side",
        columns=("convention", "outcome", "taken", "declined", "effect", "q_value", "verdict"),
    ),
    "calibration": Report(
        analysis.calibration,
        "predicted chances of cards, compared with outcomes",
        groupings=CALIBRATION_BY,
        options=("most",),
        details=_calibration_details,
    ),
    "luck": Report(
        analysis.luck,
        "losses by plays and discards, and the average losses of such moves (--by game: of each game)",
        groupings=LUCK_BY,
        default="player",
        note="last copy: critical cards discarded; misplay: failed plays, whoever is to blame; points: points"
        " of the maximum score lost by both;\n  without losses charged to an earlier move, such as a missed"
        " save\nexpected: what such plays and discards lose on average; luck:"
        " expected - counted, per game\n" + INTERVALS,
        details=lambda frame: f'chances: model "{frame["model"][0]}", fitted on {frame["corpus"][0]}',
        empty="no chances: read the games with `hanalyze conventions` first",
        selected=lambda frame: frame.drop("method", "model", "corpus"),
    ),
}

RESEARCH_REPORTS: Final = {
    "scores": Report(
        analysis.research_scores,
        title="Mean scores: a game lost by strikes counts as 0 (strict) or by the cards on its stacks (kept);"
        " SEM: standard error",
    ),
    "players": Report(analysis.research_players, "communication and knowledge", title="Players"),
    "hints": Report(
        analysis.hint_response,
        "the receiver's next action",
        title="Next turn of a hint's receiver; response: plays or discards a card that the hint was the"
        " first to touch",
    ),
    "diversity": Report(
        analysis.action_diversity,
        "entropy of actions and responses, coordination",
        title="Entropy of actions and of the next player's responses; coordination: their mutual"
        " information, in bits",
    ),
    "dominated": Report(
        analysis.dominated_moves,
        "moves that were certainly worse than another move",
        title="Dominated moves: by card counting, another move was certainly better; dominant: share of turns"
        " with a certainly playable card on which such a card was played",
    ),
    "information": Report(
        analysis.action_information,
        "of consecutive actions",
        title="Mutual information of consecutive actions",
    ),
    "matrix": Report(
        analysis.action_matrix,
        "frequencies of pairs of consecutive actions",
        title="Most frequent pairs of consecutive actions"
        " (P1: play slot 1, D: discard, C2+1: second colour to the next player, R5+1: rank 5)",
        selected=lambda frame: frame.sort("pairs", descending=True, maintain_order=True),
    ),
    "cross-play": Report(
        analysis.cross_play,
        title="Cross-play: mean scores of agents at the first and second seat, two players; an agent"
        " with itself is self-play",
        empty="no two-player games with names of players",
    ),
    "readings": Report(
        analysis.misreadings,
        "misread cards, after `hanalyze conventions DB`",
        title="Cards that their holder misread after a message, by pair and convention of the message",
        empty="no game was read for conventions: run `hanalyze conventions` on this database first",
        selected=lambda frame: frame.sort("wrong", descending=True, maintain_order=True),
    ),
    "notes": Report(
        analysis.note_accuracy,
        "accuracy of players' notes (from logs; not shown by default)",
        title="Players' notes on their own cards, compared with the cards and with logical deduction",
        empty="no notes in these games",
    ),
}


def _shared_deals(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.filter(pl.col("games") > 1)


def _deals_title(frame: pl.DataFrame) -> str:
    shared = _shared_deals(frame)
    deals = plural(shared["deal"].n_unique(), "deal")
    return f"{deals} played more than once, {plural(shared.height, 'game')} on them"


SAME_DEAL_REPORTS: Final = {
    "measures": Report(
        analysis.same_deal,
        note="difference: a - b, mean over the deals that both played; [in brackets]: 95% interval over"
        " deals (Student), none below 20 deals, or below 200 for means that include struck-out games",
    ),
    "games": Report(
        analysis.deal_results,
        title=_deals_title,
        selected=_shared_deals,
        note="matchpoints: 2 for each game of the deal beaten, 1 for each tied",
    ),
    "partings": Report(
        analysis.partings,
        title=lambda frame: (
            f"{plural(frame.height, 'pair')} of games of one deal,"
            f" {frame['turn'].null_count():,} pairs with the same actions"
        ),
        note="turn: the first turn with different actions",
    ),
}
