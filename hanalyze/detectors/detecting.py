"""Run detectors over a game: what they find, what became of it, and what went wrong in them.

In: a dealt record and detectors. Out: `FoundRow`s and `Problem`s. The game is walked once; for each action
every detector gets what its eye sees of the turns so far. Only when the walk is over are findings judged, by
the turns after them. A detector that fails, or returns something else, has a problem for that action; the
other actions and the other detectors are none the worse for it.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

import numpy as np

from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.detectors.findings import Finding, Outcome, Step
from hanalyze.detectors.plugin import Detector, Plan, in_order, said_by
from hanalyze.detectors.turns import History, Moment, Turn
from hanalyze.detectors.watching import MOST_TURNS, SPECTATOR, Scene, watch
from hanalyze.engine.batch import Deal, deal_records
from hanalyze.errors import HanalyzeError
from hanalyze.game.cards import Card, identity
from hanalyze.game.meanings import OutcomeKind
from hanalyze.game.rules import Rules
from hanalyze.game.variants import Variant
from hanalyze.logs.record import GameRecord
from hanalyze.text import shorten

MOST_CARDS: Final = 6
"""Cards that a finding can name."""
_MOST_FINDINGS: Final = 64
"""Findings of one detector to one action."""
_LONGEST: Final = 100
"""Characters of a label or a reason."""
_HELD: Final = 60

_OUTCOMES: Final = tuple(outcome.label for outcome in OutcomeKind if outcome is not OutcomeKind.OPEN)

T = TypeVar("T")


class FoundRow(NamedTuple):
    """One finding as it is stored; `number` counts those of one detector to one action.

    `certainty` is in percent, `closed_turn` the turn that settled `outcome`, None where none did.
    """

    turn: int
    number: int
    seat: int
    detector: str
    version: str
    label: str
    level: int
    certainty: int
    cards: tuple[int, ...]
    seats: tuple[int, ...]
    legal: bool | None
    reasons: tuple[str, ...]
    opportunity: bool
    outcome: str
    closed_turn: int | None


class Problem(NamedTuple):
    """What went wrong in a detector; `turn` and `seat` are those of the action, `rule` a short name.

    The rules: `raised`, `bad_finding`, `bad_outcome`, `too_long`.
    """

    game: str
    turn: int
    seat: int
    detector: str
    version: str
    rule: str
    message: str

    def __str__(self) -> str:
        error = HanalyzeError(
            f'detector "{self.detector}" {self.message}', rule=self.rule, game=self.game, turn=self.turn
        )
        return str(error)


class Detected(list[FoundRow]):
    """The rows of a game in order of turn, detector and number; `problems` says what went wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[Problem] = []


class _Failed(Exception):
    """A detector did what it must not; rule and words."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message


def _attempt(call: Callable[[], T]) -> T:
    """Return what a detector's own code returns; whatever it raises becomes `_Failed`."""
    try:
        return call()
    except _Failed:
        raise
    except (Exception, SystemExit) as error:
        # Without the frames, which hold the whole game.
        raise _Failed("raised", f"raised {said_by(error)}") from None


def _shown(value: object) -> str:
    """Return what a detector gave, for an error."""
    try:
        return shorten(repr(value), _HELD)
    except Exception:  # a `__repr__` of somebody's own
        return f"a {type(value).__name__}"


def _short_text(value: object, what: str) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST:
        found = _shown(value)
        raise _Failed("bad_finding", f"gave {what} {found}, but texts have 1 to {_LONGEST} characters")
    return value


def _numbers(value: object, what: str, below: int, most: int) -> tuple[int, ...]:
    listed = value if isinstance(value, tuple | list | frozenset | set) else (None,)
    if len(listed) > most or not all(isinstance(one, int) and 0 <= one < below for one in listed):
        found = _shown(value)
        wanted = f"at most {most} numbers from 0 to {below - 1}"
        raise _Failed("bad_finding", f"gave {what} {found} instead of {wanted}")
    return tuple(int(one) for one in listed if one is not None)


def _checked(finding: object, seats: int, cards: int, opportunity: bool) -> Finding:
    """Return a finding whose fields are what they should be."""
    if not isinstance(finding, Finding):
        raise _Failed("bad_finding", f"returned {_shown(finding)}, which is not a Finding")
    certainty = finding.certainty
    if not isinstance(certainty, int) or not 0 <= certainty <= 100:
        found = _shown(certainty)
        raise _Failed("bad_finding", f"gave certainty {found}, but it is a percentage, 0 to 100")
    if finding.legal not in (None, True, False):
        raise _Failed("bad_finding", f"gave legal {_shown(finding.legal)} instead of True, False or None")
    if not isinstance(finding.reasons, tuple | list) or len(finding.reasons) > _MOST_FINDINGS:
        raise _Failed("bad_finding", "gave reasons that are not a short tuple of texts")
    if not isinstance(finding.expects, tuple | list) or not all(
        isinstance(step, Step) and step.by in ("played", "discarded") for step in finding.expects
    ):
        raise _Failed("bad_finding", 'expects something other than a Step by "played" or "discarded"')
    return Finding(
        label=_short_text(finding.label, "the label"),
        cards=_numbers(finding.cards, "the cards", cards, MOST_CARDS),
        seats=tuple(sorted(set(_numbers(finding.seats, "the seats", seats, seats)))),
        certainty=int(certainty),
        legal=None if finding.legal is None else bool(finding.legal),
        reasons=tuple(_short_text(reason, "the reason") for reason in finding.reasons),
        expects=tuple(finding.expects),
        opportunity=opportunity or bool(finding.opportunity),
    )


