-- Discarded a needed card that messages had moved off the chop
--
-- noun: Kept card discarded
-- label: Kept card
-- sentence: Discarded a card that teammates had kept
-- example: A chop move moves G4 off the chop; later its holder discards G4.
-- chance: p_trash
-- definition: A discard of an unclued card that was needed, although messages had moved it off the chop, while no other
--     copy was clued in any hand, and no teammate played a copy within a round. Games that were not read for
--     conventions have no such mistake. Not counted are discards despite a card known to be playable
--     (discard_over_play), of a last copy (discard_last_copy), of a called card (call_missed), and discards that led to
--     a strike (strike_caused). The severity depends on the chance, from the holder's view and estimated from recorded
--     games, that the card was needed: knew (certain), could tell (at least $could_tell), gamble (at least $gamble),
--     could not know (below). In these cases it is could not know, whatever the chance:
--     - The holder saw that the card was not a last copy.
--     - The last message that moved it was an order chop move, which players rarely intend.
--     - A generation discard moved it, or a scream or shout discard that the holder did not answer with a clue.
--     - The last message that moved it was a tempo clue, which also had its card played, and the holder had discarded
--       no unclued card since.
-- source: H-Group's chop moves.
-- explained: sarcastic_discard, gentlemans_discard, baton_discard, blaze_discard, scream_discard, shout_discard,
--     generation_discard, positional_discard
-- opportunity: discards
-- where: result = 'discarded'
-- rows: d.kept AND d.status = 'needed' AND d.one_choice IS NULL AND d.known_playable = 0
-- threshold could_tell = 0.5: least chance at which the holder could tell
-- threshold gamble = 0.25: least chance at which it was a gamble
SELECT
    d.game_id, d.turn, d.seat,
    CASE
        WHEN d.p_critical_in_games < 1e-6 OR coalesce(k.message = 'order chop move', true)
            OR kept_silently(d.game_id, d.turn, d."order") THEN 'could_not_know'
        WHEN k.message = 'tempo clue chop move' AND NOT EXISTS (
            FROM turns x
            WHERE x.game_id = d.game_id AND x.seat = d.seat AND x.turn > k.turn AND x.turn < d.turn
                AND x.result = 'discarded' AND NOT x.clued
        ) THEN 'could_not_know'
        WHEN d.p_trash < 1e-9 THEN 'knew'
        WHEN 1 - d.p_trash_in_games >= $could_tell THEN 'could_tell'
        WHEN 1 - d.p_trash_in_games >= $gamble THEN 'gamble'
        ELSE 'could_not_know'
    END AS severity,
    0 AS points, 0.0 AS tokens, 0 AS pace,
    'discarded {card} from slot {slot}, which '
        || CASE
            WHEN k.turn IS NULL THEN 'messages had moved off the chop'
            ELSE 'a {message} by {seat} had moved off the chop on turn {turn}'
        END || '; ' || likely('needed', d.p_trash_in_games) AS evidence,
    {
        'card': d.card, 'slot': d.slot, 'message': k.message, 'seat': k.seat, 'turn': k.turn,
        'p_needed': 1 - d.p_trash, 'p_needed_in_games': 1 - d.p_trash_in_games,
        'place': d.place, 'model': d.model, 'features': d.features
    } AS evidence_values,
    'convention' AS basis
FROM convention_decisions d
ASOF LEFT JOIN chop_moves k ON k.game_id = d.game_id AND k."order" = d."order" AND d.turn > k.turn
WHERE $rows
    AND NOT led_to_strike(d.game_id, d.turn, d.seat)
    AND left_no_copy(d.game_id, d.turn, d.seat, d."order", d.suit, d.rank, d.players)
