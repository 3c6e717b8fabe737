"""First losses, curves and lines of real and simulated games: exact sums, and no contradiction."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given, settings, strategies as st

from hanalyze.agents import simulate
from hanalyze.engine.batch import make_batch
from hanalyze.errors import HanalyzeError
from hanalyze.kernels.compiling import can_compile
from hanalyze.logs import GameRecord, read
from hanalyze.logs.formats.hanab_live import decode
from hanalyze.logs.sources.file_search import sample_logs
from hanalyze.replaying import Replay, replay
from hanalyze.solver.exact import WON
from hanalyze.solver.question import BEAM, Question, answer_to, room_for
from hanalyze.solver.ranking import rank_moves
from hanalyze.solver.search_plan import Budget, Games, Seeker
from hanalyze.solver.solving import Solution, solve, solve_many
from hanalyze.tables.solved import LOSS_CAUSES
from tests.building import game
from tests.shared import golden


def check(solution: Solution) -> None:
    """Assert what holds of every solution."""
    low, high = solution.low, solution.high
    for first, last in solution.parts:
        assert list(low[first : last + 1]) == sorted(low[first : last + 1], reverse=True)
        assert list(high[first : last + 1]) == sorted(high[first : last + 1], reverse=True)
    assert all(one <= other for one, other in zip(low, high, strict=True))
    assert high[-1] >= solution.score
    if solution.decided:
        assert solution.open_points == 0
        lost = sum(low[first] - low[last] for first, last in solution.parts)
        assert sum(loss.points for loss in solution.losses) == lost
    for loss in solution.losses:
        assert loss.cause in LOSS_CAUSES
        assert loss.line is not None
        line = loss.line.replay()
        assert line.raw_score >= loss.before
        assert line.end_condition in ("normal", "unfinished")
        assert not [one for one in line.defects if one.turn is not None and one.turn >= loss.turn]
        assert line.turn_count == loss.turn + len(loss.line)


@pytest.fixture(scope="module")
def real() -> list[Solution]:
    games = [replay(decode(json.dumps(one["game"]).encode())) for one in golden("real-3p")]
    return [solve(one, fast=can_compile()) for one in games]


@pytest.mark.heavy
@pytest.mark.compiled
def test_real_games_are_decided(real: list[Solution]) -> None:
    assert len(real) == 111
    for solution in real:
        check(solution)
        assert solution.decided
        assert solution.open_points == 0
        # No deal of these was impossible.
        assert solution.best == 25


@pytest.mark.heavy
@pytest.mark.compiled
def test_what_lost_the_real_games(real: list[Solution]) -> None:
    """The split that a solver written apart from this one found."""
    imperfect = [solution for solution in real if solution.score < 25]
    assert len(imperfect) == 51
    kinds = Counter(solution.first_loss.kind for solution in imperfect if solution.first_loss)
    assert kinds == {"discard": 24, "misplay": 13, "clue": 9, "play": 5}
    for solution in imperfect:
        assert solution.first_loss is not None


def contradicted(solutions: Iterable[Solution], width: int) -> tuple[int, int]:
    """Return how many scores that were called out of reach a wide beam reaches, and how many there are."""
    room = room_for(width, fast=True, spare=True)
    won = asked_for = 0
    for solution in solutions:
        batch = make_batch([solution.game.deal]).laid_out(fast=True)
        for turn in range(len(solution.high) - 1):
            goal = solution.high[turn] + 1
            if goal <= solution.full:
                answer = answer_to(batch, room, Question(0, turn, goal, BEAM, width=width), fast=True)
                won += answer.verdict == WON
                asked_for += not answer.over
    return won, asked_for


@pytest.mark.heavy
@pytest.mark.compiled
@pytest.mark.skipif(not can_compile(), reason="needs Numba")
def test_no_wide_beam_wins_what_was_called_lost(real: list[Solution]) -> None:
    won, asked_for = contradicted(real, 300)
    assert won == 0
    assert asked_for > 600


@pytest.mark.heavy
@pytest.mark.heavy
@pytest.mark.compiled
@pytest.mark.skipif(not can_compile(), reason="needs Numba")
def test_no_wide_beam_wins_what_was_called_lost_in_simulated_games() -> None:
    games = [
        replay(record)
        for players in (2, 3, 4, 5)
        for record in simulate("cautious", players=players, games=50, seed=1)
    ]
    won, asked_for = contradicted((solve(one, nodes=20_000, fast=True) for one in games), 200)
    assert won == 0
    assert asked_for > 5000


@pytest.mark.compiled
@pytest.mark.skipif(not can_compile(), reason="needs Numba")
@pytest.mark.heavy
@pytest.mark.parametrize("players", [2, 4, 5])
def test_both_speeds_give_the_same(players: int) -> None:
    for record in simulate("cautious", players=players, games=3, seed=11):
        one = replay(record)
        fast = solve(one, nodes=2_000, fast=True)
        assert fast == solve(one, nodes=2_000, fast=False) == solve(one, nodes=2_000)
        assert [loss.line for loss in fast.losses] == [
            loss.line for loss in solve(one, nodes=2_000, fast=False).losses
        ]


@pytest.mark.heavy
@given(
    numbers=st.lists(st.integers(1, 40), min_size=1, max_size=4),
    players=st.integers(2, 5),
    nodes=st.integers(1, 400),
)
@settings(max_examples=10)
def test_many_games_give_what_each_gives(numbers: list[int], players: int, nodes: int) -> None:
    games = [replay(next(simulate("cautious", players=players, seed=number))) for number in numbers]
    together = list(solve_many(games, nodes=nodes, fast=False))
    alone = [solve(one, nodes=nodes, fast=False) for one in games]
    assert together == alone
    assert [loss.line for one in together for loss in one.losses] == [
        loss.line for one in alone for loss in one.losses
    ]


@pytest.mark.parametrize(
    "variant",
    [
        "6 Suits",
        "3 Suits",
        "Black (5 Suits)",
        "Black Reversed (5 Suits)",
        "Critical Fours (5 Suits)",
        "Scarce Ones (5 Suits)",
        "Clue Starved (5 Suits)",
        "Throw It in a Hole (5 Suits)",
        "Rainbow & Null (6 Suits)",
        "Alternating Clues (5 Suits)",
    ],
)
@pytest.mark.parametrize("players", [2, pytest.param(6, marks=pytest.mark.heavy)])
def test_variants(variant: str, players: int) -> None:
    [record] = simulate("cautious", players=players, variant=variant, seed=5)
    solution = solve(replay(record), nodes=300, fast=False)
    check(solution)
    assert solution.high[0] > solution.score


@pytest.mark.parametrize("edition", ["cocktail", "abacus+strikes=1+clue_tokens=12", "hanabi-data", "hle"])
def test_editions(edition: str) -> None:
    [record] = simulate("cautious", players=3, edition=edition, seed=5)
    solution = solve(replay(record, edition=edition), nodes=300, fast=False)
    check(solution)


def lost_at_once(moves: str, deck: str) -> Solution:
    solution = solve(replay(game(moves, deck)), nodes=300, fast=False)
    check(solution)
    return solution


def test_the_last_copy_is_gone() -> None:
    # A discard of the only r5; a clue comes first, since all tokens are there.
    solution = lost_at_once("clue 1 1, clue 0 1, discard 4", "b1 b2 b3 y2 r5 y1 g1 g2 g3 g4")
    [loss] = [loss for loss in solution.losses if loss.turn == 2]
    assert (loss.kind, loss.player, loss.cause, loss.points) == ("discard", "Alice", "cards", 1)
    assert solution.low[2] == 25
    assert solution.low[3] == 24


def test_the_last_strike() -> None:
    solution = lost_at_once("play 4, play 9, play 3", "b1 b2 b3 y2 y5 y1 g1 g2 g3 g4")
    assert solution.score == 0
    last = solution.losses[-1]
    assert (last.turn, last.kind, last.cause) == (2, "misplay", "strikes")
    assert last.after == 0


def test_what_breaks_a_rule_is_no_line() -> None:
    # A clue token too many was used: what came after proves nothing about what was possible before.
    moves = "clue 1 1, clue 0 1, clue 1 2, clue 0 2, clue 1 1, clue 0 1, clue 1 2, clue 0 2, clue 1 1, play 5"
    one = replay(game(moves, "b1 b2 b3 y2 r5 y1 g1 g2 g3 g4"))
    assert [(found.turn, found.rule.label) for found in one.defects] == [(8, "clue_without_token")]
    solution = solve(one, nodes=300, fast=False)
    check(solution)
    assert solution.parts == ((0, 8), (9, 10))
    for turn in (0, 8, 9, 10):
        best = solve(one, turn=turn, nodes=300, fast=False)
        assert (solution.low[turn], solution.high[turn]) == (best.low, best.high)


def test_a_game_that_is_ended() -> None:
    solution = lost_at_once("play 0, end 4", "b1")
    [loss] = solution.losses
    assert (loss.turn, loss.kind, loss.cause, loss.before, loss.after) == (1, "end", "end", 25, 0)


def test_a_game_that_stops_can_still_be_won() -> None:
    solution = lost_at_once("play 0", "b1")
    assert solution.low == (25, 25)
    assert solution.losses == ()
    assert solution.score == 1
    assert solution.open_points == 0


def test_one_position() -> None:
    deal = replay(game("", "b1"))
    best = solve(deal, turn=-1, fast=False)
    assert (best.turn, best.seat, best.low, best.high, best.why) == (0, 0, 25, 25, "")
    assert best.reachable(25) is True
    assert best.line is not None
    assert best.line.replay().score == 25
    with pytest.raises(HanalyzeError, match="there is no turn 7"):
        solve(deal, turn=7)


def test_the_curve_is_what_each_turn_alone_gives() -> None:
    for players in (2, 3):
        [record] = simulate("cautious", players=players, seed=7)
        one = replay(record)
        solution = solve(one, nodes=300, fast=False)
        both = 0
        for turn in range(one.turn_count):
            best = solve(one, turn=turn, nodes=300, fast=False)
            low, high = solution.low[turn], solution.high[turn]
            assert max(best.low, low) <= min(best.high, high)
            both += best.low == best.high and low == high
        assert both > one.turn_count / 2


def test_what_is_open_says_so() -> None:
    # A hard deal of two players, with no time to decide it.
    deal = replay(GameRecord(players=("A", "B"), seed="p2v0s101753"))
    best = solve(deal, turn=0, nodes=1, fast=False)
    assert best.low < best.high
    assert best.score is None
    assert best.reachable(25) is None
    solution = solve(deal, nodes=1, fast=False)
    assert not solution.decided
    assert solution.best is None


def test_the_best_move_leaves_what_the_position_allows() -> None:
    [record] = simulate("cautious", players=3, seed=7)
    one = replay(record)
    for turn in (0, 17, 40, one.turn_count - 2):
        best = solve(one, turn=turn, fast=False)
        moves = rank_moves(one, turn, fast=False)
        assert (moves[0].low, moves[0].high) == (best.low, best.high)
        # What was played leaves what the next position allows.
        played = next(move for move in moves if move.action == record.actions[turn])
        after = solve(one, turn=turn + 1, fast=False)
        assert (played.low, played.high) == (after.low, after.high)
    assert rank_moves(one, -1, fast=False) == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"variant": "Up or Down (5 Suits)"}, "Up or Down"),
        ({"variant": "Sudoku (5 Suits)"}, "Sudoku"),
        ({"all_or_nothing": True}, "all or nothing"),
        ({"deck_plays": True}, "plays from the deck"),
        ({"speedrun": True}, "speedruns"),
    ],
)
def test_what_is_not_covered_says_so(settings: dict[str, object], said: str) -> None:
    one: Replay = replay(game("", **settings))  # type: ignore[arg-type]
    with pytest.raises(HanalyzeError, match=f"does not cover {said}") as raised:
        solve(one)
    assert raised.value.rule == "not_covered"


def test_a_search_goes_on_where_it_stopped() -> None:
    """Searches that grow find what one search finds, and together search less than if each began anew."""
    limits = (50, 500, 3_000)
    going_on_nodes = anew_nodes = decided = 0
    for record in simulate("cautious", players=5, games=4, seed=3):
        played = replay(record)
        games = Games.of(make_batch([played.deal]), fast=False)
        going_on = Seeker(games, 0, Budget())
        for turn in range(played.turn_count // 2, played.turn_count, 7):
            parts = [going_on.best(turn, 0, 25, nodes) for nodes in limits]
            anew = [Seeker(games, 0, Budget()).best(turn, 0, 25, nodes) for nodes in limits]
            assert parts[-1].low <= anew[-1].high
            assert anew[-1].low <= parts[-1].high
            going_on_nodes += sum(part.nodes for part in parts)
            anew_nodes += sum(part.nodes for part in anew)
            decided += parts[-1].low == parts[-1].high
    assert decided > 10
    assert going_on_nodes < anew_nodes


def test_what_is_easy_is_decided_first() -> None:
    """A budget that is too small for the whole game still shows where its deal was lost."""
    [record] = [one for one in read([sample_logs()[0].with_name("games.jsonl")]) if one.seed == "p4v1808s13"]
    [solution] = solve_many([replay(record)], nodes=8_000, game_nodes=40_000, fast=False)
    assert not solution.decided
    assert solution.nodes < 48_001
    assert solution.first_loss is not None
    assert (solution.first_loss.turn, solution.first_loss.cause) == (15, "cards")
