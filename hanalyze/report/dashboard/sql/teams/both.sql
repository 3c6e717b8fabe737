-- Both from one query; of `seated` ones what the seats of a share have together.
SELECT team, {{ "share, " if seated }}of, count(*) AS n,
    sum(y)::BIGINT AS y, sum(y::HUGEINT * y)::DECIMAL(38, 0) AS yy,
    sum(x)::BIGINT AS x, sum(x::HUGEINT * x)::DECIMAL(38, 0) AS xx, sum(x::HUGEINT * y)::DECIMAL(38, 0) AS xy
{% if seated %}
FROM (
    SELECT game_id, share, of, sum(exact(y))::BIGINT AS y, sum(exact(x))::BIGINT AS x
    FROM ({{ of }}) JOIN shares USING (game_id, seat) GROUP BY ALL
)
{% else %}
FROM (SELECT game_id, of, exact(y) AS y, exact(x) AS x FROM ({{ of }}))
{% endif %}
JOIN team_of USING (game_id) GROUP BY ALL
