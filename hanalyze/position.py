"""The state of the table before a turn, with all hands open or as some seats see it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from hanalyze.engine.game import IN_DISCARD, SILENT, Game, Knowledge, PresentAction, WeighedHand
from hanalyze.engine.knowledge import read_hands, unsee_hand
from hanalyze.engine.measure import cards_gotten, clues_left, future_efficiency, needed_cards, pace, score
from hanalyze.engine.odds import odds, share, weighed
from hanalyze.engine.rules import touched_indices
from hanalyze.errors import HanalyzeError
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE, ActionKind
from hanalyze.game.cards import MAX_CARDS, Card, IdentitySet, card_name, card_of
from hanalyze.game.editions import EndCondition
from hanalyze.tables import PACE_NULL
from hanalyze.text import apart

P = TypeVar("P", bound="Position")


@dataclass(frozen=True, slots=True)
class ClueMark:
    """A clue that was given to a hand while a card was in it; `turn` and the seat `giver` count from 0.

    `touched` tells whether the clue touched the card. `value` is the rank, or the index among the variant's
    clue colours; it is -1 for a hidden card in variants that hide the value from the holder.
    """

    turn: int
    giver: int
    kind: ActionKind
    value: int
    touched: bool


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card in a hand.

    `order` is the index of the card in the deck, from 0, and `slot` its place in the hand (1: newest card).
    `card` is None if the card is hidden. `possible` are the identities that its holder cannot rule out by
    clues, visible cards and the hand as a whole. `clues` are all clues given to the hand while the card was
    in it.
    """

    order: int
    slot: int
    card: Card | None
    possible: IdentitySet
    clues: tuple[ClueMark, ...]

    @property
    def clued(self) -> bool:
        """Whether any clue touched the card."""
        return any(mark.touched for mark in self.clues)


class Odds(NamedTuple):
    """Chances, 0 to 1, that a card is playable, trash (not needed) or critical (needed, one copy left)."""

    playable: float
    trash: float
    critical: float


Marks: TypeAlias = Mapping[int, tuple[ClueMark, ...]]


class MoveHistory(NamedTuple):
    """The earlier moves, as far as a position shows them.

    `marks` are the clue marks of the cards in hands, by the order of the card. `departed` are the orders of
    the cards that were played or discarded, oldest first.
    """

    marks: Marks
    departed: tuple[int, ...]

    def after(self, game: Game, kind: int, target: int, value: int) -> MoveHistory:
        """Return the history after a further action; `game` must be the game before that action."""
        marks = dict(self.marks)
        if kind in (PLAY, DISCARD):
            marks.pop(target, None)
            return MoveHistory(marks, (*self.departed, target))
        if kind not in (COLOUR_CLUE, RANK_CLUE):
            return self
        touched = touched_indices(game, target, kind, value)
        for i in range(game.hand_len[target]):
            mark = ClueMark(game.turn, game.seat, ActionKind(kind), value, bool(touched >> i & 1))
            order = game.hands[target][i]
            marks[order] = (*marks.get(order, ()), mark)
        return MoveHistory(marks, self.departed)

    def seen_in(self, game: Game) -> MoveHistory:
        """Return the history in which, in Cow & Pig and Duck, clues to hidden cards have the value -1."""
        if not game.variant.flags & SILENT:
            return self

        def seen(order: int, marks: tuple[ClueMark, ...]) -> tuple[ClueMark, ...]:
            return marks if game.identity[order] >= 0 else tuple(replace(mark, value=-1) for mark in marks)

        return self._replace(marks={order: seen(order, marks) for order, marks in self.marks.items()})


