"""Chances held against what came: those of the cards alone, and those of the models of chances.

In: a database. Out: a frame, a row for each question and each tenth of the chance that was said. Where the
model was fitted on games of the database, each card is judged by a fit on other games. A sample of the games
decides which model serves; all others are judged by it, some at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.analysis.calibration_sums import LAYERS, Sums
from hanalyze.analysis.columns import QUESTIONS, schema, select_columns
from hanalyze.chances.hand_features import concatenate, read_hand_cards
from hanalyze.chances.model import ACT_TARGETS, Fit, HandCards, chances_of, load_model, uncertain
from hanalyze.chances.model_choice import Choice, choose
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.batches import stored_batches
from hanalyze.tables.chances import ACTS, PLACES, TARGETS

CALIBRATION_BY: Final = ("player", "players", "variant", "edition")
"""The names of the groupings; `player` is who holds the card."""
MOST_GAMES: Final = 2_000
"""Games that are judged at most, drawn from all, where no other number is asked for."""
_FITTED: Final = 2_000
"""Games at most by which a model is chosen, and fitted anew if that pays."""
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
    for name in QUESTIONS:
        who, _, target = name.rpartition("_")
        number = TARGETS.index(target)
        if who in _PLACED:
            yield _Question(name, -1, tuple(map(PLACES.index, _PLACED[who])), number, -1)
        else:
            act, places = _ACTED[who]
            acted = ACT_TARGETS.index((act, target))
            yield _Question(name, ACTS.index(act), tuple(map(PLACES.index, places)), number, acted)


def calibration(db: Database, by: str | None = None, *, most: int | None = MOST_GAMES) -> pl.DataFrame:
    """Return how often what chances said came true, a row for each question and tenth of the chance said.

    The cards are those in the hand to move, before the action, whose odds by the cards alone are neither 0
    nor 1. Where the games were read for conventions, what messages say is used, and games of variants
    in which conventions are not defined are left out. Which model serves is chosen by the games
    (`hanalyze.chances.choose`), by at most 2,000 of them. Of more than `most` games a sample is judged, with
    None all are. `by` is one of `CALIBRATION_BY`, or None.

    Columns: that of the group, and those of `FRAMES`; a row with `tenth` null is about all cards of its
    question. Standard errors take cards of one game for dependent. Raises `UnknownName`, and `HanalyzeError`
    (rule `bad_number`) for fewer than one game.

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
    db: Database, ids: NDArray[np.int64], by: str | None = None, *, most: int | None = MOST_GAMES
) -> pl.DataFrame:
    """Return what `calibration` does, of the games with these keys."""
    if most is not None:
        if most < 1:
            raise HanalyzeError(
                f"at most {most} games", rule="bad_number", advice="use at least 1, or None for all"
            )
        ids = _drawn(ids, most)
    levels = db.sql("SELECT DISTINCT level FROM convention_games")["level"].to_list()
    level = levels[0] if levels else HIGHEST_LEVEL
    groups = [] if by is None else [by]
    first = _drawn(ids, _FITTED)
    sample = [piece for piece in _pieces(db, first, level, bool(levels)) if len(piece[0].game)]
    if not sample:
        return pl.DataFrame(schema=schema("calibration", groups))
    rows = concatenate([_numbered(piece, first, keys) for piece, keys in sample])
    choice = choose(rows, "conventions" if levels else "context")
    sums: dict[Any, dict[str, Sums]] = {}
    _add(sums, _groups(db, rows, first, by), rows, choice.state, choice.act)
    for piece, keys in _pieces(db, np.setdiff1d(ids, first), level, bool(levels)):
        state, act = chances_of(piece, choice.fit)
        _add(sums, _groups(db, piece, keys, by), piece, state, act)
    frames = []
    for label in sorted(sums):
        lines = [line for question in _questions() for line in _lines(question, sums[label], choice.fit)]
        frame = pl.DataFrame(lines, orient="row", infer_schema_length=None)
        said = {"model": choice.model, "method": choice.method, "corpus": _corpus(choice, rows)}
        frames.append(
            frame.with_columns(
                *(pl.lit(value).alias(name) for name, value in said.items()),
                pl.lit("conventions" if levels else "context").alias("features"),
                *([] if by is None else [pl.lit(label).alias(by)]),
            )
        )
    return select_columns(pl.concat(frames), "calibration", groups)


def _drawn(ids: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return the keys of at most so many games, drawn at random from some; the same ones every time."""
    return ids if len(ids) <= most else np.sort(np.random.default_rng(0).choice(ids, most, replace=False))


def _numbered(piece: HandCards, ids: NDArray[np.int64], keys: NDArray[np.int64]) -> HandCards:
    """Return the rows of a piece with its games numbered by their places among `ids`."""
    return piece._replace(game=np.searchsorted(ids, keys)[piece.game])


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


def _pieces(
    db: Database, ids: NDArray[np.int64], level: int, explained: bool
) -> Iterator[tuple[HandCards, NDArray[np.int64]]]:
    """Yield the cards in hands of some games, and the games' keys by the numbers in the rows.

    With `explained` only those of variants in which conventions are defined.
    """
    for keys, batch in stored_batches(db.connection, np.sort(ids), _BATCH):
        rows = read_hand_cards(batch, level=level)
        kept = rows.columns["explained"]
        yield rows if not explained or kept.all() else rows.where(np.flatnonzero(kept)), keys


def _groups(
    db: Database, rows: HandCards, keys: NDArray[np.int64], by: str | None
) -> Iterator[tuple[Any, NDArray[Any]]]:
    """Yield the label of each group and the rows that are its own."""
    if by is None:
        yield None, np.arange(len(rows.game))
        return
    cards = pl.DataFrame({"game_id": keys[rows.game], "seat": rows.columns["seat"]}).with_row_index("_row")
    if by == "player":
        labels = cards.join(db.seats(), on=["game_id", "seat"], maintain_order="left")
    else:
        labels = cards.join(db.games().select("game_id", by), on="game_id", maintain_order="left")
    for (label,), group in labels.group_by(by):
        yield label, group["_row"].sort().to_numpy()


def _add(
    sums: dict[Any, dict[str, Sums]],
    groups: Iterator[tuple[Any, NDArray[Any]]],
    rows: HandCards,
    state: NDArray[Any],
    act: NDArray[Any],
) -> None:
    """Add cards to the sums of their groups, question by question."""
    columns = rows.columns
    for label, chosen in groups:
        own = sums.setdefault(label, {question.name: Sums() for question in _questions()})
        for question in _questions():
            target = TARGETS[question.target]
            asked = np.isin(columns["place"][chosen], question.places)
            asked &= uncertain(columns[f"p_{target}"][chosen])
            if question.act >= 0:
                asked &= columns["act"][chosen] == question.act
            index = chosen[asked]
            chances = [columns[f"p_{target}"][index], state[index, question.target]]
            chances += [act[index, question.acted]] if question.acted >= 0 else []
            said = dict(zip(LAYERS, chances, strict=False))
            own[question.name].add(said, columns[target][index], rows.game[index])


def _lines(question: _Question, sums: dict[str, Sums], fit: Fit) -> Iterator[dict[str, Any]]:
    """Yield the lines of a question: of all its cards, then of each tenth that has any."""
    places = list(question.places)
    if question.acted >= 0:
        fitted = fit.act_rows[question.acted, places].sum(axis=0)
    else:
        fitted = fit.state_rows[places, question.target].sum(axis=0)
    for line in sums[question.name].lines():
        count = fitted.sum() if line["tenth"] is None else fitted[line["tenth"]]
        yield {"question": question.name, **line, "fitted": int(count)}
