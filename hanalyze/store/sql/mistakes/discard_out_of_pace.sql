-- Discarded or misplayed without a turn to spare
--
-- noun: Out of pace
-- label: Turn that cost a point
-- sentence: {what}
-- example: Pace 0, three cards left, and a discard.
-- family: play
-- definition: A discard at pace zero or below: after it, not all cards of the maximum score can be played. So is a
--     misplay for which its player is to blame. Not counted if the conventions' search of the endgame shows that no other
--     move kept more points within reach; a misplay counts, too, where this search shows a better play. Could tell: on
--     one of the last turns, a player discarded instead of giving the last possible clue to an unclued playable card. Its
--     holder knew of no card to play on their last turn, and no copy of the card was played. Not counted if the discard
--     was a message, or drew a card that was played. Each row
--     is charged one of the points left unplayed when the deck ran out, the first rows first.
-- source: Hanab Live's pace; the second is our own.
-- opportunity: decisions at pace zero or below, plays with at most two cards in the deck, and decisions with at most one
--     card in the deck and an unclued playable card to clue
-- where: pace_before <= 0 OR (action = 'play' AND deck_before <= 2) OR (could_clue AND deck_before <= 1 AND playable_seen > playable_seen_clued)
-- rows: d.result IN ('discarded', 'misplayed') AND d.one_choice IS NULL AND (d.pace_before <= 0 OR d.deck_before <= 2)
WITH untold AS (
    -- For the last turn of each holder, the newest card that was playable then and that no clue had touched.
    SELECT n.game_id, n.turn, n.seat, max(c.drawn_turn) AS since, arg_max(c.suit, c."order") AS suit,
        arg_max(c.rank, c."order") AS rank
    FROM turns n
    JOIN cards c ON c.game_id = n.game_id AND c.holder = n.seat
    LEFT JOIN convention_opportunities o ON o.game_id = n.game_id AND o.turn = n.turn
    WHERE n.deck_before = 0 AND n.action <> 'end_game' AND n.result <> 'played'
        AND n.known_playable = 0 AND coalesce(o.known_playable, 0) = 0
        AND c.fate <> 'played' AND coalesce(c.fate_turn, n.turn) >= n.turn AND c.playable_turn <= n.turn
        AND coalesce(c.first_clue_turn, n.turn) >= n.turn AND coalesce(c.known_turn, n.turn + 1) > n.turn
        AND c.touchable <> 'nothing' AND NOT EXISTS (
            SELECT 1
            FROM cards x
            WHERE x.game_id = c.game_id AND x.suit = c.suit AND x.rank = c.rank AND x.fate = 'played'
        )
    GROUP BY n.game_id, n.turn, n.seat
),
last_chances AS (
    SELECT u.game_id, max(s.turn) AS turn, u.seat, u.suit, u.rank
    FROM untold u
    JOIN turns s ON s.game_id = u.game_id AND s.turn < u.turn AND s.turn >= u.since
        AND s.deck_before <= 1 AND s.seat <> u.seat AND s.could_clue AND s.result <> 'played'
    GROUP BY u.game_id, u.turn, u.seat, u.suit, u.rank
),
silent AS (
    SELECT l.game_id, l.turn, any_value(l.seat) AS seat, any_value(l.suit) AS suit, any_value(l.rank) AS rank
    FROM last_chances l
    JOIN decisions d ON d.game_id = l.game_id AND d.turn = l.turn AND d.result = 'discarded'
        AND NOT d.alternating_clues AND d.playable_seen > d.playable_seen_clued
    LEFT JOIN cards c ON c.game_id = d.game_id AND c."order" = d.drawn
    LEFT JOIN conventions m ON m.game_id = d.game_id AND m.turn = d.turn AND m.number = 0
    WHERE coalesce(c.fate <> 'played', true) AND coalesce(m.convention = 'plain_discard', true)
    GROUP BY l.game_id, l.turn
)
SELECT
    d.game_id, d.turn, d.seat, CASE WHEN s.turn IS NULL AND d.pace_before <= 0 THEN 'knew' ELSE 'could_tell' END AS severity,
    (g.end_condition = 'normal' AND row_number() OVER (PARTITION BY d.game_id ORDER BY d.turn) <= g.max_score - g.raw_score)::INTEGER AS points,
    0.0 AS tokens, (s.turn IS NULL)::INTEGER AS pace,
    CASE
        WHEN s.turn IS NULL AND d.pace_before > 0
            THEN 'misplayed with {deck:card} left in the deck; another play would have kept a point more within reach'
        WHEN s.turn IS NULL THEN d.result::VARCHAR || ' at pace {pace} with {deck:card} left in the deck'
        ELSE 'discarded when only a clue could still have got {card} played, of which {seat} did not know'
    END AS evidence,
    {
        'what': CASE WHEN d.pace_before > 0 THEN 'Lost a turn that was needed'
            WHEN d.result = 'misplayed' THEN 'Misplayed at zero pace' ELSE 'Discarded at zero pace' END, 'pace': d.pace_before, 'deck': d.deck_before, 'card': card_name(d.letters, s.suit, s.rank), 'seat': s.seat
    } AS evidence_values,
    'logic' AS basis, nullif(f.fault, 'none') AS fault,
    CASE WHEN s.turn IS NOT NULL THEN 'clue' END AS better_kind, NULL AS better_slot, s.seat AS better_seat,
    card_name(d.letters, s.suit, s.rank) AS better_value, NULL AS better_chance
FROM decisions d
JOIN games g ON g.game_id = d.game_id
LEFT JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
LEFT JOIN convention_outcomes f ON f.game_id = d.game_id AND f.turn = d.turn AND f.number = 0
LEFT JOIN silent s ON s.game_id = d.game_id AND s.turn = d.turn AND coalesce(o.last_clue, true)
WHERE $rows
    AND CASE d.result
        WHEN 'discarded' THEN s.turn IS NOT NULL OR (d.pace_before <= 0 AND NOT coalesce(o.last_discard, false))
        ELSE d.deck_before > 0 AND coalesce(f.fault = 'player', true) AND d.max_score_after = d.max_score_before AND NOT d.struck_out
            AND (d.pace_before <= 0 OR (o.last_plays <> 0 AND (o.last_plays >> (d.slot - 1)) & 1 = 0))
    END
