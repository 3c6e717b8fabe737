"""Columns of all frames of `hanalyze.analysis`, with name, unit, meaning and heading.

A frame has the columns of its groups (`GROUPS`), if any, followed by its own columns (`FRAMES`). The commands
take headings and units from these lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hanalyze.analysis.frame_column import COUNT, NUMBER, SHARE, FrameColumn, count, estimate, text, value
from hanalyze.analysis.grouping import NO_DATE, PHASES, SCORES
from hanalyze.game.editions import EndCondition
from hanalyze.lazy import polars as pl
from hanalyze.store.definitions import FAMILIES
from hanalyze.store.mistakes import SEVERITIES
from hanalyze.tables import Column

QUANTILES: Final = {"p10": 0.1, "p25": 0.25, "median": 0.5, "p75": 0.75, "p90": 0.9}
SYSTEMS: Final = ("h_group", "sieve", "hat_guessing", "none", "unknown")
"""Systems of conventions; beginners who discard from the chop and play clued cards count as h_group."""
TURNS_AFTER: Final = 6
"""Number of turns after an action whose points and plays belong to its outcome."""
OUTCOMES: Final = ("points", "plays", "final_score")
"""Outcomes of an action: points or plays of its turn and the next `TURNS_AFTER` turns, or the final score."""
RISKS: Final = ("last_copy", "misplay", "points")
"""The risks of `luck`: discarded critical cards, misplays, and the maximum score lost by both."""
SPLITS: Final = ("all", "cause", "kind", "phase")
QUESTIONS: Final = (
    *("chop_critical", "chop_playable", "chop_trash"),
    *("unclued_critical", "unclued_playable", "unclued_trash"),
    *("clued_critical", "clued_playable", "clued_trash"),
    *("discarded_chop_critical", "discarded_chop_trash"),
    *("discarded_unclued_critical", "discarded_unclued_trash"),
    *("discarded_clued_critical", "discarded_clued_trash"),
    *("played_unclued_playable", "played_clued_playable"),
)
"""The questions of `calibration`: a class of cards of the player to move, and an outcome. Unclued cards exclude
the chop, but unclued cards that were played include it."""


def _ended(end: str) -> tuple[FrameColumn, ...]:
    """Return the column of an end condition; the share of strikeouts also has an interval."""
    name, meaning = f"ended_{end}", f"share of games whose end condition is {end}"
    if end == EndCondition.STRIKEOUT.label:
        return estimate(name, SHARE, meaning, ends="strikeout_")
    return (value(name, SHARE, meaning),)


# fmt: off
# One line per column: name, unit, meaning, heading. `estimate` declares a column and the ends of its interval.

_GROUP_COLUMNS: Final = (
    count("game_id", "key of the game"),
    text("game", "the game's number on its site, or its seed, or its key"),
    text("player", "name of the player"),
    text("partner", "name of the other player of a pair"),
    text("receiver", "name of the first player that the message calls; if it calls nobody, of the player that it is for"),
    FrameColumn("seat", "int8", "seat", "0..5", "seat of the player, from 0"),
    FrameColumn("players", "int8", "players", "2..6", "team size"),
    text("variant", "name of the variant"),
    text("edition", "edition of the rules"),
    text("team", "names of all players of a game, in alphabetical order"),
    text("date", f"date on which the game began, or ended if the log has no start, such as 2026-11-28; `{NO_DATE}` for games whose log has neither"),
    text("month", "month of `date`, such as 2026-11"),
    text("year", "year of `date`"),
    text("family", "name of the variant without its number of suits in brackets"),
    text("before", "name of the player who acts before the player of the decision"),
    text("after", "name of the player who acts after the player of the decision"),
    text("source", "origin of the game, according to the log"),
    text("turn", "range of ten turns, counted from 0"),
    FrameColumn("rank", "int8", "rank", "1..5, 7 START", "rank of the card"),
    FrameColumn("suit", "int8", "suit", "0..5", "index of the card's suit in the variant, from 0"),
    text("phase", "part of the game", PHASES),
    text("score", "final score as a share of the full score", SCORES),
    text("severity", "severity of the mistake, by the player's knowledge or by the result", tuple(SEVERITIES)),
    text("kind", "kind of clue", ("colour", "rank")),
    FrameColumn("level", "int32", "", "1..25", "H-Group level of the conventions"),
    text("convention", "name of the convention"),
)

_GAMES: Final = count("games", "games in the group", "games")
_MEAN: Final = estimate("mean", "points", "mean final score", "mean score")
_FINISHED: Final = estimate("finished", "points", "mean final score of the games that were played to their end")
_PERFECT: Final = estimate("perfect", SHARE, "share of games with the full score")
_Q_VALUE: Final = value("q_value", "probability", "p_value adjusted for the number of rows (Benjamini & Hochberg 1995)", "q")
_MATCHING: Final = "the interval is adjusted for the number of rows (Benjamini & Yekutieli 2005) and excludes 0 exactly if q_value is at most 1 - confidence; it is null for means over too few deals, or if it would exceed the possible range"

_EFFECTS: Final = (
    text("convention", "name of the convention"),
    text("outcome", f"outcome: points or plays of the turn and the next {TURNS_AFTER} turns, or the final score; points are negative after a strikeout that forfeits the score", OUTCOMES),
    count("taken", "clues that used the convention", "turns"),
    count("declined", "other clues on turns that offered the convention", "turns"),
    count("games", "games with a clue that used the convention", "games"),
    *estimate("effect", "points or plays", "outcome after clues that used the convention, less that after other clues in similar positions; an association, or, in an experiment, an effect"),
    value("p_value", "probability", "p-value of the hypothesis that the final score differs by at most 0.2 points, as unmeasured differences between positions can cause; in an experiment, of no difference; null for other outcomes, for saves outside experiments, and if balance is above 0.1"),
    value("q_value", "probability", "p_value adjusted for the number of rows", "q"),
    text("verdict", "whether the final score is higher or lower than after the other clues, by more than 0.2 points (in an experiment, by any amount); decided only if q_value is below 0.005; null without p_value", ("more", "less", "undecided")),
    text("why", "reason for a missing estimate, or for a missing verdict on the final score; null otherwise", ("few_taken", "few_declined", "few_games", "no_overlap", "no_variation", "unbalanced", "replaces_discards")),
    value("unadjusted", "points or plays", "difference of the plain means, taken less declined"),
    value("overlap", SHARE, "share of the taken turns that have a similar position with another clue"),
    value("effective", "turns", "effective number of weighted declined turns"),
    value("balance", "standard deviations", "largest difference between taken and weighted declined turns in any variable of the position (the outcome model adjusts for the remaining differences); up to 0.1 is small"),
    value("within", SHARE, "share of the taken turns by players with enough taken and declined turns to be compared with themselves"),
    value("sampled", SHARE, "share of the games in the sample"),
)

FRAMES: Final[dict[str, tuple[FrameColumn, ...]]] = {
    "overview": (
        _GAMES,
        *_MEAN,
        *_FINISHED,
        *_PERFECT,
        value("ended_strikeout", SHARE, "share of games whose end condition is strikeout", "struck out"),
        *(column for name in FAMILIES for column in estimate(name, SHARE, f"share of decisions with a {name} mistake, of the decisions in which such a mistake was possible", f"{name} mistakes")),
    ),
    "rates": (
        text("kind", "kind of mistake, or family of kinds"),
        count("found", "decisions with this mistake", "decisions"),
        count("opportunities", "decisions in which this mistake was possible", "decisions"),
        count("games", "games with at least one opportunity", "games"),
        *estimate("rate", SHARE, "found / opportunities", ends=""),
        value("p_value", "probability", "two-sided p-value of the difference from all other groups"),
        _Q_VALUE,
        value("shrunk", SHARE, "by player: rate shrunk towards that of all players (empirical Bayes), more strongly with less data; null if fewer than three players have a rate, and for other groups"),
        FrameColumn("points", COUNT, "points", "0..", "points of the maximum score lost by these mistakes"),
    ),
    "player_rates": (
        text("kind", "kind of mistake, or family of kinds"),
        text("role", "role of the player who makes such mistakes: giver or receiver of clues, holder of cards", ("giver", "receiver", "holder")),
        count("found", "the player's decisions with this mistake", "decisions"),
        count("opportunities", "the player's decisions in which this mistake was possible", "decisions"),
        count("games", "games with at least one opportunity of the player", "games"),
        *estimate("rate", SHARE, "found / opportunities", ends=""),
        count("peers_found", "other players' decisions with this mistake, in similar games", "decisions"),
        count("peers_opportunities", "decisions of these players in which this mistake was possible", "decisions"),
        *estimate("peers", SHARE, "rate of the peers, with the player's mix of team sizes, variant families and levels"),
        value("p_value", "probability", "two-sided p-value of the difference from the peers; null if the player or the peers have fewer than 50 opportunities"),
        value("q_value", "probability", "p_value adjusted for the number of kinds and for the trend (Benjamini & Hochberg 1995)", "q"),
        value("grade", "25 percentage points", "rate of the peers less that of the player in comparable games; above 0 is better"),
        value("importance", "", "absolute grade times the square root of opportunities"),
        text("verdict", "the grade in words; `unclear` if q_value is too large, null without q_value", ("much better", "better", "slightly better", "similar", "slightly worse", "worse", "much worse", "unclear")),
        text("chosen", "whether the kind is a strength or something to work on, or, without a clear difference, one of the costliest kinds", ("strength", "work on", "costly")),
        count("points", "points of the maximum score lost by the player's mistakes", "points"),
    ),
    "player_form": (
        count("number", "number of the player's games up to this point", "games"),
        text("date", "date of the last of these games; null if the games are not in the order of their dates"),
        count("games", "number of the latest games that this point counts", "games"),
        count("found", "decisions with a mistake of a family, summed over families", "decisions"),
        count("opportunities", "decisions in which such a mistake was possible", "decisions"),
        *estimate("rate", SHARE, "found / opportunities", ends=""),
    ),
    "player_positions": (
        text("kind", "kind of mistake"),
        count("game_id", "key of the game"),
        text("game", "the game's number on its site, or its seed, or its key"),
        FrameColumn("turn", "int16", "turn", "0..", "turn of the decision, from 0"),
        FrameColumn("seat", "int8", "seat", "0..5", "seat of the player, from 0"),
        FrameColumn("points", "int32", "points", "0..", "points of the maximum score lost"),
        text("text", "evidence for the mistake; for a strength, the move that avoided it"),
        text("better", "the better move in words; empty if there is none, as for a strength"),
    ),
    "scores": (
        _GAMES,
        *_MEAN,
        value("p_value", "probability", "two-sided p-value of the mean's difference from all other groups"),
        _Q_VALUE,
        value("median", "points", "median final score"),
        count("finished_games", "games that were played to their end", "games"),
        *_FINISHED,
        count("perfect_games", "games with the full score", "games"),
        *_PERFECT,
        *(column for end in EndCondition for column in _ended(end.label)),
    ),
    "points_short": (
        text("kind", "kind of mistake; `forfeited`: points lost because the game was lost, for example by strikes; `unplayed`: points still possible at the end of another game that are not charged to a mistake"),
        count("games", "games in the group", "games"),
        count("points", "points short of the full score", "points"),
        *estimate("per_game", "points/game", "points short of the full score, per game", "short per game", ""),
    ),
    "hindsight_losses": (
        text("split", "property that splits the losses; `all` for all losses together", SPLITS),
        text("part", "`all`, a value of `losses.cause` (reason why the points were out of reach) or of `losses.kind` (kind of move), or a phase of the game"),
        count("games", "games in the group that were solved", "games"),
        count("moves", "moves that lost points", "moves"),
        count("points", "points known to be lost in hindsight: put out of reach, with all cards open", "points"),
        *estimate("per_game", "points/game", "points lost in hindsight, per game", "lost per game", ""),
        value("share", SHARE, "points of this part, as a share of all points that the group lost in hindsight"),
        *estimate("finished", "points/game", "points lost in hindsight per game, in the games in which the last strike cost no points"),
        *estimate("struck_out", SHARE, "share of the games in which the last strike cost points (by player, the player's last strike); null except for `all`", "struck out"),
        *estimate("impossible", SHARE, "share of the deals that nobody could have won (best score with all cards open below the full score), of those for which this is known; null except for `all`", "impossible deals"),
        value("open", SHARE, "share of the games in which the loss is unknown for at least one turn; null except for `all`", "games still open"),
    ),
    "clue_values": (
        count("clues", "clues given", "clues"),
        count("games", "games with at least one clue", "games"),
        *estimate("gotten", "cards/clue", "cards first touched by the clue that count as gotten at the end of the game", "cards gotten"),
        *estimate("followed", "cards/clue", "cards that the receiver played onto a stack on their next turn", "plays followed"),
        *estimate("saves", SHARE, "share of clues that newly touched a chop and touched a critical card"),
        *estimate("bits", "bits/clue", "information that the receiver gained about their hand"),
        *estimate("bad_touch", SHARE, "share of touched cards that were trash or duplicates of clued cards", "bad touch"),
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
        *(value(f"achieved_{name}", "cards/clue", f"{level:.0%} quantile over games: cards gotten per clue given or lost up to this turn") for name, level in QUANTILES.items()),
        *(value(f"needed_{name}", "cards/clue", f"{level:.0%} quantile over games: cards still to get per clue left") for name, level in QUANTILES.items()),
    ),
    "wasted_tokens": (
        text("kind", "kind of mistake; `any` counts each decision once, by its costliest mistake"),
        count("found", "mistakes that cost tokens; for `any`, decisions"),
        FrameColumn("tokens", NUMBER, "tokens", "0..", "clue tokens wasted by these mistakes"),
        count("games", "games in the group", "games"),
        *estimate("per_game", "tokens/game", "clue tokens wasted per game", "wasted per game", ""),
    ),
    "system_guess": (
        count("games", "games in the group", "games"),
        text("system", "system of conventions, guessed from the moves", SYSTEMS),
        value("margin", "", "distance by which the weakest evidence exceeds its threshold; null for `unknown`"),
        text("grounds", "the weakest evidence, or the missing evidence"),
        count("discards", "discards of unclued cards not known to be trash, from hands with other unclued cards", "cards"),
        value("oldest", SHARE, "share of these discards that were of the oldest unclued card"),
        value("leftmost", SHARE, "share of these discards that were of the newest unclued card"),
        count("clues", "clues given", "clues"),
        value("focus", SHARE, "share of clues touching a new card that were about a card to play or save"),
        value("only_trash", SHARE, "share of clues that touched only trash"),
        count("plays", "cards played", "cards"),
        value("trusted", SHARE, "share of plays that were of cards not known to be playable (trusted plays)"),
        value("right", SHARE, "share of trusted plays that succeeded"),
        value("odds", "probability", "mean chance of success of trusted plays, from the players' point of view"),
        value("lift", "", "(right - odds) / (1 - odds)"),
        value("blind", SHARE, "share of plays that were trusted plays of unclued cards"),
        value("called", SHARE, "share of blind plays that followed a clue given since the player's last turn"),
    ),
    "calibration": (
        text("question", "class of cards of the player to move (chop, other unclued, clued, discarded or played cards), and the predicted outcome", QUESTIONS),
        FrameColumn("tenth", "int8", "", "0..9", "tenth of the predicted chance; null for all cards"),
        count("cards", "cards whose card-counting odds are neither 0 nor 1", "cards"),
        count("games", "games with at least one such card", "games"),
        value("said_cards", SHARE, "mean card-counting odds", "card counting"),
        value("said_state", SHARE, "mean chance by the state model", "by the model"),
        value("said_act", SHARE, "mean chance by the act layer, which uses the decision as evidence; null unless the cards were discarded or played", "by the act"),
        value("was", SHARE, "share of these cards with the outcome"),
        value("standard_error", SHARE, "standard error of `was`, with cards of one game dependent"),
        count("fitted", "cards that the model was fitted on, in the same places and with a chance in the same tenth", "cards"),
        value("loss_cards", "nats/card", "log loss of the card-counting odds, clipped to 0.003 and 0.997"),
        value("loss_state", "nats/card", "log loss of the state model"),
        value("loss_act", "nats/card", "log loss of the act layer; null unless the cards were discarded or played"),
        text("method", "origin of the model: shipped, adjusted to these games, or refitted on these games", ("shipped", "adjusted", "refitted")),
        text("model", "name of the shipped model that was used, adjusted or refitted"),
        text("features", "features of the model: inferences from messages and context, or context only", ("conventions", "context")),
        text("corpus", "the games that the model was fitted on"),
    ),
    "luck": (
        text("risk", "critical cards discarded, failed plays, or points of the maximum score lost by both; cards and points charged to an earlier move, such as a missed save, are not counted", RISKS),
        count("games", "games with at least one play or discard of the group", "games"),
        count("decisions", "discards, plays, or both, whose chances are known", "decisions"),
        value("counted", "", "losses: cards, or points of the maximum score"),
        value("expected", "", "sum of the average losses of such plays and discards, by the act layer"),
        *estimate("luck", "per game", "expected - counted, per game; above 0 is good luck", "luck per game"),
        text("method", "origin of the chances: shipped model, or adjusted to these games", ("shipped", "adjusted")),
        text("model", "name of the shipped model that gave the chances in most of the games"),
        text("corpus", "the games that the model was fitted on"),
    ),
    "convention_coverage": (
        count("games", "games read for conventions", "games"),
        FrameColumn("level", "int8", "", "1..25", "highest H-Group level up to which a game was read for conventions"),
        count("actions", "actions in these games", "actions"),
        value("unexplained", SHARE, "share of actions that no convention explains; null without actions"),
        value("uncertain", SHARE, "share of actions that are explained, but not with certainty (`conventions.certainty` below 100); null without actions"),
    ),
    "convention_stats": (
        count("uses", "actions that used this convention", "actions"),
        count("games", "games with at least one use", "games"),
        FrameColumn("per_100", NUMBER, "uses/100 actions", "0..100", "uses per 100 actions in the group"),
        count("opportunities", "turns on which the convention was used or a legal clue could have used it; null for stalls and for conventions that are not clues", "turns"),
        *estimate("taken", SHARE, "share of opportunities in which the convention was used"),
        count("settled", "uses that later turns showed to have worked or not", "uses"),
        count("cut_off", "uses cut off by the end of the game", "uses"),
        count("superseded", "uses made unnecessary by another copy of the card", "uses"),
        *estimate("read", SHARE, "share of settled uses to which the called players responded"),
        *estimate("success", SHARE, "share of settled uses in which everything called for happened"),
        *estimate("cards", "cards/token", "cards newly promised by its clues: touched, called or saved", "promised"),
        *estimate("played", "cards/token", "cards that its clues touched or called and that were played within two rounds, before another clue touched them"),
        *estimate("strikes", "strikes/use", "misplays of called cards per use"),
        value("null_random", "uses/100 actions", "uses in games of the agent `random`, which knows no conventions"),
        value("null_cautious", "uses/100 actions", "uses in games of the agent `cautious`, which knows no conventions", "null"),
        value("null_success", SHARE, "success in the games of `random` and `cautious` together"),
    ),
    "convention_effects": _EFFECTS,
    "experiment_effects": _EFFECTS,
    "detector_stats": (
        text("detector", "name of the detector"),
        text("version", "version of the detector"),
        text("label", "label of the findings"),
        count("uses", "actions with this label", "actions"),
        count("games", "games with at least one such action", "games"),
        count("opportunities", "actions that could have had this label; null if the detector reports no opportunities", "actions"),
        *estimate("taken", SHARE, "share of opportunities with this label"),
        count("settled", "uses for which the detector reported whether they worked", "uses"),
        *estimate("success", SHARE, "share of settled uses that worked"),
    ),
    "explore": (
        text("part", "kind of mistake, or convention; otherwise the metric"),
        FrameColumn("found", NUMBER, "", "0..", "numerator: what the metric counts"),
        FrameColumn("opportunities", NUMBER, "", "0..", "denominator: the decisions, actions or games in which it was counted"),
        count("games", "games with at least one opportunity", "games"),
        *estimate("value", "", "found / opportunities", ends=""),
        FrameColumn("other_found", NUMBER, "", "0..", "numerator in the rows of `versus`; this and the next columns exist only with `versus`"),
        FrameColumn("other_opportunities", NUMBER, "", "0..", "denominator in the rows of `versus`"),
        count("other_games", "games with an opportunity in the rows of `versus`", "games"),
        *estimate("other_value", "", "other_found / other_opportunities", ends="other_"),
        *estimate("difference", "", "value - other_value", ends="difference_"),
        value("p_value", "probability", "two-sided p-value of the difference, not adjusted for the number of rows"),
    ),
    "compare": (
        text("measure", "name of the measure"),
        text("unit", "unit of the measure; empty for a share"),
        value("a", "", "value for group a, over its matched and weighted games"),
        value("b", "", "value for group b, over its matched and weighted games"),
        *estimate("difference", "", f"a - b; {_MATCHING}", ends=""),
        value("p_value", "probability", "two-sided p-value of the difference"),
        _Q_VALUE,
        FrameColumn("found_a", NUMBER, "", "0..", "numerator: unweighted total of what the measure counts in the matched games of group a"),
        FrameColumn("opportunities_a", NUMBER, "", "0..", "denominator: unweighted total of opportunities in the matched games of group a"),
        FrameColumn("games_a", COUNT, "", "0..", "matched games of group a with at least one opportunity"),
        FrameColumn("found_b", NUMBER, "", "0..", "numerator: unweighted total of what the measure counts in the matched games of group b"),
        FrameColumn("opportunities_b", NUMBER, "", "0..", "denominator: unweighted total of opportunities in the matched games of group b"),
        FrameColumn("games_b", COUNT, "", "0..", "matched games of group b with at least one opportunity"),
        value("unmatched", "", "difference over all games, matched or not"),
    ),
    "same_deal": (
        text("measure", "name of the measure"),
        text("unit", "unit of the measure"),
        count("deals", "deals that both groups played, with the measure in a game of each", "deals"),
        value("a", "", "mean over the deals of the mean of group a's games"),
        value("b", "", "mean over the deals of the mean of group b's games"),
        *estimate("difference", "", "mean over the deals of a - b; no interval below 20 deals, or below 200 for means that include struck-out games", ends=""),
        count("a_higher", "deals with a larger mean in group a", "deals"),
        count("b_higher", "deals with a larger mean in group b", "deals"),
    ),
    "deal_results": (
        count("deal", "number of the deal, from 1; games of one deal have the same deck, team size, starting player and rules"),
        FrameColumn("game_id", COUNT, "", "", "key of the game"),
        text("seed", "seed of the game, null if its log has none"),
        count("score", "final score", "points"),
        count("games", "games of the deal, including this game", "games"),
        count("beaten", "games of the deal with a lower score", "games"),
        count("tied", "other games of the deal with the same score", "games"),
        count("matchpoints", "2 for each game beaten, 1 for each tied"),
        value("percentile", SHARE, "matchpoints as a share of the maximum; null for the only game of a deal"),
        count("bottom_deck", "discarded or misplayed cards that were not trash and whose only remaining copy was still in the deck", "cards"),
        count("turns_left", "maximum number of turns that were left at the end, by hanab.live's count", "turns"),
    ),
    "partings": (
        count("deal", "number of the deal, as in deal_results"),
        FrameColumn("game_a", COUNT, "", "", "key of a game"),
        FrameColumn("game_b", COUNT, "", "", "key of another game of the deal"),
        count("turn", "first turn, from 0, with different actions, or with an action in only one of the games; null if all actions are the same", "turn"),
        count("score_a", "final score of the first game", "points"),
        count("score_b", "final score of the second game", "points"),
    ),
    "research_scores": (
        count("players", "number of players", "players"),
        count("games", "games with this number of players", "games"),
        value("strict", "points", "mean score; games lost by strikes count as 0"),
        value("strict_sem", "points", "standard error of strict (ddof 1)"),
        value("kept", "points", "mean number of cards on the play stacks, including games lost by strikes"),
        value("kept_sem", "points", "standard error of kept (ddof 1)"),
        value("median", "points", "median of the strict score"),
        value("perfect", SHARE, "share of the games with the full score"),
        value("bomb_out", SHARE, "share of the games lost by strikes"),
    ),
    "research_players": (
        text("player", "name of the player or agent"),
        count("games", "games with this player", "games"),
        value("communicativeness", SHARE, "clues, as a share of the turns with a clue token"),
        count("plays", "plays, successful or not", "plays"),
        value("information_per_play", SHARE, "part of colour and rank known from positive clues (0, 0.5 or 1), mean over plays"),
        value("both_known", SHARE, "share of plays in which colour and rank of the card were clued"),
        value("colour_only", SHARE, "share of plays in which only the colour of the card was clued"),
        value("rank_only", SHARE, "share of plays in which only the rank of the card was clued"),
        value("none_known", SHARE, "share of plays in which no clue had touched the card"),
        value("risk_aversion", "probability", "mean chance, from the player's view, that a played card is playable"),
        count("critical_discards", "critical cards discarded or misplayed", "cards"),
        value("critical_share", SHARE, "critical cards as a share of the cards discarded or misplayed"),
        value("max_score_lost", "points/game", "maximum score lost by discards and misplays, per game"),
    ),
    "action_matrix": (
        count("players", "number of players", "players"),
        text("action", "an action: P (play) or D (discard) with the slot, or C (colour clue) or R (rank clue) with the value (colours from 1), + and the number of seats to the receiver"),
        text("next_action", "the action of the next player"),
        count("pairs", "number of times that next_action followed action"),
        value("probability", "probability", "pairs as a share of all pairs that begin with action"),
    ),
    "action_information": (
        count("players", "number of players", "players"),
        count("pairs", "pairs of consecutive actions"),
        count("actions", "different actions that occur"),
        value("plug_in", "bits", "mutual information of consecutive actions, from the shares of pairs"),
        value("bias", "bits", "value of plug_in expected by chance (Miller & Madow)"),
        value("corrected", "bits", "plug_in - bias"),
    ),
    "hint_response": (
        text("player", "name of the player who received the hints"),
        count("players", "number of players", "players"),
        count("hints", "received hints after which the receiver had a turn", "hints"),
        value("played", SHARE, "share of next turns that played a newly touched card"),
        value("discarded", SHARE, "share of next turns that discarded a newly touched card"),
        value("response", SHARE, "played + discarded"),
        value("other_play", SHARE, "share of next turns that played another card"),
        value("other_discard", SHARE, "share of next turns that discarded another card"),
        value("hint", SHARE, "share of next turns on which the receiver gave a hint"),
    ),
    "action_diversity": (
        text("player", "name of the player or agent"),
        count("players", "number of players", "players"),
        count("actions", "actions of the player", "actions"),
        value("diversity", "bits", "entropy of the player's actions"),
        value("diversity_corrected", "bits", "diversity with the Miller-Madow correction for small samples"),
        count("pairs", "actions of the player that are followed by another action", "actions"),
        value("response_diversity", "bits", "entropy of the next player's action given the player's action"),
        value("coordination", "bits", "mutual information of the player's action and the next action"),
        value("coordination_corrected", "bits", "coordination less its bias", "corrected"),
        count("hint_pairs", "hints to the next player that are followed by another action", "hints"),
        value("hint_coordination", "bits", "mutual information of a hint to the next player and the next action"),
        value("hint_coordination_corrected", "bits", "hint_coordination less its bias", "hint corrected"),
    ),
    "dominated_moves": (
        text("player", "name of the player or agent"),
        count("actions", "actions of the player", "actions"),
        count("sure_misplays", "plays of cards that could not be playable", "cards"),
        count("playables_discarded", "discards of cards that were certainly playable", "cards"),
        count("needless_risks", "discards of cards that might be needed, from a hand with a card that was certainly trash", "cards"),
        value("dominated", SHARE, "share of the actions that are of these three kinds"),
        count("sure_plays", "turns with a card that was certainly playable", "turns"),
        value("dominant", SHARE, "share of these turns on which such a card was played"),
    ),
    "misreadings": (
        text("giver", "name of the player who sent the message"),
        text("receiver", "name of the player who held the card"),
        text("convention", "convention of the message; `all` for all together"),
        count("games", "games read for conventions in which both players played", "games"),
        count("cards", "cards of the receiver about which the giver sent such a message", "cards"),
        count("wrong", "misread cards, counted for the first message with a wrong inference", "cards"),
        value("share", SHARE, "wrong / cards"),
        value("per_100_games", "cards/100 games", "misread cards per 100 games of the pair"),
    ),
    "note_accuracy": (
        text("player", "name of the player who wrote the notes"),
        count("games", "games in which the player wrote a note", "games"),
        count("notes", "notes on the player's own cards", "notes"),
        count("marks", "notes with only marks, such as finessed or chop-moved", "notes"),
        count("not_understood", "notes that were not understood", "notes"),
        count("identities", "notes that name identities of the card", "notes"),
        count("right", "notes that name exactly the true identity", "notes"),
        count("open", "notes that name several identities, including the true identity", "notes"),
        count("wrong", "notes that name identities, but not the true one", "notes"),
        count("known", "notes of `identities` on cards that logic had identified", "notes"),
        count("beyond", "notes of `identities` that exclude identities that logic allowed", "notes"),
        count("beyond_right", "notes of `beyond` with the true identity", "notes"),
        count("ruled_out", "notes of `identities` that contradict logic", "notes"),
        count("on_others", "notes on other players' cards and on play stacks, not judged", "notes"),
    ),
    "cross_play": (
        text("first", "agent at the first seat"),
        text("second", "agent at the second seat"),
        count("games", "games of this pair in these seats", "games"),
        value("mean", "points", "mean score; games lost by strikes count as 0"),
        value("sem", "points", "standard error of the mean (ddof 1), over games"),
    ),
}
# fmt: on
"""For each function of `hanalyze.analysis`: the columns of its frame after the columns of the groups.