def _findings(found: Callable[[], Iterable[Finding]], turn: Moment, opportunity: bool) -> tuple[Finding, ...]:
    """Return what a detector finds, checked."""
    seats = len(turn.setting.players)
    cards = turn.setting.variant.deck_size

    def checked() -> tuple[Finding, ...]:
        returned: object = found()
        if returned is None:
            return ()
        if isinstance(returned, Finding) or not isinstance(returned, Iterable):
            returned = (returned,)
        rows = list(itertools.islice(returned, _MOST_FINDINGS + 1))
        if len(rows) > _MOST_FINDINGS:
            raise _Failed("bad_finding", f"gave more than {_MOST_FINDINGS} findings to one action")
        return tuple(_checked(one, seats, cards, opportunity) for one in rows)

    return _attempt(checked)


def followed(finding: Finding, later: Sequence[Turn]) -> Outcome:
    """Return what became of the steps that a finding expects: one card after the other, each as it says.

    `success` with the turn of the last step, `failed` with the turn in which a card left its hand otherwise,
    `censored` where the game ended before; `nothing_expected` without steps.
    """
    waiting = list(finding.expects)
    if not waiting:
        return Outcome(OutcomeKind.NOTHING_EXPECTED.label)
    for turn in later:
        step = waiting[0]
        if turn.order == step.order:
            if turn.result != step.by:
                return Outcome(OutcomeKind.FAILED.label, turn.turn)
            del waiting[0]
            if not waiting:
                return Outcome(OutcomeKind.SUCCESS.label, turn.turn)
        elif turn.order in [other.order for other in waiting]:
            return Outcome(OutcomeKind.FAILED.label, turn.turn)
    return Outcome(OutcomeKind.CENSORED.label)


def _judged(plan: Plan, finding: Finding, turn: int, later: Sequence[Turn]) -> Outcome:
    """Return a finding's outcome by its detector, else by the steps that it expects."""
    if finding.opportunity:
        return Outcome(OutcomeKind.NOTHING_EXPECTED.label)
    judge = plan.judge
    if judge is None:
        return followed(finding, later)

    def checked() -> Outcome:
        given: object = judge(finding, later)
        if given is None:
            return followed(finding, later)
        if not isinstance(given, Outcome) or given.kind not in _OUTCOMES:
            words = ", ".join(_OUTCOMES)
            raise _Failed("bad_outcome", f"judged {_shown(given)}, but an Outcome has one of: {words}")
        settled = given.turn
        if settled is None or (isinstance(settled, int) and turn <= settled <= turn + len(later)):
            return given
        raise _Failed(
            "bad_outcome", f"judged turn {_shown(settled)}, but it is {turn} to {turn + len(later)}"
        )

    return _attempt(checked)


