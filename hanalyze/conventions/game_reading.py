"""Reading of one game turn by turn, for the pages: findings, marks of cards, and messages about each card.

Values before a turn depend only on earlier turns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from hanalyze.conventions.classes import (
    BLUFFS,
    CALLS,
    KEEPING,
    MARKING,
    NAMING,
    SAVES,
    SIGNALS,
    TRASH_SIGNALS,
    is_any,
)
from hanalyze.conventions.hand_odds import begin_history, follow_action
from hanalyze.conventions.open_calls import close_all
from hanalyze.conventions.run import HIGHEST_LEVEL, Output, output_of, read_turn, room
from hanalyze.conventions.state import ConventionState, begin, begin_turn
from hanalyze.conventions.unclear_clues import is_supposed_call
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.engine.game import Game
from hanalyze.engine.knowledge import copies_unseen
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action
from hanalyze.game.actions import DISCARD, PLAY
from hanalyze.game.meanings import Convention
from hanalyze.kernels.masks import members, popcount
from hanalyze.logs.record import GameRecord

MARKS: Final = ("called", "trash", "saved", "moved", "finesse", "chop")
"""The marks that a card can have."""

_MAX_FINDINGS: Final = 4  # upper bound of the findings of an action
_SAVING: Final = (
    SAVES | 1 << Convention.LOCKED_HAND_SAVE | 1 << Convention.EIGHT_CLUE_SAVE | 1 << Convention.FIVE_STALL
)
"""Clues whose focus is to be kept, not played."""


class Mark(NamedTuple):
    """A mark of a card: `word` is one of `MARKS`, `turn` is the turn of the message, -1 if there is none."""

    word: str
    turn: int


KINDS: Final = ("now", "soon", "save", "called")
"""Kinds of readings of a focus: playable now; playable after known plays; saved; playable after cards that
the clue calls."""


class OpenReading(NamedTuple):
    """A reading of the focus of a clue.

    `identity` is suit * 8 + rank, `copies` is the number of its copies that the receiver does not see, `kind`
    is one of `KINDS`.
    """

    identity: int
    copies: int
    kind: str


def open_readings(game: Game, state: ConventionState) -> tuple[OpenReading, ...]:
    """Return the readings of the focus of a clue just read; empty if there is only one.

    The result is also empty if none of them is a direct play or a save, as after a clue of a stalling or
    locked player, who may touch any card.
    """
    verdict, receiver = state.verdict, state.clue.receiver
    if popcount(verdict.readings) < 2 or not verdict.direct:
        return ()
    return tuple(
        OpenReading(number, copies_unseen(game, receiver, 1 << number), _kind(game, state, 1 << number))
        for number in members(verdict.readings)
    )


def _kind(game: Game, state: ConventionState, bit: int) -> str:
    if game.playable & bit:
        return "now"
    if not state.verdict.direct & bit:
        return "called"
    return "soon" if state.turn_view.hypo_playable & bit else "save"


class CardMessage(NamedTuple):
    """A message about a card.

    `identities` is a mask with bit suit * 8 + rank, 0 if the card may be anything. `task` is `play`, `wait`,
    `keep`, `trash`, or `hold` (not to be played). `after` is the seat whose play the card waits for, or -1.
    `holder_knows` is False for connecting cards in the receiver's own hand. `open` contains the result of
    `open_readings` for the focus.
    """

    seat: int
    order: int
    identities: int
    task: str
    after: int
    holder_knows: bool
    open: tuple[OpenReading, ...] = ()


class CardKnowledge(NamedTuple):
    """Knowledge of the player to move about the card that they played or discarded.

    `identities` is a mask of the identities that messages and clues left. `turn` is the turn of the card's
    call, otherwise of the last message about the card; `seat` is the sender of that last message. Without a
    message, both belong to an unclear clue that the play seems to answer, or are -1. `gotten` is True if the
    card was clued, called to be played blind, or named by a discard.
    """

    identities: int
    turn: int
    seat: int
    gotten: bool


@dataclass(slots=True)
class GameReading:
    """The meanings of a game's actions, and the players' knowledge before each action.

    `output` contains the tables that `hanalyze.conventions.run.read_games` returns with `cards`. `findings`
    has one row per finding, with the columns of `conventions` and `convention_outcomes` as plain values. The
    remaining lists are indexed by turn. Each entry of `marks` maps the orders of marked cards to their marks
    before the turn; a last entry is for the end of the game. `messages` contains the messages of the action.
    `card_knowledge` is None unless the action plays or discards a card of the hand. `due_plays` has the
    playable cards that the player to move is called to play now, each with the turn of the call.
    """

    output: Output = field(default_factory=lambda: Output({}, {}, {}, {}, {}))
    findings: list[dict[str, Any]] = field(default_factory=list)
    marks: list[dict[int, Mark]] = field(default_factory=list)
    messages: list[list[CardMessage]] = field(default_factory=list)
    card_knowledge: list[CardKnowledge | None] = field(default_factory=list)
    due_plays: list[dict[int, int]] = field(default_factory=list)


def follow_game(record: GameRecord, level: int = HIGHEST_LEVEL) -> GameReading:
    """Read a game by the conventions up to `level`, 1 to 25; at level 0, use only the clues.

    Raises the errors of `hanalyze.engine.batch.deal_records`.

    >>> reading = follow_game(GameRecord(players=("Alice", "Bob"), seed="p2v0s1"))
    >>> [reading.marks[0][order] for order in (0, 4)]
    [Mark(word='chop', turn=-1), Mark(word='finesse', turn=-1)]
    """
    dealt = make_batch(deal_records([record]))
    batch = dealt.laid_out(fast=False)
    game, state = Game.new(fast=False), ConventionState.new(fast=False)
    start_game(game, batch, 0)
    begin(game, state, level)
    out = room(dealt, 0, 1, _MAX_FINDINGS * batch.actions[0], cards=True, fast=False)
    begin_history(out.hand.history)
    state.row = 0
    cards = 0
    reading, since = GameReading(), _MarkTurns()
    for index in range(batch.actions[0]):
        if not next_action(game, batch, index):
            break
        kind, target, value = game.action.kind, game.action.target, game.action.value
        begin_turn(game, state)
        reading.marks.append(_marks(game, state, since))
        reading.due_plays.append(_due_plays(game, state))
        reading.card_knowledge.append(_card_knowledge(game, state, since, kind, target))
        first = state.row
        if level > 0:
            cards = read_turn(game, state, out, index, cards)
        has_findings = state.row > first
        reading.messages.append(_messages(game, state, kind) if has_findings else [])
        if has_findings:
            since.note(game, state)
        apply_action(game, kind, target, value)
        if level > 0:
            follow_action(game, out.hand.history)
    begin_turn(game, state)
    reading.marks.append(_marks(game, state, since))
    close_all(state, out.rows.outcomes, game.turn)
    turns = len(reading.card_knowledge)
    out.games[:, 0] = turns, state.row, cards
    reading.output = output_of(out, turns if level > 0 else 0, state.row)
    reading.findings = _rows(reading.output)
    return reading


def _rows(output: Output) -> list[dict[str, Any]]:
    columns = {**output.findings, **output.outcomes}
    values = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [dict(zip(columns, one, strict=True)) for one in values]


class _MarkTurns:
    """Turns when cards were saved or chop moved, which the state does not store."""

    def __init__(self) -> None:
        self.saved: dict[int, int] = {}
        self.moved: dict[int, int] = {}

    def note(self, game: Game, state: ConventionState) -> None:
        """Record the cards that the action just read saves or chop moves."""
        verdict, clue = state.verdict, state.clue
        if is_any(verdict.name, _SAVING) and verdict.focus >= 0:
            for order in members(clue.newly | 1 << verdict.focus):
                self.saved[order] = game.turn
        for order in members(state.common.chop_moved):
            self.moved.setdefault(order, game.turn)


def _open_calls(state: ConventionState) -> list[Any]:
    return [call for call in state.calls if call.is_open]


def _called(game: Game, state: ConventionState, saved: dict[int, int]) -> dict[int, int]:
    """Return the called cards, each with the turn of its oldest open call, or else of its last message."""
    common, view = state.common, state.turn_view
    called: dict[int, int] = {}
    for order in members(view.playable_now & game.clued):
        # A touched card that may be played counts as called, unless its clue saved it.
        if common.source_seat[order] >= 0 and order not in saved:
            called[order] = common.source_turn[order]
    for order in members(common.blind):
        called[order] = common.source_turn[order]
    for call in sorted(_open_calls(state), key=lambda one: -one.turn):
        orders = [call.steps[step].order for step in range(call.done, call.length)]
        for order in [*orders, call.focus]:
            if order >= 0:
                called[order] = call.turn
    return called


def _marks(game: Game, state: ConventionState, since: _MarkTurns) -> dict[int, Mark]:
    """Return the marks of the cards in hands, by order; cards without a mark are left out."""
    view = state.turn_view
    called = _called(game, state, since.saved)
    marks: dict[int, Mark] = {}
    for seat in range(game.seats):
        for order in game.hands[seat][: game.hand_len[seat]]:
            bit = 1 << order
            if order in called:
                marks[order] = Mark("called", called[order])
            elif view.known_trash & bit:
                marks[order] = Mark("trash", -1)
            elif order in since.saved:
                marks[order] = Mark("saved", since.saved[order])
            elif state.common.chop_moved & bit & ~view.gotten:
                marks[order] = Mark("moved", since.moved[order])
            elif view.chop[seat] == order:
                marks[order] = Mark("chop", -1)
            elif view.finesse_card[seat] == order:
                marks[order] = Mark("finesse", -1)
    return marks


def _due_plays(game: Game, state: ConventionState) -> dict[int, int]:
    """Return the playable cards that the player to move is called to play next, with the turn of the call."""
    plays: dict[int, int] = {}
    for call in _open_calls(state):
        if call.done >= call.length or call.steps[call.done].seat != game.seat:
            continue
        step = call.steps[call.done]
        if game.playable >> game.identity[step.order] & 1:
            plays[step.order] = call.turn
    return plays


def _card_knowledge(
    game: Game, state: ConventionState, since: _MarkTurns, kind: int, order: int
) -> CardKnowledge | None:
    """Return the knowledge of the player to move about the card that leaves the hand, None if none leaves."""
    if kind not in (PLAY, DISCARD) or game.place[order] != game.seat:
        return None
    common = state.common
    called = _called(game, state, since.saved).get(order, -1)
    seat = common.source_seat[order]
    turn = called if called >= 0 else common.source_turn[order] if seat >= 0 else -1
    gotten = state.turn_view.gotten >> order & 1 != 0
    if kind == PLAY and turn < 0 and is_supposed_call(game, state, order):
        turn, seat = common.supposed_turn[game.seat], common.supposed_giver[game.seat]
    identities = state.turn_view.belief[order]
    if state.turn_view.known_trash >> order & 1:
        # Messages may mark the card as trash although the clues allow useful identities.
        identities = game.possible[order] & ~state.turn_view.needed or identities
    return CardKnowledge(identities, turn, seat, gotten)


def _messages(game: Game, state: ConventionState, kind: int) -> list[CardMessage]:
    """Return the messages of the action just read, one per card: called cards in order, then others."""
    verdict, clue = state.verdict, state.clue
    name, focus, chain = verdict.name, verdict.focus, verdict.chain
    if not verdict.legal and name == Convention.UNEXPLAINED:
        return []
    messages: list[CardMessage] = []
    before = -1
    for step in chain.steps[: chain.length]:
        own = kind not in (PLAY, DISCARD) and step.seat == clue.receiver
        ids = 0 if is_any(name, BLUFFS | SIGNALS) else step.ids
        task = "play" if before < 0 else "wait"
        messages.append(CardMessage(step.seat, step.order, ids, task, before, not own))
        before = step.seat
    if focus >= 0 and game.place[focus] != game.seat:
        about_focus = _focus_messages(game, name, focus, verdict.readings, before)
        several = () if kind in (PLAY, DISCARD) else open_readings(game, state)
        messages += [one._replace(open=several) if one.identities else one for one in about_focus]
    task = "play" if is_any(name, NAMING) else "keep"
    for order in members(verdict.marked_cards):
        identity = 1 << game.identity[order] if is_any(name, NAMING) else 0
        if identity and not identity & game.playable:
            task = "wait"
        messages.append(CardMessage(game.place[order], order, identity, task, -1, True))
    if is_any(name, MARKING):
        messages += [CardMessage(clue.receiver, order, 0, "trash", -1, True) for order in members(clue.newly)]
    return messages


def _focus_messages(game: Game, name: int, focus: int, readings: int, after: int) -> list[CardMessage]:
    """Return the messages of a clue about its focus; `after` is the seat whose play it waits for, or -1."""
    seat = game.place[focus]
    if is_any(name, _SAVING):
        return [CardMessage(seat, focus, readings, "keep", -1, True)]
    if name == Convention.FIX_CLUE:
        return [CardMessage(seat, focus, 0, "hold", -1, True)]
    if is_any(name, TRASH_SIGNALS):
        return [CardMessage(seat, focus, 0, "trash", after, True)]
    if is_any(name, SIGNALS):
        return [CardMessage(seat, focus, readings, "wait", after, True)]
    if not is_any(name, CALLS) or is_any(name, KEEPING) or not readings:
        return []
    task = "wait" if after >= 0 or readings & ~game.playable else "play"
    return [CardMessage(seat, focus, readings, task, after, True)]
