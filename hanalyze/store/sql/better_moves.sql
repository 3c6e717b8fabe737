-- The view `better_moves`: one row per decision, with the best other move that its player knew of, null if none.
--
-- Moves are judged by what the player knew. In games that were read for conventions, that includes what messages told
-- the player. The first of these moves that applies is advised:
-- 1. a clue that saves a chop at risk;
-- 2. a play of a card called or known to be playable;
-- 3. if the player discarded, a discard of known trash;
-- 4. the best play or save clue, with at most one bad card among good ones (`clue_convention`);
-- 5. a discard of known trash;
-- 6. if the player may have to stall (`stall_severity`, also in the early game), a clue that passes the turn;
-- 7. a discard of the chop, or without conventions of the card least likely to be critical; that chance must be at most
--    10% and, if the player discarded, lower than the chance of the discarded card;
-- 8. a clue that passes the turn in the end game;
-- 9. if the player's discard cost a point, any clue; the clue is not named.
-- With two tokens or more and a pace below the number of players, a clue that passes the turn comes before the chop,
-- and at pace 1 or less also before known trash.
--
-- Never advised are a discard that costs a point, a discard of the chop if the player may have to stall and has
-- something to clue, and at two strikes a play of a card that only conventions call playable. With fewer strikes, such
-- a card must reach the play threshold unless a message calls it now. Discards that the definitions of mistakes would
-- blame are not advised either: a discard while another card is known or called to be playable; a discard of a clued
-- card that is not known trash; a discard of a card that messages gave up although it is at least 25% likely to be
-- needed (above 90% if it cannot be a last copy); without conventions, a discard of a possible other copy of the card
-- just lost, or a discard while a card reaches the play threshold.
--
-- Chances come from the state model and cover all cards of the hand; the model knows nothing about cards called blind.
-- With at most two cards in the deck, a move is advised only if it keeps as many points within reach as any other move,
-- as counted by conventions (`last_plays`, `last_discard`, `last_clue`). With one or two cards and without that count,
-- no move is advised.
--
-- `hanalyze/store/mistakes.py` explains the columns. It fills in the query for the turns, named `m`, and the columns to
-- keep.
WITH m AS MATERIALIZED (
$rows
),
-- Only the rows of these turns, because those of all turns would not fit in memory.
o AS NOT MATERIALIZED (FROM convention_opportunities SEMI JOIN m USING (game_id, turn)),
h AS NOT MATERIALIZED (SELECT game_id, turn, critical, playable, trash FROM chances SEMI JOIN m USING (game_id, turn)),
k AS NOT MATERIALIZED (
    -- The unclued slots of turns for which conventions give no chop.
    SELECT hand.game_id, hand.turn, bit_or(1::BIGINT << (hand.slot - 1)) AS unclued
    FROM (
        SELECT t.game_id, t.turn, c.first_clue_turn < t.turn AS clued,
            row_number() OVER (PARTITION BY t.game_id, t.turn ORDER BY c."order" DESC) AS slot
        FROM (
            SELECT turns.game_id, turns.turn, turns.seat
            FROM turns
            SEMI JOIN m ON m.game_id = turns.game_id AND m.turn = turns.turn
            ANTI JOIN o ON o.game_id = turns.game_id AND o.turn = turns.turn AND o.chop_slot IS NOT NULL
        ) t
        JOIN cards c ON c.game_id = t.game_id AND c.holder = t.seat
            AND c.drawn_turn <= t.turn AND coalesce(c.fate_turn, 32000) >= t.turn
    ) hand
    WHERE hand.clued IS NOT TRUE
    GROUP BY hand.game_id, hand.turn
)
SELECT
    * EXCLUDE (
        better, done, played, unsure, due, plays, likely_plays, given_up, trash_slot, play_slot, free, last_free,
        discard_slot, discard_chance, own_chance, would_blame, has_call, may_discard, may_leave, has_clue, saves,
        stalls, waits
    ),
    better.kind AS better_kind, better.slot AS better_slot, better.seat AS better_seat, better.clue AS better_clue,
    better.value AS better_value, better.convention AS better_convention,
    better.gets AS better_gets, better.chance AS better_chance,
    CASE WHEN better.chance IS NOT NULL THEN better.model END AS better_model
