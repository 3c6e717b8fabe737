"""Rebuild `null_sample.csv` of `hanalyze.analysis.null_sample`: `python -m tools.make_null_sample`.

Run it when `CONVENTIONS_VERSION` changes; a test fails until then.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Final

import numpy as np

from hanalyze.agents import simulate
from hanalyze.analysis.null_sample import CONTROLS, NULL_FILE, PLAYERS
from hanalyze.conventions.run import read_records
from hanalyze.game.meanings import SETTLED, Convention, OutcomeKind
from hanalyze.tables.conventions import CONVENTIONS_VERSION

_COLUMNS: Final = ("agent", "players", "convention", "actions", "found", "settled", "success")
_GAMES: Final = 1000
_SEED: Final = 1
_SETTLED: Final = [int(OutcomeKind[word.upper()]) for word in SETTLED]
_NOT_COUNTED: Final = (Convention.UNEXPLAINED, Convention.PLAIN_PLAY, Convention.PLAIN_DISCARD)


def sample_rows(
    agent: str, players: int, games: int, seed: int, *, fast: bool | None = None
) -> Iterator[tuple[str, int, str, int, int, int, int]]:
    """Yield the rows of one agent and team size, from newly simulated games."""
    records = list(simulate(agent, players=players, games=games, seed=seed, fast=fast))
    out = read_records(records, fast=fast)
    name = out.findings["convention"]
    outcome = out.outcomes["outcome"]
    settled = np.isin(outcome, _SETTLED)
    success = outcome == OutcomeKind.SUCCESS
    actions = int(out.games["turns"].sum())
    for one in Convention:
        if one not in _NOT_COUNTED:
            is_one = name == one
            counts = (int(is_one.sum()), int((is_one & settled).sum()), int((is_one & success).sum()))
            yield agent, players, one.label, actions, *counts


def main() -> None:
    """Write the sample."""
    rows = [
        row for agent in CONTROLS for players in PLAYERS for row in sample_rows(agent, players, _GAMES, _SEED)
    ]
    with NULL_FILE.open("w", encoding="utf-8", newline="") as file:
        games = f"{_GAMES} games per agent and team size, seeds from {_SEED}"
        file.write(f"# conventions {CONVENTIONS_VERSION}; {games}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_COLUMNS)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
