-- Gave a clue that got nothing while tokens and pace were low
--
-- noun: Idle clue
-- label: Got nothing, tokens low
-- sentence: Gave an idle clue while tokens were short
-- example: Two tokens are left; a known R3 is clued again.
-- definition: A clue at $tokens or fewer clue tokens neither got nor saved a card (see play_missed), although the pace
--     allowed a discard (1 or more, with a pace risk other than Low), and the next player's chop was not critical.
-- source: our own; the pace risk is Hanab Live's.
-- explained: messages
-- opportunity: clues at few tokens and low pace
-- where: result = 'clued' AND clue_tokens_before <= $tokens AND pace_before >= 1 AND pace_risk_before <> 'Low'
-- rows: d.result = 'clued' AND d.clue_tokens_before <= $tokens AND d.pace_before >= 1 AND d.pace_risk_before <> 'Low'
--     AND NOT d.next_chop_critical AND d.one_choice IS NULL AND d.cards_gotten_after <= d.cards_gotten_before
--     AND c.plays_followed = 0 AND NOT c.saved
-- threshold tokens = 2: most clue tokens that count as low
SELECT
    d.game_id, d.turn, d.seat, 'could_tell' AS severity,
    0 AS points, 1.0 AS tokens, 0 AS pace,
    'gave a clue that got and saved nothing, with {tokens:clue token} left at pace {pace}' AS evidence,
    {'tokens': d.clue_tokens_before, 'pace': d.pace_before} AS evidence_values
FROM decisions d
JOIN clues c USING (game_id, turn)
WHERE $rows
