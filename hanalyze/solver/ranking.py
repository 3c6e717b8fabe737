"""Legal moves of a turn, ranked by the best score that they leave, with open cards or for one player.

For one player, deals are sampled that fit the player's knowledge. All arrangements of the unseen cards that
the clues allow are equally likely. All cards are open after the move, so the averages are upper limits.
"""

from __future__ import annotations

import logging
import math
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import Final, NamedTuple, overload

import msgspec
import numpy as np
from numpy.typing import NDArray

from hanalyze.engine.batch import Deal, make_batch
from hanalyze.engine.game import Game
from hanalyze.engine.knowledge import possibilities
from hanalyze.errors import HanalyzeError
from hanalyze.game.actions import Action
from hanalyze.kernels.compiling import pays_off
from hanalyze.position import check_seat
from hanalyze.replaying import Replay
from hanalyze.solver.lines import all_actions, legal_actions, likeness
from hanalyze.solver.question import ask
from hanalyze.solver.search_plan import Budget, Games, Seeker
from hanalyze.solver.solving import Case, check_covered, solved

_log: Final = logging.getLogger("hanalyze")

_SAVED: Final = 0.04  # seconds per deal that compiled code saves
_CHUNK: Final = 50  # deals in memory at a time
_TIMED: Final = 5  # deals timed for the estimate; the deal before them may include compilation
_LONG: Final = 3  # minimum estimate, in seconds, that is announced


class Sampling(NamedTuple):
    """Number of sampled deals, and the random seed.

    >>> Sampling(50).seed
    1
    """

    samples: int = 200
    seed: int = 1


@dataclass(frozen=True, slots=True)
class MoveChance:
    """A legal action, evaluated from a player's view.

    `keeps`, from 0 to 1, is the share of the deals in which the action does not lower the best reachable
    score. `expected` is the mean of the best score after the action. Both have standard errors. `deals` is
    the number of decided deals in which the action is legal; if it is 0, the four fields above are NaN.
    `open` is the number of deals left out for all actions because the solver did not decide them.
    """

    action: Action
    keeps: float
    keeps_error: float
    expected: float
    expected_error: float
    deals: int
    open: int


@dataclass(frozen=True, slots=True)
class _View:
    """A player's view before a turn: the unseen cards, and the possible unseen cards for each card in hand.

    `unseen` contains the sorted identities of the unseen cards, `hand` the orders of the cards in hand.
    `fits` contains, for each card in hand, the indices of the unseen cards that it can be. `drawn` is the
    order of the next card.
    """

    unseen: list[int]
    hand: list[int]
    fits: list[list[int]]
    drawn: int


def _view(game: Replay, state: Game, seat: int) -> _View:
    """Return a player's view. Raises `HanalyzeError` (rule `no_such_hand`) if no hand fits the clues."""
    hand = [int(state.hands[seat][i]) for i in range(int(state.hand_len[seat]))]
    drawn = int(state.drawn)
    numbers = game.deal.deck.tolist()
    unseen = sorted([numbers[order] for order in hand] + numbers[drawn:])
    possibilities(state, seat)
    known = [int(state.know.known[seat][i]) for i in range(len(hand))]
    fits = [[place for place, number in enumerate(unseen) if mask >> number & 1] for mask in known]
    if not all(fits):
        raise HanalyzeError("the clues of this log contradict each other", rule="no_such_hand")
    return _View(unseen, hand, fits, drawn)


def _decks(game: Replay, view: _View, sampling: Sampling) -> Iterator[NDArray[np.uint8]]:
    """Yield decks that fit a view, (cards,) uint8; all arrangements of the unseen cards are equally likely.

    The cards of the hand are drawn independently, and redrawn until no card is drawn twice.
    """
    chance = random.Random(sampling.seed)
    while True:
        places = [chance.choice(fits) for fits in view.fits]
        if len(set(places)) < len(places):
            continue
        rest = sorted(set(range(len(view.unseen))).difference(places))
        chance.shuffle(rest)
        deck = game.deal.deck.copy()
        deck[view.hand] = [view.unseen[place] for place in places]
        deck[view.drawn :] = [view.unseen[place] for place in rest]
        yield deck


