-- Left a card that was called
--
-- noun: Missed call
-- label: Called card left
-- example: R5 is clued for Cathy's R4, and Cathy discards.
-- family: play
-- definition: A message (a finesse, prompt or bluff) had called a playable card, and the player did not play it and had
--     no excuse for the delay. A delay counts in these cases, apart from the exceptions at the end:
--     - It was the second delay, or the first if the call expects an immediate answer.
--     - The player discarded the called card.
--     - Another player clued the card within a round, so the delay cost a clue. A play of another card counts only
--       directly after the message.
--     - The player had a token, but discarded, although messages called another card that was at least $sure likely to
--       be playable; the discard was of known trash and no shout discard, or was the second in a row instead of that
--       play.
--     - The player discarded a last copy, although a wrong clue of the round before had seemed to call a card, which
--       the player misplayed on the next turn (see discard_unsaved).
--     - Exceptions: a play in the last round, which makes the same point; a clue with the last token while a last
--       copy is on the next player's chop; delays that led to a strike (see strike_caused); calls that the conventions
--       do not allow, that need more than three plays of other cards first, or that are signals above the level of
--       these players; near the end, called plays that keep fewer points within reach than another move; and, below the
--       play threshold, clued cards and cards called by a discard of the chop, which may be an ordinary discard.
-- source: H-Group's conventions.
-- opportunity: turns on which a called card was to be played
-- where: (game_id, turn) IN (SELECT (game_id, turn) FROM convention_opportunities WHERE due_slot IS NOT NULL)
-- rows: d.result = 'discarded' AND d.left_play AND NOT d.legal AND d.one_choice IS NULL AND d.known_playable = 0
--     AND d.could_clue AND o.due_slot IS NULL AND round(d.best_p_playable_in_games, 2) >= $sure
--     OR d.result = 'discarded' AND d.max_score_after < d.max_score_before
--     OR o.due_slot IS NOT NULL AND NOT (d.action = 'play' AND d.slot IS NOT DISTINCT FROM o.due_slot)
--     AND (list_contains(at_fault.missed, d.turn) OR (m.reasons >> 18) & 1 = 1 AND at_fault.stomped)
-- threshold sure = 0.95: least chance of a called card at which a discard instead of its play counts
SELECT
    d.game_id, d.turn, d.seat, 'could_tell' AS severity,
    0 AS points, CASE f.outcome WHEN 'stomped' THEN 1.0 ELSE 0.0 END AS tokens, 0 AS pace,
    CASE WHEN d.slot = o.due_slot THEN 'discarded' ELSE 'did not play' END
        || ' slot {slot}, which a {convention} by {seat} had called on turn {turn}'
        || CASE f.outcome WHEN 'stomped' THEN '; {seat_again} clued it on turn {turn_again}' ELSE '' END AS evidence,
    {
        'slot': o.due_slot, 'seat': f.seat, 'turn': f.turn,
        'convention': replace(replace(f.convention::VARCHAR, '_', ' '), 'gentlemans', 'gentleman''s'),
        'seat_again': again.seat, 'turn_again': again.turn
    } AS evidence_values,
    'convention' AS basis,
    'play' AS better_kind, o.due_slot AS better_slot, 'called' AS better_value
FROM decisions d
JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
JOIN conventions late ON late.game_id = d.game_id AND late.turn = d.turn AND late.number = 0
JOIN findings f ON f.game_id = d.game_id AND f.turn < d.turn AND f.closed_turn >= d.turn
LEFT JOIN game_levels v ON v.game_id = d.game_id
JOIN turns call ON call.game_id = f.game_id AND call.turn = f.turn
LEFT JOIN turns again ON again.game_id = f.game_id AND again.turn = f.closed_turn
WHERE o.due_slot IS NOT NULL AND coalesce(d.one_choice NOT IN ('only_play', 'settled'), true) AND f.convention <> 'unexplained'
    AND NOT (
        d.action = 'play'
        AND (d.slot IS NOT DISTINCT FROM o.due_slot OR (d.result = 'played' AND d.deck_before = 0))
    )
    AND (
        f.outcome = 'missed' AND f.closed_turn = d.turn
        OR (
            f.outcome = 'stomped' AND f.turn = o.due_turn AND f.number = 0 AND f.closed_turn < d.turn + d.players
            AND (d.action <> 'play' OR f.turn = d.turn - 1) AND (late.reasons >> 18) & 1 = 1  -- no excuse: `Reason.LATE`
        )
    )
    AND coalesce((o.last_plays >> (o.due_slot - 1)) & 1 = 1, true)
    AND (coalesce(d.playable_in_games[o.due_slot] >= play_threshold(d.strikes_before), true)
        OR coalesce(call."order" <> call.chop, true) AND NOT EXISTS (
            FROM cards c
            WHERE c.game_id = d.game_id AND c.holder = d.seat AND list_contains(f.cards, c."order")
                AND c.first_clue_turn < d.turn
        ))
    AND f.legal AND f.steps <= 3 AND f.level <= signal_level(v.level)
    AND NOT (d.result = 'clued' AND d.next_chop_critical AND d.clue_tokens_before < 2)
    AND NOT led_to_strike(d.game_id, d.turn, d.seat)
