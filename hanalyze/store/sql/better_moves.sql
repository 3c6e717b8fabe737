-- The view `better_moves`: one row per decision, with the best other move that its player knew of, null if none.
--
-- Moves are judged by what the player knew. In games that were read for conventions, that includes what messages told
-- the player. The first of these moves that applies is advised:
-- 1. a clue that saves a chop at risk, or that stops the next player's misplay;
-- 2. a play of a card called or known to be playable;
-- 3. if the player discarded, a discard of known trash;
-- 4. the best play or save clue, with at most one bad card among good ones (`clue_convention`);
-- 5. a discard of known trash;
-- 6. if the player may have to stall (`stall_severity`, also in the early game), a clue that passes the turn;
-- 7. a discard of the chop, or without conventions of the card least likely to be critical; that chance must be at most
--    10%, or half the chance that the player's own play or discard cost a last copy, or 20% if the player discarded an
--    older, unclued card that messages had moved off the chop; and lower than that of a card that the player discarded;
-- 8. another clue that gets no new card: one that passes the turn in the end game, that makes an unplayed card certain,
--    or that saves a card of which the player may have the other copy;
-- 9. any clue, which is not named, if the player discarded at pace 0 or less; or if the player played or discarded with
--    two tokens or more and a pace below the number of players.
-- With these tokens and this pace, a clue that passes the turn, or any clue, comes before a discard of the chop, and at
-- pace 1 or less also before a discard of known trash.
--
-- Never advised are a discard that costs a point, a discard of the chop if the player may have to stall and has
-- something to clue, and at two strikes a play of a card that only conventions call playable, if it is less than 95%
-- likely. With fewer strikes, such a card must reach the play threshold unless a message calls it now. Discards that
-- the definitions of mistakes would blame are not advised either: a discard while another card is known or called to be
-- playable; a discard of a clued card that is not known trash; a discard of a card that messages gave up although it is
-- at least 25% likely to be needed (above 90% if it cannot be a last copy); without conventions, a discard of a possible
-- other copy of the card just lost, or a discard while a card reaches the play threshold.
--
-- Chances come from the state model and cover all cards of the hand; the model knows nothing about cards called blind.
-- With one or two cards in the deck, a move is advised only if it keeps as many points within reach as any other move,
-- as counted by conventions (`last_plays`, `last_discard`, `last_clue`). With one or two cards and without that count,
-- no move is advised.
--
-- `hanalyze/store/definition_queries.py` explains the columns `better_...`. `hanalyze/store/mistakes.py` fills in the
-- query for the turns, whose columns are returned, too.
WITH m AS MATERIALIZED (
$rows
),
-- Only the rows of these turns, because the rows of all turns would not fit in memory.
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
),
-- The data that the advice uses. Each step is a separate query, because DuckDB binds an alias again wherever it is used.
known AS NOT MATERIALIZED (
    SELECT
        d.game_id, d.turn, d.action, d.result, d.slot AS own_slot, d.receiver, d.clue_value, d.deck_before,
        d.strikes_before, d.clue_tokens_before, d.pace_before, d.players, d.letters, d.colours, d.could_clue,
        d.could_discard, d.was_forced AND d.one_choice <> 'full_tokens' AS was_forced, d.known_playable, d.best_p_playable, d.best_playable_slot, d.best_p_trash,
        d.best_trash_slot, d.p_critical, d.p_playable, d.least_p_critical, d.safest_slot, d.chop_p_critical, d.p_double_discard,
        o.turn IS NOT NULL AS was_read, o.chop_slot, o.due_slot, o.last_plays, o.last_discard, o.last_clue,
        o.stall_severity, o.clue_convention, o.clue_kind, o.clue_receiver, o.clue_value AS new_value, o.clue_suit,
        o.clue_rank, o.clue_gets, o.clue_saves, o.clue_fixes, o.clue_stalls,
        h.turn IS NOT NULL AS has_chances, h.critical, h.playable, h.trash, r.chances AS model,
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
        -- The card played also counts, because a player whom messages told of it would be blamed for a discard.
        calls_likely_play(o.playable_slots, o.last_plays, h.playable, d.strikes_before) AS has_call,
        o.clue_convention IS NOT NULL AND d.could_clue AND coalesce(o.last_clue, true) AND NOT coalesce(
            d.action = o.clue_kind::VARCHAR AND d.receiver = o.clue_receiver AND d.clue_value = o.clue_value, false
        ) AS has_clue,
        list_filter(range(1, 7), lambda slot: k.unclued >> (slot - 1) & 1 = 1) AS free,
        coalesce(d.result = 'discarded' AND NOT d.clued AND d.slot > o.chop_slot, false) AS broke_chop_move
    FROM m
    JOIN plain_decisions d ON d.game_id = m.game_id AND d.turn = m.turn
    LEFT JOIN o ON o.game_id = m.game_id AND o.turn = m.turn
    LEFT JOIN h ON h.game_id = m.game_id AND h.turn = m.turn
    LEFT JOIN k ON k.game_id = m.game_id AND k.turn = m.turn
    LEFT JOIN convention_games r ON r.game_id = m.game_id
),
slots AS NOT MATERIALIZED (
    SELECT *,
        CASE WHEN plays >> (due_slot - 1) & 1 = 1 THEN due_slot END AS due,
        CASE
            WHEN was_read THEN given_up[1]
            WHEN best_p_trash > 1 - 1e-9 AND (best_trash_slot IS DISTINCT FROM own_slot OR action = 'play')
                THEN best_trash_slot
        END AS trash_slot,
        list_max(free) AS last_free,
        -- With conventions the chop is discarded, without conventions the safest unclued card.
        CASE
            WHEN chop_slot IS NOT NULL THEN chop_slot
            WHEN has_chances THEN list_aggregate(list_transform(free, lambda slot: {
                'safe': -critical[slot], 'slot': slot
            }), 'max').slot
            WHEN list_contains(free, safest_slot) THEN safest_slot
            ELSE last_free
        END AS discard_slot,
        could_discard AND known_playable = 0 AND due_slot IS NULL AND has_call IS NOT TRUE
            AND coalesce(last_discard, true) AND (coalesce(pace_before > 0, true) OR NOT could_clue AND last_discard)
            AS may_discard,
        has_clue AND coalesce(clue_stalls, false) AS stalls
    FROM known
),
moves AS NOT MATERIALIZED (
    SELECT *,
        CASE
            WHEN best_p_playable > 1 - 1e-9
                AND (best_playable_slot IS DISTINCT FROM own_slot OR action <> 'play')
                AND coalesce((last_plays >> (best_playable_slot - 1)) & 1 = 1, true)
                THEN best_playable_slot
            WHEN due IS NOT NULL AND strikes_before < 2 THEN due
            ELSE list_aggregate(list_transform(
                list_filter(range(1, 7), lambda slot: plays >> (slot - 1) & 1 = 1
                    AND (slot = due AND strikes_before < 2
                        OR playable[slot] >= CASE WHEN strikes_before < 2 THEN play_threshold(0) ELSE 0.95 END)),
                -- Among equally likely cards the oldest is played, because 1s are played in this order.
                lambda slot: {'percent': round(100 * coalesce(playable[slot], 0)), 'slot': slot}
            ), 'max').slot
        END AS play_slot,
        CASE
            WHEN has_chances THEN critical[discard_slot]
            WHEN discard_slot = safest_slot THEN least_p_critical
            WHEN discard_slot = last_free THEN chop_p_critical
        END AS discard_chance,
        CASE WHEN result = 'discarded' THEN coalesce(critical[own_slot], p_critical) END AS own_chance,
        -- A play costs a last copy if the card is critical, but not playable.
        CASE WHEN action = 'play' THEN coalesce(critical[own_slot] - playable[own_slot], p_critical - p_playable)
            ELSE own_chance END AS own_risk,
        NOT was_read AND (
            (discard_slot = last_free AND p_double_discard > 0) OR best_p_playable >= play_threshold(strikes_before)
        ) AS would_blame,
        has_clue AND NOT stalls AND coalesce(clue_saves OR clue_fixes, false) AS saves,
        -- In the end game, a discard costs a turn and a clue does not.
        (stalls OR NOT has_clue) AND could_clue AND coalesce(last_clue, true) AND clue_tokens_before >= 2
            AND coalesce(pace_before < players, false) AS waits
    FROM slots
),
advice AS NOT MATERIALIZED (
    SELECT *,
        may_discard AND NOT coalesce(stall_severity > 0 AND clue_convention IS NOT NULL, false)
            AND (discard_slot IS DISTINCT FROM own_slot OR action = 'play') AND would_blame IS NOT TRUE
            AND (discard_chance <= greatest(0.1, own_risk / 2) OR (broke_chop_move AND discard_chance <= 0.2))
            AND coalesce(discard_chance < own_chance, true) AS may_leave
    FROM moves
)
SELECT
    m.*, a.clue_saves AS better_saves, better.kind AS better_kind, better.slot AS better_slot,
    better.seat AS better_seat, better.clue AS better_clue, better.value AS better_value,
    better.convention AS better_convention, better.gets AS better_gets, better.chance AS better_chance,
    CASE WHEN better.chance IS NOT NULL THEN better.model END AS better_model
