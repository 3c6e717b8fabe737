-- found
SELECT game_id, seat, phase AS panel, kind AS label, phase || '|' || CASE kind
        {%- for kind, number in opportunities %} WHEN '{{ kind }}' THEN '{{ number }}'{% endfor %} END AS of, x
FROM (
    SELECT game_id, seat, phase, kind, count(*) AS x
    FROM (SELECT DISTINCT game_id, turn, kind FROM mistakes WHERE {{ blamed }})
    JOIN decisions USING (game_id, turn)
    WHERE one_choice IS NULL OR kind NOT IN ({{ forced | quoted }})
    GROUP BY ALL
)

-- of
WITH c AS MATERIALIZED (
    SELECT game_id, seat, phase
        {%- for condition in conditions %},
        count_if({{ condition }}) AS c{{ loop.index0 }}{% endfor %}
    FROM decisions LEFT JOIN (
        SELECT DISTINCT game_id, turn, true AS unsaved FROM mistakes WHERE kind = 'discard_unsaved'
    ) USING (game_id, turn)
    GROUP BY ALL
)
{%- for condition in conditions %}
{{ "" if loop.first else "UNION ALL " -}}
SELECT game_id, seat, phase || '|{{ loop.index0 }}' AS of, c{{ loop.index0 }} AS y FROM c WHERE c{{ loop.index0 }} > 0
{%- endfor %}
