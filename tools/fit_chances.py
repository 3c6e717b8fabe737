"""Refit the shipped models of chances.

    python -m tools.fit_chances conventional
    python -m tools.fit_chances cautious
    python -m tools.fit_chances real LOGS --corpus "source of the games"

A model is fitted on logs, or on simulated games of an agent. It is written to `hanalyze/chances/models/` with
its corpus and date. Refit whenever `CONVENTIONS_VERSION` changes, because the models use conventions.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import hanalyze.chances.model
from hanalyze.agents import simulate
from hanalyze.chances.model import ACT_TARGETS, MODELS, SETS, Fit, HandCards, Model, read_hand_cards
from hanalyze.chances.model_choice import fit
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.logs import GameRecord, read
from hanalyze.tables.chances import PLACES, TARGETS
from hanalyze.tables.conventions import CONVENTIONS_VERSION

_FOLDER: Final = Path(hanalyze.chances.model.__file__).parent / "models"
_SIZES: Final = (2, 3, 4, 5)
"""Team sizes of the simulated games."""
_GAMES: Final = 2_000
"""Simulated games per team size."""


def fit_model(name: str, corpus: str, records: Iterable[GameRecord], date: str) -> Model:
    """Return a model fitted on records, which are read for conventions up to the highest level.

    >>> from hanalyze.agents import simulate
    >>> model = fit_model("ours", "ten games", simulate("cautious", games=10), "2026-01-31")
    >>> model.games, sorted(model.fits), model.fits["context"].state.shape
    (10, ['context', 'conventions'], (3, 3, 15))
    """
    batch = make_batch(deal_records(records))
    rows: HandCards = read_hand_cards(batch)
    fits = {features: fit(rows, features) for features in SETS}
    return Model(name, corpus, len(batch.seats), date, HIGHEST_LEVEL, CONVENTIONS_VERSION, fits)


def model_text(model: Model) -> str:
    """Return a model as JSON text, one line per named value."""
    content = {
        "name": model.name,
        "corpus": model.corpus,
        "games": model.games,
        "date": model.date,
        "level": model.level,
        "conventions_version": model.conventions_version,
        "fits": {name: _fit_values(one) for name, one in model.fits.items()},
    }
    text = json.dumps(content, indent=1)
    return (
        re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda match: "[" + " ".join(match[1].split()) + "]", text) + "\n"
    )


def _fit_values(fit: Fit) -> dict[str, Any]:
    names = SETS[fit.features]
    return {
        "state": {
            place: {
                target: {
                    "coefficients": dict(zip(names, fit.state[p, t].round(4).tolist(), strict=True)),
                    "curve": fit.curve[p, t].round(4).tolist(),
                    "rows_by_tenth": fit.state_rows[p, t].tolist(),
                }
                for t, target in enumerate(TARGETS)
            }
            for p, place in enumerate(PLACES)
        },
        "act": {
            f"{act} {target}": {
                place: {
                    "curve": fit.act[n, p].round(4).tolist(),
                    "rows_by_tenth": fit.act_rows[n, p].tolist(),
                }
                for p, place in enumerate(PLACES)
            }
            for n, (act, target) in enumerate(ACT_TARGETS)
        },
    }


def _agent_games(agent: str) -> list[GameRecord]:
    return [record for size in _SIZES for record in simulate(agent, players=size, games=_GAMES, seed=1)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit one model and write its file."""
    parser = argparse.ArgumentParser(prog="python -m tools.fit_chances", description=__doc__)
    parser.add_argument("name", choices=MODELS)
    parser.add_argument("logs", nargs="*", help="log files, for the model real")
    parser.add_argument("--corpus", help="source of the games, for the model real")
    given = parser.parse_args(arguments)
    if given.name == "real":
        if not given.logs or not given.corpus:
            parser.error("the model real needs logs and --corpus")
        records = [record for path in given.logs for record in read(path)]
        corpus = given.corpus
    else:
        records = _agent_games(given.name)
        corpus = f"games of the agent {given.name}, {_SIZES[0]} to {_SIZES[-1]} players"
    model = fit_model(given.name, corpus, records, datetime.date.today().isoformat())
    (_FOLDER / f"{given.name}.json").write_text(model_text(model), encoding="utf-8")


if __name__ == "__main__":
    main()
