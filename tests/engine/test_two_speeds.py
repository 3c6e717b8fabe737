"""The compiled engine against the interpreted one: the same rows of every table, and the same players.

They are the same functions, so a difference is one of number types, of the compiler, or of memory written
where it should not be.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import numpy as np
import pytest
from msgspec.structs import replace as changed

from hanalyze.agents import AGENTS, simulate
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.engine.run import Output, play
from hanalyze.game.actions import Action
from hanalyze.game.editions import EDITION_VARIANTS, EDITIONS
from hanalyze.game.variants import variant_names
from hanalyze.kernels.compiling import can_compile
from hanalyze.logs import GameRecord, Options
from tests.engine.test_defects import CASES, record_of
from tests.engine.test_golden import COUNTS, games

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(not can_compile(), reason="needs Numba"),
]

OPTIONS = (
    Options(),
    Options(starting_player=1, card_cycle=True, empty_clues=True),
    Options(deck_plays=True, one_extra_card=True),
    Options(all_or_nothing=True, one_less_card=True),
    Options(speedrun=True, deck_plays=True),
)


def same(fast: Output, slow: Output) -> None:
    """Assert that two outputs have the same columns, types and values."""
    for table in Output._fields:
        ours, theirs = getattr(fast, table), getattr(slow, table)
        assert list(ours) == list(theirs)
        for name, column in ours.items():
            assert column.dtype == theirs[name].dtype
            np.testing.assert_array_equal(column, theirs[name], err_msg=f"{table}.{name}")


def compare(records: Sequence[GameRecord]) -> Output:
    batch = make_batch(deal_records(records))
    fast = play(batch, fast=True)
    same(fast, play(batch, fast=False))
    same(play(batch, fast=True, measured=False), play(batch, fast=False, measured=False))
    return fast


@pytest.mark.heavy
@pytest.mark.parametrize("name", COUNTS)
def test_golden_games(name: str) -> None:
    output = compare([replayed.record for _, replayed in games(name)])
    assert len(output.games["score"]) == COUNTS[name]


def made(
    agent: str, players: int, variant: str, edition: str | None, options: Options, seed: int
) -> GameRecord:
    """Return a game that both speeds make."""
    how = {"players": players, "variant": variant, "edition": edition, "options": options, "seed": seed}
    fast = list(simulate(agent, games=2, fast=True, **how))
    assert fast == list(simulate(agent, games=2, fast=False, **how))
    return fast[0]


@pytest.mark.parametrize(
    "agent",
    # The one that keeps to conventions takes minutes to compile, random ones play long games.
    [
        pytest.param(agent, marks=pytest.mark.heavy if agent in ("conventional", "random") else ())
        for agent in AGENTS
    ],
)
def test_games_of_our_players(agent: str) -> None:
    records = []
    options = itertools.cycle(OPTIONS)
    every = {"random": 17, "conventional": 331}.get(agent, 83)
    for number, name in enumerate(variant_names()[::every]):
        records.append(made(agent, 2 + number % 5, name, None, next(options), number))
    for number, name in enumerate(EDITIONS):
        for other in ("", *EDITION_VARIANTS.get(name, {})):
            edition = f"{name}+{other}" if other else name
            records.append(made(agent, 2 + number % 4, "No Variant", edition, next(options), number))
    output = compare(records)
    assert not output.defects["rule"].size


def test_broken_logs() -> None:
    records = [record_of(case)[0] for case in CASES]
    output = compare(records)
    assert output.games["defects"].tolist() == [1] * len(CASES)
    # Many of them in a batch: more than there is room for at first.
    compare(records * 15)


def test_games_with_anything_in_them() -> None:
    rng = random.Random(8)
    records = []
    names = variant_names()
    for number in range(150):
        [record] = simulate(
            "random", players=2 + number % 5, seed=number, variant=rng.choice(names), fast=False
        )
        actions = list(record.actions)
        for _ in range(rng.randint(1, 4)):
            far = rng.choice([2**63 - 1, -(2**63), 60, -1, 48, 6])
            new = Action(
                rng.randint(-1, 6),
                rng.choice([far, rng.randint(-1, 50)]),
                rng.choice([far, rng.randint(0, 7)]),
            )
            actions.insert(rng.randint(0, len(actions)), new)
        edition = rng.choice([None, "hanabi-data", "abacus+strikes=9", "hle+clue_tokens=1"])
        players = record.players[:5] if edition else record.players
        if players == record.players:
            records.append(changed(record, actions=actions, edition=edition))
    output = compare(records)
    assert len(set(output.defects["rule"].tolist())) > 8


def test_parts_of_a_batch() -> None:
    records = list(simulate("cautious", games=9, fast=True))
    batch = make_batch(deal_records(records))
    for first, last in ((0, 9), (0, 0), (3, 4), (5, 9)):
        same(play(batch, fast=True, first=first, last=last), play(batch, fast=False, first=first, last=last))
    compare([])
