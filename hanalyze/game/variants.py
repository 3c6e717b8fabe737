"""Variants of hanab.live: suits, deck, and the cards that each clue touches.

`variant_names.txt` has their names in the order of their ids; codes are mostly derived from the names. A code
can also name a variant that the site lacks, of 1 to 6 different suits and at most one special rule.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from string import ascii_lowercase
from typing import Any, Final

from hanalyze.errors import UnknownName
from hanalyze.game.cards import MAX_SUITS, START, Card, mask_of
from hanalyze.game.suits import Suit, suit_coded, suit_named


def unused_letters(wishes: Iterable[str]) -> tuple[str, ...]:
    """Return for each text the first of its letters, then of a-z, that no earlier text has taken."""
    taken: list[str] = []
    for wish in wishes:
        taken.append(next(one for one in wish + ascii_lowercase if one.isalpha() and one not in taken))
    return tuple(taken)


@dataclass(frozen=True, kw_only=True, repr=False)
class Variant:
    """Parameters of a variant, as hanab.live defines them; `variant()` returns one.

    >>> v = variant("Rainbow (3 Suits)")
    >>> v.id, v.code, v.clue_colours, v.letters
    (19, 'R+B+Ra', ('Red', 'Blue'), ('r', 'b', 'm'))
    >>> v.touches("Red", Card(suit=2, rank=4)), v.touches(4, Card(suit=2, rank=4))
    (True, True)
    """

    id: int | None
    """Id on hanab.live, from 0; None if the site does not have the variant."""
    name: str
    """Name on hanab.live; the code if the site does not have the variant."""
    code: str
    """Codes of the suits in order, then of the special rule, if any, such as `R+B+Ra,TH`."""
    suits: tuple[Suit, ...]
    clue_colours: tuple[str, ...]
    """Colours that a clue can name; logs contain indices into this tuple."""
    clue_ranks: tuple[int, ...] = (1, 2, 3, 4, 5)
    """Ranks that a clue can name."""
    ranks: tuple[int, ...] = (1, 2, 3, 4, 5)
    """Ranks of each suit, in their order in the deck before the site shuffles it."""
    stack_size: int = 5
    """Number of cards on a complete stack."""

    up_or_down: bool = False
    """A stack begins with 1 and goes up, or with 5 and goes down, or with START and then goes up or down. A
    suit has one 1 and one START."""
    sudoku: bool = False
    """A stack begins with any rank with which no other stack began, and goes up; the highest rank is followed
    by 1. There are two copies of every card, except one in suits with `one_of_each`."""
    throw_it_in_a_hole: bool = False
    """Players see neither played cards nor the results of plays; a complete stack gives no clue token."""
    clue_starved: bool = False
    """A discard, or a complete stack, gives only half a clue token."""
    alternating_clues: bool = False
    """Colour clues and rank clues must alternate."""
    cow_and_pig: bool = False
    """A clue only tells whether it is a colour or a rank clue, and which cards it touches."""
    duck: bool = False
    """A clue only tells which cards it touches."""
    odds_and_evens: bool = False
    """There are two rank clues: 1 touches the odd ranks, 2 the even ranks."""
    funnels: bool = False
    """A rank clue touches its rank and all lower ranks."""
    chimneys: bool = False
    """A rank clue touches its rank and all higher ranks."""
    synesthesia: bool = False
    """There are no rank clues. Ranks have colours, assigned cyclically as in Prism. A colour clue also
    touches the cards of the ranks with its colour, except in suits that rank clues would not touch."""
    scarce_ones: bool = False
    """A suit that would have three 1s has two."""
    colour_clues_touch_nothing: bool = False
    """Colour clues may be given, but touch no card (Color Blind)."""
    rank_clues_touch_nothing: bool = False
    """Rank clues may be given, but touch no card (Number Blind)."""

    critical_rank: int | None = None
    """Rank of which every suit has only one copy."""
    special_rank: int | None = None
    """Rank whose cards are touched according to the flags below, in every suit. The rule of a suit that is
    touched by all or no clues takes precedence."""
    special_rank_all_clue_colours: bool = False
    """Every colour clue touches the special rank (Rainbow-Ones)."""
    special_rank_no_clue_colours: bool = False
    """No colour clue touches the special rank (White-Ones)."""
    special_rank_all_clue_ranks: bool = False
    """Every rank clue touches the special rank; no clue can name the rank (Pink-Ones)."""
    special_rank_no_clue_ranks: bool = False
    """No rank clue touches the special rank; no clue can name the rank (Brown-Ones)."""
    special_rank_deceptive: bool = False
    """A clue of another rank touches the special rank: in the first suit the first of `clue_ranks`, in the
    second suit the second, and so on, cyclically (Deceptive-Ones)."""

    def __hash__(self) -> int:
        # The code determines all other fields.
        return hash(self.code)

    def __repr__(self) -> str:
        return f"variant({self.name!r})"

    def _copies(self, suit: Suit, rank: int) -> int:
        if suit.one_of_each or rank == self.critical_rank:
            return 1
        if self.sudoku:
            return 2
        if rank == 1:
            return 1 if self.up_or_down or suit.reversed else 2 if self.scarce_ones else 3
        if rank == 5:
            return 3 if suit.reversed else 1
        return 1 if rank == START else 2

    @cached_property
    def copies(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of copies in the deck: one tuple per suit, with one number per rank in `ranks`.

        >>> variant("White Reversed (3 Suits)").copies
        ((3, 2, 2, 2, 1), (3, 2, 2, 2, 1), (1, 2, 2, 2, 3))
        """
        return tuple(tuple(self._copies(suit, rank) for rank in self.ranks) for suit in self.suits)

    @cached_property
    def deck(self) -> tuple[Card, ...]:
        """The deck before the shuffle, ordered by suit, then by rank in the order of `ranks`."""
        return tuple(
            Card(suit, rank)
            for suit, row in enumerate(self.copies)
            for rank, count in zip(self.ranks, row, strict=True)
            for _ in range(count)
        )

    @property
    def deck_size(self) -> int:
        """Number of cards in the deck.

        >>> variant("Black (5 Suits)").deck_size
        45
        """
        return len(self.deck)

    @property
    def max_score(self) -> int:
        """Score when every stack is complete.

        >>> variant("Sudoku (4 Suits)").max_score
        16
        """
        return len(self.suits) * self.stack_size

    def touches(self, clue: str | int, card: tuple[int, int]) -> bool:
        """Return whether a clue touches a card.

        `clue` is the name of a colour or a rank; `card` is (index of its suit, rank). `colour_touch` and
        `rank_touch` contain the results for all clues and cards.

        >>> v = variant("Omni-Ones & White (5 Suits)")
        >>> v.touches("Blue", (0, 1)), v.touches("Blue", (4, 1)), v.touches(3, (4, 1))
        (True, False, True)
        """
        suit, rank = card
        if isinstance(clue, str):
            return self._colour_touches(clue, self.suits[suit], rank)
        return self._rank_touches(clue, suit, rank)

    def _colour_touches(self, colour: str, suit: Suit, rank: int) -> bool:
        # In this method and in `_rank_touches` the order of the tests is part of the rules.
        if self.colour_clues_touch_nothing:
            return False
        if suit.all_clue_colours:
            return True
        if suit.no_clue_colours:
            return False
        if self.synesthesia and not suit.no_clue_ranks and colour == self._colour_of_rank(rank):
            return True
        if rank == self.special_rank:
            if self.special_rank_all_clue_colours:
                return True
            if self.special_rank_no_clue_colours:
                return False
        if suit.prism:
            return colour == self._colour_of_rank(rank)
        return colour in suit.clue_colours

    def _colour_of_rank(self, rank: int) -> str | None:
        """Return the colour of a rank in Prism and Synesthesia (START: the last); None without colours."""
        if not self.clue_colours:
            return None
        return self.clue_colours[-1 if rank == START else (rank - 1) % len(self.clue_colours)]

    def _rank_touches(self, clue: int, suit_index: int, rank: int) -> bool:
        suit = self.suits[suit_index]
        if self.rank_clues_touch_nothing:
            return False
        if suit.all_clue_ranks:
            return True
        if suit.no_clue_ranks:
            return False
        if self.funnels:
            return rank <= clue
        if self.chimneys:
            return rank >= clue
        if self.odds_and_evens:
            return rank % 2 == clue % 2
        if rank == self.special_rank:
            if self.special_rank_all_clue_ranks:
                return True
            if self.special_rank_no_clue_ranks:
                return False
            if self.special_rank_deceptive:
                return clue == self.clue_ranks[suit_index % len(self.clue_ranks)]
        return rank == clue

    @cached_property
    def colour_touch(self) -> tuple[int, ...]:
        """Masks of the identities that each of `clue_colours` touches.

        >>> [hex(mask) for mask in variant("Rainbow (3 Suits)").colour_touch]
        ['0x3e003e', '0x3e3e00']
        """
        return self._masks(self.clue_colours)

    @cached_property
    def rank_touch(self) -> tuple[int, ...]:
        """Masks of the identities that each of `clue_ranks` touches.

        >>> [hex(mask) for mask in variant("Odds and Evens (3 Suits)").rank_touch]
        ['0x2a2a2a', '0x141414']
        """
        return self._masks(self.clue_ranks)

    def _masks(self, clues: Iterable[str | int]) -> tuple[int, ...]:
        cards = [Card(suit, rank) for suit in range(len(self.suits)) for rank in self.ranks]
        return tuple(mask_of(card for card in cards if self.touches(clue, card)) for clue in clues)

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """One letter for each suit, unique within the variant, as in "r1 m5".

        Each is the first letter that no earlier suit has taken: from `Suit.letters`, then from the suit's
        name, then from the alphabet. hanab.live does not have this rule.

        >>> variant("Omni & Orange (5 Suits)").letters
        ('r', 'g', 'b', 'o', 'a')
        """
        return unused_letters(suit.letters + suit.name.lower() for suit in self.suits)


