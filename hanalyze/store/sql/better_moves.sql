-- The view `better_moves`: one row per decision, with the best other move that its player knew of, null if none.
--
-- Judged by what the player knew; where the game was read for conventions, by what these told the player, too. In
-- this order: a clue that saves a chop at risk; a card called or known to be playable; for a discard, known trash;
-- the best clean play or save clue; known trash; the card that was least likely to be critical, where that was at most
-- 10 %. A card that only conventions call playable is not advised at the last strike but one, nor a discard that costs
-- a point.
--
-- What the columns hold: `hanalyze/store/mistakes.py`. It fills in below of which turns they are asked for, as `m`,
-- and which columns are kept: of the turns of mistakes the same is asked.
SELECT
    * EXCLUDE (better, done, plays, trash, trash_slot, play_slot, may_discard, clue_there, saves),
    better.kind AS better_kind, better.slot AS better_slot, better.seat AS better_seat, better.clue AS better_clue,
    better.value AS better_value, better.convention AS better_convention,
    better.gets AS better_gets, better.chance AS better_chance
FROM (
    SELECT
        $columns, o.clue_saves AS better_saves,
        CASE d.result WHEN 'clued' THEN 0 ELSE 1::BIGINT << (greatest(coalesce(d.slot, 1), 1) - 1) END AS done,
        (o.playable_slots & ~done)::INTEGER AS plays,
        (o.trash_slots & ~done)::INTEGER AS trash,
        CASE
            WHEN o.turn IS NOT NULL THEN CASE WHEN trash > 0 THEN bit_count((trash & -trash) - 1) + 1 END
            WHEN d.best_p_trash > 1 - 1e-9 AND d.best_trash_slot IS DISTINCT FROM d.slot THEN d.best_trash_slot
        END AS trash_slot,
        CASE
            WHEN d.best_p_playable > 1 - 1e-9 AND d.best_playable_slot IS DISTINCT FROM d.slot
                THEN d.best_playable_slot
            WHEN d.strikes_before >= 2 THEN NULL
            WHEN o.due_slot IS DISTINCT FROM d.slot AND plays >> (o.due_slot - 1) & 1 = 1 THEN o.due_slot
            WHEN plays > 0 THEN bit_count((plays & -plays) - 1) + 1
        END AS play_slot,
        d.could_discard AND coalesce(d.pace_before > 0, true) AS may_discard,
        o.clue_convention IS NOT NULL AND d.could_clue AND NOT coalesce(
            d.action = o.clue_kind::VARCHAR AND d.receiver = o.clue_receiver AND d.clue_value = o.clue_value, false
        ) AS clue_there,
        clue_there AND coalesce(o.clue_saves, false) AS saves,
        CASE
            WHEN d.was_forced THEN NULL
            WHEN play_slot IS NOT NULL AND NOT saves THEN {'kind': 'play', 'slot': play_slot, 'seat': NULL,
                'clue': NULL, 'value': NULL, 'convention': NULL, 'gets': NULL, 'chance': NULL}
            WHEN may_discard AND trash_slot IS NOT NULL AND NOT saves
                AND (d.result = 'discarded' OR NOT clue_there)
                THEN {'kind': 'discard', 'slot': trash_slot, 'seat': NULL, 'clue': NULL, 'value': 'trash',
                    'convention': NULL, 'gets': NULL, 'chance': NULL}
            WHEN clue_there THEN {
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
                'chance': NULL
            }
            WHEN may_discard AND d.safest_slot IS DISTINCT FROM d.slot AND d.least_p_critical <= 0.1
                AND coalesce(o.chop_slot = d.safest_slot, true)
                THEN {'kind': 'discard', 'slot': d.safest_slot, 'seat': NULL, 'clue': NULL, 'value': NULL,
                    'convention': NULL, 'gets': NULL, 'chance': d.least_p_critical}
        END AS better
    FROM $rows
    LEFT JOIN convention_opportunities o ON o.game_id = m.game_id AND o.turn = m.turn
    JOIN decisions d ON d.game_id = m.game_id AND d.turn = m.turn
)
