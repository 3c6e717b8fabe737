"""Rebuild `negative_controls.csv` of `hanalyze.analysis.negative_controls`.

Simulates games of two agents without conventions, with fixed seeds. Run `python -m tools.make_controls` when
`CONVENTIONS_VERSION` changes (a test fails until then); it takes some minutes.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Final

from hanalyze.agents import simulate
from hanalyze.analysis.columns import OUTCOMES
from hanalyze.analysis.convention_offers import OFFERABLE, estimates, offered_turns
from hanalyze.analysis.negative_controls import CONTROLS, FILE, PLAYERS
from hanalyze.store import connect
from hanalyze.tables.conventions import CONVENTIONS_VERSION

_COLUMNS: Final = (
    "agent",
    "players",
    "convention",
    "outcome",
    "games",
    "taken",
    "declined",
    "effect",
    "standard_error",
)
_GAMES: Final = 10_000
_SEED: Final = 1_000_001
"""Seed of the first game; far from the seeds that people use, so that no game is its own control."""
_MINIMUM: Final = 30


def control_rows(
    agent: str, players: int, games: int, seed: int = _SEED
) -> Iterator[tuple[str, int, str, str, int, int, int, float, float]]:
    """Yield the rows of one agent and team size, from newly simulated games."""
    with connect() as db:
        db.add(simulate(agent, players=players, games=games, seed=seed))
        db.read_conventions()
        turns = offered_turns(db, "convention_games", games)
    for one in estimates(turns, OFFERABLE, _MINIMUM):
        for number, outcome in enumerate(OUTCOMES):
            if one.effect is not None and one.effect.error[number] > 0:
                value, error = (
                    round(float(each[number]), 4) for each in (one.effect.value, one.effect.error)
                )
                counts = one.games, one.taken, one.declined
                yield agent, players, one.convention.label, outcome, *counts, value, error


def main() -> None:
    """Rebuild the controls and write their file."""
    rows = [row for agent in CONTROLS for players in PLAYERS for row in control_rows(agent, players, _GAMES)]
    with FILE.open("w", encoding="utf-8", newline="") as file:
        file.write(
            f"# conventions {CONVENTIONS_VERSION}; {_GAMES} games a table, No Variant, seeds from {_SEED} on;"
            f" rows with at least {_MINIMUM} turns that took it\n"
        )
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_COLUMNS)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
