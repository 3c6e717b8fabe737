"""A slow second implementation of the measured columns: knowledge, options and outcomes of players.

It is written from the meanings of the columns, on `tests.slow_rules`, without code of the engine: sets of
(suit, rank) pairs, lists of orders, exact fractions, knowledge by trying all possible hands. `watch` takes a
record of legal actions and returns `Watched`: dicts by column for each turn, clue and card, None for null.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from hanalyze.agents import simulate
from hanalyze.engine.batch import rules_of, variant_of
from hanalyze.game.actions import Action
from hanalyze.game.variants import variant_names
from hanalyze.logs import GameRecord, Options
from tests.slow_rules import Pair, SlowGame

Row = dict[str, Any]

# A variant for each special rule of suits, clues, stacks and tokens; `played` also draws from all others.
SPECIAL = (
    "No Variant",
    "6 Suits",
    "Black (6 Suits)",
    "Omni & Null (5 Suits)",
    "Muddy Rainbow (6 Suits)",
    "Prism (5 Suits)",
    "Orange (5 Suits)",
    "Dark Orange (6 Suits)",
    "Reversed (5 Suits)",
    "Up or Down (5 Suits)",
    "Up or Down & Black (6 Suits)",
    "Sudoku (4 Suits)",
    "Sudoku (5 Suits)",
    "Clue Starved (5 Suits)",
    "Throw It in a Hole (5 Suits)",
    "Alternating Clues (5 Suits)",
    "Scarce Ones (5 Suits)",
    "Critical Fours (5 Suits)",
    "Cow & Pig (5 Suits)",
    "Duck (5 Suits)",
    "Number Mute (5 Suits)",
    "Color Mute (5 Suits)",
    "Color Blind (5 Suits)",
    "Deceptive-Ones (5 Suits)",
)
EDITIONS = (None, None, "hanab-live+strikes=20", "hle", "hanabi-data", "abacus+strikes=9")
OPTIONS = ("deck_plays", "card_cycle", "empty_clues", "all_or_nothing", "speedrun", "one_less_card")


@st.composite
def played(draw: st.DrawFn) -> GameRecord:
    """Draw a game that agents played: any variant, edition, number of players and option."""
    edition = draw(st.sampled_from(EDITIONS))
    most = 5 if edition and "live" not in edition else 6
    options = draw(st.sets(st.sampled_from(OPTIONS), max_size=2))
    [record] = simulate(
        draw(st.sampled_from(("random", "random", "cautious", "cheating"))),
        players=draw(st.integers(2, most)),
        seed=draw(st.integers(1, 10**6)),
        variant=draw(st.sampled_from(SPECIAL) | st.sampled_from(variant_names())),
        edition=edition,
        options=Options(**dict.fromkeys(options, True)),
    )
    return record


# --- one position -------------------------------------------------------------------------------------------


def unseen(game: SlowGame, seat: int) -> Counter[Pair]:
    """Return the cards that a player does not see: those in the deck and in the player's own hand."""
    return Counter(game.deck[order] for order in game.waiting + game.hands[seat])


def by_clues(game: SlowGame, order: int) -> set[Pair]:
    """Return the identities of the variant that the clues to a card allow."""
    if game.variant.cow_and_pig or game.variant.duck:
        return set(game.copies)
    return {
        card
        for card in game.copies
        if all(game.variant.touches(clue, card) is yes for clue, yes in game.clues[order])
    }


def _fits(free: Counter[Pair], choices: list[set[Pair]]) -> bool:
    """Return whether `free` has a different card for each place of a hand, one of the place's `choices`."""
    if not choices:
        return True
    for card in choices[0]:
        if free[card]:
            free[card] -= 1
            found = _fits(free, choices[1:])
            free[card] += 1
            if found:
                return True
    return False


def knowledge(game: SlowGame, seat: int) -> list[set[Pair]]:
    """Return, for each card in hand, the identities that occur in a possible hand in the holder's view."""
    free = unseen(game, seat)
    lists = [by_clues(game, order) & set(free) for order in game.hands[seat]]
    sets = []
    for i, mine in enumerate(lists):
        others = sorted(lists[:i] + lists[i + 1 :], key=len)
        sets.append({card for card in mine if _fits(free.copy(), [{card}, *others])})
    return sets


