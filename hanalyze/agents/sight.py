"""A player's knowledge before a turn (`Sight`), and the actions that the player knows to be legal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hanalyze.engine.batch import Deal
from hanalyze.engine.game import Game
from hanalyze.engine.rules import clue_touch, find_defect
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE, Action, ActionKind
from hanalyze.game.cards import RANK_SLOTS, Card, IdentitySet, card_name, mask_of
from hanalyze.game.editions import EndCondition
from hanalyze.game.variants import Variant
from hanalyze.position import HeldCard, MoveHistory, Position, position_of, seen_game

_CLUES = (COLOUR_CLUE, RANK_CLUE)


@dataclass(frozen=True, slots=True)
class PastAction:
    """A past action with its turn and seat, both from 0, and the public results.

    `card` is the card played or discarded, and `slot` its slot (0 for the deck); both are None for clues.
    `result` is a value of the column `result` (`played`, `misplayed`, `discarded`, `clued`). `touched`
    contains the orders of the cards that a clue touched.
    """

    turn: int
    seat: int
    action: Action
    result: str
    card: Card | None = None
    slot: int | None = None
    touched: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Sight(Position):
    """Everything that a player knows before a turn, without conventions.

    It is a `Position` as the player sees it, but `possible` of another player's card contains all identities
    that its clues allow. `me` is the player's own seat, `seat` the seat to move. `clue_colours` are the names
    of the clue colours; the value of a colour clue is an index into this tuple.
    `turns_left` is None until the deck is empty. `past` contains all actions, oldest first. `legal` contains
    the legal actions of the player to move; it is empty for other players and once the game is over.

    `str()` returns a description in words.

    >>> from hanalyze.agents import Game
    >>> sight = Game(2, seed="p2v0s1").sees(0)
    >>> sight.hands[0][0].card, sight.hands[1][0].card
    (None, Card(suit=3, rank=3))
    """

    me: int
    variant: Variant
    clue_colours: tuple[str, ...]
    turns_left: int | None
    past: tuple[PastAction, ...]
    legal: tuple[Action, ...]

    @property
    def hand(self) -> tuple[HeldCard, ...]:
        """The player's own hand, oldest card first."""
        return self.hands[self.me]

    def touched(self, action: Action) -> tuple[HeldCard, ...]:
        """Return the cards that a clue to another player touches, oldest first.

        Raises `ValueError` if the action is not a legal clue to another player on this turn.
        """
        if action not in self.legal or action.kind not in _CLUES or action.target == self.me:
            raise ValueError(f"not a legal clue to another player: {action}")
        kind, _, value = action
        clue = self.variant.clue_colours[value] if kind == COLOUR_CLUE else value
        cards = self.hands[action.target]
        return tuple(card for card in cards if card.card and self.variant.touches(clue, card.card))

    def say(self, action: Action) -> str:
        """Return an action of the player to move in words.

        >>> from hanalyze.agents import Game
        >>> sight = Game(2, seed="p2v0s1").sees()
        >>> sight.say(sight.legal[0]), sight.say(sight.legal[-1])
        ('play slot 5', 'clue Bob 4')
        """
        kind, target, value = action
        if kind in _CLUES:
            return f"clue {self.players[target]} {self._named(kind, value)}"
        verb = ActionKind(kind).name.lower()
        slot = next((card.slot for card in self.hands[self.seat] if card.order == target), 0)
        return f"{verb} slot {slot}" if slot else f"{verb} the last card of the deck"

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    def _named(self, kind: int, value: int) -> str | int:
        return self.clue_colours[value] if kind == COLOUR_CLUE else value


def _lines(sight: Sight) -> Iterator[str]:
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
    everything = mask_of(sight.variant.deck)
    for seat, hand in enumerate(sight.hands):
        yield f"{sight.players[seat]}{' (you)' if seat == sight.me else ''}:"
        for card in reversed(hand):
            marks = ", ".join(
                ("" if mark.touched else "not ") + str(sight._named(mark.kind, mark.value))
                for mark in card.clues
            )
            can_be = "anything" if card.possible.mask == everything else str(card.possible)
            name = "?" if card.card is None else card_name(card.card, letters)
            yield f"  slot {card.slot}: {name}; clues: {marks or 'none'}; can be {can_be}"
    yield "actions so far:" if sight.past else "actions so far: none"
    for action in sight.past:
        yield f"  turn {action.turn + 1}: {sight.players[action.seat]} {_done(sight, action)}"
    if sight.legal:
        yield "legal actions: " + "; ".join(map(sight.say, sight.legal))


def _done(sight: Sight, done: PastAction) -> str:
    if done.card is None:
        return f"{done.result} {sight.say(done.action).removeprefix('clue ')}, touching {len(done.touched)}"
    where = f"slot {done.slot}" if done.slot else "the deck"
    return f"{done.result} {card_name(done.card, sight.letters)} from {where}"


def _candidates(game: Game) -> Iterator[Action]:
    """Yield all actions that could be legal: plays, then discards, each oldest card first, then clues."""
    seat = game.seat
    hand = [game.hands[seat][i] for i in range(game.hand_len[seat])]
    for kind in (PLAY, DISCARD):
        # The top card of the deck comes last: an option allows playing the last card from the deck.
        for order in [*hand, *([game.drawn] if game.drawn < game.cards else [])]:
            yield Action(kind, order, 0)
    for ahead in range(game.seats):
        other = (seat + ahead) % game.seats
        for kind, values in ((COLOUR_CLUE, game.variant.colours), (RANK_CLUE, RANK_SLOTS)):
            for value in range(values):
                yield Action(kind, other, value)


def _surely_touches(game: Game, action: Action) -> bool:
    """Return whether the player to move knows that a clue to their own hand touches a card."""
    touch = clue_touch(game, action.kind, action.value)
    return any(game.know.known[game.seat][i] & ~touch == 0 for i in range(game.hand_len[game.seat]))


def legal_actions(game: Game) -> tuple[Action, ...]:
    """Return the actions that the player to move knows to be legal.

    If players may clue themselves and empty clues are illegal, a clue to their own hand is included only if
    the player knows that it touches a card, so the list reveals nothing about hidden cards. `game.know` must
    be up to date.
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


def sight_of(game: Game, me: int, deal: Deal, history: MoveHistory, past: Sequence[PastAction]) -> Sight:
    """Return what the player of seat `me` knows in a running game."""
    position = position_of(seen_game(game, me), deal.record.players, deal.letters, history)

    def by_clues(card: HeldCard) -> HeldCard:
        return replace(card, possible=IdentitySet(game.possible[card.order], deal.letters))

    return position.extended(
        Sight,
        hands=tuple(
            hand if seat == me else tuple(map(by_clues, hand)) for seat, hand in enumerate(position.hands)
        ),
        me=me,
        variant=deal.variant,
        clue_colours=deal.clue_colours,
        turns_left=game.end_turn - game.turn if game.end_turn >= 0 else None,
        past=tuple(past),
        legal=legal_actions(game) if game.seat == me else (),
    )