# First part of a code, by name of its group of suits ("" for plain suits) and number of these suits.
_PLAIN: Final = {0: "", 1: "R", 2: "R+B", 3: "R+G+B", 4: "R+Y+G+B", 5: "R+Y+G+B+P", 6: "R+Y+G+B+P+T"}
_DOLLS: Final = ("R2", "DRY3", "DRYG", "DRYGB", "DRYGBP", "DRYGBPT")
_GROUPS: Final = {
    "": _PLAIN,
    "Reversed": {number: f"{codes}:R" for number, codes in _PLAIN.items() if number},
    "Dual-Color": {3: "DRY+DRB+DYB", 5: "DRY+DYG+DGB+DBP+DRP", 6: "DRY+DRB+DRK+DYB+DYK+DBK"},
    "Ambiguous": {2: "AR1+AR2", 4: "AR1+AR2+AB1+AB2", 6: "AR1+AR2+AG1+AG2+AB1+AB2"},
    "Very Ambiguous": {3: "AB1+AB2+AB3", 6: "AR1+AR2+AR3+AB1+AB2+AB3"},
    "Extremely Ambiguous": {n: "+".join(f"EB{i}" for i in range(1, n + 1)) for n in range(1, 7)},
    "Matryoshka": {n: "+".join(_DOLLS[:n]) for n in range(1, 7)},
}

