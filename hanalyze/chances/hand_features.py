"""Rows of `HAND_CARDS` for many games."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hanalyze.chances.model import HandCards
from hanalyze.conventions.run import HIGHEST_LEVEL, Output, read_games
from hanalyze.engine.batch import GameBatch
from hanalyze.tables.chances import HAND_CARDS


def hand_cards_of(output: Output, first: int = 0) -> HandCards:
    """Return the rows of an output that was read with `cards`, its games numbered from `first`."""
    counts = output.games["hand_cards"]
    return HandCards(output.hand_cards, np.repeat(np.arange(first, first + len(counts)), counts))


def read_hand_cards(
    batch: GameBatch,
    *,
    level: int = HIGHEST_LEVEL,
    fast: bool | None = None,
    first: int = 0,
    last: int | None = None,
) -> HandCards:
    """Return the rows of the games `first` to `last - 1` of a batch; they keep their numbers.

    `level` and `fast` are as in `hanalyze.conventions.run.read_games`.
    """
    output = read_games(batch, level=level, fast=fast, first=first, last=last, cards=True)
    return hand_cards_of(output, first)


def concatenate(pieces: Sequence[HandCards]) -> HandCards:
    """Return the rows of several pieces as one."""
    if not pieces:
        none = {column.name: np.empty(0, column.type) for column in HAND_CARDS}
        return HandCards(none, np.empty(0, np.int64))
    columns = {name: np.concatenate([piece.columns[name] for piece in pieces]) for name in pieces[0].columns}
    return HandCards(columns, np.concatenate([piece.game for piece in pieces]))