def needed_and_critical(game: SlowGame) -> tuple[set[Pair], set[Pair]]:
    """Return the cards that a stack can still need, and those of them with one copy left."""
    letters = {
        (suit, rank): letter
        for suit, word in enumerate(game.status())
        for rank, letter in zip(game.variant.ranks, word, strict=True)
    }
    return (
        {card for card, letter in letters.items() if letter in "nc"},
        {card for card, letter in letters.items() if letter == "c"},
    )


def chop(game: SlowGame, seat: int) -> int | None:
    """Return the oldest card that no clue touched; None in a locked or empty hand."""
    return next((order for order in game.hands[seat] if not game.is_clued(order)), None)


def cards_gotten(game: SlowGame) -> int:
    """Return the number of cards on stacks and of needed clued cards in hands, at most the maximum score."""
    needed, _ = needed_and_critical(game)
    held = [order for hand in game.hands for order in hand if game.is_clued(order)]
    return min(game.raw_score + sum(game.deck[order] in needed for order in held), game.max_score())


def clues_left(game: SlowGame) -> int | None:
    """Return how many clues can still be given without losing a point; None with an empty deck."""
    deck, last_round = len(game.waiting), len(game.hands)
    if deck == 0:
        return None
    worth = Fraction(1, 2) if game.variant.clue_starved else Fraction(1)
    missing = game.max_score() - game.score
    # Every card drawn before the last round follows a play or a discard. Each player can make one play in the
    # last round, and the turn that draws the last card can be one more.
    plays = max(min(missing, last_round + deck) - (last_round + 1), 0)
    discards = max(deck - 1 - max(missing - last_round - 1, 0), 0)
    size = game.variant.stack_size
    lacks = [
        size - len(stack)
        for suit, stack in enumerate(game.stacks)
        if len(stack) < size and game.longest(suit, stack) == size
    ]
    done = max(
        count
        for count in range(len(lacks) + 1)
        if any(sum(some) <= plays for some in combinations(lacks, count))
    )
    if game.variant.throw_it_in_a_hole:
        done = 0
    return math.floor((discards + done) * worth + Fraction(game.tokens))


def efficiency(game: SlowGame, lost: Fraction) -> Row:
    """Return the columns of efficiency; `lost` is the number of clues given or lost so far."""
    gotten, left = cards_gotten(game), clues_left(game)
    return {
        "cards_gotten": gotten,
        "clues_lost": float(lost),
        "clues_left": left,
        "final_round": not left,
        "future_efficiency": float(Fraction(game.max_score() - gotten, left)) if left else None,
    }


_STATUS = {(False, False): "trash", (True, False): "needed", (True, True): "critical"}


def weights(free: Counter[Pair], known: list[set[Pair]]) -> list[Counter[Pair]]:
    """Return for each place of a hand the number of possible hands with each card there; copies are distinct.

    The cards are laid one identity after the other; the state is the mask of the places filled so far.
    """
    cards = [card for card in free if free[card]]
    every = (1 << len(known)) - 1

    def choices(card: Pair, filled: int) -> Iterator[tuple[int, int]]:
        """Yield masks of places for copies of a card, and the number of ways to lay copies there."""
        open_places = [1 << i for i, allowed in enumerate(known) if card in allowed and not filled >> i & 1]
        for count in range(min(free[card], len(open_places)) + 1):
            for places in combinations(open_places, count):
                yield sum(places), math.perm(free[card], count)

    before: list[Counter[int]] = [Counter({0: 1})]
    for card in cards:
        before.append(Counter())
        for filled, ways in before[-2].items():
            for places, ways_here in choices(card, filled):
                before[-1][filled | places] += ways * ways_here
    after: Counter[int] = Counter({every: 1})
    found: list[Counter[Pair]] = [Counter() for _ in known]
    for card, reached in zip(reversed(cards), reversed(before[:-1]), strict=True):
        following, after = after, Counter()
        for filled, ways in reached.items():
            for places, ways_here in choices(card, filled):
                rest = ways_here * following[filled | places]
                after[filled] += rest
                for i in range(len(known)):
                    found[i][card] += ways * rest * (places >> i & 1)
    return found


def _share(ways: Counter[Pair], wanted: set[Pair]) -> float:
    """Return the chance that a card is one of `wanted`, given the number of possible hands by card."""
    return float(Fraction(sum(ways[card] for card in wanted), ways.total()))


def _slot(chances: list[float], wanted: float | None) -> int | None:
    """Return the slot of the oldest card with this chance; `chances` begins with the oldest card."""
    return None if wanted is None else len(chances) - chances.index(wanted)


