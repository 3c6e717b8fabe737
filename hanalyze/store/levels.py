"""The level of a group: the highest H-Group level of signals that the same players answer in their games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from hanalyze.conventions.classes import BLIND_CALLS, PUSHES
from hanalyze.game.meanings import FOLLOWED, SETTLED
from hanalyze.lazy import Connection
from hanalyze.store.rows import registered
from hanalyze.store.schema import quoted, sql_text

USUAL_LEVEL: Final = 13
"""Level of players whose games do not suggest another level, because finesses and bluffs are widely known.

Finesses are taught at levels 1 to 5, and bluffs at levels 11 to 13."""
FEWEST_SIGNALS: Final = 3
"""Minimum number of signals with an outcome; levels with fewer signals are ignored."""
LEAST_ANSWERED: Final = 0.5
"""A group reads a level if it answered at least this share of the level's signals."""
_FINESSES: Final = 10
"""A level above all finesses and below all bluffs."""


class Signals(NamedTuple):
    """Numbers of signals of one level: with an outcome (`given`), and answered."""

    level: int
    given: int
    answered: int


def level_of(signals: Sequence[Signals]) -> int:
    """Return the level of a group by the signals in its games; `signals` has at most one entry per level.

    A group reads a level if it answered at least `LEAST_ANSWERED` of its signals; levels with fewer than
    `FEWEST_SIGNALS` signals are ignored. Let `read` be the highest level that the group reads. If `read` is
    above `USUAL_LEVEL`, the result is `read`. Otherwise, the result is the level below the lowest unread
    level that is above `read` and at most `USUAL_LEVEL`; without such a level, it is `USUAL_LEVEL`.

    >>> level_of([]), level_of([Signals(2, 40, 34), Signals(14, 5, 4), Signals(16, 2, 2)])
    (13, 14)
    >>> level_of([Signals(2, 40, 34), Signals(11, 4, 1), Signals(14, 1, 0)])
    10
    """
    counted = [one for one in signals if one.given >= FEWEST_SIGNALS]
    read = max((one.level for one in counted if one.answered >= LEAST_ANSWERED * one.given), default=0)
    if read > USUAL_LEVEL:
        return read
    unread = (one.level - 1 for one in counted if read < one.level <= USUAL_LEVEL)
    return min(unread, default=USUAL_LEVEL)


def sentence_of(group: GroupLevel | None) -> str:
    """Return the level of a group and its evidence as a sentence; "" without a group."""
    return "" if group is None else f"These players are {group}."


class GroupLevel(NamedTuple):
    """The level of a set of players by the signals in their games."""

    players: tuple[str, ...]
    games: int
    level: int
    signals: tuple[Signals, ...]

    def __str__(self) -> str:
        """Return the level and its evidence in words.

        >>> print(GroupLevel(("Alice", "Bob"), 9, 13, (Signals(2, 40, 34), Signals(14, 1, 0))))
        expected to read signals up to level 13: 34 of 40 finesses answered, no level 14 signal answered
        """
        kinds: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        for level, given, answered in self.signals:
            usual = "finesse" if level <= _FINESSES else "bluff"
            name = usual if level <= USUAL_LEVEL else f"level {level} signal"
            kinds[name][0] += given
            kinds[name][1] += answered
        parts = [
            (f"{answered} of {given} {name}s answered" if answered else f"no {name} answered")
            + (" (too few)" if answered and given < FEWEST_SIGNALS else "")
            for name, (given, answered) in kinds.items()
        ]
        return f"expected to read signals up to level {self.level}: {', '.join(parts)}"


