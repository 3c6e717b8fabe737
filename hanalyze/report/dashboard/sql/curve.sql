-- Cards per clue achieved and needed after each turn (from 1); `short`: 0 perfect, 1 one or two points short, 2 more.
SELECT t.game_id, t.turn + 1 AS turn,
    CASE WHEN g.score >= g.full_score THEN 0 WHEN g.full_score - g.score >= 3 THEN 2 ELSE 1 END AS short,
    t.cards_gotten_after / nullif(t.clues_lost_after, 0) AS achieved, t.future_efficiency_after AS needed
FROM turns t JOIN games g USING (game_id)
WHERE t.action <> 'end_game'
