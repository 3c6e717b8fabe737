"""A slow second implementation of the rules, with which the tests compare the engine.

It is written from the rules of hanab.live and the rule sheets, without code of the engine: cards are
(suit, rank) pairs, hands are lists, and the possible lengths of a stack are found by trying. It shares only
data with the package (variants with their clues, `Rules`), which other tests check.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

from hanalyze.game.actions import Action
from hanalyze.game.editions import Rules
from hanalyze.game.variants import Variant

HAND_SIZES = {2: 5, 3: 5, 4: 4, 5: 4, 6: 3}
START = 7
ENDED_BY_HAND = {3: "timeout", 4: "terminated_by_player", 6: "idle_timeout", 10: "terminated_by_vote"}

Pair = tuple[int, int]


class SlowGame:
    """A running game."""

    def __init__(
        self, variant: Variant, deck: list[Pair], players: int, rules: Rules, first_seat: int = 0
    ) -> None:
        """Deal the hands; seat 0 gets the first cards, even if another seat starts."""
        self.variant = variant
        self.rules = rules
        self.deck = [(suit, rank) for suit, rank in deck]
        self.copies = Counter(self.deck)
        self.waiting = list(range(len(deck)))
        """Orders of the cards in the deck, the top one first."""
        size = HAND_SIZES[players] + rules.hand_size_change
        self.hands = [[self.waiting.pop(0) for _ in range(size)] for _ in range(players)]
        """By seat, orders, the oldest card first."""
        self.stacks: list[list[int]] = [[] for _ in variant.suits]
        """By suit, the ranks on the stack, bottom first."""
        self.gone: Counter[Pair] = Counter()
        """Cards discarded or misplayed."""
        self.clues: dict[int, list[tuple[str | int, bool]]] = {order: [] for order in range(len(deck))}
        """By order, the clues to the hand it was in, and whether they touched it."""
        self.tokens = float(rules.clue_tokens)
        self.strikes = 0
        self.turn = 0
        self.seat = first_seat
        self.end_turn = None if self.waiting or rules.all_or_nothing else players
        self.last_clue: int | None = None
        self.end = "unfinished"

    def copy(self) -> SlowGame:
        """Return an independent copy of the game."""
        new = object.__new__(SlowGame)
        new.__dict__.update(self.__dict__)
        new.waiting = list(self.waiting)
        new.hands = [list(hand) for hand in self.hands]
        new.stacks = [list(stack) for stack in self.stacks]
        new.gone = Counter(self.gone)
        new.clues = dict(self.clues)
        return new

    # --- what may be done --------------------------------------------------------------------------------

    def clue_name(self, action: Action) -> str | int | None:
        """Return the colour or rank that a clue names; None if the variant has no such clue."""
        if action.kind == 2:
            colours = self.variant.clue_colours
            return colours[action.value] if 0 <= action.value < len(colours) else None
        return action.value if action.value in self.variant.clue_ranks else None

    def touched(self, seat: int, clue: str | int) -> list[int]:
        """Return the orders in a hand that a clue touches."""
        return [order for order in self.hands[seat] if self.variant.touches(clue, self.deck[order])]

    def is_legal(self, action: Action) -> bool:
        """Return whether an action of the player to move is legal."""
        kind, target, _ = action
        inverted = any(suit.inverted for suit in self.variant.suits)
        if kind in (0, 1):
            from_deck = self.rules.deck_plays and self.waiting == [target] and (kind == 0 or inverted)
            if target not in self.hands[self.seat] and not from_deck:
                return False
            spare = self.tokens < self.rules.clue_tokens
            return kind == 0 or spare or inverted or self.rules.discard_at_full_tokens
        clue = self.clue_name(action)
        if clue is None or target not in range(len(self.hands)) or self.tokens < 1:
            return False
        if target == self.seat and not self.rules.clue_to_self:
            return False
        if self.variant.alternating_clues and kind == self.last_clue:
            return False
        empty = self.rules.empty_clues or (
            self.variant.colour_clues_touch_nothing if kind == 2 else self.variant.rank_clues_touch_nothing
        )
        return empty or bool(self.touched(target, clue))

    def candidates(self) -> list[Action]:
        """Return all actions that may be legal, and some that never are."""
        orders = range(-1, len(self.deck) + 1)
        seats = range(-1, len(self.hands) + 1)
        return [
            *(Action(kind, order, 0) for kind in (0, 1) for order in orders),
            *(Action(kind, seat, value) for kind in (2, 3) for seat in seats for value in range(-1, 8)),
        ]

    def legal_actions(self) -> list[Action]:
        """Return the legal actions of the player to move."""
        return [] if self.end != "unfinished" else list(filter(self.is_legal, self.candidates()))

    # --- doing it ----------------------------------------------------------------------------------------

    def do(self, action: Action) -> None:
        """Carry out a legal action, check whether the game is over, and go to the next turn."""
        kind, target, value = action
        mover = self.seat
        self.turn += 1
        self.seat = (mover + 1) % len(self.hands)
        if kind in (4, 5):
            self.end = ENDED_BY_HAND[value]
            return
        if kind in (2, 3):
            self._clue(mover, action)
        else:
            self._play_or_discard(mover, kind, target)
        self.end = self._how_it_ends()

    def _clue(self, giver: int, action: Action) -> None:
        self.tokens -= 1
        self.last_clue = action.kind
        clue = self.clue_name(action)
        assert clue is not None
        touched = self.touched(action.target, clue)
        for order in self.hands[action.target]:
            self.clues[order] = [*self.clues[order], (clue, order in touched)]
        if self.rules.card_cycle:
            hand = self.hands[giver]
            untouched = [order for order in hand if not self.is_clued(order)]
            if untouched:
                hand.remove(untouched[0])
                hand.append(untouched[0])

    def is_clued(self, order: int) -> bool:
        """Return whether a clue touched a card."""
        return any(touched for _, touched in self.clues[order])

    def _play_or_discard(self, seat: int, kind: int, order: int) -> None:
        suit, rank = self.deck[order]
        from_deck = order in self.waiting
        (self.waiting if from_deck else self.hands[seat]).remove(order)
        if kind == 0 and rank in self.fitting(suit, self.stacks[suit]):
            self.stacks[suit].append(rank)
            full = len(self.stacks[suit]) == self.variant.stack_size
            gain = full and not self.variant.throw_it_in_a_hole
        else:
            self.gone[suit, rank] += 1
            self.strikes += kind == 0
            gain = kind == 1
        if gain:
            token = 0.5 if self.variant.clue_starved else 1
            self.tokens = min(self.tokens + token, self.rules.clue_tokens)
        had_cards = bool(self.waiting) or from_deck
        if self.waiting:
            self.hands[seat].append(self.waiting.pop(0))
        # The last turn was number `turn - 1`; every player has one more turn after it.
        if had_cards and not self.waiting and not self.rules.all_or_nothing:
            self.end_turn = self.turn + len(self.hands)

    # --- endings -----------------------------------------------------------------------------------------

    @property
    def raw_score(self) -> int:
        """Number of cards on the stacks."""
        return sum(map(len, self.stacks))

    @property
    def score(self) -> int:
        """The score under the rules of the edition."""
        lost = self.end not in ("unfinished", "normal")
        return 0 if lost and self.rules.zero_when_lost else self.raw_score

    def _still_to_move(self) -> list[int]:
        """Return the seats that have a turn left."""
        seats = len(self.hands)
        if self.end_turn is None:
            return list(range(seats))
        return [(self.seat + ahead) % seats for ahead in range(self.end_turn - self.turn)]

    def _how_it_ends(self) -> str:
        rules = self.rules
        full = len(self.variant.suits) * self.variant.stack_size
        most = self.max_score()
        if self.strikes == rules.strikes:
            return "strikeout"
        if rules.speedrun and most < full:
            return "speedrun_fail"
        if rules.all_or_nothing and most < full:
            return "all_or_nothing_fail"
        if self.raw_score == full:
            return "normal"
        if rules.all_or_nothing and not self.hands[self.seat] and self.tokens < 1:
            return "all_or_nothing_softlock"
        if self.turn == self.end_turn:
            return "normal"
        if rules.ends_when_stuck:
            left = self.waiting + [order for seat in self._still_to_move() for order in self.hands[seat]]
            if self.raw_score == most or not self.playable().intersection(self.deck[order] for order in left):
                return "normal"
        return "unfinished"

    # --- stacks ------------------------------------------------------------------------------------------

    def fitting(self, suit: int, stack: list[int]) -> list[int]:
        """Return the ranks that fit on a stack of the given ranks."""
        size = self.variant.stack_size
        if len(stack) == size:
            return []
        if self.variant.sudoku:
            if stack:
                return [stack[-1] % size + 1]
            begun = {other[0] for other in self.stacks if other}
            return [rank for rank in range(1, size + 1) if rank not in begun]
        if self.variant.up_or_down:
            if not stack:
                return [1, 5, START]
            if stack == [START]:
                return [2, 4]
            up = stack[0] == 1 or stack[:2] == [START, 2]
            return [stack[-1] + 1 if up else stack[-1] - 1]
        return [size - len(stack) if self.variant.suits[suit].reversed else len(stack) + 1]

    def is_left(self, card: Pair) -> bool:
        """Return whether a copy was neither discarded nor misplayed."""
        return self.gone[card] < self.copies[card]

    def longest(self, suit: int, stack: list[int]) -> int:
        """Return the number of cards that a stack of the given ranks can still reach."""
        grown = [[*stack, rank] for rank in self.fitting(suit, stack) if self.is_left((suit, rank))]
        return max((self.longest(suit, more) for more in grown), default=len(stack))

    def max_score(self) -> int:
        """Return the points still possible with the cards not yet lost."""
        suits = range(len(self.stacks))
        if not self.variant.sudoku:
            return sum(self.longest(suit, self.stacks[suit]) for suit in suits)
        begun = [suit for suit in suits if self.stacks[suit]]
        fresh = [suit for suit in suits if not self.stacks[suit]]
        starts = self.fitting(fresh[0], []) if fresh else []
        runs = {
            (suit, start): self.longest(suit, [start]) if self.is_left((suit, start)) else 0
            for suit in fresh
            for start in starts
        }
        shared = max(sum(map(runs.get, zip(fresh, order, strict=True))) for order in permutations(starts))
        return shared + sum(self.longest(suit, self.stacks[suit]) for suit in begun)

    def playable(self) -> set[Pair]:
        """Return the cards that fit a stack now."""
        return {(suit, rank) for suit, stack in enumerate(self.stacks) for rank in self.fitting(suit, stack)}

    def _to_come(self, suit: int, stack: list[int]) -> set[Pair]:
        """Return the cards that a stack may still take on some path from the present position."""
        found = set()
        for rank in self.fitting(suit, stack):
            if self.is_left((suit, rank)):
                found |= {(suit, rank)} | self._to_come(suit, [*stack, rank])
        return found

    def status(self) -> list[str]:
        """Return for each suit a letter per rank: n needed, c critical, t trash, x no copy left."""
        words = []
        for suit, stack in enumerate(self.stacks):
            needed = self._to_come(suit, stack)
            # Up or Down has three cards that begin a stack; none is critical before one of them is lost.
            begins = [(suit, rank) for rank in (1, 5, START)] if self.variant.up_or_down else []
            spare = stack in ([], [START]) and all(map(self.is_left, begins))
            word = ""
            for rank in self.variant.ranks:
                card = (suit, rank)
                last = self.gone[card] + 1 == self.copies[card] and not (spare and card in begins)
                word += "x" if not self.is_left(card) else "t" if card not in needed else "c" if last else "n"
            words.append(word)
        return words

    # --- knowledge ---------------------------------------------------------------------------------------

    def known(self, seat: int) -> list[set[Pair]]:
        """Return for each card in a hand the identities that its holder must consider possible.

        That is x if this card as x and all the other cards that ever had a clue can be laid out at once with
        the cards that the holder does not see.
        """
        seen = Counter(self.gone)
        seen.update(
            self.deck[order] for other, hand in enumerate(self.hands) if other != seat for order in hand
        )
        seen.update((suit, rank) for suit, stack in enumerate(self.stacks) for rank in stack)
        free = self.copies - seen
        silent = self.variant.cow_and_pig or self.variant.duck
        lists = []
        clued = []
        for order in self.hands[seat]:
            clues = [] if silent else self.clues[order]
            lists.append(
                {card for card in free if all(self.variant.touches(clue, card) is yes for clue, yes in clues)}
            )
            clued.append(bool(clues))
        known = []
        for i, mine in enumerate(lists):
            others = [other for j, other in enumerate(lists) if j != i and clued[j]]
            others.sort(key=len)
            known.append({card for card in mine if _can_lay_out([{card}, *others], free)})
        return known

    # --- the numbers of a turn ---------------------------------------------------------------------------

    def pace(self) -> int | None:
        """Return the pace; None with an empty deck or when the game is over."""
        if not self.waiting or self.end != "unfinished":
            return None
        return self.raw_score + len(self.waiting) - self.max_score() + len(self.hands)

    def pace_risk(self) -> str:
        """Return hanab.live's rating of the pace."""
        pace, players = self.pace(), len(self.hands)
        if pace is None:
            return "Low"
        if pace <= 0:
            return "Zero"
        if pace - players + players // 2 < 0:
            return "High"
        return "Medium" if pace - players < 0 else "Low"

    def row(self) -> dict[str, Any]:
        """Return the values that a row of `turns` has before and after the action."""
        return {
            "score": self.score,
            "max_score": self.max_score(),
            "clue_tokens": self.tokens,
            "strikes": self.strikes,
            "deck": len(self.waiting),
            "pace": self.pace(),
            "pace_risk": self.pace_risk(),
            "stacks": list(map(len, self.stacks)),
        }


def _can_lay_out(choices: list[set[Pair]], free: Counter[Pair]) -> bool:
    """Return whether `free` has a different card for each place of a hand, one of the place's choices."""
    if not choices:
        return True
    for card in choices[0]:
        if free[card] > 0:
            free[card] -= 1
            found = _can_lay_out(choices[1:], free)
            free[card] += 1
            if found:
                return True
    return False
