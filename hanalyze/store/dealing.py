"""From segments of files to games that can be played: a `Dealt` of games as arrays, and what was refused.

In: `Segment`s. Out: `Dealt`, the heads of the games, their decks and actions, ready for the engine. A line as
nearly all are is read without making an object per card and action (`scan.py`); whatever is not as usual in
it, an error too, is read and judged again by `hanalyze.logs` and `deal_records`, which have the last word.
"""

from __future__ import annotations

import functools
import hashlib
import io
from collections.abc import Iterable
from operator import attrgetter
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from hanalyze.decks import decks as deal_seeds
from hanalyze.engine.batch import MOST_ACTIONS, Deal, GameBatch, batch_from, deal_records
from hanalyze.errors import HanalyzeError, LogError
from hanalyze.game.cards import MAX_SUITS, RANK_SLOTS, identity
from hanalyze.game.rules import Rules
from hanalyze.game.variants import Variant
from hanalyze.kernels.compiling import compiled
from hanalyze.logs.formats import hanab_live
from hanalyze.logs.record import NO_VARIANT, GameRecord, Options
from hanalyze.logs.sources.streams import Decode, read_lines
from hanalyze.store.files import Segment
from hanalyze.store.scan import (
    ACTION_KEYS,
    CARD_KEYS,
    MISSING,
    NOT_UNDERSTOOD,
    SHORTEST_OBJECT,
    scan_arrays,
)


class Head(NamedTuple):
    """What a log says besides its deck and actions, with the rules and the variant that it comes to.

    `log` is the game itself: a record, or its line of text.
    """

    file: int
    path: str
    line: int | None
    log: GameRecord | bytes
    rules: Rules
    variant: Variant
    players: tuple[str, ...]
    options: Options
    edition: str | None
    id: int | None
    seed: str | None
    shuffle: str | None
    score: int | None
    source: str | None
    started: str | None
    finished: str | None
    tags: tuple[str, ...]
    deck_known: int | None
    differs: bool


class Dealt(NamedTuple):
    """Games ready to be played, and what could not be read or dealt, with the number of its file; in order.

    `decks`: each an array of identities; `actions`: each (actions, 3) int64, C-contiguous.
    """

    heads: list[Head]
    decks: list[NDArray[np.uint8]]
    actions: list[NDArray[np.int64]]
    rejects: list[tuple[int, HanalyzeError]]


class _Line(NamedTuple):
    """A line that was read as far as its head; deck and actions are text yet."""

    path: str
    line: int
    text: bytes
    game: Any
    options: Options
    variant: str


def _head_decoder() -> msgspec.json.Decoder[Any]:
    """Return a decoder of games that leaves deck and actions as they are."""
    raw: dict[str, Any] = {"deck": msgspec.Raw, "actions": msgspec.Raw}
    fields: list[Any] = []
    for field in msgspec.structs.fields(hanab_live.GameJSON):
        kind = raw.get(field.name, field.type)
        if field.name == "actions" or field.required:
            fields.append((field.name, kind))
        else:
            fields.append((field.name, kind, msgspec.Raw() if field.name in raw else field.default))
    return msgspec.json.Decoder(msgspec.defstruct("GameHead", fields, kw_only=True, gc=False))


_DECODER: Final = _head_decoder()
_OPTIONS: Final = attrgetter(*Options._fields)
_PLAIN: Final = Options()


def record_of(head: Head) -> GameRecord:
    """Return the record of a game."""
    if isinstance(head.log, GameRecord):
        return head.log
    return hanab_live.parse(head.log, file=head.path, line=head.line)


# --- lines ------------------------------------------------------------------------------------------------


def _decode_line(text: bytes, path: str, line: int) -> _Line | GameRecord:
    """Read a line as far as its head, or all of it where that is not enough to tell whether it is a game."""
    if _may_repeat_a_key(text):
        return hanab_live.decode(text, path, line)
    try:
        game = _DECODER.decode(text)
    except hanab_live.UNREADABLE:
        # What is wrong may stand in the deck or the actions before.
        return hanab_live.decode(text, path, line)
    options = game.options
    if options is None:
        variant, played = NO_VARIANT, _PLAIN
    else:
        variant, played = options.variant, Options._make(_OPTIONS(options))
    if game.first_player and not played.starting_player:
        played = played._replace(starting_player=game.first_player)
    return _Line(path, line, text, game, played, variant)


def _may_repeat_a_key(text: bytes) -> bool:
    r"""Return whether deck or actions may stand twice: the decoder of heads sees the last of them only.

    Their letters may be written as escapes, `\u0061` for an a.
    """
    return (
        text.count(b'"actions"') != 1 or text.count(b'"deck"') > 1 or b"\\u006" in text or b"\\u007" in text
    )


