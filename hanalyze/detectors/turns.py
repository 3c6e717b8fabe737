"""Arguments of detectors (`Moment`, `Turn`, `View`) and results of detectors (`Finding`, `Outcome`).

A `View` is a position with the inferences of the built-in reader. Turns, seats and orders count from 0, slots
from 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Final

from hanalyze.conventions.opportunities import find_opportunities
from hanalyze.conventions.reader import read_clue, touched_mask
from hanalyze.conventions.rows import FINDING, room_for
from hanalyze.conventions.state import ConventionState
from hanalyze.engine.game import Game, Ints, next_seats
from hanalyze.engine.rules import find_defect
from hanalyze.game.actions import COLOUR_CLUE, RANK_CLUE, Action, ActionKind
from hanalyze.game.cards import Card, IdentitySet
from hanalyze.game.editions import EndCondition, Rules
from hanalyze.game.meanings import Convention, Reason, StepKind
from hanalyze.game.names import suit_letters, suit_names
from hanalyze.game.variants import Variant
from hanalyze.kernels.masks import members
from hanalyze.position import HeldCard, MoveHistory, Position, position_of


def _none_below_0(number: int) -> int | None:
    return int(number) if number >= 0 else None


@dataclass(frozen=True, slots=True)
class SeenCard(HeldCard):
    """A card in a hand, with the inferences from messages.

    `inferred` contains the identities of `possible` that the messages do not exclude. A card is `gotten` if
    it is clued, called to be played blind, or named by a discard; `called` if it is called to be played
    blind; `plays` if its holder takes it to be playable now, or it is `called` and the next card of an open
    call; `known_trash` if its holder takes it for trash; and `chop_moved` if a message chop moved it.
    """

    inferred: IdentitySet
    gotten: bool
    called: bool
    plays: bool
    known_trash: bool
    chop_moved: bool


@dataclass(frozen=True, slots=True)
class CallStep:
    """A step of a call: seat and order of the card, kind (a label of `StepKind`), and possible identities."""

    seat: int
    order: int
    kind: str
    identities: IdentitySet


@dataclass(frozen=True, slots=True)
class Call:
    """An open call: plays that an earlier action still expects.

    `turn` and `giver` are those of the action. `focus` is the order of the card that the action is about, or
    None. `steps` are the plays that must precede the focus; the first `done` steps are complete.
    """

    convention: Convention
    turn: int
    giver: int
    receiver: int | None
    focus: int | None
    steps: tuple[CallStep, ...]
    done: int


@dataclass(frozen=True, slots=True)
class Meaning:
    """Meaning of an action or of a possible clue according to the built-in reader.

    `certainty` is in percent. `receiver` is the seat that the message is for, `focus` the order of the card
    that it is about, or None. `cards` contains the orders of the called cards (`steps` is their number), then
    of the cards that are chop moved or named. `readings` contains the identities of the focus that the
    receiver cannot rule out. Only the main convention of an action has cards, steps and readings. `reasons`
    speak for or against the action. `worth` counts the newly gotten cards, `bad_touch` the newly touched
    trash and duplicates.

    >>> Meaning(Convention.BLUFF, 100, 2, 7, (3,), IdentitySet(1 << 2), True, (), 2, 0, 1).label
    'bluff'
    """

    convention: Convention
    certainty: int
    receiver: int | None
    focus: int | None
    cards: tuple[int, ...]
    readings: IdentitySet
    legal: bool
    reasons: tuple[Reason, ...]
    worth: int
    bad_touch: int
    steps: int

    @property
    def label(self) -> str:
        """The convention as a word, one of `hanalyze.tables.conventions.CONVENTION_WORDS`."""
        return self.convention.label


def meanings_of(findings: Ints, letters: tuple[str, ...]) -> tuple[Meaning, ...]:
    """Return the meanings in the columns that the reader wrote for an action."""

    def meaning(column: list[int]) -> Meaning:
        return Meaning(
            convention=Convention(column[FINDING.convention]),
            certainty=column[FINDING.certainty],
            receiver=_none_below_0(column[FINDING.receiver]),
            focus=_none_below_0(column[FINDING.focus]),
            cards=tuple(order for order in column[FINDING.cards : FINDING.cards + 6] if order >= 0),
            readings=IdentitySet(column[FINDING.readings], letters),
            legal=bool(column[FINDING.legal]),
            reasons=Reason.among(column[FINDING.reasons]),
            worth=column[FINDING.worth],
            bad_touch=column[FINDING.bad_touch],
            steps=column[FINDING.steps],
        )

    return tuple(map(meaning, findings.T.tolist()))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class View(Position):
    """A `Position` as one viewer sees it, with common knowledge from messages.

    `phase` is `end_game` if the pace is below the number of players or the deck is empty; otherwise
    `early_game` until the first discard that sends no message and whose card is neither gotten nor known
    trash; otherwise `mid_game`. `stall_severity` is that of `Moment`. `chops` contains for each seat the
    order of the chop (None if locked), `finesse_positions` that of the newest ungotten card (None if there is
    none). `calls` contains the open calls, oldest first.
    """

    hands: tuple[tuple[SeenCard, ...], ...]
    phase: str
    stall_severity: int
    chops: tuple[int | None, ...]
    finesse_positions: tuple[int | None, ...]
    calls: tuple[Call, ...]

    @property
    def gotten(self) -> frozenset[int]:
        """The orders of cards in hands that are clued, called to be played blind, or named by a discard."""
        return frozenset(card.order for hand in self.hands for card in hand if card.gotten)

    def card(self, order: int) -> SeenCard | None:
        """Return the card with this order, None if no hand contains it."""
        return next((card for hand in self.hands for card in hand if card.order == order), None)


def _calls(state: ConventionState, letters: tuple[str, ...]) -> tuple[Call, ...]:
    calls = [
        Call(
            convention=Convention(call.kind),
            turn=call.turn,
            giver=call.giver,
            receiver=_none_below_0(call.receiver),
            focus=_none_below_0(call.focus),
            steps=tuple(
                CallStep(step.seat, step.order, StepKind(step.kind).label, IdentitySet(step.ids, letters))
                for step in call.steps[: call.length]
            ),
            done=call.done,
        )
        for call in state.calls
        if call.is_open
    ]
    return tuple(sorted(calls, key=lambda call: call.turn))


def view_of(
    game: Game,
    state: ConventionState,
    players: tuple[str, ...],
    letters: tuple[str, ...],
    history: MoveHistory,
) -> View:
    """Return the view of a game from `hanalyze.position.seen_game` and the viewer's convention state."""
    position = position_of(game, players, letters, history)
    common, view = state.common, state.turn_view
    early = "early_game" if common.early else "mid_game"

    def seen(card: HeldCard) -> SeenCard:
        def among(orders: int) -> bool:
            return bool(orders >> card.order & 1)

        return SeenCard(
            card.order,
            card.slot,
            card.card,
            card.possible,
            card.clues,
            inferred=IdentitySet(view.belief[card.order], letters),
            gotten=among(view.gotten),
            called=among(common.blind),
            plays=among(view.playable_now | common.blind & view.called),
            known_trash=among(view.known_trash),
            chop_moved=among(common.chop_moved),
        )

    def by_seat(orders: Sequence[int]) -> tuple[int | None, ...]:
        return tuple(map(_none_below_0, orders[: len(players)]))

    return position.extended(
        View,
        hands=tuple(tuple(map(seen, hand)) for hand in position.hands),
        phase="end_game" if view.end_phase else early,
        stall_severity=view.stall_severity,
        chops=by_seat(view.chop),
        finesse_positions=by_seat(view.finesse_card),
        calls=_calls(state, letters),
    )