_MASK: Final = BLIND_CALLS | PUSHES
_SETTLED: Final = f"""
SELECT c.game_id, c.turn, c.level, c.cards[1] AS called, c.receiver,
    o.outcome IN ({", ".join(map(quoted, FOLLOWED))}) OR o.strikes > 0 AS answered
FROM conventions c
JOIN convention_outcomes o ON o.game_id = c.game_id AND o.turn = c.turn AND o.number = c.number
WHERE c.number = 0 AND c.legal AND ({_MASK}::HUGEINT >> enum_code(c.convention)) & 1 = 1
    AND o.outcome IN ({", ".join(map(quoted, SETTLED))})
"""
"""Query for signals with an outcome. A signal calls a card about which its holder has no information."""
_TO_PLAYER: Final = f"""
SELECT x.level, count(*), count_if(x.answered), count(DISTINCT x.game_id)
FROM ({_SETTLED} AND c.game_id IN (SELECT game_id FROM seats WHERE player = $player)) x
LEFT JOIN cards k ON k.game_id = x.game_id AND k."order" = x.called
JOIN seats p ON p.game_id = x.game_id AND p.seat = coalesce(k.holder, x.receiver)
WHERE p.player = $player GROUP BY x.level ORDER BY x.level
"""
"""Query for each level: numbers of signals that called a card of one player, of those answered, of games."""
_TEAMS: Final = """
SELECT game_id, list(player ORDER BY player) AS players, hash(players) AS team
FROM seats WHERE game_id IN (SELECT game_id FROM convention_games) GROUP BY game_id
"""
"""Query for the set of players of each game."""
_UNMET: Final = """
INSERT INTO unmet_signals SELECT s.game_id, s.turn
FROM signals s LEFT JOIN game_levels v ON v.game_id = s.game_id
WHERE NOT s.answered AND s.level > signal_level(v.level)
"""


def show_levels(connection: Connection, level: int | None, *, is_shared: bool = False) -> list[GroupLevel]:
    """Create the tables of levels; return the levels of the players with signals, most games first.

    If `level` is given, it is the level of all players, and the result is empty. Otherwise, `game_levels` has
    the games whose players have a level other than `USUAL_LEVEL`. The macro `signal_level` replaces a missing
    level by `level` or `USUAL_LEVEL`. The table `unmet_signals` has the turns of unanswered signals above the
    players' level, which may not have been meant as signals. All are temporary unless `is_shared`.
    """
    usual = USUAL_LEVEL if level is None else level
    statements = (
        f"MACRO signal_level(level) AS coalesce(level, {usual})",
        "TABLE game_levels (game_id BIGINT, level TINYINT)",
        "TABLE unmet_signals (game_id BIGINT, turn SMALLINT)",
        f"TABLE signals AS {_SETTLED}",
    )
    create = "CREATE" if is_shared else "CREATE OR REPLACE TEMP"
    connection.execute(";\n".join(f"{create} {one}" for one in statements))
    if not connection.execute("FROM signals LIMIT 1").fetchall():
        connection.execute("DROP TABLE signals")
        return []
    groups = {} if level is not None else _estimate(connection)
    unusual = {team: group.level for team, group in groups.items() if group.level != USUAL_LEVEL}
    if unusual:
        teams, levels = np.array([*unusual], np.uint64), np.array([*unusual.values()], np.int8)
        with registered(connection, {"team": teams, "level": levels}) as table:
            query = f"SELECT game_id, level FROM ({_TEAMS}) JOIN {table} USING (team)"
            connection.execute(f"INSERT INTO game_levels {query}")
    connection.execute(f"{_UNMET}; DROP TABLE signals")
    return sorted(groups.values(), key=lambda one: (-one.games, one.players))


def player_level(connection: Connection, player: str) -> GroupLevel | None:
    """Return the level of one player by the signals that called the player's cards; None without signals.

    `games` of the result is the largest number of games with signals of one level.
    """
    rows = connection.execute(_TO_PLAYER, {"player": player}).fetchall()
    signals = tuple(Signals(*row[:3]) for row in rows)
    return GroupLevel((player,), max(row[3] for row in rows), level_of(signals), signals) if rows else None


def _estimate(connection: Connection) -> dict[int, GroupLevel]:
    """Return the level of each set of players with signals, by its hash."""
    groups: defaultdict[tuple[int, tuple[str, ...], int], list[Signals]] = defaultdict(list)
    query = sql_text("signal_groups").replace("$teams", _TEAMS)
    for team, players, games, *signals in connection.execute(query).fetchall():
        groups[team, tuple(players), games].append(Signals(*signals))
    return {
        team: GroupLevel(players, games, level_of(signals), tuple(sorted(signals)))
        for (team, players, games), signals in groups.items()
    }
