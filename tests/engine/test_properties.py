"""What must hold in every game, on games that random, cautious and cheating players make of drawn tables.

The slow rules play the same games, and say the same of every position: cached quantities equal those found
from scratch.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import assume, given, strategies as st
from msgspec.structs import replace as changed

from hanalyze.agents import AGENTS, simulate
from hanalyze.engine.batch import deal_records, make_batch, rules_of, variant_of
from hanalyze.engine.game import IN_DECK, IN_DISCARD, ON_STACK, Game
from hanalyze.engine.knowledge import possibilities, read_hands
from hanalyze.engine.measure import critical_cards, needed_cards
from hanalyze.engine.rules import find_defect
from hanalyze.engine.run import play
from hanalyze.game.actions import Action
from hanalyze.game.cards import cards_in, identity
from hanalyze.game.editions import EDITION_VARIANTS, EDITIONS
from hanalyze.game.variants import variant as named_variant, variant_names
from hanalyze.logs import GameRecord, Options
from hanalyze.replaying import Replay, replay
from tests.slow_rules import SlowGame

# Each special rule often enough, and all other variants now and then.
SPECIAL = [
    "No Variant",
    "Black (6 Suits)",
    "Orange (5 Suits)",
    "Reversed (5 Suits)",
    "Dark Orange Reversed (5 Suits)",
    "Up or Down (5 Suits)",
    "Up or Down & Dark Null (6 Suits)",
    "Sudoku (5 Suits)",
    "Sudoku (4 Suits)",
    "Sudoku & Dark Rainbow (5 Suits)",
    "Clue Starved (6 Suits)",
    "Throw It in a Hole (4 Suits)",
    "Alternating Clues (4 Suits)",
    "Cow & Pig (5 Suits)",
    "Duck (4 Suits)",
    "Synesthesia (5 Suits)",
    "Critical Fours (5 Suits)",
    "Scarce Ones (6 Suits)",
    "Totally Blind (4 Suits)",
    "R+Y",
    "R+Bk+Om",
]
CHANGES = ["", "+strikes=1", "+clue_tokens=3", "+ends_when_stuck=no", "+empty_clues=yes", "+clue_to_self=yes",
           "+discard_at_full_tokens=yes"]  # fmt: skip

NUMBERS = ("score", "max_score", "clue_tokens", "strikes", "deck", "pace")


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """Draw a table and let players of one kind play a game at it."""
    name = draw(st.sampled_from(list(EDITIONS)))
    variant = draw(st.sampled_from(SPECIAL) | st.sampled_from(variant_names()))
    others = list(EDITION_VARIANTS.get(name, {}))
    edition = name + draw(st.sampled_from(CHANGES))
    if others and draw(st.booleans()):
        edition += "+" + draw(st.sampled_from(others))
        variant = "No Variant"
    options = Options(
        starting_player=draw(st.integers(0, 1)),
        speedrun=draw(st.booleans()) and draw(st.booleans()),
        card_cycle=draw(st.booleans()),
        deck_plays=draw(st.booleans()),
        empty_clues=draw(st.booleans()),
        one_extra_card=draw(st.booleans()),
        one_less_card=draw(st.booleans()),
        all_or_nothing=draw(st.booleans()) and draw(st.booleans()),
    )
    players = draw(st.integers(2, 6))
    rules = rules_of(GameRecord(players=(), options=options, edition=edition))
    assume(players <= rules.max_players)
    # A deck that is dealt out from the start is no game of any rule sheet.
    assume(players * rules.hand_size(players) < named_variant(rules.variant or variant).deck_size)
    [record] = simulate(
        draw(st.sampled_from(AGENTS)),
        players=players,
        seed=draw(st.integers(1, 10**9)),
        variant=variant,
        edition=edition,
        options=options,
        fast=False,
    )
    return record


def found_in(replayed: Replay) -> list[str]:
    return [str(defect) for defect in replayed.defects]


def hand(state: Game, seat: int) -> list[int]:
    return [int(state.hands[seat][i]) for i in range(state.hand_len[seat])]


def slow_game(record: GameRecord) -> SlowGame:
    rules = rules_of(record)
    assert record.deck is not None
    return SlowGame(
        variant_of(record, rules), record.deck, len(record.players), rules, record.options.starting_player
    )


@given(records())
def test_what_must_hold_in_every_game(record: GameRecord) -> None:
    """Cards are neither made nor lost, numbers keep within bounds, and hopes only fall.

    The maximum score never rises, in no variant: an action loses a card or puts one on a stack, and every way
    to go on from there was a way to go on before. In Up or Down the first cards of a stack, in Sudoku its
    first one, give up the other ways, and so can only lower it.
    """
    replayed = replay(record)
    assert found_in(replayed) == []
    assert replayed.turn_count == len(record.actions)
    rules = replayed.rules
    # A player without a card may have no clue to give: then the others wait for ever.
    assert replayed.end_condition != "unfinished" or rules.all_or_nothing
    most = replayed.variant.max_score
    for _, state in replayed.states():
        places = Counter(state.place[: state.cards])
        assert places[IN_DECK] == state.cards - state.drawn
        assert places[ON_STACK] == state.raw_score == sum(state.stack)
        assert places[IN_DISCARD] == sum(state.lost)
        held = [hand(state, seat) for seat in range(len(record.players))]
        for seat, orders in enumerate(held):
            assert len(orders) == places[seat]
            assert all(state.place[order] == seat for order in orders)
        assert sum(places.values()) == len(replayed.deck)
        assert 0 <= state.tokens <= rules.clue_tokens * state.variant.token_unit
        assert 0 <= state.strikes <= rules.strikes
        assert state.raw_score <= state.max_score <= most
        most = state.max_score


@given(records())
def test_before_is_after_the_turn_before(record: GameRecord) -> None:
    rows = list(replay(record).rows())
    pairs = [name[: -len("_before")] for name in rows[0] if name.endswith("_before")] if rows else []
    for last, row in pairwise(rows):
        before = {name: row[f"{name}_before"] for name in pairs}
        assert before == {name: last[f"{name}_after"] for name in pairs}
        assert row["turn"] == last["turn"] + 1
        assert row["seat"] == (last["seat"] + 1) % len(record.players)
    for row in rows:
        assert row["score_after"] <= row["max_score_after"]


@given(records())
def test_rows_are_those_of_the_frames(record: GameRecord) -> None:
    replayed = replay(record)
    assert list(replayed.rows()) == replayed.turns.to_dicts()
    assert list(replayed.card_rows()) == replayed.cards.to_dicts()


def sets(masks: list[int]) -> list[set[tuple[int, int]]]:
    return [set(cards_in(mask)) for mask in masks]


def known(state: Game, seat: int) -> list[int]:
    return [int(state.know.known[seat][i]) for i in range(possibilities(state, seat))]


@given(records(), st.integers(0, 6))
def test_the_slow_rules_say_the_same(record: GameRecord, phase: int) -> None:
    slow = slow_game(record)
    replayed = replay(record)
    rows = list(replayed.rows())
    for turn, state in replayed.states():
        if turn:
            assert slow.is_legal(record.actions[turn - 1])
            slow.do(record.actions[turn - 1])
            expected = slow.row()
            expected["stacks"] += [0] * (6 - len(expected["stacks"]))
            assert {name: rows[turn - 1][f"{name}_after"] for name in expected} == expected
        assert [hand(state, seat) for seat in range(len(slow.hands))] == slow.hands
        assert set(cards_in(int(state.playable))) == slow.playable()
        needed, critical = needed_cards(state), critical_cards(state)
        for suit, word in enumerate(slow.status()):
            for rank, letter in zip(replayed.variant.ranks, word, strict=True):
                bit = identity(suit, rank)
                ours = "c" if critical >> bit & 1 else "n" if needed >> bit & 1 else "t"
                assert letter in (ours, "x"), (turn, suit, rank)
        if turn % 7 == phase:
            for seat in range(len(slow.hands)):
                assert sets(known(state, seat)) == slow.known(seat)
            legal = set(slow.legal_actions())
            if slow.end == "unfinished":
                for action in slow.candidates():
                    assert (find_defect(state, *action) == 0) == (action in legal), (turn, action)
    assert replayed.end_condition == slow.end
    assert (replayed.score, replayed.raw_score) == (slow.score, slow.raw_score)


@given(records(), st.integers(0, 80))
def test_a_position_of_a_replay(record: GameRecord, turn: int) -> None:
    replayed = replay(record)
    turn = min(turn, replayed.turn_count)
    slow = slow_game(record)
    for action in record.actions[:turn]:
        slow.do(action)
    position = replayed.state(turn)
    assert (position.turn, position.seat, position.end_condition) == (turn, slow.seat, slow.end)
    expected = slow.row()
    assert [list(map(len, position.stacks)), *(getattr(position, name) for name in NUMBERS)] == [
        expected["stacks"],
        *(expected[name] for name in NUMBERS),
    ]
    assert [[card.rank for card in stack] for stack in position.stacks] == slow.stacks
    assert Counter((card.suit, card.rank) for card in position.discards) == slow.gone
    assert [[held.order for held in hand] for hand in position.hands] == slow.hands
    for held in (held for hand in position.hands for held in hand):
        assert held.card == replayed.deck[held.order]
        assert held.clued == slow.is_clued(held.order)
        assert [mark.touched for mark in held.clues] == [touched for _, touched in slow.clues[held.order]]


@given(records())
def test_knowledge_holds_the_truth_and_only_grows(record: GameRecord) -> None:
    """Of every card its holder allows for what it is, and never again for what was once excluded.

    What is remembered from turn to turn (`read_hands`) is what is found from scratch.
    """
    replayed = replay(record)
    allowed: dict[int, int] = {}
    for turn, state in replayed.states():
        read_hands(state)
        for seat in range(len(record.players)):
            remembered = list(state.know.known[seat])
            masks = known(state, seat)
            assert remembered[: len(masks)] == masks, turn
            for order, mask in zip(hand(state, seat), masks, strict=True):
                assert mask >> identity(*replayed.deck[order]) & 1, (turn, order)
                assert mask & ~allowed.get(order, mask) == 0, (turn, order)
                allowed[order] = mask


@st.composite
def broken(draw: st.DrawFn) -> GameRecord:
    """Draw a game and change some of its actions to anything."""
    record = draw(records())
    actions = list(record.actions)
    small = st.integers(-2, 8) | st.integers(0, 60) | st.integers(-(2**63), 2**63 - 1)
    for _ in range(draw(st.integers(1, 3))):
        index = draw(st.integers(0, max(len(actions) - 1, 0)))
        new = Action(draw(st.integers(-1, 6)), draw(small), draw(small))
        actions[index : index + draw(st.integers(0, 1))] = [new]
    return changed(record, actions=actions, score=None)


def is_fine(slow: SlowGame, action: Action) -> bool:
    """Return whether the slow rules take an action, endings by hand included."""
    if slow.end != "unfinished":
        return False
    if action.kind in (4, 5):
        return action.value in ((3, 4, 6) if action.kind == 4 else (10,))
    return action.kind in (0, 1, 2, 3) and slow.is_legal(action)


@given(broken())
def test_the_first_broken_rule_of_a_log(record: GameRecord) -> None:
    replayed = replay(record)
    slow = slow_game(record)
    first = None
    for turn, action in enumerate(record.actions):
        if not is_fine(slow, action):
            first = turn
            break
        slow.do(action)
    assert (replayed.defects[0].turn if replayed.defects else None) == first
    if first is None:
        assert (replayed.end_condition, replayed.score) == (slow.end, slow.score)
    else:
        assert replayed.turn_count >= first
    for defect in replayed.defects:
        assert str(defect).isprintable()


@given(st.lists(records() | broken(), min_size=2, max_size=5))
def test_a_batch_is_its_games(games: list[GameRecord]) -> None:
    deals = deal_records(games)
    together = play(make_batch(deals), fast=False)
    alone = [play(make_batch([deal]), fast=False) for deal in deals]
    for table, columns in together._asdict().items():
        for name, column in columns.items():
            parts = [getattr(one, table)[name] for one in alone]
            if table == "defects" and name == "game":
                parts = [part + game for game, part in enumerate(parts)]
            np.testing.assert_array_equal(np.concatenate(parts), column, err_msg=f"{table}.{name}")
    # A part of a batch, too.
    part = play(make_batch(deals), fast=False, first=1, last=2)
    for name, column in alone[1].turns.items():
        np.testing.assert_array_equal(part.turns[name], column, err_msg=name)
