"""What a player sees before a turn: plain values, and the same as text.

In: a running game, a seat, and what was done so far. Out: `Sight`. Nothing in it comes from a card that the
seat does not see: not what the card is, nor what others conclude from seeing it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hanalyze.engine.game import Game
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.measure import critical_cards, needed_cards, pace, score
from hanalyze.engine.step import clue_touch, find_defect
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE, Action, ActionKind
from hanalyze.game.cards import RANK_SLOTS, Card, IdentitySet, card_name, card_of
from hanalyze.game.rules import EndCondition
from hanalyze.game.variants import Variant
from hanalyze.position import ClueMark
from hanalyze.tables import PACE_NULL

_CLUES = (COLOUR_CLUE, RANK_CLUE)


@dataclass(frozen=True, slots=True)
class SightedCard:
    """A card in a hand, as one player sees it.

    `order` is its index in the deck, `slot` its place in the hand, 1 the newest; `card` is None in the own
    hand. `possible`: of an own card, what it can be by its clues, by all cards in sight and by the hand as a
    whole; of another player's card, what its clues leave, as everybody knows. `clues`: those given to the
    hand while the card was in it, whether or not they touched it.
    """

    order: int
    slot: int
    card: Card | None
    possible: IdentitySet
    clues: tuple[ClueMark, ...]

    @property
    def clued(self) -> bool:
        """Whether any clue touched it."""
        return any(mark.touched for mark in self.clues)


@dataclass(frozen=True, slots=True)
class PastAction:
    """An action that was carried out: when, by whom, and what everybody saw of it.

    `card` is the card played or discarded, `slot` where it was (0 the deck), both None for clues; `result` is
    a word of the column `result` (`played`, `misplayed`, `discarded`, `clued`); `touched` are the orders that
    a clue touched.
    """

    turn: int
    seat: int
    action: Action
    result: str
    card: Card | None = None
    slot: int | None = None
    touched: tuple[int, ...] = ()


class Past:
    """What was done so far, and the marks that it left on cards."""

    def __init__(self) -> None:
        self.actions: list[PastAction] = []
        self.marks: dict[int, list[ClueMark]] = {}
        self.gone: list[tuple[Card, bool]] = []
        """The cards that left hands, in order, and whether each went on a stack."""


@dataclass(frozen=True, slots=True)
class Sight:
    """Everything that a player knows before a turn, without conventions.

    `me` is the player's own seat, `seat` the one to move; `turn` counts from 0. `hands`: by seat, the oldest
    card first. `stacks`: by suit, the cards on it, bottom first; `discards` in order of discarding, misplays
    included. `clue_tokens` may have halves in Clue Starved; `deck` counts the cards left; `turns_left` is
    None until the deck is empty. `playable`, `needed` and `critical` are the identities that fit a stack now,
    can still score, and of those the ones with one copy left. `past`: all actions, the first first. `legal`:
    what the player to move may do, empty for the others and once the game is over.

    `str()` of it says all that in words.

    >>> from hanalyze.agents import Game
    >>> sight = Game(2, seed="p2v0s1").sees(0)
    >>> sight.hands[0][0].card, sight.hands[1][0].card
    (None, Card(suit=3, rank=3))
    """

    me: int
    turn: int
    seat: int
    players: tuple[str, ...]
    letters: tuple[str, ...]
    clue_colours: tuple[str, ...]
    hands: tuple[tuple[SightedCard, ...], ...]
    stacks: tuple[tuple[Card, ...], ...]
    discards: tuple[Card, ...]
    clue_tokens: float
    strikes: int
    deck: int
    turns_left: int | None
    score: int
    max_score: int
    pace: int | None
    end_condition: str
    playable: IdentitySet = field(repr=False)
    needed: IdentitySet = field(repr=False)
    critical: IdentitySet = field(repr=False)
    everything: IdentitySet = field(repr=False)
    past: tuple[PastAction, ...] = field(repr=False)
    legal: tuple[Action, ...] = field(repr=False)
    _touch: tuple[tuple[IdentitySet, ...], tuple[IdentitySet, ...]] = field(repr=False)
    """What a clue of each colour touches, and of each rank from 0 to 7."""

    @property
    def hand(self) -> tuple[SightedCard, ...]:
        """The own hand, the oldest card first."""
        return self.hands[self.me]

    def touched(self, action: Action) -> tuple[SightedCard, ...]:
        """Return the cards that a clue to another player touches, the oldest first.

        Raises `ValueError` for an action that is no legal clue of this turn to another player.
        """
        if action not in self.legal or action.kind not in _CLUES or action.target == self.me:
            raise ValueError(f"not a legal clue to another player: {action}")
        reach = self._touch[action.kind == RANK_CLUE][action.value]
        cards = self.hands[action.target]
        return tuple(held for held in cards if held.card is not None and held.card in reach)

    def say(self, action: Action) -> str:
        """Return an action of the player to move in words.

        >>> from hanalyze.agents import Game
        >>> sight = Game(2, seed="p2v0s1").sees()
        >>> sight.say(sight.legal[0]), sight.say(sight.legal[-1])
        ('play slot 5', 'clue Bob 4')
        """
        kind, target, value = action
        if kind in _CLUES:
            what = self.clue_colours[value] if kind == COLOUR_CLUE else str(value)
            return f"clue {self.players[target]} {what}"
        verb = ActionKind(kind).name.lower()
        slot = next((held.slot for held in self.hands[self.seat] if held.order == target), 0)
        return f"{verb} slot {slot}" if slot else f"{verb} the last card of the deck"

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def _lines(sight: Sight) -> Iterator[str]:
    """Yield what a player sees as lines of text."""
    letters = sight.letters

    def names(cards: Sequence[Card]) -> str:
        return " ".join(card_name(card, letters) for card in cards) or "none"

    mover = sight.players[sight.seat] + (" (you)" if sight.seat == sight.me else "")
    to_move = f"{mover} to move" if sight.end_condition == "unfinished" else f"over: {sight.end_condition}"
    yield f"turn {sight.turn + 1}, {to_move}"
    yield (
        f"clue tokens {sight.clue_tokens}, strikes {sight.strikes}, cards in the deck {sight.deck},"
        f" score {sight.score} of at most {sight.max_score}"
        + (f", turns left {sight.turns_left}" if sight.turns_left is not None else "")
    )
    stacks = (letter + str(len(stack)) for letter, stack in zip(letters, sight.stacks, strict=False))
    yield f"cards on the stacks: {' '.join(stacks)}; playable now: {sight.playable}"
    yield f"discards: {names(sight.discards)}"
    for seat, hand in enumerate(sight.hands):
        yield f"{sight.players[seat]}{' (you)' if seat == sight.me else ''}:"
        for held in reversed(hand):
            marks = ", ".join(_mark(sight, mark) for mark in held.clues) or "none"
            can_be = "anything" if held.possible == sight.everything else str(held.possible)
            shown = "?" if held.card is None else card_name(held.card, letters)
            yield f"  slot {held.slot}: {shown}; clues: {marks}; can be {can_be}"
    yield "actions so far:" if sight.past else "actions so far: none"
    for done in sight.past:
        yield f"  turn {done.turn + 1}: {sight.players[done.seat]} {_done(sight, done)}"
    if sight.legal:
        yield "legal actions: " + "; ".join(map(sight.say, sight.legal))


def _mark(sight: Sight, mark: ClueMark) -> str:
    what = sight.clue_colours[mark.value] if mark.kind == ActionKind.COLOUR_CLUE else str(mark.value)
    return what if mark.touched else f"not {what}"


def _done(sight: Sight, done: PastAction) -> str:
    """Return a past action in words."""
    if done.card is None:
        cards = len(done.touched)
        return f"{done.result} {sight.say(done.action).removeprefix('clue ')}, touching {cards}"
    where = f"slot {done.slot}" if done.slot else "the deck"
    return f"{done.result} {card_name(done.card, sight.letters)} from {where}"


def _candidates(game: Game) -> Iterator[Action]:
    """Yield all actions that could be legal, plays first, the oldest card first, then discards and clues."""
    seat = game.seat
    held = [game.hands[seat][i] for i in range(game.hand_len[seat])]
    for kind in (PLAY, DISCARD):
        # The last is the card on top of the deck, where it may be played from there.
        for order in [*held, *([game.drawn] if game.drawn < game.cards else [])]:
            yield Action(kind, order, 0)
    for ahead in range(game.seats):
        other = (seat + ahead) % game.seats
        for kind, values in ((COLOUR_CLUE, game.variant.colours), (RANK_CLUE, RANK_SLOTS)):
            for value in range(values):
                yield Action(kind, other, value)


def _surely_touches(game: Game, action: Action) -> bool:
    """Return whether the player to move knows that a clue to the own hand touches a card of it."""
    touch = clue_touch(game, action.kind, action.value)
    known = game.know.known[game.seat]
    return any(known[i] & ~touch == 0 for i in range(game.hand_len[game.seat]))


def legal_actions(game: Game) -> tuple[Action, ...]:
    """Return the actions that the player to move knows to be legal.

    Where players may clue themselves and no clue may be empty, a clue to the own hand is among them only if
    it is known to touch a card: the list says nothing of hidden cards. `know` is up to date.
    """
    if game.end_condition != EndCondition.UNFINISHED:
        return ()
    return tuple(
        action
        for action in _candidates(game)
        if find_defect(game, *action) == 0
        and (
            action.kind in (PLAY, DISCARD)
            or action.target != game.seat
            or game.rules.empty_clues
            or _surely_touches(game, action)
        )
    )


def _hand(
    game: Game, me: int, seat: int, marks: dict[int, list[ClueMark]], letters: tuple[str, ...]
) -> tuple[SightedCard, ...]:
    size = game.hand_len[seat]
    cards = []
    for i in range(size):
        order = game.hands[seat][i]
        own = seat == me
        cards.append(
            SightedCard(
                order=order,
                slot=size - i,
                card=None if own else card_of(game.identity[order]),
                possible=IdentitySet(game.know.known[seat][i] if own else game.possible[order], letters),
                clues=tuple(marks.get(order, ())),
            )
        )
    return tuple(cards)


def sight_of(game: Game, me: int, players: tuple[str, ...], variant: Variant, past: Past) -> Sight:
    """Return what seat `me` sees of a running game."""
    read_hands(game)
    letters = variant.letters
    tokens = game.tokens / game.variant.token_unit
    pace_now = pace(game)
    stacks: list[list[Card]] = [[] for _ in variant.suits]
    for card, played in past.gone:
        if played:
            stacks[card.suit].append(card)

    def among(mask: int) -> IdentitySet:
        return IdentitySet(mask, letters)

    rank_touch = tuple(among(game.variant.rank_touch[rank]) for rank in range(RANK_SLOTS))
    needed = needed_cards(game)
    return Sight(
        me=me,
        turn=game.turn,
        seat=game.seat,
        players=players,
        letters=letters,
        clue_colours=variant.clue_colours,
        hands=tuple(_hand(game, me, seat, past.marks, letters) for seat in range(game.seats)),
        stacks=tuple(map(tuple, stacks)),
        discards=tuple(card for card, played in past.gone if not played),
        clue_tokens=int(tokens) if tokens == int(tokens) else tokens,
        strikes=game.strikes,
        deck=game.cards - game.drawn,
        turns_left=game.end_turn - game.turn if game.end_turn >= 0 else None,
        score=score(game),
        max_score=game.max_score,
        pace=None if pace_now == PACE_NULL else pace_now,
        end_condition=EndCondition(game.end_condition).label,
        playable=among(game.playable),
        needed=among(needed),
        critical=among(critical_cards(game)),
        everything=among(game.variant.everything[0]),
        past=tuple(past.actions),
        legal=legal_actions(game) if game.seat == me else (),
        _touch=(tuple(map(among, game.variant.colour_touch[: game.variant.colours])), rank_touch),
    )
