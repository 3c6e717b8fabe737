"""What detectors are shown, and what not: no later turn, no card of the deck, not the own hand.

In: detectors that note what they are shown, and one that pries. Out: that views are the positions of the
replay, that a log cut short or a hidden card changed shows the same, and that nothing else can be reached.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator
from types import ModuleType

import pytest
from msgspec.structs import replace as changed

import hanalyze as hz
from hanalyze.detectors import (
    Moment,
    Turn,
    detect,
)
from hanalyze.detectors.run import SPECTATOR, watch
from hanalyze.engine.batch import Deal
from hanalyze.engine.game import Game
from hanalyze.game.cards import identity
from hanalyze.game.meanings import Convention, Reason
from hanalyze.logs import GameRecord
from tests.conventions.test_properties import plain_games, read_records, rows_of, samples, simulated
from tests.detectors.detecting import Spy, deal_of, short_game

# --- What a turn shows.


@pytest.mark.parametrize(
    "of_all", [slice(None, None, 3), pytest.param(slice(None), marks=pytest.mark.heavy)], ids=["some", "all"]
)
def test_a_spectator_reads_what_the_built_in_reader_finds(of_all: slice) -> None:
    records = [*samples()[::5], *simulated()[::4]][of_all]
    assert len({len(record.players) for record in records}) > 2
    for record in records:
        rows = [
            (turns[SPECTATOR].turn, number, one)
            for turns in watch(deal_of(record), 25, [SPECTATOR])
            for number, one in enumerate(turns[SPECTATOR].meanings)
        ]
        expected = rows_of(read_records([record]), 0)
        assert len(rows) == len(expected)
        for (turn, number, one), row in zip(rows, expected, strict=True):
            assert (turn, number, one.convention) == (row["turn"], row["number"], row["convention"])
            assert (one.certainty, one.legal) == (row["certainty"], row["legal"])
            assert one.reasons == Reason.among(row["reasons"])
            assert (one.readings.mask, one.worth, one.steps) == (row["readings"], row["worth"], row["steps"])
            assert one.cards == tuple(card for card in row["cards"] if card >= 0)
            assert -1 if one.focus is None else one.focus == row["focus"]


@pytest.mark.parametrize("truth", [True, pytest.param(False, marks=pytest.mark.heavy)])
def test_the_views_are_the_positions_of_the_replay(truth: bool) -> None:
    for record in samples()[:: 8 if truth else 24]:
        replay = hz.replay(record)
        spy = Spy(reads_truth=truth)
        detect(replay, [spy])
        for turn in spy.turns:
            for view, number in ((turn.before, turn.turn), (turn.after, turn.turn + 1)):
                position = replay.state(number).seen_by(*([] if truth else [turn.seat]))
                if number < replay.turn_count and view is turn.after and view.end_condition != "unfinished":
                    continue  # taken up again
                for field in ("seat", "stacks", "discards", "clue_tokens", "strikes", "deck", "score"):
                    assert getattr(view, field) == getattr(position, field), field
                for field in ("max_score", "pace", "end_condition", "players", "letters"):
                    assert getattr(view, field) == getattr(position, field), field
                for field in ("possible", "unseen", "playable", "needed", "critical"):
                    assert getattr(view, field) == getattr(position, field), field
                cards = [[(card.order, card.card, card.clues) for card in hand] for hand in view.hands]
                seen = [[(card.order, card.card, card.clues) for card in hand] for hand in position.hands]
                assert cards == seen


@pytest.mark.heavy
def test_the_clue_that_was_given_means_what_it_means_among_the_legal_ones() -> None:
    given = 0
    for record in plain_games()[:6]:
        for truth in (False, True):
            spy = Spy(truth, clues=True)
            detect(record, [spy])
            for turn in spy.turns:
                mine = [clue for clue in turn.legal_clues() if clue.action == turn.action]
                assert len(mine) == (turn.kind == "clue")
                for clue in mine:
                    given += 1
                    assert (clue.touched, clue.newly) == (turn.touched, turn.newly_touched)
                    assert clue.meanings == turn.meanings
    assert given > 100


@pytest.mark.heavy
def test_a_called_card_is_seen_in_the_open_calls() -> None:
    calls = []
    for record in plain_games():
        for turns in watch(deal_of(record), 25, [SPECTATOR]):
            view = turns[SPECTATOR].before
            calls += view.calls
            for call in view.calls:
                assert call.turn < view.turn
                assert call.done <= len(call.steps)
    assert {call.convention for call in calls} >= {Convention.PLAY_CLUE}
    assert any(call.steps for call in calls)


# --- No look into the future, none at hidden cards.


@pytest.mark.parametrize(("games", "cuts"), [(1, 2), pytest.param(4, 5, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("truth", [False, pytest.param(True, marks=pytest.mark.heavy)])
def test_later_turns_are_in_no_turn(truth: bool, games: int, cuts: int) -> None:
    draw = random.Random(5)
    for record in draw.sample(plain_games(), games):
        whole = Spy(truth, clues=True)
        detect(record, [whole])
        deck = list(hz.replay(record).deck)
        for cut in draw.sample(range(1, len(record.actions) + 1), cuts):
            last = whole.turns[cut - 1].after
            drawn = len(deck) - last.deck
            rest = deck[drawn:]
            draw.shuffle(rest)
            short = changed(
                record, actions=record.actions[:cut], deck=deck[:drawn] + rest, seed=None, score=None
            )
            again = Spy(truth, clues=True)
            detect(short, [again])
            assert again.notes == whole.notes[:cut]


def reachable(start: object) -> Iterator[object]:
    """Yield all objects that one leads to, but for types, modules and functions."""
    seen = {}
    waiting = [start]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | ModuleType) or callable(one):
            continue
        seen[id(one)] = one
        waiting += gc.get_referents(one)
    yield from seen.values()


@pytest.mark.heavy
def test_who_pries_finds_neither_deck_nor_hand_nor_seed() -> None:
    record = short_game()
    found = 0

    class Pry:
        name = "pry"
        version = "1"
        reads_truth = False

        def detect(self, turn: Turn) -> None:
            nonlocal found
            for one in reachable(turn):
                assert not isinstance(one, GameRecord | Deal)
                assert not isinstance(one, str) or one != record.seed
                if isinstance(one, Game):
                    found += 1
                    assert set(one.identity[one.drawn :]) == {-1}
                    own = [order for order, place in enumerate(one.place) if place == turn.seat]
                    assert own
                    assert all(one.identity[order] == -1 for order in own)

        def opportunities(self, moment: Moment) -> None:
            others = [one for one in reachable(moment) if isinstance(one, Turn)]
            assert {one.turn for one in others} == set(range(moment.turn))
            assert not hasattr(moment, "action")

    assert detect(record, [Pry()]).problems == []
    assert found > 1000


@pytest.mark.heavy
def test_the_own_hand_decides_nothing_that_its_holder_is_shown() -> None:
    """Give the acting player another card that all clues so far allow as well: nothing changes."""
    draw = random.Random(11)
    swapped = differed = 0
    for record in plain_games()[::3]:
        variant = hz.variant(record.variant)
        deck = list(hz.replay(record).deck)
        spies = Spy(clues=True), Spy(reads_truth=True)
        detect(record, [spies[0]])
        detect(record, [spies[1]])
        for turn in draw.sample(spies[0].turns, min(4, len(spies[0].turns))):
            drawn = len(deck) - turn.after.deck
            hand = turn.before.hands[turn.seat]
            assert all(card.card is None for card in hand)
            assert all(card.card is not None for card in spies[1].turns[turn.turn].before.hands[turn.seat])
            marks = [one for one in turn.history if one.receiver == turn.seat]
            pairs = [
                (card.order, other)
                for card in hand
                for other in range(drawn, len(deck))
                if deck[other] != deck[card.order]
                and card.order != turn.order
                and all(
                    touches(variant, one, deck[card.order]) == touches(variant, one, deck[other])
                    for one in marks
                    if one.before.card(card.order) is not None
                )
            ]
            if not pairs:
                continue
            one, other = draw.choice(pairs)
            dealt = list(deck)
            dealt[one], dealt[other] = deck[other], deck[one]
            cut = turn.turn + 1
            short = changed(record, deck=dealt, actions=record.actions[:cut], seed=None, score=None)
            again, truth = Spy(clues=True), Spy(reads_truth=True)
            detect(short, [again])
            detect(short, [truth])
            assert again.notes[cut - 1] == spies[0].notes[cut - 1]
            differed += truth.notes[cut - 1] != spies[1].notes[cut - 1]
            swapped += 1
    assert swapped > 12
    assert differed == swapped


def touches(variant: hz.Variant, clue: Turn, card: hz.Card) -> bool:
    value = clue.action.value
    rank = clue.action.kind == hz.ActionKind.RANK_CLUE
    masks = variant.rank_touch if rank else variant.colour_touch
    return bool(masks[variant.clue_ranks.index(value) if rank else value] >> identity(*card) & 1)


def test_history_is_what_the_same_eye_saw() -> None:
    spy = Spy()
    detect(short_game(), [spy])
    for turn in spy.turns[3:]:
        assert len(turn.history) == turn.turn
        assert [one.turn for one in turn.history] == list(range(turn.turn))
        assert all(
            card.card is None for one in turn.history for card in one.before.hands[turn.seat] if card.order
        )
        assert turn.history[-1].turn == turn.turn - 1 == turn.history[-1:][0].turn
        assert len(turn.history[-1].history) == turn.turn - 1
        with pytest.raises(IndexError):
            turn.history[turn.turn]


def test_views_cannot_be_written_to() -> None:
    spy = Spy()
    detect(short_game(), [spy])
    with pytest.raises(AttributeError, match="read-only"):
        spy.turns[0]._situation.game.tokens = 0
    with pytest.raises(TypeError):
        spy.turns[0]._situation.game.identity[0] = 0
    with pytest.raises(TypeError):
        spy.turns[0].found["other"] = ()
