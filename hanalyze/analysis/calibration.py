"""Calibration: chances compared with outcomes, of card counting and of the models of chances.

Where the model was fitted on games of the database, each card has the chance of a fit on other games. A
sample of the games selects the model; all others are added in batches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.analysis.columns import QUESTIONS, schema, select_columns
from hanalyze.chances.hand_features import concatenate, read_hand_cards
from hanalyze.chances.logistic import log_losses
from hanalyze.chances.model import (
    ACT_TARGETS,
    TENTHS,
    Fit,
    HandCards,
    chances_of,
    load_model,
    tenth,
    uncertain,
)
from hanalyze.chances.model_choice import Choice, choose
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.batches import stored_batches
from hanalyze.tables.chances import ACTS, PLACES, TARGETS

Reals = NDArray[np.float64]

LAYERS: Final = ("cards", "state", "act")
"""Sources of chances: card counting, the state model, the act layer."""

_LINES: Final = (
    "cards",
    "games",
    "came",
    "free",
    *(f"said_{name}" for name in LAYERS),
    *(f"loss_{name}" for name in LAYERS),
    "rest_rest",
    "rest_count",
    "count_count",
)
"""Sums. `free`: the variances of independent cards with such chances. The last three: sums over games of
products of outcomes less chances in the game, and of its number of cards."""
_ALL: Final = TENTHS
"""The index of all cards, after the tenths."""


class CalibrationSums:
    """Sums over cards of one question.

    >>> sums = CalibrationSums()
    >>> said = {"cards": np.array([0.5, 0.5]), "state": np.array([0.2, 0.8])}
    >>> sums.add(said, np.array([0, 1]), np.arange(2))
    >>> [(line["tenth"], line["cards"], line["was"], round(line["said_state"], 3)) for line in sums.lines()]
    [(None, 2, 0.5, 0.5), (2, 1, 0.0, 0.2), (8, 1, 1.0, 0.8)]
    """

    def __init__(self) -> None:
        self._sums: dict[str, Reals] = {name: np.zeros(TENTHS + 1) for name in _LINES}
        self._said: set[str] = set()

    def add(self, said: Mapping[str, NDArray[Any]], came: NDArray[Any], game: NDArray[np.int64]) -> None:
        """Add the cards of whole games: their chances by some of `LAYERS`, outcomes, and games.

        The last of the chances decides the tenth of a card.
        """
        if not len(came):
            return
        self._said |= set(said)
        came = np.asarray(came, np.float64)
        last = np.asarray(said[_last(said)], np.float64)
        own = tenth(last)
        _, index = np.unique(game, return_inverse=True)
        for cell in (own, np.full(len(came), _ALL)):
            self._add("cards", cell)
            self._add("came", cell, came)
            self._add("free", cell, last * (1.0 - last))
            for name, chances in said.items():
                self._add(f"said_{name}", cell, chances)
                self._add(f"loss_{name}", cell, log_losses(chances, came))
            self._add_games(cell, index, came - last)

    def _add(self, line: str, cell: NDArray[np.int64], values: NDArray[Any] | None = None) -> None:
        self._sums[line] += np.bincount(cell, values, TENTHS + 1)

    def _add_games(self, cell: NDArray[np.int64], game: NDArray[np.int64], rest: Reals) -> None:
        """Add the sums of each game in each tenth."""
        keys, place = np.unique(game * (TENTHS + 1) + cell, return_inverse=True)
        total, count = np.bincount(place, rest), np.bincount(place).astype(np.float64)
        there = keys % (TENTHS + 1)
        self._add("games", there)
        self._add("rest_rest", there, total * total)
        self._add("rest_count", there, total * count)
        self._add("count_count", there, count * count)

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the line of all cards, with `tenth` None, then of each tenth that has any."""
        last = _last(self._said)
        for cell in (_ALL, *range(TENTHS)):
            sums = {name: float(values[cell]) for name, values in self._sums.items()}
            if sums["cards"]:
                yield {
                    "tenth": None if cell == _ALL else cell,
                    "cards": int(sums["cards"]),
                    "games": int(sums["games"]),
                    "was": sums["came"] / sums["cards"],
                    "standard_error": _standard_error(sums, sums[f"said_{last}"]),
                    **{
                        f"{what}_{name}": sums[f"{what}_{name}"] / sums["cards"]
                        if name in self._said
                        else None
                        for what in ("said", "loss")
                        for name in LAYERS
                    },
                }


def _last(said: Collection[str]) -> str:
    """Return the last of some layers; "" for none."""
    return max(said, key=LAYERS.index, default="")


def _standard_error(sums: Mapping[str, float], said: float) -> float:
    """Return the standard error of the share of outcomes; `said` is the sum of the chances.

    It is that over games, and at least that of independent cards with such chances, so that a tenth without
    any outcome has one, too.
    """
    cards, games = sums["cards"], sums["games"]
    free = float(np.sqrt(sums["free"])) / cards
    if games < 2:
        return free
    mean = (sums["came"] - said) / cards
    squares = sums["rest_rest"] - 2.0 * mean * sums["rest_count"] + mean * mean * sums["count_count"]
    return max(free, float(np.sqrt(max(squares, 0.0) * games / (games - 1))) / cards)


