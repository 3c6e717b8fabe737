"""Agents of one's own: the one that CONTRIBUTING shows plays, and no agent is given what it does not see."""

from __future__ import annotations

import gc
import random
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

import hanalyze as hz
from hanalyze.agents import PastAction, Sight, load_agent, simulate
from hanalyze.errors import HanalyzeError, IllegalAction
from hanalyze.kernels.record import Record
from hanalyze.replaying import replay
from tests.cli.running import hanalyze

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The agent that CONTRIBUTING shows, as a file."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Write an agent")[2]
    [code] = re.findall(r"```python\n(.*?)```", text.partition("\n## ")[0], re.DOTALL)
    assert code.count("\n") <= 35
    path = tmp_path_factory.mktemp("agents") / "my_agent.py"
    path.write_text(code)
    return path


def things_in(value: object) -> Iterator[object]:
    """Yield everything that an object leads to, but for classes, modules and functions."""
    seen: set[int] = set()
    left = [value]
    while left:
        one = left.pop()
        if id(one) in seen or isinstance(one, type | ModuleType | FunctionType):
            continue
        seen.add(id(one))
        yield one
        left += gc.get_referents(one)


class Watched:
    """An agent of another's kind that looks into everything that it is given."""

    inner: Any = None
    looked = 0

    def __init__(self) -> None:
        self._agent = Watched.inner()

    def act(self, sight: Sight) -> hz.Action:
        for thing in things_in(sight):
            assert not isinstance(thing, Record | hz.Game | hz.GameRecord | hz.Replay), thing
            Watched.looked += 1
        assert all(card.card is None for card in sight.hand)
        assert sight.me == sight.seat
        action: hz.Action = self._agent.act(sight)
        return action