def outlook(game: SlowGame, action: Action, known: list[set[Pair]], lost: Pair | None) -> Row:
    """Return the columns of a turn about knowledge and options of the player to move, before an action.

    `lost` is the needed card with one copy left that the previous action lost, if any.
    """
    seat, hand = game.seat, game.hands[game.seat]
    free, playable = unseen(game, seat), game.playable()
    needed, critical = needed_and_critical(game)
    trash = set(game.copies) - needed
    leaving = hand.index(action.target) if action.kind in (0, 1) and action.target in hand else None
    laid = weights(free, known)
    odds = [[_share(ways, wanted) for wanted in (playable, trash, critical)] for ways in laid]
    by_kind = [[one[kind] for one in odds] for kind in range(3)]
    most_playable, most_trash = (max(chances, default=None) for chances in by_kind[:2])
    least_critical = min(by_kind[2], default=None)
    card = game.deck[action.target] if action.kind in (0, 1) else None
    own = chop(game, seat)
    locked = bool(hand) and own is None
    double = None if lost is None or own is None else _share(laid[hand.index(own)], {lost})
    own = hand[-1] if locked else own
    chances: list[Any] = [None] * 3 if leaving is None else list(odds[leaving])
    could_clue = any(game.is_legal(one) for one in game.candidates() if one.kind in (2, 3))
    could_discard = any(game.is_legal(Action(1, order, 0)) for order in hand)
    others = [(seat + ahead) % len(game.hands) for ahead in range(1, len(game.hands))]
    seen = [order for other in others for order in game.hands[other] if game.deck[order] in playable]
    # A locked player has no chop to discard.
    chops = [chop(game, other) for other in others]
    endangered = [order is not None and game.deck[order] in critical for order in chops]
    return {
        "clued": None if card is None else leaving is not None and game.is_clued(action.target),
        "status": None if card is None else _STATUS[card in needed, card in critical],
        "playable": None if card is None else card in playable,
        "known_playable": sum(cards <= playable for cards in known),
        "known_trash": sum(cards <= trash for cards in known),
        "known_critical": sum(cards <= critical for cards in known),
        "locked": locked,
        "chop": own,
        "chop_suit": None if own is None else game.deck[own][0],
        "chop_rank": None if own is None else game.deck[own][1],
        "chop_p_critical": None if own is None else odds[hand.index(own)][2],
        "possibilities": None if leaving is None else len(known[leaving]),
        "p_playable": chances[0],
        "p_trash": chances[1],
        "p_critical": chances[2],
        "best_p_playable": most_playable,
        "best_p_trash": most_trash,
        "best_playable_slot": _slot(by_kind[0], most_playable),
        "best_trash_slot": _slot(by_kind[1], most_trash),
        "least_p_critical": least_critical,
        "safest_slot": _slot(by_kind[2], least_critical),
        "p_double_discard": double,
        "could_clue": could_clue,
        "could_discard": could_discard,
        "forced": not could_clue and not could_discard,
        "playable_seen": len(seen),
        "playable_seen_clued": sum(map(game.is_clued, seen)),
        "next_chop_critical": endangered[0],
        "other_chop_critical": any(endangered),
    }


def is_double_discard(game: SlowGame, order: int, deck_was_empty: bool) -> bool:
    """Return whether the loss of card `order` causes hanab.live's double discard situation."""
    card = game.deck[order]
    after = (game.seat + deck_was_empty) % len(game.hands)
    found = any(
        game.deck[held] == card and by_clues(game, held) == {card} for hand in game.hands for held in hand
    )
    one_left = game.gone[card] + 1 == game.copies[card]
    return one_left and card in needed_and_critical(game)[0] and chop(game, after) is not None and not found


# --- one clue -----------------------------------------------------------------------------------------------


