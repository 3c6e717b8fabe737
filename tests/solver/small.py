"""Small games, and the best score of their positions by trying everything.

In: a random generator. Out: a `SmallGame`: a deck of a few suits and ranks, dealt to a few small hands, with
a random beginning, as the engine takes it; and `Table.best`, which knows the rules but nothing of the solver:
cards are pairs, every card in a hand is played or discarded, every clue is the same.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from hanalyze.engine.batch import GameBatch
from hanalyze.engine.game import HOLE, RulesLookup, VariantLookup
from hanalyze.game.cards import MAX_CARDS, RANK_SLOTS

Pair = tuple[int, int]


@dataclass(frozen=True)
class SmallGame:
    """A game and its first actions; `tokens` and what a clue costs are in units."""

    suits: int
    ranks: int
    reversed: int
    seats: int
    hand: int
    tokens: int
    unit: int
    strikes: int
    free_discards: bool
    stuck_rule: bool
    hole: bool
    deck: tuple[Pair, ...]
    actions: tuple[tuple[int, int, int], ...] = ()

    def batch(self) -> GameBatch:
        """Return the game as the engine takes it."""
        variant, rules = VariantLookup(), RulesLookup()
        variant.suits, variant.stack_size, variant.colours = self.suits, self.ranks, self.suits
        variant.token_unit, variant.reversed = self.unit, self.reversed
        variant.flags = HOLE if self.hole else 0
        for suit, rank in self.deck:
            number = suit * RANK_SLOTS + rank
            for copies in range(3):
                if variant.copies[number] == copies:
                    variant.everything[copies] |= 1 << number
            variant.copies[number] += 1
            variant.colour_touch[suit] |= 1 << number
            variant.rank_touch[rank] |= 1 << number
            variant.clue_ranks |= 1 << rank
        rules.clue_tokens, rules.strikes_to_lose = self.tokens // self.unit, self.strikes
        rules.discard_at_full_tokens = int(self.free_discards)
        rules.ends_when_stuck = int(self.stuck_rule)
        deck = np.zeros((1, MAX_CARDS), np.uint8)
        deck[0, : len(self.deck)] = [suit * RANK_SLOTS + rank for suit, rank in self.deck]
        columns = np.array(self.actions, np.int64).reshape(-1, 3)

        def one(value: int) -> Any:
            return np.array([value])

        return GameBatch(
            variants=[variant],
            rules=[rules],
            variant=one(0),
            rules_row=one(0),
            seats=one(self.seats),
            first_seat=one(0),
            hand_size=one(self.hand),
            cards=one(len(self.deck)),
            actions=one(len(self.actions)),
            first_action=one(0),
            deck=deck,
            kind=columns[:, 0].copy(),
            target=columns[:, 1].copy(),
            value=columns[:, 2].copy(),
        )


class Table:
    """A position of a small game, by the physical rules."""

    def __init__(self, game: SmallGame) -> None:
        self.game = game
        self.hands = [list(range(seat * game.hand, (seat + 1) * game.hand)) for seat in range(game.seats)]
        self.stacks = [0] * game.suits
        self.drawn = game.seats * game.hand
        self.tokens = game.tokens
        self.strikes = 0
        self.seat = 0
        self.left = -1

    def fits(self, card: Pair) -> bool:
        suit, rank = card
        place = self.game.ranks + 1 - rank if self.game.reversed >> suit & 1 else rank
        return place == self.stacks[suit] + 1

    def act(self, kind: int, target: int) -> None:
        """Play (0) or discard (1) the card of an order, or give a clue (2)."""
        game = self.game
        if kind == 2:
            self.tokens -= game.unit
        else:
            self.hands[self.seat].remove(target)
            card = game.deck[target]
            if kind == 0 and self.fits(card):
                self.stacks[card[0]] += 1
                if self.stacks[card[0]] == game.ranks and not game.hole:
                    self.tokens = min(self.tokens + 1, game.tokens)
            elif kind == 0:
                self.strikes += 1
            else:
                self.tokens = min(self.tokens + 1, game.tokens)
            if self.drawn < len(game.deck):
                self.hands[self.seat].append(self.drawn)
                self.drawn += 1
                if self.drawn == len(game.deck):
                    self.left = game.seats + 1
        if self.left >= 0:
            self.left -= 1
        self.seat = (self.seat + 1) % game.seats

    def legal(self) -> list[tuple[int, int]]:
        game = self.game
        found = [(0, order) for order in self.hands[self.seat]]
        if self.tokens < game.tokens or game.free_discards:
            found += [(1, order) for order in self.hands[self.seat]]
        others = any(self.hands[seat] for seat in range(game.seats) if seat != self.seat)
        if self.tokens >= game.unit and others:
            found.append((2, 0))
        return found

    def over(self) -> bool:
        """Return whether the game is over; that nothing can be played any more does not count."""
        return self.strikes >= self.game.strikes or self.left == 0 or not self.legal()

    def best(self, most_positions: int) -> int | None:
        """Return the most points that can be on the stacks before the game is lost or over.

        None where more positions than that would have to be looked at.
        """
        deck = self.game.deck
        hands = tuple(tuple(sorted(deck[order] for order in hand)) for hand in self.hands)
        at = hands, tuple(self.stacks), self.drawn, self.tokens, self.strikes, self.seat, self.left
        trial = _Trial(self.game, most_positions)
        try:
            return trial.best(at)
        except _TooMany:
            return None


class _TooMany(Exception):
    """More positions than were wanted."""


class _Trial:
    """Every action from a position, and every one after that."""

    def __init__(self, game: SmallGame, most_positions: int) -> None:
        self.game = game
        self.most_positions = most_positions
        self.known: dict[Any, int] = {}

    def best(self, at: Any) -> int:
        """Return the most points from a position: hands of cards, stacks, cards drawn, tokens and so on."""
        if at in self.known:
            return self.known[at]
        game = self.game
        hands, stacks, drawn, tokens, strikes, seat, left = at
        best = sum(stacks)
        if strikes >= game.strikes or left == 0:
            return -1 if strikes >= game.strikes else best
        turns = left if left >= 0 else len(game.deck) - drawn + game.seats
        most = min(best + turns, self.ceiling(hands, stacks, drawn))
        for after in self.after(hands, stacks, drawn, tokens, strikes, seat, left):
            if best == most:
                break
            best = max(best, self.best(after))
        self.known[at] = best
        if len(self.known) > self.most_positions:
            raise _TooMany
        return best

    def ceiling(self, hands: Any, stacks: Any, drawn: int) -> int:
        """Return how far the stacks get if everything is there that has not been played or discarded."""
        there = {card for hand in hands for card in hand} | set(self.game.deck[drawn:])
        total = 0
        for suit, height in enumerate(stacks):
            while height < self.game.ranks and (suit, self.rank(suit, height)) in there:
                height += 1  # noqa: PLW2901 - the stack grows
            total += height
        return total

    def rank(self, suit: int, height: int) -> int:
        """Return the rank that fits a stack of a height."""
        return self.game.ranks - height if self.game.reversed >> suit & 1 else height + 1

    def after(
        self, hands: Any, stacks: Any, drawn: int, tokens: int, strikes: int, seat: int, left: int
    ) -> Any:
        """Yield the positions after each legal action."""
        game = self.game
        following = (seat + 1) % game.seats
        sooner = left - 1 if left >= 0 else left
        for card in dict.fromkeys(hands[seat]):
            rest = list(hands[seat])
            rest.remove(card)
            later, turns = drawn, sooner
            if drawn < len(game.deck):
                rest.append(game.deck[drawn])
                later += 1
                turns = game.seats if later == len(game.deck) else turns
            now = (*hands[:seat], tuple(sorted(rest)), *hands[seat + 1 :])
            suit, rank = card
            if rank == self.rank(suit, stacks[suit]):
                grown = (*stacks[:suit], stacks[suit] + 1, *stacks[suit + 1 :])
                bonus = grown[suit] == game.ranks and not game.hole
                yield now, grown, later, min(tokens + bonus, game.tokens), strikes, following, turns
            else:
                yield now, stacks, later, tokens, strikes + 1, following, turns
            if tokens < game.tokens or game.free_discards:
                yield now, stacks, later, min(tokens + 1, game.tokens), strikes, following, turns
        if tokens >= game.unit and any(hands[:seat] + hands[seat + 1 :]):
            yield hands, stacks, drawn, tokens - game.unit, strikes, following, sooner


def small_game(random_: random.Random, *, largest: bool) -> tuple[SmallGame, Table]:
    """Return a random game with a random beginning, and the position that this leads to.

    Up to four draws are left, with `largest` up to ten.
    """
    while True:
        suits, ranks = random_.choice(
            [(2, 2), (2, 3), (2, 4), (2, 5), (3, 2), (3, 3), (3, 4), (4, 2), (4, 3)]
        )
        seats, hand = random_.randint(2, 4), random_.randint(1, 4)
        cards = [(suit, rank) for suit in range(suits) for rank in range(1, ranks + 1)]
        deck = cards + [card for card in cards for _ in range(random_.randint(0, 2))]
        left = random_.randint(1, 10 if largest else 4)
        if len(deck) >= seats * hand + left:
            break
    random_.shuffle(deck)
    unit = random_.choice([1, 1, 1, 2])
    game = SmallGame(
        suits=suits,
        ranks=ranks,
        reversed=random_.getrandbits(suits) if random_.random() < 0.3 else 0,
        seats=seats,
        hand=hand,
        tokens=unit * random_.choice([1, 2, 2, 3, 8]),
        unit=unit,
        strikes=random_.randint(1, 3),
        free_discards=random_.random() < 0.1,
        stuck_rule=random_.random() < 0.5,
        hole=random_.random() < 0.1,
        deck=tuple(deck),
    )
    return _begun(game, left, random_)


def _begun(game: SmallGame, left: int, random_: random.Random) -> tuple[SmallGame, Table]:
    """Let players act at random until few cards are left; start again if the game is over before."""
    while True:
        table = Table(game)
        actions: list[tuple[int, int, int]] = []
        careful = random_.random()
        while len(game.deck) - table.drawn > left and not table.over():
            legal = table.legal()
            good = [one for one in legal if one[0] == 0 and table.fits(game.deck[one[1]])]
            sane = [one for one in legal if one[0] > 0 or one in good]
            chosen = good if good and random_.random() < careful else sane or legal
            kind, target = random_.choice(chosen if random_.random() < 0.95 else legal)
            if kind == 2:
                seat = next(
                    (table.seat + ahead) % game.seats
                    for ahead in range(1, game.seats)
                    if table.hands[(table.seat + ahead) % game.seats]
                )
                actions.append((3, seat, game.deck[table.hands[seat][0]][1]))
            else:
                actions.append((kind, target, 0))
            table.act(kind, target)
        if table.strikes < game.strikes:
            return SmallGame(**{**game.__dict__, "actions": tuple(actions)}), table
        if game.strikes == 1:
            game = SmallGame(**{**game.__dict__, "strikes": 2})