def check_games(shown: Path, games: int) -> None:
    """Let the agent play with `cautious`, and replay the games; every tenth is looked into."""
    agent = load_agent(f"{shown}:Agent")
    Watched.inner, Watched.looked = agent.make, 0
    scores = []
    for one, first in ((Watched, 1), (agent, games // 10 + 1)):
        count = games // 10 if one is Watched else games - games // 10
        for record in simulate([one, "cautious"], games=count, seed=first):
            again = replay(record, strict=True)
            assert again.end_condition in ("normal", "strikeout")
            assert again.score == record.score
            scores.append(again.score)
    assert len(scores) == games
    assert Watched.looked > 100 * games
    # It plays: at random a game is lost at once.
    assert sum(scores) / games > 8


def test_the_agent_that_is_shown_plays(shown: Path) -> None:
    check_games(shown, 40)


@pytest.mark.heavy
@pytest.mark.parametrize("games", [300, pytest.param(1000, marks=pytest.mark.exhaustive)])
def test_the_agent_that_is_shown_plays_many_games(shown: Path, games: int) -> None:
    check_games(shown, games)


def exchanged(game: hz.Game, seat: int, dice: random.Random) -> list[tuple[int, int]]:
    """Return the deck with hidden cards of a seat exchanged for others that it cannot tell them from."""
    state = game.state
    deck = list(game.record().deck or [])
    sight = game.sees(seat)
    hidden = list(range(state.drawn, state.cards))
    for _ in range(10):
        own = dice.choice(sight.hand)
        other = dice.choice([*hidden, *(card.order for card in sight.hand)])
        can_be = {card.order: card.possible for card in sight.hand}
        one, two = deck[own.order], deck[other]
        if two in own.possible and (other not in can_be or one in can_be[other]):
            deck[own.order], deck[other] = two, one
    return deck


VARIANTS = ("No Variant", "Rainbow & Pink (5 Suits)", "Up or Down (5 Suits)", "Sudoku (5 Suits)", "6 Suits")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("edition", ["hanab-live", pytest.param("hanabi-data", marks=pytest.mark.heavy)])
def test_exchanged_hidden_cards_change_nothing_that_is_seen(variant: str, edition: str) -> None:
    dice = random.Random(f"{variant} {edition}")
    changed = 0
    for number in range(3):
        game = hz.Game(2 + number, seed=number, variant=variant, edition=edition)
        while not game.over:
            seat = dice.randrange(len(game.players))
            deck = exchanged(game, seat, dice)
            other = hz.Game(len(game.players), deck=deck, seed=game.name, variant=variant, edition=edition)
            # By the rules another deck may have ended the game: cards in hand count when the deck is out.
            if game.state.drawn < game.state.cards:
                for done in game.sees(seat).past:
                    other.step(done.action)
                mine, theirs = game.sees(seat), other.sees(seat)
                changed += deck != game.record().deck
                assert mine == theirs
                assert str(mine) == str(theirs)
                if game.turn % 8 == 0:
                    one, two = (table.replay().state(-1).seen_by(seat) for table in (game, other))
                    assert one == two
                    assert one.hands[seat] == mine.hand
            legal = game.legal()
            safe = [one for one in legal if one.kind != hz.ActionKind.PLAY]
            game.step(dice.choice(safe if safe and dice.random() < 0.8 else legal))
    assert changed > 100


def test_several_seats_see_what_each_of_them_sees() -> None:
    position = hz.replay(next(iter(simulate("cautious", players=4, seed=3)))).state(30)
    both = position.seen_by(0, 2)
    assert [{card.card is None for card in hand} for hand in both.hands] == [{True}, {False}, {True}, {False}]
    for seat in (0, 2):
        one = position.seen_by(seat)
        assert one.possible[seat] == position.possible[seat]
        for theirs, mine in zip(both.possible, one.possible, strict=True):
            assert all(wide.mask & card.mask == card.mask for wide, card in zip(theirs, mine, strict=True))
    assert position.seen_by() == position
    assert (both.cards_gotten, both.future_efficiency, both.clues_lost) == (None, None, position.clues_lost)
    with pytest.raises(ValueError, match="hidden already"):
        both.seen_by(1)
    with pytest.raises(HanalyzeError, match="there is no seat 4; seats are 0 to 3"):
        position.seen_by(4)


def test_legal_actions_are_those_the_engine_allows() -> None:
    from hanalyze.engine.rules import find_defect

    dice = random.Random(1)
    for number in range(4):
        game = hz.Game(2 + number, seed=number, options=hz.Options(deck_plays=True))
        while not game.over:
            every = {
                hz.Action(kind, target, value)
                for kind in range(4)
                for target in range(-1, 61)
                for value in range(-1, 9)
                if (value == 0 or kind > 1) and find_defect(game.state, kind, target, value) == 0
            }
            assert set(game.legal()) == every
            assert len(game.legal()) == len(every)
            game.step(dice.choice(game.legal()))
        assert game.legal() == ()


def test_undo_goes_back_action_by_action() -> None:
    dice = random.Random(3)
    game = hz.Game(3, seed=5)
    seen = [game.sees(0)]
    actions = []
    while not game.over:
        actions.append(dice.choice(game.legal()))
        game.step(actions[-1])
        seen.append(game.sees(0))
    while actions:
        assert game.sees(0) == seen.pop()
        assert game.undo() == actions.pop()
    with pytest.raises(HanalyzeError, match="no action to undo"):
        game.undo()


def test_a_hand_worked_turn() -> None:
    # p2v0s1 deals Alice b5 p4 b3 r4 g1 and Bob b3 b1 r1 g2 g4; the next card is r2.
    game = hz.Game(2, seed="p2v0s1")
    done = game.step(hz.Action(2, 1, 3))
    assert (done.turn, done.seat, done.result, done.touched) == (0, 0, "clued", (5, 6))
    bob = game.sees()
    assert (bob.me, bob.clue_tokens, bob.deck) == (1, 7, 40)
    assert [card.clued for card in bob.hand] == [True, True, False, False, False]
    assert " ".join(str(card.card) for card in bob.hands[0][:1]) == "b5"
    # Bob sees the one b5; Alice knows of Bob's card what everybody knows.
    assert str(bob.hand[0].possible) == "b1 b2 b3 b4"
    assert str(game.sees(0).hands[1][0].possible) == "b1 b2 b3 b4 b5"
    assert "slot 5: ?; clues: Blue; can be b1 b2 b3 b4" in str(bob)
    assert "slot 3: ?; clues: not Blue;" in str(bob)
    game.step(hz.Action(0, 6, 0))
    alice = game.sees()
    assert alice.past[-1] == PastAction(1, 1, hz.Action(0, 6, 0), "played", hz.Card(3, 1), 4)
    assert (alice.stacks[3], alice.score, str(alice.playable)) == ((hz.Card(3, 1),), 1, "r1 y1 g1 b2 p1")
    assert alice.hands[1][-1].card == hz.Card(0, 2)
    assert bob.turn == 1  # what was seen stays what it was


def test_wrong_steps() -> None:
    game = hz.Game(2, seed="p2v0s1")
    for action, rule in (
        ((0, 7, 0), "card_not_in_hand"),
        ((3, 0, 1), "clue_to_self"),
        ((1, 0, 0), "discard_at_full_tokens"),
        ((4, 0, 4), "unknown_action"),
        ((9, 0, 0), "unknown_action"),
    ):
        with pytest.raises(IllegalAction) as caught:
            game.step(action)
        assert caught.value.rule == rule
    others: tuple[Any, ...] = (None, 3, "play", (1, 2), (1, 2, "x"))
    for wrong in others:
        with pytest.raises(HanalyzeError, match="not an action"):
            game.step(wrong)
    assert game.turn == 0
    with pytest.raises(HanalyzeError, match="do not see what clues mean"):
        hz.Game(2, variant="Duck (5 Suits)")


def test_all_built_in_agents_at_one_table() -> None:
    [record] = simulate(["conventional", "random", "cheating", "cautious"], seed=2)
    assert record.players == ("conventional", "random", "cheating", "cautious")
    assert replay(record, strict=True).turn_count == len(record.actions)
    # One that keeps to conventions plays alone as it does elsewhere.
    [alone] = simulate("conventional", players=2, seed=2, fast=False)
    [seated] = simulate(["conventional", "conventional"], seed=2)
    assert seated.actions == alone.actions
    [alone] = simulate("cautious", players=3, seed=2, fast=False)
    [seated] = simulate(["cautious"] * 3, seed=2)
    assert seated.actions == alone.actions
    assert seated.players == ("cautious", "cautious 2", "cautious 3")


WRONG = {
    "raises": ("raise ValueError('no idea')", 3, "agent A raised ValueError: no idea"),
    "illegal": ("return (0, 59, 0)", None, "agent A chose an illegal action: .*card"),
    "nothing": ("return None", None, "agent A returned None; return one of sight.legal"),
    "exits": ("raise SystemExit(3)", 3, "agent A raised SystemExit: 3"),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_of_an_agent_are_one_line(tmp_path: Path, name: str) -> None:
    body, line, said = WRONG[name]
    path = tmp_path / "wrong.py"
    path.write_text(f"class A:\n    def act(self, sight):\n        {body}\n")
    ran = hanalyze("simulate", "--agent", f"{path}:A", "--agent", "cautious", "-o", tmp_path / "x.jsonl")
    where = f"{path}, line {line}" if line else str(path)
    assert re.fullmatch(f"hanalyze: {where}: game p2v0s1, turn 1: {said}.*\n", ran.err), ran.err
    assert (ran.code, (tmp_path / "x.jsonl").exists()) == (2, False)


def test_files_without_an_agent(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    for text, name, said in (
        ("x = 1", "", "no classes with a method act in this file"),
        ("x = 1", ":x", "x is not a class"),
        (
            "class Agent:\n    def act(self, sight): ...",
            ":Agnet",
            'no agent "Agnet" in this file; did you mean',
        ),
        ("class A:\n    pass", ":A", "agent A has no method act"),
        ("class A:\n    def __init__(self, x): ...", ":A", "agent A cannot be created: TypeError"),
        ("1/0", ":A", "line 1: this file of agents fails to run: ZeroDivisionError"),
        ("class", ":A", "line 1: this file of agents fails to run: invalid syntax"),
    ):
        path.write_text(text)
        ran = hanalyze("simulate", "--agent", f"{path}{name}")
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert said in ran.err, ran.err
    ran = hanalyze("simulate", "--agent", f"{tmp_path}/none.py:A")
    assert ran.err == f"hanalyze: {tmp_path}/none.py: No such file or directory\n"


def test_one_agent_for_each_seat() -> None:
    ran = hanalyze("simulate", "--agent", "random", "--agent", "cautious", "--players", "3")
    assert ran.err == "hanalyze: 2 agents for 3 players; give one for each seat\n"