@dataclass(frozen=True, slots=True)
class Step:
    """A card that a finding expects to leave a hand, with its seat, its order, and the expected action."""

    seat: int
    order: int
    by: str = "played"
    """`played` or `discarded`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A result of a detector for one action.

    `label` is a word chosen by the detector. `cards` contains at most 6 orders, `seats` the seats that the
    finding concerns. `certainty` is in percent. `legal` is None if the detector does not judge legality.
    `reasons` are texts for or against the action. `expects` contains the steps expected of later turns, in
    order. `opportunity` is True if the label was possible on the turn, and False if the action had it.

    >>> Finding("early_save", cards=(7,), seats=(1,)).certainty
    100
    """

    label: str
    cards: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    certainty: int = 100
    legal: bool | None = None
    reasons: tuple[str, ...] = ()
    expects: tuple[Step, ...] = ()
    opportunity: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a finding.

    `kind` is a label of `hanalyze.game.meanings.OutcomeKind`. `turn` is the turn that decided it, or None.
    """

    kind: str
    turn: int | None = None


ACTION_WORDS: Final = ("play", "discard", "clue")
"""The actions for which a detector can be called; a misplay is a play."""

MAX_MEANINGS: Final = 4  # maximum number of meanings of an action


@dataclass(frozen=True, slots=True)
class Setting:
    """Settings of a game: the players' names by seat, the variant, the rules and the convention level."""

    players: tuple[str, ...]
    variant: Variant
    rules: Rules
    level: int

    @property
    def edition(self) -> str:
        """The name of the edition from which the rules were derived."""
        return self.rules.edition

    @property
    def letters(self) -> tuple[str, ...]:
        """One letter for each suit, unique within the game."""
        return suit_letters(self.variant, suit_names(self.variant, self.rules))


@dataclass(frozen=True, slots=True)
class LegalClue:
    """A legal clue.

    `touched` and `newly` contain the orders of the touched and of the newly touched cards. `meanings`
    contains the meanings according to the built-in reader, the main convention first.
    """

    action: Action
    touched: tuple[int, ...]
    newly: tuple[int, ...]
    meanings: tuple[Meaning, ...]

    @property
    def receiver(self) -> int:
        """The seat that would receive the clue."""
        return self.action.target


