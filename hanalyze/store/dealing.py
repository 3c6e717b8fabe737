"""From segments of log files to games that the engine can play, and the logs that were rejected."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from hanalyze.engine.batch import Deal, GameBatch, batch_from, deal_records
from hanalyze.errors import HanalyzeError
from hanalyze.logs.formats import hanab_live
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources.streams import read_lines
from hanalyze.store.files import Segment


class DealtGame(NamedTuple):
    """A game ready to be played: the number of its file, its deal, its actions as (actions, 3) int64."""

    file: int
    deal: Deal
    actions: NDArray[np.int64]


class Dealt(NamedTuple):
    """Games in the order of the files, and the errors of rejected logs, each with the number of its file."""

    games: list[DealtGame]
    rejects: list[tuple[int, HanalyzeError]]


def deal_segments(segments: list[Segment]) -> Dealt:
    """Read and deal the games of segments."""
    records: list[tuple[int, GameRecord]] = []
    rejects: list[tuple[int, HanalyzeError]] = []
    for file, path, text, line, outcomes in segments:
        for outcome in read_lines(io.BytesIO(text), line, path, hanab_live.decode) if text else outcomes:
            if isinstance(outcome, GameRecord):
                records.append((file, outcome))
            else:
                rejects.append((file, outcome))
    files = {id(record): file for file, record in records}

    def reject(record: GameRecord, error: HanalyzeError) -> None:
        rejects.append((files[id(record)], error))

    deals = deal_records([record for _, record in records], on_error=reject)
    games = [DealtGame(files[id(deal.record)], deal, _action_rows(deal.record)) for deal in deals]
    return Dealt(games, sorted(rejects, key=lambda one: (one[0], one[1].line is None, one[1].line or 0)))


def _action_rows(record: GameRecord) -> NDArray[np.int64]:
    count = len(record.actions)
    return np.fromiter(chain.from_iterable(record.actions), np.int64, 3 * count).reshape(count, 3)


_CONTENT: Final = msgspec.msgpack.Encoder()


def digest(game: DealtGame) -> bytes:
    """Return the digest of a game's content, 16 bytes."""
    record, _, variant, deck, _ = game.deal
    content = (
        record.players,
        variant.name,
        record.options,
        record.edition,
        record.id,
        record.seed,
        len(deck),
    )
    whole = hashlib.blake2b(_CONTENT.encode(content), digest_size=16)
    whole.update(deck.tobytes())
    whole.update(game.actions.tobytes())
    return whole.digest()


def batch_of(games: Sequence[DealtGame]) -> GameBatch:
    """Return games as the engine plays them."""
    deals = [game.deal for game in games]
    actions = [game.actions for game in games]
    return batch_from(
        [(deal.rules, deal.variant, len(deal.record.players), deal.record.options) for deal in deals],
        [deal.deck for deal in deals],
        np.concatenate(actions) if games else np.zeros((0, 3), np.int64),
        np.fromiter(map(len, actions), np.int64, len(games)),
    )