QUALIFY row_number() OVER (PARTITION BY d.game_id, d.turn ORDER BY f.turn) = 1
UNION ALL
SELECT
    game_id, turn, seat, 'could_tell' AS severity, 0 AS points, 0.0 AS tokens, 0 AS pace,
    CASE WHEN is_trash THEN 'discarded known trash' ELSE 'discarded, as on turn {turn},' END
        || ' instead of playing slot {slot}, which messages had called; {p_playable_in_games} likely to be playable' AS evidence,
    {
        'slot': called, 'turn': turn - players, 'p_playable_in_games': playable_in_games[called], 'place': 'clued',
        'model': model, 'features': features
    }::JSON AS evidence_values,
    'convention' AS basis, 'play' AS better_kind, called AS better_slot, 'called' AS better_value
FROM (
    SELECT *,
        list_max(list_filter(range(1, 7), lambda s: (play_slots >> (s - 1)) & 1 = 1
            AND round(playable_in_games[s], 2) >= $sure
            -- The slot of the card on the player's previous turn, before the player drew.
            AND (is_trash OR ((2 * left_slots) >> (CASE WHEN s <= last_slot THEN s - 1 ELSE s END)) & 1 = 1)
        )) AS called
    FROM (
        SELECT
            d.*, (o.trash_slots >> (d.slot - 1)::INTEGER) & 1 = 1 AS is_trash,
            o.playable_slots & coalesce(o.last_plays, 63) AS play_slots, p.playable_slots AS left_slots, b.slot AS last_slot
        FROM convention_decisions d
        JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
        LEFT JOIN turns b ON b.game_id = d.game_id AND b.turn = d.turn - d.players AND b.result = 'discarded'
            AND b.deck_before > 0
        LEFT JOIN convention_opportunities p ON p.game_id = b.game_id AND p.turn = b.turn
        WHERE d.result = 'discarded' AND NOT d.legal AND d.left_play AND d.one_choice IS NULL AND d.could_clue
            AND d.known_playable = 0 AND o.due_slot IS NULL AND NOT led_to_strike(d.game_id, d.turn, d.seat)
    )
)
WHERE called IS NOT NULL
UNION ALL
SELECT
    d.game_id, d.turn, d.seat, 'could_tell' AS severity, 0 AS points, 0.0 AS tokens, 0 AS pace,
    'discarded {card}, the last copy, instead of playing slot {slot}, which a clue of the round before had seemed to'
        || ' call; it was {called}, misplayed on turn {turn_answer}' AS evidence,
    {'card': d.card, 'slot': k.slot, 'called': a.card, 'turn_answer': a.turn}::JSON AS evidence_values,
    'convention' AS basis, 'play' AS better_kind, k.slot AS better_slot, NULL AS better_value
FROM missed_saves s
JOIN decisions d ON d.game_id = s.game_id AND d.turn = s.turn
JOIN decisions a ON a.game_id = s.game_id AND a.turn = s.answer_turn
JOIN (
    -- The slots of cards before each turn's action.
    SELECT t.game_id, t.turn, c."order",
        row_number() OVER (PARTITION BY t.game_id, t.turn ORDER BY c."order" DESC)::INTEGER AS slot
    FROM turns t
    JOIN missed_saves m ON m.game_id = t.game_id AND m.turn = t.turn AND m.answer_turn IS NOT NULL AND NOT m.lucky
    JOIN cards c ON c.game_id = t.game_id AND c.holder = t.seat
        AND coalesce(c.drawn_turn, -1) < t.turn AND coalesce(c.fate_turn, 32000) >= t.turn
) k ON k.game_id = d.game_id AND k.turn = d.turn AND k."order" = a."order"