def _move_chances(
    game: Replay, turn: int, state: Game, seat: int, sampling: Sampling, budget: Budget, fast: bool | None
) -> list[MoveChance]:
    """Return the legal actions of a turn from the view of `seat`, those that keep the best score first.

    If the remaining deals will take several seconds, a log message says so after the first deals. Raises the
    errors of `rank_moves`.
    """
    check_covered(game.variant, game.rules, game.record.deck_known)
    if game.variant.throw_it_in_a_hole:
        what = "the solver does not cover variants that hide played cards from the players"
        raise HanalyzeError(what, rule="not_covered")
    check_seat(seat, game.record.players)
    if sampling.samples < 1:
        raise HanalyzeError(f"{sampling.samples} samples", rule="bad_samples", advice="use at least 1")
    if state.end_condition:
        return []
    view = _view(game, state, seat)
    fast = pays_off(_SAVED * sampling.samples, ask) if fast is None else fast
    before = game.record.actions[:turn]
    decks = islice(_decks(game, view, sampling), sampling.samples)
    tallies: list[tuple[int, dict[Action, int]]] = []
    undecided = 0
    for size in chain((1, _TIMED), repeat(_CHUNK)):
        start = time.perf_counter()
        chunk = list(islice(decks, size))
        if not chunk:
            break
        legal = [_legal(state, view, deck) for deck in chunk]
        alike = [
            {likeness(state, action, deck): action for action in reversed(actions)}
            for actions, deck in zip(legal, chunk, strict=True)
        ]
        deals = [
            _deal(game, [*before, *more], deck)
            for deck, groups in zip(chunk, alike, strict=True)
            for more in ([], *([action] for action in groups.values()))
        ]
        table = Games.of(make_batch(deals), fast=fast)
        seekers = iter([Seeker(table, number, budget) for number in range(len(deals))])
        for deck, actions, groups in zip(chunk, legal, alike, strict=True):
            scores = _after(seekers, list(groups), turn, game.variant.max_score)
            if scores is None:
                undecided += 1
                continue
            best, after = scores
            tallies.append((best, {action: after[likeness(state, action, deck)] for action in actions}))
        remaining = sampling.samples - len(tallies) - undecided
        seconds = (time.perf_counter() - start) / len(chunk) * remaining
        if size == _TIMED and seconds >= _LONG:
            _log.info("solving %s more deals: about %.0f s", f"{remaining:,}", seconds)
    return _summed(all_actions(state), tallies, undecided)


def _legal(state: Game, view: _View, deck: NDArray[np.uint8]) -> list[Action]:
    """Return the actions that are legal if the unseen cards come from `deck`."""
    for order in view.hand:
        state.identity[order] = int(deck[order])
    return legal_actions(state)


def _deal(game: Replay, actions: list[Action], deck: NDArray[np.uint8]) -> Deal:
    record = msgspec.structs.replace(game.record, actions=actions, score=None)
    return game.deal._replace(record=record, deck=deck, differs=False)


def _after(
    seekers: Iterator[Seeker], keys: list[tuple[int, int]], turn: int, full: int
) -> tuple[int, dict[tuple[int, int], int]] | None:
    """Return the best score of a deal, and those after actions, by `likeness`; None if any is open."""
    mine = [next(seekers), *islice(seekers, len(keys))]
    whole = mine[0].best(turn, 0, full)
    if whole.low < whole.high:
        return None
    after = {}
    for key, seeker in zip(keys, mine[1:], strict=True):
        best = seeker.best(turn + 1, 0, whole.high)
        if best.low < best.high:
            return None
        after[key] = best.low
    return whole.low, after


