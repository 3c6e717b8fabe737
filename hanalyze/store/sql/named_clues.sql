-- Chooses colour or rank for better clues of which a definition gives only the card, in variants whose clues touch one
-- suit or rank each. The first difference decides: a clue tells something new about the card; it touches fewer new cards;
-- fewer other playable cards fit it; it touches fewer cards; it is a rank clue.
UPDATE $found AS found
SET better_clue = named.clue
FROM (
    WITH hands AS (
        SELECT DISTINCT m.game_id, m.turn, m.better_seat AS seat, m.better_value AS card, c."order", c.suit, c.rank,
            c.drawn_turn, coalesce(c.first_clue_turn < m.turn, false) AS clued, g.colours, t.stacks_before,
            card_name(g.letters, c.suit, c.rank) = m.better_value AS is_meant
        FROM $found m
        JOIN games g ON g.game_id = m.game_id
        JOIN turns t ON t.game_id = m.game_id AND t.turn = m.turn
        JOIN cards c ON c.game_id = m.game_id AND c.holder = m.better_seat AND c.drawn_turn <= m.turn
            AND coalesce(c.fate_turn, 32000) >= m.turn
        WHERE m.better_kind = 'clue' AND m.better_clue IS NULL AND regexp_full_match(g.variant, 'No Variant|\d Suits')
    ),
    clues AS (
        SELECT h.game_id, h.turn, h.seat, h.card, kind,
            CASE kind WHEN 'rank_clue' THEN h.rank::VARCHAR ELSE lower(string_split(h.colours, ',')[h.suit + 1]) END AS clue,
            EXISTS (
                FROM turns s
                WHERE s.game_id = h.game_id AND s.turn BETWEEN h.drawn_turn AND h.turn - 1 AND s.receiver = h.seat
                    AND s.action::VARCHAR = kind AND s.clue_value = CASE kind WHEN 'rank_clue' THEN h.rank ELSE h.suit END
            ) AS is_known,
            count(*) FILTER (NOT o.clued) AS newly, count(*) AS touched,
            any_value(CASE kind
                WHEN 'rank_clue' THEN len(list_filter(h.stacks_before, lambda height: height = h.rank - 1))
                ELSE (h.stacks_before[h.suit + 1] < 5)::INTEGER
            END - (h.stacks_before[h.suit + 1] = h.rank - 1)::INTEGER) AS misreadings
        FROM hands h
        JOIN hands o USING (game_id, turn, seat, card), (VALUES ('rank_clue'), ('colour_clue')) kinds (kind)
        WHERE h.is_meant AND CASE kind WHEN 'rank_clue' THEN o.rank = h.rank ELSE o.suit = h.suit END
        GROUP BY ALL
    )
    SELECT game_id, turn, seat, card, arg_min(clue, (is_known, newly, misreadings, touched, kind = 'colour_clue')) AS clue
    FROM clues
    GROUP BY ALL
) named
WHERE found.game_id = named.game_id AND found.turn = named.turn AND found.better_kind = 'clue'
    AND found.better_seat = named.seat AND found.better_value = named.card AND found.better_clue IS NULL