# Codes of variants that cannot be derived from their names.
_MIXES: Final = {
    "Dual-Color Mix": "DRY+DRB+DYB+Bk+Ra+Wh",
    "Ambiguous Mix": "AR1+AR2+AB3+AB2+Bk+Wh",
    "Ambiguous & Dual-Color Mix": "DRY2+DRY+DRB2+DRB+DYG+DYG2",
    "Special Mix (5 Suits)": "Bk+Ra+Pi+Wh+Br",
    "Special Mix (6 Suits)": "Bk+Ra+Pi+Wh+Br+Nu",
    "Candy Corn Mix (5 Suits)": "R+DRY+Y+Wh+Br",
    "Candy Corn Mix (6 Suits)": "R+DRY+Y+Wh+Br+BrRa1",
    "Holiday Mix (5 Suits)": "Pi1+G+Wh+AB3+AB2",
    "Holiday Mix (6 Suits)": "WhPi+R+G+Wh+AB3+AB2",
    "Valentine Mix (5 Suits)": "R+Pi+Wh+WhPi+BrRa1",
    "Valentine Mix (6 Suits)": "R+Pi+Wh+WhPi+BrRa1+Nu",
    "RGB Mix (6 Suits)": "R+DRG+G+DGB+B+DRB",
}


def _special_ranks() -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield name, code and settings of the special rules for a rank, such as "Rainbow-Ones"."""
    kinds = ("Rainbow", "Pink", "White", "Brown", "Omni", "Null", "Muddy Rainbow", "Light Pink")
    for word, rank in (("Ones", 1), ("Fives", 5)):
        others = tuple(other for other in (1, 2, 3, 4, 5) if other != rank)
        for kind in kinds:
            suit = suit_named(kind)
            settings: dict[str, Any] = {"special_rank": rank}
            for flag in ("all_clue_colours", "no_clue_colours", "all_clue_ranks", "no_clue_ranks"):
                settings[f"special_rank_{flag}"] = getattr(suit, flag)
            if suit.all_clue_ranks or suit.no_clue_ranks:
                settings["clue_ranks"] = others
            yield f"{kind.replace(' ', '-')}-{word}", f"{kind[0]}{rank}", settings
        deceptive = {"special_rank": rank, "special_rank_deceptive": True, "clue_ranks": others}
        yield f"Deceptive-{word}", f"D{rank}", deceptive


# Special rules: name, end of the code, settings.
_SPECIALS: Final[tuple[tuple[str, str, Mapping[str, Any]], ...]] = (
    ("", "", {}),
    ("Color Blind", "CB", {"colour_clues_touch_nothing": True}),
    ("Number Blind", "NB", {"rank_clues_touch_nothing": True}),
    ("Totally Blind", "TB", {"colour_clues_touch_nothing": True, "rank_clues_touch_nothing": True}),
    ("Color Mute", "CM", {"clue_colours": ()}),
    ("Number Mute", "NM", {"clue_ranks": ()}),
    ("Up or Down", "UD", {"up_or_down": True, "ranks": (1, 2, 3, 4, 5, START)}),
    ("Sudoku", "Su", {"sudoku": True}),
    ("Clue Starved", "CS", {"clue_starved": True}),
    ("Cow & Pig", "CP", {"cow_and_pig": True}),
    ("Duck", "Du", {"duck": True}),
    ("Throw It in a Hole", "TH", {"throw_it_in_a_hole": True}),
    ("Alternating Clues", "AC", {"alternating_clues": True}),
    ("Synesthesia", "NM,Sy", {"synesthesia": True, "clue_ranks": ()}),
    ("Odds and Evens", "OE", {"odds_and_evens": True, "clue_ranks": (1, 2)}),
    ("Funnels", "Fu", {"funnels": True}),
    ("Chimneys", "Ch", {"chimneys": True}),
    ("Critical Fours", "C4", {"critical_rank": 4}),
    ("Scarce Ones", "S1", {"scarce_ones": True}),
    *_special_ranks(),
)
_SPECIAL_CODES: Final = {name: code for name, code, _ in _SPECIALS}
_SETTINGS: Final = {code: settings for _, code, settings in _SPECIALS}

# Longer than any name or code: longer texts are unknown names.
_LONGEST: Final = 80


def _code_of(name: str) -> str:
    """Return the code of the variant with this name on hanab.live."""
    if name in _MIXES:
        return _MIXES[name]
    if name == "No Variant":
        name = "5 Suits"
    body, _, size = name.rpartition("(")
    body = body.rstrip()
    # "Cow & Pig" is a single name.
    parts = [body] if body in _SPECIAL_CODES else body.split(" & ")
    special = _SPECIAL_CODES.get(parts[0], "")
    if parts[0] in _SPECIAL_CODES:
        del parts[0]
    group = parts.pop(0) if parts and parts[0] in _GROUPS else ""
    codes = [_GROUPS[group][int(size[0]) - len(parts)], *(suit_named(part).code for part in parts)]
    return "+".join(filter(None, codes)) + (f",{special}" if special else "")


def _union(suits: Iterable[Suit]) -> tuple[str, ...]:
    """Return the clue colours of the suits, in the order in which they first occur."""
    return tuple(dict.fromkeys(colour for suit in suits for colour in suit.clue_colours))


def _refusal(suits: tuple[Suit, ...], settings: Mapping[str, Any]) -> str | None:
    """Return why these suits and settings cannot be combined; None if they can."""
    if len(suits) > MAX_SUITS or len(_union(suits)) > MAX_SUITS:
        return f"a variant has at most {MAX_SUITS} suits and {MAX_SUITS} colours"
    if len(set(suits)) < len(suits):
        return "its suits must differ"
    if settings.get("sudoku") and len(suits) not in (4, 5):
        return "Sudoku needs 4 or 5 suits"
    if any(suit.reversed for suit in suits) and (settings.get("sudoku") or settings.get("up_or_down")):
        return "its special rule already sets the direction of its suits"
    return None


def _built(code: str, name: str | None = None, number: int | None = None) -> Variant:
    """Return the variant with this code. Raises `UnknownName` if the code is invalid."""
    of_suits, comma, special = code.partition(",")
    if special not in _SETTINGS or bool(comma) != bool(special):
        raise UnknownName("variant", code, advice="the special rule after the comma is unknown")
    suits = tuple(map(suit_coded, of_suits.split("+")))
    settings = dict(_SETTINGS[special])
    advice = _refusal(suits, settings)
    if advice:
        raise UnknownName("variant", code, advice=advice)
    if settings.get("sudoku"):
        settings["stack_size"] = len(suits)
        settings["ranks"] = settings["clue_ranks"] = tuple(range(1, len(suits) + 1))
    settings.setdefault("clue_colours", _union(suits))
    return Variant(id=number, name=name or code, code=code, suits=suits, **settings)


@cache
def variant_names() -> tuple[str, ...]:
    """Return the names of all variants of hanab.live; the index is the id.

    >>> variant_names()[:4]
    ('No Variant', '6 Suits', 'Black (6 Suits)', 'Rainbow (6 Suits)')
    """
    # Imported here because the import is slow, and "No Variant" does not need the list.
    from importlib import resources

    text = resources.files("hanalyze.game").joinpath("variant_names.txt").read_text("utf-8")
    return tuple(text.splitlines())


@cache
def _ids() -> dict[str, int]:
    return {name.casefold(): number for number, name in enumerate(variant_names())}


@cache
def _ids_of_codes() -> dict[str, int]:
    return {_code_of(name): number for number, name in enumerate(variant_names())}


@cache
def _numbered(number: int, name: str) -> Variant:
    return _built(_code_of(name), name, number)


@lru_cache(1024)
def _coded(code: str) -> Variant:
    """Return the variant with this code, with name and id if hanab.live has the variant."""
    new = _built(code)
    number = _ids_of_codes().get(new.code)
    return new if number is None else _numbered(number, variant_names()[number])


def variant(key: str | int) -> Variant:
    """Return the variant with this name (upper or lower case), id (number or text) or code.

    >>> variant("rainbow (5 suits)") is variant(16) is variant("16") is variant("R+Y+G+B+Ra")
    True
    >>> variant("R+Y").id is None
    True
    >>> variant("Rainbow")
    Traceback (most recent call last):
    hanalyze.errors.UnknownName: there is no variant "Rainbow"; did you mean "Rainbow (6 Suits)" or ...

    Raises `UnknownName` with the most similar names.
    """
    if key == "No Variant":
        return _numbered(0, "No Variant")
    names = variant_names()
    text = key[:_LONGEST].strip() if isinstance(key, str) else ""
    if isinstance(key, str) and len(key) > _LONGEST:
        raise UnknownName("variant", key, _nearest(text.casefold()))
    if isinstance(key, int) or (text.isascii() and text.isdecimal()):
        number = int(key if isinstance(key, int) else text)
        if 0 <= number < len(names):
            return _numbered(number, names[number])
        # Very large integers are shown in hexadecimal, because Python limits their decimal length.
        shown = key if isinstance(key, str) else str(key) if abs(key) < 10**9 else hex(key)
        raise UnknownName("variant", shown, advice=f"ids are 0 to {len(names) - 1}")
    site_id = _ids().get(text.casefold())
    if site_id is not None:
        return _numbered(site_id, names[site_id])
    try:
        return _coded(text)
    except UnknownName as error:
        # A text without "+" and "," is treated as a misspelt name, not as a code.
        advice = str(error) if error.kind == "suit" else error.advice
        is_code = "+" in text or "," in text
    if is_code:
        raise UnknownName("variant", key, advice=advice)
    raise UnknownName("variant", key, _nearest(text.casefold()))


def _nearest(text: str) -> tuple[str, ...]:
    """Return up to 3 names most similar to a lower-case `text`, which may lack the number of suits."""
    ids = _ids()
    without: dict[str, list[str]] = {}
    for name in ids:
        without.setdefault(name.partition(" (")[0], []).append(name)
    close = difflib.get_close_matches(text, ids, 3)
    alike = [] if close else difflib.get_close_matches(text, without, 3)
    near = dict.fromkeys([*without.get(text, ()), *close, *(n for stem in alike for n in without[stem])])
    return tuple(variant_names()[ids[name]] for name in list(near)[:3])
