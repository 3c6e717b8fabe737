-- Left the last copy of a needed card unsaved on a teammate's chop
--
-- noun: Save missed
-- label: Last copy not saved
-- sentence: Left {card} unsaved
-- example: The last B3 is on Cathy's chop; nobody clues it, and Cathy discards it.
-- definition: The last copy of a needed card was on the chop of a player who did not know it, and who knew of no card
--     to play or to discard instead. Other players had turns on which a legal clue would have touched it; the turn of
--     the clue that made it the chop counts as well, unless the previous chop was also a last copy. The mistake belongs
--     to the last of these turns whose player had nothing more urgent to do: a save of another card, a chop move, a fix
--     clue, or a called play. The severities are:
--     - Knew: the card was discarded; the lost points are charged to this turn. The holder is to blame, too, if a wrong
--       clue of the round before had seemed to call a card, which the holder misplayed on the next turn (see
--       call_missed).
--     - Lucky: the holder, who had no token, did something else.
--     - Lucky, if the game was read for conventions: the next player was expected to discard the last copy, but did
--       not. Instead of saving it, this player discarded despite a sure play, because the save comes before the play;
--       or played a card that was not called, and the next player, who had no useful clue either, misplayed or
--       discarded another card against convention.
--     - Gamble: a message had moved the card off the chop, but the holder had already discarded another card that it
--       had moved, and then discarded this one. The points are charged to the holder. A message that is a discard
--       counts only if the holder answered it with the clue that it asked for.
-- source: H-Group's save principle, for critical cards; without its conventions about which player has to save.
-- opportunity: decisions with a legal clue and a critical card on the chop of another player
-- where: could_clue AND (next_chop_critical OR other_chop_critical)
-- rows: list_contains(unsaved.turns, d.turn) OR risked_next_chop(d.game_id, d.turn)
SELECT
    d.game_id, d.turn, d.seat, CASE WHEN m.lucky THEN 'lucky' WHEN m.kept THEN 'gamble' ELSE 'knew' END AS severity,
    sum(CASE WHEN m.kept THEN 0 ELSE m.points END) OVER turn AS points, 0.0 AS tokens, 0 AS pace,
    CASE
        WHEN m.lucky THEN '{card} was on the chop of {seat}, who had no token and nothing else to discard on turn {turn}'
        WHEN m.kept THEN '{seat} discarded {card} on turn {turn}, although a {message} on turn {turn_moved} had moved it off the chop'
        ELSE '{seat} discarded {card} from the chop on turn {turn}'
    END || CASE WHEN m.kept THEN '' WHEN k.turn IS NOT NULL THEN ', protected only by a {message} on turn {turn_moved}' ELSE '' END || CASE
        WHEN m.put_there THEN ', where this clue had put it; nobody could clue it after that'
        WHEN m.kept
            THEN '; the points are charged to {seat}, because a card off the chop stays off it, but {seat} had already'
                || ' discarded another such card on turn {turn_broken}'
        WHEN m.savers = 1 THEN '; nobody else could have clued it, and this was the last chance'
        ELSE '; {savers} players could have clued it, and this was the last chance'
    END || CASE
        WHEN m.answer_turn IS NOT NULL AND NOT m.lucky
            THEN '; {seat} is to blame, too, having left a card that a clue seemed to call (played on turn {turn_answer})'
        ELSE ''
    END AS evidence,
    {
        'seat': m.seat, 'card': m.card, 'turn': m.turn, 'savers': m.savers, 'turn_answer': m.answer_turn,
        'message': k.message, 'turn_moved': k.turn, 'turn_broken': b.broken_turn
    } AS evidence_values,
    CASE WHEN m.kept THEN 'convention' END AS basis,
    -- If the clue of that turn made the card the chop, a different clue was better.
    CASE WHEN NOT m.put_there THEN 'clue' END AS better_kind, NULL AS better_slot,
    CASE WHEN NOT m.put_there THEN m.seat END AS better_seat, CASE WHEN NOT m.put_there THEN m.card END AS better_value,
    NULL AS better_chance
FROM missed_saves m
JOIN plain_decisions d ON d.game_id = m.game_id AND d.turn = m.save_turn
LEFT JOIN convention_decisions e ON e.game_id = m.game_id AND e.turn = m.turn AND e.kept
ASOF LEFT JOIN chop_moves k ON k.game_id = e.game_id AND k."order" = e."order" AND e.turn > k.turn
LEFT JOIN (
    -- For each message, the first turn on which a card that it had moved was discarded unclued.
    SELECT o.game_id, o.turn, min(t.turn) AS broken_turn
    FROM chop_moves o
    JOIN plain_decisions t ON t.game_id = o.game_id AND t."order" = o."order" AND t.result = 'discarded' AND NOT t.clued
    GROUP BY ALL
) b ON b.game_id = k.game_id AND b.turn = k.turn AND b.broken_turn < m.save_turn
WHERE NOT m.kept OR b.turn IS NOT NULL
WINDOW turn AS (PARTITION BY m.game_id, m.save_turn)
QUALIFY row_number() OVER (PARTITION BY m.game_id, m.save_turn ORDER BY m.lucky, m.kept, m.turn) = 1
UNION ALL
SELECT
    d.game_id, d.turn, d.seat, 'lucky' AS severity, 0 AS points, 0.0 AS tokens, (d.result = 'discarded')::INTEGER AS pace,
    '{card} was on the chop of {seat}, who knew of no card to play' || CASE
        WHEN d.result = 'played' THEN ' and of no useful clue, but did not discard it on turn {turn}'
        ELSE ', but did not discard it on turn {turn}; slot {slot} was known to be playable, too'
    END AS evidence,
    {
        'seat': o.clue_receiver, 'card': card_name(d.letters, o.clue_suit, o.clue_rank), 'turn': d.turn + 1,
        'slot': d.best_playable_slot
    }::JSON AS evidence_values,
    NULL AS basis, NULL AS better_kind, NULL AS better_slot, NULL AS better_seat, NULL AS better_value, NULL AS better_chance
FROM plain_decisions d
JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
WHERE risked_next_chop(d.game_id, d.turn) AND (d.game_id, d.turn) NOT IN (SELECT (game_id, save_turn) FROM missed_saves)
