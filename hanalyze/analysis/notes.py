"""Accuracy of players' notes: the identities in a note, compared with the card and with logical deduction.

A part of a note is ignored unless it is understood completely.

    note         = {part "|"} part              the last part that is understood counts
    part         = item {separator item}        or items in [brackets], and then only these
    item         = mark | ["!" | "not "] card   "!" names what the card is not
    card         = suit rank | rank suit | suit | rank      r1, 1r, red 1, Red, 1, 1s
                 | letters figures              rb12: r1, r2, b1 or b2
    separator    = "," | "/" | ";" | "&" | "+" | " or " | " and ", or a space between whole cards or marks

Case is ignored, and so are any of "?!.:" after a word. Suits have the letters and names of the variant. Marks
are the words of `MARKS`, such as finessed `f`, chop-moved `cm` and known trash `kt`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from itertools import product
from typing import Final, NamedTuple

from hanalyze.analysis.columns import FRAMES, select_columns
from hanalyze.errors import check_kind
from hanalyze.game.cards import identity
from hanalyze.game.variants import Variant
from hanalyze.lazy import polars as pl
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import Replay, replay_many

_MARKS: Final[dict[str, tuple[str, ...]]] = {
    "finessed": ("f", "hf", "pf", "gd", "utf", "finesse", "finessed"),
    "chop_moved": (
        *("cm", "5cm", "e5cm", "tcm", "tccm", "sdcm", "sbpcm", "ocm", "tocm", "utfcm", "utdcm", "utbcm"),
        *("chop move", "chop moved", "chop-moved"),
    ),
    "trash": ("kt", "trash", "known trash", "stale", "bad"),
    "fix": ("fix", "fixme", "needs fix"),
    "blank": ("blank",),
    "clued": ("clued",),
    "unclued": ("unclued", "x"),
    "playable": ("p", "play", "playable"),
    "bluffed": ("bluff", "bluffed"),
    "saved": ("save", "saved"),
}
MARKS: Final = {word: mark for mark, words in _MARKS.items() for word in words}
"""The mark of each word. A letter that names a suit of the variant is read as the suit, not as a mark."""

_LONGEST: Final = 80
"""Maximum number of characters of a part; longer parts are ignored."""
_TWO_WORDS: Final = [(word, word.replace(" ", "-")) for word in MARKS if " " in word]
_BRACKETED: Final = re.compile(r"\[([^\[\]]*)\]")
_SEPARATOR: Final = re.compile(r"[,/;&+]|(?<=\s)(?:or|and)(?=\s)")
_TERM: Final = re.compile(r"(?P<letters>[a-z]*)(?P<ranks>[1-5]*)s?")
_SWAPPED: Final = re.compile(r"(?P<ranks>[1-5])(?P<letters>[a-z])")


class NoteMeaning(NamedTuple):
    """Meaning of a note.

    `identities` is a mask of the identities that the note allows (bit `suit * 8 + rank`), 0 if it names none.
    `marks` are its marks. `understood` tells whether any part of the note was understood.
    """

    identities: int = 0
    marks: frozenset[str] = frozenset()
    understood: bool = False


class _NotUnderstood(Exception):
    """A part of a note with an item that is neither a mark nor a card of the variant."""


def note_meaning(note: str, variant: Variant) -> NoteMeaning:
    """Return the meaning of a note: of its last part that is understood.

    >>> from hanalyze.game.variants import variant
    >>> from hanalyze.game.cards import IdentitySet
    >>> plain = variant("No Variant")
    >>> def shown(note):
    ...     said = note_meaning(note, plain)
    ...     return str(IdentitySet(said.identities, plain.letters)), sorted(said.marks), said.understood
    >>> shown("r1,y2"), shown("[f] red 1?")
    (('r1 y2', [], True), ('', ['finessed'], True))
    >>> shown("b4 | g5 | see turn 9"), shown("looks bad to me")
    (('g5', [], True), ('', [], False))
    """
    for part in reversed(note.split("|")):
        text = part.strip().lower()
        if text and len(text) <= _LONGEST:
            with suppress(_NotUnderstood):
                return _part(_BRACKETED.findall(text) or [text], variant)
    return NoteMeaning()


def _part(texts: Iterable[str], variant: Variant) -> NoteMeaning:
    """Return the meaning of a part's texts. Raises `_NotUnderstood` unless all of them are understood."""
    suits = {suit.name.lower(): number for number, suit in enumerate(variant.suits) if " " not in suit.name}
    suits |= {letter.lower(): number for number, letter in enumerate(variant.letters)}
    whole = _mask(identity(suit, rank) for suit, rank in variant.deck)
    allowed, denied = 0, 0
    marks: set[str] = set()
    for text in texts:
        one_word = text
        for words, joined in _TWO_WORDS:
            one_word = one_word.replace(words, joined)
        for item in filter(str.strip, _SEPARATOR.split(one_word)):
            words_of_item = item.split()
            denies = words_of_item[0] == "not" or words_of_item[0].startswith("!")
            if denies:
                words_of_item[0] = words_of_item[0].removeprefix("not").removeprefix("!")
            named = _item(words_of_item, suits, whole, marks)
            allowed, denied = (allowed, denied | named) if denies else (allowed | named, denied)
    identities = (allowed or (whole if denied else 0)) & ~denied
    if not (identities or marks):
        raise _NotUnderstood
    return NoteMeaning(identities, frozenset(marks), True)


