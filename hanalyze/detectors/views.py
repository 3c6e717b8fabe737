"""A position with the inferences of the built-in reader, as detectors see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hanalyze.conventions.rows import FINDING
from hanalyze.conventions.state import ConventionState
from hanalyze.engine.game import Game, Ints
from hanalyze.game.cards import IdentitySet
from hanalyze.game.meanings import Convention, Reason, StepKind
from hanalyze.position import HeldCard, MoveHistory, Position, position_of


def _none_below_0(number: int) -> int | None:
    return int(number) if number >= 0 else None


@dataclass(frozen=True, slots=True)
class SeenCard(HeldCard):
    """A card in a hand, with the inferences from messages.

    `inferred` contains the identities of `possible` that messages leave. A card is `gotten` if it is clued,
    called to be played blind, or named by a discard; `called` if it is called to be played blind; `plays` if
    its holder knows that it is playable now; `known_trash` if its holder knows that it is trash; and
    `chop_moved` if a message chop moved it.
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

    `turn` and `giver` belong to the action. `focus` is the order of the card that the action is about, or
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
    that it is about, or None. `cards` contains the orders of the called cards, whose number is `steps`, then
    of the cards that are moved or named. `readings` contains the identities of the focus that the receiver
    cannot rule out. `reasons` are reasons for or against the action. `worth` counts the newly gotten cards,
    `bad_touch` the newly touched trash and duplicates.

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

    `phase` is `early_game` until an unknown card is discarded, `end_game` once pace is short, otherwise
    `mid_game`. `stall_severity` is 0 none, 1 early game, 2 no discard, 3 locked, 4 all tokens. `chops`
    contains for each seat the order of the chop (None if locked), `finesse_positions` the order of the newest
    ungotten card (None if there is none). `calls` contains the open calls, oldest first.
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
