"""Chances held against what came: those of the cards alone, and those of the models of chances.

In: a database. Out: a frame, a row for each question and each tenth of the chance that was said. Where the
model was fitted on games of the database, each card is judged by a fit on other games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.analysis.columns import finished, schema
from hanalyze.analysis.frame_values import CALIBRATED
from hanalyze.chances.choosing import Choice, choose
from hanalyze.chances.logistic import log_losses
from hanalyze.chances.model import ACT_TARGETS, Fit, HandCards, load_model, tenth, uncertain
from hanalyze.chances.reading import joined, read_hand_cards
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.errors import UnknownName
from hanalyze.store import Database
from hanalyze.store.batches import stored_batches
from hanalyze.tables.chances import ACTS, PLACES, TARGETS

if TYPE_CHECKING:
    import polars as pl

__all__ = ["CALIBRATION_BY", "ENOUGH_CARDS", "MOST_GAMES", "calibration", "calibration_of"]

CALIBRATION_BY: Final = ("player", "players", "variant", "edition")
"""The names of the groupings; `player` is who holds the card."""
MOST_GAMES: Final = 2_000
"""Games that are judged at most, drawn from all: more would not make the numbers better."""
ENOUGH_CARDS: Final = 200
"""Cards from which on a tenth is worth a point in a figure."""

_BATCH: Final = 1_000

_PLACED: Final = {"chop": ("chop",), "unclued": ("unclued",), "clued": ("clued",)}
_ACTED: Final = {
    "discarded_chop": ("discard", ("chop",)),
    "discarded_unclued": ("discard", ("unclued",)),
    "discarded_clued": ("discard", ("clued",)),
    "played_unclued": ("play", ("chop", "unclued")),
    "played_clued": ("play", ("clued",)),
}


class _Question(NamedTuple):
    """Which cards are asked about, and what came of them; `act` is -1 for all cards in hands."""

    name: str
    act: int
    places: tuple[int, ...]
    target: int
    acted: int
    """The number among `ACT_TARGETS`, -1 for all cards in hands."""


def _questions() -> Iterator[_Question]:
    for name in CALIBRATED:
        who, _, target = name.rpartition("_")
        number = TARGETS.index(target)
        if who in _PLACED:
            yield _Question(name, -1, tuple(map(PLACES.index, _PLACED[who])), number, -1)
        else:
            act, places = _ACTED[who]
            acted = ACT_TARGETS.index((act, target))
            yield _Question(name, ACTS.index(act), tuple(map(PLACES.index, places)), number, acted)


def calibration(db: Database, by: str | None = None, *, most: int = MOST_GAMES) -> pl.DataFrame:
    """Return how often what chances said came true, a row for each question and tenth of the chance said.

    The cards are those in the hand to move, before the action, whose odds by the cards alone are neither 0
    nor 1. Where the games were read for conventions, what messages say is used, and games of variants
    in which conventions are not defined are left out. Which model serves is chosen by the games
    (`hanalyze.chances.choose`). Of more than `most` games a sample is judged. `by` is one of
    `CALIBRATION_BY`, or None.

    Columns: that of the group, and those of `FRAMES`; a row with `tenth` null is about all cards of its
    question. Standard errors take cards of one game for dependent. Raises `UnknownName`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     row = calibration(db).row(0, named=True)
    >>> row["question"], row["method"], row["tenth"], row["games"]
    ('chop_critical', 'shipped', None, 6)
    """
    if by is not None and by not in CALIBRATION_BY:
        raise UnknownName("grouping", by, (), advice="one of: " + ", ".join(CALIBRATION_BY))
    ids = db.sql("SELECT game_id FROM games ORDER BY game_id")["game_id"].to_numpy()
    return calibration_of(db, ids, by, most=most)


def calibration_of(
    db: Database, ids: NDArray[np.int64], by: str | None = None, *, most: int = MOST_GAMES
) -> pl.DataFrame:
    """Return what `calibration` does, of the games with these keys."""
    import polars as pl

    if len(ids) > most:
        ids = np.sort(np.random.default_rng(0).choice(ids, most, replace=False))
    levels = db.sql("SELECT DISTINCT level FROM convention_games")["level"].to_list()
    rows, kept = _rows(db, ids, levels[0] if levels else HIGHEST_LEVEL)
    if levels:
        explained = np.flatnonzero(rows.columns["explained"])
        rows = rows if len(explained) == len(rows.game) else rows.where(explained)
    groups = [] if by is None else [by]
    if not len(rows.game):
        return pl.DataFrame(schema=schema("calibration", groups))
    choice = choose(rows, "conventions" if levels else "context")
    frames = []
    for label, chosen in _groups(db, rows, kept, by):
        part = rows.where(chosen)
        lines = [
            line
            for question in _questions()
            for line in _lines(question, part, choice.state[chosen], choice.act[chosen], choice.fit)
        ]
        frame = pl.DataFrame(lines, orient="row", infer_schema_length=None)
        said = {"model": choice.model, "method": choice.method, "corpus": _corpus(choice, rows)}
        frames.append(
            frame.with_columns(
                *(pl.lit(value).alias(name) for name, value in said.items()),
                pl.lit("conventions" if levels else "context").alias("features"),
                *([] if by is None else [pl.lit(label).alias(by)]),
            )
        )
    return finished(pl.concat(frames), "calibration", groups)


def _corpus(choice: Choice, rows: HandCards) -> str:
    """Return in words whose games the numbers were fitted on."""
    base = load_model(choice.model)
    shipped = f"{base.games:,} {base.corpus}"
    own = f"{len(np.unique(rows.game)):,} of these games, each judged by the others"
    return {
        "shipped": shipped,
        "adjusted": f"{shipped}; adjusted to {own}",
        "refitted": f"{own}, drawn towards {shipped}",
    }[choice.method]


def _rows(db: Database, ids: NDArray[np.int64], level: int) -> tuple[HandCards, NDArray[np.int64]]:
    """Return the cards in hands of some games, and the games' keys by the numbers in the rows."""
    pieces, keys = [], []
    done = 0
    for some, batch in stored_batches(db.connection, ids, _BATCH):
        piece = read_hand_cards(batch, level=level)
        pieces.append(piece._replace(game=piece.game + done))
        keys.append(some)
        done += len(some)
    return joined(pieces), np.concatenate(keys) if keys else ids


