"""Sound logs to begin with: games of all agents, in many variants, editions and options, and the sample logs.

In: a seed. Out: lines of JSON, the same for the same seed. All are made by the project itself.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from hanalyze.agents import AGENTS, simulate
from hanalyze.game.variants import variant_names
from hanalyze.logs import Options, read, to_json

SAMPLES = Path(__file__).parents[2] / "sample_logs"

EDITIONS = (
    "hle",
    "hanabi-data",
    "cocktail",
    "keldon",
    "rnr",
    "abacus",
    "everdeck",
    "rnr+variant-4",
    "hle+strikes=1",
)
VARIANTS = (
    "6 Suits",
    "Rainbow (6 Suits)",
    "Black & Pink (5 Suits)",
    "Up or Down (6 Suits)",
    "Clue Starved (5 Suits)",
    "Alternating Clues (5 Suits)",
    "Throw It in a Hole (4 Suits)",
    "Cow & Pig (5 Suits)",
    "Duck (5 Suits)",
    "Odds and Evens (5 Suits)",
    "Synesthesia (5 Suits)",
    "Critical Fours (5 Suits)",
    "Reversed (6 Suits)",
    "Sudoku (5 Suits)",
)
OPTIONS = tuple(
    Options(**{name: True})
    for name in (
        "deck_plays",
        "empty_clues",
        "one_extra_card",
        "one_less_card",
        "all_or_nothing",
        "card_cycle",
        "speedrun",
    )
)


def make_bases(seed: int, rounds: int = 1) -> list[bytes]:
    """Return the sample logs and, for each round, some 60 games that are played, interpreted."""
    random = Random(f"bases {seed}")
    lines: list[bytes] = []
    known = set(variant_names())

    def play(agent: str, **how: Any) -> None:
        number = random.randrange(10**6)
        lines.extend(map(to_json, simulate(agent, seed=number, fast=False, **how)))

    for _ in range(rounds):
        for agent in AGENTS:
            for players in (2, 3, 5) if agent == "conventional" else (2, 3, 4, 5, 6):
                play(agent, players=players)
        for name in VARIANTS:
            if name in known:
                play("random", players=random.randint(2, 5), variant=name)
        for name in random.sample(sorted(known), 6):
            play("random", players=random.randint(2, 4), variant=name)
        for name in EDITIONS:
            play("cautious", players=random.randint(2, 5), edition=name)
        for options in OPTIONS:
            play("random", players=random.randint(2, 4), options=options)
        play(
            "random",
            players=3,
            options=Options(starting_player=2, timed=True, time_base=120, time_per_turn=20),
        )
    for file in sorted(SAMPLES.glob("*.json*")):
        lines.extend(map(to_json, read(file, on_error=lambda _: None)))
    return lines