def clue_row(game: SlowGame, action: Action, known: list[set[Pair]]) -> Row:
    """Return the row of a clue before it is given, without its information and its outcomes.

    `known` has the possible identities of each card in the giver's hand.
    """
    name = game.clue_name(action)
    assert name is not None
    touched = game.touched(action.target, name)
    new = [order for order in touched if not game.is_clued(order)]
    needed, critical = needed_and_critical(game)
    cards = [game.deck[order] for order in touched]
    clued = {order for other in game.hands for order in other if game.is_clued(order)}
    # For each newly touched needed card, its other copies that were clued before or are also new, but older.
    copies = [
        {other for other in clued.union(new[:older]) if game.deck[other] == game.deck[order]}
        for older, order in enumerate(new)
        if game.deck[order] in needed
    ]
    duplicates = list(filter(None, copies))
    giver = zip(game.hands[game.seat], known, strict=True)
    # The giver sees the cards that the clue touches.
    overlooked = {order for order, cards in giver if len(cards) > 1} - set(touched)
    own_chop = chop(game, action.target)
    focus = own_chop if own_chop in new else new[-1] if new else touched[-1] if touched else None
    return {
        "turn": game.turn,
        "giver": game.seat,
        "receiver": action.target,
        "kind": "colour" if action.kind == 2 else "rank",
        "value": action.value,
        "touched": len(touched),
        "newly_touched": len(new),
        "retouched": len(touched) - len(new),
        "trash": sum(card not in needed for card in cards),
        "duplicates": len(duplicates),
        "duplicates_hidden": sum(others <= overlooked for others in duplicates),
        "playable": sum(card in game.playable() for card in cards),
        "critical": sum(card in critical for card in cards),
        "focus": focus,
        "chop_touched": own_chop in new,
        "saved": own_chop is not None and own_chop in new and game.deck[own_chop] in critical,
        "first": new,
    }


# --- whole games --------------------------------------------------------------------------------------------


@dataclass
class Watched:
    """The rows of a game, and for each position, seat and card (oldest first) its order and identities."""

    turns: list[Row]
    clues: list[Row]
    cards: list[Row]
    game: Row
    sets: list[list[list[set[Pair]]]]
    orders: list[list[list[int]]]


def _bits(sets: list[set[Pair]]) -> float:
    return sum(math.log2(len(cards)) for cards in sets)


def _find(game: SlowGame, order: int) -> int | None:
    return next((seat for seat, hand in enumerate(game.hands) if order in hand), None)


