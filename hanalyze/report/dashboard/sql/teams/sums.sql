-- Sums over the games of each team, or over players in games: n counts those with a denominator.
SELECT team, measure, sum(if(y > 0, games, 0)) AS n, sum(games * x) AS x, sum(games * x * x) AS xx,
    sum(games * x * y) AS xy, sum(games * y) AS y, sum(games * y * y) AS yy
FROM (
    SELECT t.team, r.measure, r.games, {{ exact.format(x) }} AS x, {{ exact.format(y) }} AS y
    FROM {{ rows }} r JOIN teams_by_seat t ON t.lineup = r.lineup
{% for seat, x, y in own %}
    UNION ALL
    SELECT t.team{{ seat }}, r.measure, r.games, {{ exact.format(x) }}, {{ exact.format(y) }}
    FROM {{ own_rows }} r JOIN teams_by_seat t ON t.lineup = r.lineup
    WHERE t.team{{ seat }} IS NOT NULL AND ({{ x }} <> 0 OR {{ y }} > 0)
{% endfor %}
)
GROUP BY ALL