def _summed(
    actions: list[Action], tallies: list[tuple[int, dict[Action, int]]], undecided: int
) -> list[MoveChance]:
    """Return the actions legal in some decided deal, best first; all `actions` if no deal is decided."""
    if not tallies:
        return [MoveChance(one, math.nan, math.nan, math.nan, math.nan, 0, undecided) for one in actions]
    moves = []
    for action in actions:
        scores = [(best, after[action]) for best, after in tallies if action in after]
        count = len(scores)
        if not count:
            continue
        share = sum(score == best for best, score in scores) / count
        mean = sum(score for _, score in scores) / count
        spread = sum((score - mean) ** 2 for _, score in scores) / max(count - 1, 1)
        errors = math.sqrt(share * (1 - share) / count), math.sqrt(spread / count)
        moves.append(MoveChance(action, share, errors[0], mean, errors[1], count, undecided))
    return sorted(moves, key=lambda move: (-move.keeps, -move.expected))


_NODES: Final = 100_000  # maximum positions searched per goal; low, because a turn has many moves
_NODES_SAMPLED: Final = 20_000  # the same with many sampled deals
_SAMPLING: Final = Sampling()


@dataclass(frozen=True, slots=True)
class RankedMove:
    """A legal action and the best score after it: between `low` and `high`, open if they differ."""

    action: Action
    low: int
    high: int


@overload
def rank_moves(
    game: Replay,
    turn: int,
    *,
    seat: None = None,
    nodes: int | None = ...,
    seconds: float | None = ...,
    fast: bool | None = ...,
) -> list[RankedMove]: ...


@overload
def rank_moves(
    game: Replay,
    turn: int,
    *,
    seat: int,
    sampling: Sampling = ...,
    nodes: int | None = ...,
    seconds: float | None = ...,
    fast: bool | None = ...,
) -> list[MoveChance]: ...


def rank_moves(
    game: Replay,
    turn: int,
    *,
    seat: int | None = None,
    sampling: Sampling = _SAMPLING,
    nodes: int | None = None,
    seconds: float | None = None,
    fast: bool | None = None,
) -> list[RankedMove] | list[MoveChance]:
    """Return the legal actions of a turn, ranked by the best score that each leaves with open cards.

    `turn` counts from 0, or from the end if negative. The best actions come first; ties are in the order
    plays (newest card first), discards, clues. The list is empty if the game is over.

    With `seat`, the actions are evaluated from the view of that player, who need not be the player to move.
    The player's hand and the deck are then sampled from the deals that fit the player's knowledge. Each
    action is a `MoveChance`: how often it keeps the best score, and the mean score that it leaves. `nodes`,
    `seconds`, `fast` and the errors are those of `solve`, but `nodes` is by default 100,000, or 20,000 with
    `seat`. Further errors with `seat`: rule `no_such_seat`, `bad_samples` for fewer than one deal, and
    `no_such_hand` if no hand fits the clues of a broken log.

    >>> import hanalyze as hz
    >>> game = hz.replay(hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1"))
    >>> moves = rank_moves(game, 0, fast=False)
    >>> moves[0].low, len(moves) > 10
    (25, True)
    >>> chances = rank_moves(game, 0, seat=0, sampling=Sampling(2), fast=False)
    >>> chances[0].deals, chances[0].keeps, len(chances) == len(moves)
    (2, 1.0, True)
    """
    turn = game.turn_number(turn)
    state = next(state for number, state in game.states(turn) if number == turn)
    if seat is not None:
        budget = Budget(_NODES_SAMPLED if nodes is None else nodes, seconds)
        return _move_chances(game, turn, state, seat, sampling, budget, fast)
    if state.end_condition:
        return []
    actions = legal_actions(state)
    kinds = [likeness(state, action, state.identity) for action in actions]
    first = dict(zip(reversed(kinds), reversed(actions), strict=True))
    before = game.record.actions[:turn]
    after = [game.with_actions([*before, action]) for action in first.values()]

    def score(case: Case) -> tuple[int, int]:
        best = case.best(turn + 1, 0, case.full)
        over = case.game.end_condition != "unfinished"
        return (case.game.score, case.game.score) if over else (best.low, best.high)

    budget = Budget(_NODES if nodes is None else nodes, seconds)
    scores = dict(zip(first, solved(after, budget, score, fast=fast), strict=True))
    moves = [RankedMove(action, *scores[alike]) for action, alike in zip(actions, kinds, strict=True)]
    return sorted(moves, key=lambda move: (-move.low, -move.high))
