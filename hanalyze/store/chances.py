"""Rows of the convention tables and of `chances`, from games that were read for conventions."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hanalyze.chances.model import ACT_TARGETS, MODELS, Model, hand_cards_of, model_chances, read_hand_cards
from hanalyze.chances.model_choice import FEWEST, closest_model
from hanalyze.conventions.run import Output
from hanalyze.engine.batch import GameBatch
from hanalyze.engine.game import Ints
from hanalyze.lazy import duckdb
from hanalyze.store.rows import Arrays, spread, texts
from hanalyze.tables.chances import SLOTS, TARGETS
from hanalyze.tables.conventions import CONVENTIONS_VERSION

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
        return closest_model(rows, "conventions" if explained.any() else "context")[0]
    return closest_model(rows.where(np.flatnonzero(explained)), "conventions")[0]


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
    state, act = model_chances(rows, model)
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


CONVENTION_TABLES: Final = (
    "convention_games",
    "conventions",
    "convention_outcomes",
    "convention_opportunities",
    "chances",
)


def convention_rows(keys: Ints, output: Output, level: int, model: Model) -> dict[str, Arrays]:
    """Return the rows, by table, of games that were read up to a level, with `cards`.

    `keys` are their `game_id`s; `model` is the model of chances whose rows go with them.
    """
    by_finding = np.repeat(keys, output.games["findings"])
    by_turn = np.repeat(keys, output.games["turns"])
    games: dict[str, Any] = {
        "game_id": keys,
        "level": np.full(len(keys), level, np.int8),
        "conventions_version": np.full(len(keys), CONVENTIONS_VERSION, np.int16),
        "chances": texts([model.name] * len(keys)),
        "features": texts(features_of(output)),
    }
    return {
        "convention_games": games,
        "conventions": spread(output.findings, by_finding),
        "convention_outcomes": spread(output.outcomes, by_finding),
        "convention_opportunities": spread(output.opportunities, by_turn),
        "chances": spread(chance_rows(output, model), by_turn),
    }
