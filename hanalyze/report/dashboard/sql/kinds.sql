-- of
-- Each bit of a mask is a kind of mistake: in `chances` if it was possible, in `found` if it was made.
WITH judged AS MATERIALIZED ({{ judged_decisions }})
SELECT game_id, seat, phase || '|' || kind AS of, count(*) AS y, count_if(found & mask <> 0) AS x
FROM judged JOIN (
    VALUES {% for kind in kinds %}({{ [kind] | quoted }}, 1::BIGINT << {{ loop.index0 }}){{ "" if loop.last else ", " }}{% endfor %}

) kinds (kind, mask) ON chances & mask <> 0
GROUP BY ALL
