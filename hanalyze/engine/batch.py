"""Check the rules, variants and decks of game records, and convert the records to arrays for the engine."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.decks import decks as deal_seeds
from hanalyze.engine.game import (
    ALTERNATING,
    COLOURS_TOUCH_NOTHING,
    HOLE,
    INVERTED,
    PLAIN,
    RANKS_TOUCH_NOTHING,
    SILENT,
    SUDOKU,
    UP_OR_DOWN,
    Ints,
    RulesLookup,
    VariantLookup,
)
from hanalyze.errors import HanalyzeError, LogError, UnsupportedOption, check_kind
from hanalyze.game.cards import MAX_CARDS, identity, mask_of
from hanalyze.game.editions import Rules, edition as named_edition
from hanalyze.game.names import colour_names, suit_letters, suit_names
from hanalyze.game.variants import Variant, variant as named_variant
from hanalyze.kernels.record import Record, dtype_of, packed
from hanalyze.logs.record import GameRecord, Options
from hanalyze.text import shorten


@functools.lru_cache(maxsize=4096)
def variant_lookup(variant: Variant) -> VariantLookup:
    """Return the parameters of a variant; all games in the variant share them.

    >>> from hanalyze.game.variants import variant
    >>> variant_lookup(variant("6 Suits")).suits
    6
    """
    lookup = VariantLookup()
    lookup.suits = len(variant.suits)
    lookup.stack_size = variant.stack_size
    lookup.colours = len(variant.clue_colours)
    lookup.stack_kind = UP_OR_DOWN if variant.up_or_down else SUDOKU if variant.sudoku else PLAIN
    lookup.flags = (
        HOLE * variant.throw_it_in_a_hole
        + ALTERNATING * variant.alternating_clues
        + INVERTED * any(suit.inverted for suit in variant.suits)
        + COLOURS_TOUCH_NOTHING * variant.colour_clues_touch_nothing
        + RANKS_TOUCH_NOTHING * variant.rank_clues_touch_nothing
        + SILENT * (variant.cow_and_pig or variant.duck)
    )
    lookup.token_unit = 2 if variant.clue_starved else 1
    lookup.reversed = sum(suit.reversed << index for index, suit in enumerate(variant.suits))
    lookup.clue_ranks = sum(1 << rank for rank in variant.clue_ranks)
    for card in variant.deck:
        lookup.copies[identity(*card)] += 1
    for copies in range(3):
        lookup.everything[copies] = mask_of(
            card for card in variant.deck if lookup.copies[identity(*card)] > copies
        )
    if lookup.stack_kind == PLAIN:
        last = mask_of(
            (index, 1 if suit.reversed else variant.stack_size) for index, suit in enumerate(variant.suits)
        )
        lookup.last_ranks = last & lookup.everything[0] & ~lookup.everything[1]
    for colour, mask in enumerate(variant.colour_touch):
        lookup.colour_touch[colour] = mask
    for rank, mask in zip(variant.clue_ranks, variant.rank_touch, strict=True):
        lookup.rank_touch[rank] = mask
    return lookup


@functools.lru_cache(maxsize=4096)
def rules_lookup(rules: Rules) -> RulesLookup:
    """Return the parameters of the rules; all games under these rules share them.

    >>> rules_lookup(Rules(strikes=2)).strikes_to_lose
    2
    """
    lookup = RulesLookup()
    lookup.strikes_to_lose = rules.strikes
    for name in lookup.__slots__:
        if name != "strikes_to_lose":
            setattr(lookup, name, int(getattr(rules, name)))
    return lookup


@functools.lru_cache(maxsize=8192)
def _packed(lookup: Record) -> Any:
    # Lookups are shared and never change, so the cache can identify them by object identity.
    return packed(type(lookup), [lookup])[0]


def laid_out(kind: type[Record], lookups: Sequence[Record]) -> NDArray[np.void]:
    """Return lookups of one class as an array (lookups,) for compiled code; packed lookups are cached."""
    return np.array([_packed(lookup) for lookup in lookups], dtype_of(kind))


MOST_ACTIONS: Final = 32_767
"""Maximum number of actions of a log, the largest int16: columns that count turns have this type."""


class GameBatch(NamedTuple):
    """Games as arrays.

    `variants` and `rules` have one record for each variant and each set of rules in the games. These fields
    have one value per game: `variant` and `rules_row` (indices of its records), `seats`, `first_seat`,
    `hand_size`, `cards` (deck size), `actions` (number of actions) and `first_action` (index of the first).
    `deck` (games, `MAX_CARDS`) contains the identities in order, then zeros. `kind`, `target` and `value`
    contain the actions of all games, game after game.
    """

    variants: Sequence[VariantLookup]
    rules: Sequence[RulesLookup]
    variant: Ints
    rules_row: Ints
    seats: Ints
    first_seat: Ints
    hand_size: Ints
    cards: Ints
    actions: Ints
    first_action: Ints
    deck: NDArray[np.uint8]
    kind: Ints
    target: Ints
    value: Ints

    def laid_out(self, *, fast: bool) -> GameBatch:
        """Return the batch as NumPy arrays for compiled code, or as lists of integers for the interpreter."""
        columns: Any = self[2:]
        if fast:
            settings: Any = laid_out(VariantLookup, self.variants), laid_out(RulesLookup, self.rules)
            return GameBatch(*settings, *columns)
        return GameBatch(self.variants, self.rules, *(column.tolist() for column in columns))


def rules_of(record: GameRecord, edition: str | None = None) -> Rules:
    """Return the rules of an edition (`edition`, else the log's, else hanab-live), with the log's options.

    Raises the errors of `hanalyze.game.editions.edition`, and `UnsupportedOption` for detrimental characters.
    """
    return _rules(edition or record.edition or "hanab-live", record.options)


@functools.lru_cache(1000)
def _rules(name: str, options: Options) -> Rules:
    rules = named_edition(name)
    if options.detrimental_characters:
        what = "games with detrimental characters (option detrimentalCharacters) are not supported"
        raise UnsupportedOption(what, option="detrimentalCharacters")
    extra = options.one_extra_card - options.one_less_card
    return replace(
        rules,
        empty_clues=rules.empty_clues or options.empty_clues,
        all_or_nothing=rules.all_or_nothing or options.all_or_nothing,
        speedrun=rules.speedrun or options.speedrun,
        deck_plays=rules.deck_plays or options.deck_plays,
        card_cycle=rules.card_cycle or options.card_cycle,
        hand_size_change=extra or rules.hand_size_change,
    )


def variant_of(record: GameRecord, rules: Rules) -> Variant:
    """Return the variant of a game; some editions, such as Farbrausch, determine it.

    Raises `UnknownName` for a variant that does not exist. Raises `LogError` if the edition determines a
    variant and the log names another one (other than No Variant), if hands have no cards, or if the deck has
    too few cards for the hands.
    """
    if rules.variant and record.variant not in ("No Variant", rules.variant):
        what = f'the log says variant "{shorten(record.variant)}", but the edition plays "{rules.variant}"'
        raise LogError(what, rule="variant_of_edition")
    variant = named_variant(rules.variant or record.variant)
    seats = len(record.players)
    size = rules.hand_size(seats)
    if size < 1:
        what = f"hand_size_change={rules.hand_size_change} leaves {seats} players without cards"
        raise LogError(what, rule="bad_rule")
    if seats * size > variant.deck_size:
        what = f'{seats} hands of {size} cards, but "{variant.name}" has {variant.deck_size} cards'
        raise LogError(what, rule="deck_too_small")
    return variant


def _check_players(record: GameRecord, rules: Rules) -> None:
    """Raise `LogError` for a wrong number of players, too many actions or an invalid starting player."""
    seats = len(record.players)
    if not 2 <= seats <= rules.max_players:
        players = f"{seats} player{'s' if seats != 1 else ''}"
        raise LogError(f"{players}, but {rules.edition} is for 2 to {rules.max_players}", rule="player_count")
    if len(record.actions) > MOST_ACTIONS:
        what = f"{len(record.actions)} actions, but a log can have at most {MOST_ACTIONS}"
        raise LogError(what, rule="too_many_actions")
    if not 0 <= record.options.starting_player < seats:
        what = f"starting player {record.options.starting_player}, but seats are 0 to {seats - 1}"
        raise LogError(what, rule="starting_player")


def _check_deck(deck: Sequence[tuple[int, int]], variant: Variant) -> None:
    """Raise `LogError` if a deck does not consist of the variant's cards."""
    if len(deck) != variant.deck_size:
        what = f'a deck of {len(deck)} cards, but "{variant.name}" has {variant.deck_size}'
        raise LogError(what, rule="deck_size")
    need = Counter((suit, rank) for suit, rank in variant.deck)
    for order, card in enumerate(deck):
        if tuple(card) not in need:
            what = f'card {order} is suit {card[0]} rank {card[1]}, which "{variant.name}" does not have'
            raise LogError(what, rule="deck_composition")
    for (suit, rank), copies in Counter((suit, rank) for suit, rank in deck).items():
        if copies > need[suit, rank]:
            what = f"{copies} copies of suit {suit} rank {rank} in the deck"
            what += f', but "{variant.name}" has {need[suit, rank]}'
            raise LogError(what, rule="deck_composition")


@functools.cache
def _identities(variant: Variant) -> tuple[dict[tuple[int, int], int], list[int]]:
    """Return the identities of a variant's cards by card, and the sorted identities of its deck."""
    return {card: identity(*card) for card in variant.deck}, sorted(identity(*card) for card in variant.deck)


def _deck_numbers(deck: Sequence[tuple[int, int]], variant: Variant) -> NDArray[np.uint8]:
    """Return a log's deck as identities (cards,); raise `LogError` if it is not a deck of the variant."""
    identities, whole = _identities(variant)
    try:
        numbers = bytearray(map(identities.__getitem__, deck))
    except (KeyError, TypeError):
        numbers = bytearray()
    if sorted(numbers) == whole:
        return np.frombuffer(numbers, np.uint8)
    _check_deck(deck, variant)
    raise AssertionError("`_check_deck` accepted a deck that is not the variant's")


class Deal(NamedTuple):
    """A record with its rules, its variant and its deck: identities (cards,) uint8, top card first.

    `differs` is True if the log has a deck and a seed, but the seed does not deal that deck.
    """

    record: GameRecord
    rules: Rules
    variant: Variant
    deck: NDArray[np.uint8]
    differs: bool

    @property
    def suit_names(self) -> tuple[str, ...]:
        """Names of the suits, indexed by suit."""
        return suit_names(self.variant, self.rules)

    @property
    def letters(self) -> tuple[str, ...]:
        """One letter for each suit, unique within the game."""
        return suit_letters(self.variant, self.suit_names)

    @property
    def clue_colours(self) -> tuple[str, ...]:
        """Names of the clue colours, indexed by the value of a colour clue."""
        return colour_names(self.variant, self.suit_names)


def _deal_from_seeds(
    records: Sequence[tuple[int, GameRecord, Variant]], refuse: Callable[[int, HanalyzeError], None]
) -> dict[int, NDArray[np.uint8]]:
    """Deal the decks of records with seeds; return them by record index, and call `refuse` for bad seeds."""
    groups: dict[tuple[str, Variant], list[tuple[int, str]]] = {}
    for index, record, variant in records:
        if record.seed is None:
            continue
        groups.setdefault((record.shuffle or "hanab-live", variant), []).append((index, record.seed))
    dealt: dict[int, NDArray[np.uint8]] = {}
    for (shuffle, variant), members in groups.items():
        try:
            rows = deal_seeds([seed for _, seed in members], variant, shuffle)
            dealt.update(zip((index for index, _ in members), rows, strict=True))
        except HanalyzeError:
            # At least one seed is bad: deal each seed separately to find it.
            for index, seed in members:
                try:
                    dealt[index] = deal_seeds([seed], variant, shuffle)[0]
                except HanalyzeError as error:
                    refuse(index, error)
    return dealt


def deal_records(
    records: Iterable[GameRecord],
    *,
    edition: str | None = None,
    on_error: Callable[[GameRecord, HanalyzeError], None] | None = None,
) -> list[Deal]:
    """Return the records with rules, variant and deck; pass records that cannot be dealt to `on_error`.

    A log with a seed but without a deck is dealt from the seed. `edition` overrides the editions that the
    logs name. Without `on_error`, a record that cannot be dealt raises a `HanalyzeError`, mostly `LogError`,
    `UnknownName` or `UnsupportedOption`, that names file, line and game. An object that is not a record
    always raises `HanalyzeError` (rule `usage`).
    """

    def refuse(record: GameRecord, error: HanalyzeError) -> None:
        error.at(file=record.file, line=record.line, game=record.name)
        if on_error is None:
            raise error
        on_error(record, error)

    ready: list[tuple[int, GameRecord, Rules, Variant]] = []
    for index, record in enumerate(records):
        check_kind(record, GameRecord, "load the log first, as in replay(load(path))")
        try:
            rules = rules_of(record, edition)
            _check_players(record, rules)
            ready.append((index, record, rules, variant_of(record, rules)))
        except HanalyzeError as error:
            refuse(record, error)
    bad_seeds: dict[int, HanalyzeError] = {}
    requests = [(index, record, variant) for index, record, _, variant in ready]
    dealt = _deal_from_seeds(requests, bad_seeds.__setitem__)
    deals = []
    for index, record, rules, variant in ready:
        seeded = dealt.get(index)
        try:
            deck = seeded if record.deck is None else _deck_numbers(record.deck, variant)
            if deck is None:
                what = "neither a deck nor a seed to deal one from"
                raise bad_seeds.get(index) or LogError(what, rule="no_deck")
        except HanalyzeError as error:
            refuse(record, error)
            continue
        differs = record.deck is not None and record.seed is not None
        differs = differs and (seeded is None or seeded.tobytes() != deck.tobytes())
        deals.append(Deal(record, rules, variant, deck, differs))
    return deals


def make_batch(deals: Sequence[Deal]) -> GameBatch:
    """Return dealt records as arrays for the engine."""
    counts = np.fromiter((len(deal.record.actions) for deal in deals), np.int64, len(deals))
    total = int(counts.sum())
    actions = itertools.chain.from_iterable(deal.record.actions for deal in deals)
    numbers = itertools.chain.from_iterable(actions)
    return batch_from(
        [(deal.rules, deal.variant, len(deal.record.players), deal.record.options) for deal in deals],
        [deal.deck for deal in deals],
        np.fromiter(numbers, np.int64, 3 * total).reshape(total, 3),
        counts,
    )


def batch_from(
    settings: Sequence[tuple[Rules, Variant, int, Options]],
    decks: Sequence[NDArray[np.uint8]],
    actions: Ints,
    counts: Ints,
) -> GameBatch:
    """Return games as arrays for the engine.

    For each game, `settings` has its rules, variant, number of players and options, `decks` the identities of
    its deck in order, and `counts` its number of actions. `actions` (actions, 3) contains kind, target and
    value of the actions of all games, game after game.
    """
    variants: dict[Variant, int] = {}
    rules: dict[Rules, int] = {}
    count = len(settings)
    deck = np.zeros((count, MAX_CARDS), np.uint8)
    for row, cards in enumerate(decks):
        deck[row, : len(cards)] = cards

    def ints(values: Iterable[int]) -> Ints:
        return np.fromiter(values, np.int64, count)

    variant_rows = ints(variants.setdefault(variant, len(variants)) for _, variant, _, _ in settings)
    rules_rows = ints(rules.setdefault(own, len(rules)) for own, _, _, _ in settings)
    return GameBatch(
        variants=[variant_lookup(one) for one in variants],
        rules=[rules_lookup(one) for one in rules],
        variant=variant_rows,
        rules_row=rules_rows,
        seats=ints(seats for _, _, seats, _ in settings),
        first_seat=ints(options.starting_player for _, _, _, options in settings),
        hand_size=ints(own.hand_size(seats) for own, _, seats, _ in settings),
        cards=ints(len(cards) for cards in decks),
        actions=counts,
        first_action=np.cumsum(counts) - counts,
        deck=deck,
        kind=np.ascontiguousarray(actions[:, 0]),
        target=np.ascontiguousarray(actions[:, 1]),
        value=np.ascontiguousarray(actions[:, 2]),
    )