def _scan(
    blobs: list[bytes], keys: NDArray[np.uint8]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of the arrays in `blobs`, how many rows each has, and where they begin."""
    text = np.frombuffer(b"".join(blobs), np.uint8)
    ends = np.cumsum(np.fromiter(map(len, blobs), np.int64, len(blobs)))
    out = np.empty((len(text) // SHORTEST_OBJECT + len(blobs) + 1, len(keys)), np.int64)
    counts = np.empty(len(blobs), np.int64)
    rows = compiled(scan_arrays)(text, ends, keys, out, counts)
    kept = np.maximum(counts, 0)
    return out[:rows].copy(), counts, np.cumsum(kept) - kept


# --- decks ------------------------------------------------------------------------------------------------


@functools.cache
def _sorted_deck(variant: Variant) -> NDArray[np.uint8]:
    return np.sort(np.array([identity(*card) for card in variant.deck], np.uint8))


class _Known:
    """Rules and variants by what a log says of them, as found out with the first such log."""

    def __init__(self) -> None:
        self.tables: dict[tuple[Any, ...], tuple[Rules, Variant] | None] = {}

    def rules_of(self, line: _Line) -> tuple[Rules, Variant] | None:
        key = (line.variant, line.options, line.game.edition, len(line.game.players))
        if key not in self.tables:
            try:
                record = hanab_live.parse(line.text)
                [deal] = deal_records([record])
            except HanalyzeError:
                # It may be the fault of this one's deck: ask again with the next.
                return None
            if len(self.tables) > 10_000:
                self.tables.clear()
            self.tables[key] = (deal.rules, deal.variant)
        return self.tables[key]


_KNOWN: Final = _Known()


def _identities(cards: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return (suit, rank) rows as identities; 255 for what is none."""
    suits, ranks = cards[:, 0], cards[:, 1]
    good = (suits >= 0) & (suits < MAX_SUITS) & (ranks >= 0) & (ranks < RANK_SLOTS)
    return np.where(good, suits * RANK_SLOTS + ranks, 255).astype(np.uint8)


def _complete(numbers: NDArray[np.uint8], rows: list[tuple[int, int]], variant: Variant) -> NDArray[np.bool_]:
    """Return for each deck (where it begins in `numbers`, how many cards) whether it is the variant's."""
    size = variant.deck_size
    begins = np.array([begin if count == size else 0 for begin, count in rows], np.int64)
    fits = np.array([count == size for _, count in rows])
    if len(numbers) < size:
        return np.zeros(len(rows), np.bool_)
    begins = np.minimum(begins, len(numbers) - size)
    table = np.sort(numbers[begins[:, None] + np.arange(size)], axis=1)
    whole: NDArray[np.bool_] = fits & (table == _sorted_deck(variant)).all(axis=1)
    return whole


# --- all together -----------------------------------------------------------------------------------------


def deal_segments(segments: list[Segment], fast: bool) -> Dealt:
    """Read and deal what segments hold; `fast` by compiled code where it can."""
    dealt = Dealt([], [], [], [])
    lines: list[tuple[int, _Line]] = []
    records: list[tuple[int, GameRecord]] = []
    for segment in segments:
        outcomes: Iterable[_Line | GameRecord | LogError] = segment.outcomes
        if segment.text:
            decode: Decode[_Line | GameRecord] = _decode_line if fast else hanab_live.decode
            outcomes = read_lines(io.BytesIO(segment.text), segment.line, segment.path, decode)
        for outcome in outcomes:
            if isinstance(outcome, _Line):
                lines.append((segment.file, outcome))
            elif isinstance(outcome, GameRecord):
                records.append((segment.file, outcome))
            else:
                dealt.rejects.append((segment.file, outcome))
    for file, line in _deal_lines(lines, dealt) if lines else ():
        try:
            records.append((file, hanab_live.parse(line.text, file=line.path, line=line.line)))
        except LogError as error:
            dealt.rejects.append((file, error))
    _deal_records(records, dealt)
    # Of equal games the first one counts, however each was read.
    order = sorted(range(len(dealt.heads)), key=lambda i: (dealt.heads[i].file, dealt.heads[i].line or 0))
    rejects = sorted(dealt.rejects, key=lambda one: (one[0], one[1].line is None, one[1].line or 0))
    return Dealt(
        [dealt.heads[i] for i in order],
        [dealt.decks[i] for i in order],
        [dealt.actions[i] for i in order],
        rejects,
    )


def _deal_records(records: list[tuple[int, GameRecord]], dealt: Dealt) -> None:
    """Deal records by the ordinary way."""
    files = {id(record): number for number, record in records}

    def refuse(record: GameRecord, error: HanalyzeError) -> None:
        dealt.rejects.append((files[id(record)], error))

    for deal in deal_records([record for _, record in records], on_error=refuse):
        dealt.heads.append(_head_of(deal, files[id(deal.record)]))
        dealt.decks.append(deal.deck)
        dealt.actions.append(np.array(deal.record.actions, np.int64).reshape(-1, 3))


def _head_of(deal: Deal, file: int) -> Head:
    record = deal.record
    return Head(
        file,
        record.file or "-",
        record.line,
        record,
        deal.rules,
        deal.variant,
        record.players,
        record.options,
        record.edition,
        record.id,
        record.seed,
        record.shuffle,
        record.score,
        record.source,
        record.started,
        record.finished,
        record.tags,
        record.deck_known,
        deal.differs,
    )


def _deal_lines(lines: list[tuple[int, _Line]], dealt: Dealt) -> list[tuple[int, _Line]]:
    """Deal the games of lines, each with the number of its file; return those not as usual."""
    deck_texts = [bytes(line.game.deck) for _, line in lines]
    cards, card_counts, card_begins = _scan(deck_texts, CARD_KEYS)
    action_texts = [bytes(line.game.actions) for _, line in lines]
    actions, action_counts, action_begins = _scan(action_texts, ACTION_KEYS)
    unsaid = actions[:, 2] == MISSING
    numbers = _identities(cards)
    # An action without a value: right for plays and discards, for the others the reader has words.
    wrong_rows = np.flatnonzero(unsaid & (actions[:, 0] != 0) & (actions[:, 0] != 1))
    wrong = set(np.searchsorted(action_begins, wrong_rows, side="right") - 1) if len(wrong_rows) else set()
    actions[unsaid, 2] = 0
    odd: list[tuple[int, _Line]] = []
    groups: dict[tuple[Variant, str], list[tuple[int, Rules, str | None]]] = {}
    for i, (_, line) in enumerate(lines):
        dealt_by_seed = deck_texts[i] in (b"", b"null")
        if (
            action_counts[i] == NOT_UNDERSTOOD
            or action_counts[i] > MOST_ACTIONS
            or i in wrong
            or (card_counts[i] == NOT_UNDERSTOOD and not dealt_by_seed)
        ):
            odd.append(lines[i])
            continue
        played_by = _KNOWN.rules_of(line)
        if played_by is None:
            odd.append(lines[i])
            continue
        rules, variant = played_by
        seed = line.game.seed
        groups.setdefault((variant, line.game.shuffle or "hanab-live"), []).append(
            (i, rules, seed if seed is None or isinstance(seed, str) else str(seed))
        )
    for (variant, shuffle), members in groups.items():
        seeded: dict[int, NDArray[np.uint8]] = {}
        with_seed = [(i, seed) for i, _, seed in members if seed is not None]
        if with_seed:
            try:
                rows = deal_seeds([seed for _, seed in with_seed], variant, shuffle)
            except HanalyzeError:
                odd += [lines[i] for i, _, _ in members]
                continue
            seeded = dict(zip((i for i, _ in with_seed), rows, strict=True))
        places = [(int(card_begins[i]), max(int(card_counts[i]), 0)) for i, _, _ in members]
        whole = _complete(numbers, places, variant).tolist()
        for (i, rules, seed), (begin, count), good in zip(members, places, whole, strict=True):
            file, line = lines[i]
            own = seeded.get(i)
            if good:
                deck = numbers[begin : begin + count]
                differs = own is not None and own.tobytes() != deck.tobytes()
            elif own is not None and deck_texts[i] in (b"", b"null"):
                deck, differs = own, False
            else:
                odd.append(lines[i])
                continue
            game = line.game
            dealt.heads.append(
                Head(
                    file,
                    line.path,
                    line.line,
                    line.text,
                    rules,
                    variant,
                    game.players,
                    line.options,
                    game.edition,
                    game.id,
                    seed,
                    game.shuffle,
                    game.score,
                    game.source,
                    game.started,
                    game.finished,
                    hanab_live.tags_of(game.tags),
                    game.deck_known,
                    differs,
                )
            )
            dealt.decks.append(deck)
            first = action_begins[i]
            dealt.actions.append(actions[first : first + action_counts[i]])
    return odd


_CONTENT: Final = msgspec.msgpack.Encoder()


def digest(head: Head, deck: NDArray[np.uint8], actions: NDArray[np.int64]) -> bytes:
    """Return the digest of a game's content, 16 bytes."""
    said = (
        head.players,
        head.variant.name,
        head.options,
        head.edition,
        head.id,
        head.seed,
        len(deck),
    )
    whole = hashlib.blake2b(_CONTENT.encode(said), digest_size=16)
    whole.update(deck.tobytes())
    whole.update(actions.tobytes())
    return whole.digest()


def batch_of(dealt: Dealt, kept: list[int]) -> GameBatch:
    """Return the games with the numbers `kept` as the engine plays them."""
    heads = [dealt.heads[i] for i in kept]
    actions = [dealt.actions[i] for i in kept]
    return batch_from(
        [(head.rules, head.variant, len(head.players), head.options) for head in heads],
        [dealt.decks[i] for i in kept],
        np.concatenate(actions) if kept else np.zeros((0, 3), np.int64),
        np.fromiter(map(len, actions), np.int64, len(kept)),
    )
