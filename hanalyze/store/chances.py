"""The table `chances`: what a shipped model says of every card in the hand to move.

In: games that were read for conventions, with the rows of cards in hands. Out: rows of `chances`. The model
is the one that suits the games best that were read first; its name is in `convention_games`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hanalyze.chances.hand_features import hand_cards_of, read_hand_cards
from hanalyze.chances.model import ACT_TARGETS, MODELS, Model, judged
from hanalyze.chances.model_choice import FEWEST, closest
from hanalyze.conventions.run import Output
from hanalyze.engine.batch import GameBatch
from hanalyze.lazy import duckdb
from hanalyze.store.rows import Arrays
from hanalyze.tables.chances import SLOTS, TARGETS

_PLAYABLE: Final = ACT_TARGETS.index(("play", "playable"))
_CRITICAL: Final = ACT_TARGETS.index(("discard", "critical"))

_SAMPLE: Final = 50
"""Games by which a model is chosen. Keys are digests, so the first by key are drawn at random."""


def chosen_before(connection: duckdb.DuckDBPyConnection) -> str | None:
    """Return the name of the model that most games of a database have their chances from; None without any.

    Too few games to choose by do not count: their default may be wrong for those to come.
    """
    query = "SELECT chances, count(*) FROM convention_games GROUP BY chances ORDER BY count(*) DESC, chances"
    names = connection.execute(query).fetchall()
    return names[0][0] if names and names[0][1] >= FEWEST else None


def choose_model(batch: GameBatch, level: int, fast: bool) -> str:
    """Return the name of the shipped model that suits the first games of a batch best."""
    count = min(len(batch.seats), _SAMPLE)
    if count < FEWEST:
        return MODELS[0]
    rows = read_hand_cards(batch, level=level, fast=fast, last=count)
    explained = rows.columns["explained"]
    if explained.all() or not explained.any():
        return closest(rows, "conventions" if explained.any() else "context")[0]
    return closest(rows.where(np.flatnonzero(explained)), "conventions")[0]


def features_of(output: Output) -> list[str | None]:
    """Return by game the set of features that its chances go by, None for a game without a turn."""
    counts = output.games["hand_cards"]
    explained = output.hand_cards["explained"]
    return [
        ("conventions" if explained[end - 1] else "context") if count else None
        for count, end in zip(counts.tolist(), np.cumsum(counts).tolist(), strict=True)
    ]


def _stored(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return chances to a thousandth, which takes half the room; only what is certain is 0 or 1."""
    free = (chances > 0.0) & (chances < 1.0)
    return np.where(free, np.clip(np.round(chances, 3), 0.001, 0.999), chances)


def chance_rows(output: Output, model: Model) -> Arrays:
    """Return the rows of `chances`, without keys, of games that were read with `cards`: a row per action."""
    rows = hand_cards_of(output)
    state, act = judged(rows, model)
    turns = output.games["turns"]
    row = (np.cumsum(turns) - turns)[rows.game] + rows.columns["turn"]
    slot = rows.columns["slot"] - 1
    arrays: Arrays = {"turn": output.opportunities["turn"]}
    for number, target in enumerate(TARGETS):
        wide = np.full((len(arrays["turn"]), SLOTS), np.nan, np.float32)
        wide[row, slot] = _stored(state[:, number])
        arrays[target] = wide
    for number, (_, target) in enumerate(ACT_TARGETS):
        one = np.full(len(arrays["turn"]), np.nan, np.float32)
        taken = np.flatnonzero(~np.isnan(act[:, number]))
        one[row[taken]] = act[taken, number]
        arrays[f"act_{target}"] = one
    # What a play costs that does not fit, and a discard that hits a critical card.
    lost = np.where(np.isnan(act[:, _PLAYABLE]), act[:, _CRITICAL], 1.0 - act[:, _PLAYABLE])
    taken = np.flatnonzero(~np.isnan(lost))
    points = np.full(len(arrays["turn"]), np.nan, np.float32)
    points[row[taken]] = lost[taken] * rows.columns["stake"][taken]
    return {**arrays, "act_points": points}
