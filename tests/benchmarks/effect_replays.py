"""Effects of clues of `cautious`, by replays in which it gives its next best clue instead.

    python -m tests.benchmarks.effect_replays [CONVENTION ...] [--games 6000] [--uses 2000]

A line has the clues that used the convention and are replayed, those without another useful clue, the mean
difference between the final score of the game and that of its replay with its standard error (games as
clusters), and the estimate of `convention_effects` from the same games with its standard error. If the next
best clue uses the convention, too, the next best after it is given.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from itertools import product
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from hanalyze.agents import simulate
from hanalyze.agents.players import AGENTS, _clue_worth, choose_action
from hanalyze.analysis.convention_effects import OfferedTurns, bits, estimates, offered_turns
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.engine.game import Game, next_seats
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.measure import critical_cards, needed_cards, score
from hanalyze.engine.playing import start_game
from hanalyze.engine.rules import apply_action, choose, clue_touch, find_defect
from hanalyze.game.actions import COLOUR_CLUE, RANK_CLUE, Action
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.game.editions import EndCondition
from hanalyze.logs import GameRecord
from hanalyze.store import connect
from hanalyze.words import named_convention
from tests.benchmarks.effects import FEW, SCORE

CLUES = RANK_CLUE, COLOUR_CLUE
AGENT = "cautious"
CONVENTIONS = ("play_clue", "delayed_play_clue", "tempo_clue", "fix_clue", "tempo_chop_move", "hard_burn")


class Use(NamedTuple):
    """A clue that used a convention: the seed of the game, and the turn."""

    seed: str
    turn: int


def clues_by_worth(game: Game) -> list[Action]:
    """Return the useful clues of the player to move, in the agent's order of preference."""
    read_hands(game)
    needed, critical = needed_cards(game), critical_cards(game)
    clues = []
    for seat, kind, value in product(next_seats(game.seat, game.seats), CLUES, range(RANK_SLOTS)):
        touch = clue_touch(game, kind, value)
        worth = 0 if touch == -1 else _clue_worth(game, seat, touch, needed, critical)
        if worth > 0 and find_defect(game, kind, seat, value) == 0:
            clues.append((worth, Action(kind, seat, value)))
    # Sorting keeps the order of clues of equal worth.
    return [clue for _, clue in sorted(clues, key=lambda one: -one[0])]


def replayed(record: GameRecord, turn: int, skipped: int) -> tuple[GameRecord, int] | None:
    """Return the game and its score if the useful clue at index `skipped` is given; None without one."""
    game = Game()
    start_game(game, make_batch(deal_records([record])).laid_out(fast=False), 0)
    actions = record.actions[:turn]
    for action in actions:
        apply_action(game, *action)
    clues = clues_by_worth(game)
    if len(clues) <= skipped:
        return None
    assert clues[0] == record.actions[turn]
    while game.end_condition == EndCondition.UNFINISHED:
        if game.turn > turn:
            choose_action(game, AGENTS.index(AGENT))
        else:
            choose(game, *clues[skipped])
        choice = game.choice
        actions.append(Action(choice.kind, choice.target, choice.value))
        apply_action(game, *actions[-1])
    return replace(record, actions=actions), score(game)


def differences(
    records: dict[str, GameRecord], scores: dict[str, int], uses: list[Use], name: str
) -> dict[Use, int]:
    """Return by how much each game scored more than its replay, for uses with another useful clue."""
    found, waiting, skipped = {}, uses, 1
    while waiting:
        games = [(use, replayed(records[use.seed], use.turn, skipped)) for use in waiting]
        there = [(use, *game) for use, game in games if game is not None]
        with connect() as db:
            db.add(replace(record, tags=(str(number),)) for number, (_, record, _) in enumerate(there))
            db.read_conventions(jobs=1)
            query = "SELECT tags, turn FROM conventions JOIN games USING (game_id) WHERE convention = $name"
            again = {(int(tags), turn) for tags, turn in db.sql(query, {"name": name}).rows()}
        waiting = []
        for number, (use, _, points) in enumerate(there):
            if (number, use.turn) in again:
                waiting.append(use)
            else:
                found[use] = scores[use.seed] - points
        skipped += 1
    return found


def line(
    name: str,
    records: dict[str, GameRecord],
    turns: OfferedTurns,
    games: dict[int, tuple[str, int]],
    most: int,
) -> str:
    """Return a line of the table; `games` has the seed and score of each key of a game."""
    key = named_convention(name)
    [estimate] = estimates(turns, [key], FEW)
    assert estimate.effect is not None
    taken = np.flatnonzero(bits(turns.available, key) & bits(turns.used, key))
    some = np.random.default_rng(1).permutation(taken)[:most]
    uses = [Use(games[int(turns.game[one])][0], int(turns.turn[one])) for one in some]
    found = differences(records, dict(games.values()), uses, name)
    mean = float(np.mean(list(found.values())))
    by_game: dict[str, float] = defaultdict(float)
    for use, difference in found.items():
        by_game[use.seed] += difference - mean
    error = math.sqrt(sum(one**2 for one in by_game.values())) / len(found)
    value, uncertainty = estimate.effect.value[SCORE], estimate.effect.error[SCORE]
    counts = f"{name:20}{len(found):8}{len(uses) - len(found):8}"
    return f"{counts}{mean:9.3f}{error:7.3f}{value:9.3f}{uncertainty:7.3f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("conventions", nargs="*", default=CONVENTIONS)
    parser.add_argument("--games", type=int, default=6000)
    parser.add_argument("--uses", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1_200_001)
    asked = parser.parse_args()
    played = simulate(AGENT, players=3, games=asked.games, seed=asked.seed)
    records = {str(record.seed): record for record in played}
    with connect() as db:
        db.add(records.values())
        db.read_conventions(jobs=1)
        turns = offered_turns(db, "convention_games", asked.games)
        games = {row[0]: row[1:] for row in db.sql("SELECT game_id, seed, score FROM games").rows()}
    print("convention             clues without   replay  error estimate  error")
    for name in asked.conventions:
        print(line(name, records, turns, games, asked.uses), flush=True)


if __name__ == "__main__":
    main()
