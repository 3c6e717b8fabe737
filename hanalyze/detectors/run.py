"""Run detectors over a game; return their findings with outcomes, and the problems of faulty detectors.

Findings are judged after the whole game. If a detector fails or returns a wrong value for an action, this is
recorded as a `Problem`; other actions and detectors are not affected.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

from hanalyze.conventions.opportunities import find_opportunities
from hanalyze.conventions.reader import read_action, read_clue, touched_mask
from hanalyze.conventions.rows import room_for
from hanalyze.conventions.run import HIGHEST_LEVEL, check_level
from hanalyze.conventions.state import ConventionState, begin, begin_turn
from hanalyze.detectors.plugin import Detector, Plan, error_text, in_order
from hanalyze.detectors.turns import (
    MAX_MEANINGS,
    Finding,
    Meaning,
    Moment,
    Outcome,
    Setting,
    Situation,
    Step,
    Turn,
    meanings_of,
)
from hanalyze.engine.batch import Deal, deal_records, make_batch
from hanalyze.engine.game import SILENT, Game
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action
from hanalyze.errors import HanalyzeError
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE, Action, Result
from hanalyze.game.cards import card_of
from hanalyze.game.meanings import OutcomeKind
from hanalyze.kernels.masks import members
from hanalyze.logs.record import GameRecord
from hanalyze.position import NO_MOVES, MoveHistory, seen_game
from hanalyze.text import shorten

SPECTATOR: Final = -1  # the viewer who sees all hands
MAX_TURNS: Final = 500  # maximum number of actions read per game


class _Viewer:
    """A viewer's inferences from the messages so far, and the current situation."""

    def __init__(self, seat: int, setting: Setting, game: Game, turns: int) -> None:
        self.seat = seat
        self._setting = setting
        self._reading = ConventionState()
        self._rows = room_for(MAX_MEANINGS * turns)
        begin(game, self._reading, setting.level)
        self.situation = self.see(game, NO_MOVES)

    def see(self, game: Game, history: MoveHistory) -> Situation:
        """Store and return the situation at the beginning of a turn."""
        view = seen_game(game, *([] if self.seat == SPECTATOR else [self.seat]))
        begin_turn(view, self._reading)
        state, seen = self._reading.frozen(), history.seen_in(view)
        self.situation = Situation(self._setting, view.frozen(), state, seen)
        return self.situation

    def read(self, game: Game, action: Action, touched: int) -> tuple[Meaning, ...]:
        """Return the meanings of an action that is about to be carried out; `game` has all cards open."""
        view = self.situation.game.copy()
        first = self._reading.row
        find_opportunities(view, self._reading)
        kind, target, value = action
        if kind in (COLOUR_CLUE, RANK_CLUE):
            read_clue(view, self._reading, self._rows, kind, target, value, touched)
        else:
            if kind in (PLAY, DISCARD):
                _reveal(view, target, game.identity[target])
            read_action(view, self._reading, self._rows, kind, target, value)
        return meanings_of(self._rows.findings[:, first : self._reading.row], self._setting.letters)


def _reveal(game: Game, order: int, number: int) -> None:
    """Show a card that leaves its hand, even if the viewer is its holder."""
    game.identity[order] = number


def watch(deal: Deal, level: int, seats: Iterable[int]) -> Iterator[dict[int, Turn]]:
    """Yield, for each action of a game, the turn as each viewer sees it, by seat.

    `seats` are the viewers' seats and may include `SPECTATOR`; `level` is the highest H-Group level of the
    messages to read, 1 to 25. A yielded turn contains no information about later turns. Stops after
    `MAX_TURNS`, and before an action that cannot be carried out.
    """
    batch = make_batch([deal]).laid_out(fast=False)
    game = Game()
    start_game(game, batch, 0)
    setting = Setting(tuple(deal.record.players), deal.variant, deal.rules, level)
    count = min(len(deal.record.actions), MAX_TURNS)
    viewers = [_Viewer(seat, setting, game, count) for seat in seats]
    history = NO_MOVES
    for index in range(count):
        if not next_action(game, batch, index):
            return
        if game.action.after_end:
            # An action after the end reopens the game.
            for viewer in viewers:
                viewer.see(game, history)
        kind, target, value = action = Action(game.action.kind, game.action.target, game.action.value)
        clue = kind in (COLOUR_CLUE, RANK_CLUE)
        touched = touched_mask(game, target, kind, value) if clue else 0
        newly = touched & ~game.clued
        before = [(viewer, viewer.situation, viewer.read(game, action, touched)) for viewer in viewers]
        history = history.after(game, *action)
        apply_action(game, *action)
        silent = clue and game.variant.flags & SILENT
        yield {
            viewer.seat: Turn(
                _situation=situation,
                _following=viewer.see(game, history),
                action=Action(kind, target, -1) if silent and viewer.seat == target else action,
                result=Result(game.last.result).name.lower(),
                card=card_of(game.identity[target]) if kind in (PLAY, DISCARD) else None,
                drawn=game.last.drawn if game.last.drawn >= 0 else None,
                touched=tuple(members(touched)),
                newly_touched=tuple(members(newly)),
                meanings=meanings,
            )
            for viewer, situation, meanings in before
        }


