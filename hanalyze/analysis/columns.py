"""Every column of the frames that `hanalyze.analysis` returns: name, unit, meaning, heading.

A frame has the columns of its groups (`GROUPS`), if it is grouped, and then its own (`FRAMES`). The functions
make their frames by these lists, and the commands take headings and per cent from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hanalyze.analysis.frame_column import COUNT, NUMBER, SHARE, FrameColumn, count, estimate, text, value
from hanalyze.analysis.grouping import PHASES, SCORES
from hanalyze.game.rules import EndCondition
from hanalyze.lazy import polars as pl
from hanalyze.store.definitions import FAMILIES
from hanalyze.store.mistakes import SEVERITIES
from hanalyze.tables import Column

QUANTILES: Final = {"p10": 0.1, "p25": 0.25, "median": 0.5, "p75": 0.75, "p90": 0.9}
SYSTEMS: Final = ("h_group", "sieve", "hat_guessing", "none", "unknown")
"""Systems of conventions; beginners who save their chop and play what is clued count as h_group."""
TURNS_AFTER: Final = 6
"""Turns after an act whose points and plays are its outcome, with those of the act's own turn."""
OUTCOMES: Final = ("points", "plays", "final_score")
"""Outcomes of an act: the points and the plays of its turn and the next `TURNS_AFTER`, the final score."""
LOSSES: Final = ("last_copy", "misplay", "points")
"""The losses of `luck`: critical cards discarded, misplays, points lost by both."""
SPLITS: Final = ("all", "cause", "kind", "phase")
FEATURES: Final = ("deck", "search", "both")
QUESTIONS: Final = (
    *("chop_critical", "chop_playable", "chop_trash"),
    *("unclued_critical", "unclued_playable", "unclued_trash"),
    *("clued_critical", "clued_playable", "clued_trash"),
    *("discarded_chop_critical", "discarded_chop_trash"),
    *("discarded_unclued_critical", "discarded_unclued_trash"),
    *("discarded_clued_critical", "discarded_clued_trash"),
    *("played_unclued_playable", "played_clued_playable"),
)
"""The questions of `calibration`: cards of the hand to move, and an outcome. Unclued cards exclude the chop;
of the cards played they are all unclued ones."""


def _ended(end: str) -> tuple[FrameColumn, ...]:
    """Return the column of an end condition; that of games lost by strikes has an interval."""
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

_GAMES: Final = count("games", "games counted", "games")
_MEAN: Final = estimate("mean", "points", "mean final score", "mean score")
_PERFECT: Final = estimate("perfect", SHARE, "share of games with the full score")
_Q_VALUE: Final = value("q_value", "probability", "p_value adjusted for the number of rows (Benjamini & Hochberg 1995)", "q")
_MATCHING: Final = "end of the interval adjusted for the number of rows (Benjamini & Yekutieli 2005): without 0 where q_value is at most 1 - confidence"

