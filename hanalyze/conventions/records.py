"""What the actions of a few recorded games meant.

In: `GameRecord`s. Out: the rows of `hanalyze.conventions.run.read_games`, without a database.
"""

from __future__ import annotations

from collections.abc import Iterable

from hanalyze.conventions.run import HIGHEST_LEVEL, Output, read_games
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.logs.record import GameRecord


def read_records(
    records: Iterable[GameRecord], *, level: int = HIGHEST_LEVEL, fast: bool | None = None
) -> Output:
    """Deal some games and read what their actions meant; `level` and `fast` as in `read_games`.

    Raises `LogError` for a record that cannot be dealt.

    >>> record = GameRecord(players=("Alice", "Bob"), seed="p2v0s1")
    >>> read_records([record]).games
    {'turns': array([0]), 'findings': array([0]), 'hand_cards': array([0])}
    """
    return read_games(make_batch(deal_records(records)), level=level, fast=fast)
