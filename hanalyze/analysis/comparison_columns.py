"""The columns of the frames that compare games: two groups, games of one deal."""

from __future__ import annotations

from typing import Final

from hanalyze.analysis.frame_column import COUNT, NUMBER, SHARE, FrameColumn, count, estimate, text, value

COMPARISONS: Final[dict[str, tuple[FrameColumn, ...]]] = {
    "compare": (
        text("measure", "name of the measure"),
        text("unit", "unit of the measure; empty for a share"),
        value("a", "", "value for group a, over its matched and weighted games"),
        value("b", "", "value for group b, over its matched and weighted games"),
        *estimate("difference", "", "a - b; means have no interval below 20 deals in a group", ends=""),
        *(
            FrameColumn(
                f"matching_{end}",
                NUMBER,
                "",
                "",
                f"{words} end of the interval adjusted for the number of rows (Benjamini & Yekutieli 2005):"
                " without 0 where q_value is at most 1 - confidence",
                is_end=True,
            )
            for end, words in (("low", "lower"), ("high", "upper"))
        ),
        value("p_value", "probability", "two-sided p-value of the difference"),
        value(
            "q_value",
            "probability",
            "p_value adjusted for the number of rows (Benjamini & Hochberg 1995)",
            "q",
        ),
        *(
            FrameColumn(f"{name}_{group}", kind, "", "0..", meaning)
            for group in "ab"
            for name, kind, meaning in (
                ("found", NUMBER, f"total found in the matched games of group {group}"),
                ("opportunities", NUMBER, f"total of opportunities in the matched games of group {group}"),
                ("games", COUNT, f"matched games of group {group} with at least one opportunity"),
            )
        ),
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
        count(
            "bottom_deck",
            "cards not trash that were discarded or misplayed with exactly one copy left, in no hand",
            "cards",
        ),
        count("turns_left", "turns that were left at the end, at most, by hanab.live's count", "turns"),
    ),
    "partings": (
        count("deal", "number of the deal, as in deal_results"),
        FrameColumn("game_a", COUNT, "", "", "key of a game"),
        FrameColumn("game_b", COUNT, "", "", "key of another game of the deal"),
        count(
            "turn",
            "first turn with different actions, or with an action in one game only; null if there is none",
            "turn",
        ),
        count("score_a", "final score of the first game", "points"),
        count("score_b", "final score of the second game", "points"),
    ),
}
