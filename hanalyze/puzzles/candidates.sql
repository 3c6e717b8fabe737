-- Turns that may be puzzles, one row per turn and form; `hanalyze/puzzles/selection.py` decides about each.
--
-- game_id, turn, seat: the position before this turn, and the seat that is asked.
-- form: play (a card is called now), known (a card is known to be playable), save (a chop needs a save), get (the best
--     clue gets two or more cards), quiet (nothing is urgent), cards (the receiver of the last clue names its focus).
-- theme: the convention of the message or of the best clue; `known_play` for known, `discard` for quiet.
-- level, steps: H-Group level of the convention (null for save and get), and number of plays called before the focus.
-- did_right: whether the player made the expected move; for cards, whether the outcome of the clue is none of
--     failed, missed, stomped and broken.
-- due_slot, cause: for play, the slot of the called card and the turn of its message; for cards, the turn of the clue.
WITH o AS (
    SELECT o.*, t.action, t.slot, t.receiver AS clued_seat, t.clue_value AS clued_value, t.strikes_before,
        t.clue_tokens_before, t.deck_before, t.could_discard
    FROM convention_opportunities o JOIN turns t USING (game_id, turn)
    WHERE t.deck_before >= $deck AND t.strikes_before < 2
),
main AS (FROM conventions WHERE number = 0)
SELECT o.game_id, o.turn, o.seat, 'play' AS form, m.convention::VARCHAR AS theme, m.level, m.steps,
    o.action = 'play' AND o.slot = o.due_slot AS did_right, o.due_slot, o.due_turn AS cause
FROM o JOIN main m ON m.game_id = o.game_id AND m.turn = o.due_turn
WHERE o.due_slot IS NOT NULL AND o.clue_saves IS NOT TRUE AND m.legal AND m.certainty = 100
    AND m.convention IN ('prompt', 'finesse', 'reverse_finesse', 'self_prompt', 'self_finesse')
UNION ALL
SELECT game_id, turn, seat, 'known', 'known_play', 1, 0,
    coalesce(action = 'play' AND playable_slots >> (slot - 1)::INTEGER & 1 = 1, false), NULL, NULL
FROM o
WHERE due_slot IS NULL AND playable_slots > 0 AND clue_saves IS NOT TRUE
UNION ALL
SELECT game_id, turn, seat, CASE WHEN clue_saves THEN 'save' ELSE 'get' END, clue_convention::VARCHAR, NULL,
    0, action::VARCHAR = clue_kind::VARCHAR AND clued_seat = clue_receiver AND clued_value = clue_value, NULL, NULL
FROM o
WHERE due_slot IS NULL AND playable_slots = 0 AND NOT clue_stalls AND (clue_saves OR best_worth >= 2)
UNION ALL
SELECT game_id, turn, seat, 'quiet', 'discard', 1, 0,
    action = 'discard' AND CASE
        WHEN trash_slots > 0 THEN trash_slots >> (slot - 1)::INTEGER & 1 = 1 ELSE slot = chop_slot
    END,
    NULL, NULL
FROM o
WHERE due_slot IS NULL AND playable_slots = 0 AND best_worth = 0 AND stall_severity = 0 AND could_discard
    AND clue_tokens_before BETWEEN 1 AND 5 AND (trash_slots > 0 OR chop_slot IS NOT NULL)
UNION ALL
SELECT m.game_id, (m.turn + 1)::SMALLINT, m.receiver, 'cards', m.convention::VARCHAR, m.level, m.steps,
    r.outcome NOT IN ('failed', 'missed', 'stomped', 'broken'), NULL, m.turn
FROM main m
JOIN convention_outcomes r USING (game_id, turn, number)
JOIN turns t ON t.game_id = m.game_id AND t.turn = m.turn + 1
WHERE m.legal AND m.certainty = 100 AND bit_count(m.readings) BETWEEN 1 AND $readings AND t.deck_before >= $deck
    AND t.strikes_before < 2
    AND m.convention IN ('play_clue', 'delayed_play_clue', 'two_save', 'critical_save', 'prompt', 'finesse',
        'reverse_finesse', 'fix_clue')