def _item(words: Iterable[str], suits: dict[str, int], whole: int, marks: set[str]) -> int:
    """Return the mask of the identities that an item names, and add its marks to `marks`."""
    cards: list[tuple[int, int]] = []
    for said in filter(None, words):
        word = said.rstrip("?!.:")
        mark = MARKS.get(word.replace("-", " "), MARKS.get(word))
        if mark is not None and word not in suits:
            marks.add(mark)
        else:
            cards.append(_card(word, suits))
    return _together(cards, whole)


def _card(word: str, suits: dict[str, int]) -> tuple[int, int]:
    """Return the suits and the ranks that a word names, as masks (0 for none)."""
    if word in suits:
        return 1 << suits[word], 0
    name = word.rstrip("12345")
    if name != word and name in suits:
        return 1 << suits[name], _mask(map(int, word[len(name) :]))
    match = _SWAPPED.fullmatch(word)
    if match is None or match["letters"] not in suits:
        match = _TERM.fullmatch(word)
    if match is None or not word or not set(match["letters"]) <= suits.keys():
        raise _NotUnderstood
    return _mask(suits[letter] for letter in match["letters"]), _mask(map(int, match["ranks"]))


def _together(cards: list[tuple[int, int]], whole: int) -> int:
    """Return the mask of the identities that an item names: cards, or a suit, a rank or both."""
    complete = [card for card in cards if card[0] and card[1]]
    rest = [card for card in cards if card not in complete]
    if rest:
        if complete or len(rest) > 2 or (len(rest) == 2 and bool(rest[0][0]) == bool(rest[1][0])):
            raise _NotUnderstood
        complete = [(rest[0][0] | rest[-1][0], rest[0][1] | rest[-1][1])]
    identities = _mask(
        identity(suit, rank)
        for suits, ranks in complete
        for suit, rank in product(range(8), range(1, 6))
        if (not suits or suits >> suit & 1) and (not ranks or ranks >> rank & 1)
    )
    if cards and not identities & whole:
        raise _NotUnderstood  # these cards do not exist in the variant
    return identities & whole


def _mask(bits: Iterable[int]) -> int:
    return sum(1 << bit for bit in set(bits))


def note_accuracy(games: Iterable[GameRecord | Replay]) -> pl.DataFrame:
    """Return the accuracy of players' notes on their own cards, one row per player.

    The meaning of a note (`note_meaning`) is compared with the card, and with the identities that its holder
    could not exclude on the last turn with the card in hand, by exact deduction from clues, visible cards,
    and the hand as a whole. Logs contain only the final text of a note and not its time, so it may have been
    written after the card left the hand. Notes that are not understood are only counted. `FRAMES` lists the
    columns.

    Raises `LogError` for records that cannot be dealt, and `HanalyzeError` (rule `usage`) if `games` cannot
    be iterated.

    >>> from hanalyze.game.actions import Action
    >>> record = GameRecord(
    ...     players=("Alice", "Bob"), seed="p2v0s1", actions=[Action(3, 1, 5)], notes=(("r1 | b2",), ("r5?",))
    ... )
    >>> note_accuracy([record]).select("player", "notes", "identities", "on_others").rows()
    [('Alice', 1, 1, 0), ('Bob', 0, 0, 1)]
    """
    check_kind(games, Iterable, "give logs, as in note_accuracy(read(path)); databases have no notes")
    sums: dict[str, Counter[str]] = {}
    for game in games:
        replay = game if isinstance(game, Replay) else next(iter(replay_many([game])))
        if any(map(any, replay.record.notes)):
            for player, counted in _counts(replay):
                sums.setdefault(player, Counter()).update(counted)
    rows = [{"player": player, **sums[player]} for player in sorted(sums)]
    names = [column.name for column in FRAMES["note_accuracy"] if column.name != "player"]
    frame = pl.DataFrame(rows, {"player": pl.String} | dict.fromkeys(names, pl.Int64))
    return select_columns(frame.with_columns(pl.col(*names).fill_null(0)), "note_accuracy")


def _counts(game: Replay) -> list[tuple[str, Counter[str]]]:
    holders, last = _last_in_hand(game)
    counts = []
    for seat, player in enumerate(game.record.players):
        texts = game.record.notes[seat] if seat < len(game.record.notes) else ()
        counted: Counter[str] = Counter()
        for order, text in enumerate(texts):
            if not text.strip():
                continue
            if holders.get(order) != seat:
                counted["on_others"] += 1
                continue
            counted["notes"] += 1
            _judge(game, text, order, last[order], counted)
        if counted:
            counted["games"] = 1
            counts.append((player, counted))
    return counts


def _last_in_hand(game: Replay) -> tuple[dict[int, int], dict[int, int]]:
    """Return, for each order, the card's holder and the mask of its possible identities when last in hand."""
    holders: dict[int, int] = {}
    last: dict[int, int] = {}
    for position in game:
        for seat, hand in enumerate(position.hands):
            for card, possible in zip(hand, position.possible[seat], strict=True):
                holders[card.order] = seat
                last[card.order] = sum(1 << identity(*one) for one in possible)
    return holders, last


def _judge(game: Replay, text: str, order: int, possible: int, counted: Counter[str]) -> None:
    """Count a note by its accuracy, or as a mark or as not understood."""
    meaning = note_meaning(text, game.variant)
    if not meaning.identities:
        counted["marks" if meaning.understood else "not_understood"] += 1
        return
    truth = 1 << identity(*game.deck[order])
    true = bool(meaning.identities & truth)
    counted["identities"] += 1
    counted["right" if meaning.identities == truth else "open" if true else "wrong"] += 1
    counted["known"] += possible == truth
    narrower = meaning.identities & possible not in (0, possible)
    counted["beyond"] += narrower
    counted["beyond_right"] += narrower and true
    counted["ruled_out"] += not meaning.identities & possible