MAX_CARDS_NAMED: Final = 6  # maximum number of cards that a finding can name
_MAX_FINDINGS: Final = 64  # findings of one detector for one action
_MAX_TEXT: Final = 100  # characters of a label or a reason
_MAX_VALUE: Final = 60  # characters of a wrong value in an error

_OUTCOMES: Final = tuple(outcome.label for outcome in OutcomeKind if outcome is not OutcomeKind.OPEN)


class FindingRow(NamedTuple):
    """A finding as it is stored; `turn` counts from 0.

    `number` counts the findings of a detector for one action, from 0. `certainty` is in percent.
    `closed_turn` is the turn that decided `outcome`, or None.
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
    """A problem of a detector; `turn` (from 0) and `seat` are those of the action.

    `rule` is `raised` (the detector raised an exception), `bad_finding`, `bad_outcome`, or `too_long` (the
    game has more than `MAX_TURNS` actions).
    """

    game: str
    turn: int
    seat: int
    detector: str
    version: str
    rule: str
    message: str

    def __str__(self) -> str:
        message = f'detector "{self.detector}" {self.message}'
        return str(HanalyzeError(message, rule=self.rule, game=self.game, turn=self.turn))


class Detections(list[FindingRow]):
    """The rows of a game by turn, in running order of the detectors; `problems` lists their problems."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[Problem] = []


class _DetectorError(Exception):
    def __init__(self, rule: str, message: str) -> None:
        self.rule, self.message = rule, message


@contextmanager
def _detectors_code() -> Iterator[None]:
    """Convert an exception of a detector to `_DetectorError`, without frames that refer to the game."""
    try:
        yield
    except _DetectorError:
        raise
    except (Exception, SystemExit) as error:
        raise _DetectorError("raised", f"raised {error_text(error)}") from None


def _short_repr(value: object) -> str:
    """Return a short representation of a value for an error message."""
    try:
        return shorten(repr(value), _MAX_VALUE)
    except Exception:  # a user-defined `__repr__`
        return f"a {type(value).__name__}"


def _check(fits: bool, message: str, value: object) -> None:
    """Raise `_DetectorError` unless `fits`; the value replaces `{}` in the message."""
    if not fits:
        raise _DetectorError("bad_finding", message.replace("{}", _short_repr(value)))


def _check_text(value: object, what: str) -> None:
    fits = isinstance(value, str) and 0 < len(value) <= _MAX_TEXT
    _check(fits, f"gave {what} {{}}, but texts have 1 to {_MAX_TEXT} characters", value)


def _numbers(value: object, what: str, below: int, most: int) -> tuple[int, ...]:
    items = tuple(value) if isinstance(value, tuple | list | frozenset | set) else ("",)
    numbers = tuple(int(item) for item in items if isinstance(item, int) and 0 <= item < below)
    fits = len(numbers) == len(items) <= most
    _check(fits, f"gave {what} {{}} instead of at most {most} numbers from 0 to {below - 1}", value)
    return numbers


