-- The table `missed_saves`: one row per critical chop that a player should have saved and did not.
--
-- game_id, turn, seat: the turn on which the holder of the chop had nothing else to discard.
-- card, points: the chop, and the points that its discard cost.
-- lucky: whether the chop was not discarded, although the holder had no token and knew of no card to play or to discard.
-- saver, save_turn: the last player who could have saved it and had nothing more urgent to do, and that turn.
-- savers: number of players who could have clued the card.
-- kept: whether a message had moved the card off the chop and, if the message was a scream or shout discard, the holder
--     had answered it. In that case, the holder is to blame.
-- put_there: whether the clue of `save_turn` made the card the chop.
-- answer_turn: the holder's next turn after the discard, if the holder then misplayed a card that a clue of the round
--     before the discard had seemed to call; else null. Playing that card would have avoided the discard, so the holder
--     shares the fault.
--
-- In games read for conventions, the chop is the chop of the conventions, which is never a chop-moved card.
WITH exposed AS MATERIALIZED (
$exposed
),
chops AS MATERIALIZED (
    -- `since`: the first turn on which the card was critical and the chop, after the last message that protected it.
    SELECT e.* REPLACE (
            e.kept AND NOT EXISTS (
                FROM conventions m
                JOIN turns a ON a.game_id = m.game_id AND a.turn > m.turn
                WHERE m.game_id = e.game_id AND a.turn <= e.turn AND list_contains(m.cards, e."order")
                    AND m.convention IN ('scream_discard', 'shout_discard') AND a.turn = m.turn + 1 AND a.result <> 'clued'
            ) AS kept
        ), c.suit, c.rank, c.touchable, c.chop_turn,
        greatest(
            CASE WHEN e.oldest THEN c.chop_turn ELSE greatest(c.drawn_turn, e.turn - e.players + 1) END,
            1 + (
                SELECT max(x.fate_turn)
                FROM cards x
                WHERE x.game_id = e.game_id AND x.suit = c.suit AND x.rank = c.rank AND x.fate_turn < e.turn
            ),
            CASE WHEN NOT e.oldest THEN 1 + (
                SELECT max(m.turn)
                FROM conventions m
                WHERE m.game_id = e.game_id AND m.receiver = e.seat AND m.convention::VARCHAR LIKE '%chop_move'
                    AND m.turn > e.turn - e.players AND m.turn < e.turn
            ) END,
            1 + (
                SELECT max(m.turn)
                FROM findings m
                WHERE m.game_id = e.game_id AND m.turn < e.turn AND list_contains(m.cards, e."order")
            )
        ) AS since
    FROM exposed e
    JOIN cards c ON c.game_id = e.game_id AND c."order" = e."order"
    WHERE c.touchable <> 'nothing' AND (NOT e.lucky OR c.chop_turn < e.turn)
),
put_there AS (
    -- Cards that became the chop because the clue of the previous turn touched the previous chop of the hand.
    SELECT DISTINCT put.game_id, put.turn
    FROM (
        SELECT chops.game_id, chops.turn, k.suit, k.rank, k."order", c.turn AS clue_turn
        FROM (SELECT *, (since - 1)::SMALLINT AS before FROM chops WHERE since = chop_turn) chops
        JOIN clues c ON c.game_id = chops.game_id AND c.turn = chops.before AND c.receiver = chops.seat
            AND c.chop_touched
        JOIN cards k ON k.game_id = c.game_id AND k.holder = c.receiver AND k.first_clue_turn = c.turn
            AND k.chop_turn <= c.turn
    ) put
    WHERE EXISTS (
        -- Another copy of the previous chop was played, or was not lost by the time of the clue.
        SELECT 1
        FROM cards x
        WHERE x.game_id = put.game_id AND x.suit = put.suit AND x.rank = put.rank AND x."order" <> put."order"
            AND (x.fate = 'played' OR x.fate_turn IS NULL OR x.fate_turn > put.clue_turn)
    )
),
last_kinds AS (
    -- If clues must alternate, the kind of clue that is not allowed.
    SELECT t.game_id, t.turn, lag(t.action IGNORE NULLS) OVER game AS kind
    FROM (
        SELECT game_id, turn, CASE WHEN result = 'clued' THEN action END AS action
        FROM plain_decisions
        WHERE alternating_clues
    ) t
    WINDOW game AS (PARTITION BY game_id ORDER BY turn)
),
openings AS (
    -- The turns on which other players could have clued the card. A move is urgent if it saves another card, fixes a
    -- mistake, or answers a call that was given when the card was already at risk or protected by a message.
    SELECT spans.*, s.turn AS chance, s.seat AS able,
        m.turn IS NOT NULL AND (m.convention NOT IN ('blind_play', 'prompted_play') OR spans.kept OR coalesce(o.due_turn >= spans.since, true))
            AS urgent
    FROM (
        SELECT chops.*, unnest(range(since - CASE WHEN p.turn IS NULL THEN 0 ELSE 1 END, chops.turn))::SMALLINT AS at
        FROM chops
        LEFT JOIN put_there p ON p.game_id = chops.game_id AND p.turn = chops.turn
    ) spans
    JOIN turns s ON s.game_id = spans.game_id AND s.turn = spans.at
    LEFT JOIN last_kinds k ON k.game_id = s.game_id AND k.turn = s.turn
    LEFT JOIN convention_opportunities o ON o.game_id = s.game_id AND o.turn = s.turn
    LEFT JOIN conventions m ON m.game_id = s.game_id AND m.turn = s.turn AND m.number = 0 AND m.legal
        AND m.convention IN (
            'five_save', 'two_save', 'critical_save', 'fix_clue', 'five_chop_move', 'trash_chop_move',
            'scream_discard', 'shout_discard', 'generation_discard', 'blind_play', 'prompted_play'
        )
    WHERE s.seat <> spans.seat AND s.could_clue
        AND NOT (spans.touchable = 'colour' AND k.kind IS NOT DISTINCT FROM 'colour_clue')
        AND NOT (spans.touchable = 'rank' AND k.kind IS NOT DISTINCT FROM 'rank_clue')
)
SELECT
    c.game_id, c.turn, c.seat, card_name(any_value(g.letters), c.suit, c.rank) AS card, c.points, c.lucky,
    arg_max(c.able, c.chance) FILTER (NOT c.urgent) AS saver, max(c.chance) FILTER (NOT c.urgent) AS save_turn,
    count(DISTINCT c.able) AS savers, save_turn < c.since AS put_there, any_value(a.turn) AS answer_turn, c.kept
FROM openings c
JOIN games g ON g.game_id = c.game_id
LEFT JOIN convention_outcomes a ON a.game_id = c.game_id AND a.turn = c.turn + c.players AND a.number = 0 AND a.fault = 'giver'
    AND a.fault_turn < c.turn AND a.fault_turn > c.turn - c.players
GROUP BY c.game_id, c.turn, c.seat, c.players, c.suit, c.rank, c.points, c.lucky, c.kept, c.since
-- If the player with the last chance was busy, an earlier player is at fault only within a round before the discard.
HAVING save_turn IS NOT NULL AND (save_turn = max(c.chance) OR save_turn > c.turn - c.players)