def _groups(
    db: Database, rows: HandCards, keys: NDArray[np.int64], by: str | None
) -> Iterator[tuple[Any, NDArray[Any]]]:
    """Yield the label of each group and the rows that are its own."""
    import polars as pl

    if by is None:
        yield None, np.arange(len(rows.game))
        return
    cards = pl.DataFrame({"game_id": keys[rows.game], "seat": rows.columns["seat"]}).with_row_index("_row")
    if by == "player":
        labels = cards.join(db.seats(), on=["game_id", "seat"], maintain_order="left")
    else:
        labels = cards.join(db.games().select("game_id", by), on="game_id", maintain_order="left")
    for (label,), group in sorted(labels.group_by(by), key=lambda pair: pair[0]):
        yield label, group["_row"].sort().to_numpy()


def _lines(
    question: _Question, rows: HandCards, state: NDArray[Any], act: NDArray[Any], fit: Fit
) -> Iterator[dict[str, Any]]:
    """Yield the lines of a question: of all its cards, then of each tenth that has any."""
    columns = rows.columns
    target = TARGETS[question.target]
    asked = np.isin(columns["place"], question.places) & uncertain(columns[f"p_{target}"])
    if question.act >= 0:
        asked &= columns["act"] == question.act
    index = np.flatnonzero(asked)
    if not len(index):
        return
    came = columns[target][index].astype(np.float64)
    said = {"cards": columns[f"p_{target}"][index], "state": state[index, question.target]}
    if question.acted >= 0:
        said["act"] = act[index, question.acted]
        fitted = fit.act_rows[question.acted, list(question.places)].sum(axis=0)
    else:
        fitted = fit.state_rows[list(question.places), question.target].sum(axis=0)
    last = said["act" if question.acted >= 0 else "state"]
    tenths = tenth(last)
    everything: Sequence[int | None] = [None, *np.unique(tenths).tolist()]
    for one in everything:
        inside = np.arange(len(index)) if one is None else np.flatnonzero(tenths == one)
        yield {
            "question": question.name,
            "tenth": one,
            "cards": len(inside),
            "games": len(np.unique(rows.game[index[inside]])),
            "was": float(came[inside].mean()),
            "standard_error": _standard_error(came[inside], last[inside], rows.game[index[inside]]),
            "fitted": int(fitted.sum() if one is None else fitted[one]),
            **{
                f"said_{name}": float(said[name][inside].mean()) if name in said else None
                for name in ("cards", "state", "act")
            },
            **{
                f"loss_{name}": float(log_losses(said[name][inside], came[inside]).mean())
                if name in said
                else None
                for name in ("cards", "state", "act")
            },
        }


def _standard_error(came: NDArray[Any], said: NDArray[Any], game: NDArray[Any]) -> float:
    """Return the standard error of the share that came, given what was said of each card.

    Whole games vary; it is at least what independent cards would have that come as was said, so that a
    tenth in which nothing came has one, too.
    """
    count = len(came)
    free = float(np.sqrt((said * (1.0 - said)).sum())) / count
    _, index = np.unique(game, return_inverse=True)
    games = int(index.max()) + 1
    if games < 2:
        return free
    rest = came - said
    sums = np.bincount(index, rest - rest.mean(), games)
    return max(free, float(np.sqrt((sums**2).sum() * games / (games - 1))) / count)
