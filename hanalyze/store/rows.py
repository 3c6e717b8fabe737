"""From played games to rows of the database.

In: a `Dealt`, which of its games are new, and their `Output`. Out: for each table arrays by column, in the
engine's form (numbers for words, `Column.null` for null); `select` says how DuckDB makes its values of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.defect_report import FoundDefect, say_found
from hanalyze.engine.run import Output
from hanalyze.errors import HanalyzeError
from hanalyze.game.cards import MAX_CARDS
from hanalyze.game.defects import Defect
from hanalyze.game.rules import RULES_VERSION, rating
from hanalyze.logs.record import Options
from hanalyze.store.dealing import Dealt, Head
from hanalyze.store.files import shown_path
from hanalyze.store.schema import quoted, sql_type
from hanalyze.tables import TABLES_VERSION, Column
from hanalyze.tables.store import TABLES
from hanalyze.version import __version__

Arrays = dict[str, NDArray[Any]]


def insertion(table: str, source: str, home: str | None = None) -> str:
    """Return the statement that puts the arrays registered as `source` into a table; `home` is its name."""
    wanted = ", ".join(_value(column) for column in TABLES[table])
    return f"INSERT INTO {home or table} SELECT {wanted} FROM {source}"


def _value(column: Column) -> str:
    """Return the expression that makes a column of the database of the engine's array."""
    name = f'"{column.name}"'
    if column.words:
        kind = sql_type(column)
        cases = " ".join(
            f"WHEN {number} THEN {quoted(word)}::{kind}" for number, word in enumerate(column.words)
        )
        return f"CASE {name} {cases} END"
    if column.width > 1:
        values = [f'"{column.name}_{i}"' for i in range(column.width)]
        if column.type.startswith("float"):
            values = [f"CASE WHEN NOT isnan({value}) THEN {value} END" for value in values]
        return f"[{', '.join(values)}]"
    if column.type == "str" or (column.type == "int64" and column.null is None):
        # Ids come as text; an array of nothing but None has a type of its own.
        return f"{name}::{sql_type(column)}"
    if column.null is not None and column.type == "bool":
        return f"CASE WHEN {name} >= 0 THEN {name} = 1 END"
    if column.null is not None:
        return f"nullif({name}, {column.null})"
    if column.type.startswith("float"):
        return f"CASE WHEN NOT isnan({name}) THEN {name} END"
    return name


def texts(values: Iterable[str | None]) -> NDArray[Any]:
    """Return texts as an array."""
    listed = list(values)
    array = np.empty(len(listed), object)
    array[:] = listed
    return array


def spread(arrays: Arrays, key: NDArray[np.int64]) -> Arrays:
    """Return arrays with the key before them, wide ones as one array for each of their values."""
    rows: Arrays = {"game_id": key}
    for name, array in arrays.items():
        if array.ndim > 1:
            for i in range(array.shape[1]):
                rows[f"{name}_{i}"] = np.ascontiguousarray(array[:, i])
        else:
            rows[name] = array
    return rows


def find_defects(dealt: Dealt, kept: Sequence[int], output: Output) -> dict[int, list[FoundDefect]]:
    """Return what is wrong with the games, by their index among those that were kept."""
    found: dict[int, list[FoundDefect]] = {}
    for game, turn, seat, number in zip(
        *(column.tolist() for column in output.defects.values()), strict=True
    ):
        head = dealt.heads[kept[game]]
        rule = Defect(number)
        action = dealt.actions[kept[game]][turn].tolist()
        cards = len(dealt.decks[kept[game]])
        text = say_found(rule, action, seat, head.players, head.variant, cards)
        found.setdefault(game, []).append(FoundDefect(rule, _name(head), turn, seat, text))
    scores = output.games["score"].tolist()
    for game, index in enumerate(kept):
        head = dealt.heads[index]
        if head.differs:
            text = f"seed {head.seed} is ignored"
            whole = FoundDefect(Defect.DECK_DIFFERS_FROM_SEED, _name(head), None, None, text)
            found.setdefault(game, []).insert(0, whole)
        if head.score is not None and head.score != scores[game]:
            text = f"{head.score} instead of {scores[game]}"
            whole = FoundDefect(Defect.SCORE_DIFFERS, _name(head), None, None, text)
            found.setdefault(game, []).append(whole)
    return found


def _name(head: Head) -> str:
    if head.id is not None:
        return str(head.id)
    return head.seed or ("-" if head.line is None else f"line {head.line}")


def game_rows(
    dealt: Dealt,
    kept: Sequence[int],
    ids: NDArray[np.int64],
    digests: Sequence[bytes],
    output: Output,
    cards: NDArray[np.int64],
    found: dict[int, list[FoundDefect]],
) -> dict[str, Arrays]:
    """Return the rows of the games `kept`, by table; `cards` are their deck sizes."""
    heads = [dealt.heads[i] for i in kept]
    seats = output.games["players"].astype(np.int64)
    return {
        "games": _games(heads, ids, digests, output, found),
        "seats": {
            "game_id": np.repeat(ids, seats),
            "seat": _counting(seats),
            "player": texts(player for head in heads for player in head.players),
        },
        "turns": spread(output.turns, np.repeat(ids, output.games["turns"])),
        "clues": spread(output.clues, np.repeat(ids, output.games["clues"])),
        "cards": spread(output.cards, np.repeat(ids, cards)),
        "defects": _defects(ids, found),
    }


