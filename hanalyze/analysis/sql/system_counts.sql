-- Evidence for systems of conventions: by game and seat, one row each for discards, clues and plays.
WITH discarded AS (
    SELECT t.game_id, t.seat, t.turn, t."order" = t.chop AS oldest, t."order" = max(c."order") AS leftmost
    FROM turns t JOIN cards c ON c.game_id = t.game_id AND c.holder = t.seat
        AND c.drawn_turn <= t.turn AND coalesce(c.fate_turn, 9999) >= t.turn
        AND coalesce(c.first_clue_turn, 9999) >= t.turn
    WHERE t.result = 'discarded' AND NOT t.clued AND t.p_trash < 1 - 1e-9
    GROUP BY t.game_id, t.seat, t.turn, t."order", t.chop HAVING count(*) > 1
),
last_clues AS (SELECT game_id, turn, max(turn) FILTER (result = 'clued') OVER (
    PARTITION BY game_id ORDER BY turn ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS last FROM turns),
played AS (
    SELECT t.game_id, t.seat, t.p_playable < 1 - 1e-9 AS trusted, t.clued, t.p_playable AS odds,
        t.result = 'played' AS success, coalesce(o.last > t.turn - g.players, false) AS called
    FROM turns t JOIN last_clues o USING (game_id, turn) JOIN games g USING (game_id)
    WHERE t.action = 'play'
),
clued AS (
    SELECT c.game_id, c.giver AS seat, c.trash = c.touched AS only_trash, c.newly_touched > 0 AS fresh,
        coalesce(f.playable_turn <= c.turn AND coalesce(p.fate_turn, 9999) >= c.turn, false)
        OR (c.chop_touched AND (c.critical > 0 OR f.rank IN (2, 5)) AND coalesce(p.fate_turn, 9999) >= c.turn)
        AS focus
    FROM clues c JOIN cards f ON f.game_id = c.game_id AND f."order" = c.focus
    LEFT JOIN cards p ON p.game_id = c.game_id AND p.suit = f.suit AND p.rank = f.rank AND p.fate = 'played'
),
counts AS (
    SELECT game_id, seat, count(*) AS discards, count_if(oldest) AS oldest, count_if(leftmost) AS leftmost
    FROM discarded GROUP BY ALL
    UNION ALL BY NAME
    SELECT game_id, seat, count(*) AS clues, count_if(only_trash) AS only_trash, count_if(fresh) AS fresh,
        count_if(fresh AND focus) AS focus
    FROM clued GROUP BY ALL
    UNION ALL BY NAME
    SELECT game_id, seat, count(*) AS plays, count_if(trusted) AS trusted,
        count_if(trusted AND success) AS success, coalesce(sum(odds) FILTER (trusted), 0) AS odds,
        count_if(trusted AND NOT clued) AS blind, count_if(trusted AND NOT clued AND called) AS called
    FROM played GROUP BY ALL
)
SELECT c.*, g.players, g.variant, g.edition, g.source, g.source_id, g.seed
FROM counts c JOIN games g USING (game_id)
