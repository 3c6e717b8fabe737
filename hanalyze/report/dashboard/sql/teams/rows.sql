-- Rows of `counted` by number and game (`games` is 1), with the values of each seat, x0 and y0 to x5 and y5, and those
-- without a seat, x and y. The values of a player who has several seats are at the first of them.
SELECT measure, lineup, 1 AS games,
{% for letter in "xy" %}
    coalesce(sum({{ letter }}) FILTER (first_seat IS NULL), 0)::DOUBLE AS {{ letter }},
    {% for seat in seats %}
    {{ "coalesce(sum(%s) FILTER (first_seat = %d), 0)" % (letter, seat) if seat < most_seats else 0 }}::DOUBLE AS {{ letter }}{{ seat }},
    {% endfor %}
{% endfor %}
FROM (
    SELECT m.measure, g.lineup, c.game_id, coalesce(r.first_seat, c.seat) AS first_seat, c.x, c.y
    FROM counted c
    JOIN measures m ON m.name = '{{ name }}' AND m.of = c.of
        AND m.panel IS NOT DISTINCT FROM c.panel AND m.label IS NOT DISTINCT FROM c.label
    JOIN lineup_games g ON g.game_id = c.game_id
    LEFT JOIN repeated_seats r ON r.lineup = g.lineup AND r.seat = c.seat
)
GROUP BY measure, lineup, game_id