FROM (
    SELECT
        $columns, o.clue_saves AS better_saves,
        CASE WHEN d.slot > 0 THEN 1::BIGINT << (d.slot - 1) ELSE 0 END AS done,
        -- A discarded playable card should have been played, and a played trash card should have been discarded.
        CASE d.action WHEN 'play' THEN done ELSE 0 END AS played,
        d.deck_before BETWEEN 1 AND 2 AND o.last_plays IS NULL AS unsure,
        (o.playable_slots & ~played & coalesce(o.last_plays, 63))::INTEGER AS plays,
        list_filter(
            range(1, 7),
            lambda slot: (o.trash_slots & ~(done & ~played)) >> (slot - 1) & 1 = 1
                AND coalesce(h.trash[slot] > 0.75 OR (h.critical[slot] < 1e-6 AND h.trash[slot] >= 0.1), true)
        ) AS given_up,
        CASE WHEN plays >> (o.due_slot - 1) & 1 = 1 THEN o.due_slot END AS due,
        list_filter(
            range(1, 7), lambda slot: plays >> (slot - 1) & 1 = 1 AND (slot = due OR h.playable[slot] >= play_threshold(d.strikes_before))
        ) AS likely_plays,
        CASE
            WHEN o.turn IS NOT NULL THEN given_up[1]
            WHEN d.best_p_trash > 1 - 1e-9 AND (d.best_trash_slot IS DISTINCT FROM d.slot OR d.action = 'play')
                THEN d.best_trash_slot
        END AS trash_slot,
        CASE
            WHEN d.best_p_playable > 1 - 1e-9
                AND (d.best_playable_slot IS DISTINCT FROM d.slot OR d.action <> 'play')
                AND coalesce((o.last_plays >> (d.best_playable_slot - 1)) & 1 = 1, true)
                THEN d.best_playable_slot
            WHEN d.strikes_before >= 2 THEN NULL
            WHEN due IS NOT NULL THEN due
            ELSE list_aggregate(list_transform(likely_plays, lambda slot: {
                'chance': coalesce(h.playable[slot], 0), 'newest': -slot, 'slot': slot
            }), 'max').slot
        END AS play_slot,
        -- With conventions the chop is discarded, without conventions the safest unclued card.
        list_filter(range(1, 7), lambda slot: k.unclued >> (slot - 1) & 1 = 1) AS free,
        list_max(free) AS last_free,
        CASE
            WHEN o.chop_slot IS NOT NULL THEN o.chop_slot
            WHEN h.turn IS NOT NULL THEN list_aggregate(list_transform(free, lambda slot: {
                'safe': -h.critical[slot], 'slot': slot
            }), 'max').slot
            WHEN list_contains(free, d.safest_slot) THEN d.safest_slot
            ELSE last_free
        END AS discard_slot,
        CASE
            WHEN h.turn IS NOT NULL THEN h.critical[discard_slot]
            WHEN discard_slot = d.safest_slot THEN d.least_p_critical
            WHEN discard_slot = last_free THEN d.chop_p_critical
        END AS discard_chance,
        CASE WHEN d.result = 'discarded' THEN coalesce(h.critical[d.slot], d.p_critical) END AS own_chance,
        o.turn IS NULL AND (
            (discard_slot = last_free AND d.p_double_discard > 0)
            OR d.best_p_playable >= play_threshold(d.strikes_before)
        ) AS would_blame,
        -- The card played also counts, because a player whom messages told of it would be blamed for a discard.
        calls_likely_play(o.playable_slots, o.last_plays, h.playable, d.strikes_before) AS has_call,
        d.could_discard AND d.known_playable = 0 AND o.due_slot IS NULL AND has_call IS NOT TRUE
            AND coalesce(o.last_discard, coalesce(d.pace_before > 0, true)) AS may_discard,
        may_discard AND NOT coalesce(o.stall_severity > 0 AND o.clue_convention IS NOT NULL, false)
            AND discard_slot IS DISTINCT FROM d.slot AND discard_chance <= 0.1 AND would_blame IS NOT TRUE
            AND coalesce(discard_chance < own_chance, true) AS may_leave,
        o.clue_convention IS NOT NULL AND d.could_clue AND coalesce(o.last_clue, true) AND NOT coalesce(
            d.action = o.clue_kind::VARCHAR AND d.receiver = o.clue_receiver AND d.clue_value = o.clue_value, false
        ) AS has_clue,
        has_clue AND coalesce(o.clue_stalls, false) AS stalls,
        has_clue AND NOT stalls AND coalesce(o.clue_saves, false) AS saves,
        -- In the end game, a discard costs a turn and a clue does not.
        stalls AND d.clue_tokens_before >= 2 AND coalesce(d.pace_before < d.players, false) AS waits,
        CASE
            WHEN d.was_forced OR unsure THEN NULL
            WHEN play_slot IS NOT NULL AND NOT saves THEN {'kind': 'play', 'slot': play_slot, 'seat': NULL,
                'clue': NULL, 'value': NULL, 'convention': NULL, 'gets': NULL, 'chance': NULL, 'model': NULL}
            WHEN may_discard AND trash_slot IS NOT NULL AND NOT saves
                AND (d.result = 'discarded' OR NOT has_clue OR stalls) AND NOT (waits AND d.pace_before <= 1)
                THEN {'kind': 'discard', 'slot': trash_slot, 'seat': NULL, 'clue': NULL, 'value': 'trash',
                    'convention': NULL, 'gets': NULL, 'chance': NULL, 'model': NULL}
            WHEN has_clue AND NOT (stalls AND may_leave AND NOT waits) THEN {
                'kind': 'clue', 'slot': NULL, 'seat': o.clue_receiver,
                'clue': CASE o.clue_kind
                    WHEN 'rank_clue' THEN o.clue_value::VARCHAR
                    ELSE lower(string_split(d.colours, ',')[o.clue_value + 1])
                END,
                'value': card_name(d.letters, o.clue_suit, o.clue_rank),
                'convention': replace(o.clue_convention::VARCHAR, '_', ' '),
                'gets': list_transform(
                    list_filter(o.clue_gets, lambda one: one >= 0),
                    lambda one: card_name(d.letters, one // 8, one % 8)
                ),
                'chance': NULL, 'model': NULL
            }
            WHEN may_leave
                THEN {'kind': 'discard', 'slot': discard_slot, 'seat': NULL, 'clue': NULL, 'value': NULL,
                    'convention': NULL, 'gets': NULL, 'chance': discard_chance,
                    'model': CASE WHEN discard_chance > 0 THEN r.chances END}
            WHEN d.result = 'discarded' AND d.could_clue AND d.pace_before <= 0 AND coalesce(o.last_clue, true)
                THEN {'kind': 'clue', 'slot': NULL, 'seat': NULL, 'clue': NULL, 'value': NULL,
                    'convention': NULL, 'gets': NULL, 'chance': NULL, 'model': NULL}
        END AS better
    FROM m
    JOIN plain_decisions d ON d.game_id = m.game_id AND d.turn = m.turn
    LEFT JOIN o ON o.game_id = m.game_id AND o.turn = m.turn
    LEFT JOIN h ON h.game_id = m.game_id AND h.turn = m.turn
    LEFT JOIN k ON k.game_id = m.game_id AND k.turn = m.turn
    LEFT JOIN convention_games r ON r.game_id = m.game_id
)
