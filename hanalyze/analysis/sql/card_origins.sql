-- Cards played onto a stack, by game and group: never clued (`blind`; of these, `known` to the holder), clued `once`, or
-- several times (`more`).
WITH d AS (
    SELECT c.game_id, c.holder AS seat, c.suit, c.rank, c.known_turn, c.fate_turn,
        c.colour_clues + c.rank_clues AS clues, g.players, g.variant, g.edition, g.score, g.full_score
    FROM cards c JOIN games g USING (game_id)
    WHERE c.fate = 'played'
)
SELECT d.game_id, {by.selected}count(*)::INTEGER AS cards,
    (count(*) FILTER (d.clues = 0))::INTEGER AS blind,
    (count(*) FILTER (d.clues = 0 AND d.known_turn <= d.fate_turn))::INTEGER AS known,
    (count(*) FILTER (d.clues = 1))::INTEGER AS once, (count(*) FILTER (d.clues > 1))::INTEGER AS more
FROM d{by.joins}{by.where}
GROUP BY ALL
