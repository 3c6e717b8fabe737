"""What a player's note says that a card is.

In: the text of a note, as hanab.live keeps it, and the variant. Out: `Said`: the identities that it allows,
the marks in it, or that it was not understood. Notes are strangers' text: nothing of one is shown or run, and
a note that is not understood as a whole says nothing.

    note         = {part "|"} part              the last part that is understood counts
    part         = item {separator item}        or items in [brackets], and then only these
    item         = mark | ["!" | "not "] card   "!" says what the card is not
    card         = suit rank | rank suit | suit | rank      r1, 1r, red 1, Red, 1, 1s
                 | letters figures              rb12: r1, r2, b1 or b2
    separator    = "," | "/" | ";" | "&" | "+" | " or " | " and ", or a space between whole cards or marks

Upper and lower case are alike. Suits have the variant's letters and names. A "?" or "!" behind a card is left
out. Marks are words that say something else than an identity: those of the site (finessed `f`, chop-moved
`cm` and its kinds, known trash `kt`, `fix`, `blank`, `clued`, `unclued` or `x`) and what they are short for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from hanalyze.game.cards import identity
from hanalyze.game.variants import Variant

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
"""The mark that a word stands for. A letter that is a suit of the variant is that suit."""

_LONGEST: Final = 80
"""Characters of a part that is looked at: what is longer is no notation."""
_TWO_WORDS: Final = [(word, word.replace(" ", "-")) for word in MARKS if " " in word]
_BRACKETED: Final = re.compile(r"\[([^\[\]]*)\]")
_SEPARATOR: Final = re.compile(r"[,/;&+]|(?<=\s)(?:or|and)(?=\s)")
_TERM: Final = re.compile(r"(?P<letters>[a-z]*)(?P<ranks>[1-5]*)s?")
_SWAPPED: Final = re.compile(r"(?P<ranks>[1-5])(?P<letters>[a-z])")


class Said(NamedTuple):
    """What a note says: `identities` as a mask (`suit * 8 + rank`), 0 where it names none; marks.

    `understood`: whether any part of it was.
    """

    identities: int
    marks: frozenset[str]
    understood: bool


_NOTHING: Final = Said(0, frozenset(), False)


def said_by(note: str, variant: Variant) -> Said:
    """Return what a note says of a card.

    >>> from hanalyze.game.variants import variant
    >>> from hanalyze.game.cards import IdentitySet
    >>> plain = variant("No Variant")
    >>> def shown(note):
    ...     said = said_by(note, plain)
    ...     return str(IdentitySet(said.identities, plain.letters)), sorted(said.marks), said.understood
    >>> shown("r1,y2"), shown("[f] red 1?")
    (('r1 y2', [], True), ('', ['finessed'], True))
    >>> shown("b4 | g5 | see turn 9"), shown("looks bad to me")
    (('g5', [], True), ('', [], False))
    """
    for part in reversed(note.split("|")):
        text = part.strip().lower()
        if text and len(text) <= _LONGEST:
            bracketed = _BRACKETED.findall(text)
            said = _part(bracketed or [text], variant)
            if said.understood:
                return said
    return _NOTHING


def _part(texts: Iterable[str], variant: Variant) -> Said:
    """Return what the items of a part say together; `_NOTHING` if one of them is not understood."""
    suits = _suits(variant)
    whole = _all(variant)
    allowed, denied = 0, 0
    marks: set[str] = set()
    for text in texts:
        one_word = text
        for words, joined in _TWO_WORDS:
            one_word = one_word.replace(words, joined)
        for item in _SEPARATOR.split(one_word):
            if not item.strip():
                continue
            found = _item(item.split(), suits, whole)
            if found is None:
                return _NOTHING
            allowed |= found[0]
            denied |= found[1]
            marks |= found[2]
    if not (allowed or denied or marks):
        return _NOTHING
    identities = (allowed or (whole if denied else 0)) & ~denied
    return Said(identities, frozenset(marks), True)


def _item(words: Sequence[str], suits: dict[str, int], whole: int) -> tuple[int, int, set[str]] | None:
    """Return what the words between two separators allow, deny and mark; None if one is not understood."""
    marks: set[str] = set()
    cards: list[tuple[int, int]] = []
    denies = False
    if words[0] == "not" or words[0].startswith("!"):
        denies = True
        words = [words[0].removeprefix("not").removeprefix("!"), *words[1:]]
    for said in filter(None, words):
        word = said.rstrip("?!.:")
        mark = MARKS.get(word.replace("-", " "), MARKS.get(word))
        if mark is not None and word not in suits:
            marks.add(mark)
            continue
        card = _card(word, suits)
        if card is None:
            return None
        cards.append(card)
    found = _together(cards, whole)
    if found is None:
        return None
    return (0, found, marks) if denies else (found, 0, marks)


def _card(word: str, suits: dict[str, int]) -> tuple[int, int] | None:
    """Return the suits and the ranks that a word names, as masks, 0 for none; None for another word."""
    if word in suits:
        return 1 << suits[word], 0
    name = word.rstrip("12345")
    if name != word and name in suits:
        return 1 << suits[name], _ranks(word[len(name) :])
    found = _SWAPPED.fullmatch(word)
    if found is None or found["letters"] not in suits:
        found = _TERM.fullmatch(word)
    if found is None or not word:
        return None
    letters = 0
    for letter in found["letters"]:
        if letter not in suits:
            return None
        letters |= 1 << suits[letter]
    return letters, _ranks(found["ranks"])


def _ranks(figures: str) -> int:
    mask = 0
    for figure in figures:
        mask |= 1 << int(figure)
    return mask


def _together(cards: list[tuple[int, int]], whole: int) -> int | None:
    """Return what words without a separator name: each a whole card, or one suit and rank in two words."""
    complete = [card for card in cards if card[0] and card[1]]
    rest = [card for card in cards if card not in complete]
    if complete and rest:
        return None
    if rest:
        if len(rest) > 2 or (len(rest) == 2 and bool(rest[0][0]) == bool(rest[1][0])):
            return None
        complete = [(rest[0][0] | rest[-1][0], rest[0][1] | rest[-1][1])]
    found = 0
    for suits, ranks in complete:
        for suit in range(8):
            for rank in range(1, 6):
                if (not suits or suits >> suit & 1) and (not ranks or ranks >> rank & 1):
                    found |= 1 << identity(suit, rank)
    # A card that the variant does not have is no identity.
    return found & whole if found & whole or not cards else None


def _suits(variant: Variant) -> dict[str, int]:
    """Return the suits by letter and by name."""
    names = {suit.name.lower(): number for number, suit in enumerate(variant.suits) if " " not in suit.name}
    return names | {letter.lower(): number for number, letter in enumerate(variant.letters)}


def _all(variant: Variant) -> int:
    mask = 0
    for suit, rank in variant.deck:
        mask |= 1 << identity(suit, rank)
    return mask
