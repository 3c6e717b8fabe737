"""A small database to try things out on.

In: nothing. Out: an open database in memory with a few games of simulated players.
"""

from __future__ import annotations

from hanalyze.agents import simulate
from hanalyze.store import Database, connect


def example(games: int = 6) -> Database:
    """Return a database in memory with games of two agents, `cautious` and `random`, at tables of three.

    The same number gives the same games. Close it, or use it as a context manager.

    >>> with example() as db:
    ...     db.count("games")
    6
    """
    db = connect()
    for agent, count in (("cautious", games - games // 3), ("random", games // 3)):
        db.add(simulate(agent, players=3, games=count, seed=1), jobs=1)
    return db
