"""Readings against truth: which cards were taken for something that they were not, and since which move.

In: a database whose games were read for conventions (`Database.read_conventions`). Out: a frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanalyze.analysis.columns import select_columns
from hanalyze.lazy import polars as pl

if TYPE_CHECKING:
    from hanalyze.store import Database


def misreadings(db: Database) -> pl.DataFrame:
    """Return how often what one player's message said of another's card was not true, by pair and move.

    A message about a card of another hand leaves its holder some identities (`conventions.inferences`, by the
    H-Group's conventions and the holder's view). A card is read wrongly once its true identity is not among
    them: holder and table are out of step, whether or not anybody was to blame. Each such card counts once,
    for the first message after which it was so; `per_100_games` is over the games in which the two sat at one
    table: the desync rate of the pair (definition ours). Rows: for each pair all conventions together
    (`all`), then each by which a card was read. What a player works out later from other moves is not here,
    so a card may have been put right before it did harm. Without games that were read there are no rows.
    Columns: those of `FRAMES`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     _ = db.read_conventions()
    ...     found = misreadings(db)
    >>> found["convention"][0], found["giver"][0], (found["wrong"] <= found["cards"]).all()
    ('all', 'Alice', True)
    """
    query = """
WITH told AS (
    SELECT f.game_id, f.turn, f.seat, c.holder, f.focus, f.convention::VARCHAR AS convention,
        (f.readings >> (f.focus_suit::BIGINT * 8 + f.focus_rank)) & 1 = 0 AS wrong
    FROM conventions f JOIN cards c ON c.game_id = f.game_id AND c."order" = f.focus
    WHERE f.number = 0 AND f.readings <> 0 AND c.holder <> f.seat
),
-- Every card that a convention said something of, and whether it was the first to say what was not so.
cards_told AS (
    SELECT game_id, seat, holder, focus, convention,
        bool_or(wrong AND turn = first_wrong) AS wrong
    FROM (
        SELECT *, min(turn) FILTER (wrong) OVER (PARTITION BY game_id, focus) AS first_wrong FROM told
    ) GROUP BY ALL
),
named AS (
    SELECT g.player AS giver, r.player AS receiver, t.convention, t.game_id, t.focus,
        coalesce(t.wrong, FALSE) AS wrong
    FROM cards_told t JOIN seats g ON g.game_id = t.game_id AND g.seat = t.seat
    JOIN seats r ON r.game_id = t.game_id AND r.seat = t.holder
),
pairs AS (
    SELECT a.player AS giver, b.player AS receiver, count(DISTINCT a.game_id) AS games
    FROM seats a JOIN seats b ON b.game_id = a.game_id AND b.seat <> a.seat
    WHERE a.game_id IN (SELECT game_id FROM convention_games) GROUP BY ALL
),
counted AS (
    SELECT giver, receiver, 'all' AS convention, count(DISTINCT (game_id, focus)) AS cards,
        count(DISTINCT (game_id, focus)) FILTER (wrong) AS wrong
    FROM named GROUP BY giver, receiver
    UNION ALL
    SELECT giver, receiver, convention, count(DISTINCT (game_id, focus)),
        count(DISTINCT (game_id, focus)) FILTER (wrong)
    FROM named GROUP BY giver, receiver, convention
)
SELECT c.giver, c.receiver, c.convention, p.games, c.cards, c.wrong, c.wrong / c.cards AS share,
    100 * c.wrong / p.games AS per_100_games
FROM counted c JOIN pairs p ON p.giver = c.giver AND p.receiver = c.receiver
ORDER BY c.giver, c.receiver, c.convention <> 'all', c.wrong DESC, c.cards DESC, c.convention
"""
    return select_columns(db.sql(query), "misreadings")
