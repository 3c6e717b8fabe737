-- By game, the discarded or misplayed cards that were not trash and whose only remaining copy was still in the deck
-- (players call this bottom deck risk); fewer are better. The mistake `discard_bottom_deck` is narrower: it excludes
-- misplays, and discards without a choice.
SELECT g.game_id, coalesce(b.bottom_deck, 0) AS bottom_deck FROM games g LEFT JOIN (
    SELECT game_id, count(*) AS bottom_deck FROM (
        SELECT t.game_id, t.turn, count(*) AS copies, max(coalesce(c.drawn_turn, 32000)) AS drawn
        FROM turns t JOIN cards c ON c.game_id = t.game_id AND c.suit = t.suit AND c.rank = t.rank
            AND c."order" <> t."order" AND coalesce(c.fate_turn, 32000) > t.turn
        WHERE t.result IN ('discarded', 'misplayed') AND t.status <> 'trash'
        GROUP BY t.game_id, t.turn
    ) WHERE copies = 1 AND drawn > turn GROUP BY game_id
) b USING (game_id)