def _counting(counts: NDArray[np.int64]) -> NDArray[np.int8]:
    """Return 0, 1, ... up to each count, one after the other."""
    begins = np.cumsum(counts) - counts
    return (np.arange(counts.sum()) - np.repeat(begins, counts)).astype(np.int8)


def _games(
    heads: Sequence[Head],
    ids: NDArray[np.int64],
    digests: Sequence[bytes],
    output: Output,
    found: dict[int, list[FoundDefect]],
) -> Arrays:
    count = len(heads)
    arrays: Arrays = dict(output.games)
    # The engine knows only the defects of actions.
    defects = arrays["defects"].copy()
    for game, several in found.items():
        defects[game] = len(several)
    arrays["defects"] = defects
    arrays["game_id"] = ids
    arrays["digest"] = texts(digest.hex() for digest in digests)
    arrays["source"] = texts(head.source for head in heads)
    arrays["started"] = texts(head.started for head in heads)
    arrays["finished"] = texts(head.finished for head in heads)
    arrays["tags"] = texts(", ".join(head.tags) or None for head in heads)
    # As text, since every number of 64 bits may be an id.
    arrays["source_id"] = texts(None if head.id is None else str(head.id) for head in heads)
    arrays["variant"] = texts(head.variant.name for head in heads)
    arrays["letters"] = texts("".join(head.variant.letters) for head in heads)
    arrays["colours"] = texts(",".join(head.variant.clue_colours) for head in heads)
    arrays["alternating_clues"] = np.array([head.variant.alternating_clues for head in heads], np.bool_)
    arrays["silent_clues"] = np.array(
        [head.variant.cow_and_pig or head.variant.duck for head in heads], np.bool_
    )
    numbers = (-1 if head.variant.id is None else head.variant.id for head in heads)
    arrays["variant_id"] = np.fromiter(numbers, np.int32, count)
    arrays["edition"] = texts(head.edition or head.rules.edition for head in heads)
    arrays["seed"] = texts(head.seed for head in heads)
    arrays["shuffle"] = texts(
        (head.shuffle or "hanab-live") if head.seed is not None else head.shuffle for head in heads
    )
    # What a log claims may be any number; more than there are cards says nothing.
    arrays["deck_known"] = np.array(
        [
            -1 if head.deck_known is None or not 0 <= head.deck_known < MAX_CARDS else head.deck_known
            for head in heads
        ],
        np.int8,
    )
    options = list(zip(*(head.options for head in heads), strict=True)) or [() for _ in Options._fields]
    for name, values in zip(Options._fields, options, strict=True):
        arrays[name] = np.array(values, np.int64)
    arrays["rating"] = texts(
        rating(score, len(head.variant.suits) * head.variant.stack_size, head.rules)
        for head, score in zip(heads, output.games["score"].tolist(), strict=True)
    )
    arrays["rules_version"] = np.full(count, RULES_VERSION, np.int16)
    arrays["tables_version"] = np.full(count, TABLES_VERSION, np.int16)
    arrays["package_version"] = texts([__version__] * count)
    return arrays


def _defects(ids: NDArray[np.int64], found: dict[int, list[FoundDefect]]) -> Arrays:
    rows = [(ids[game], defect) for game, several in sorted(found.items()) for defect in several]
    return {
        "game_id": np.array([game for game, _ in rows], np.int64),
        "turn": np.array([-1 if one.turn is None else one.turn for _, one in rows], np.int16),
        "seat": np.array([-1 if one.seat is None else one.seat for _, one in rows], np.int8),
        "rule": np.array([_RULES.index(one.rule) for _, one in rows], np.uint8),
        "found": texts(one.found for _, one in rows),
    }


_RULES: Final = tuple(Defect)
_LONGEST: Final = 1000
"""Characters of a text about a reject: names and seeds in it can have megabytes."""


def _storable(text: str) -> str:
    """Return text as the database can hold it, and not longer than anybody reads."""
    cut = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return cut.encode("utf-8", "backslashreplace").decode()


class Reject(NamedTuple):
    """What could not be read or dealt, as the database holds it; `line` is -1 of a file as a whole."""

    file: str
    line: int
    game: str | None
    rule: str
    message: str


def reject_of(error: HanalyzeError) -> Reject:
    """Return an error as the database holds it."""
    return Reject(
        shown_path(error.file or "-"),
        -1 if error.line is None else error.line,
        error.game and _storable(error.game),
        error.rule,
        _storable(error.message),
    )


def reject_rows(rejects: Iterable[Reject]) -> Arrays:
    """Return the rows for what could not be read or dealt."""
    rows = list(rejects)
    keys = [hashlib.blake2b(repr(tuple(row)).encode(), digest_size=8).digest() for row in rows]
    return {
        "reject_id": np.array([int.from_bytes(key, "big") >> 1 for key in keys], np.int64),
        "file": texts(row.file for row in rows),
        "line": np.array([row.line for row in rows], np.int64),
        "game": texts(row.game for row in rows),
        "rule": texts(row.rule for row in rows),
        "message": texts(row.message for row in rows),
    }
