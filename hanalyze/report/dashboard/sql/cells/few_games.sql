-- The games whose turns are listed, those furthest from their full score first: all games, or only the furthest of
-- all and of each player.
CREATE OR REPLACE TEMP TABLE few_games AS
SELECT game_id, row_number() OVER (ORDER BY full_score - score DESC, game_id) - 1 AS place
FROM games
{% if most %}
WHERE game_id IN (SELECT game_id FROM games ORDER BY full_score - score DESC, game_id LIMIT {{ most }})
    OR game_id IN (
        SELECT game_id FROM seats JOIN known_player k ON k.name = player JOIN games USING (game_id)
        QUALIFY row_number() OVER (PARTITION BY player ORDER BY full_score - score DESC, game_id) <= {{ of_player }}
    )
{% endif %}
