"""Calibration: predicted chances of card counting and of the chance models, compared with outcomes.

If the model was fitted on games of the database, each card's chance comes from a fit on other games. A sample
of the games selects the model; the other games are then predicted in batches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hanalyze.analysis.columns import QUESTIONS, schema, select_columns
from hanalyze.analysis.grouping import BY_GAME, GAMES, Groups, by_name
from hanalyze.chances.logistic import log_losses
from hanalyze.chances.model import (
    ACT_TARGETS,
    Fit,
    HandCards,
    chances_of,
    read_hand_cards,
    tenth,
    uncertain,
)
from hanalyze.chances.model_choice import choose, corpus_of
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.errors import HanalyzeError
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.batches import stored_batches
from hanalyze.tables.chances import ACTS, PLACES, TARGETS

CALIBRATION_BY: Final = ("player", *BY_GAME)
"""The names of the groupings; `player` is the holder of the card."""
MOST_GAMES: Final = 2_000
"""Default maximum number of games in the sample."""
_MOST_FITTED: Final = 2_000
"""Maximum number of games used to select and refit a model."""
_BATCH: Final = 1_000

_CARDS: Final = {
    "chop": ("", ("chop",)),
    "unclued": ("", ("unclued",)),
    "clued": ("", ("clued",)),
    "discarded_chop": ("discard", ("chop",)),
    "discarded_unclued": ("discard", ("unclued",)),
    "discarded_clued": ("discard", ("clued",)),
    "played_unclued": ("play", ("chop", "unclued")),
    "played_clued": ("play", ("clued",)),
}
"""For each class of cards in `QUESTIONS`: the action on the card ("" for any), and its places in the hand."""
_MEANS: Final = (
    "was",
    *(f"{what}_{layer}" for what in ("said", "loss") for layer in ("cards", "state", "act")),
)
"""Columns that are means over cards: outcomes, then chances and log losses of each layer."""


def calibration(db: Database, by: Groups = None, *, most: int | None = MOST_GAMES) -> pl.DataFrame:
    """Return predicted chances and outcome rates, a row for each question and tenth of the chance.

    A further row per question, with a null tenth, counts all its cards. The cards are those of the player to
    move, before the action, whose card-counting odds are neither 0 nor 1. If games were read for conventions,
    the model uses the inferences from messages, and games of variants without defined conventions are left
    out. At most 2,000 games select the model (`hanalyze.chances.model_choice.choose`). If there are more than
    `most` games, a sample is used; None uses all games.

    `by` is one of `CALIBRATION_BY`, or None. The columns are that of the group and those of `FRAMES`. Raises
    `UnknownName` for another `by`, and `HanalyzeError` (rule `bad_number`) for `most` below 1.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     row = calibration(db).row(0, named=True)
    >>> row["question"], row["method"], row["tenth"], row["games"]
    ('chop_critical', 'shipped', None, 6)
    """
    chosen = by_name(by, GAMES, CALIBRATION_BY).name
    ids = db.sql("SELECT game_id FROM games ORDER BY game_id")["game_id"].to_numpy()
    return calibration_of(db, ids, chosen, most=most)


def calibration_of(
    db: Database, ids: NDArray[np.int64], by: str | None = None, *, most: int | None = MOST_GAMES
) -> pl.DataFrame:
    """Return `calibration` of the games with these keys. Raises `HanalyzeError` (rule `bad_number`)."""
    if most is not None:
        if most < 1:
            advice = "use at least 1, or None for all"
            raise HanalyzeError(f"a sample of {most} games", rule="bad_number", advice=advice)
        ids = _sample(ids, most)
    levels = db.sql("SELECT DISTINCT level FROM convention_games")["level"].to_list()
    level = levels[0] if levels else HIGHEST_LEVEL
    groups = [] if by is None else [by]
    first = _sample(ids, _MOST_FITTED)
    sample = [piece for piece in _pieces(db, first, level, bool(levels)) if len(piece[0].game)]
    if not sample:
        return pl.DataFrame(schema=schema("calibration", groups))
    rows = _joined(sample, first)
    choice = choose(rows, "conventions" if levels else "context")
    labels = db.seats()
    if by != "player":
        games = GAMES[by]
        labels = db.sql(f"SELECT {games.selected}d.game_id FROM games d{games.joins}")
    sums = [_sums(_judged_cards(rows, choice.state, choice.act, first), labels, by)]
    for piece, keys in _pieces(db, np.setdiff1d(ids, first), level, bool(levels)):
        sums.append(_sums(_judged_cards(piece, *chances_of(piece, choice.fit), keys), labels, by))
    frame = _means(pl.concat(sums), groups).join(
        _fitted(choice.fit), on=["question", "tenth"], nulls_equal=True, maintain_order="left"
    )
    frame = frame.with_columns(
        pl.lit(choice.model).alias("model"),
        pl.lit(choice.method).alias("method"),
        pl.lit(corpus_of(choice.method, choice.model, len(np.unique(rows.game)))).alias("corpus"),
        pl.lit("conventions" if levels else "context").alias("features"),
    )
    return select_columns(frame, "calibration", groups)


def _sample(ids: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    return ids if len(ids) <= most else np.sort(np.random.default_rng(0).choice(ids, most, replace=False))


def _joined(pieces: Sequence[tuple[HandCards, NDArray[np.int64]]], ids: NDArray[np.int64]) -> HandCards:
    """Return the rows of several pieces as one; `game` becomes the position of the game's key in `ids`."""
    first, _ = pieces[0]
    columns = {name: np.concatenate([rows.columns[name] for rows, _ in pieces]) for name in first.columns}
    games = [np.searchsorted(ids, keys)[rows.game] for rows, keys in pieces]
    return HandCards(columns, np.concatenate(games))