FROM m
JOIN (
    SELECT game_id, turn, clue_saves, CASE
        WHEN was_forced OR unsure THEN NULL
        WHEN play_slot IS NOT NULL AND NOT saves THEN {'kind': 'play', 'slot': play_slot, 'seat': NULL,
            'clue': NULL, 'value': CASE WHEN plays >> (play_slot - 1) & 1 = 1 THEN 'called' END,
            'convention': NULL, 'gets': NULL,
            -- The model knows nothing about a card called blind.
            'chance': CASE WHEN play_slot IS DISTINCT FROM due AND plays >> (play_slot - 1) & 1 = 1
                THEN playable[play_slot] END,
            'model': model}
        WHEN may_discard AND trash_slot IS NOT NULL AND NOT saves
            AND (result = 'discarded' OR NOT has_clue OR stalls) AND NOT (waits AND pace_before <= 1)
            THEN {'kind': 'discard', 'slot': trash_slot, 'seat': NULL, 'clue': NULL, 'value': 'trash',
                'convention': NULL, 'gets': NULL, 'chance': NULL, 'model': NULL}
        WHEN has_clue AND NOT (stalls AND may_leave AND NOT waits) THEN {
            'kind': 'clue', 'slot': NULL, 'seat': clue_receiver,
            'clue': CASE clue_kind
                WHEN 'rank_clue' THEN new_value::VARCHAR
                ELSE lower(string_split(colours, ',')[new_value + 1])
            END,
            'value': card_name(letters, clue_suit, clue_rank),
            'convention': replace(clue_convention::VARCHAR, '_', ' '),
            'gets': list_transform(
                list_filter(clue_gets, lambda one: one >= 0), lambda one: card_name(letters, one // 8, one % 8)
            ),
            'chance': NULL, 'model': NULL
        }
        WHEN may_leave AND NOT waits
            THEN {'kind': 'discard', 'slot': discard_slot, 'seat': NULL, 'clue': NULL, 'value': NULL,
                'convention': NULL, 'gets': NULL, 'chance': discard_chance,
                'model': CASE WHEN discard_chance > 0 THEN model END}
        WHEN (result = 'discarded' AND pace_before <= 0 OR result <> 'clued' AND waits) AND could_clue
            AND coalesce(last_clue, true)
            THEN {'kind': 'clue', 'slot': NULL, 'seat': NULL, 'clue': NULL, 'value': NULL,
                'convention': NULL, 'gets': NULL, 'chance': NULL, 'model': NULL}
    END AS better
    FROM advice
) a ON a.game_id = m.game_id AND a.turn = m.turn
