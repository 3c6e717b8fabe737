"""Detectors of users at work: their order, their failures, their outcomes.

In: detectors that need each other, that fail, that judge. Out: that each comes after those it needs, that
what goes wrong stays with its detector and names it, and that outcomes alone see later turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple
from typing import Any

import pytest
from msgspec.structs import replace as changed

from hanalyze.detectors import (
    Finding,
    Moment,
    Outcome,
    Step,
    Turn,
    detect,
    detector,
    expected_outcome,
    in_order,
)
from hanalyze.errors import HanalyzeError
from hanalyze.game.actions import Action
from hanalyze.logs import GameRecord, Options
from tests.detectors.detecting import Spy, finds, named, short_game

# --- Order.


def test_each_comes_after_those_that_it_needs() -> None:
    plans = in_order([named("c", ["a", "b"]), named("b", ["a"]), named("a")])
    assert [plan.name for plan in plans] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("detectors", "rule", "words"),
    [
        ([named("a", ["b"])], "unknown_detector", 'detector "a" comes after "b", which is not loaded'),
        ([named("a", ["a"])], "detector_cycle", '"a" after "a"'),
        ([named("a", ["b"]), named("b", ["a"])], "detector_cycle", 'form a cycle: "'),
        ([named("a"), named("a")], "two_detectors", 'two detectors are named "a"'),
        (
            [named("a", reads_truth=True), named("b", ["a"])],
            "reads_truth",
            'detector "b" has reads_truth = False',
        ),
        ([named("Not a name")], "bad_detector", 'detector "Not a name"'),
        ([named("a", level=26)], "bad_detector", "level 26"),
        ([named("a", actions={"jump"})], "bad_detector", 'has the unknown action "jump"'),
        ([named("a", after="other")], "bad_detector", "`after` must be a list of strings"),
        ([finds(version="")], "bad_detector", "no version"),
    ],
)
def test_what_cannot_run_is_one_line(detectors: list[Any], rule: str, words: str) -> None:
    with pytest.raises(HanalyzeError) as caught:
        in_order(detectors)
    assert caught.value.rule == rule
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_update_is_refused() -> None:
    class Updates(Spy):
        def update(self) -> None: ...

    with pytest.raises(HanalyzeError, match="update, which is not supported"):
        in_order([Updates()])


def test_a_detector_gets_what_those_before_it_found_and_no_more() -> None:
    got: list[dict[str, tuple[Finding, ...]]] = []

    @detector("last", "1", after=["first"], actions={"clue"})
    def last(turn: Turn) -> None:
        got.append(dict(turn.findings))
        assert all(list(one.found) == ["first"] for one in turn.history)

    rows = detect(short_game(), [last, finds("other"), finds("first")])
    assert got
    assert all(one == {"first": (Finding("thing"),)} for one in got)
    assert rows.problems == []


def test_level_and_system_choose_who_runs() -> None:
    low = detector("low", "1", systems={"hgroup"})(lambda turn: [Finding("low")])
    high = detector("high", "1", level=9)(lambda turn: [Finding("high")])
    record = short_game()
    assert {row.label for row in detect(record, [low, high])} == {"low", "high"}
    assert {row.label for row in detect(record, [low, high], level=8)} == {"low"}
    assert {row.label for row in detect(record, [low, high], system="reactor")} == {"high"}
    with pytest.raises(HanalyzeError, match="level 0"):
        detect(record, [low], level=0)


# --- Failures.


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError


class Unshown:
    def __repr__(self) -> str:
        raise RuntimeError


def raises(error: BaseException) -> Callable[[Turn], Any]:
    def detect(turn: Turn) -> Any:
        raise error

    return detect


def halfway(turn: Turn) -> Iterator[Finding]:
    yield Finding("thing")
    raise ValueError("half\x1b[31m way\nthere")


def endless(turn: Turn) -> Iterator[Finding]:
    while True:
        yield Finding("thing")


BAD: list[tuple[Callable[[Turn], Any], str, str]] = [
    (raises(KeyError("x")), "raised", "raised KeyError: 'x'"),
    (raises(SystemExit(3)), "raised", "raised SystemExit: 3"),
    (raises(Mute()), "raised", "raised Mute"),
    (halfway, "raised", "raised ValueError: half\\x1b[31m way\\nthere"),
    (endless, "bad_finding", "more than 64 findings"),
    (lambda turn: 5, "bad_finding", "returned 5, which is not a Finding"),
    (lambda turn: "text", "bad_finding", "returned 't', which is not a Finding"),
    (lambda turn: [Unshown()], "bad_finding", "returned a Unshown, which is not a Finding"),
    (lambda turn: [Finding("x", cards=(60,))], "bad_finding", "gave the cards (60,)"),
    (lambda turn: [Finding("x", cards=range(7))], "bad_finding", "gave the cards range(0, 7)"),
    (lambda turn: [Finding("x", seats=(3,))], "bad_finding", "numbers from 0 to 2"),
    (lambda turn: [Finding("x", certainty=0.9)], "bad_finding", "it is a percentage"),
    (lambda turn: [Finding("")], "bad_finding", "the label ''"),
    (lambda turn: [Finding("x" * 101)], "bad_finding", "the label 'xxx"),
    (lambda turn: [Finding(7)], "bad_finding", "the label 7"),
    (lambda turn: [Finding("x", reasons="why")], "bad_finding", "reasons"),
    (lambda turn: [Finding("x", expects=(7,))], "bad_finding", "expects something other than a Step"),
    (lambda turn: turn.missing, "raised", "AttributeError"),
]


@pytest.mark.parametrize(("function", "rule", "words"), BAD)
def test_a_failure_is_named_and_stays_where_it_is(
    function: Callable[[Turn], Any], rule: str, words: str
) -> None:
    record = changed(short_game(), actions=short_game().actions[:8])
    clues = [turn for turn, action in enumerate(record.actions) if action.kind > 1]

    @detector("bad", "7", actions={"clue"})
    def bad(turn: Turn) -> Any:
        return [Finding("well")] if turn.turn == clues[1] else function(turn)

    after = detector("next", "1", after=["bad"], actions={"clue"})(lambda turn: [Finding("thing")])
    rows = detect(record, [finds(), bad, after])
    assert [row.turn for row in rows if row.detector == "some"] == clues
    assert [row.turn for row in rows if row.detector == "next"] == clues
    assert [row.turn for row in rows if row.detector == "bad"] == [clues[1]]
    assert [problem.turn for problem in rows.problems] == [one for one in clues if one != clues[1]]
    problem = rows.problems[0]
    assert (problem.detector, problem.version, problem.rule) == ("bad", "7", rule)
    assert words in str(problem)
    assert str(problem).startswith(f'game {record.name}, turn {clues[0] + 1}: detector "bad" ')
    assert str(problem).isprintable()


def test_an_interrupt_is_no_problem_of_a_detector() -> None:
    with pytest.raises(KeyboardInterrupt):
        detect(short_game(), [detector("stops", "1")(raises(KeyboardInterrupt()))])


@pytest.mark.parametrize(
    ("judge", "rule", "words"),
    [
        (lambda finding, later: 1 / 0, "raised", "ZeroDivisionError"),
        (lambda finding, later: "success", "bad_outcome", "`judge` returned 'success'"),
        (lambda finding, later: Outcome("fine"), "bad_outcome", "one of these kinds: nothing_expected"),
        (lambda finding, later: Outcome("success", 400), "bad_outcome", "returned the turn 400"),
    ],
)
def test_a_judge_that_fails_leaves_the_finding(judge: Any, rule: str, words: str) -> None:
    one = detector("judged", "1", actions={"clue"}, judge=judge)(lambda turn: [Finding("thing")])
    rows = detect(short_game(), [one])
    assert {row.outcome for row in rows} == {"censored"}
    assert len(rows) == len(rows.problems)
    assert rows.problems[0].rule == rule
    assert words in rows.problems[0].message


def test_a_log_without_an_end_is_watched_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hanalyze.detectors.run.MAX_TURNS", 5)
    monkeypatch.setattr("hanalyze.detectors.run.MAX_TURNS", 5)
    record = short_game()
    spy = Spy()
    rows = detect(record, [spy])
    assert [turn.turn for turn in spy.turns] == [0, 1, 2, 3, 4]
    assert [(one.rule, one.turn, one.seat) for one in rows.problems] == [("too_long", 4, 1)]
    assert f"saw the first 5 of {len(record.actions)} actions" in str(rows.problems[0])
    assert detect(changed(record, actions=record.actions[:5]), [spy]).problems == []
    clues = [Action(3, turn % 2, 1) for turn in range(6)]
    from_bob = GameRecord(
        players=("Alice", "Bob"), seed="p2v0s1", actions=clues, options=Options(starting_player=1)
    )
    assert [(one.turn, one.seat) for one in detect(from_bob, [spy]).problems] == [(4, 1)]


# --- Outcomes.


def test_outcomes_alone_see_later_turns() -> None:
    record = short_game()
    lengths = []

    def judge(finding: Finding, later: Sequence[Turn]) -> Outcome | None:
        lengths.append(len(later))
        if later:
            assert [turn.turn for turn in later] == list(range(later[0].turn, len(record.actions)))
            assert all(card.card is not None for hand in later[0].before.hands for card in hand)
            return Outcome("success", later[0].turn)
        return None

    one = detector("judged", "1", judge=judge)(lambda turn: [Finding("thing")])
    rows = detect(record, [one])
    assert rows.problems == []
    assert lengths == list(range(len(record.actions) - 1, -1, -1))
    assert [row.closed_turn for row in rows[:-1]] == list(range(1, len(record.actions)))
    assert (rows[-1].outcome, rows[-1].closed_turn) == ("nothing_expected", None)


def test_steps_are_followed_one_after_the_other() -> None:
    record = short_game()
    spy = Spy(reads_truth=True)
    detect(record, [spy])
    plays = [turn for turn in spy.turns if turn.result == "played"]
    discards = [turn for turn in spy.turns if turn.result == "discarded"]

    def outcome(*steps: Step) -> tuple[Any, ...]:
        return astuple(expected_outcome(Finding("x", expects=steps), spy.turns))

    def step(turn: Turn, by: str = "played") -> Step:
        assert turn.order is not None
        return Step(turn.seat, turn.order, by)

    first, second, gone = plays[0], plays[1], discards[0]
    assert outcome() == ("nothing_expected", None)
    assert outcome(step(first)) == ("success", first.turn)
    assert outcome(step(first), step(second)) == ("success", second.turn)
    assert outcome(step(second), step(first)) == ("failed", first.turn)
    assert outcome(step(gone)) == ("failed", gone.turn)
    assert outcome(step(gone, "discarded")) == ("success", gone.turn)
    left = next(card for hand in spy.turns[-1].after.hands for card in hand)
    assert outcome(Step(0, left.order)) == ("censored", None)


def test_opportunities_are_asked_for_before_every_action() -> None:
    asked = []

    def opportunities(moment: Moment) -> Iterable[Finding]:
        asked.append(moment.turn)
        assert type(moment) is Moment
        return [Finding("thing")]

    one = detector("chances", "1", actions={"clue"}, opportunities=opportunities)
    rows = detect(short_game(), [one(lambda turn: [Finding("thing")])])
    assert asked == list(range(len(short_game().actions)))
    assert [row.turn for row in rows if row.opportunity] == asked
    kinds = {short_game().actions[row.turn].kind > 1 for row in rows if not row.opportunity}
    assert kinds == {True}
    assert all(row.number == (not row.opportunity) for row in rows)
