"""How much memory commands take of many games, beside the ingest of the same games.

    python -m tests.benchmarks.memory [--games 100000] [--flat]

In: games of 2 to 5 players, made by `simulate`, with sixty people and several variants. Out: the peak
of each command as a whole process, and its seconds, of a file and of a folder. `--flat` takes twice as many
games as well.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from hanalyze.agents import simulate
from hanalyze.logs import GameRecord, write
from tests.peak import measured

MOST = 1024
"""MiB that a command may take."""
PEOPLE = [f"player {number}" for number in range(60)]
VARIANTS = ("No Variant", "Rainbow (6 Suits)", "Black (6 Suits)", "Prism (5 Suits)")
GROUPS = (
    "player",
    "partner",
    "seat",
    "players",
    "variant",
    "edition",
    "turn",
    "phase",
    "rank",
    "suit",
    "score",
    "severity",
)

COMMANDS: dict[str, list[str]] = {
    "ingest": ["ingest", "{log}", "--db", "{db}"],
    "mistakes": ["mistakes", "{db}"],
    **{
        f"mistakes --by {by}": ["mistakes", "{db}", "--by", by]
        for by in ("player", "partner", "seat", *GROUPS)
    },
    "stats": ["stats", "{db}"],
    "stats --by player": ["stats", "{db}", "--by", "player"],
    "stats --by partner": ["stats", "{db}", "--by", "partner"],
    **{
        f"stats --what {what} --by player": ["stats", "{db}", "--what", what, "--by", "player"]
        for what in ("clues", "wasted-tokens", "cards", "curve", "scores", "points-short", "systems")
    },
    "compare --a score>=15": ["compare", "{db}", "--a", "score>=15"],
    "compare --match none": ["compare", "{db}", "--a", "score>=15", "--match", "none"],
    "dashboard": ["dashboard", "{db}", "-o", "{page}"],
    "conventions (read)": ["conventions", "{db}"],
    "conventions": ["conventions", "{db}"],
    "conventions --by player": ["conventions", "{db}", "--by", "player"],
    "mistakes with conventions": ["mistakes", "{db}"],
    "mistakes --by partner with conventions": ["mistakes", "{db}", "--by", "partner"],
    "sql with conventions": ["sql", "{db}", "SELECT count(*), count(better_slot) FROM mistakes"],
    "dashboard with conventions": ["dashboard", "{db}", "-o", "{page}"],
    "sums with conventions": ["sums", "{db}"],
    "compact": ["compact", "{db}", "--grace", "0"],
}
"""What is run, in this order."""
OF_FOLDERS = ("compact",)
DATABASES = {"file": "games.duckdb", "folder": "games/"}


class Taken(NamedTuple):
    """What a process took: MiB at its peak, and seconds."""

    peak: float
    seconds: float


def make_games(path: Path, games: int) -> None:
    """Write games of teams of all sizes, with players and variants of their own."""
    chance = random.Random(1)

    def records() -> Iterator[GameRecord]:
        kinds = [(players, variant) for players in (2, 3, 4, 5) for variant in VARIANTS]
        for number, (players, variant) in enumerate(kinds):
            count = games * (number + 1) // len(kinds) - games * number // len(kinds)
            made = simulate(
                "cautious", players=players, games=count, seed=1 + number * games, variant=variant
            )
            for record in made:
                yield replace(record, players=tuple(chance.sample(PEOPLE, players)))

    write(records(), path)


def run(name: str, folder: Path, database: str) -> Taken:
    """Run a command of `COMMANDS` on one of `DATABASES` in a folder, and return what its process took."""
    places = {
        "log": folder / "games.jsonl",
        "db": f"{folder}/{DATABASES[database]}",
        "page": folder / "page.html",
    }
    arguments = [argument.format(**places) for argument in COMMANDS[name]]
    start = time.perf_counter()
    with (folder / "said.txt").open("w") as said:
        code, peak = measured(arguments, folder / "peak.txt", stdout=said, stderr=said)
    if code:
        raise RuntimeError(f"{name}: {(folder / 'said.txt').read_text()[-2000:]}")
    return Taken(peak, time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--flat", action="store_true", help="twice as many games, too")
    options = parser.parse_args()
    sizes = [options.games, 2 * options.games] if options.flat else [options.games]
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / str(size) for size in sizes]
        for folder, size in zip(folders, sizes, strict=True):
            folder.mkdir()
            make_games(folder / "games.jsonl", size)
        print("MiB at the peak and seconds, of " + " and of ".join(f"{size:,} games" for size in sizes))
        for database in DATABASES:
            ingested: list[Taken] = []
            for command in COMMANDS:
                if command in OF_FOLDERS and database != "folder":
                    continue
                took = [run(command, folder, database) for folder in folders]
                ingested = ingested or took
                shown = "".join(f"{one.peak:7,.0f} MiB {one.seconds:7.1f} s" for one in took)
                growth = f"  {took[-1].peak / took[0].peak:5.2f} times" if options.flat else ""
                beside = f"  {took[0].peak / ingested[0].peak:5.2f} of the ingest"
                print(f"{database:7}{command:40}{shown}{growth}{beside}", flush=True)


if __name__ == "__main__":
    main()
