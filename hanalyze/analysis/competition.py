"""What competitions count beside the score: bottom deck risk, and turns that were left.

In: nothing. Out: queries, a row per game.
"""

from __future__ import annotations

from typing import Final

BOTTOM_DECK: Final = """
SELECT g.game_id, coalesce(b.bottom_deck, 0) AS bottom_deck FROM games g LEFT JOIN (
    SELECT game_id, count(*) AS bottom_deck FROM (
        SELECT t.game_id, t.turn, count(*) AS copies, max(coalesce(c.drawn_turn, 32000)) AS drawn
        FROM turns t JOIN cards c ON c.game_id = t.game_id AND c.suit = t.suit AND c.rank = t.rank
            AND c."order" <> t."order" AND coalesce(c.fate_turn, 32000) > t.turn
        WHERE t.result IN ('discarded', 'misplayed') AND t.status <> 'trash'
        GROUP BY t.game_id, t.turn
    ) WHERE copies = 1 AND drawn > turn GROUP BY game_id
) b USING (game_id)
"""
"""`game_id`, `bottom_deck`: cards discarded or misplayed that were not trash and of which exactly one copy is
left, in no hand at that moment: hanab.live's competitions count these, as fewer are better among equal
scores. The mistake `discard_bottom_deck` is narrower: no misplays, and no discard without a choice."""

TURNS_LEFT: Final = """
SELECT g.game_id, CASE
    WHEN l.deck > 0 THEN l.deck + g.players + l.clues
    ELSE greatest(g.players - (l.turn - l.emptied), 0) END AS turns_left
FROM games g JOIN (
    SELECT game_id, max(turn) AS turn, arg_max(deck_after, turn) AS deck,
        arg_max(clues_left_after, turn) AS clues, min(turn) FILTER (deck_after = 0) AS emptied
    FROM turns WHERE action <> 'end_game' GROUP BY game_id
) l USING (game_id)
"""
"""`game_id`, `turns_left`: with cards in the deck, pace + clues left + points still possible, which the site
shows as the most turns that are left; as pace is score + deck - maximum score + players, that is deck +
players + clues left. With an empty deck, the turns of the last round that were not taken."""