def _pieces(
    db: Database, ids: NDArray[np.int64], level: int, explained: bool
) -> Iterator[tuple[HandCards, NDArray[np.int64]]]:
    """Yield cards in hand and game keys in batches; `explained` leaves out variants without conventions."""
    for keys, batch in stored_batches(db.connection, np.sort(ids), _BATCH):
        rows = read_hand_cards(batch, level=level)
        mask = rows.columns["explained"]
        yield rows if not explained or mask.all() else rows.where(np.flatnonzero(mask)), keys


def _question(name: str) -> tuple[str, str, list[int]]:
    """Return the target of a question, the action of its cards ("" for any), and indices of `PLACES`."""
    cards, _, target = name.rpartition("_")
    action, places = _CARDS[cards]
    return target, action, [PLACES.index(place) for place in places]


def _judged_cards(
    rows: HandCards, state: NDArray[Any], act: NDArray[Any], keys: NDArray[np.int64]
) -> pl.DataFrame:
    """Return the cards of each question with outcomes, and chances and log losses by layer.

    The last layer's chance decides the tenth. `residual` is the outcome less this chance, and `free` the
    variance of the outcome of an independent card with this chance.
    """
    columns = rows.columns
    parts = []
    for question in QUESTIONS:
        target, action, places = _question(question)
        is_in_question = np.isin(columns["place"], places) & uncertain(columns[f"p_{target}"])
        if action:
            is_in_question &= columns["act"] == ACTS.index(action)
        index = np.flatnonzero(is_in_question)
        chances = {"cards": columns[f"p_{target}"][index], "state": state[index, TARGETS.index(target)]}
        if action:
            chances["act"] = act[index, ACT_TARGETS.index((action, target))]
        outcomes, last = columns[target][index].astype(np.float64), [*chances.values()][-1]
        values = {"game_id": keys[rows.game[index]], "seat": columns["seat"][index], "tenth": tenth(last)}
        values |= {"was": outcomes, "residual": outcomes - last, "free": last * (1.0 - last)}
        values |= {f"said_{layer}": chance for layer, chance in chances.items()}
        values |= {f"loss_{layer}": log_losses(chance, outcomes) for layer, chance in chances.items()}
        parts.append(pl.DataFrame(values).with_columns(question=pl.lit(question, pl.Enum(QUESTIONS))))
    return pl.concat(parts, how="diagonal")


def _sums(cards: pl.DataFrame, labels: pl.DataFrame, by: str | None) -> pl.DataFrame:
    """Return sums over the cards of whole games by group, question and tenth; a null tenth means all cards.

    `squares`, `products` and `card_squares` are sums over games: residual², residual * cards, cards².
    """
    keys = ["question", "tenth"]
    if by is not None:
        on = ["game_id", "seat"] if by == "player" else ["game_id"]
        cards = cards.join(labels.select(*on, by), on=on)
        keys.insert(0, by)
    cards = pl.concat([cards, cards.with_columns(pl.lit(None, pl.Int64).alias("tenth"))])
    games = cards.group_by(*keys, "game_id").agg(*map(_sum, (*_MEANS, "residual", "free")), cards=pl.len())
    cards_of, residual = pl.col("cards").cast(pl.Float64), pl.col("residual")
    return games.group_by(keys).agg(
        pl.len().alias("games"),
        (residual * residual).sum().alias("squares"),
        (residual * cards_of).sum().alias("products"),
        (cards_of * cards_of).sum().alias("card_squares"),
        *map(_sum, (*_MEANS, "residual", "free", "cards")),
    )


def _sum(name: str) -> pl.Expr:
    """Return the sum of a column, null if all its values are null."""
    return pl.when(pl.col(name).count() > 0).then(pl.col(name).sum()).alias(name)


def _means(sums: pl.DataFrame, groups: list[str]) -> pl.DataFrame:
    """Return the means over cards from sums of several pieces, with the standard error of the outcomes.

    The standard error is clustered by game, and at least that of independent cards with these chances: equal
    outcomes of all cards in a tenth do not make it 0.
    """
    keys = [*groups, "question", "tenth"]
    sums = sums.group_by(keys).agg(_sum(name) for name in sums.columns if name not in keys).sort(keys)
    cards, games, mean = pl.col("cards"), pl.col("games"), pl.col("residual") / pl.col("cards")
    spread = pl.col("squares") - 2.0 * mean * pl.col("products") + mean * mean * pl.col("card_squares")
    clustered = (spread.clip(0.0) * games / (games - 1)).sqrt() / cards
    free = pl.col("free").sqrt() / cards
    return sums.with_columns(
        (pl.col(name) / cards for name in _MEANS),
        standard_error=pl.when(games > 1).then(pl.max_horizontal(free, clustered)).otherwise(free),
    )


def _fitted(fit: Fit) -> pl.DataFrame:
    """Return the number of cards that the model was fitted on, by question and tenth (null: all tenths)."""
    rows: list[tuple[str, int | None, int]] = []
    for question in QUESTIONS:
        target, action, places = _question(question)
        if action:
            counts = fit.act_rows[ACT_TARGETS.index((action, target)), places].sum(axis=0)
        else:
            counts = fit.state_rows[places, TARGETS.index(target)].sum(axis=0)
        rows += [(question, tenth, int(count)) for tenth, count in enumerate(counts)]
        rows.append((question, None, int(counts.sum())))
    kinds = [("question", pl.Enum(QUESTIONS)), ("tenth", pl.Int64()), ("fitted", pl.Int64())]
    return pl.DataFrame(rows, kinds, orient="row")
