-- One row per turn with a mistake, of one game: what the player knew about the possible moves (`hanalyze/store/moves.py`).
--
-- better_...: the better move of the turn, as in `mistakes`.
-- clue_slot: slot of the card that the best clue is about; clue_trash: whether a copy of it has been played.
-- left_card, left_seat: a last copy on the next player's chop, and that player's seat; null if there is none. In games
-- read for conventions, `chop_slot` of the next turn determines the chop, unless the move was a clue to that player.
SELECT
    d.turn, d.seat, d.action, d.slot, d.receiver, d.clue_value, d.could_clue, d.could_discard, d.letters, d.colours,
    d.p_playable, d.p_critical, d.best_p_playable, d.best_playable_slot, d.best_p_trash, d.best_trash_slot,
    coalesce(d.least_p_critical_in_games, d.least_p_critical) AS least_p_critical,
    coalesce(d.safest_slot_in_games, d.safest_slot) AS safest_slot,
    -- As in the evidence of `misplay`: these chances do not show that a card below was lost after the clue.
    CASE
        WHEN d.status = 'trash' AND f.fault_rule = 'gamble'
            THEN list_transform(d.playable_in_games, lambda one, slot: CASE slot WHEN d.slot THEN d.p_playable ELSE one END)
        ELSE d.playable_in_games
    END AS playable_in_games, d.critical_in_games, o.chop_slot, o.due_slot, o.due_turn,
    o.playable_slots, o.trash_slots, o.clue_convention::VARCHAR AS clue_convention, o.clue_receiver,
    o.clue_kind::VARCHAR AS clue_kind, o.clue_value AS new_value, o.clue_suit, o.clue_rank, o.clue_gets, o.clue_saves,
    o.clue_fixes, o.clue_stalls, m.convention::VARCHAR AS convention, m.legal, m.worth, x.seat AS left_seat,
    b.better_kind, b.better_slot, b.better_seat, b.better_clue, b.better_value, b.better_chance,
    (
        SELECT count(*)
        FROM cards c
        WHERE c.holder = o.clue_receiver AND c."order" >= o.clue_focus AND c.drawn_turn <= d.turn
            AND coalesce(c.fate_turn, 32000) >= d.turn
    ) AS clue_slot,
    o.clue_rank <= d.stacks_before[o.clue_suit + 1] AND NOT regexp_matches(d.variant, 'Reversed|Up or Down') AS clue_trash,
    CASE WHEN d.receiver IS NOT DISTINCT FROM x.seat OR coalesce(n.chop_slot = x.slot, true) THEN x.card END AS left_card
FROM decisions d
LEFT JOIN convention_opportunities o ON o.turn = d.turn
LEFT JOIN conventions m ON m.turn = d.turn AND m.number = 0
LEFT JOIN convention_outcomes f ON f.turn = d.turn AND f.number = 0
LEFT JOIN (
    SELECT t.turn, any_value(c.holder) AS seat, arg_min(card_name(t.letters, c.suit, c.rank), c."order") AS card,
        arg_min(c.slot, c."order") AS slot
    FROM decisions t
    JOIN (
        SELECT a.turn, c.*, row_number() OVER (PARTITION BY a.turn ORDER BY c."order" DESC) AS slot
        FROM decisions a
        JOIN cards c ON c.holder = (a.seat + 1) % a.players AND c.drawn_turn <= a.turn
            AND coalesce(c.fate_turn, 32000) >= a.turn
        WHERE a.next_chop_critical
    ) c ON c.turn = t.turn AND coalesce(c.first_clue_turn, 32000) >= t.turn
    GROUP BY t.turn
) x ON x.turn = d.turn
LEFT JOIN convention_opportunities n ON n.turn = d.turn + 1
LEFT JOIN (
    SELECT DISTINCT ON (turn) turn, better_kind, better_slot, better_seat, better_clue, better_value, better_chance
    FROM mistakes
) b ON b.turn = d.turn
WHERE d.turn IN (SELECT turn FROM found_mistakes)
