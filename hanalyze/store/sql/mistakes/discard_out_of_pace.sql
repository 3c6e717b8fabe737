-- Lost a turn that was needed
--
-- noun: Out of pace
-- label: Turn that cost a point
-- sentence: {what}
-- example: Pace 0, three cards left, and a discard.
-- family: play
-- definition: A discard or misplay at pace zero or below: after it, not all cards of the maximum score can be played.
--     Knew: the pace was zero or below, or the deck was empty. Could tell: the pace was above zero. If an earlier move
--     of another player is at fault for a misplay, that move has the mistake (could tell). These rules apply, too:
--     - If the conventions' search of the endgame ran, a discard at pace zero or below, or a misplay at any pace,
--       counts only if another move kept more points within reach.
--     - In the last round, a misplay counts only if a card was known to be playable.
--     - A turn on which a discard was the only sensible kind of action does not count.
--     - A discard near the end also counts (could tell) if it was the last chance to clue an unclued playable card, the
--       holder of that card knew of no card to play on their last turn, and no copy of it was played; but not if the
--       discard was a message, or drew a card that was played.
--     - A move is charged with the points by which the search finds it worse than the best move, otherwise with one
--       point. Points by which it lowered the maximum score are subtracted, because they are charged as the loss of a
--       card. The moves of a game are charged in order, together with no more points than were left unplayed.
-- source: Hanab Live's pace; the rule for the last turns is our own.
-- opportunity: turns at pace zero or below, or near the end
-- where: NOT must_discard AND (pace_before <= 0 OR (action = 'play' AND deck_before <= 2) OR (could_clue AND deck_before <= 1 AND playable_seen > playable_seen_clued))
-- rows: d.result IN ('discarded', 'misplayed') AND d.one_choice IS NULL AND NOT d.must_discard AND (d.pace_before <= 0 OR d.deck_before <= 2)
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
),
lost_turns AS (
    -- `at`: the turn that was lost; `turn`, `seat`: the move to blame for it.
    SELECT
        d.game_id, d.turn AS at, d.seat AS mover, d.result, d.pace_before AS pace, d.deck_before AS deck, d.letters,
        d.card, s.turn IS NOT NULL AS untold, s.seat AS holder, card_name(d.letters, s.suit, s.rank) AS playable,
        CASE WHEN of_others(f.fault) THEN f.fault_turn ELSE d.turn END AS turn,
        CASE WHEN of_others(f.fault) THEN f.fault_seat ELSE d.seat END AS seat,
        nullif(f.fault, 'none') AS fault, greatest(coalesce(f.late_points, 0), 1) AS lost,
        CASE WHEN s.turn IS NULL THEN greatest(0, lost - (d.max_score_before - d.max_score_after)) ELSE lost END AS charge
    FROM decisions d
    LEFT JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
    LEFT JOIN convention_outcomes f ON f.game_id = d.game_id AND f.turn = d.turn AND f.number = 0
    LEFT JOIN silent s ON s.game_id = d.game_id AND s.turn = d.turn AND coalesce(o.last_clue, true)
    WHERE $rows
        AND CASE d.result
            WHEN 'discarded' THEN s.turn IS NOT NULL OR (d.pace_before <= 0 AND NOT coalesce(o.last_discard, false))
            ELSE (f.turn IS NULL OR f.fault = 'player' OR coalesce(f.fault_turn < d.turn, false))
                AND d.max_score_after = d.max_score_before AND NOT d.struck_out
                AND CASE d.deck_before WHEN 0 THEN d.known_playable > 0 ELSE coalesce(f.late_points > 0, d.pace_before <= 0) END
        END
)
SELECT
    l.game_id, l.turn, l.seat, CASE WHEN NOT l.untold AND coalesce(l.pace <= 0, true) AND l.at = l.turn THEN 'knew' ELSE 'could_tell' END AS severity,
    CASE WHEN g.end_condition = 'normal' THEN greatest(0, least(
        l.charge, g.max_score - g.raw_score + l.charge - sum(l.charge) OVER (PARTITION BY l.game_id ORDER BY l.at)
    )) ELSE 0 END AS points,
    0.0 AS tokens, (NOT l.untold AND l.pace IS NOT NULL AND l.charge = l.lost)::INTEGER AS pace,
    CASE
        WHEN l.at > l.turn THEN '{seat} misplayed {card} on turn {turn} with {deck:card} left in the deck; that turn was needed'
        WHEN l.untold THEN 'discarded, although only a clue could still have told {seat} to play {card}'
        WHEN l.deck = 0 THEN 'misplayed in the last round although a card was known to be playable'
        ELSE l.result::VARCHAR || CASE WHEN l.pace > 0 THEN '' ELSE ' at pace {pace}' END || ' with {deck:card} left in the deck'
            || CASE WHEN l.pace > 0 OR l.lost > 1 THEN '; another move would have kept {lost:point} more within reach' ELSE '' END
    END AS evidence,
    {
        'what': CASE WHEN l.at > l.turn THEN 'Led a teammate to lose a turn that was needed'
            WHEN l.pace > 0 OR l.deck = 0 THEN 'Lost a turn that was needed'
            WHEN l.result = 'misplayed' THEN 'Misplayed at zero pace' WHEN l.pace < 0 THEN 'Discarded at negative pace'
            ELSE 'Discarded at zero pace' END,
        'pace': l.pace, 'deck': l.deck, 'lost': l.lost, 'turn': l.at,
        'card': CASE WHEN l.untold THEN l.playable ELSE l.card END, 'seat': CASE WHEN l.untold THEN l.holder ELSE l.mover END
    } AS evidence_values,
    'logic' AS basis, l.fault, CASE WHEN l.fault IS NOT NULL THEN l.seat END AS fault_seat,
    CASE WHEN l.fault IS NOT NULL THEN l.turn END AS fault_turn,
    CASE WHEN l.untold THEN 'clue' END AS better_kind, NULL AS better_slot, l.holder AS better_seat,
    l.playable AS better_value, NULL AS better_chance
FROM lost_turns l
JOIN games g ON g.game_id = l.game_id
-- A move can lead to several strikes.
QUALIFY row_number() OVER (PARTITION BY l.game_id, l.turn ORDER BY l.at) = 1
