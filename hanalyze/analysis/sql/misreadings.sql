-- Wrong inferences about cards, by pair of players and convention of the message.
WITH messages AS (
    SELECT f.game_id, f.turn, f.seat, c.holder, f.focus, f.convention::VARCHAR AS convention,
        (f.readings >> (f.focus_suit::BIGINT * 8 + f.focus_rank)) & 1 = 0 AS wrong
    FROM conventions f JOIN cards c ON c.game_id = f.game_id AND c."order" = f.focus
    WHERE f.number = 0 AND f.readings <> 0 AND c.holder <> f.seat
),
-- By card, giver and convention of messages about the card; `wrong`: the first message with a wrong inference is among them.
cards_read AS (
    SELECT game_id, seat, holder, focus, convention,
        bool_or(wrong AND turn = first_wrong) AS wrong
    FROM (
        SELECT *, min(turn) FILTER (wrong) OVER (PARTITION BY game_id, focus) AS first_wrong FROM messages
    ) GROUP BY ALL
),
named AS (
    SELECT g.player AS giver, r.player AS receiver, t.convention, t.game_id, t.focus,
        coalesce(t.wrong, FALSE) AS wrong
    FROM cards_read t JOIN seats g ON g.game_id = t.game_id AND g.seat = t.seat
    JOIN seats r ON r.game_id = t.game_id AND r.seat = t.holder
),
pairs AS (
    SELECT a.player AS giver, b.player AS receiver, count(DISTINCT a.game_id) AS games
    FROM seats a JOIN seats b ON b.game_id = a.game_id AND b.seat <> a.seat
    WHERE a.game_id IN (SELECT game_id FROM convention_games) GROUP BY ALL
),
counted AS (
    SELECT giver, receiver, coalesce(convention, 'all') AS convention,
        count(DISTINCT (game_id, focus)) AS cards, count(DISTINCT (game_id, focus)) FILTER (wrong) AS wrong
    FROM named GROUP BY GROUPING SETS ((giver, receiver), (giver, receiver, convention))
)
SELECT c.giver, c.receiver, c.convention, p.games, c.cards, c.wrong, c.wrong / c.cards AS share,
    100 * c.wrong / p.games AS per_100_games
FROM counted c JOIN pairs p ON p.giver = c.giver AND p.receiver = c.receiver
ORDER BY c.giver, c.receiver, c.convention <> 'all', c.wrong DESC, c.cards DESC, c.convention
