-- Gave a wrong clue that a teammate had to fix
--
-- noun: Wrong clue, fixed
-- label: Wrong clue, fixed in time
-- sentence: Misled {seat} about {card}
-- example: With no purple card played, purple calls a P3 as P1, and a teammate clues 3.
-- family: clue
-- definition: By the conventions, a clue told its receiver that the focused card was another card, and within a round
--     another player gave a fix clue to that card. Not counted if the two clues together got more than two cards, or if
--     after the first clue every card still to be played was clued, because no needed token was lost. A clue that led
--     to a strike is strike_caused. Out-of-order clues, whose second half is a fix, are allowed. Games that
--     were not read for conventions have no such mistake.
-- source: H-Group's conventions.
-- opportunity: clues in games that were read for conventions
-- where: result = 'clued' AND game_id IN (SELECT game_id FROM convention_games)
-- rows: d.result = 'clued' AND NOT m.legal AND m.worth <= 2 AND (m.reasons >> 4) & 1 = 1 AND d.cards_gotten_after < d.max_score_after
--     AND list_contains(meanings.fixed, m.focus)
SELECT
    d.game_id, d.turn, d.seat, 'could_tell' AS severity,
    0 AS points, 1.0 AS tokens, 0 AS pace,
    '{seat} would have taken {card} for another card; {seat_fix} fixed it on turn {turn}' AS evidence,
    {
        'seat': m.receiver, 'card': card_name(d.letters, m.focus_suit, m.focus_rank), 'seat_fix': f.seat, 'turn': f.turn
    } AS evidence_values,
    'convention' AS basis
FROM decisions d
JOIN conventions m ON m.game_id = d.game_id AND m.turn = d.turn AND m.number = 0
    AND NOT m.legal AND (m.reasons >> 4) & 1 = 1  -- no reading matches: `Reason.UNREADABLE`
JOIN conventions f ON f.game_id = d.game_id AND f.number = 0 AND f.legal AND f.convention = 'fix_clue'
    AND f.focus = m.focus AND f.turn > d.turn AND f.turn < d.turn + d.players
JOIN clues c ON c.game_id = f.game_id AND c.turn = f.turn
WHERE d.cards_gotten_after < d.max_score_after AND m.worth + greatest(c.newly_touched - c.trash - c.duplicates, 0) <= 2
    AND NOT led_to_strike(d.game_id, d.turn, d.seat)
QUALIFY row_number() OVER (PARTITION BY d.game_id, d.turn ORDER BY f.turn) = 1