class Watcher:
    """Plays a record by the slow rules, and writes its rows."""

    def __init__(self, record: GameRecord) -> None:
        rules = rules_of(record)
        variant = variant_of(record, rules)
        assert record.deck is not None
        self.record = record
        self.game = SlowGame(variant, record.deck, len(record.players), rules, record.options.starting_player)
        self.lost = Fraction(0)
        self.unit = Fraction(1, 2) if variant.clue_starved else Fraction(1)
        start = efficiency(self.game, self.lost)
        full = len(variant.suits) * variant.stack_size
        self.out = Watched([], [], [], {"min_efficiency": float(Fraction(full, start["clues_left"]))}, [], [])
        self.out.game |= {"full_score": full, "full_tokens": rules.clue_tokens}
        self.blind = self.misplays = self.all_blind = 0
        self.double: int | None = None
        self.last_copy: Pair | None = None
        """The needed card with one copy left that the previous action lost, if any."""
        self.chops: list[int | None] = [None] * len(self.game.hands)
        self.out.cards = [
            {
                "order": order,
                "suit": card[0],
                "rank": card[1],
                **dict.fromkeys(("holder", "drawn_turn", "first_clue_turn", "first_clue_giver")),
                **dict.fromkeys(("last_clue_turn", "last_clue_giver", "chop_turn")),
                "touchable": self.touchable(card),
                "colour_clues": 0,
                "rank_clues": 0,
                **dict.fromkeys(("known_turn", "playable_turn")),
                "fate": "in_deck",
                "fate_turn": None,
            }
            for order, card in enumerate(self.game.deck)
        ]

    def touchable(self, card: Pair) -> str:
        """Return which kinds of clue of the variant touch a card."""
        variant = self.game.variant
        colour = any(variant.touches(clue, card) for clue in variant.clue_colours)
        rank = any(variant.touches(clue, card) for clue in variant.clue_ranks)
        return ("both" if rank else "colour") if colour else "rank" if rank else "nothing"

    def look(self, last: bool) -> list[list[set[Pair]]]:
        """Record hands and knowledge of a position; in the last one, the cards' rows only get new holders."""
        game = self.game
        sets = [knowledge(game, seat) for seat in range(len(game.hands))]
        self.out.sets.append(sets)
        self.out.orders.append([list(hand) for hand in game.hands])
        for seat, hand in enumerate(game.hands):
            own = chop(game, seat)
            if not last and own is not None and own != self.chops[seat]:
                self.out.cards[own]["chop_turn"] = game.turn
            self.chops[seat] = own
            for order, cards in zip(hand, sets[seat], strict=True):
                row = self.out.cards[order]
                if row["holder"] is None:
                    row["holder"], row["drawn_turn"] = seat, game.turn
                if not last and row["known_turn"] is None and len(cards) == 1:
                    row["known_turn"] = game.turn
                if not last and row["playable_turn"] is None and game.deck[order] in game.playable():
                    row["playable_turn"] = game.turn
        return sets

    def watch(self) -> Watched:
        """Play all actions and return the rows."""
        game, out = self.game, self.out
        for action in self.record.actions:
            row: Row = {}
            sets = self.look(last=False)
            row.update({f"{name}_before": value for name, value in efficiency(self.game, self.lost).items()})
            row.update(outlook(game, action, sets[game.seat], self.last_copy))
            if action.kind in (2, 3):
                self._clue(action, sets)
            else:
                self._act(action)
            row.update({f"{name}_after": value for name, value in efficiency(game, self.lost).items()})
            row["blind_plays_after"] = self.blind
            row["misplays_after"] = self.misplays
            row["double_discard_after"] = self.double
            out.turns.append(row)
        self.look(last=True)
        self._close()
        return out

    def _clue(self, action: Action, before: list[list[set[Pair]]]) -> None:
        game = self.game
        row = clue_row(game, action, before[game.seat])
        name = game.clue_name(action)
        assert name is not None
        for order in game.touched(action.target, name):
            card = self.out.cards[order]
            card["colour_clues" if action.kind == 2 else "rank_clues"] += 1
            card["last_clue_turn"], card["last_clue_giver"] = game.turn, game.seat
            if order in row["first"]:
                card["first_clue_turn"], card["first_clue_giver"] = game.turn, game.seat
        self.lost += 1
        game.do(action)
        row["bits"] = _bits(before[action.target]) - _bits(knowledge(game, action.target))
        self.out.clues.append(row)
        self.blind = self.misplays = 0
        self.double = self.last_copy = None

    def _act(self, action: Action) -> None:
        game, order, turn, seat = self.game, action.target, self.game.turn, self.game.seat
        clued, card = game.is_clued(order), game.deck[order]
        needed = card in needed_and_critical(game)[0]
        points, strikes, tokens = game.raw_score, game.strikes, game.tokens
        empty = not game.waiting
        game.do(action)
        played, misplayed = game.raw_score > points, game.strikes > strikes
        full = played and len(game.stacks[card[0]]) == game.variant.stack_size
        if misplayed or (full and tokens == game.rules.clue_tokens and not game.variant.throw_it_in_a_hole):
            self.lost += self.unit
        self.blind = self.blind + 1 if played and not clued else 0
        self.all_blind += played and not clued
        self.misplays = self.misplays + 1 if misplayed else 0
        one_left = game.gone[card] + 1 == game.copies[card]
        self.last_copy = card if needed and one_left and not played else None
        self.double = None
        if not played and is_double_discard(game, order, empty):
            self.double = order
        row = self.out.cards[order]
        if row["holder"] is None:
            # The card is played from the deck.
            row["holder"], row["drawn_turn"] = seat, turn
        row["fate"] = "played" if played else "misplayed" if misplayed else "discarded"
        row["fate_turn"] = turn

    def _close(self) -> None:
        """Complete the rows with outcomes."""
        game, out = self.game, self.out
        needed, _ = needed_and_critical(game)
        seats = len(game.hands)
        for hand in game.hands:
            for order in hand:
                out.cards[order]["fate"] = "in_hand"
        gotten = {
            row["order"]
            for row in out.cards
            if row["fate"] == "played" or (row["fate"] == "in_hand" and game.deck[row["order"]] in needed)
        }
        for row in out.clues:
            first = row.pop("first")
            # Turns until the receiver's next turn: a whole round for a clue to oneself.
            ahead = (row["receiver"] - row["giver"]) % seats or seats
            row["plays_followed"] = sum(
                card["fate"] == "played" and card["fate_turn"] == row["turn"] + ahead for card in out.cards
            )
            row["cards_gotten"] = len(gotten.intersection(first))
        out.game |= {
            "blind_plays": self.all_blind,
            "cards_gotten": cards_gotten(game),
            "efficiency": float(cards_gotten(game) / self.lost) if self.lost else None,
        }


def watch(record: GameRecord) -> Watched:
    """Return the rows of a game."""
    return Watcher(record).watch()
