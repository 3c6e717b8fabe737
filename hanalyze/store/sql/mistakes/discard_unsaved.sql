-- Left the last copy of a needed card unsaved on a teammate's chop
--
-- noun: Save missed
-- label: Last copy not saved
-- sentence: Let the last copy go
-- example: The last B3 is on Cathy's chop, and goes.
-- definition: A player discarded their chop without knowing that it was the last copy of a needed card, and points
--     were lost, though they knew of no playable card and no trash to discard instead. While that last copy was on
--     the chop, other players had turns with a legal clue that would have touched it; so had who gave the clue that
--     put it there, unless what had been the chop was a last copy, too. The row is for the last of these turns and
--     says how many players could have given such a clue.
-- source: H-Group's save principle, for critical cards; without its conventions about which player has to save.
-- explained: five_save, two_save, critical_save, fix_clue, five_chop_move, trash_chop_move, scream_discard,
--     shout_discard, generation_discard, blind_play, prompted_play
-- opportunity: decisions with a legal clue and a critical card on the chop of another player
-- where: could_clue AND (next_chop_critical OR other_chop_critical)
WITH busy AS (
    -- Turns whose player knew by messages of trash, or of a card that was indeed playable.
    SELECT DISTINCT d.game_id, d.turn
    FROM (
        SELECT d.game_id, d.turn, o.playable_slots, o.trash_slots, c.playable_turn <= d.turn AS fits,
            row_number() OVER (PARTITION BY d.game_id, d.turn ORDER BY c."order" DESC) AS slot
        FROM decisions d
        JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
        JOIN cards c ON c.game_id = d.game_id AND c.holder = d.seat
            AND coalesce(c.drawn_turn, -1) < d.turn AND coalesce(c.fate_turn, 32000) >= d.turn
        WHERE d.result = 'discarded' AND d.max_score_after < d.max_score_before
    ) d
    WHERE d.trash_slots > 0 OR (d.fits AND (d.playable_slots >> (d.slot - 1)::INTEGER) & 1 = 1)
),
lost AS MATERIALIZED (
    SELECT d.game_id, d.turn, d.seat, d.card, d.slot, c.touchable, c.chop_turn,
        greatest(c.chop_turn, 1 + (
            SELECT max(x.fate_turn)
            FROM cards x
            WHERE x.game_id = d.game_id AND x.suit = d.suit AND x.rank = d.rank AND x.fate_turn < d.turn
        )) AS since
    FROM decisions d
    JOIN cards c ON c.game_id = d.game_id AND c."order" = d."order"
    WHERE d.result = 'discarded' AND d.max_score_after < d.max_score_before
        AND d."order" = d.chop AND NOT d.locked AND d.p_critical < 1 - 1e-9 AND c.touchable <> 'nothing'
        AND d.known_playable + d.known_trash = 0 AND (d.game_id, d.turn) NOT IN (FROM busy)
),
put_there AS (
    -- Lost cards that became the chop because the clue of the turn before touched the previous chop of that hand.
    SELECT DISTINCT put.game_id, put.turn
    FROM (
        SELECT lost.game_id, lost.turn, k.suit, k.rank, k."order", c.turn AS clue_turn
        FROM (SELECT *, (since - 1)::SMALLINT AS before FROM lost WHERE since = chop_turn) lost
        JOIN clues c ON c.game_id = lost.game_id AND c.turn = lost.before AND c.receiver = lost.seat
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
spans AS (
    -- First turn on which the card could be saved: when it became the chop, or the clue that made it the chop.
    SELECT lost.*, lost.since - CASE WHEN p.turn IS NULL THEN 0 ELSE 1 END AS first_chance
    FROM lost
    LEFT JOIN put_there p ON p.game_id = lost.game_id AND p.turn = lost.turn
),
last_kinds AS (
    -- If clues must alternate, the kind of clue that is not allowed.
    SELECT t.game_id, t.turn, lag(t.action IGNORE NULLS) OVER game AS kind
    FROM (
        SELECT game_id, turn, CASE WHEN result = 'clued' THEN action END AS action
        FROM decisions
        WHERE alternating_clues
    ) t
    WINDOW game AS (PARTITION BY game_id ORDER BY turn)
),
savers AS (
    SELECT lost.game_id, lost.turn AS lost_turn, s.turn, s.seat
    FROM (SELECT *, unnest(range(first_chance, turn))::SMALLINT AS chance FROM spans) lost
    JOIN turns s ON s.game_id = lost.game_id AND s.turn = lost.chance
    LEFT JOIN last_kinds k ON k.game_id = s.game_id AND k.turn = s.turn
    WHERE s.seat <> lost.seat AND s.could_clue
        AND NOT (lost.touchable = 'colour' AND k.kind IS NOT DISTINCT FROM 'colour_clue')
        AND NOT (lost.touchable = 'rank' AND k.kind IS NOT DISTINCT FROM 'rank_clue')
)
SELECT
    lost.game_id, max(s.turn) AS turn, arg_max(s.seat, s.turn) AS seat,
    'knew' AS severity, 0 AS points, 0.0 AS tokens, 0 AS pace,
    '{seat} discarded {card} from the chop on turn {turn}' || CASE
        WHEN max(s.turn) < lost.since THEN ', where this clue had put it; nobody could clue it after that'
        WHEN count(DISTINCT s.seat) = 1 THEN '; nobody else could have clued it, and this was the last chance'
        ELSE '; {savers} players could have clued it, and this was the last chance'
    END AS evidence,
    {'seat': lost.seat, 'card': lost.card, 'turn': lost.turn, 'savers': count(DISTINCT s.seat)}
        AS evidence_values,
    'clue' AS better_kind, NULL AS better_slot, lost.seat AS better_seat, lost.card AS better_value,
    NULL AS better_chance
FROM lost
JOIN savers s ON s.game_id = lost.game_id AND s.lost_turn = lost.turn
GROUP BY lost.game_id, lost.turn, lost.seat, lost.card, lost.since
