"""Players with a convention each, as plain as can be: what a guess of the system has to tell apart.

In: the name of a system, a number of players, seeds. Out: records of their games, No Variant.

h_group: a clue is about the chop (the oldest card that no clue touched) where it touches it, else about the
newest card that it touches first; such a card is played, unless it was the chop and may be worth saving.
sieve: the newest card that no clue touched is discarded; a colour calls the card left of the one that it
touches to be played. hat_guessing: a clue is the sum, modulo 8, of what the others are to do (Cox, De Silva,
Deorsey, Kenter, Retter & Tobin 2015, How to make the perfect fireworks display).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hanalyze.decks import deck
from hanalyze.game.actions import Action
from hanalyze.game.cards import Card
from hanalyze.logs import GameRecord

COPIES = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}


class Table:
    """A game in progress. Hands are lists of orders, the oldest card first."""

    def __init__(self, cards: list[Card], players: int) -> None:
        self.cards, self.players = cards, players
        size = 5 if players < 4 else 4
        self.hands = [list(range(seat * size, seat * size + size)) for seat in range(players)]
        self.next, self.seat, self.left = players * size, 0, players
        self.tokens, self.strikes = 8, 0
        self.stacks = [0] * 5
        self.gone: list[Card] = []
        self.clued: set[int] = set()
        self.ranks: dict[int, int] = {}
        self.called: dict[int, str] = {}
        self.told: list[tuple[str, int] | None] = [None] * players
        self.played_since = 0
        self.actions: list[Action] = []

    def playable(self, order: int) -> bool:
        card = self.cards[order]
        return self.stacks[card.suit] + 1 == card.rank

    def trash(self, order: int) -> bool:
        card = self.cards[order]
        return self.stacks[card.suit] >= card.rank

    def critical(self, order: int) -> bool:
        card = self.cards[order]
        return not self.trash(order) and self.gone.count(card) == COPIES[card.rank] - 1

    def fresh(self, seat: int) -> list[int]:
        """Return the cards that no clue touched, the oldest first."""
        return [order for order in self.hands[seat] if order not in self.clued]

    def touched(self, seat: int, kind: int, value: int) -> list[int]:
        return [
            order
            for order in self.hands[seat]
            if (self.cards[order].suit if kind == 2 else self.cards[order].rank) == value
        ]

    def clues(self) -> Iterator[tuple[int, int, int, list[int]]]:
        """Yield the legal clues: receiver, kind, value, what they touch."""
        for ahead in range(1, self.players):
            seat = (self.seat + ahead) % self.players
            for kind, values in ((3, range(1, 6)), (2, range(5))):
                for value in values:
                    if touched := self.touched(seat, kind, value):
                        yield seat, kind, value, touched

    def remove(self, order: int, plays: bool) -> None:
        card = self.cards[order]
        self.actions.append(Action(0 if plays else 1, order, 0))
        self.hands[self.seat].remove(order)
        if plays and self.playable(order):
            self.stacks[card.suit] += 1
            self.tokens = min(8, self.tokens + (card.rank == 5))
        else:
            self.gone.append(card)
            self.strikes += plays
            self.tokens += not plays
        self.played_since += plays
        if self.next < len(self.cards):
            self.hands[self.seat].append(self.next)
            self.next += 1

    def clue(self, seat: int, kind: int, value: int) -> None:
        self.actions.append(Action(kind, seat, value))
        touched = self.touched(seat, kind, value)
        self.clued.update(touched)
        if kind == 3:
            self.ranks.update(dict.fromkeys(touched, value))
        self.tokens -= 1
        self.played_since = 0


def h_group(table: Table) -> None:
    seat = table.seat
    for order in table.hands[seat]:
        rank = table.ranks.get(order)
        sure = rank is not None and all(stack + 1 == rank for stack in table.stacks)
        if table.called.get(order) == "play" or sure:
            return table.remove(order, True)
    if table.tokens:
        for receiver, kind, value, touched in table.clues():
            fresh = [order for order in touched if order not in table.clued]
            chop = next(iter(table.fresh(receiver)), None)
            if any(table.trash(order) for order in fresh):
                continue
            focus = chop if chop is not None and chop in fresh else (fresh or touched)[-1]
            if table.called.get(focus) == "play":
                continue
            saved = chop in fresh and kind == 3 and (value in (2, 5) or table.critical(focus))
            twice = any(
                table.cards[order] == table.cards[focus]
                for hand in table.hands
                for order in hand
                if order in table.clued and order != focus
            )
            if not twice and (saved or table.playable(focus)):
                table.clue(receiver, kind, value)
                table.called[focus] = "save" if saved else "play"
                return None
    if table.tokens < 8:
        return table.remove((table.fresh(seat) or table.hands[seat])[0], False)
    receiver, kind, value, _ = next(table.clues())
    return table.clue(receiver, kind, value)


def sieve(table: Table) -> None:
    seat = table.seat
    for order in table.hands[seat]:
        if table.called.get(order) == "play" and not table.trash(order):
            return table.remove(order, True)
    meant = {order for hand in table.hands for order in hand if table.called.get(order) == "play"}
    if table.tokens:
        for receiver, kind, value, touched in table.clues():
            hand = table.hands[receiver]
            place = hand.index(touched[-1])
            if kind != 2:
                continue
            target = hand[(place + 1) % len(hand)]
            same = {table.cards[order] for order in meant}
            if table.playable(target) and target not in meant and table.cards[target] not in same:
                table.clue(receiver, kind, value)
                table.called[target] = "play"
                return None
    if table.tokens < 8:
        return table.remove((table.fresh(seat) or table.hands[seat])[-1], False)
    receiver, kind, value, _ = next(table.clues())
    return table.clue(receiver, kind, value)


def advice(table: Table, seat: int) -> int:
    """Return what a hand is to do: 0 to 3 to play a card, 4 to 7 to discard one."""
    hand = table.hands[seat]
    plays = [(table.cards[order].rank, i) for i, order in enumerate(hand) if table.playable(order)]
    if plays:
        return min(plays)[1]
    return 4 + next((i for i, order in enumerate(hand) if table.trash(order)), 0)


def hat_guessing(table: Table) -> None:
    seat = table.seat
    hand, told = table.hands[seat], table.told[seat]
    trusted = table.played_since == 0 or (table.played_since == 1 and table.strikes < 2)
    if told is not None and told[0] == "play" and told[1] in hand and trusted:
        return table.remove(told[1], True)
    if table.tokens:
        others = [(seat + ahead) % table.players for ahead in range(1, table.players)]
        said = {other: advice(table, other) for other in others}
        total = sum(said.values()) % (2 * len(others))
        options = [c for c in table.clues() if c[0] == others[total // 2] and c[1] == 2 + total % 2]
        for other in others:
            index = said[other] % 4
            cards = table.hands[other]
            what = "play" if said[other] < 4 else "discard"
            table.told[other] = (what, cards[min(index, len(cards) - 1)])
        receiver, kind, value, _ = options[0]
        return table.clue(receiver, kind, value)
    if told is not None and told[0] == "discard" and told[1] in hand:
        return table.remove(told[1], False)
    return table.remove(hand[0], False)


SYSTEMS: dict[str, Callable[[Table], None]] = {
    "h_group": h_group,
    "sieve": sieve,
    "hat_guessing": hat_guessing,
}


def conventional(system: str, players: int, games: int, seed: int = 1) -> list[GameRecord]:
    """Return games of players who keep to a system; hat guessing wants five."""
    records = []
    for number in range(seed, seed + games):
        name = f"p{players}v0s{number}"
        cards = list(deck(name))
        table = Table(cards, players)
        while table.strikes < 3 and sum(table.stacks) < 25 and table.left:
            table.left -= table.next == len(cards)
            SYSTEMS[system](table)
            table.seat = (table.seat + 1) % players
        names = ("Ann", "Ben", "Cleo", "Dan", "Eve")[:players]
        records.append(GameRecord(players=names, actions=table.actions, seed=name, deck=cards, source=system))
    return records
