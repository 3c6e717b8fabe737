"""Build the rows of the convention tables and of `chances` from the output of the convention reader."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hanalyze.chances.model import ACT_TARGETS, Model, hand_cards_of, model_chances
from hanalyze.conventions.run import Output
from hanalyze.engine.game import Ints
from hanalyze.store.rows import Arrays, arrays_of, spread
from hanalyze.tables.chances import SLOTS, TARGETS
from hanalyze.tables.conventions import CONVENTIONS_VERSION

_PLAYABLE: Final = ACT_TARGETS.index(("play", "playable"))
_CRITICAL: Final = ACT_TARGETS.index(("discard", "critical"))


def features_of(output: Output) -> list[str | None]:
    """Return the feature set of each game's chances, `conventions` or `context`; None without turns."""
    counts = output.games["hand_cards"]
    explained = output.hand_cards["explained"]
    return [
        ("conventions" if explained[end - 1] else "context") if count else None
        for count, end in zip(counts.tolist(), np.cumsum(counts).tolist(), strict=True)
    ]


def _rounded(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round chances to three decimals, to save space; uncertain chances never become 0 or 1."""
    free = (chances > 0.0) & (chances < 1.0)
    return np.where(free, np.clip(np.round(chances, 3), 0.001, 0.999), chances)


def chance_rows(output: Output, model: Model) -> Arrays:
    """Return the rows of `chances` without keys, one per action; `output` must be read with `cards=True`."""
    rows = hand_cards_of(output)
    state, act = model_chances(rows, model)
    turns = output.games["turns"]
    row = (np.cumsum(turns) - turns)[rows.game] + rows.columns["turn"]
    slot = rows.columns["slot"] - 1
    arrays: Arrays = {"turn": output.opportunities["turn"]}
    for number, target in enumerate(TARGETS):
        wide = np.full((len(arrays["turn"]), SLOTS), np.nan, np.float32)
        wide[row, slot] = _rounded(state[:, number])
        arrays[target] = wide
    # The chance that a play fails, or that a discarded card is critical: either loses `stake` points.
    lost = np.where(np.isnan(act[:, _PLAYABLE]), act[:, _CRITICAL], 1.0 - act[:, _PLAYABLE])
    acts = {f"act_{target}": act[:, number] for number, (_, target) in enumerate(ACT_TARGETS)}
    for name, chances in {**acts, "act_points": lost * rows.columns["stake"]}.items():
        chosen = np.flatnonzero(~np.isnan(chances))
        arrays[name] = np.full(len(arrays["turn"]), np.nan, np.float32)
        arrays[name][row[chosen]] = chances[chosen]
    return arrays


def convention_rows(keys: Ints, output: Output, level: int, model: Model) -> dict[str, Arrays]:
    """Return the rows of the games `keys` by table; `output` was read up to `level`, with `cards=True`."""
    by_finding = np.repeat(keys, output.games["findings"])
    by_turn = np.repeat(keys, output.games["turns"])
    version, features = CONVENTIONS_VERSION, features_of(output)
    games = [(key, level, version, model.name, one) for key, one in zip(keys, features, strict=True)]
    return {
        "convention_games": arrays_of("convention_games", games),
        "conventions": spread(output.findings, by_finding),
        "convention_outcomes": spread(output.outcomes, by_finding),
        "convention_opportunities": spread(output.opportunities, by_turn),
        "chances": spread(chance_rows(output, model), by_turn),
    }
