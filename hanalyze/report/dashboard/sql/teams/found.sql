-- Sums of numerators, of their squares and of their products with the denominators, over games or players in games.
{% if with_both %}
SELECT team, '' AS panel, of AS label, sum(x)::BIGINT AS x, sum(x::HUGEINT * x)::DECIMAL(38, 0) AS xx,
    sum(x::HUGEINT * y)::DECIMAL(38, 0) AS xy
FROM of_rows GROUP BY ALL HAVING xx > 0
{% else %}
SELECT team, panel, label, sum(x)::BIGINT AS x, sum(x::HUGEINT * x)::DECIMAL(38, 0) AS xx,
    sum(x::HUGEINT * coalesce(y, 0))::DECIMAL(38, 0) AS xy
FROM found_rows LEFT JOIN of_rows USING (team, game_id, first_seat, of) GROUP BY ALL
{% endif %}