`family_rates` returns the columns of `rates`. The frame of `compare` is `Comparison.frame`.
"""

GROUPS: Final = {column.name: column for column in _GROUP_COLUMNS}
"""The columns of groups by name; `rates` and `convention_stats` describe the groupings."""


def dtype(column: Column) -> pl.DataType:
    """Return the Polars type of a column."""
    if column.words:
        return pl.Enum(column.words)
    kinds = {"str": pl.String, "int8": pl.Int8, "int16": pl.Int16, "int32": pl.Int32, COUNT: pl.Int64}
    return kinds.get(column.type, pl.Float64)()


def schema(name: str, groups: Sequence[str] = ()) -> dict[str, pl.DataType]:
    """Return the names and types of the columns of a frame, after the columns `groups`.

    >>> list(schema("points_short", ["player"]).items())[:3]
    [('player', String), ('kind', String), ('games', Int64)]
    """
    return {column.name: dtype(column) for column in (*(GROUPS[group] for group in groups), *FRAMES[name])}


def select_columns(frame: pl.DataFrame, name: str, groups: Sequence[str] = ()) -> pl.DataFrame:
    """Return a frame with its declared columns, in their order and with their types."""
    return frame.select(pl.col(column).cast(kind) for column, kind in schema(name, groups).items())
