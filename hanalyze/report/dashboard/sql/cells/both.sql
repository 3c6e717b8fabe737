-- Both at once; of `seated` ones a player's cell has the player's own.
SELECT cell, of, sum(n)::BIGINT AS n, sum(y)::DOUBLE / {{ unit }} AS y, sum(yy)::DOUBLE / {{ unit * unit }} AS yy,
    sum(x)::DOUBLE / {{ unit }} AS x, sum(xx)::DOUBLE / {{ unit * unit }} AS xx,
    sum(xy)::DOUBLE / {{ unit * unit }} AS xy
FROM ({{ teams }}) JOIN {{ "share_cells USING (team, share)" if seated else "team_cells USING (team)" }} GROUP BY ALL
