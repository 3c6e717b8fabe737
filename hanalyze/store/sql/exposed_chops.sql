-- The critical chops that another player could perhaps have saved, for the table `missed_saves`: one row per turn on
-- which the holder of the chop had nothing else to discard.
--
-- order, points, lucky: the chop, the points that its discard cost, and whether it was not discarded.
-- oldest: whether no other unclued card of the hand was older.
-- kept: whether messages had moved the card off the chop.
WITH busy AS (
    -- Discards by players whom messages had told of trash, or of a card that was indeed playable.
    SELECT DISTINCT d.game_id, d.turn
    FROM (
        SELECT d.game_id, d.turn, o.playable_slots, o.trash_slots, c.playable_turn <= d.turn AS fits,
            row_number() OVER (PARTITION BY d.game_id, d.turn ORDER BY c."order" DESC) AS slot
        FROM plain_decisions d
        JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
        JOIN cards c ON c.game_id = d.game_id AND c.holder = d.seat
            AND coalesce(c.drawn_turn, -1) < d.turn AND coalesce(c.fate_turn, 32000) >= d.turn
        WHERE d.result = 'discarded' AND d.max_score_after < d.max_score_before
    ) d
    WHERE d.trash_slots > 0 OR (d.fits AND (d.playable_slots >> (d.slot - 1)::INTEGER) & 1 = 1)
)
SELECT d.game_id, d.turn, d.seat, d.players, d."order", d."order" = d.chop AS oldest,
    d.max_score_before - d.max_score_after AS points, false AS lucky,
    o.turn IS NOT NULL AND d.slot IS DISTINCT FROM o.chop_slot AS kept
FROM plain_decisions d
LEFT JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
WHERE d.result = 'discarded' AND d.max_score_after < d.max_score_before
    AND CASE WHEN o.turn IS NULL THEN d."order" = d.chop ELSE coalesce(d.slot = o.chop_slot, false) OR (
        -- A card that messages protected without a clue also counts: its holder may not have noticed.
        d."order" = d.chop AND EXISTS (
            FROM findings m
            WHERE m.game_id = d.game_id AND m.turn < d.turn AND list_contains(m.cards, d."order")
                AND (m.outcome = 'superseded' OR m.convention IN ('scream_discard', 'shout_discard'))
        )
    ) END
    AND NOT d.locked AND d.p_critical < 1 - 1e-9
    AND d.known_playable + d.known_trash = 0 AND (d.game_id, d.turn) NOT IN (FROM busy)
UNION ALL
SELECT d.game_id, d.turn, d.seat, d.players, d.chop, true, 0, true, false
FROM turns before
JOIN plain_decisions d ON d.game_id = before.game_id AND d.turn = before.turn + 1
LEFT JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
WHERE before.next_chop_critical AND before.clue_tokens_after < 1 AND NOT d.could_clue AND d.deck_before > 0
    AND d."order" <> d.chop AND NOT d.locked AND d.known_playable + d.known_trash = 0
    AND (o.turn IS NULL OR o.known_playable + o.known_trash = 0)
    AND (o.turn IS NULL OR NOT (d.result = 'played' AND NOT d.clued))
    AND (o.turn IS NULL OR o.chop_slot = (
        SELECT count(*)
        FROM cards x
        WHERE x.game_id = d.game_id AND x.holder = d.seat AND x."order" >= d.chop
            AND x.drawn_turn <= d.turn AND coalesce(x.fate_turn, 32000) >= d.turn
    ))