class _Run:
    """Detectors at work on one game."""

    def __init__(self, plans: Sequence[Plan], game: str) -> None:
        self.plans = plans
        self.game = game
        self.problems: list[Problem] = []
        self.kept: list[tuple[Plan, int, int, Finding]] = []
        """Each finding with its detector, turn and seat."""
        self.pasts: dict[tuple[int, str], list[tuple[Scene, Mapping[str, Sequence[Finding]]]]] = {}
        """By eye and detector, the scenes so far."""

    def problem(self, plan: Plan, turn: int, seat: int, failed: _Failed) -> None:
        """Keep what went wrong."""
        problem = Problem(self.game, turn, seat, plan.name, plan.version, failed.rule, failed.message)
        self.problems.append(problem)

    def step(self, scenes: Mapping[int, Scene]) -> None:
        """Let all detectors see one action."""
        found: dict[str, tuple[Finding, ...]] = {}
        for plan in self.plans:
            eye = SPECTATOR if plan.reads_truth else scenes[SPECTATOR].stage.before.seat
            needed = {name: found.get(name, ()) for name in plan.after}
            turn = Turn(scenes[eye], self.pasts.get((eye, plan.name), ()), needed)
            found[plan.name] = () if turn.kind == "end" else self._ask(plan, turn)
            for other, scene in scenes.items():
                self.pasts.setdefault((other, plan.name), []).append((scene, needed))

    def _ask(self, plan: Plan, turn: Turn) -> tuple[Finding, ...]:
        """Return what one detector finds for one action, and keep it with its opportunities."""
        chances: tuple[Finding, ...] = ()
        findings: tuple[Finding, ...] = ()
        opportunities = plan.opportunities
        try:
            if opportunities is not None:
                moment = turn.moment()
                chances = _findings(lambda: opportunities(moment), turn, True)
        except _Failed as failed:
            self.problem(plan, turn.turn, turn.seat, failed)
        try:
            if turn.kind in plan.actions:
                findings = _findings(lambda: plan.detector.detect(turn), turn, False)
        except _Failed as failed:
            self.problem(plan, turn.turn, turn.seat, failed)
        self.kept += [(plan, turn.turn, turn.seat, finding) for finding in (*chances, *findings)]
        return findings

    def rows(self) -> Detected:
        """Judge what was found by the turns after it, and return the rows."""
        rows = Detected()
        turns = {plan.name: tuple(History(self.pasts.get((SPECTATOR, plan.name), ()))) for plan in self.plans}
        numbers: Counter[tuple[str, int]] = Counter()
        for plan, turn, seat, finding in self.kept:
            try:
                outcome = _judged(plan, finding, turn, turns[plan.name][turn + 1 :])
            except _Failed as failed:
                self.problem(plan, turn, seat, failed)
                outcome = Outcome(OutcomeKind.CENSORED.label)
            rows.append(
                FoundRow(
                    turn=turn,
                    number=numbers[plan.name, turn],
                    seat=seat,
                    detector=plan.name,
                    version=plan.version,
                    label=finding.label,
                    level=plan.level,
                    certainty=finding.certainty,
                    cards=finding.cards,
                    seats=finding.seats,
                    legal=finding.legal,
                    reasons=finding.reasons,
                    opportunity=finding.opportunity,
                    outcome=outcome.kind,
                    closed_turn=outcome.turn,
                )
            )
            numbers[plan.name, turn] += 1
        rows.problems = sorted(self.problems, key=lambda problem: problem.turn)
        return rows


def detect_deal(deal: Deal, plans: Sequence[Plan], level: int) -> Detected:
    """Run detectors, in their order, over a dealt game; see `detect`."""
    awake = [plan for plan in plans if plan.level <= level]
    run = _Run(awake, deal.record.name)
    players = () if all(plan.reads_truth for plan in awake) else range(len(deal.record.players))
    watched = 0
    if awake:
        for scenes in watch(deal, level, (SPECTATOR, *players)):
            run.step(scenes)
            watched += 1
    if watched == MOST_TURNS < len(deal.record.actions):
        for plan in awake:
            failed = _Failed("too_long", f"saw the first {MOST_TURNS} of {len(deal.record.actions)} actions")
            run.problem(plan, MOST_TURNS - 1, (MOST_TURNS - 1) % len(deal.record.players), failed)
    return run.rows()


class Played(Protocol):
    """A game that was played again: a `hanalyze.Replay`."""

    record: GameRecord
    rules: Rules
    variant: Variant
    deck: list[Card]


def detect(
    game: GameRecord | Played,
    detectors: Iterable[Detector | Plan],
    *,
    level: int = HIGHEST_LEVEL,
    system: str | None = None,
) -> Detected:
    """Run detectors over a game, given as a record or as its `Replay`, and return the rows found.

    The rows come in order of turn, detector and number, opportunities before findings; `problems` of the list
    says what went wrong in detectors. `level` is the H-Group's level, 1 to 25, up to which the built-in
    reader reads; detectors of a higher one rest. With `system` so do those that belong to other systems.
    Raises `HanalyzeError`: as `in_order` does, `LogError` for a log that cannot be dealt, `bad_number`.

    >>> from hanalyze.detectors.plugin import detector
    >>> from hanalyze.game.actions import Action
    >>> from hanalyze.logs.record import GameRecord
    >>> fives = detector("fives", "1")(lambda turn: [Finding("five")] if turn.action.value == 5 else [])
    >>> record = GameRecord(players=("Alice", "Bob"), seed="p2v0s1", actions=[Action(3, 1, 5)])
    >>> [(row.turn, row.label) for row in detect(record, [fives])]
    [(0, 'five')]
    """
    if not 1 <= level <= HIGHEST_LEVEL:
        raise HanalyzeError(f"level {level}, but levels are 1 to {HIGHEST_LEVEL}", rule="bad_number")
    plans = in_order(detectors)
    if system is not None:
        plans = tuple(plan for plan in plans if plan.systems & {system, "*"})
    if isinstance(game, GameRecord):
        [deal] = deal_records([game])
    else:
        numbers = np.array([identity(*card) for card in game.deck], np.uint8)
        deal = Deal(game.record, game.rules, game.variant, numbers, False)
    return detect_deal(deal, plans, level)