NO_MOVES: Final = MoveHistory({}, ())


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Position:
    """The state of the table before a turn; `seen_by` returns it with hidden hands.

    `turn` counts from 0; `seat` is the seat to move. `players` are the names by seat, and `letters` the
    letters of the suits. `hands` are indexed by seat (oldest card first), `stacks` by suit (bottom card
    first); `discards` are oldest first. `clue_tokens` may have halves in Clue Starved. `deck` is the number
    of cards left. `max_score` is the best score still possible. `pace` is None once the deck is empty or the
    game is over.

    `unseen` has three sets for each seat: the identities with at least one, two and three copies that the
    player does not see. `playable`, `needed` and `critical` are facts about identities, whatever players
    know. `cards_gotten`, `clues_lost` (with halves in Clue Starved) and `future_efficiency` (cards still to
    get per clue left, None without clues left or once the deck is empty) are defined as on hanab.live.
    `cards_gotten` and `future_efficiency` are also None if a clued card is hidden.

    `str()` of a position shows the table as text.

    >>> import hanalyze as hz
    >>> position = hz.replay(hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1")).state(0)
    >>> position.playable, len(position.possible[0][0])
    (IdentitySet("r1 y1 g1 b1 p1"), 25)
    """

    turn: int
    seat: int
    players: tuple[str, ...]
    letters: tuple[str, ...]
    hands: tuple[tuple[HeldCard, ...], ...]
    stacks: tuple[tuple[Card, ...], ...]
    discards: tuple[Card, ...]
    clue_tokens: float
    strikes: int
    deck: int
    score: int
    max_score: int
    pace: int | None
    end_condition: str
    unseen: tuple[tuple[IdentitySet, ...], ...]
    playable: IdentitySet
    needed: IdentitySet
    critical: IdentitySet
    cards_gotten: int | None
    clues_lost: float
    future_efficiency: float | None
    _game: Game | None = field(compare=False)
    """The engine's state of the game; None if a hand is hidden."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.summary}>"

    def __str__(self) -> str:
        names = apart(self.players)
        width = max(map(len, names))
        discards = " ".join(card_name(card, self.letters) for card in self.discards)
        lines = [self.summary, f"stacks {' '.join(self.stack_tops)}; discards {discards or 'none'}"]
        for seat, (name, hand) in enumerate(zip(names, self.hands, strict=True)):
            cards = "  ".join(f"{self._text(card):3}" for card in reversed(hand))
            lines.append(f"{'▸' if seat == self.seat else ' '} {name:{width}}  {cards}".rstrip())
        return "\n".join([*lines, "newest card first; • clued; ▸ to move"])

    def _text(self, card: HeldCard) -> str:
        name = "?" if card.card is None else card_name(card.card, self.letters)
        return f"{name}•" if card.clued else name

    @property
    def summary(self) -> str:
        """One line with the turn, score, tokens, strikes, deck and pace.

        >>> import hanalyze as hz
        >>> hz.replay(hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1")).state(0).summary
        'before turn 1: score 0 of 25 possible, 8 clue tokens, 0 strikes, 40 in the deck, pace 17'
        """
        return (
            f"before turn {self.turn + 1}: score {self.score} of {self.max_score} possible,"
            f" {self.clue_tokens:g} clue tokens, {self.strikes} strikes, {self.deck} in the deck,"
            f" pace {'none' if self.pace is None else self.pace}"
        )

    @property
    def stack_tops(self) -> tuple[str, ...]:
        """Top card of each stack as players write it, by suit; an empty stack has rank 0, such as `r0`."""
        return tuple(
            card_name(stack[-1], self.letters) if stack else f"{self.letters[suit]}0"
            for suit, stack in enumerate(self.stacks)
        )

    @property
    def possible(self) -> tuple[tuple[IdentitySet, ...], ...]:
        """Identities that the holder of a card cannot rule out, indexed by seat and card (oldest first)."""
        return tuple(tuple(card.possible for card in hand) for hand in self.hands)

    def seen_by(self, *seats: int) -> Position:
        """Return the position as a seat sees it; for several seats, with only the information that all share.

        The hands of these seats have no identities. Other players' deductions from these hands are undone.
        Raises `HanalyzeError` (rule `no_such_seat`), and `ValueError` if a hand is hidden already.

        >>> import hanalyze as hz
        >>> position = hz.replay(hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1")).state(0)
        >>> [hand[0].card for hand in position.seen_by(0).hands]
        [None, Card(suit=3, rank=3)]
        """
        if self._game is None:
            raise ValueError("a hand of this position is hidden already")
        for seat in seats:
            check_seat(seat, self.players)
        marks: Marks = {card.order: card.clues for hand in self.hands for card in hand}
        game = seen_game(self._game, *seats)
        marks = MoveHistory(marks, ()).seen_in(game).marks
        return replace(self, **_fields_by_cards(game, marks, self.letters))

    def extended(self, kind: type[P], **more: Any) -> P:
        """Return the position as an instance of a subclass, with additional or replaced fields `more`."""
        return kind(**{one.name: getattr(self, one.name) for one in fields(Position)} | more)

    def chance(self, order: int, identities: IdentitySet, among: IdentitySet | None = None) -> float:
        """Return the chance, 0 to 1, that a card of a hand is among `identities`, as its holder sees it.

        The chance is by card counting: it is the share of the possible assignments of unseen cards to the
        whole hand. With `among`, only assignments count in which the card is one of `among`; the result is 0
        if there are none. Raises `ValueError` for a card that is not in a hand.

        >>> import hanalyze as hz
        >>> position = hz.replay(hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1")).state(0)
        >>> round(45 * position.chance(0, position.playable))  # of 45 cards that Alice does not see
        13
        """
        seat, index = self._place(order)
        mask = self.hands[seat][index].possible.mask & (among.mask if among is not None else -1)
        if not mask & self.unseen[seat][0].mask:
            return 0.0
        return share(self._weighed(seat), index, mask, identities.mask)

    def odds(self, seat: int) -> list[Odds]:
        """Return the chances that each card of a hand (oldest first) is playable, trash and critical.

        The chances, 0 to 1, are by card counting, as in `chance`. Raises `HanalyzeError` (rule
        `no_such_seat`).

        >>> import hanalyze as hz
        >>> position = hz.replay(hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1")).state(0)
        >>> oldest = position.odds(0)[0]
        >>> round(45 * oldest.playable), oldest.trash, round(45 * oldest.critical)
        (13, 0.0, 5)
        """
        check_seat(seat, self.players)
        hand, masks = self._weighed(seat), (self.playable.mask, self.needed.mask, self.critical.mask)
        possible = [card.possible.mask for card in self.hands[seat]]
        # Cards with the same possible identities have the same chances.
        of_mask = {mask: Odds(*odds(hand, i, mask, *masks)) for i, mask in enumerate(possible)}
        return [of_mask[mask] for mask in possible]

    def _place(self, order: int) -> tuple[int, int]:
        for seat, hand in enumerate(self.hands):
            for index, card in enumerate(hand):
                if card.order == order:
                    return seat, index
        raise ValueError(f"card {order} is in no hand before turn {self.turn + 1}")

    def _weighed(self, seat: int) -> WeighedHand:
        known = [card.possible.mask for card in self.hands[seat]]
        return weighed(known, [cards.mask for cards in self.unseen[seat]])


def check_seat(seat: int, players: tuple[str, ...]) -> None:
    """Raise `HanalyzeError` (rule `no_such_seat`) if the game does not have this seat (from 0)."""
    if not 0 <= seat < len(players):
        advice = f"seats are 0 to {len(players) - 1}"
        raise HanalyzeError(f"there is no seat {seat}", rule="no_such_seat", advice=advice)


_NOTHING_KNOWN: Final = Knowledge()


def seen_game(game: Game, *seats: int) -> Game:
    """Return a copy of a running game with only the information that all given seats share.

    Without seats all hands are visible. The copy hides the deck, the hands of the seats, and other players'
    deductions from these hands. The holders' knowledge of their hands is up to date in the copy.
    """
    seen = game.copy()
    seen.action = PresentAction()  # `game` may contain the next action already.
    for order in range(game.drawn, MAX_CARDS):
        seen.identity[order] = -1
    # Other fields of `know` contain information from the hidden cards.
    unseen, read = seen.know.unseen, seen.know.read
    seen.know = _NOTHING_KNOWN.copy()
    seen.know.unseen, seen.know.read = unseen, read
    seen.know.unread = (1 << game.seats) - 1
    for seat in seats:
        unsee_hand(seen, seat, -1)
        for i in range(game.hand_len[seat]):
            seen.identity[game.hands[seat][i]] = -1
    read_hands(seen)
    needed_cards(seen)
    return seen


def _fields_by_cards(game: Game, marks: Marks, letters: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields of a position that depend on which cards are hidden."""
    hidden = 0
    hands = []
    for seat in range(game.seats):
        cards = []
        size = game.hand_len[seat]
        for i in range(size):
            order = game.hands[seat][i]
            number = game.identity[order]
            hidden |= (number < 0) << order
            card = card_of(number) if number >= 0 else None
            possible = IdentitySet(game.know.known[seat][i], letters)
            cards.append(HeldCard(order, size - i, card, possible, marks.get(order, ())))
        hands.append(tuple(cards))
    gotten = efficiency = None
    if not hidden & game.clued:
        gotten = cards_gotten(game, game.needed)
        efficiency = future_efficiency(game, gotten, clues_left(game))
    return {
        "hands": tuple(hands),
        "unseen": tuple(
            tuple(IdentitySet(mask, letters) for mask in game.know.unseen[seat]) for seat in range(game.seats)
        ),
        "cards_gotten": gotten,
        "future_efficiency": None if efficiency is None or math.isnan(efficiency) else efficiency,
        "_game": None if hidden else game,
    }


def position_of(
    game: Game, players: tuple[str, ...], letters: tuple[str, ...], history: MoveHistory
) -> Position:
    """Return the position of a game from `seen_game`; `history` has the moves before it."""
    stacks: list[list[Card]] = [[] for _ in range(game.variant.suits)]
    discards = []
    for order in history.departed:
        card = card_of(game.identity[order])
        if game.place[order] == IN_DISCARD:
            discards.append(card)
        else:
            stacks[card.suit].append(card)
    tokens = game.tokens / game.variant.token_unit
    pace_now = pace(game)
    return Position(
        turn=game.turn,
        seat=game.seat,
        players=players,
        letters=letters,
        stacks=tuple(map(tuple, stacks)),
        discards=tuple(discards),
        clue_tokens=int(tokens) if tokens == int(tokens) else tokens,
        strikes=game.strikes,
        deck=game.cards - game.drawn,
        score=score(game),
        max_score=game.max_score,
        pace=None if pace_now == PACE_NULL else pace_now,
        end_condition=EndCondition(game.end_condition).label,
        playable=IdentitySet(game.playable, letters),
        needed=IdentitySet(game.needed, letters),
        critical=IdentitySet(game.critical, letters),
        clues_lost=game.clues_lost / 2,
        **_fields_by_cards(game, history.marks, letters),
    )
