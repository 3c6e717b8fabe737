"""From games that were read for conventions to their rows in the database.

In: the reader's `Output`, with the rows of cards. Out: arrays by column, for each of
`CONVENTION_TABLES`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hanalyze.chances.model import Model
from hanalyze.conventions.run import Output
from hanalyze.engine.game import Ints
from hanalyze.store.chances import chance_rows, features_of
from hanalyze.store.rows import Arrays, spread, texts
from hanalyze.tables.conventions import CONVENTIONS_VERSION

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
