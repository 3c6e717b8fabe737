"""Our own golden games: actions by the package's players, the values after every turn by the slow rules.

Run `python -m tests.golden.make` to write `games.jsonl.gz` anew (some seconds); the same sources write the
same bytes. `SOURCE.md` says what a line holds.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hanalyze.agents import simulate
from hanalyze.engine.batch import rules_of, variant_of
from hanalyze.game.actions import Action
from hanalyze.logs import GameRecord, Options, to_json
from tests.slow_rules import SlowGame

PATH = Path(__file__).with_name("games.jsonl.gz")

# Agent, players, variant, edition, options. The seeds are the lines' numbers.
CASES: tuple[tuple[str, int, str, str | None, Options], ...] = (
    ("cautious", 2, "No Variant", None, Options()),
    ("cheating", 3, "No Variant", None, Options()),
    ("random", 4, "No Variant", None, Options()),
    ("cheating", 6, "No Variant", None, Options()),
    ("cheating", 5, "6 Suits", None, Options()),
    ("cheating", 2, "R+Y", None, Options()),
    ("cheating", 2, "R", None, Options(one_less_card=True)),
    ("cautious", 3, "Black (5 Suits)", None, Options()),
    ("cheating", 4, "Dark Rainbow (6 Suits)", None, Options()),
    ("cautious", 2, "Rainbow (5 Suits)", None, Options()),
    ("cautious", 3, "Pink & White (5 Suits)", None, Options()),
    ("cautious", 4, "Omni & Null (5 Suits)", None, Options()),
    ("cautious", 5, "Muddy Rainbow (6 Suits)", None, Options()),
    ("cautious", 2, "Prism (5 Suits)", None, Options()),
    ("cautious", 3, "Dual-Color (6 Suits)", None, Options()),
    ("cautious", 4, "Extremely Ambiguous (5 Suits)", None, Options()),
    ("cautious", 5, "Rainbow-Ones & Brown (5 Suits)", None, Options()),
    ("cautious", 6, "Deceptive-Fives (5 Suits)", None, Options()),
    ("cheating", 2, "Orange (5 Suits)", None, Options()),
    ("random", 3, "Orange (3 Suits)", None, Options()),
    ("cheating", 2, "Reversed (5 Suits)", None, Options()),
    ("random", 3, "Rainbow Reversed (6 Suits)", None, Options()),
    ("cheating", 2, "Up or Down (5 Suits)", None, Options()),
    ("random", 3, "Up or Down (6 Suits)", None, Options()),
    ("cautious", 4, "Up or Down (5 Suits)", None, Options()),
    ("cheating", 3, "Sudoku (5 Suits)", None, Options()),
    ("random", 4, "Sudoku (4 Suits)", None, Options()),
    ("cautious", 5, "Sudoku (4 Suits)", None, Options()),
    ("cautious", 2, "Clue Starved (5 Suits)", None, Options()),
    ("cheating", 4, "Clue Starved (6 Suits)", None, Options()),
    ("cheating", 3, "Throw It in a Hole (5 Suits)", None, Options()),
    ("cautious", 3, "Alternating Clues (5 Suits)", None, Options()),
    ("cautious", 4, "Odds and Evens (5 Suits)", None, Options()),
    ("cautious", 2, "Funnels (5 Suits)", None, Options()),
    ("cautious", 3, "Chimneys (5 Suits)", None, Options()),
    ("cautious", 4, "Synesthesia (5 Suits)", None, Options()),
    ("cautious", 2, "Critical Fours (5 Suits)", None, Options()),
    ("cautious", 3, "Scarce Ones (5 Suits)", None, Options()),
    ("cautious", 2, "Color Blind (4 Suits)", None, Options()),
    ("cautious", 3, "Number Mute (4 Suits)", None, Options()),
    ("random", 2, "Duck (5 Suits)", None, Options()),
    ("random", 3, "Cow & Pig (5 Suits)", None, Options()),
    ("cautious", 3, "No Variant", None, Options(starting_player=2, card_cycle=True)),
    ("random", 2, "No Variant", None, Options(empty_clues=True, one_extra_card=True)),
    ("cheating", 3, "No Variant", None, Options(all_or_nothing=True)),
    ("cheating", 4, "Black (5 Suits)", None, Options(all_or_nothing=True, one_less_card=True)),
    ("random", 5, "No Variant", None, Options(speedrun=True)),
    ("random", 2, "Dark Orange (6 Suits)", None, Options(deck_plays=True)),
    ("cheating", 6, "No Variant", None, Options(deck_plays=True, card_cycle=True)),
    ("random", 3, "No Variant", "cocktail", Options()),
    ("cautious", 2, "No Variant", "keldon", Options()),
    ("random", 4, "No Variant", "abacus+fewer-storm-tokens", Options()),
    ("cheating", 5, "No Variant", "abacus+spare-notes+farbrausch-short", Options()),
    ("cautious", 3, "No Variant", "rnr+variant-3", Options()),
    ("cheating", 2, "No Variant", "rnr+variant-4", Options()),
    ("random", 2, "No Variant", "hanabi-data", Options()),
    ("random", 5, "No Variant", "hle", Options()),
    ("cheating", 3, "No Variant", "everdeck", Options()),
    ("random", 4, "Black & Dark Rainbow (6 Suits)", None, Options(all_or_nothing=True)),
    ("random", 5, "Dark Rainbow & Dark Brown (6 Suits)", None, Options(speedrun=True)),
    ("cautious", 3, "No Variant", "rnr+variant-4", Options()),
)


def _mask(cards: set[tuple[int, int]]) -> str:
    return format(sum(1 << (suit * 8 + rank) for suit, rank in cards), "x")


def turns(record: GameRecord) -> tuple[SlowGame, list[dict[str, Any]]]:
    """Return the game played by the slow rules, and its numbers after 0, 1, ... actions."""
    rules = rules_of(record)
    assert record.deck is not None
    game = SlowGame(
        variant_of(record, rules), record.deck, len(record.players), rules, record.options.starting_player
    )
    rows = []
    actions: list[Action | None] = [None, *record.actions]
    for action in actions:
        if action is not None:
            assert game.is_legal(action), (record.name, len(rows), action)
            game.do(action)
        rows.append(
            {
                **game.row(),
                "status": game.status(),
                "hands": [list(hand) for hand in game.hands],
                "emp": [[_mask(cards) for cards in game.known(seat)] for seat in range(len(game.hands))],
            }
        )
    return game, rows


def lines() -> Iterator[bytes]:
    """Yield the lines of the file."""
    for number, (agent, players, variant, edition, options) in enumerate(CASES, start=1):
        [record] = simulate(
            agent, players=players, seed=number, variant=variant, edition=edition, options=options, fast=False
        )
        game, rows = turns(record)
        line = {
            "name": f"{number} {agent}",
            "game": json.loads(to_json(record)),
            "end_condition": game.end,
            "raw_score": game.raw_score,
            "turns": rows,
        }
        yield json.dumps(line, separators=(",", ":")).encode() + b"\n"


if __name__ == "__main__":
    # No name and no time in the header, so that only the games make a difference.
    with PATH.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
        file.writelines(lines())
