"""Load stored games from a database as `GameBatch`es or `Deal`s for the engine."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, Final

import numpy as np

from hanalyze.engine.batch import Deal, GameBatch, batch_from, rules_of, variant_of
from hanalyze.engine.game import Ints
from hanalyze.game.actions import Action
from hanalyze.game.cards import RANK_SLOTS, card_of
from hanalyze.game.editions import EndCondition, Rules
from hanalyze.game.variants import Variant
from hanalyze.lazy import Connection
from hanalyze.logs.record import GameRecord, Options

_OPTIONS: Final = tuple(name for name in Options._fields if name != "detrimental_characters")

_HEADS: Final = f"""
SELECT g.game_id, g.variant, g.edition, g.players, g.turns, {", ".join(f"g.{name}" for name in _OPTIONS)}
FROM games g JOIN _wanted USING (game_id) ORDER BY g.game_id
"""
_NAMES: Final = """
SELECT g.game_id, any_value(g.source_id), any_value(g.seed), list(s.player ORDER BY s.seat),
    any_value(g.deck_known)
FROM games g JOIN _wanted USING (game_id) JOIN seats s USING (game_id) GROUP BY g.game_id ORDER BY g.game_id
"""
_ENDS: Final = " ".join(f"WHEN '{end.label}' THEN {end.value}" for end in EndCondition)
_ACTIONS: Final = f"""
SELECT
    CASE t.action
        WHEN 'play' THEN 0 WHEN 'discard' THEN 1 WHEN 'colour_clue' THEN 2 WHEN 'rank_clue' THEN 3
        ELSE CASE g.end_condition WHEN '{EndCondition.TERMINATED_BY_VOTE.label}' THEN 5 ELSE 4 END
    END::TINYINT AS kind,
    coalesce(t."order", t.receiver, -1)::TINYINT AS target,
    CASE t.action WHEN 'end_game' THEN CASE g.end_condition {_ENDS} END ELSE coalesce(t.clue_value, 0) END
        ::TINYINT AS value
FROM turns t JOIN _wanted USING (game_id) JOIN games g USING (game_id) ORDER BY t.game_id, t.turn
"""
_CARDS: Final = f"""
SELECT (c.suit * {RANK_SLOTS} + c.rank)::UTINYINT AS identity
FROM cards c JOIN _wanted USING (game_id) ORDER BY c.game_id, c."order"
"""


@functools.cache
def _setting(variant: str, edition: str, seats: int, options: Options) -> tuple[Rules, Variant, int, Options]:
    record = GameRecord(players=("",) * seats, variant=variant, edition=edition, options=options)
    rules = rules_of(record)
    return rules, variant_of(record, rules), seats, options


@contextmanager
def _wanted(connection: Connection, ids: Ints) -> Iterator[Connection]:
    """Yield a cursor on which `_wanted` is a table of the keys `ids`."""
    with closing(connection.cursor()) as cursor:
        cursor.register("_wanted", {"game_id": ids})
        yield cursor


def stored_batches(connection: Connection, ids: Ints, size: int) -> Iterator[tuple[Ints, GameBatch]]:
    """Yield the games with the keys `ids`, sorted, as pairs of keys and batch (up to `size` games)."""
    ids = np.sort(ids)
    for some in np.split(ids, range(size, len(ids), size)) if len(ids) else ():
        with _wanted(connection, some) as cursor:
            yield some, _batch(cursor)


def stored_deals(connection: Connection, ids: Ints, size: int) -> Iterator[tuple[int, Deal]]:
    """Yield the key and the deal of each game with a key in `ids`, sorted; fetch `size` games at a time.

    The records have no notes, characters, score, source, dates, tags, shuffle, file or line.
    """
    for some, batch in stored_batches(connection, ids, size):
        with _wanted(connection, some) as cursor:
            settings = _settings(cursor.execute(_HEADS).fetchall())
            names = cursor.execute(_NAMES).fetchall()
        actions = np.stack([batch.kind, batch.target, batch.value], axis=1).tolist()
        for game, (rules, variant, _, options) in enumerate(settings):
            key, number, seed, players, deck_known = names[game]
            deck = batch.deck[game, : batch.cards[game]]
            begin = int(batch.first_action[game])
            record = GameRecord(
                players=tuple(players),
                deck=[card_of(one) for one in deck.tolist()],
                actions=[Action(*one) for one in actions[begin : begin + int(batch.actions[game])]],
                variant=variant.name,
                edition=rules.edition,
                options=options,
                id=number,
                seed=seed,
                deck_known=deck_known,
            )
            yield key, Deal(record, rules, variant, deck, False)


def _settings(heads: list[Any]) -> list[tuple[Rules, Variant, int, Options]]:
    return [
        _setting(variant, edition, players, Options(**dict(zip(_OPTIONS, options, strict=True))))
        for _, variant, edition, players, _, *options in heads
    ]


def _batch(cursor: Connection) -> GameBatch:
    heads = cursor.execute(_HEADS).fetchall()
    actions: dict[str, Any] = cursor.execute(_ACTIONS).fetchnumpy()
    cards: dict[str, Any] = cursor.execute(_CARDS).fetchnumpy()
    settings = _settings(heads)
    sizes = np.fromiter((variant.deck_size for _, variant, _, _ in settings), np.int64, len(settings))
    return batch_from(
        settings,
        np.split(np.asarray(cards["identity"]), np.cumsum(sizes)[:-1]),
        np.stack([np.asarray(actions[name], np.int64) for name in ("kind", "target", "value")], axis=1),
        np.fromiter((head[4] for head in heads), np.int64, len(heads)),
    )