class Situation:
    """The position before an action as one viewer sees it, with the legal clues."""

    def __init__(self, setting: Setting, game: Game, state: ConventionState, history: MoveHistory) -> None:
        """Store the frozen `state` and the frozen game, without the cards hidden from the viewer."""
        self.setting = setting
        self.game = game
        self.state = state
        self._history = history

    @cached_property
    def before(self) -> View:
        """The view before the action."""
        players, letters = self.setting.players, self.setting.letters
        return view_of(self.game, self.state, players, letters, self._history)

    @cached_property
    def legal_clues(self) -> tuple[LegalClue, ...]:
        """All clues that the player to move could give to hands that the viewer sees."""
        game, state = self.game.copy(), self.state.copy()
        if game.end_condition != EndCondition.UNFINISHED:
            return ()
        find_opportunities(game, state)
        values = [(COLOUR_CLUE, colour) for colour in range(game.variant.colours)]
        values += [(RANK_CLUE, rank) for rank in self.setting.variant.clue_ranks]
        return tuple(
            self._clue(game, state, Action(kind, seat, value))
            for seat in next_seats(game.seat, game.seats)
            if all(game.identity[order] >= 0 for order in game.hands[seat][: game.hand_len[seat]])
            for kind, value in values
            if not find_defect(game, kind, seat, value)
        )

    def _clue(self, game: Game, state: ConventionState, action: Action) -> LegalClue:
        kind, receiver, value = action
        touched = touched_mask(game, receiver, kind, value)
        own, rows = state.copy(), room_for(MAX_MEANINGS)
        own.row = 0
        read_clue(game, own, rows, kind, receiver, value, touched)
        meanings = meanings_of(rows.findings[:, : own.row], self.setting.letters)
        return LegalClue(action, tuple(members(touched)), tuple(members(touched & ~game.clued)), meanings)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Moment:
    """A turn before its action, as one viewer sees it.

    If a detector has `reads_truth`, the viewer is a spectator. Otherwise the viewer is the player to move,
    whose own cards have no identity, not even in `history`. No view contains the cards in the deck.
    """

    _situation: Situation
    _past: tuple[Turn, ...] = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.turn}, seat {self.seat}>"

    @property
    def setting(self) -> Setting:
        """The parameters of the game: `players`, `variant`, `rules`, `edition`, `level`."""
        return self._situation.setting

    @property
    def turn(self) -> int:
        """The number of the turn, from 0."""
        return self._situation.game.turn

    @property
    def seat(self) -> int:
        """The seat to move."""
        return self._situation.game.seat

    @property
    def before(self) -> View:
        """The position before the action."""
        return self._situation.before

    @property
    def phase(self) -> str:
        """`early_game`, `mid_game` or `end_game`."""
        return self.before.phase

    @property
    def stall_severity(self) -> int:
        """Stall severity: 0 none, 1 early game, 2 a discard should be avoided, 3 locked, 4 all tokens."""
        return self.before.stall_severity

    @property
    def history(self) -> tuple[Turn, ...]:
        """The earlier turns as the same viewer saw them, oldest first."""
        return self._past

    def legal_clues(self) -> tuple[LegalClue, ...]:
        """Return the legal clues of the turn with their meanings according to the built-in reader.

        Later calls return the stored result.
        """
        return self._situation.legal_clues


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Turn(Moment):
    """A turn with its action and meanings."""

    action: Action
    """The action as in logs. In Cow & Pig and Duck, the receiver of a clue sees the value -1."""
    result: str
    """`played`, `misplayed`, `discarded`, `clued` or `ended`."""
    card: Card | None
    """The card that was played or discarded, even in Throw It in a Hole; None for other actions."""
    drawn: int | None
    """The order of the card drawn after the action, None if no card was drawn."""
    touched: tuple[int, ...]
    """The orders of the cards that the clue touched."""
    newly_touched: tuple[int, ...]
    """The orders of the touched cards that no earlier clue had touched."""
    meanings: tuple[Meaning, ...]
    """The meanings of the action according to the built-in reader, the main convention first."""
    findings: Mapping[str, tuple[Finding, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """The findings for this action of the detectors listed in the detector's `after`, by detector name."""
    _following: Situation

    def moment(self) -> Moment:
        """Return the turn without its action."""
        return Moment(_situation=self._situation, _past=self._past)

    @property
    def found(self) -> Mapping[str, tuple[Finding, ...]]:
        """Another name for `findings`."""
        return self.findings

    @property
    def after(self) -> View:
        """The position after the action; the drawn card is hidden from the acting player."""
        return self._following.before

    @property
    def kind(self) -> str:
        """`play`, `discard` or `clue`; `end` for the kinds `END_GAME` and `END_VOTE`."""
        return ("play", "discard", "clue", "clue", "end", "end")[self.action.kind]

    @property
    def order(self) -> int | None:
        """The order of the card that was played or discarded, None for other actions."""
        return self.action.target if self.action.kind <= ActionKind.DISCARD else None

    @property
    def receiver(self) -> int | None:
        """The seat that received the clue, None for other actions."""
        return self.action.target if self.kind == "clue" else None

    @property
    def retouched(self) -> tuple[int, ...]:
        """The orders of the touched cards that an earlier clue had touched."""
        return tuple(order for order in self.touched if order not in self.newly_touched)