CALIBRATION_BY: Final = ("player", "players", "variant", "edition")
"""The names of the groupings; `player` is who holds the card."""
MOST_GAMES: Final = 2_000
"""Default for the number of games in the sample."""
_MOST_FITTED: Final = 2_000
"""Games at most by which a model is selected, and refitted if that pays."""
ENOUGH_CARDS: Final = 200
"""Cards that a tenth needs for a point in a figure."""

_BATCH: Final = 1_000

_PLACED: Final = {"chop": ("chop",), "unclued": ("unclued",), "clued": ("clued",)}
_ACTS: Final = {
    "discarded_chop": ("discard", ("chop",)),
    "discarded_unclued": ("discard", ("unclued",)),
    "discarded_clued": ("discard", ("clued",)),
    "played_unclued": ("play", ("chop", "unclued")),
    "played_clued": ("play", ("clued",)),
}


class _Question(NamedTuple):
    """A kind of cards and an outcome; `act` is -1 for all cards in hands."""

    name: str
    act: int
    places: tuple[int, ...]
    target: int
    acts: int
    """The number among `ACT_TARGETS`, -1 for all cards in hands."""


def _questions() -> Iterator[_Question]:
    for name in QUESTIONS:
        who, _, target = name.rpartition("_")
        number = TARGETS.index(target)
        if who in _PLACED:
            yield _Question(name, -1, tuple(map(PLACES.index, _PLACED[who])), number, -1)
        else:
            act, places = _ACTS[who]
            acts = ACT_TARGETS.index((act, target))
            yield _Question(name, ACTS.index(act), tuple(map(PLACES.index, places)), number, acts)


def calibration(db: Database, by: str | None = None, *, most: int | None = MOST_GAMES) -> pl.DataFrame:
    """Return how often predicted chances came true, a row for each question and tenth of the chance.

    The cards are those in the hand to move, before the action, whose odds by card counting are neither 0 nor
    1. Where the games were read for conventions, messages are used, and games of variants without defined
    conventions are left out. The model is selected by at most 2,000 of the games (`hanalyze.chances.choose`).
    Of more than `most` games a sample is used; None takes all. `by` is one of `CALIBRATION_BY`, or None.

    Columns: that of the group, and those of `FRAMES`; a row with `tenth` null is about all cards of its
    question. Standard errors allow for dependence within a game. Raises `UnknownName`, and `HanalyzeError`
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
    """Return the frame of `calibration`, of the games with these keys."""
    if most is not None:
        if most < 1:
            raise HanalyzeError(
                f"at most {most} games", rule="bad_number", advice="use at least 1, or None for all"
            )
        ids = _sample(ids, most)
    levels = db.sql("SELECT DISTINCT level FROM convention_games")["level"].to_list()
    level = levels[0] if levels else HIGHEST_LEVEL
    groups = [] if by is None else [by]
    first = _sample(ids, _MOST_FITTED)
    sample = [piece for piece in _pieces(db, first, level, bool(levels)) if len(piece[0].game)]
    if not sample:
        return pl.DataFrame(schema=schema("calibration", groups))
    rows = concatenate([_numbered(piece, first, keys) for piece, keys in sample])
    choice = choose(rows, "conventions" if levels else "context")
    sums: dict[Any, dict[str, CalibrationSums]] = {}
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


def _sample(ids: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return the keys of a fixed random sample of at most `most` games."""
    return ids if len(ids) <= most else np.sort(np.random.default_rng(0).choice(ids, most, replace=False))


def _numbered(piece: HandCards, ids: NDArray[np.int64], keys: NDArray[np.int64]) -> HandCards:
    """Return the rows of a piece with its games numbered by their places among `ids`."""
    return piece._replace(game=np.searchsorted(ids, keys)[piece.game])


def _corpus(choice: Choice, rows: HandCards) -> str:
    """Return the corpus of the fit in words."""
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
    sums: dict[Any, dict[str, CalibrationSums]],
    groups: Iterator[tuple[Any, NDArray[Any]]],
    rows: HandCards,
    state: NDArray[Any],
    act: NDArray[Any],
) -> None:
    """Add cards to the sums of their groups, question by question."""
    columns = rows.columns
    for label, chosen in groups:
        own = sums.setdefault(label, {question.name: CalibrationSums() for question in _questions()})
        for question in _questions():
            target = TARGETS[question.target]
            there = np.isin(columns["place"][chosen], question.places)
            there &= uncertain(columns[f"p_{target}"][chosen])
            if question.act >= 0:
                there &= columns["act"][chosen] == question.act
            index = chosen[there]
            chances = [columns[f"p_{target}"][index], state[index, question.target]]
            chances += [act[index, question.acts]] if question.acts >= 0 else []
            said = dict(zip(LAYERS, chances, strict=False))
            own[question.name].add(said, columns[target][index], rows.game[index])


def _lines(question: _Question, sums: dict[str, CalibrationSums], fit: Fit) -> Iterator[dict[str, Any]]:
    """Yield the lines of a question: of all its cards, then of each tenth that has any."""
    places = list(question.places)
    if question.acts >= 0:
        fitted = fit.act_rows[question.acts, places].sum(axis=0)
    else:
        fitted = fit.state_rows[places, question.target].sum(axis=0)
    for line in sums[question.name].lines():
        count = fitted.sum() if line["tenth"] is None else fitted[line["tenth"]]
        yield {"question": question.name, **line, "fitted": int(count)}