def _check_finding(finding: object, seats: int, cards: int, opportunity: bool) -> Finding:
    """Return a finding with fields of the declared types. Raises `_DetectorError` for a wrong field."""
    if not isinstance(finding, Finding):
        raise _DetectorError("bad_finding", f"returned {_short_repr(finding)}, which is not a Finding")
    certainty, reasons, expects = finding.certainty, finding.reasons, finding.expects
    fits = isinstance(certainty, int) and 0 <= certainty <= 100
    _check(fits, "gave certainty {}, but it is a percentage, 0 to 100", certainty)
    fits = finding.legal in (None, True, False)
    _check(fits, "gave legal {} instead of True, False or None", finding.legal)
    fits = isinstance(reasons, tuple | list) and len(reasons) <= _MAX_FINDINGS
    _check(fits, f"gave reasons that are not a tuple of at most {_MAX_FINDINGS} texts", None)
    fits = isinstance(expects, tuple | list) and all(
        isinstance(step, Step) and step.by in ("played", "discarded") for step in expects
    )
    _check(fits, 'expects something other than a Step by "played" or "discarded"', None)
    _check_text(finding.label, "the label")
    for reason in reasons:
        _check_text(reason, "the reason")
    return Finding(
        label=finding.label,
        cards=_numbers(finding.cards, "the cards", cards, MAX_CARDS_NAMED),
        seats=tuple(sorted(set(_numbers(finding.seats, "the seats", seats, seats)))),
        certainty=int(certainty),
        legal=None if finding.legal is None else bool(finding.legal),
        reasons=tuple(reasons),
        expects=tuple(expects),
        opportunity=opportunity or bool(finding.opportunity),
    )


def _findings(call: Callable[[Any], object], turn: Moment, opportunity: bool) -> tuple[Finding, ...]:
    """Return the checked findings of a detector's function for a turn. Raises `_DetectorError`."""
    setting = turn.setting
    with _detectors_code():
        results = call(turn)
        if results is None:
            return ()
        if isinstance(results, Finding) or not isinstance(results, Iterable):
            results = (results,)
        rows = list(itertools.islice(results, _MAX_FINDINGS + 1))
        if len(rows) > _MAX_FINDINGS:
            raise _DetectorError("bad_finding", f"returned more than {_MAX_FINDINGS} findings for one action")
        seats, cards = len(setting.players), setting.variant.deck_size
        return tuple(_check_finding(row, seats, cards, opportunity) for row in rows)


