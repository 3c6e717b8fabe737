-- Gave a clue that got nothing instead of a sure play
--
-- noun: Play missed
-- label: Clue instead of a sure play
-- sentence: Gave an idle clue instead of a sure play
-- example: R1 is known to be playable; a clue tells nothing new.
-- definition: A card in the player's hand was known to be playable, but the player gave a clue that neither got nor
--     saved a card: the number of cards gotten did not rise, the receiver's next turn was not a play, and the clue
--     did not touch a critical chop. If the game was read for conventions, a fix clue is not counted. A discard
--     instead of a sure play is discard_over_play.
-- source: our own; cards gotten are Hanab Live's.
-- explained: messages
-- opportunity: decisions with a card known to be playable
-- where: known_playable > 0
-- rows: d.result = 'clued' AND d.known_playable > 0 AND d.cards_gotten_after <= d.cards_gotten_before
--     AND c.plays_followed = 0 AND NOT c.saved AND coalesce(m.convention <> 'fix_clue', true)
SELECT
    d.game_id, d.turn, d.seat, 'knew' AS severity,
    0 AS points, 1.0 AS tokens, 0 AS pace,
    'gave a clue that got and saved nothing although ' || CASE d.known_playable
        WHEN 1 THEN 'slot {slot} was' ELSE '{known_playable:card} were'
    END || ' known to be playable' AS evidence,
    {'known_playable': d.known_playable, 'slot': d.best_playable_slot} AS evidence_values
FROM decisions d
JOIN clues c USING (game_id, turn)
LEFT JOIN conventions m ON m.game_id = d.game_id AND m.turn = d.turn AND m.number = 0
WHERE $rows
