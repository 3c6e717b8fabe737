-- Cards per clue achieved and needed after each turn, with the number of games.
WITH d AS (
    SELECT t.game_id, t.turn, g.players, g.variant, g.edition, g.score, g.full_score,
        t.cards_gotten_after / nullif(t.clues_lost_after, 0)::DOUBLE AS achieved,
        t.future_efficiency_after AS needed
    FROM turns t JOIN games g USING (game_id)
    WHERE t.action <> 'end_game'
)
SELECT {by.selected}d.turn, d.achieved, d.needed, count(*) AS games
FROM d{by.joins}{by.where} GROUP BY ALL
