"""Perft: the number of legal lines of a given length from fixed positions, in the files of `perft/`.

The engine counts them up to a length that takes little time; `heavy` tests have the slow rules and the
compiled engine count all of them. `python -m tests.engine.test_perft [LINES]` prints what the slow rules
count, up to about so many lines.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from hanalyze.engine.batch import deal_records, make_batch, rules_of, variant_of
from hanalyze.engine.game import Game, Ints
from hanalyze.engine.playing import start_game
from hanalyze.engine.rules import apply_action, find_defect
from hanalyze.kernels.compiling import can_compile, compiled
from hanalyze.kernels.record import packed
from hanalyze.logs import GameRecord
from tests.building import game
from tests.slow_rules import SlowGame

FOLDER = Path(__file__).with_name("perft")


class Case(NamedTuple):
    """A position and how many lines of each length begin there."""

    name: str
    record: GameRecord
    lines: dict[int, int]


def _case(name: str, words: list[tuple[str, str]], where: str) -> Case:
    how: dict[str, Any] = {}
    lines: dict[int, int] = {}
    moves = deck = ""
    for word, rest in words:
        if word == "players":
            how["players"] = int(rest)
        elif word in ("variant", "edition"):
            how[word] = rest
        elif word == "option":
            option, value = rest.split()
            how[option] = True if value == "yes" else int(value)
        elif word == "deck":
            deck = rest
        elif word == "after":
            moves = rest
        elif word == "lines":
            length, count = rest.split()
            lines[int(length)] = int(count)
        else:
            raise ValueError(f"{where}: case {name}: unknown word {word!r}")
    return Case(name, game(moves, deck, **how), lines)


def read_cases(text: str, where: str) -> list[Case]:
    """Return the cases of a file."""
    blocks: list[tuple[str, list[tuple[str, str]]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        word, _, rest = line.partition("#")[0].strip().partition(" ")
        if word == "case":
            blocks.append((rest, []))
        elif word and not blocks:
            raise ValueError(f"{where}, line {number}: {word!r} before the first case")
        elif word:
            blocks[-1][1].append((word, rest))
    return [_case(name, words, where) for name, words in blocks]


def all_cases() -> Iterator[Case]:
    for path in sorted(FOLDER.glob("*.txt")):
        yield from read_cases(path.read_text(encoding="utf-8"), path.name)


CASES = list(all_cases())
FEW = 2500


# --- the slow rules ----------------------------------------------------------------------------------------


def slow_start(record: GameRecord) -> SlowGame:
    """Return the position of a case."""
    rules = rules_of(record)
    slow = SlowGame(
        variant_of(record, rules),
        record.deck or [],
        len(record.players),
        rules,
        record.options.starting_player,
    )
    for action in record.actions:
        assert slow.is_legal(action), action
        slow.do(action)
    return slow


def slow_count(slow: SlowGame, length: int) -> int:
    actions = slow.legal_actions()
    if length == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = slow.copy()
        after.do(action)
        total += slow_count(after, length - 1)
    return total


# --- the engine --------------------------------------------------------------------------------------------


class Positions(list[Game]):
    """Games of which one becomes a copy of another when it is set, as in an array for compiled code."""

    def __setitem__(self, place: Any, game: Any) -> None:
        super().__setitem__(place, game.copy())


def count_lines(states: Any, tried: Ints, candidates: Ints) -> int:
    """Return how many lines begin with the position in `states[0]`, as long as there is room for.

    `states` (length) is room for the positions on the way, `tried` (length) for how many of the `candidates`
    (actions, 3) were tried at each: compiled code makes no arrays.
    """
    length = len(tried)
    tried[0] = 0
    level = 0
    count = 0
    while level >= 0:
        game = states[level]
        if game.end_condition != 0 or tried[level] == len(candidates):
            level -= 1
            continue
        kind, target, value = candidates[tried[level]]
        tried[level] += 1
        if find_defect(game, kind, target, value) != 0:
            continue
        if level == length - 1:
            count += 1
            continue
        level += 1
        states[level] = game
        apply_action(states[level], kind, target, value)
        tried[level] = 0
    return count


def engine_count(record: GameRecord, length: int, fast: bool) -> int:
    batch = make_batch(deal_records([record])).laid_out(fast=False)
    game = Game()
    start_game(game, batch, 0)
    for action in record.actions:
        assert find_defect(game, *action) == 0, action
        apply_action(game, *action)
    positions = [game] * length
    states = packed(Game, positions) if fast else Positions(positions)
    candidates = np.array(slow_start(record).candidates(), np.int64)
    if fast:
        return compiled(count_lines)(states, np.zeros(length, np.int64), candidates)
    return count_lines(states, np.zeros(length, np.int64), candidates.tolist())


def differing(
    count: Callable[[GameRecord, int], int], most: int | None = None
) -> dict[tuple[str, int], tuple[int, int]]:
    """Return what is counted and what the files say, by case and length, where the two differ.

    With `most`, lengths with more lines than that are left out.
    """
    return {
        (case.name, length): (counted, lines)
        for case in CASES
        for length, lines in case.lines.items()
        if (most is None or lines <= most) and (counted := count(case.record, length)) != lines
    }


def test_the_engine() -> None:
    assert differing(partial(engine_count, fast=False), FEW) == {}


@pytest.mark.heavy
@pytest.mark.parametrize("most", [8 * FEW, pytest.param(None, marks=pytest.mark.exhaustive)])
def test_the_slow_rules(most: int | None) -> None:
    assert differing(lambda record, length: slow_count(slow_start(record), length), most) == {}


@pytest.mark.heavy
@pytest.mark.compiled
@pytest.mark.skipif(not can_compile(), reason="needs Numba")
def test_the_compiled_engine() -> None:
    assert differing(partial(engine_count, fast=True)) == {}


def test_the_files() -> None:
    assert len(CASES) > 50
    assert len({case.name for case in CASES}) == len(CASES)
    assert all(len(case.lines) >= 2 for case in CASES)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("case a\nplayer 3", "unknown word 'player'"),
        ("players 3", "'players' before the first case"),
        ("case a\nlines 1 2 3", "too many values"),
        ("case a\noption modern yes", "modern"),
        ("case a\ndeck x9", "x"),
    ],
)
def test_an_unknown_line_is_an_error(text: str, words: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        read_cases(text, "file")
    assert words in str(caught.value)


def main(most: int) -> None:
    """Print the counts of the slow rules, to be copied into the files."""
    for case in CASES:
        print(f"case {case.name}")
        slow = slow_start(case.record)
        length = count = 1
        while count > 0:
            count = slow_count(slow, length)
            print(f"lines {length} {count}")
            if count * max(count, 2) ** (1 / length) > most:
                break
            length += 1


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else FEW)