def expected_outcome(finding: Finding, later: Sequence[Turn]) -> Outcome:
    """Return the outcome of the steps that a finding expects, in order.

    The outcome is `success` with the turn of the last step, `failed` with the turn on which a card left its
    hand in another way or out of order, `censored` if the game ended before the last step, or
    `nothing_expected` without steps.
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


def _outcome(plan: Plan, finding: Finding, turn: int, later: Sequence[Turn]) -> Outcome:
    """Return the outcome of a finding from `judge`, else from its steps. Opportunities expect nothing.

    Raises `_DetectorError` if `judge` fails or returns a wrong value.
    """
    if finding.opportunity:
        return Outcome(OutcomeKind.NOTHING_EXPECTED.label)
    with _detectors_code():
        outcome: object = plan.judge(finding, later) if plan.judge is not None else None
        if outcome is None:
            return expected_outcome(finding, later)
        if not isinstance(outcome, Outcome) or outcome.kind not in _OUTCOMES:
            words = ", ".join(_OUTCOMES)
            what = f"`judge` returned {_short_repr(outcome)}, not an Outcome of one of these kinds: {words}"
            raise _DetectorError("bad_outcome", what)
        last, settled = turn + len(later), outcome.turn
        if settled is not None and not (isinstance(settled, int) and turn <= settled <= last):
            what = f"`judge` returned the turn {_short_repr(settled)}, but turns are {turn} to {last}"
            raise _DetectorError("bad_outcome", what)
        return outcome


class _Run:
    def __init__(self, plans: Sequence[Plan], game: str) -> None:
        self.plans = plans
        self.game = game
        self.problems: list[Problem] = []
        self.findings: list[tuple[Plan, int, int, Finding]] = []  # each with its detector, turn and seat
        self.turns: defaultdict[tuple[int, str], list[Turn]] = defaultdict(list)  # by viewer and detector

    def problem(self, plan: Plan, turn: int, seat: int, failed: _DetectorError) -> None:
        problem = Problem(self.game, turn, seat, plan.name, plan.version, failed.rule, failed.message)
        self.problems.append(problem)

    def step(self, turns: Mapping[int, Turn]) -> None:
        """Run all detectors on one action."""
        findings: dict[str, tuple[Finding, ...]] = {}
        for plan in self.plans:
            earlier = MappingProxyType({name: findings.get(name, ()) for name in plan.after})
            for viewer, turn in turns.items():
                past = self.turns[viewer, plan.name]
                past.append(replace(turn, _past=tuple(past), findings=earlier))
            viewer = SPECTATOR if plan.reads_truth else turns[SPECTATOR].seat
            mine = self.turns[viewer, plan.name][-1]
            if mine.kind == "end":
                continue
            if plan.opportunities is not None:
                self._ask(plan, plan.opportunities, mine.moment(), True)
            if mine.kind in plan.actions:
                findings[plan.name] = self._ask(plan, plan.detector.detect, mine, False)

    def _ask(
        self, plan: Plan, call: Callable[[Any], object], turn: Moment, opportunity: bool
    ) -> tuple[Finding, ...]:
        """Record and return the findings of a detector's function for a turn."""
        try:
            findings = _findings(call, turn, opportunity)
        except _DetectorError as failed:
            self.problem(plan, turn.turn, turn.seat, failed)
            return ()
        self.findings += [(plan, turn.turn, turn.seat, finding) for finding in findings]
        return findings

    def rows(self) -> Detections:
        """Judge all findings by the later turns and return the rows."""
        rows = Detections()
        numbers: Counter[tuple[str, int]] = Counter()
        for plan, turn, seat, finding in self.findings:
            try:
                outcome = _outcome(plan, finding, turn, tuple(self.turns[SPECTATOR, plan.name][turn + 1 :]))
            except _DetectorError as failed:
                self.problem(plan, turn, seat, failed)
                outcome = Outcome(OutcomeKind.CENSORED.label)
            rows.append(
                FindingRow(
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


def detect_deal(deal: Deal, plans: Sequence[Plan], level: int) -> Detections:
    """Run detectors in the given order over a dealt game; see `detect`."""
    awake = [plan for plan in plans if plan.level <= level]
    run = _Run(awake, deal.record.name)
    players = () if all(plan.reads_truth for plan in awake) else range(len(deal.record.players))
    turn_count = 0
    if awake:
        for turns in watch(deal, level, (SPECTATOR, *players)):
            run.step(turns)
            turn_count += 1
    if turn_count == MAX_TURNS < len(deal.record.actions):
        what = f"saw the first {MAX_TURNS} of {len(deal.record.actions)} actions"
        failed, last = _DetectorError("too_long", what), MAX_TURNS - 1
        seat = (deal.record.options.starting_player + last) % len(deal.record.players)
        for plan in awake:
            run.problem(plan, last, seat, failed)
    return run.rows()


class HasDeal(Protocol):
    """An object with a dealt game, such as a `hanalyze.Replay`."""

    deal: Deal


def detect(
    game: GameRecord | HasDeal,
    detectors: Iterable[Detector | Plan],
    *,
    level: int = HIGHEST_LEVEL,
    system: str | None = None,
) -> Detections:
    """Run detectors over a game, given as a record or as its `Replay`, and return the rows.

    Rows are sorted by turn and then by the running order of the detectors, with opportunities before
    findings. The attribute `problems` lists the detectors' problems. `level`, 1 to 25, is the highest H-Group
    level of the conventions that the built-in reader reads; detectors with a higher level do not run. With
    `system`, detectors of other systems do not run either. Raises `HanalyzeError` (the rules of `in_order`,
    and `bad_number`), and the errors of `hanalyze.engine.batch.deal_records`.

    >>> from hanalyze.detectors.plugin import detector
    >>> fives = detector("fives", "1")(lambda turn: [Finding("five")] if turn.action.value == 5 else [])
    >>> record = GameRecord(players=("Alice", "Bob"), seed="p2v0s1", actions=[Action(3, 1, 5)])
    >>> [(row.turn, row.label) for row in detect(record, [fives])]
    [(0, 'five')]
    """
    check_level(level)
    plans = in_order(detectors)
    if system is not None:
        plans = tuple(plan for plan in plans if plan.systems & {system, "*"})
    deal = deal_records([game])[0] if isinstance(game, GameRecord) else game.deal
    return detect_deal(deal, plans, level)
