"""The columns of the frames with the metrics of the research literature."""

from __future__ import annotations

from typing import Final

from hanalyze.analysis.frame_column import SHARE, FrameColumn, count, text, value

__all__ = ["RESEARCH"]

RESEARCH: Final[dict[str, tuple[FrameColumn, ...]]] = {
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
    "cross_play": (
        text("first", "agent at the first seat"),
        text("second", "agent at the second seat"),
        count("games", "games of this pair in these seats", "games"),
        value("mean", "points", "mean score, games lost by strikes counting 0"),
        value("sem", "points", "standard error of the mean (ddof 1), over games"),
    ),
}
