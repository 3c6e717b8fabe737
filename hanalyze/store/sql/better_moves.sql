-- The view `better_moves`: one row per decision, with the best other move that its player knew of, null if none.
--
-- Judged by what the player knew; where the game was read for conventions, by what these told the player, too. In this
-- order: a clue that saves a chop at risk; a card called or known to be playable; for a discard, known trash; the best
-- play or save clue, with at most one bad card among good ones (`clue_convention`); known trash; where the player may
-- have to stall (`stall_severity`: the early game, too), a clue that passes the turn; the chop, or without conventions
-- the card that was least likely to be critical, where that was at most 10 % and, for a discard, less than the chance
-- of the card that went; a clue that passes the turn in the end game; for a discard that costs a point, any clue, which
-- is not named. At two tokens or more and a pace below the number of players a clue that passes the turn goes before
-- the chop, at pace 1 or less before known trash, too. Not advised are a discard that costs a point, one of the chop
-- where the player may have to stall and there is something to clue, and at the last strike but one a card that only
-- conventions call playable; before that one that no message calls now has to be as likely to fit as the threshold of
-- plays asks for. Nor is any discard that the definitions of mistakes would blame: beside a card known or called to
-- be playable, of a clued card that is not known trash, of what messages give up although it is 25 % likely to be
-- needed (where it cannot be a last copy: 90 %), and without conventions of what may be the other copy of the card
-- just lost, or beside a card as likely to fit as plays are asked to be. Chances are the state model's, of all cards
-- of the hand; of cards called blind it knows nothing. With at most two cards in the deck only a move is advised
-- that keeps as many points within reach as any other, counted by conventions (`last_plays` and what follows);
-- without these nothing is.
--
-- The columns are explained in `hanalyze/store/mistakes.py`, which fills in the query for the turns, as `m`, and the
-- columns that are kept.
WITH m AS MATERIALIZED (
$rows
),
-- Only what belongs to these turns: of all turns it would not have room in memory.
o AS NOT MATERIALIZED (FROM convention_opportunities SEMI JOIN m USING (game_id, turn)),
h AS NOT MATERIALIZED (SELECT game_id, turn, critical, playable, trash FROM chances SEMI JOIN m USING (game_id, turn)),
k AS NOT MATERIALIZED (
    -- Where no chop is known by conventions: the unclued slots.
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
        -- A playable card that was discarded should have been played, and trash that was played discarded.
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
        -- By conventions the chop is discarded; without them the safest unclued card.
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
        -- The card played counts, too: a player whom messages told of it would be blamed for a discard.
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
        -- In the end game a discard costs a turn that a clue does not.
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