FRAMES: Final[dict[str, tuple[FrameColumn, ...]]] = {
    "overview": (
        _GAMES,
        *_MEAN,
        *_PERFECT,
        *(column for name in FAMILIES for column in estimate(name, SHARE, f"share of the opportunities for a {name} mistake in which one was made", f"{name} mistakes")),
    ),
    "rates": (
        text("kind", "kind of mistake, or family of kinds"),
        count("found", "decisions with this mistake", "decisions"),
        count("opportunities", "decisions in which this mistake was possible", "decisions"),
        count("games", "games with at least one opportunity", "games"),
        *estimate("rate", SHARE, "found / opportunities", ends=""),
        value("p_value", "probability", "two-sided p-value of the difference from all other groups"),
        _Q_VALUE,
        value("shrunk", SHARE, "by player: rate drawn towards that of all players (empirical Bayes), the more the less is known; null where fewer than three players have a rate, and for other groups"),
        FrameColumn("points", COUNT, "points", "0..", "points of the maximum score lost by these mistakes"),
    ),
    "scores": (
        _GAMES,
        *_MEAN,
        value("p_value", "probability", "two-sided p-value of the mean's difference from all other groups"),
        _Q_VALUE,
        value("median", "points", "median final score"),
        count("finished_games", "games that were played to their end", "games"),
        *estimate("finished", "points", "mean final score of the games that were played to their end"),
        count("perfect_games", "games with the full score", "games"),
        *_PERFECT,
        *(column for end in EndCondition for column in _ended(end.label)),
    ),
    "losses": (
        text("kind", "kind of mistake; `forfeited`: lost with the game; `unplayed`: still possible at its end"),
        count("games", "games in the group", "games"),
        count("points", "points lost", "points"),
        *estimate("per_game", "points/game", "points lost per game", ends=""),
    ),
    "lost_points": (
        text("split", "what losses are split by; `all` for all together", SPLITS),
        text("part", "`losses.cause` of the database (what kept the points out of reach), `losses.kind` (of move), or the phase of the game"),
        count("games", "games in the group that were solved", "games"),
        count("moves", "moves that lost points", "moves"),
        count("points", "points lost, as far as it is known", "points"),
        *estimate("per_game", "points/game", "points lost per game", ends=""),
        value("share", SHARE, "share of all points that the group lost"),
        *estimate("finished", "points/game", "the same of the games in which the last strike cost no points"),
        *estimate("struck_out", SHARE, "share of the games in which the last strike cost points, by player those of the player; null but for all together", "struck out"),
        *estimate("impossible", SHARE, "share of the deals that nobody could have won: the best score with all cards open is below the full one; null but for all together", "impossible deals"),
        value("open", SHARE, "share of the games in which it is not known for every turn what was lost; null but for all together", "games still open"),
    ),
    "deal_difficulty": (
        text("features", "what scores are predicted from: how early the copies of each rank come in the deck; what the solver says of the deal with all cards open; both", FEATURES),
        count("games", "games counted", "games"),
        count("deals", "different deals among them", "deals"),
        *estimate("explained", "of the variance", "what deals explain of the variance of scores within a team size and variant, in games of deals that were not fitted; below 0 where they tell nothing"),
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
        FrameColumn("tokens", NUMBER, "tokens", "0..", "clue tokens lost by them"),
        count("games", "games in the group", "games"),
        *estimate("per_game", "tokens/game", "clue tokens lost per game", ends=""),
    ),
    "system_guess": (
        count("games", "games in the group", "games"),
        text("system", "system of conventions, guessed from the moves", SYSTEMS),
        value("margin", "", "share by which the weakest evidence exceeds its threshold"),
        text("grounds", "the weakest evidence, or what is missing"),
        count("discards", "discards of unclued cards not known to be trash, from hands with other such cards", "cards"),
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
        value("called", SHARE, "share of blind plays that followed a clue given since the player's last turn"),
    ),
    "calibration": (
        text("question", "which cards of the hand to move, and what they were: on the chop, other unclued ones, clued ones, those discarded or played", QUESTIONS),
        FrameColumn("tenth", "int8", "", "0..9", "tenth of the chance that was said; null for all cards"),
        count("cards", "cards whose odds by the cards alone are neither 0 nor 1", "cards"),
        count("games", "games with at least one such card", "games"),
        value("said_cards", SHARE, "mean odds by the cards alone", "by the cards alone"),
        value("said_state", SHARE, "mean chance by the state model", "by the model"),
        value("said_act", SHARE, "mean chance by the act layer, which takes account of the decision; null for all cards in hands", "by the act"),
        value("was", SHARE, "share of these cards that were so"),
        value("standard_error", SHARE, "standard error of `was`, with cards of one game dependent"),
        count("fitted", "cards in such a place and with a chance in this tenth that the model rests on", "cards"),
        value("loss_cards", "nats/card", "log loss of the odds by the cards alone, cut at 0.003"),
        value("loss_state", "nats/card", "log loss of the state model"),
        value("loss_act", "nats/card", "log loss of the act layer; null for all cards in hands"),
        text("method", "how the model was made", ("shipped", "adjusted", "refitted")),
        text("model", "the shipped model that it is or began with"),
        text("features", "whether what messages say is used, or only the context", ("conventions", "context")),
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
        value("uncertain", SHARE, "share of actions with more than one possible reading; null without actions"),
    ),
    "convention_stats": (
        count("uses", "actions that used this convention", "actions"),
        count("games", "games with at least one use", "games"),
        FrameColumn("per_100", NUMBER, "uses/100 actions", "0..100", "uses per 100 actions in the group"),
        count("opportunities", "turns on which it was used or a legal clue could have used it; null for stalls and for conventions that are not clues", "turns"),
        *estimate("taken", SHARE, "share of opportunities in which it was used"),
        count("settled", "uses that later turns showed to have worked or not", "uses"),
        count("cut_off", "uses cut off by the end of the game", "uses"),
        count("superseded", "uses made unnecessary by another copy of the card", "uses"),
        *estimate("read", SHARE, "share of settled uses in which the called players did their part"),
        *estimate("success", SHARE, "share of settled uses in which everything called for happened"),
        *estimate("cards", "cards/token", "cards that its clues newly promised: touched, called or saved", "promised"),
        *estimate("played", "cards/token", "cards that were played because of its clues: those that they touched or called, if they were played within two rounds, before another clue touched them"),
        *estimate("cards_more", "cards/token", "played cards per token, compared with other clues at the same need", "more"),
        *estimate("strikes", "strikes/use", "misplays of called cards per use"),
        *estimate("points", "points", "mean final score of the games with a use"),
        *estimate("points_without", "points", "mean final score of the group's other games"),
        value("null_random", "uses/100 actions", "uses by chance, in games of the agent `random`"),
        value("null_cautious", "uses/100 actions", "uses by chance, in games of the agent `cautious`", "null"),
        value("null_success", SHARE, "success by chance, in games of both agents"),
    ),
    "convention_effects": (
        text("convention", "the convention"),
        text("outcome", f"what came after: points and plays of the turn itself and the next {TURNS_AFTER}, or the final score; a strikeout that forfeits the score takes it from the points, too", OUTCOMES),
        count("taken", "turns that offered the convention and took it", "turns"),
        count("declined", "turns that offered it and did something else", "turns"),
        count("games", "games with a turn that took it", "games"),
        *estimate("effect", "points or plays", "effect of taking it, against declining it in like positions"),
        value("p_value", "probability", "the largest of the p-values that the effect is 0, and that it is the placebo's or a control's; 1 where these do not point one way"),
        value("q_value", "probability", "p_value adjusted for the number of rows", "q"),
        text("verdict", "whether it brings more, or less, than declining it: decided only where q is below 0.05", ("more", "less", "undecided")),
        text("why", "why there is no estimate, or no verdict whatever q is; null otherwise", ("few_taken", "few_declined", "few_games", "no_overlap", "no_variation", "no_control")),
        value("unadjusted", "points or plays", "difference of the plain means, taken less declined"),
        *estimate("placebo", "points or plays", "the same estimate for a word put on such turns at random, in the same positions as often"),
        *estimate("random", "points or plays", "the same estimate in games of the agent `random`, who knows no conventions"),
        *estimate("cautious", "points or plays", "the same estimate in games of the agent `cautious`, who knows no conventions", "by chance"),
        value("overlap", SHARE, "share of the taken turns with like positions in which it was declined"),
        value("effective", "turns", "how many equally weighted declined turns the weighted ones are worth"),
        value("balance", "standard deviations", "largest difference that is left between taken and weighted declined turns in any variable of the position, before the outcome model; small up to 0.1"),
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
    "compare": (
        text("measure", "name of the measure"),
        text("unit", "unit of the measure; empty for a share"),
        value("a", "", "value for group a, over its matched and weighted games"),
        value("b", "", "value for group b, over its matched and weighted games"),
        *estimate("difference", "", "a - b; means have no interval below 20 deals in a group", ends=""),
        FrameColumn("matching_low", NUMBER, "", "", f"lower {_MATCHING}", is_end=True),
        FrameColumn("matching_high", NUMBER, "", "", f"upper {_MATCHING}", is_end=True),
        value("p_value", "probability", "two-sided p-value of the difference"),
        _Q_VALUE,
        FrameColumn("found_a", NUMBER, "", "0..", "total found in the matched games of group a"),
        FrameColumn("opportunities_a", NUMBER, "", "0..", "total of opportunities in the matched games of group a"),
        FrameColumn("games_a", COUNT, "", "0..", "matched games of group a with at least one opportunity"),
        FrameColumn("found_b", NUMBER, "", "0..", "total found in the matched games of group b"),
        FrameColumn("opportunities_b", NUMBER, "", "0..", "total of opportunities in the matched games of group b"),
        FrameColumn("games_b", COUNT, "", "0..", "matched games of group b with at least one opportunity"),
        value("unmatched", "", "difference over all games, matched or not"),
    ),
    "same_deal": (
        text("measure", "name of the measure"),
        text("unit", "unit of the measure"),
        count("deals", "deals that both groups played, with the measure in a game of each", "deals"),
        value("a", "", "mean over the deals of the mean of group a's games"),
        value("b", "", "mean over the deals of the mean of group b's games"),
        *estimate("difference", "", "mean over the deals of a - b; without interval below 20 deals", ends=""),
        count("a_higher", "deals with a larger mean in group a", "deals"),
        count("b_higher", "deals with a larger mean in group b", "deals"),
    ),
    "deal_results": (
        count("deal", "number of the deal, from 1; games of one deal have the same deck, seats and rules"),
        FrameColumn("game_id", COUNT, "", "", "key of the game"),
        text("seed", "seed of the game, null if its log has none"),
        count("score", "final score", "points"),
        count("games", "games of the deal, this one included", "games"),
        count("beaten", "games of the deal with a lower score", "games"),
        count("tied", "other games of the deal with the same score", "games"),
        count("matchpoints", "2 for each game beaten, 1 for each tied"),
        value("percentile", SHARE, "matchpoints as a share of the most there are; null for a lone game"),
        count("bottom_deck", "cards not trash that were discarded or misplayed with exactly one copy left, in no hand", "cards"),
        count("turns_left", "turns that were left at the end, at most, by hanab.live's count", "turns"),
    ),
    "partings": (
        count("deal", "number of the deal, as in deal_results"),
        FrameColumn("game_a", COUNT, "", "", "key of a game"),
        FrameColumn("game_b", COUNT, "", "", "key of another game of the deal"),
        count("turn", "first turn with different actions, or with an action in one game only; null if there is none", "turn"),
        count("score_a", "final score of the first game", "points"),
        count("score_b", "final score of the second game", "points"),
    ),
    "research_scores": (
        count("players", "number of players", "players"),
        count("games", "games", "games"),
        value("strict", "points", "mean score, games lost by strikes counting 0"),
        value("strict_sem", "points", "standard error of that mean (ddof 1)"),
        value("kept", "points", "mean of the cards on the play stacks, games lost by strikes included"),
        value("kept_sem", "points", "standard error of that mean (ddof 1)"),
        value("median", "points", "median of the strict score"),
        value("perfect", SHARE, "share of the games with the full score"),
        value("bomb_out", SHARE, "share of the games lost by strikes"),
    ),
    "research_players": (
        text("player", "name of the player or agent"),
        count("games", "games in which the name sits", "games"),
        value("communicativeness", SHARE, "clues, as a share of the turns with a clue token"),
        count("plays", "plays, successful or not", "plays"),
        value("information_per_play", SHARE, "colour and rank known by positive clues, mean over plays"),
        value("both_known", SHARE, "plays of cards with colour and rank clued"),
        value("colour_only", SHARE, "plays of cards with only the colour clued"),
        value("rank_only", SHARE, "plays of cards with only the rank clued"),
        value("none_known", SHARE, "plays of cards that no clue touched"),
        value("risk_aversion", "probability", "mean chance, for the player, that a played card fits"),
        count("critical_discards", "critical cards discarded or misplayed", "cards"),
        value("critical_share", SHARE, "those, as a share of the cards discarded or misplayed"),
        value("max_score_lost", "points/game", "maximum score lost by discards and misplays, per game"),
    ),
    "action_matrix": (
        count("players", "number of players", "players"),
        text("action", "an action: P or D and the slot, C or R and the clue, + how many seats further"),
        text("next_action", "the action of the next player"),
        count("pairs", "how often the one followed the other"),
        value("probability", "probability", "pairs as a share of all pairs that begin with action"),
    ),
    "action_information": (
        count("players", "number of players", "players"),
        count("pairs", "pairs of consecutive actions"),
        count("actions", "different actions that occur"),
        value("plug_in", "bits", "mutual information of consecutive actions, from the shares of pairs"),
        value("bias", "bits", "how much of plug_in is to be expected by chance (Miller & Madow)"),
        value("corrected", "bits", "plug_in - bias"),
    ),
    "hint_response": (
        text("player", "name of the player who got the hints"),
        count("players", "number of players", "players"),
        count("hints", "hints received, if the receiver had a turn afterwards", "hints"),
        value("played", SHARE, "next turns on which a newly touched card was played"),
        value("discarded", SHARE, "next turns on which a newly touched card was discarded"),
        value("response", SHARE, "the two together"),
        value("other_play", SHARE, "next turns on which another card was played"),
        value("other_discard", SHARE, "next turns on which another card was discarded"),
        value("hint", SHARE, "next turns on which the receiver gave a hint"),
    ),
    "action_diversity": (
        text("player", "name of the player or agent"),
        count("players", "number of players", "players"),
        count("actions", "actions of the player", "actions"),
        value("diversity", "bits", "entropy of the player's actions"),
        value("diversity_corrected", "bits", "the same, corrected for few actions (Miller & Madow)"),
        count("pairs", "actions that another one followed", "actions"),
        value("response_diversity", "bits", "entropy of the next player's action given the player's"),
        value("coordination", "bits", "mutual information of the player's action and the next one"),
        value("coordination_corrected", "bits", "the same without its bias", "corrected"),
        count("hint_pairs", "hints to the next player that an action followed", "hints"),
        value("hint_coordination", "bits", "mutual information of such a hint and the next action"),
        value("hint_coordination_corrected", "bits", "the same without its bias", "hint corrected"),
    ),
    "dominated_moves": (
        text("player", "name of the player or agent"),
        count("actions", "actions of the player", "actions"),
        count("sure_misplays", "plays of cards that could not fit", "cards"),
        count("playables_discarded", "discards of cards that were sure to fit", "cards"),
        count("needless_risks", "discards of cards that might be needed beside a sure trash card", "cards"),
        value("dominated", SHARE, "actions that are one of these, as a share of all"),
        count("sure_plays", "turns with a card that was sure to fit", "turns"),
        value("dominant", SHARE, "of these, turns on which such a card was played"),
    ),
    "misreadings": (
        text("giver", "name of the player who sent the message"),
        text("receiver", "name of the player who held the card"),
        text("convention", "convention by which the card was read; `all` for all together"),
        count("games", "games read for conventions in which both played", "games"),
        count("cards", "cards that such messages were about", "cards"),
        count("wrong", "of these, cards read wrongly, counted for the first such message", "cards"),
        value("share", SHARE, "wrong / cards"),
        value("per_100_games", "cards/100 games", "cards read wrongly per 100 games of the pair"),
    ),
    "note_accuracy": (
        text("player", "name of the player who wrote the notes"),
        count("games", "games in which the player wrote one", "games"),
        count("notes", "notes on the player's own cards", "notes"),
        count("marks", "of these, only marks, such as finessed or chop-moved", "notes"),
        count("not_understood", "of these, not understood", "notes"),
        count("identities", "of these, notes that say what the card is", "notes"),
        count("right", "of these, exactly what the card was", "notes"),
        count("open", "of these, several identities, the true one among them", "notes"),
        count("wrong", "of these, without the true identity", "notes"),
        count("known", "of `identities`, cards that logic alone had settled", "notes"),
        count("beyond", "of `identities`, notes that say more than logic did", "notes"),
        count("beyond_right", "of these, notes with the true identity", "notes"),
        count("ruled_out", "of `identities`, notes that logic had ruled out", "notes"),
        count("on_others", "notes on other players' cards and on play stacks, not judged", "notes"),
    ),
    "cross_play": (
        text("first", "agent at the first seat"),
        text("second", "agent at the second seat"),
        count("games", "games of this pair in these seats", "games"),
        value("mean", "points", "mean score, games lost by strikes counting 0"),
        value("sem", "points", "standard error of the mean (ddof 1), over games"),
    ),
}
# fmt: on
"""The columns of each function's frame, by the function's name, after those of the groups.

`family_rates` returns those of `rates`; `compare` has its frame in `Comparison.frame`.
"""

GROUPS: Final = {column.name: column for column in _GROUP_COLUMNS}
"""The columns of groups, by name; `rates` and `convention_stats` say which groupings have which."""


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
    return {column.name: dtype(column) for column in (*(GROUPS[group] for group in groups), *FRAMES[name])}


def select_columns(frame: pl.DataFrame, name: str, groups: Sequence[str] = ()) -> pl.DataFrame:
    """Return a frame with the columns that are declared for it, in their order and of their types."""
    return frame.select(pl.col(column).cast(kind) for column, kind in schema(name, groups).items())
